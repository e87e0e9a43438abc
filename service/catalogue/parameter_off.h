/* The value of a tuning parameter that means "not in use": 0, false or none of any parameter; 1 of
 * one that counts or divides, such as split_k_slices. */
#ifndef LORE_CATALOGUE_PARAMETER_OFF_H
#define LORE_CATALOGUE_PARAMETER_OFF_H

#include <stdbool.h>

/* Whether VALUE, plain or as JSON text, says "none" of any parameter. */
bool lore_parameter_none(const char *value);
/* Whether VALUE says that what the parameter NAME stands for is not in use. NAME counts by its
 * words: "LOOP_UNROLL_FACTOR" is an unrolling, "use_padding" a switch, of which 1 means "in use".
 */
bool lore_parameter_is_off(const char *name, const char *value);
/* Whether 1 says that it is in use: of a switch, and of padding. */
bool lore_parameter_one_is_on(const char *name);

#endif

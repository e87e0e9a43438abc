/* Units of hardware numbers, so that values of one thing can be compared however they are written.
 */
#ifndef LORE_CATALOGUE_UNITS_H
#define LORE_CATALOGUE_UNITS_H

#include <stdbool.h>

/* Convert VALUE in UNIT to base units (FLOP/s, OP/s, byte/s, byte, Hz, W, … or 1). *out gets the
 * value, *dimension the name of the base unit (static text). Prefixes are decimal, Ki, Mi and Gi
 * binary. False for an unknown unit or when the result is not finite. NULL and "" are a count. */
bool lore_unit_normalise(double value, const char *unit, double *out, const char **dimension);

/* Equal up to 1e-6 of the larger. */
bool lore_unit_near(double x, double y);
/* Whether X and Y are one number, up to 1e-6: sizes in KB, MB and GB agree when they do under a
 * decimal or a binary reading (32 MB of L2 are the 32768 KB that a driver reports). Values whose
 * units are unknown or of different dimensions agree only when value and unit are the same. */
bool lore_unit_agrees(double x, const char *x_unit, double y, const char *y_unit);

#endif

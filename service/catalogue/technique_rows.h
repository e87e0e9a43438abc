/* The rows of technique_notes.c, for technique_info.c only. */
#ifndef LORE_CATALOGUE_TECHNIQUE_ROWS_H
#define LORE_CATALOGUE_TECHNIQUE_ROWS_H

#include "service/catalogue/technique_info.h"

extern const struct lore_technique_info lore_technique_rows[];
extern const size_t lore_n_technique_rows;

#endif

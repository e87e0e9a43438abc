/* The rows of the technique catalogue, for techniques.c and technique_table.c only. */
#ifndef LORE_CATALOGUE_TECHNIQUE_TABLE_H
#define LORE_CATALOGUE_TECHNIQUE_TABLE_H

#include "service/catalogue/catalogue.h"

extern const struct lore_technique lore_technique_table[];
extern const size_t lore_n_techniques;

#endif

/* The next value of a parameter to try, and a row of values in words. */
#ifndef LORE_API_TUNE_NEXT_H
#define LORE_API_TUNE_NEXT_H

#include "service/api/recommend_start.h"

/* Set `to` and `why` of ROW from its other members. `to` is the untried value that gained most on
 * another kernel, else the nearest untried one up or down; NULL when the order of the values is not
 * known, or when both neighbours failed. Texts live in ARENA. */
void lore_tune_next(struct lore_tune_row *row, struct lore_arena *arena);

#endif

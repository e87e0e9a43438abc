/* The roughness of an operator: the share of the variance of effects that neighbouring moves do not
 * forecast (moves_rough.c). Private to moves/. */
#ifndef LORE_MOVES_MOVES_ROUGH_H
#define LORE_MOVES_MOVES_ROUGH_H

#include "service/moves/moves_model.h"

/* Measure how rough a cell is; and how rough OP is without cell EXCEPT (may be NULL), as a multiple
 * of an operator of which nothing is known. */
void lore_moves_roughen(struct lore_moves *m, struct moves_cell *c);
double lore_moves_rough(const struct moves_op *op, const struct moves_cell *except);

#endif

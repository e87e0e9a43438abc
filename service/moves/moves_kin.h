/* How alike two places are. Private to moves/. */
#ifndef LORE_MOVES_MOVES_KIN_H
#define LORE_MOVES_MOVES_KIN_H

#include "service/moves/moves_model.h"

/* The share of what an operator does on place A that it does on B: 1 for one place, otherwise the
 * sum of what the two have in common, each thing with a learned share. Such sums are covariances.
 */
double
lore_moves_kin(const double *kin, const struct lore_moves_chip *a, const struct lore_moves_chip *b);
/* The share of place B's that A lacks, between little and 1. */
double lore_moves_loss(const struct lore_moves *m, uint32_t a, uint32_t b);
enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b);

#endif

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
/* The same from one place to many. */
enum { MOVES_CHIPS_KEPT = 64 };
struct moves_chip_kin {
    uint32_t who; /* + 1 */
    double kin[2];
};
struct moves_losses {
    const struct lore_moves *m;
    const struct lore_moves_chip *here;
    uint32_t work; /* here; NONE: of no place in the memory */
    struct moves_chip_kin chip[MOVES_CHIPS_KEPT];
};
struct moves_losses lore_moves_losses(const struct lore_moves *m, uint32_t from);
double lore_moves_loss_at(struct moves_losses *l, const struct moves_place *at);
enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b);

#endif

/* What one place says of one move. Private to moves/. */
#ifndef LORE_MOVES_MOVES_LOCAL_H
#define LORE_MOVES_MOVES_LOCAL_H

#include "service/moves/moves_ring.h"

/* What one cell says of one move: the sum of kernel weights, means of y and soft(y), failures'
 * share. And in the wide neighbourhood: the sum, mean of soft(y), share of gains. */
struct moves_local {
    float w, mean, soft, fail;
    float wide_w, wide_soft, wide_won;
};
/* What C says of the move asked about, under a kernel of WIDTH octaves. */
struct moves_local lore_moves_local(const struct moves_cell *c, const struct moves_look *look,
    const struct moves_ring *ring, double width);

#endif

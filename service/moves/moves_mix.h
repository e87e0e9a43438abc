/* What the words of several places on one move make together. Private to moves/. */
#ifndef LORE_MOVES_MOVES_MIX_H
#define LORE_MOVES_MOVES_MIX_H

#include "service/moves/moves_local.h"

struct moves_word { /* one source's word on one move */
    struct moves_local local;
    double loss, rate_won, rate_n, fraction;
    enum lore_moves_reach reach;
};
struct moves_mix {
    double mu, scale, effective; /* ln speedup and its predictive deviation */
    double rate, x[MOVES_FEATURES];
    double fail;
    enum lore_moves_reach reach;
};
struct moves_level {
    double spread, soft, base; /* mean y^2, mean soft(y)^2, rate of gains */
};
/* Of an operator over its cells without EXCEPT (may be NULL). */
void lore_moves_level(const struct lore_moves *m, const struct moves_op *op,
    const struct moves_cell *except, struct moves_level *out);
void lore_moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out);

#endif

/* The shift between two samples with a distribution-free interval. It uses the order statistics of
 * all differences and the exact distribution of the Mann-Whitney U statistic. The two-sample
 * sibling of walsh.h. Pure. */
#ifndef LORE_STATS_SHIFT_H
#define LORE_STATS_SHIFT_H

#include <stdbool.h>

#include "service/base/arena.h"

enum { LORE_SHIFT_MAX = 256 }; /* values of a side; their differences take n m doubles */

struct lore_shift {
    double middle;    /* Hodges-Lehmann: the median of the differences x - y */
    double low, high; /* the ends, when `bounded` */
    bool bounded;     /* false: too few values for an interval at this level */
};
struct lore_shift_side {
    const double *v;
    size_t n; /* 1 to LORE_SHIFT_MAX */
};
/* The interval covers the shift with probability 1 - ALPHA at least, when x - shift and y are
 * independent draws from the same distribution, whatever it is. So two samples of one distribution
 * seem to differ with probability ALPHA at most. */
void lore_shift_interval(struct lore_shift_side x, struct lore_shift_side y, double alpha,
    struct lore_arena *arena, struct lore_shift *out);
/* The largest k with P(U < k) <= TAIL for Mann and Whitney's U of N and M values without ties, 0
 * for none. Exact to 20 values a side; beyond, its normal approximation with a continuity
 * correction. */
size_t lore_shift_rank(size_t n, size_t m, double tail, struct lore_arena *arena);

#endif

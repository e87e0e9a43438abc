/* Which of many versions is the best, as far as the comparisons show? "Not told apart" does not
 * pass on: A and B may tie, B and C may tie, and A still be faster than C. So there are no groups
 * of ties; each version has a set of ranks it may hold (Mogstad, Romano, Shaikh and Wilhelm 2024):
 * behind all that are shown faster, before all that are shown slower. The best are those that
 * nobody is shown faster than. Pure; whatever engine made the comparisons. */
#ifndef LORE_STATS_RANKS_H
#define LORE_STATS_RANKS_H

#include <stdbool.h>

#include "service/stats/fdr.h"

#define LORE_RANKS_RATE 0.05 /* of false ones among the differences that the sets are made of */
enum { LORE_RANKS_MAX = 256 };

struct lore_rank_pair {
    size_t a, b;   /* versions that were compared, from 0 */
    bool b_faster; /* which one, should they differ */
    double p;      /* 0..1; 1 for an abstention */
};
struct lore_rank {
    size_t low, high; /* may be low-th to high-th, from 1 */
    bool best; /* nobody is shown faster; where all are beaten in a circle, the least beaten */
};
struct lore_rank_pairs {
    const struct lore_rank_pair *v;
    size_t n;
    bool *apart; /* out, one for each pair: it was told apart; NULL: not asked */
};
/* Ranks of N versions from any number of comparisons, which should be made for all pairs that
 * matter: a pair that was not compared is not told apart. The pairs share versions, so the rate
 * holds for any dependence (LORE_FDR_ANY). OUT has N elements. LORE_INVALID: no versions,
 * "pairs[3]" names a version that there is not, one twice or a pair that was named before, or its p
 * is not within 0..1; LORE_TOOBIG over LORE_RANKS_MAX. */
enum lore_status lore_rank_sets(struct lore_rank_pairs pairs, size_t n, double rate,
    struct lore_arena *arena, struct lore_rank *out, struct lore_err *err) LORE_MUST;

#endif

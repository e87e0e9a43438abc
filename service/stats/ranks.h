/* The ranks of many versions from pairwise comparisons. A tie is not transitive: A and B may tie, B
 * and C may tie, and A may still be faster than C. So there are no groups of ties; each version has
 * a set of ranks it may hold (Mogstad, Romano, Shaikh and Wilhelm 2024): behind all that are shown
 * faster, before all that are shown slower. The best versions are those with no version shown
 * faster. Pure; the method of the comparisons does not matter. */
#ifndef LORE_STATS_RANKS_H
#define LORE_STATS_RANKS_H

#include <stdbool.h>

#include "service/stats/fdr.h"

#define LORE_RANKS_RATE 0.05 /* false discovery rate of the differences behind the sets */
enum { LORE_RANKS_MAX = 256 };

struct lore_rank_pair {
    size_t a, b;   /* versions that were compared, from 0 */
    bool b_faster; /* which one, should they differ */
    double p;      /* 0..1; 1 for an abstention */
};
struct lore_rank {
    size_t low, high; /* may be low-th to high-th, from 1 */
    bool best; /* no version is shown faster; in a cycle: those with the fewest shown faster */
};
struct lore_rank_pairs {
    const struct lore_rank_pair *v;
    size_t n;
    bool *apart; /* out, one for each pair: its versions differ; NULL: not needed */
};
/* Rank N versions from any number of comparisons. Pass all pairs that matter: a pair without a
 * comparison is a tie. The pairs share versions, so LORE_FDR_ANY controls the rate. OUT has N
 * elements. LORE_INVALID: no versions, or "pairs[3]" with an unknown version, the same version
 * twice, a repeated pair, or a p outside 0..1. LORE_TOOBIG over LORE_RANKS_MAX. */
enum lore_status lore_rank_sets(struct lore_rank_pairs pairs, size_t n, double rate,
    struct lore_arena *arena, struct lore_rank *out, struct lore_err *err) LORE_MUST;

#endif

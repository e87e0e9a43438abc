/* Is B faster than A when A's samples were all taken before B's? Pure and deterministic.
 *
 * Without pairs (compare.h) drift affects one side only: a step of the clock between the sides
 * looks like a difference. The comparison limits that error:
 *   - It compares only the pieces next to the change of programs, in which the level does not step
 *     (level.h). Its interval is distribution-free (shift.h) and widened for autocorrelation.
 *   - The level may wander between the pieces, too, so the interval is widened by LORE_LEVEL_CARRY
 *     times the wander within them.
 *   - A real difference begins where the programs change. When it begins earlier or later, or when
 *     the level steps several times, the comparison abstains.
 *   - Differences within the host's noise floor do not count.
 * No statistic can distinguish one clock step exactly between the sides from a real difference.
 * Measure in pairs where that matters. */
#ifndef LORE_STATS_SEQUENTIAL_H
#define LORE_STATS_SEQUENTIAL_H

#include "service/stats/level.h"

#define LORE_SEQUENTIAL_METHOD "sequential-shift@1"
#define LORE_SEQUENTIAL_ALPHA 0.01    /* A against itself differs in 1 of 100 comparisons */
#define LORE_SEQUENTIAL_FLOOR 0.005   /* where the host's noise floor is not known */
#define LORE_SEQUENTIAL_MARGIN 0.02   /* a gain below 2 % does not pay: outcome.h */
enum { LORE_SEQUENTIAL_MAX = 65536 }; /* samples of a side */

enum lore_sequential_verdict {
    LORE_SEQUENTIAL_ABSTAIN, /* the samples allow both a difference and none */
    LORE_SEQUENTIAL_FASTER,  /* B is, by more than the floor */
    LORE_SEQUENTIAL_SLOWER,
    LORE_SEQUENTIAL_SAME, /* a difference of the margin or more is excluded */
};

enum lore_sequential_reason {     /* bits: why the interval is wider, or why there is no verdict */
    LORE_SEQUENTIAL_FEW = 1 << 0, /* too few samples for this alpha: abstained */
    LORE_SEQUENTIAL_NOISE = 1 << 1,    /* too much noise for a verdict: abstained */
    LORE_SEQUENTIAL_WANDER_A = 1 << 2, /* the level of A moves */
    LORE_SEQUENTIAL_WANDER_B = 1 << 3,
    LORE_SEQUENTIAL_AUTOCORRELATED = 1 << 4, /* successive samples are correlated */
    LORE_SEQUENTIAL_STEPS = 1 << 5,          /* a difference among several steps: abstained */
    LORE_SEQUENTIAL_MISPLACED = 1 << 6,      /* it is not where the programs change: abstained */
};
struct lore_sequential_input {
    const double *a_ns, *b_ns; /* in the order taken; any unit, above 0 */
    size_t n_a, n_b;
    double alpha;  /* 0.0001..0.5 */
    double floor;  /* noise floor of the host, a fraction; smaller differences do not count */
    double margin; /* what "same" excludes, a fraction >= floor */
    bool apart; /* A and B ran in different processes, with a pause or in turns, so A's last level
                   need not be B's first. Steps count as wander, and a difference may begin anywhere
                 */
};
struct lore_sequential {
    enum lore_sequential_verdict verdict;
    unsigned reasons;
    struct lore_level a, b; /* on the log scale of the unit */
    double speedup;         /* A / B: the median of all ratios of the pieces */
    bool bounded;           /* false: low and high are not known */
    double low, high;       /* of the speedup, at 1 - alpha; drift included */
    double drift;           /* widening of each end of the interval for drift: 0.01 is 1 % */
    double p;               /* two-sided, of "no difference beyond floor and drift"; 1: unknown */
    const char *why;        /* the reasons in words, static or in the arena; "" for none */
};
/* LORE_INVALID: "a[3]" not above 0, no samples on a side, alpha, floor or margin out of range;
 * LORE_TOOBIG over LORE_SEQUENTIAL_MAX samples. */
enum lore_status lore_sequential_compare(const struct lore_sequential_input *ask,
    struct lore_arena *arena, struct lore_sequential *out, struct lore_err *err) LORE_MUST;

#endif

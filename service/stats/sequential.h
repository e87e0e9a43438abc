/* Is B faster than A when A's samples were all taken before B's? Pure and deterministic.
 *
 * Without pairs (compare.h) drift falls on one side: a clock that steps between the two looks like
 * a difference. What can be done, and is:
 *   - compared are the pieces on both sides of the change of programs within which the level does
 *     not step (level.h), by an interval that assumes no shape (shift.h), widened for neighbours
 *     that are alike;
 *   - what the level wandered within a piece may happen between them too: the interval is widened
 *     by it;
 *   - a difference between programs begins where the programs change. When it begins earlier or
 *     later, or when the level steps again and again, none is stated;
 *   - differences within the host's noise floor are none.
 * A clock that steps once, exactly between the sides, and is steady before and after is a
 * difference to every statistic of these samples. Measure in turns where that matters. */
#ifndef LORE_STATS_SEQUENTIAL_H
#define LORE_STATS_SEQUENTIAL_H

#include "service/stats/level.h"

#define LORE_SEQUENTIAL_METHOD "sequential-shift@1"
#define LORE_SEQUENTIAL_ALPHA 0.01    /* 1 of 100 repeats of A against A may say otherwise */
#define LORE_SEQUENTIAL_FLOOR 0.005   /* where the host's noise floor is not known */
#define LORE_SEQUENTIAL_MARGIN 0.02   /* a gain below 2 % does not pay: outcome.h */
enum { LORE_SEQUENTIAL_MAX = 65536 }; /* samples of a side */

enum lore_sequential_verdict {
    LORE_SEQUENTIAL_ABSTAIN, /* the samples allow both a difference and none */
    LORE_SEQUENTIAL_FASTER,  /* B is, by more than the floor */
    LORE_SEQUENTIAL_SLOWER,
    LORE_SEQUENTIAL_SAME, /* a difference of the margin or more is excluded */
};

enum lore_sequential_reason {          /* bits: what widened the interval or forbids a verdict */
    LORE_SEQUENTIAL_FEW = 1 << 0,      /* too few samples for this alpha: abstained */
    LORE_SEQUENTIAL_NOISE = 1 << 1,    /* noise leaves open what is asked: abstained */
    LORE_SEQUENTIAL_WANDER_A = 1 << 2, /* the level of A moves */
    LORE_SEQUENTIAL_WANDER_B = 1 << 3,
    LORE_SEQUENTIAL_ALIKE = 1 << 4,     /* neighbours are alike */
    LORE_SEQUENTIAL_STEPS = 1 << 5,     /* a difference among several steps: abstained */
    LORE_SEQUENTIAL_MISPLACED = 1 << 6, /* it is not where the programs change: abstained */
};
struct lore_sequential_ask {
    const double *a_ns, *b_ns; /* in the order taken; any unit, above 0 */
    size_t n_a, n_b;
    double alpha;  /* 0.0001..0.5 */
    double floor;  /* of the host, a fraction; differences within are none */
    double margin; /* what "same" excludes, a fraction >= floor */
    bool apart;    /* of different processes, with a pause between or in turns: a level that A ended
                      on need not be that B began on. Steps are wander like any other, and where a
                      difference begins is not asked */
};
struct lore_sequential {
    enum lore_sequential_verdict verdict;
    unsigned reasons;
    struct lore_level a, b; /* on the log scale of the unit */
    double speedup;         /* A / B: the median of all ratios of the pieces */
    bool bounded;           /* false: low and high are not known */
    double low, high;       /* of the speedup, at 1 - alpha; drift included */
    double drift;           /* ends of the interval were moved by it: 0.01 is 1 % */
    double p;               /* two-sided, of "no difference beyond floor and drift"; 1: unknown */
    const char *why;        /* the reasons in words, static or in the arena; "" for none */
};
/* LORE_INVALID: "a[3]" not above 0, no samples on a side, alpha, floor or margin out of range;
 * LORE_TOOBIG over LORE_SEQUENTIAL_MAX samples. */
enum lore_status lore_sequential_compare(const struct lore_sequential_ask *ask,
    struct lore_arena *arena, struct lore_sequential *out, struct lore_err *err) LORE_MUST;

#endif

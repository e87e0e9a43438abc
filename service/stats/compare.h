/* Is B faster than A, by how much, and how sure is that? Pure and deterministic.
 *
 * The unit is a pair: one process of A and one of B that ran next to each other, each giving one
 * time (the median of its launches). Launches of one process share its memory placement and are
 * correlated, so more processes add information, and more launches add little. Slow drift affects
 * both times of a pair alike and cancels. A and B run first equally often (A B, B A, B A, A B, …),
 * so drift within pairs favours both alike.
 *
 * ln(a / b) of the pairs is symmetric about the true log speedup; the interval of
 * lore_walsh_interval assumes nothing else of its distribution. Autocorrelation between pairs
 * widens the interval. Testing several times and stopping at the first verdict would raise the
 * error rate. So a plan fixes its interim looks, and they share its error probability equally
 * (Bonferroni). */
#ifndef LORE_STATS_COMPARE_H
#define LORE_STATS_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/stats/trend.h"

#define LORE_COMPARE_METHOD "paired-walsh@1"
#define LORE_COMPARE_CONFIDENCE 0.99  /* A against itself differs in 1 of 100 comparisons */
#define LORE_COMPARE_POWER 0.8        /* the power of the minimum detectable effect */
#define LORE_COMPARE_MIN_EFFECT 0.005 /* where the host's noise floor is not known */
enum {
    LORE_COMPARE_ROUND = 2,   /* pairs of a round: A B B A, then B A A B */
    LORE_COMPARE_ROUNDS = 12, /* default budget */
    LORE_COMPARE_LEAST = 5,   /* rounds */
    LORE_COMPARE_MOST = 400,  /* rounds */
    LORE_COMPARE_LOOKS = 4,
};

struct lore_compare_plan {
    double confidence;
    size_t looks[LORE_COMPARE_LOOKS]; /* after so many rounds, ascending; the last is the budget */
    size_t n_looks;
    double alpha; /* the error probability of each look */
};
/* Plan the looks of at most ROUNDS rounds. LORE_INVALID: `rounds` out of LEAST..MOST or too few for
 * CONFIDENCE, `confidence` not within 0.5..0.9999. */
enum lore_status lore_compare_plan(size_t rounds, double confidence, struct lore_compare_plan *out,
    struct lore_err *err) LORE_MUST;
bool lore_compare_due(const struct lore_compare_plan *plan, size_t rounds);

enum lore_compare_verdict {
    LORE_COMPARE_INCONCLUSIVE, /* the interval allows several verdicts */
    LORE_COMPARE_WIN,          /* B is faster by more than the minimum effect */
    LORE_COMPARE_LOSS,
    LORE_COMPARE_NEUTRAL, /* any difference is below the minimum effect */
};
const char *lore_compare_verdict_name(enum lore_compare_verdict v); /* "win" */

struct lore_comparison {
    size_t n;                /* pairs */
    double speedup;          /* time of A / time of B, the middle of the pairs */
    bool bounded;            /* false: too few pairs, low and high are not known */
    double low, high;        /* of the speedup, at `confidence` */
    double confidence;       /* 1 - the error probability of this look */
    double spread;           /* robust standard deviation of the ratios: 0.007 is 0.7 % */
    size_t outliers;         /* pairs beyond 4 spreads, which were clamped to 4 spreads */
    double neighbours;       /* correlation of successive pairs */
    double widened;          /* factor that widened the interval for it; 1: none */
    double min_effect;       /* as asked */
    double detectable;       /* smallest difference that 80 % of such looks find; 0: unknown */
    struct lore_trend drift; /* of both programs together over the session, log scale */
    enum lore_compare_verdict verdict;
};
/* Times of A and of B; a_ns[i] and b_ns[i] are pair i. */
struct lore_pairs {
    const double *a_ns, *b_ns;
    size_t n;
};
/* The pairs run A first, B first, B first, A first, … (ABBA BAAB). ALPHA is the error probability
 * of the look, MIN_EFFECT a fraction (0.005). LORE_INVALID: no pairs, "pairs[3].a" not above 0, a
 * MIN_EFFECT not within 0..1; LORE_TOOBIG over LORE_WALSH_MAX pairs. */
enum lore_status lore_compare_pairs(struct lore_pairs pairs, double alpha, double min_effect,
    struct lore_arena *arena, struct lore_comparison *out, struct lore_err *err) LORE_MUST;
/* Whether B runs first in pair I. */
bool lore_compare_b_first(size_t i);

#endif

/* Finds the measurement that the words of a claim name: "Long Scoreboard stall", "latency",
 * "registers". Pure functions. */
#ifndef LORE_DERIVE_CLAIMS_METRIC_H
#define LORE_DERIVE_CLAIMS_METRIC_H

#include "service/catalogue/catalogue.h"
#include "service/derive/outcome.h"

/* Measurements of one version: the times of its runs and the metrics of its profile. Borrowed. */
struct lore_claim_side {
    struct lore_side runs;
    struct lore_metrics metrics;
};
enum lore_claim_kind {
    LORE_CLAIM_METRIC,
    LORE_CLAIM_LATENCY, /* in ns, from the runs, else from the profile */
    LORE_CLAIM_SPEEDUP  /* before / after of the runs; before is 1 */
};
struct lore_claim_measured {
    enum lore_claim_kind kind;
    const char *name; /* canonical name if there is one; NULL: no such metric was measured */
    const char *unit; /* "" when unknown */
    const char *good; /* higher | lower | neutral; NULL: unknown */
    struct lore_f64 before, after;
    struct lore_f64 noise_pct;       /* of the change, from samples or stated deviations */
    struct lore_f64 after_noise_pct; /* of the after value alone */
    bool exact;                      /* a launch fact, which has no noise */
};

/* The kind that WORDS name: latency ("execution time", "duration_ns" …), speedup, else a metric. */
enum lore_claim_kind lore_claim_kind(const char *words);
/* Whether higher or lower values of the named metric are better: higher | lower | neutral; NULL:
 * unknown. */
const char *lore_claim_good(const char *words);
/* The unit in which values of the named metric are stored: "ns" for times, "%" …; "" when
 * unknown. */
const char *lore_claim_unit(const char *words);
/* WORDS may mean several metrics. Find both values of the first metric that both sides measured. If
 * there is none, find the value of the first metric that one side measured. PERCENT prefers a
 * metric in %. WORDS NULL names nothing. Values with different units do not count as measured on
 * both sides. Texts are borrowed or in ARENA. */
void lore_claim_measure(const char *words, bool percent, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_arena *arena, struct lore_claim_measured *out);

#endif

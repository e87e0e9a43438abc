/* From the words of a claim to what was measured: "Long Scoreboard stall", "latency", "registers".
 * Pure. */
#ifndef LORE_DERIVE_CLAIMS_METRIC_H
#define LORE_DERIVE_CLAIMS_METRIC_H

#include "service/catalogue/catalogue.h"
#include "service/derive/outcome.h"

/* What is known of one version: its runs' times and the metrics of its profile. Borrowed. */
struct lore_claim_side {
    struct lore_side runs;
    struct lore_metrics metrics;
};
enum lore_claim_kind {
    LORE_CLAIM_METRIC,
    LORE_CLAIM_LATENCY, /* of the runs, in ns; of the profile when the runs have none */
    LORE_CLAIM_SPEEDUP  /* before / after of the runs; before is 1 */
};
struct lore_claim_measured {
    enum lore_claim_kind kind;
    const char *name; /* canonical where there is one; NULL: nothing of that name was measured */
    const char *unit; /* "" when unknown */
    const char *good; /* higher | lower | neutral; NULL: unknown */
    struct lore_f64 before, after;
    struct lore_f64 noise_pct;       /* of the change, from samples or stated deviations */
    struct lore_f64 after_noise_pct; /* of the after value alone */
    bool exact;                      /* launch facts: no noise at all */
};

/* latency, execution time, duration_ns …; speedup; everything else is a metric. */
enum lore_claim_kind lore_claim_kind(const char *words);
/* higher | lower | neutral: which way of what WORDS name is better; NULL: not known. */
const char *lore_claim_good(const char *words);
/* The unit values are kept in: "ns" for times, "%", "" when unknown. */
const char *lore_claim_unit(const char *words);
/* Both values of the first metric that WORDS may mean and both sides measured, else of the first
 * that one side did. PERCENT: a metric in % is preferred. Both NULL-safe: WORDS NULL is nothing.
 * Unequal units on the two sides are no measurement. Text is borrowed or in ARENA. */
void lore_claim_measure(const char *words, bool percent, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_arena *arena, struct lore_claim_measured *out);

#endif

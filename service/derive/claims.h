/* Claims against measurements: every expectation of a hypothesis, its watch list, its verdict, and
 * whether it was made in time. Pure; derived, so it can be judged again at any time. */
#ifndef LORE_DERIVE_CLAIMS_H
#define LORE_DERIVE_CLAIMS_H

#include "service/derive/claims_metric.h"
#include "service/derive/claims_parse.h"

#define LORE_CLAIMS_POLICY "claims@1"

enum lore_claim_verdict {
    LORE_CLAIM_NOT_MEASURED, /* or nothing that could be judged was claimed */
    LORE_CLAIM_CONFIRMED,    /* direction, and range where one was given */
    LORE_CLAIM_PARTIAL,      /* right direction outside the range, or in it without moving */
    LORE_CLAIM_CONTRADICTED
};
const char *lore_claim_verdict_name(enum lore_claim_verdict v); /* "not_measured" … */

struct lore_claim_judged {
    enum lore_claim_verdict verdict;
    struct lore_movement claimed;        /* direction and range as understood */
    struct lore_claim_measured measured; /* the metric that was found, and both values */
    struct lore_f64 change_pct;          /* unset when before is 0 */
    double noise_pct;                    /* smaller movements count as same */
    const char *moved;                   /* up | down | same; NULL: not measured */
    const char *sentence;                /* for people, with the numbers */
};
/* The range of X is its low and high (levels in the metric's unit) or, without them, what raw says.
 * Changes and single levels fit within noise. Noise is the larger of NOISE_PCT (unset:
 * LORE_NOISE_DEFAULT_PCT) and the measured one; none for launch facts such as registers. */
void lore_claims_judge(const struct lore_expectation *x, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_f64 noise_pct, struct lore_arena *arena,
    struct lore_claim_judged *out);

enum lore_watch_state {
    LORE_WATCH_NOT_MEASURED,
    LORE_WATCH_OK, /* better, or the same */
    LORE_WATCH_REGRESSED,
    LORE_WATCH_MOVED /* beyond noise, but the catalogue does not say which way is better */
};
const char *lore_watch_name(enum lore_watch_state s);
struct lore_watched {
    const char *words; /* as written */
    enum lore_watch_state state;
    struct lore_claim_measured measured;
    struct lore_f64 change_pct;
    const char *moved;
};
/* One answer per watched metric, in order, in ARENA; as many as WATCH has. */
struct lore_watched *
lore_claims_watch(const struct lore_texts *watch, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_f64 noise_pct, struct lore_arena *arena);

/* improved | regressed | neutral | invalid | untested, from the outcome. Fail or timeout is
 * invalid; a win improved; a loss regressed when it is slower (its interval wholly, where there is
 * one), else neutral: a gain too small to pay; not measured and inconclusive are untested. */
const char *lore_claims_hypothesis_verdict(const struct lore_outcome *outcome);

#endif

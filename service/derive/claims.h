/* Claims compared with measurements: the expectations of a hypothesis, its watch list and its
 * verdict. Pure functions of stored facts, so claims can be judged again at any time. */
#ifndef LORE_DERIVE_CLAIMS_H
#define LORE_DERIVE_CLAIMS_H

#include "service/derive/claims_metric.h"
#include "service/derive/claims_parse.h"

#define LORE_CLAIMS_POLICY "claims@1"

enum lore_claim_verdict {
    LORE_CLAIM_NOT_MEASURED, /* or the claim states nothing that can be judged */
    LORE_CLAIM_CONFIRMED,    /* right direction, and within the range if one was claimed */
    LORE_CLAIM_PARTIAL, /* right direction, but outside the range or the range cannot be checked;
                         * or in the range without a change */
    LORE_CLAIM_CONTRADICTED
};
const char *lore_claim_verdict_name(enum lore_claim_verdict v); /* "not_measured" … */

struct lore_claim_judged {
    enum lore_claim_verdict verdict;
    struct lore_movement claimed;        /* direction and range as understood */
    struct lore_claim_measured measured; /* the metric that was found, and both values */
    struct lore_f64 change_pct;          /* unset when before is 0 */
    double noise_pct;                    /* changes up to this count as "same" */
    const char *moved;                   /* up | down | same; NULL: not measured */
    const char *sentence;                /* a text with the numbers */
};
/* The claimed range of X is its low and high (values in the metric's unit) or, without them, what
 * its raw text states. A claimed change, or a single claimed value, may differ from the measurement
 * by at most the noise. The noise is the larger of NOISE_PCT (unset: LORE_NOISE_DEFAULT_PCT) and
 * the measured noise. Launch facts, such as registers, have none. */
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
/* One element per metric of WATCH, in order, in ARENA. */
struct lore_watched *
lore_claims_watch(const struct lore_texts *watch, const struct lore_claim_side *before,
    const struct lore_claim_side *after, struct lore_f64 noise_pct, struct lore_arena *arena);

/* The verdict on a hypothesis from the outcome. invalid: a check failed or timed out. improved: a
 * win. regressed: a loss. neutral: a neutral effect. untested: not measured or inconclusive. */
const char *lore_claims_hypothesis_verdict(const struct lore_outcome *outcome);

#endif

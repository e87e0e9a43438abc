/* What one technique contributed: the champion compared with an ablation, the same kernel without
 * the technique. Pure functions. technique_verdict.h gives the verdict on the technique. Without an
 * ablation the contribution is unknown, never zero. */
#ifndef LORE_DERIVE_ABLATION_H
#define LORE_DERIVE_ABLATION_H

#include "service/derive/outcome.h"

enum lore_contributed { LORE_CONTRIB_UNKNOWN, LORE_CONTRIB_NO, LORE_CONTRIB_YES };
const char *lore_contributed_name(enum lore_contributed c); /* unknown | no | yes */

struct lore_ablation_in {
    struct lore_side champion, ablated; /* with and without the technique */
    bool has_ablation;                  /* an ablated version exists */
    enum lore_check ablated_correctness;
    struct lore_f64 noise_pct; /* configured; unset: LORE_NOISE_DEFAULT_PCT */
};
/* attribution = ablated - champion, the time lost without the technique; its percentage is of the
 * champion's time. Intervals (95 %, by the MOVER method on the medians) need at least five samples
 * per side. */
struct lore_ablation {
    enum lore_contributed contributed;
    struct lore_f64 attribution_ns, low_ns, high_ns;
    struct lore_f64 attribution_pct, low_pct, high_pct;
    struct lore_f64 measured_noise_pct; /* of both medians; unset: too few samples */
    double noise_pct;                   /* the threshold used: max(configured, measured) */
    const char *reason;                 /* static; why unknown, or a remark; "" for none */
};
/* Yes: the attribution is above the threshold and its interval, if any, is above 0. No: the
 * attribution is not above the threshold, and the noise is small enough to reveal a contribution of
 * the configured size. Unknown: there is no ablation or no timing, the ablated version is incorrect
 * ("essential for correctness"), or noise hides the effect. */
void lore_ablation_judge(
    const struct lore_ablation_in *in, struct lore_arena *arena, struct lore_ablation *out);

/* All techniques of one experiment together. */
struct lore_synergy {
    struct lore_f64 total_ns; /* before - champion */
    struct lore_f64 sum_ns;   /* of all attributions; unset when any is unknown */
    struct lore_f64
        residual_ns; /* total - sum, due to interactions and parameters; unset if sum_ns is */
    struct lore_f64 residual_pct; /* of the total; unset when the total is 0 */
    size_t n_unknown;
    bool gain_from_parameters; /* the experiment gained, but no technique contributed */
};
/* EFFECT is that of the experiment; only a win is a gain. With N = 0 only the total is
 * set. */
void
lore_ablation_synergy(const struct lore_ablation *attributions, size_t n, struct lore_f64 before_ns,
    struct lore_f64 champion_ns, enum lore_effect effect, struct lore_synergy *out);

#endif

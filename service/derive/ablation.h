/* What one technique contributed: the same kernel without it, compared. Pure. The verdict on a
 * technique is in technique_verdict.h. "No ablation" is unknown, never zero or true. */
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
/* attribution = ablated - champion: what is lost without the technique; percent of the champion.
 * Intervals (95 %, MOVER on the medians) where both sides have at least five samples. */
struct lore_ablation {
    enum lore_contributed contributed;
    struct lore_f64 attribution_ns, low_ns, high_ns;
    struct lore_f64 attribution_pct, low_pct, high_pct;
    struct lore_f64 measured_noise_pct; /* of both medians; unset: too few samples */
    double noise_pct;                   /* the threshold used: max(configured, measured) */
    const char *reason;                 /* static; why unknown, or a remark; "" for none */
};
/* yes: attribution above the threshold and, where there is an interval, above 0. no: the noise is
 * small enough to have shown a contribution of the configured size. unknown: no ablation, ablated
 * version incorrect ("essential for correctness"), no timing, or hidden by noise. */
void lore_ablation_judge(
    const struct lore_ablation_in *in, struct lore_arena *arena, struct lore_ablation *out);

/* All techniques of one experiment together. */
struct lore_synergy {
    struct lore_f64 total_ns;     /* before - champion */
    struct lore_f64 sum_ns;       /* of all attributions; unset when any is unknown */
    struct lore_f64 residual_ns;  /* total - sum: interaction and parameters; unset likewise */
    struct lore_f64 residual_pct; /* of the total; unset when the total is 0 */
    size_t n_unknown;
    bool gain_from_parameters; /* a gain, and every technique is known not to contribute */
};
/* EFFECT is the experiment's: win and neutral (2-5 %) are gains. N may be 0: nothing is known. */
void
lore_ablation_synergy(const struct lore_ablation *attributions, size_t n, struct lore_f64 before_ns,
    struct lore_f64 champion_ns, enum lore_effect effect, struct lore_synergy *out);

#endif

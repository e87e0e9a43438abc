/* What the samples of both sides say, by the comparison engines of service/stats: the part of the
 * outcome (outcome.h) that looks at them. Private to derive/. */
#ifndef LORE_DERIVE_OUTCOME_SAMPLES_H
#define LORE_DERIVE_OUTCOME_SAMPLES_H

#include "service/derive/outcome.h"

struct lore_samples_said {
    const char *policy;
    double before_ns, after_ns; /* medians; where pieces were cut off, of what was compared */
    double speedup;             /* their ratio */
    bool bounded;               /* false: too few comparable samples, or `elsewhere` */
    double low, high;           /* of the speedup; noise, drift and the host's floor included */
    double drift;               /* of that by drift, either way: 0.01 is 1 % */
    bool elsewhere;             /* times change, but not where the versions change */
};
/* Both sides have LORE_OUTCOME_SAMPLES or more; times below 1 ns count as 1 ns. */
void lore_outcome_samples(
    const struct lore_outcome_in *in, struct lore_arena *arena, struct lore_samples_said *out);

#endif

/* The noise of a median is computed from its order-statistic interval (stats.c). Like the error of
 * the median, it shrinks with the number of samples, which a standard deviation does not. */
#include "service/derive/noise.h"

#include <math.h>

struct lore_f64
lore_noise_median(const struct lore_side *side, struct lore_arena *arena)
{
    double v =
        side->n > 0 ? lore_stats_median_ns(side->samples_ns, side->n, arena) : side->median_ns;

    return (struct lore_f64){isfinite(v) && v > 0, v};
}

struct lore_f64
lore_noise_pct(const struct lore_side *side, struct lore_arena *arena)
{
    struct lore_f64 median = lore_noise_median(side, arena);
    double low, high;

    if (side->n < LORE_NOISE_SAMPLES || !median.set)
        return (struct lore_f64){0};
    lore_stats_median_interval(side->samples_ns, side->n, arena, &low, &high);
    return (struct lore_f64){true, 50 * (high - low) / median.v};
}

struct lore_f64
lore_noise_pair_pct(const struct lore_side *a, const struct lore_side *b, struct lore_arena *arena)
{
    struct lore_f64 x = lore_noise_pct(a, arena), y = lore_noise_pct(b, arena);

    return (struct lore_f64){x.set && y.set, x.set && y.set ? hypot(x.v, y.v) : 0};
}

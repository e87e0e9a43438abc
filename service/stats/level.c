/* The level of an ordered series; level.h says what the numbers mean. Where they come from:
 *
 * Noise is the spread of the differences from a sample to the next about their median, as a normal
 * standard deviation: slow drift and rare jumps leave it alone. A step of the level is where two
 * medians describe the series with less than 0.45 of the absolute error of one, and differ by
 * several noises. The running level is the running median over a tenth of the piece (3 samples at
 * least), which a lone outlier does not move. Its reach under noise alone is about twice the
 * largest of so many normal values; what it reaches beyond that is wander. A trend that is too slow
 * to show so is found by Mann-Kendall (trend.h) and counts when it is larger. */
#include "level.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "walsh.h"

#define WARM 4.0 /* spreads above the rest: a first launch, not the slow end of the noise */
#define STEP_TO_SD 1.0484 /* 1.4826 / sqrt(2): a difference holds the noise of two samples */
#define EFFICIENCY 1.2533 /* of a median against a mean, normal values: sqrt(pi / 2) */
#define JUMP 6.0          /* noises: what two medians differ by when the level has stepped */
#define EXPLAINS 0.45     /* of the absolute error is left by a step; straight drift leaves half */

static double
noise_of(const double *v, size_t n, struct lore_arena *arena)
{
    if (n < 3)
        return 0;
    double *steps = lore_alloc_array(arena, n - 1, sizeof *steps);

    for (size_t i = 0; i + 1 < n; i++)
        steps[i] = v[i + 1] - v[i];
    double slope = lore_median(steps, n - 1, arena);
    for (size_t i = 0; i + 1 < n; i++)
        steps[i] = fabs(steps[i] - slope);
    qsort(steps, n - 1, sizeof *steps, lore_by_f64);
    double middle = lore_percentile(steps, n - 1, 0.5);
    /* a coarse clock repeats itself: then most steps are 0 and the others are one tick or a jump */
    return STEP_TO_SD * (middle > 0 ? middle : lore_percentile(steps, n - 1, 0.8) / 2);
}

/* Slow samples at the start, an eighth at most. */
static size_t
warmup_of(const double *v, size_t n, struct lore_arena *arena)
{
    size_t most = n / 8, warm = 0;
    double middle = lore_median(v + most, n - most, arena);
    double reach = WARM * lore_spread(v + most, n - most, arena);

    while (warm < most && v[warm] > middle + reach)
        warm++;
    return warm;
}

double
lore_level_error(const double *v, size_t n, double middle)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++)
        sum += fabs(v[i] - middle);
    return sum;
}

/* Where the level steps: the first index after the step, 0 for nowhere; *size is its size. */
static size_t
step_of(const double *v, size_t n, double noise, struct lore_arena *arena, double *size)
{
    enum { SIDE = 3 }; /* fewer are outliers or a warm-up */
    double one = lore_level_error(v, n, lore_median(v, n, arena)), best = one * EXPLAINS;
    size_t at = 0;

    for (size_t k = SIDE; k + SIDE <= n; k++) {
        double left = lore_median(v, k, arena), right = lore_median(v + k, n - k, arena);
        double two = lore_level_error(v, k, left) + lore_level_error(v + k, n - k, right);
        if (two < best && fabs(right - left) > JUMP * noise) {
            best = two;
            at = k;
            *size = fabs(right - left);
        }
    }
    return at;
}

/* Cut *V down to the piece next to JOINT, *n samples. Where that piece would be too short, nothing
 * is cut and the step stays as wander. */
static void
cut(const double **v, size_t *n, enum lore_level_end joint, struct lore_arena *arena,
    struct lore_level *out)
{
    double size = 0;
    size_t at;

    while ((at = step_of(*v, *n, out->noise, arena, &size)) > 0) {
        size_t left = joint == LORE_LEVEL_FIRST ? at : *n - at;
        if (left < LORE_LEVEL_LEAST)
            return;
        if (joint == LORE_LEVEL_LAST)
            *v += at;
        *n = left;
        out->steps++;
        out->step = fmax(out->step, size);
    }
}

/* Wander of the N values V, by a running median that long series are looked at in 64 places. */
static double
wander_of(const double *v, size_t n, double noise, struct lore_arena *arena)
{
    enum { PLACES = 64 };
    size_t w = n / 10 > 3 ? n / 10 : n < 3 ? n : 3, last = n - w;
    size_t places = last + 1 < PLACES ? last + 1 : PLACES;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < places; i++) {
        double at = lore_median(v + (places > 1 ? i * last / (places - 1) : 0), w, arena);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    double sd = EFFICIENCY * noise / sqrt((double)w);
    double chance = 2 * sd * sqrt(2 * log(2 * fmax((double)n / (double)w, 1)));
    return fmax(0, high - low - chance);
}

/* Samples that resemble their neighbours count for fewer; a correlation that may be chance is let
 * be, as in compare.c. */
static double
widening(double r, size_t n)
{
    double chance = lore_normal_quantile(0.95) / sqrt((double)n);

    return r > chance ? sqrt((1 + fmin(r, 0.9)) / (1 - fmin(r, 0.9))) : 1;
}

static const double *
blocks(const double *v, size_t *n, struct lore_arena *arena)
{
    size_t all = *n;

    if (all <= LORE_LEVEL_BLOCKS)
        return v;
    double *out = lore_alloc_array(arena, LORE_LEVEL_BLOCKS, sizeof *out);
    for (size_t b = 0; b < LORE_LEVEL_BLOCKS; b++) {
        size_t from = b * all / LORE_LEVEL_BLOCKS, to = (b + 1) * all / LORE_LEVEL_BLOCKS;
        out[b] = lore_median(v + from, to - from, arena);
    }
    *n = LORE_LEVEL_BLOCKS;
    return out;
}

void
lore_level(const double *v, size_t n, enum lore_level_end joint, struct lore_arena *arena,
    struct lore_level *out)
{
    struct lore_trend trend;
    double first = v[0];

    *out = (struct lore_level){.warmup = warmup_of(v, n, arena)};
    n -= out->warmup;
    v = blocks(v + out->warmup, &n, arena);
    out->noise = noise_of(v, n, arena);
    cut(&v, &n, joint, arena, out);
    out->v = v;
    out->n = n;
    out->middle = lore_median(v, n, arena);
    out->warmup_off = out->warmup > 0 ? first - out->middle : 0;
    out->neighbours = lore_neighbours(v, n, arena);
    out->widened = widening(out->neighbours, n);
    out->wander = wander_of(v, n, out->noise, arena);
    lore_trend(v, n, arena, &trend);
    if (trend.drifts)
        out->wander = fmax(out->wander, fabs(trend.change));
}

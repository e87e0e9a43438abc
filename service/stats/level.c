/* The level of an ordered series; level.h says what the numbers mean. Where they come from:
 *
 * Noise is a robust standard deviation, from the differences of successive samples, so slow drift
 * and rare jumps do not affect it. A step of the level is where two medians describe the series
 * with less than 0.45 of the absolute error of one, and differ by more than six times the noise.
 * The running level is the running median over a tenth of the piece (3 samples at least), which a
 * single outlier does not move. Under noise alone, its range is about twice the expected maximum of
 * 2 n / w independent normal values, for a window of w samples. The range beyond that is wander.
 * Mann-Kendall (trend.h) finds slower trends, which count when they are larger. */
#include "service/stats/level.h"

#include <math.h>
#include <string.h>

#include "service/stats/select.h"
#include "service/stats/stats.h"
#include "service/stats/walsh.h"

#define WARM 4.0          /* in spreads: first samples that far above the later ones are warm-up */
#define STEP_TO_SD 1.0484 /* 1.4826 / sqrt(2): a difference holds the noise of two samples */
#define MEDIAN_TO_MEAN 1.2533 /* standard error of a median / that of a mean: sqrt(pi / 2) */
#define JUMP 6.0              /* least difference of two medians at a step, in units of noise */
#define EXPLAINS 0.45 /* share of the error that a step may leave; linear drift leaves half */

static double
noise_of(const double *v, size_t n, struct lore_arena *arena)
{
    if (n < 3)
        return 0;
    double *steps = lore_alloc_array(arena, n - 1, sizeof *steps);

    for (size_t i = 0; i + 1 < n; i++)
        steps[i] = v[i + 1] - v[i];
    double slope = lore_trend_median(steps, n - 1, arena);
    for (size_t i = 0; i + 1 < n; i++)
        steps[i] = fabs(steps[i] - slope);
    double middle = lore_select_median(steps, n - 1);
    if (middle > 0)
        return STEP_TO_SD * middle;
    /* with a coarse clock, most differences are 0 and the others are one tick or a jump */
    lore_select_sort_f64(steps, n - 1);
    return STEP_TO_SD * lore_stats_percentile(steps, n - 1, 0.8) / 2;
}

/* Slow samples at the start, an eighth at most. */
static size_t
warmup_of(const double *v, size_t n, struct lore_arena *arena)
{
    size_t most = n / 8, warm = 0;

    if (most == 0)
        return 0;
    double middle = lore_trend_median(v + most, n - most, arena);
    double reach = WARM * lore_trend_spread(v + most, n - most, arena);

    while (warm < most && v[warm] > middle + reach)
        warm++;
    return warm;
}

/* For every k, compute the median of the first k values and the sum of their absolute deviations
 * from it. V is walked in steps of STEP, 1 or -1. LOW is the running sum of the smaller half.
 * Values are relative to the first one, so that nearly equal values keep their precision. */
static void
from_one_end(const double *v, size_t n, int step, double *median, double *error)
{
    double sorted[2 * LORE_LEVEL_BLOCKS], first = *v, all = 0, low = 0; /* low: the lower half */

    for (size_t k = 1; k <= n; k++, v += step) {
        double x = *v - first;
        size_t half = k / 2;
        lore_select_insert_sorted(sorted, k - 1, x);
        all += x;
        if (k % 2 == 0) /* the half grows by one */
            low += half > 0 && x < sorted[half - 1] ? x : sorted[half - 1];
        else if (half > 0 && x < sorted[half])
            low += x - sorted[half];
        double middle = k % 2 == 0 ? (sorted[half - 1] + sorted[half]) / 2 : sorted[half];
        median[k] = first + middle;
        error[k] = fmax(0, all - 2 * low - (k % 2 == 0 ? 0 : sorted[half]));
    }
}

void
lore_level_cuts(const double *v, size_t n, struct lore_cuts *out)
{
    double left[2 * LORE_LEVEL_BLOCKS + 1], right[2 * LORE_LEVEL_BLOCKS + 1];
    double after[2 * LORE_LEVEL_BLOCKS + 1];

    from_one_end(v, n, 1, left, out->error);
    from_one_end(v + n - 1, n, -1, right, after);
    out->error[0] = out->error[n];
    for (size_t k = 1; k < n; k++) {
        out->error[k] += after[n - k];
        out->jump[k] = right[n - k] - left[k];
    }
}

/* Find a step of the level. Returns the first index after it, or 0 for none; *size is its size. */
static size_t
step_of(const double *v, size_t n, double noise, double *size)
{
    enum { SIDE = 3 }; /* fewer are outliers or a warm-up */
    struct lore_cuts cuts;
    size_t at = 0;

    if (n < 2 * SIDE)
        return 0;
    lore_level_cuts(v, n, &cuts);
    double best = cuts.error[0] * EXPLAINS;
    for (size_t k = SIDE; k + SIDE <= n; k++) {
        if (cuts.error[k] < best && fabs(cuts.jump[k]) > JUMP * noise) {
            best = cuts.error[k];
            at = k;
            *size = fabs(cuts.jump[k]);
        }
    }
    return at;
}

/* Reduce *V and *N to the piece next to the change of programs. END says on which side of V that
 * change lies. Where the piece would be too short, nothing is cut and the step stays as wander. */
static void
cut(const double **v, size_t *n, enum lore_level_end end, struct lore_level *out)
{
    double size = 0;
    size_t at;

    while ((at = step_of(*v, *n, out->noise, &size)) > 0) {
        size_t left = end == LORE_LEVEL_FIRST ? at : *n - at;
        if (left < LORE_LEVEL_LEAST)
            return;
        if (end == LORE_LEVEL_LAST)
            *v += at;
        *n = left;
        out->steps++;
        out->step = fmax(out->step, size);
    }
}

/* The wander of V: the range of its running median at up to 64 positions, without the range that
 * noise explains. */
static double
wander_of(const double *v, size_t n, double noise, struct lore_arena *arena)
{
    enum { POSITIONS = 64 };
    size_t w = n / 10 > 3 ? n / 10 : n < 3 ? n : 3, last = n - w;
    size_t positions = last + 1 < POSITIONS ? last + 1 : POSITIONS;
    double low = INFINITY, high = -INFINITY;

    for (size_t i = 0; i < positions; i++) {
        double at =
            lore_trend_median(v + (positions > 1 ? i * last / (positions - 1) : 0), w, arena);
        low = fmin(low, at);
        high = fmax(high, at);
    }
    double sd = MEDIAN_TO_MEAN * noise / sqrt((double)w);
    double chance = 2 * sd * sqrt(2 * log(2 * fmax((double)n / (double)w, 1)));
    return fmax(0, high - low - chance);
}

/* The factor that widens an interval for autocorrelated samples. A correlation that may be chance
 * is ignored, as in compare.c. */
static double
widening(double r, size_t n)
{
    double chance = lore_walsh_normal_quantile(0.95) / sqrt((double)n);

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
        out[b] = lore_trend_median(v + from, to - from, arena);
    }
    *n = LORE_LEVEL_BLOCKS;
    return out;
}

void
lore_level(const double *v, size_t n, enum lore_level_end end, struct lore_arena *arena,
    struct lore_level *out)
{
    double first = v[0];

    *out = (struct lore_level){.warmup = warmup_of(v, n, arena)};
    n -= out->warmup;
    bool few = n <= LORE_LEVEL_BLOCKS;
    v = blocks(v + out->warmup, &n, arena);
    out->first = few ? first : v[0];
    out->last = v[n - 1];
    out->noise = noise_of(v, n, arena);
    if (end != LORE_LEVEL_BETWEEN)
        cut(&v, &n, end, out);
    out->v = v;
    out->n = n;
    out->middle = lore_trend_median(v, n, arena);
    out->warmup_off = out->warmup > 0 ? first - out->middle : 0;
    out->neighbours = lore_trend_autocorrelation(v, n, arena);
    out->widened = widening(out->neighbours, n);
    out->wander = fmax(wander_of(v, n, out->noise, arena), lore_trend_reach(v, n, arena));
}

void
lore_level_interval(
    const int64_t *samples_ns, size_t n, struct lore_arena *arena, double *low, double *high)
{
    struct lore_level l;

    lore_stats_median_interval(samples_ns, n, arena, low, high);
    if (n < LORE_LEVEL_LEAST)
        return;
    double *v = lore_alloc_array(arena, n, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = log(fmax((double)samples_ns[i], 1));
    lore_level(v, n, LORE_LEVEL_BETWEEN, arena, &l);
    double middle = fmax(lore_stats_median_ns(samples_ns, n, arena), 1);
    double drift = exp(LORE_LEVEL_CARRY * l.wander);
    *low = middle * pow(fmax(*low, 1) / middle, l.widened) / drift;
    *high = middle * pow(fmax(*high, 1) / middle, l.widened) * drift;
}

void
lore_level_times(
    const int64_t *samples_ns, size_t n, struct lore_arena *arena, struct lore_level_times *out)
{
    struct lore_stats s;

    lore_stats(samples_ns, n, arena, &s);
    *out = (struct lore_level_times){.median = s.median, .p10 = s.p10, .p90 = s.p90};
    if (n >= 2) /* one sample has no interval */
        lore_level_interval(samples_ns, n, arena, &out->low, &out->high);
}

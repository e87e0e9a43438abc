/* Mann-Kendall on at most 64 values. A plain test takes autocorrelated noise for a trend. So the
 * variance of its statistic is multiplied by (1 + r) / (1 - r), where r is the correlation of
 * successive values without the slope. */
#include "service/stats/trend.h"

#include <math.h>
#include <string.h>

#include "service/stats/select.h"
#include "service/stats/stats.h"

double
lore_trend_median(const double *v, size_t n, struct lore_arena *arena)
{
    double few[64]; /* most series are that short, or have been cut into so many blocks */

    if (n == 3) /* the running median of a short series */
        return fmax(fmin(v[0], v[1]), fmin(fmax(v[0], v[1]), v[2]));
    if (n > sizeof few / sizeof *few)
        return lore_select_median(lore_memdup(arena, v, n * sizeof *v), n);
    memcpy(few, v, n * sizeof *v);
    return lore_select_median(few, n);
}

double
lore_trend_spread(const double *v, size_t n, struct lore_arena *arena)
{
    if (n < 2)
        return 0;
    double *off = lore_alloc_array(arena, n, sizeof *off), middle = lore_trend_median(v, n, arena);
    double mean = 0, squares = 0, scale = 0;

    for (size_t i = 0; i < n; i++) {
        off[i] = fabs(v[i] - middle);
        scale = fmax(scale, fabs(v[i]));
        mean += v[i] / (double)n;
    }
    double mad = lore_select_median(off, n);
    if (mad > 1e-9 * scale) /* smaller deviations are rounding errors */
        return 1.4826 * mad;
    for (size_t i = 0; i < n; i++)
        squares += (v[i] - mean) * (v[i] - mean);
    return sqrt(squares / (double)(n - 1));
}

double
lore_trend_autocorrelation(const double *v, size_t n, struct lore_arena *arena)
{
    if (n < 3)
        return 0;
    double middle = lore_trend_median(v, n, arena), reach = 3 * lore_trend_spread(v, n, arena);
    double *off = lore_alloc_array(arena, n, sizeof *off), sum = 0, all = 0;

    for (size_t i = 0; i < n; i++)
        off[i] = fmax(-reach, fmin(reach, v[i] - middle));
    for (size_t i = 0; i < n; i++) {
        all += off[i] * off[i];
        sum += i + 1 < n ? off[i] * off[i + 1] : 0;
    }
    return all > 0 ? sum / all : 0;
}

/* The medians of blocks when V has more than LORE_TREND_BLOCKS values, else V. Updates *n. */
static const double *
blocks(const double *v, size_t *n, struct lore_arena *arena)
{
    size_t all = *n;

    if (all <= LORE_TREND_BLOCKS)
        return v;
    double *out = lore_alloc_array(arena, LORE_TREND_BLOCKS, sizeof *out);
    for (size_t b = 0; b < LORE_TREND_BLOCKS; b++) {
        size_t from = b * all / LORE_TREND_BLOCKS, to = (b + 1) * all / LORE_TREND_BLOCKS;
        out[b] = lore_trend_median(v + from, to - from, arena);
    }
    *n = LORE_TREND_BLOCKS;
    return out;
}

/* Theil and Sen: the median of the slopes between any two of N values. */
static double
slope_of(const double *v, size_t n, struct lore_arena *arena)
{
    double *slopes = lore_alloc_array(arena, n * (n - 1) / 2, sizeof *slopes);
    size_t m = 0;

    for (size_t apart = 1; apart < n; apart++) {
        double per = 1 / (double)apart;
        for (size_t i = 0; i + apart < n; i++)
            slopes[m++] = (v[i + apart] - v[i]) * per;
    }
    return lore_select_median(slopes, m);
}

/* 18 times the part that ties subtract from the variance of the statistic. */
static double
ties(const double *v, size_t n, struct lore_arena *arena)
{
    double *sorted = lore_memdup(arena, v, n * sizeof *v), lost = 0;

    lore_select_sort_f64(sorted, n);
    for (size_t i = 0, j = 0; i < n; i = j) {
        while (j < n && sorted[j] <= sorted[i])
            j++;
        double t = (double)(j - i);
        lost += t * (t - 1) * (2 * t + 5);
    }
    return lost;
}

/* The absolute z score of the Mann-Kendall statistic, for independent values. */
static double
mann_kendall_z(const double *v, size_t n, struct lore_arena *arena)
{
    int score = 0;
    double dn = (double)n;

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++)
            score += (v[j] > v[i]) - (v[j] < v[i]);
    }
    double variance = (dn * (dn - 1) * (2 * dn + 5) - ties(v, n, arena)) / 18;
    return variance > 0 ? fmax(0, fabs((double)score) - 1) / sqrt(variance) : 0;
}

/* Complete the test of N <= LORE_TREND_BLOCKS values with the z score Z. */
static void
finish(const double *v, size_t n, double z, struct lore_arena *arena, struct lore_trend *out)
{
    double slope = slope_of(v, n, arena), *rest = lore_alloc_array(arena, n, sizeof *rest);

    for (size_t i = 0; i < n; i++)
        rest[i] = v[i] - slope * (double)i;
    double r = fmin(0.9, fmax(0, lore_trend_autocorrelation(rest, n, arena)));
    out->n = n;
    out->change = slope * ((double)n - 1);
    out->p = erfc(z * sqrt((1 - r) / (1 + r)) / sqrt(2));
    out->drifts = out->p < LORE_TREND_P;
}

void
lore_trend(const double *v, size_t n, struct lore_arena *arena, struct lore_trend *out)
{
    *out = (struct lore_trend){.p = 1};
    if (n < LORE_TREND_LEAST)
        return;
    v = blocks(v, &n, arena);
    finish(v, n, mann_kendall_z(v, n, arena), arena, out);
}

double
lore_trend_reach(const double *v, size_t n, struct lore_arena *arena)
{
    struct lore_trend t;

    if (n < LORE_TREND_LEAST)
        return 0;
    v = blocks(v, &n, arena);
    double z = mann_kendall_z(v, n, arena);
    if (erfc(z / sqrt(2)) >= LORE_TREND_P) /* autocorrelation only raises p */
        return 0;
    finish(v, n, z, arena, &t);
    return t.drifts ? fabs(t.change) : 0;
}

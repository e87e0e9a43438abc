/* Statistics of samples in any order. Percentiles interpolate linearly between order statistics
 * (rank p (n - 1)), as numpy and R's type 7 do.
 *
 * The interval of the median is distribution-free: for independent samples the number below the
 * true median is Binomial(n, 1/2), so [x(k), x(n + 1 - k)] covers it with probability 1 - 2 P(B <
 * k). The largest k with P(B < k) <= 2.5 % is taken, computed exactly, never by a normal
 * approximation. Samples that drift are not independent; then the coverage is below 95 %. */
#include "service/stats/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double
lore_stats_percentile(const double *v, size_t n, double p)
{
    double rank = p * (double)(n - 1);
    size_t i = (size_t)rank;
    return i + 1 < n ? v[i] + (rank - (double)i) * (v[i + 1] - v[i]) : v[i];
}

static const int64_t *
sorted(const int64_t *samples, size_t n, struct lore_arena *arena)
{
    int64_t *copy = lore_memdup(arena, samples, n * sizeof *samples);

    lore_select_sort_i64(copy, n);
    return copy;
}

static double
percentile(const int64_t *v, size_t n, double p)
{
    double rank = p * (double)(n - 1);
    size_t i = (size_t)rank;
    double low = (double)v[i];

    return i + 1 < n ? low + (rank - (double)i) * ((double)v[i + 1] - low) : low;
}

void
lore_stats(const int64_t *samples, size_t n, struct lore_arena *arena, struct lore_stats *out)
{
    double sum = 0, squares = 0;

    *out = (struct lore_stats){.n = n};
    if (n == 0)
        return;
    const int64_t *v = sorted(samples, n, arena);
    out->median = percentile(v, n, 0.5);
    out->p10 = percentile(v, n, 0.1);
    out->p90 = percentile(v, n, 0.9);
    out->min = (double)v[0];
    out->max = (double)v[n - 1];
    for (size_t i = 0; i < n; i++)
        sum += (double)v[i];
    out->mean = sum / (double)n;
    for (size_t i = 0; i < n; i++)
        squares += ((double)v[i] - out->mean) * ((double)v[i] - out->mean);
    out->std = n > 1 ? sqrt(squares / (double)(n - 1)) : 0;
}

double
lore_stats_median_ns(const int64_t *samples, size_t n, struct lore_arena *arena)
{
    double *v = lore_alloc_array(arena, n + 1, sizeof *v);

    for (size_t i = 0; i < n; i++)
        v[i] = (double)samples[i];
    return n > 0 ? lore_select_median(v, n) : 0;
}

/* The largest k with P(Binomial(n, 1/2) < k) <= 2.5 %; 0 when even k = 1 exceeds it. */
static size_t
median_rank(size_t n)
{
    /* Ten standard deviations below the middle nothing is left to add (1e-23). */
    double start = (double)n / 2 - 5 * sqrt((double)n);
    size_t i = start > 0 ? (size_t)start : 0;
    double dn = (double)n, di = (double)i;
    int sign;
    double pmf = exp(lgamma_r(dn + 1, &sign) - lgamma_r(di + 1, &sign) -
                     lgamma_r(dn - di + 1, &sign) - dn * log(2));
    double below = pmf;

    while (below <= 0.025) {
        pmf *= (dn - (double)i) / ((double)i + 1);
        below += pmf;
        i++;
    }
    return i; /* P(B < i) <= 2.5 % < P(B < i + 1) */
}

void
lore_stats_median_interval(
    const int64_t *samples, size_t n, struct lore_arena *arena, double *low, double *high)
{
    *low = *high = 0;
    if (n == 0)
        return;
    const int64_t *v = sorted(samples, n, arena);
    size_t k = n < 6 ? 1 : median_rank(n);
    *low = (double)v[k - 1];
    *high = (double)v[n - k];
}

static int
by_ns(const void *a, const void *b)
{
    const struct lore_stats_weighed *x = a, *y = b;

    return (x->ns > y->ns) - (x->ns < y->ns);
}

double
lore_stats_weighed_median_ns(struct lore_stats_weighed *v, size_t n)
{
    double all = 0, half = 0;
    size_t i = 0;

    qsort(v, n, sizeof *v, by_ns);
    for (size_t k = 0; k < n; k++)
        all += v[k].weight;
    while (i + 1 < n && (half += v[i].weight) < all / 2)
        i++;
    if (i + 1 < n && half == all / 2)
        return ((double)v[i].ns + (double)v[i + 1].ns) / 2;
    return (double)v[i].ns;
}

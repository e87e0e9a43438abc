/* Signed ranks. Under symmetry about the median the sum of the ranks of positive deviations is the
 * sum of a random subset of 1..n; counting subsets by size gives its distribution exactly (to 128
 * values; beyond, its normal approximation with a continuity correction differs in the fourth
 * digit). The interval [A(k), A(M + 1 - k)] of the M sorted averages excludes the median with
 * probability 2 P(W < k). */
#include "walsh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"

enum { EXACT = 128 };

double
lore_normal_quantile(double p)
{
    /* bisection on erfc: called a few times per comparison, so exactness beats speed */
    double low = -40, high = 40;

    for (int i = 0; i < 80; i++) {
        double mid = (low + high) / 2;
        if (erfc(-mid / sqrt(2)) / 2 < p)
            low = mid;
        else
            high = mid;
    }
    return (low + high) / 2;
}

size_t
lore_walsh_least(double alpha)
{
    size_t n = 1;
    double level = 1;

    while (level > alpha && n < LORE_WALSH_MAX) {
        level /= 2;
        n++;
    }
    return n;
}

/* The largest k with P(W < k) <= TAIL, 0 for none, by counting. */
static size_t
exact_rank(size_t n, double tail, struct lore_arena *arena)
{
    size_t most = n * (n + 1) / 2, k = 0;
    double *p = lore_alloc_array(arena, most + 1, sizeof *p), below = 0;

    p[0] = 1;
    for (size_t r = 1, sum = 1; r <= n; r++, sum += r) {
        for (size_t s = sum + 1; s-- > 0;) /* each rank is in the subset or not */
            p[s] = (p[s] + (s >= r ? p[s - r] : 0)) / 2;
    }
    while (k <= most && below + p[k] <= tail)
        below += p[k++];
    return k;
}

static size_t
rank_of(size_t n, double tail, struct lore_arena *arena)
{
    if (n <= EXACT)
        return exact_rank(n, tail, arena);
    double dn = (double)n, mean = dn * (dn + 1) / 4;
    double sd = sqrt(dn * (dn + 1) * (2 * dn + 1) / 24);
    double k = floor(mean + lore_normal_quantile(tail) * sd + 0.5);
    return k > 0 ? (size_t)k : 0;
}

void
lore_walsh_interval(
    const double *v, size_t n, double alpha, struct lore_arena *arena, struct lore_walsh *out)
{
    size_t m = 0, all = n * (n + 1) / 2;
    double *averages = lore_alloc_array(arena, all, sizeof *averages);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = i; j < n; j++)
            averages[m++] = (v[i] + v[j]) / 2;
    }
    qsort(averages, all, sizeof *averages, lore_by_f64);
    size_t k = rank_of(n, alpha / 2, arena);
    *out = (struct lore_walsh){.middle = lore_percentile(averages, all, 0.5), .bounded = k > 0};
    if (k > 0) {
        out->low = averages[k - 1];
        out->high = averages[all - k];
    }
}

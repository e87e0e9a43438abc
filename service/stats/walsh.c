/* Signed ranks. Under symmetry about the median the sum W of the ranks of positive deviations is
 * the sum of a random subset of 1..n. Counting the subsets by their sum gives its exact
 * distribution. Above 128 values a normal approximation with a continuity correction is used, which
 * differs in the fourth digit. The interval [A(k), A(M + 1 - k)] of the M sorted averages excludes
 * the median with probability 2 P(W < k). */
#include "service/stats/walsh.h"

#include <math.h>
#include <stddef.h>

#include "service/stats/select.h"

enum { EXACT = 128 };

/* A first guess (Abramowitz and Stegun 26.2.23, off by 0.0005 at most), then Halley's steps, each
 * of which cubes the error. */
double
lore_walsh_normal_quantile(double p)
{
    double tail = fmin(p, 1 - p), t = sqrt(-2 * log(tail));
    double z = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));

    for (int i = 0; i < 2; i++) {
        double density = exp(-z * z / 2) / sqrt(2 * acos(-1));
        double off = (erfc(z / sqrt(2)) / 2 - tail) / density;
        z += off / (1 - z * off / 2);
    }
    return p < 0.5 ? -z : z;
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
    size_t most = n * (n + 1) / 4, k = 0; /* half of all lie below the middle */
    double *p = lore_alloc_array(arena, most + 1, sizeof *p), below = 0;

    p[0] = 1;
    for (size_t r = 1, sum = 1; r <= n; r++, sum += r) {
        for (size_t s = (sum < most ? sum : most) + 1;
             s-- > 0;) /* each rank is in the subset or not */
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
    double k = floor(mean + lore_walsh_normal_quantile(tail) * sd + 0.5);
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
    size_t k = rank_of(n, alpha / 2, arena);
    *out = (struct lore_walsh){.bounded = k > 0};
    if (k > 0)
        lore_select_nth_ends(averages, all, k - 1, &out->low, &out->middle, &out->high);
    else
        out->middle = lore_select_median(averages, all);
}

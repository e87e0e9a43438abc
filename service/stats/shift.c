/* Two samples. Under one distribution every order of the n + m values is equally likely; U counts
 * the pairs with x below y, and the number of orders with U = u obeys f(n, m, u) = f(n - 1, m,
 * u - m) + f(n, m - 1, u): the largest value is an x, above all m y's, or a y. As shares of all
 * orders (n / (n + m) and m / (n + m)) nothing overflows. The interval [D(k), D(nm + 1 - k)] of the
 * sorted differences misses the shift with probability 2 P(U < k). Ties make it wider, never
 * narrower. */
#include "shift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats.h"
#include "walsh.h"

enum { EXACT = 20 }; /* values a side; counting takes their product squared */

/* P(U = u) of I and J values for all J <= M at once, row by row over I: *p[j] has i j + 1 shares.
 */
static size_t
exact_rank(size_t n, size_t m, double tail, struct lore_arena *arena)
{
    size_t most = n * m, k = 0;
    double *p = lore_alloc_array(arena, (m + 1) * (most + 1), sizeof *p), below = 0;
    double *last = p + m * (most + 1);

    for (size_t j = 0; j <= m; j++)
        p[j * (most + 1)] = 1; /* no x: U is 0 */
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) { /* j = 0: U stays 0 */
            double *row = p + j * (most + 1), *fewer = row - (most + 1);
            double x = (double)i / (double)(i + j), y = (double)j / (double)(i + j);
            for (size_t u = i * j + 1; u-- > 0;) /* row is still that of i - 1 */
                row[u] = (u >= j ? x * row[u - j] : 0) + y * fewer[u];
        }
    }
    while (k <= most && below + last[k] <= tail)
        below += last[k++];
    return k;
}

size_t
lore_shift_rank(size_t n, size_t m, double tail, struct lore_arena *arena)
{
    if (n <= EXACT && m <= EXACT)
        return exact_rank(n, m, tail, arena);
    double dn = (double)n, dm = (double)m;
    double sd = sqrt(dn * dm * (dn + dm + 1) / 12);
    double k = floor(dn * dm / 2 + lore_normal_quantile(tail) * sd + 0.5);
    return k > 0 ? (size_t)k : 0;
}

void
lore_shift_interval(const double *x, size_t n, const double *y, size_t m, double alpha,
    struct lore_arena *arena, struct lore_shift *out)
{
    size_t all = n * m, at = 0, k = lore_shift_rank(n, m, alpha / 2, arena);
    double *differences = lore_alloc_array(arena, all, sizeof *differences);

    for (size_t i = 0; i < n; i++) {
        for (size_t j = 0; j < m; j++)
            differences[at++] = x[i] - y[j];
    }
    qsort(differences, all, sizeof *differences, lore_by_f64);
    *out = (struct lore_shift){.middle = lore_percentile(differences, all, 0.5), .bounded = k > 0};
    if (k > 0) {
        out->low = differences[k - 1];
        out->high = differences[all - k];
    }
}

/* Two samples. Under one distribution every order of the n + m values is equally likely; U counts
 * the pairs with x below y, and how many orders have U = u is known in closed form. The interval
 * [D(k), D(nm + 1 - k)] of the sorted differences misses the shift with probability 2 P(U < k).
 * Ties make it wider, never narrower. */
#include "shift.h"

#include <math.h>

#include "select.h"
#include "walsh.h"

enum { EXACT = 20 }; /* values a side */

/* The number of orders with U = u is the coefficient of q^u in the Gaussian binomial, the product
 * of (1 - q^(m + i)) / (1 - q^i) over i = 1..n. All numbers are whole and below 2^38: exact. */
static size_t
exact_rank(size_t n, size_t m, double tail, struct lore_arena *arena)
{
    size_t most = tail < 0.5 ? n * m / 2 : n * m, k = 0; /* half of all lie below the middle */
    double *f = lore_alloc_array(arena, most + 1, sizeof *f), orders = 1, below = 0;

    f[0] = 1;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = most + 1; u-- > m + i;)
            f[u] -= f[u - m - i];
        for (size_t u = i; u <= most; u++)
            f[u] += f[u - i];
        orders = orders * (double)(m + i) / (double)i;
    }
    while (k <= most && below + f[k] <= tail * orders)
        below += f[k++];
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
    *out = (struct lore_shift){.bounded = k > 0};
    if (k > 0)
        lore_nth_ends(differences, all, k - 1, &out->low, &out->middle, &out->high);
    else
        out->middle = lore_median_of(differences, all);
}

/* Two samples of n and m values. Under one distribution every order of all values is equally
 * likely. U counts the pairs with x below y. The number of orders with U = u is known exactly
 * (exact_rank). The interval [D(k), D(nm + 1 - k)] of the sorted differences misses the shift with
 * probability 2 P(U < k). Ties make it wider, never narrower. */
#include "service/stats/shift.h"

#include <math.h>
#include <stdlib.h>

#include "service/stats/select.h"
#include "service/stats/stats.h"
#include "service/stats/walsh.h"

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
    double k = floor(dn * dm / 2 + lore_walsh_normal_quantile(tail) * sd + 0.5);
    return k > 0 ? (size_t)k : 0;
}

struct sides { /* both sorted */
    const double *x, *y;
    size_t n, m;
};

/* The number of differences x - y <= AT. */
static size_t
count_to(const struct sides *s, double at)
{
    size_t all = 0, j = s->m; /* x[i] - y <= AT holds for y[j..m); j never grows as x[i] falls */

    for (size_t i = s->n; i-- > 0;) {
        while (j > 0 && s->x[i] - s->y[j - 1] <= at)
            j--;
        all += s->m - j;
    }
    return all;
}

/* Write the differences in (FROM, TO] to OUT. Returns their number. */
static size_t
collect(const struct sides *s, double from, double to, double *out)
{
    size_t n = 0, j = s->m;

    for (size_t i = s->n; i-- > 0;) {
        while (j > 0 && s->x[i] - s->y[j - 1] <= to)
            j--;
        for (size_t k = j; k < s->m && s->x[i] - s->y[k] > from; k++)
            out[n++] = s->x[i] - s->y[k];
    }
    return n;
}

/* The difference at index K of their sorted order. Bisection narrows the range of values. Counting
 * takes n + m steps, because both sides are sorted, so most differences are never computed. */
static double
difference_at(const struct sides *s, size_t k, double *room)
{
    enum { FEW = 24, HALVINGS = 48 }; /* ties may keep many together */
    double low = s->x[0] - s->y[s->m - 1], high = s->x[s->n - 1] - s->y[0];
    size_t below = 0, to = s->n * s->m; /* differences <= low, <= high; k is among those between */

    low = nextafter(low, -INFINITY); /* now below all */
    for (int i = 0; i < HALVINGS && to - below > FEW; i++) {
        double middle = low + (high - low) / 2;
        size_t n = count_to(s, middle);
        if (n > k) {
            high = middle;
            to = n;
        } else {
            low = middle;
            below = n;
        }
    }
    size_t n = collect(s, low, high, room);
    return lore_select_nth(room, n, k - below);
}

static const double *
sorted(const double *v, size_t n, struct lore_arena *arena)
{
    double *copy = lore_memdup(arena, v, n * sizeof *v);

    qsort(copy, n, sizeof *copy, lore_select_by_f64);
    return copy;
}

void
lore_shift_interval(struct lore_shift_side x, struct lore_shift_side y, double alpha,
    struct lore_arena *arena, struct lore_shift *out)
{
    size_t all = x.n * y.n, k = lore_shift_rank(x.n, y.n, alpha / 2, arena);
    double *room = lore_alloc_array(arena, all, sizeof *room);
    struct sides s = {sorted(x.v, x.n, arena), sorted(y.v, y.n, arena), x.n, y.n};
    double upper = difference_at(&s, all / 2, room);

    *out = (struct lore_shift){.middle = upper, .bounded = k > 0};
    if (all % 2 == 0)
        out->middle = (difference_at(&s, all / 2 - 1, room) + upper) / 2;
    if (k > 0) {
        out->low = difference_at(&s, k - 1, room);
        out->high = difference_at(&s, all - k, room);
    }
}

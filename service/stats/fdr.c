/* Step-up adjustment: the k-th smallest p becomes p n / k. LORE_FDR_ANY also multiplies it by
 * the harmonic sum. The result is at most the adjusted value of any larger p. A p of 1 stays 1, so
 * it need not be sorted. */
#include "service/stats/fdr.h"

#include <math.h>
#include <stdlib.h>

struct ranked {
    double p;
    size_t at;
};

static int
by_p(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    return x->p != y->p ? (x->p > y->p) - (x->p < y->p) : (x->at > y->at) - (x->at < y->at);
}

static double
harmonic_of(size_t n, enum lore_fdr assume)
{
    double sum = assume == LORE_FDR_ANY ? 0 : 1;

    for (size_t i = 0; i < n && assume == LORE_FDR_ANY; i++)
        sum += 1 / (double)(i + 1);
    return sum;
}

double
lore_fdr_limit(size_t n, enum lore_fdr assume, double rate)
{
    return n > 0 ? rate / harmonic_of(n, assume) : rate;
}

void
lore_fdr_adjust(
    const double *p, size_t n, enum lore_fdr assume, struct lore_arena *arena, double *out)
{
    struct ranked *r = lore_alloc_array(arena, n, sizeof *r);
    double harmonic = harmonic_of(n, assume), adjusted = 1;
    size_t below = 0;

    for (size_t i = 0; i < n; i++) {
        out[i] = 1;
        if (p[i] < 1)
            r[below++] = (struct ranked){p[i], i};
    }
    qsort(r, below, sizeof *r, by_p);
    for (size_t k = below; k > 0; k--) {
        adjusted = fmin(adjusted, r[k - 1].p * (double)n * harmonic / (double)k);
        out[r[k - 1].at] = adjusted;
    }
}

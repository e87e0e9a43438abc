/* Step-up: the k-th smallest p is worth p n / k (times the harmonic sum where nothing is assumed),
 * and never more than any larger p is worth. */
#include "fdr.h"

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

const char *
lore_fdr_name(enum lore_fdr f)
{
    return f == LORE_FDR_POSITIVE ? "benjamini-hochberg" : "benjamini-yekutieli";
}

void
lore_fdr_adjust(
    const double *p, size_t n, enum lore_fdr assume, struct lore_arena *arena, double *out)
{
    struct ranked *r = lore_alloc_array(arena, n, sizeof *r);
    double harmonic = assume == LORE_FDR_ANY ? 0 : 1, worth = 1;

    for (size_t i = 0; i < n; i++) {
        r[i] = (struct ranked){p[i], i};
        if (assume == LORE_FDR_ANY)
            harmonic += 1 / (double)(i + 1);
    }
    qsort(r, n, sizeof *r, by_p);
    for (size_t k = n; k > 0; k--) {
        worth = fmin(worth, r[k - 1].p * (double)n * harmonic / (double)k);
        out[r[k - 1].at] = worth;
    }
}

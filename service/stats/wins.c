/* Computes a p for each attempt from its ratio and interval and corrects all of them together. Lost
 * attempts count as tests, too. */
#include "service/stats/wins.h"

#include "service/stats/fdr.h"
#include "service/stats/interval_test.h"

static bool
is_tested(const struct lore_wins_attempt *a)
{
    return a->ratio > 0 && a->low > 0 && a->high > 0;
}

void
lore_wins(const struct lore_wins_attempt *v, size_t n, double confidence, struct lore_arena *arena,
    struct lore_wins *out)
{
    double *p = lore_alloc_array(arena, n, sizeof *p),
           *adjusted = lore_alloc_array(arena, n, sizeof *p);
    size_t k = 0;

    *out = (struct lore_wins){.attempts = n};
    for (size_t i = 0; i < n; i++) {
        out->won += v[i].won;
        if (is_tested(&v[i]))
            p[out->tested++] =
                lore_interval_test_ratio_p(v[i].ratio, v[i].low, v[i].high, confidence);
    }
    lore_fdr_adjust(p, out->tested, LORE_FDR_ANY, arena, adjusted);
    for (size_t i = 0; i < n; i++)
        if (is_tested(&v[i]))
            out->stay += adjusted[k++] <= LORE_WINS_RATE && v[i].won;
}

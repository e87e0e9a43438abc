/* Rank sets by counting, for each version, the versions shown faster and slower. Only direct
 * comparisons count, so one false difference moves ranks by one. */
#include "service/stats/ranks.h"

#include <stdbool.h>

/* COMPARED holds n * n flags. */
static enum lore_status
check_pairs(const struct lore_rank_pair *pairs, size_t n_pairs, size_t n, bool *compared,
    struct lore_err *err)
{
    for (size_t i = 0; i < n_pairs; i++) {
        size_t a = pairs[i].a, b = pairs[i].b;
        if (a >= n || b >= n || a == b)
            return lore_fail(err, LORE_INVALID,
                "pairs[%zu]: %zu and %zu: expected two different version numbers below %zu", i, a,
                b, n);
        if (compared[a * n + b])
            return lore_fail(
                err, LORE_INVALID, "pairs[%zu]: %zu and %zu were compared already", i, a, b);
        compared[a * n + b] = compared[b * n + a] = true;
        if (!(pairs[i].p >= 0 && pairs[i].p <= 1))
            return lore_fail(
                err, LORE_INVALID, "pairs[%zu].p: %g is not within 0..1", i, pairs[i].p);
    }
    return LORE_OK;
}

static enum lore_status
check(const struct lore_rank_pair *pairs, size_t n_pairs, size_t n, double rate,
    struct lore_arena *arena, struct lore_err *err)
{
    if (n == 0)
        return lore_fail(err, LORE_INVALID, "versions: there are none");
    if (n > LORE_RANKS_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "versions: %zu, at most %d are ranked", n, LORE_RANKS_MAX);
    if (!(rate > 0 && rate < 1))
        return lore_fail_at(
            err, LORE_INVALID, "out_of_range", "rate", "rate: %g is not within 0..1", rate);
    return check_pairs(pairs, n_pairs, n, lore_alloc_array(arena, n * n, sizeof(bool)), err);
}

enum lore_status
lore_rank_sets(struct lore_rank_pairs pairs, size_t n, double rate, struct lore_arena *arena,
    struct lore_rank *out, struct lore_err *err)
{
    enum lore_status status = check(pairs.v, pairs.n, n, rate, arena, err);
    size_t first = n;

    if (status != LORE_OK)
        return status;
    double *p = lore_alloc_array(arena, pairs.n, sizeof *p);
    double *adjusted = lore_alloc_array(arena, pairs.n, sizeof *adjusted);
    for (size_t i = 0; i < pairs.n; i++)
        p[i] = pairs.v[i].p;
    lore_fdr_adjust(p, pairs.n, LORE_FDR_ANY, arena, adjusted);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct lore_rank){1, n, false};
    for (size_t i = 0; i < pairs.n; i++) {
        bool differs = adjusted[i] <= rate;
        if (pairs.apart)
            pairs.apart[i] = differs;
        if (!differs)
            continue;
        out[pairs.v[i].b_faster ? pairs.v[i].a : pairs.v[i].b].low++;
        out[pairs.v[i].b_faster ? pairs.v[i].b : pairs.v[i].a].high--;
    }
    for (size_t i = 0; i < n; i++)
        first = out[i].low < first ? out[i].low : first;
    for (size_t i = 0; i < n; i++)
        out[i].best = out[i].low == first;
    return LORE_OK;
}

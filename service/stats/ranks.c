/* Rank sets by counting who is shown faster than whom. Nothing is inferred over a third version:
 * each difference that counts was itself compared, so one false one moves ranks by one. */
#include "service/stats/ranks.h"

#include <math.h>
#include <stdbool.h>

#include "service/stats/sequential.h"

/* SEEN holds n * n flags. */
static enum lore_status
check_pairs(
    const struct lore_rank_pair *pairs, size_t n_pairs, size_t n, bool *seen, struct lore_err *err)
{
    for (size_t i = 0; i < n_pairs; i++) {
        size_t a = pairs[i].a, b = pairs[i].b;
        if (a >= n || b >= n || a == b)
            return lore_fail(err, LORE_INVALID,
                "pairs[%zu]: %zu and %zu are not two versions of %zu", i, a, b, n);
        if (seen[a * n + b])
            return lore_fail(
                err, LORE_INVALID, "pairs[%zu]: %zu and %zu were compared already", i, a, b);
        seen[a * n + b] = seen[b * n + a] = true;
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
lore_rank_sets(const struct lore_rank_pair *pairs, size_t n_pairs, size_t n, double rate,
    struct lore_arena *arena, struct lore_rank *out, bool *apart, struct lore_err *err)
{
    enum lore_status status = check(pairs, n_pairs, n, rate, arena, err);
    size_t first = n;

    if (status != LORE_OK)
        return status;
    double *p = lore_alloc_array(arena, n_pairs, sizeof *p);
    double *worth = lore_alloc_array(arena, n_pairs, sizeof *worth);
    for (size_t i = 0; i < n_pairs; i++)
        p[i] = pairs[i].p;
    lore_fdr_adjust(p, n_pairs, LORE_FDR_ANY, arena, worth);
    for (size_t i = 0; i < n; i++)
        out[i] = (struct lore_rank){1, n, false};
    for (size_t i = 0; i < n_pairs; i++) {
        bool told = worth[i] <= rate;
        if (apart != NULL)
            apart[i] = told;
        if (!told)
            continue;
        out[pairs[i].b_faster ? pairs[i].a : pairs[i].b].low++;
        out[pairs[i].b_faster ? pairs[i].b : pairs[i].a].high--;
    }
    for (size_t i = 0; i < n; i++)
        first = out[i].low < first ? out[i].low : first;
    for (size_t i = 0; i < n; i++)
        out[i].best = out[i].low == first;
    return LORE_OK;
}

enum lore_status
lore_rank_sequential(const struct lore_rank_side *versions, size_t n, double floor, double rate,
    struct lore_arena *arena, struct lore_rank *out, struct lore_err *err)
{
    size_t all = 0;

    if (n > LORE_RANKS_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "versions: %zu, at most %d are ranked", n, LORE_RANKS_MAX);
    struct lore_rank_pair *pairs = lore_alloc_array(arena, n * n / 2 + 1, sizeof *pairs);
    for (size_t i = 0; i < n; i++) {
        for (size_t j = i + 1; j < n; j++) {
            struct lore_sequential_ask ask = {versions[i].ns, versions[j].ns, versions[i].n,
                versions[j].n, LORE_SEQUENTIAL_ALPHA, floor, fmax(floor, LORE_SEQUENTIAL_MARGIN),
                false};
            struct lore_sequential s;
            struct lore_err why = {0};
            LORE_SCRATCH scratch = {0};
            enum lore_status status = lore_sequential_compare(&ask, &scratch, &s, &why);
            if (status != LORE_OK)
                return lore_fail(err, status, "versions %zu and %zu: %s", i, j, why.msg);
            pairs[all++] = (struct lore_rank_pair){i, j, s.speedup > 1, s.p};
        }
    }
    return lore_rank_sets(pairs, all, n, rate, arena, out, NULL, err);
}

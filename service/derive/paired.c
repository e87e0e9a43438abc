/* The percentile bootstrap of a median. The improvements are sorted once. A resample is stored as
 * the number of draws of each value, and its median is found by a scan of these counts. This avoids
 * 10,000 sorts. Percentiles interpolate between order statistics (stats.c). */
#include "service/derive/paired.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/stats/random.h"
#include "service/stats/stats.h"

const char *
lore_paired_verdict_name(enum lore_paired_verdict v)
{
    static const char *const names[] = {"inconclusive", "confirmed_win", "confirmed_loss"};

    return v <= LORE_PAIRED_LOSS ? names[v] : "inconclusive";
}

/* The value at RANK (from 0) of the resample that COUNTS describes. */
static double
at_rank(const double *v, const uint32_t *counts, size_t rank)
{
    size_t i = 0, seen = counts[0];

    while (seen <= rank)
        seen += counts[++i];
    return v[i];
}

bool
lore_paired_order(const char *order)
{
    static const char *const words[] = {
        "paired", "versions in turns", "in turns", "interleaved", "ABBA"};

    for (size_t i = 0; order != NULL && i < sizeof words / sizeof *words; i++)
        if (lore_streqi(order, words[i]))
            return true;
    return false;
}

static double
resampled_median(const double *v, size_t n, uint32_t *counts, uint64_t *state)
{
    memset(counts, 0, n * sizeof *counts);
    for (size_t i = 0; i < n; i++)
        counts[lore_random_below(state, n)]++;
    double upper = at_rank(v, counts, n / 2);
    return n % 2 ? upper : (at_rank(v, counts, n / 2 - 1) + upper) / 2;
}

static enum lore_status
check(const struct lore_paired_samples *s, struct lore_f64 min_effect, struct lore_err *err)
{
    if (s->n == 0)
        return lore_fail(err, LORE_INVALID, "pairs: at least one is needed");
    if (s->n > LORE_PAIRED_MAX)
        return lore_fail(
            err, LORE_TOOBIG, "pairs: %zu, at most %d are compared", s->n, LORE_PAIRED_MAX);
    if (min_effect.set && !(isfinite(min_effect.v) && min_effect.v >= 0))
        return lore_fail(err, LORE_INVALID, "min_effect_pct: must be 0 or more");
    for (size_t i = 0; i < s->n; i++) {
        if (s->a_ns[i] <= 0 || s->b_ns[i] <= 0)
            return lore_fail(err, LORE_INVALID, "pairs[%zu]: a time must be above 0", i);
    }
    return LORE_OK;
}

enum lore_status
lore_paired_compare(struct lore_paired_samples s, struct lore_f64 min_effect_pct, uint64_t seed,
    struct lore_arena *arena, struct lore_paired *out, struct lore_err *err)
{
    enum lore_status status = check(&s, min_effect_pct, err);

    if (status != LORE_OK)
        return status;
    double *v = lore_alloc_array(arena, s.n, sizeof *v);
    double *medians = lore_alloc_array(arena, LORE_PAIRED_RESAMPLES, sizeof *medians);
    uint32_t *counts = lore_alloc_array(arena, s.n, sizeof *counts);
    for (size_t i = 0; i < s.n; i++)
        v[i] = 100 * ((double)s.a_ns[i] - (double)s.b_ns[i]) / (double)s.a_ns[i];
    qsort(v, s.n, sizeof *v, lore_select_by_f64);
    for (size_t i = 0; i < LORE_PAIRED_RESAMPLES; i++)
        medians[i] = resampled_median(v, s.n, counts, &seed);
    qsort(medians, LORE_PAIRED_RESAMPLES, sizeof *medians, lore_select_by_f64);
    *out = (struct lore_paired){.n = s.n,
        .median_pct = lore_stats_percentile(v, s.n, 0.5),
        .low_pct = lore_stats_percentile(medians, LORE_PAIRED_RESAMPLES, 0.025),
        .high_pct = lore_stats_percentile(medians, LORE_PAIRED_RESAMPLES, 0.975),
        .min_effect_pct = min_effect_pct.set ? min_effect_pct.v : LORE_PAIRED_MIN_EFFECT};
    if (s.n < LORE_PAIRED_MIN)
        return LORE_OK;
    /* even with a min_effect of 0, an interval that touches 0 is inconclusive */
    if (out->low_pct >= out->min_effect_pct && out->low_pct > 0)
        out->verdict = LORE_PAIRED_WIN;
    else if (out->high_pct <= -out->min_effect_pct && out->high_pct < 0)
        out->verdict = LORE_PAIRED_LOSS;
    return LORE_OK;
}

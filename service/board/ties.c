/* Ties: times that a test does not find different. With stored samples, the interval of a time is
 * the 95 % interval of its median, widened when the samples drift (level.h). Without samples it is
 * the 10th to 90th percentile, if these were stated. A time without an interval has no ties; the
 * smaller time ranks first.
 *
 * Overlap of intervals is not used as a test: intervals that just touch mean p = 0.006, not 0.05.
 * Each pair gets a p-value from its two intervals (interval_test.h). The pairs then share a false
 * discovery rate of 5 % (ranks.h). */
#include "service/board/ranking.h"
#include "service/stats/interval_test.h"
#include "service/stats/sequential.h"

struct board_interval
lore_board_interval_of(const struct board_entry *e)
{
    if (e->time_ns <= 0)
        return (struct board_interval){0};
    if (e->median_low_ns > 0 && e->median_high_ns > 0)
        return (struct board_interval){e->median_low_ns, e->median_high_ns, "median"};
    if (e->n_samples == 0 && e->low_ns > 0 && e->high_ns > 0)
        return (struct board_interval){e->low_ns, e->high_ns, "p10..p90"};
    return (struct board_interval){0};
}

bool
lore_board_has_test(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b)
{
    return lore_board_class_of(a) == lore_board_class_of(b) && lore_board_comparable(a, b) &&
           lore_board_is_checked(ix, a) == lore_board_is_checked(ix, b) &&
           lore_board_interval_of(a).of && lore_board_interval_of(b).of;
}

bool
lore_board_ranks_before(
    const struct lore_board *ix, const struct board_entry *a, const struct board_entry *b)
{
    if (lore_board_class_of(a) != lore_board_class_of(b))
        return lore_board_class_of(a) < lore_board_class_of(b);
    if (lore_board_is_checked(ix, a) != lore_board_is_checked(ix, b))
        return lore_board_is_checked(ix, a);
    return lore_board_comparable(a, b) && !lore_board_has_test(ix, a, b) && a->time_ns < b->time_ns;
}

static struct lore_interval_test
interval_test_of(const struct board_entry *e)
{
    if (e->n_samples < 2)
        return lore_interval_test_stated(
            e->time_ns, lore_board_interval_of(e).low, lore_board_interval_of(e).high);
    return lore_interval_test_median(
        e->time_ns, e->median_low_ns, e->median_high_ns, e->n_samples, e->low_ns, e->high_ns);
}

void
lore_board_rank_sets(const struct lore_board *ix, const struct board_entry *const *e, size_t n,
    struct lore_rank *out, bool *different)
{
    LORE_SCRATCH a = {0};
    struct lore_rank_pair *pairs = lore_alloc_array(&a, n * (n - 1) / 2, sizeof *pairs);
    struct lore_interval_test *sides = lore_alloc_array(&a, n, sizeof *sides);
    bool *apart = lore_alloc_array(&a, n * (n - 1) / 2, sizeof *apart);
    size_t all = 0;

    for (size_t i = 0; i < n; i++) {
        out[i] = (struct lore_rank){1, n, true};
        if (lore_board_interval_of(e[i]).of)
            sides[i] = interval_test_of(e[i]);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (lore_board_has_test(ix, e[i], e[j]))
                pairs[all++] = (struct lore_rank_pair){i, j, e[j]->time_ns < e[i]->time_ns, .p = 1};
    double beyond = lore_interval_test_errors(lore_fdr_limit(all, LORE_FDR_ANY, LORE_RANKS_RATE));
    for (size_t i = 0; i < all; i++)
        pairs[i].p = lore_interval_test_p_beyond(
            &sides[pairs[i].a], &sides[pairs[i].b], LORE_SEQUENTIAL_FLOOR, beyond);
    /* fails if a time is not a number; then no pair counts as different */
    bool ranked = lore_rank_sets((struct lore_rank_pairs){pairs, all, apart}, n, LORE_RANKS_RATE,
                      &a, out, NULL) == LORE_OK;
    for (size_t i = 0; ranked && different && i < all; i++)
        different[pairs[i].a * n + pairs[i].b] = different[pairs[i].b * n + pairs[i].a] = apart[i];
}

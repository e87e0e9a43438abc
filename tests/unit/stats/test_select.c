// uses: stats m
/* Selection against sorting, and the cuts of a series against counting each of them anew. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/stats/level.h"
#include "service/stats/random.h"
#include "service/stats/select.h"
#include "service/stats/stats.h"
#include "tests/unit/near.h"

enum { MOST = 128 };

/* N values of few or many kinds, so that some are equal. */
static void
fill(double *v, size_t n, uint64_t kinds, uint64_t *seed)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (double)lore_random_below(seed, kinds);
}

static void
every_index_is_what_sorting_puts_there(void **state)
{
    double v[MOST], sorted[MOST], low, middle, high;
    uint64_t seed = 3;
    (void)state;

    for (size_t round = 0; round < 4000; round++) {
        size_t n = 1 + lore_random_below(&seed, MOST), k = lore_random_below(&seed, n);
        fill(v, n, round % 3 == 0 ? 3 : 1000, &seed);
        memcpy(sorted, v, n * sizeof *v);
        qsort(sorted, n, sizeof *sorted, lore_select_by_f64);
        assert_near(lore_select_nth(v, n, k), sorted[k], 0);
        for (size_t i = 0; i < n; i++)
            assert_true(i < k ? v[i] <= v[k] : v[i] >= v[k]);
        assert_near(lore_select_median(v, n), lore_stats_percentile(sorted, n, 0.5), 0);
        k = lore_random_below(&seed, (n + 1) / 2);
        lore_select_nth_ends(v, n, k, &low, &middle, &high);
        assert_near(low, sorted[k], 0);
        assert_near(high, sorted[n - 1 - k], 0);
        assert_near(middle, lore_stats_percentile(sorted, n, 0.5), 0);
    }
}

static void
long_ranges_of_a_crafted_order_are_selected_too(void **state)
{
    enum { MANY = 100000 };
    double *v = calloc(MANY, sizeof *v);
    (void)state;

    for (size_t i = 0; i < MANY; i++) /* halves that alternate: bad pivots */
        v[i] = i % 2 == 0 ? (double)i / 2 : (double)(MANY / 2 + i / 2);
    for (size_t i = 0; i < MANY / 2; i++)
        v[MANY - 1 - i] = (double)(i * 2);
    double *sorted = malloc(MANY * sizeof *sorted);
    memcpy(sorted, v, MANY * sizeof *v);
    qsort(sorted, MANY, sizeof *sorted, lore_select_by_f64);
    assert_near(lore_select_nth(v, MANY, MANY / 3), sorted[MANY / 3], 0);
    free(sorted);
    free(v);
}

static double
error_of(const double *v, size_t n, double *median)
{
    double copy[MOST], sum = 0;

    memcpy(copy, v, n * sizeof *v);
    *median = lore_select_median(copy, n);
    for (size_t i = 0; i < n; i++)
        sum += fabs(v[i] - *median);
    return sum;
}

static void
every_cut_leaves_what_counting_it_alone_leaves(void **state)
{
    struct lore_cuts cuts;
    double v[MOST], left, right;
    uint64_t seed = 5;
    (void)state;

    for (size_t round = 0; round < 300; round++) {
        size_t n = 1 + lore_random_below(&seed, MOST);
        fill(v, n, round % 3 == 0 ? 4 : 100000, &seed);
        lore_level_cuts(v, n, &cuts);
        assert_near(cuts.error[0], error_of(v, n, &left), 1e-6);
        for (size_t k = 1; k < n; k++) {
            double error = error_of(v, k, &left) + error_of(v + k, n - k, &right);
            assert_near(cuts.error[k], error, 1e-6);
            assert_near(cuts.jump[k], right - left, 1e-6);
        }
    }
}

static void
an_interval_that_knows_of_drift_is_wider_by_it(void **state)
{
    struct lore_arena arena = {0};
    int64_t steady[32], rising[32];
    double low, high, l, h;
    uint64_t seed = 7;
    (void)state;

    for (size_t i = 0; i < 32; i++) {
        steady[i] = 1000000 + (int64_t)lore_random_below(&seed, 2000);
        rising[i] = steady[i] + (int64_t)i * 3000;
    }
    lore_stats_median_interval(steady, 32, &arena, &l, &h);
    lore_level_interval(steady, 32, &arena, &low, &high);
    assert_near(low, l, 500);
    assert_near(high, h, 500);
    lore_level_interval(rising, 32, &arena, &low, &high);
    assert_true(low < 0.92e6 && high > 1.18e6); /* all of what it rose by, and half again */
    lore_level_interval(steady, 2, &arena, &low, &high);
    assert_true(low <= high);
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_index_is_what_sorting_puts_there),
        cmocka_unit_test(long_ranges_of_a_crafted_order_are_selected_too),
        cmocka_unit_test(every_cut_leaves_what_counting_it_alone_leaves),
        cmocka_unit_test(an_interval_that_knows_of_drift_is_wider_by_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

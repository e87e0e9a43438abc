// uses: derive m
/* Statistics against slow references: sorted percentiles by hand, the rank of the median interval
 * by summing binomial coefficients, the interval of a ratio by simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "service/derive/outcome.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
no_samples_give_zeroes(void **state)
{
    struct lore_stats s;
    double low = 1, high = 1;
    (void)state;

    lore_stats(NULL, 0, &arena, &s);
    lore_stats_median_interval(NULL, 0, &arena, &low, &high);
    assert_int_equal(s.n, 0);
    assert_true(s.median == 0 && low == 0 && high == 0);
}

static void
percentiles_interpolate_and_the_input_keeps_its_order(void **state)
{
    int64_t v[] = {50, 10, 40, 20, 30};
    struct lore_stats s;
    (void)state;

    lore_stats(v, 5, &arena, &s);
    assert_near(s.median, 30, 0);
    assert_near(s.p10, 14, 1e-12);
    assert_near(s.p90, 46, 1e-12);
    assert_near(s.min, 10, 0);
    assert_near(s.max, 50, 0);
    assert_near(s.mean, 30, 0);
    assert_near(s.std, sqrt(250), 1e-9);
    assert_int_equal(v[0], 50);
    lore_stats(v, 4, &arena, &s);
    assert_near(s.median, 30, 0); /* 10 20 40 50 */
    lore_stats(v, 1, &arena, &s);
    assert_near(s.median, 50, 0);
    assert_near(s.std, 0, 0);
}

/* P(Binomial(n, 1/2) < k) as a sum, in long double: exact enough for n up to 200. */
static long double
below(int n, int k)
{
    long double term = powl(0.5L, n), sum = 0;

    for (int i = 0; i < k; i++) {
        sum += term;
        term = term * (n - i) / (i + 1);
    }
    return sum;
}

static void
the_median_interval_takes_the_exact_binomial_rank(void **state)
{
    int64_t v[200];
    (void)state;

    for (int i = 0; i < 200; i++)
        v[i] = i + 1;
    for (int n = 6; n <= 200; n++) {
        double low, high;
        int k = 1;
        while (below(n, k + 1) <= 0.025L)
            k++;
        lore_stats_median_interval(v, (size_t)n, &arena, &low, &high);
        assert_near(low, k, 0);
        assert_near(high, n + 1 - k, 0);
    }
}

static void
fewer_than_six_samples_give_their_extremes(void **state)
{
    int64_t v[] = {7, 3, 9, 5, 8};
    double low, high;
    (void)state;

    lore_stats_median_interval(v, 5, &arena, &low, &high);
    assert_near(low, 3, 0);
    assert_near(high, 9, 0);
}

static void
a_million_samples_do_not_underflow(void **state)
{
    enum { N = 1000000 };
    int64_t *v = lore_alloc_array(&arena, N, sizeof *v);
    double low, high;
    (void)state;

    for (int i = 0; i < N; i++)
        v[i] = i + 1;
    lore_stats_median_interval(v, N, &arena, &low, &high);
    assert_near(low, N / 2 - 0.98 * 1000, 2); /* 1.96 standard deviations of 500 */
    assert_near(high, N / 2 + 0.98 * 1000, 2);
}

static uint64_t seed;

static double
uniform(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return ((double)(seed >> 11) + 0.5) / 9007199254740992.0;
}

/* Latencies have a floor and a tail: 100 us plus an exponential share. */
static void
draw(int64_t *v, size_t n, double scale)
{
    for (size_t i = 0; i < n; i++)
        v[i] = (int64_t)(scale * (100000 - 5000 * log(uniform())));
}

static double
coverage(size_t n, double speedup)
{
    enum { TRIALS = 2000 };
    double truth = speedup;
    int hits = 0;

    for (int i = 0; i < TRIALS; i++) {
        int64_t before[64], after[64];
        struct lore_outcome out;
        draw(before, n, speedup);
        draw(after, n, 1);
        struct lore_outcome_in in = {
            .before = {.samples_ns = before, .n = n}, .after = {.samples_ns = after, .n = n}};
        lore_outcome_derive(&in, &arena, &out);
        hits += out.low.v <= truth && truth <= out.high.v;
        lore_arena_reset(&arena);
    }
    return (double)hits / TRIALS;
}

static void
the_interval_of_a_ratio_covers_the_truth_95_times_in_100(void **state)
{
    (void)state;
    seed = 42;
    for (size_t n = 5; n <= 40; n = n * 2) {
        double share = coverage(n, 1.3);
        print_message("n = %zu: %.3f\n", n, share);
        assert_true(share > 0.935 && share < 0.999);
    }
}

static void
the_median_of_durations_counts_their_weights(void **state)
{
    struct lore_stats_weighed v[] = {{30, 1}, {10, 8}, {20, 3}};
    struct lore_stats_weighed one[] = {{7, 0.5}}, even[] = {{20, 1}, {10, 1}};

    (void)state;
    assert_true(lore_stats_weighed_median_ns(v, 3) == 10);
    v[0].weight = 1;
    assert_true(lore_stats_weighed_median_ns(v, 3) == 20); /* sorted: 10 has 1 of 5 now */
    assert_true(lore_stats_weighed_median_ns(one, 1) == 7);
    assert_true(lore_stats_weighed_median_ns(even, 2) == 15);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_median_of_durations_counts_their_weights),
        cmocka_unit_test_teardown(no_samples_give_zeroes, clean),
        cmocka_unit_test_teardown(percentiles_interpolate_and_the_input_keeps_its_order, clean),
        cmocka_unit_test_teardown(the_median_interval_takes_the_exact_binomial_rank, clean),
        cmocka_unit_test_teardown(fewer_than_six_samples_give_their_extremes, clean),
        cmocka_unit_test_teardown(a_million_samples_do_not_underflow, clean),
        cmocka_unit_test_teardown(the_interval_of_a_ratio_covers_the_truth_95_times_in_100, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// uses: stats m
/* Times known by a middle and an interval: p against tables of Student's t and by simulation, and
 * how many of equal versions are told apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/interval_test.h"
#include "service/stats/ranks.h"
#include "service/stats/stats.h"
#include "tests/unit/near.h"
#include "tests/unit/sequential_sim.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* Samples of a version that takes 1 ms times exp(OFF), noise 0.5 %. */
static struct lore_interval_test
version(uint64_t *seed, size_t n, double off)
{
    int64_t ns[64];
    struct lore_stats s;
    double low, high;

    for (size_t i = 0; i < n; i++)
        ns[i] = llround(1e6 * exp(off + 0.005 * sim_normal(seed)));
    lore_stats(ns, n, &arena, &s);
    lore_level_interval(ns, n, &arena, &low, &high);
    return lore_interval_test_median(s.median, low, high, n, s.p10, s.p90);
}

static void
near_pairs_without_their_p_change_no_ranks(void **state)
{
    uint64_t seed = 5;
    size_t told = 0;
    (void)state;

    for (int round = 0; round < 300; round++) {
        struct lore_interval_test v[20];
        struct lore_rank_pair all[190], some[190];
        struct lore_rank want[20], got[20];
        bool apart[190], also[190];
        double beyond =
            lore_interval_test_errors(lore_fdr_limit(190, LORE_FDR_ANY, LORE_RANKS_RATE));
        size_t n = 0;

        for (size_t i = 0; i < 20; i++)
            v[i] =
                version(&seed, 2 + (size_t)round % 40, 0.0004 * (double)(i * (size_t)(round % 7)));
        for (size_t i = 0; i < 20; i++)
            for (size_t j = i + 1; j < 20; j++, n++) {
                all[n] = some[n] = (struct lore_rank_pair){
                    i, j, v[j].at < v[i].at, lore_interval_test_p_beyond(&v[i], &v[j], 0.001, 0)};
                some[n].p = lore_interval_test_p_beyond(&v[i], &v[j], 0.001, beyond);
            }
        assert_int_equal(lore_rank_sets((struct lore_rank_pairs){all, n, apart}, 20,
                             LORE_RANKS_RATE, &arena, want, NULL),
            LORE_OK);
        assert_int_equal(lore_rank_sets((struct lore_rank_pairs){some, n, also}, 20,
                             LORE_RANKS_RATE, &arena, got, NULL),
            LORE_OK);
        for (size_t i = 0; i < 20; i++) {
            assert_int_equal(got[i].low, want[i].low);
            assert_int_equal(got[i].high, want[i].high);
            assert_int_equal(got[i].best, want[i].best);
        }
        for (size_t i = 0; i < n; i++) {
            assert_int_equal(also[i], apart[i]);
            told += apart[i];
        }
        lore_arena_reset(&arena);
    }
    assert_in_range(told, 1000, 300 * 190 - 1000);
}

/* Ranks of M versions of N samples, the second half of them slower by SLOWER. */
static void
ranked(uint64_t *seed, size_t m, size_t n, double slower, struct lore_rank *out)
{
    struct lore_interval_test v[20];
    struct lore_rank_pair pairs[190];
    struct lore_err err = {0};
    size_t all = 0;

    for (size_t i = 0; i < m; i++)
        v[i] = version(seed, n, i < m / 2 ? 0 : slower);
    for (size_t i = 0; i < m; i++)
        for (size_t j = i + 1; j < m; j++)
            pairs[all++] = (struct lore_rank_pair){
                i, j, v[j].at < v[i].at, lore_interval_test_p_beyond(&v[i], &v[j], 0, 0)};
    assert_int_equal(lore_rank_sets((struct lore_rank_pairs){pairs, all, NULL}, m, LORE_RANKS_RATE,
                         &arena, out, &err),
        LORE_OK);
}

static void
a_difference_in_standard_errors_has_the_p_of_students_t(void **state)
{
    /* two-sided, from tables; one side is known exactly */
    static const struct {
        size_t n;
        double t, p;
    } table[] = {{4, 5.841, 0.01}, {6, 4.032, 0.01}, {11, 3.169, 0.01}, {31, 2.750, 0.01},
        {6, 9.678, 0.0002}, {31, 4.482, 0.0001}};
    (void)state;

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct lore_interval_test a = {0, 0.01, 0.01, (double)table[i].n - 1},
                                  b = {0, 0, 0, INFINITY};
        b.at = -table[i].t * 0.01;
        double p = lore_interval_test_p_beyond(&a, &b, 0, 0);
        assert_near(p / table[i].p, 1, 2e-3);
    }
}

static void
intervals_that_just_touch_differ(void **state)
{
    struct lore_interval_test a =
        lore_interval_test_median(100, 100 / exp(0.02), 100 * exp(0.02), 1000, 0, 0);
    struct lore_interval_test b = a;
    (void)state;

    b.at = a.at + 0.04;
    assert_near(lore_interval_test_p_beyond(&a, &b, 0, 0), 0.0056, 2e-4);
    assert_near(
        lore_interval_test_p_beyond(&b, &a, 0, 0), lore_interval_test_p_beyond(&a, &b, 0, 0), 0);
    b.at = a.at;
    assert_near(lore_interval_test_p_beyond(&a, &b, 0, 0), 1, 0);
    b.at = a.at + 0.0049;
    assert_near(lore_interval_test_p_beyond(&a, &b, 0.005, 0), 1, 0);
}

static void
few_samples_say_little(void **state)
{
    struct lore_interval_test a, b;
    (void)state;

    for (size_t n = 2; n < 20; n++) { /* the same interval, made of more and more */
        static double last = 1;
        a = lore_interval_test_median(100, 99, 101, n, 0, 0);
        b = lore_interval_test_median(104, 103, 105, n, 0, 0);
        double p = lore_interval_test_p_beyond(&a, &b, 0, 0);
        assert_true(n == 2 ? p > 0.05 : n < 6 ? p < last : p < 0.01);
        last = p;
    }
    a = lore_interval_test_stated(100, 99, 101);
    b = lore_interval_test_stated(104, 103, 105);
    assert_near(lore_interval_test_p_beyond(&a, &b, 0, 0), 2.9e-4, 1e-4); /* 0.0392 in 0.0108 */
}

static void
a_lucky_interval_is_no_narrower_than_the_samples(void **state)
{
    struct lore_interval_test lucky = lore_interval_test_median(100, 99.99, 100.01, 30, 97, 103);
    (void)state;

    assert_near(lucky.above, log(103.0 / 97) / 2.5631 * 1.2533 / sqrt(30), 1e-9);
    assert_near(lucky.below, lucky.above, 0);
}

static void
of_equal_versions_one_family_in_twenty_errs_at_most(void **state)
{
    static const size_t samples[] = {2, 3, 5, 9, 30}, versions[] = {2, 5, 20};
    enum { FAMILIES = 300 };
    uint64_t seed = 4;
    (void)state;

    for (size_t k = 0; k < 15; k++) {
        size_t m = versions[k % 3], wrong = 0;
        for (size_t f = 0; f < FAMILIES; f++) {
            struct lore_rank r[20];
            bool any = false;
            ranked(&seed, m, samples[k / 3], 0, r);
            for (size_t i = 0; i < m; i++)
                any |= !r[i].best;
            wrong += any;
            lore_arena_reset(&arena);
        }
        assert_true(wrong <= FAMILIES / 20);
    }
}

static void
versions_that_are_slower_are_told_from_the_best(void **state)
{
    uint64_t seed = 8;
    size_t found = 0;
    (void)state;

    for (size_t f = 0; f < 100; f++) {
        struct lore_rank r[20];
        ranked(&seed, 20, 9, 0.03, r);
        for (size_t i = 0; i < 20; i++)
            found += (i < 10) == r[i].best;
        lore_arena_reset(&arena);
    }
    assert_true(found >= 1940);
}

static void
a_ratio_and_its_interval_have_the_p_that_its_confidence_says(void **state)
{
    (void)state;
    assert_near(lore_interval_test_ratio_p(1.2, 1, 1.5, 0.99), 0.01, 1e-6);
    assert_near(lore_interval_test_ratio_p(0.8, 0.7, 1, 0.95), 0.05, 1e-6);
    assert_near(lore_interval_test_ratio_p(1, 0.9, 1.1, 0.99), 1, 0);
    assert_near(lore_interval_test_ratio_p(1.1, 1.1, 1.1, 0.99), 0, 0);
    assert_true(lore_interval_test_ratio_p(1.2, 1.19, 1.3, 0.99) < 1e-9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(near_pairs_without_their_p_change_no_ranks, clean),
        cmocka_unit_test_teardown(a_difference_in_standard_errors_has_the_p_of_students_t, clean),
        cmocka_unit_test_teardown(intervals_that_just_touch_differ, clean),
        cmocka_unit_test_teardown(few_samples_say_little, clean),
        cmocka_unit_test_teardown(a_lucky_interval_is_no_narrower_than_the_samples, clean),
        cmocka_unit_test_teardown(of_equal_versions_one_family_in_twenty_errs_at_most, clean),
        cmocka_unit_test_teardown(versions_that_are_slower_are_told_from_the_best, clean),
        cmocka_unit_test_teardown(
            a_ratio_and_its_interval_have_the_p_that_its_confidence_says, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

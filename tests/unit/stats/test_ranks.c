// uses: stats m
/* Many comparisons: false discovery rates against their definition and by simulation, rank sets
 * against counting by hand, and versions that cannot be put in one line. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/ranks.h"
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

/* --- false discoveries --- */

/* By definition: the largest k so that k of P are at most k rate / (n c); all those are called. */
static double
called_below(const double *p, size_t n, double rate, double c)
{
    for (size_t k = n; k > 0; k--) {
        double limit = (double)k * rate / ((double)n * c);
        size_t at_most = 0;
        for (size_t i = 0; i < n; i++)
            at_most += p[i] <= limit;
        if (at_most >= k)
            return limit;
    }
    return -1;
}

static void
rates_call_what_the_definition_calls(void **state)
{
    uint64_t seed = 3;
    double p[30], worth[30];
    (void)state;

    for (size_t round = 0; round < 300; round++) {
        size_t n = 1 + lore_random_below(&seed, 30);
        enum lore_fdr assume = round % 2 ? LORE_FDR_ANY : LORE_FDR_POSITIVE;
        double c = 0, rate = 0.01 + 0.3 * sim_uniform(&seed);
        for (size_t i = 0; i < n; i++) {
            c += 1 / (double)(i + 1);
            p[i] = pow(sim_uniform(&seed), 4);
            if (i > 0 && i % 5 == 0)
                p[i] = p[i - 1]; /* ties */
        }
        lore_fdr_adjust(p, n, assume, &arena, worth);
        double limit = called_below(p, n, rate, assume == LORE_FDR_ANY ? c : 1);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(worth[i] <= rate, p[i] <= limit);
    }
}

static void
the_published_example_of_fifteen_comparisons_calls_four(void **state)
{
    /* Benjamini and Hochberg 1995, section 3.2, at 5 %; Bonferroni calls three */
    static const double p[] = {0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
        0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.000};
    double worth[15];
    size_t called = 0;
    (void)state;

    lore_fdr_adjust(p, 15, LORE_FDR_POSITIVE, &arena, worth);
    for (size_t i = 0; i < 15; i++)
        called += worth[i] <= 0.05;
    assert_int_equal(called, 4);
    assert_near(worth[3], 0.0095 * 15 / 4, 1e-12);
    assert_near(worth[14], 1, 0);
}

static void
of_two_hundred_comparisons_few_of_those_called_are_false(void **state)
{
    enum { ALL = 200, TRUE = 40 };
    double p[ALL], worth[ALL], share = 0, found = 0;
    uint64_t seed = 11;
    (void)state;

    for (size_t round = 0; round < 200; round++) {
        size_t called = 0, wrong = 0;
        for (size_t i = 0; i < ALL; i++)
            p[i] = erfc(fabs(sim_normal(&seed) + (i < TRUE ? 4 : 0)) / sqrt(2));
        lore_fdr_adjust(p, ALL, LORE_FDR_POSITIVE, &arena, worth);
        for (size_t i = 0; i < ALL; i++) {
            called += worth[i] <= 0.05;
            wrong += worth[i] <= 0.05 && i >= TRUE;
        }
        share += called > 0 ? (double)wrong / (double)called / 200 : 0;
        found += (double)(called - wrong) / TRUE / 200;
    }
    assert_true(share <= 0.05);
    assert_true(share >= 0.02); /* 4 %: the share of comparisons that are false times the rate */
    assert_true(found > 0.85);
}

/* --- rank sets --- */

static void
versions_that_tie_with_a_neighbour_each_are_not_one_group(void **state)
{
    /* 0 ties with 1, 1 ties with 2, and 0 is faster than 2 */
    static const struct lore_rank_pair pairs[] = {
        {0, 1, false, 0.4}, {1, 2, false, 0.3}, {0, 2, false, 0.001}};
    struct lore_rank r[3];
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 3, NULL}, 3, 0.05, &arena, r, &err),
        LORE_OK);
    assert_true(r[0].best && r[1].best && !r[2].best);
    assert_int_equal(r[0].low, 1);
    assert_int_equal(r[0].high, 2);
    assert_int_equal(r[1].low, 1);
    assert_int_equal(r[1].high, 3);
    assert_int_equal(r[2].low, 2);
    assert_int_equal(r[2].high, 3);
}

static void
versions_that_beat_each_other_in_a_circle_are_all_the_best(void **state)
{
    static const struct lore_rank_pair pairs[] = {{0, 1, false, 0}, {1, 2, false, 0},
        {0, 2, true, 0}, {0, 3, false, 0}, {1, 3, false, 0}, {2, 3, false, 0}};
    struct lore_rank r[4];
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 6, NULL}, 4, 0.05, &arena, r, &err),
        LORE_OK);
    assert_true(r[0].best && r[1].best && r[2].best && !r[3].best);
    assert_int_equal(r[3].low, 4);
}

static void
rank_sets_equal_counting_by_hand(void **state)
{
    uint64_t seed = 21;
    (void)state;

    for (size_t round = 0; round < 100; round++) {
        enum { N = 7 };
        struct lore_rank_pair pairs[N * N];
        struct lore_rank r[N];
        struct lore_err err = {0};
        double p[N * N], worth[N * N];
        size_t n = 0;
        for (size_t i = 0; i < N; i++) {
            for (size_t j = i + 1; j < N; j++, n++) {
                p[n] = pow(sim_uniform(&seed), 6);
                pairs[n] = (struct lore_rank_pair){i, j, sim_uniform(&seed) < 0.5, p[n]};
            }
        }
        lore_fdr_adjust(p, n, LORE_FDR_ANY, &arena, worth);
        assert_int_equal(
            lore_rank_sets((struct lore_rank_pairs){pairs, n, NULL}, N, 0.1, &arena, r, &err),
            LORE_OK);
        for (size_t i = 0; i < N; i++) {
            size_t faster = 0, slower = 0;
            for (size_t k = 0; k < n; k++) {
                size_t first = pairs[k].b_faster ? pairs[k].b : pairs[k].a;
                size_t second = pairs[k].b_faster ? pairs[k].a : pairs[k].b;
                faster += worth[k] <= 0.1 && second == i;
                slower += worth[k] <= 0.1 && first == i;
            }
            assert_int_equal(r[i].low, 1 + faster);
            assert_int_equal(r[i].high, N - slower);
        }
    }
}

static void
what_is_wrong_is_named(void **state)
{
    static const struct lore_rank_pair good = {0, 1, true, 0.5};
    struct lore_rank_pair pairs[2] = {good, good};
    struct lore_rank r[2];
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 2, NULL}, 2, 0.05, &arena, r, &err),
        LORE_INVALID);
    assert_string_equal(err.msg, "pairs[1]: 0 and 1 were compared already");
    pairs[1].b = 2;
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 2, NULL}, 2, 0.05, &arena, r, &err),
        LORE_INVALID);
    assert_string_equal(
        err.msg, "pairs[1]: 0 and 2: expected two different version numbers below 2");
    pairs[0].p = NAN;
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 1, NULL}, 2, 0.05, &arena, r, &err),
        LORE_INVALID);
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 0, NULL}, 0, 0.05, &arena, r, &err),
        LORE_INVALID);
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 0, NULL}, 257, 0.05, &arena, r, &err),
        LORE_TOOBIG);
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 0, NULL}, 2, 1, &arena, r, &err),
        LORE_INVALID);
    assert_int_equal(
        lore_rank_sets((struct lore_rank_pairs){pairs, 0, NULL}, 2, 0.05, &arena, r, &err),
        LORE_OK);
    assert_true(r[0].best && r[1].best && r[1].high == 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(rates_call_what_the_definition_calls, clean),
        cmocka_unit_test_teardown(the_published_example_of_fifteen_comparisons_calls_four, clean),
        cmocka_unit_test_teardown(of_two_hundred_comparisons_few_of_those_called_are_false, clean),
        cmocka_unit_test_teardown(versions_that_tie_with_a_neighbour_each_are_not_one_group, clean),
        cmocka_unit_test_teardown(
            versions_that_beat_each_other_in_a_circle_are_all_the_best, clean),
        cmocka_unit_test_teardown(rank_sets_equal_counting_by_hand, clean),
        cmocka_unit_test_teardown(what_is_wrong_is_named, clean),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

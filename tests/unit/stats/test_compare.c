// uses: stats m
/* The comparison and what it stands on: signed ranks against counting by hand, trends with and
 * without cause, and, by simulation with fixed seeds, the promises of docs/compare.md. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/walsh.h"
#include "tests/unit/compare_sim.h"
#include "tests/unit/near.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* --- signed ranks --- */

static void
the_normal_quantile_is_the_published_one(void **state)
{
    (void)state;
    assert_near(lore_walsh_normal_quantile(0.5), 0, 1e-9);
    assert_near(lore_walsh_normal_quantile(0.975), 1.959963985, 1e-8);
    assert_near(lore_walsh_normal_quantile(0.8), 0.841621234, 1e-8);
    assert_near(lore_walsh_normal_quantile(0.001), -3.090232306, 1e-8);
}

static void
ten_values_at_five_percent_leave_out_the_eight_lowest_averages(void **state)
{
    double v[10], averages[55];
    struct lore_walsh w;
    size_t n = 0;
    (void)state;

    for (int i = 0; i < 10; i++)
        v[i] = i * i + 1; /* no two averages are equal by design of squares alone; sorted below */
    for (int i = 0; i < 10; i++) {
        for (int j = i; j < 10; j++)
            averages[n++] = (v[i] + v[j]) / 2;
    }
    qsort(averages, n, sizeof *averages, lore_select_by_f64);
    lore_walsh_interval(v, 10, 0.05, &arena, &w);
    assert_true(w.bounded);
    /* the published critical value of Wilcoxon's test for n = 10, two-sided 5 %, is 8 */
    assert_near(w.low, averages[8], 0);
    assert_near(w.high, averages[55 - 9], 0);
    assert_near(w.middle, averages[27], 0);
}

static void
too_few_values_bound_nothing_at_a_high_level(void **state)
{
    double v[10] = {3, 1, 4, 1.5, 9, 2.6, 5, 3.5, 8, 9.7};
    struct lore_walsh w;
    (void)state;

    assert_int_equal(lore_walsh_least(0.0025), 10);
    lore_walsh_interval(v, 9, 0.0025, &arena, &w);
    assert_false(w.bounded);
    lore_walsh_interval(v, 10, 0.0025, &arena, &w);
    assert_true(w.bounded);
    assert_near(w.low, 1, 0);
    assert_near(w.high, 9.7, 0);
}

static void
counting_and_the_normal_approximation_meet(void **state)
{
    double v[129];
    struct lore_walsh exact, approximate;
    (void)state;

    for (int i = 0; i < 129; i++)
        v[i] = i;
    lore_walsh_interval(v, 128, 0.01, &arena, &exact);
    lore_walsh_interval(v, 129, 0.01, &arena, &approximate);
    assert_near(exact.high - exact.low, approximate.high - approximate.low, 0.6);
}

/* --- drift --- */

static void
a_ramp_is_a_drift_and_noise_is_none(void **state)
{
    double v[200];
    struct lore_trend t;
    uint64_t seed = 5;
    int drifts = 0;
    (void)state;

    for (int i = 0; i < 40; i++)
        v[i] = 0.001 * i + 0.001 * sim_normal(&seed);
    lore_trend(v, 40, &arena, &t);
    assert_true(t.drifts);
    assert_near(t.change, 0.039, 0.003);
    for (int s = 0; s < 200; s++) { /* also where neighbours resemble each other */
        double x = 0;
        for (int i = 0; i < 200; i++)
            v[i] = x = 0.6 * x + sim_normal(&seed);
        lore_trend(v, 200, &arena, &t);
        drifts += t.drifts;
    }
    assert_in_range(drifts, 0, 8); /* 1 % is promised */
}

static void
few_or_equal_values_show_no_drift(void **state)
{
    double v[20] = {1, 2, 3, 4, 5, 6, 7}, same[20];
    struct lore_trend t;
    (void)state;

    lore_trend(v, 7, &arena, &t);
    assert_int_equal(t.n, 0);
    assert_false(t.drifts);
    for (int i = 0; i < 20; i++)
        same[i] = 7;
    lore_trend(same, 20, &arena, &t);
    assert_false(t.drifts);
    assert_near(t.change, 0, 0);
    assert_near(lore_trend_autocorrelation(same, 20, &arena), 0, 0);
    assert_near(lore_trend_spread(same, 20, &arena), 0, 1e-12);
}

static void
the_spread_ignores_one_wild_value(void **state)
{
    double v[9] = {1, 2, 3, 4, 5, 6, 7, 8, 1000}, mostly[5] = {1, 1, 1, 1, 2};
    (void)state;

    assert_near(lore_trend_spread(v, 9, &arena), 1.4826 * 2, 1e-12);
    assert_near(lore_trend_spread(mostly, 5, &arena), sqrt(0.2), 1e-12);
    assert_near(lore_trend_spread(v, 1, &arena), 0, 0);
}

/* --- the plan --- */

static void
the_looks_are_fixed_and_share_the_error(void **state)
{
    struct lore_compare_plan p;
    struct lore_err err;
    (void)state;

    assert_int_equal(lore_compare_plan(12, 0.99, &p, &err), LORE_OK);
    assert_int_equal(p.n_looks, 4);
    assert_int_equal(p.looks[0], 5);
    assert_int_equal(p.looks[3], 12);
    assert_true(p.looks[0] < p.looks[1] && p.looks[1] < p.looks[2] && p.looks[2] < p.looks[3]);
    assert_near(p.alpha * 4, 0.01, 1e-12);
    assert_true(lore_compare_due(&p, 5) && lore_compare_due(&p, 12) && !lore_compare_due(&p, 6));
    for (size_t rounds = LORE_COMPARE_LEAST; rounds <= 100; rounds++) {
        assert_int_equal(lore_compare_plan(rounds, 0.99, &p, &err), LORE_OK);
        assert_int_equal(p.looks[p.n_looks - 1], rounds);
        for (size_t i = 1; i < p.n_looks; i++)
            assert_true(p.looks[i] > p.looks[i - 1]);
        assert_true(p.looks[0] * 2 >= lore_walsh_least(p.alpha));
    }
}

static void
a_budget_that_cannot_answer_is_refused(void **state)
{
    struct lore_compare_plan p;
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(lore_compare_plan(4, 0.99, &p, &err), LORE_INVALID);
    assert_string_equal(err.path, "rounds");
    assert_int_equal(lore_compare_plan(401, 0.99, &p, &err), LORE_INVALID);
    assert_int_equal(lore_compare_plan(5, 0.9999, &p, &err), LORE_INVALID);
    assert_string_equal(err.path, "rounds");
    assert_int_equal(lore_compare_plan(12, 1, &p, &err), LORE_INVALID);
    assert_string_equal(err.path, "confidence");
    assert_int_equal(lore_compare_plan(12, NAN, &p, &err), LORE_INVALID);
}

/* --- verdicts --- */

static struct lore_comparison
of_ratio(double ratio, double min_effect)
{
    double a[12], b[12];
    struct lore_comparison c;
    struct lore_err err;

    for (int i = 0; i < 12; i++) {
        b[i] = 1000 + i;
        a[i] = b[i] * ratio * (i % 2 ? 1.001 : 0.999);
    }
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 12}, 0.0025, min_effect, &arena, &c, &err),
        LORE_OK);
    return c;
}

static void
a_verdict_needs_the_interval_beyond_the_minimum_effect(void **state)
{
    (void)state;
    assert_int_equal(of_ratio(1.03, 0.005).verdict, LORE_COMPARE_WIN);
    assert_int_equal(of_ratio(1 / 1.03, 0.005).verdict, LORE_COMPARE_LOSS);
    assert_int_equal(of_ratio(1, 0.005).verdict, LORE_COMPARE_NEUTRAL);
    assert_int_equal(of_ratio(1.005, 0.005).verdict, LORE_COMPARE_INCONCLUSIVE);
    assert_int_equal(of_ratio(1.03, 0.05).verdict, LORE_COMPARE_NEUTRAL);
    assert_int_equal(of_ratio(1, 0).verdict, LORE_COMPARE_INCONCLUSIVE);
    assert_int_equal(of_ratio(1.005, 0).verdict, LORE_COMPARE_WIN);
}

static void
a_comparison_says_what_it_rests_on(void **state)
{
    struct lore_comparison c = of_ratio(1.03, 0.005);
    (void)state;

    assert_int_equal(c.n, 12);
    assert_near(c.speedup, 1.03, 1e-3);
    assert_true(c.low < c.speedup && c.speedup < c.high);
    assert_near(c.confidence, 0.9975, 1e-12);
    assert_true(c.spread > 0.0009 && c.spread < 0.002);
    assert_true(c.detectable > 0.005 && c.detectable < 0.01);
    assert_near(of_ratio(1 / 1.03, 0.005).speedup, 1 / 1.03, 1e-3);
}

static void
bad_times_are_refused_by_name(void **state)
{
    double a[3] = {1, 2, 3}, b[3] = {1, 2, 0}, nan[3] = {1, NAN, 3};
    struct lore_comparison c;
    struct lore_err err = {0};
    (void)state;

    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 3}, 0.01, 0, &arena, &c, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "pairs[2].b"));
    assert_int_equal(lore_compare_pairs((struct lore_pairs){nan, a, 3}, 0.01, 0, &arena, &c, &err),
        LORE_INVALID);
    assert_non_null(strstr(err.msg, "pairs[1].a"));
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, a, 0}, 0.01, 0, &arena, &c, &err), LORE_INVALID);
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, a, 3}, 0.01, -1, &arena, &c, &err), LORE_INVALID);
    assert_string_equal(err.path, "min_effect");
    assert_int_equal(lore_compare_pairs(
                         (struct lore_pairs){a, a, LORE_WALSH_MAX + 1}, 0.01, 0, &arena, &c, &err),
        LORE_TOOBIG);
}

static void
few_pairs_give_no_interval_and_no_verdict(void **state)
{
    double a[3] = {103, 103, 103}, b[3] = {100, 100, 100};
    struct lore_comparison c;
    struct lore_err err;
    (void)state;

    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 3}, 0.0025, 0, &arena, &c, &err), LORE_OK);
    assert_false(c.bounded);
    assert_int_equal(c.verdict, LORE_COMPARE_INCONCLUSIVE);
    assert_near(c.speedup, 1.03, 1e-9);
    assert_near(c.detectable, 0, 0);
}

static void
one_wild_process_is_pulled_in_and_counted(void **state)
{
    double a[12], b[12];
    struct lore_comparison c;
    struct lore_err err;
    (void)state;

    for (int i = 0; i < 12; i++) {
        a[i] = 1030 + i % 3;
        b[i] = 1000 + i % 2;
    }
    b[4] = 5000;
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 12}, 0.0025, 0.005, &arena, &c, &err),
        LORE_OK);
    assert_int_equal(c.outliers, 1);
    assert_int_equal(c.verdict, LORE_COMPARE_WIN);
}

static void
pairs_that_resemble_their_neighbours_widen_the_interval(void **state)
{
    double a[24], b[24], mixed[24];
    struct lore_comparison blocks, turns;
    struct lore_err err;
    (void)state;

    for (int i = 0; i < 24; i++) {
        b[i] = 1000;
        a[i] = 1020 + i % 5 + (i < 12 ? 5 : -5);         /* one state, then another */
        mixed[i] = 1020 + i % 5 + (i % 2 == 0 ? 5 : -5); /* in turns */
    }
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 24}, 0.01, 0, &arena, &blocks, &err), LORE_OK);
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){mixed, b, 24}, 0.01, 0, &arena, &turns, &err),
        LORE_OK);
    assert_true(blocks.neighbours > 0.5 && turns.neighbours < 0);
    assert_true(blocks.widened > 1.5);
    assert_near(turns.widened, 1, 0);
    assert_true(blocks.high / blocks.low > turns.high / turns.low);
}

static void
drift_of_both_programs_is_noticed_and_does_not_count(void **state)
{
    double a[24], b[24];
    struct lore_comparison c;
    struct lore_err err;
    (void)state;

    for (int i = 0; i < 24; i++) {
        int b_first = lore_compare_b_first((size_t)i);
        a[i] = 1000 * (1 + 0.001 * (2 * i + b_first)) + i % 3;
        b[i] = 1000 * (1 + 0.001 * (2 * i + !b_first)) + i % 3;
    }
    assert_int_equal(
        lore_compare_pairs((struct lore_pairs){a, b, 24}, 0.0025, 0.005, &arena, &c, &err),
        LORE_OK);
    assert_true(c.drift.drifts);
    assert_near(c.drift.change, log(1.048), 0.004);
    assert_int_equal(c.verdict, LORE_COMPARE_NEUTRAL);
}

/* --- the promises --- */

static void
run(struct sim s, int sessions, int counts[4], double *detectable)
{
    *detectable = 0;
    memset(counts, 0, 4 * sizeof *counts);
    for (int i = 0; i < sessions; i++) {
        struct sim_result r = sim_session(&s, &arena);
        counts[r.verdict]++;
        *detectable += r.c.detectable / sessions;
    }
}

static void
a_program_against_itself_is_never_called_different(void **state)
{
    struct sim s = sim_usual;
    int n[4];
    double detectable;
    (void)state;

    s.seed = 1;
    run(s, 1000, n, &detectable);
    assert_in_range(n[LORE_COMPARE_WIN] + n[LORE_COMPARE_LOSS], 0, 2);
}

static void
early_looks_without_a_minimum_effect_keep_the_stated_error(void **state)
{
    struct sim s = sim_usual;
    int n[4];
    double detectable;
    (void)state;

    s.seed = 2;
    s.min_effect = 0;
    run(s, 1000, n, &detectable);
    assert_in_range(n[LORE_COMPARE_WIN] + n[LORE_COMPARE_LOSS], 0, 16); /* 10 are promised */
}

static void
three_percent_are_found_within_the_default_budget(void **state)
{
    struct sim s = sim_usual;
    int n[4];
    double detectable;
    (void)state;

    s.seed = 3;
    s.difference = 0.03;
    run(s, 500, n, &detectable);
    assert_in_range(n[LORE_COMPARE_WIN], 490, 500);
    s.difference = -0.03;
    run(s, 500, n, &detectable);
    assert_in_range(n[LORE_COMPARE_LOSS], 490, 500);
}

static void
the_stated_detectable_effect_is_found_about_as_often_as_it_says(void **state)
{
    struct sim s = sim_usual;
    int n[4];
    double detectable, ignored;
    (void)state;

    s.seed = 4;
    s.slow_process = 0;
    run(s, 200, n, &detectable);
    s.difference = 1 - 1 / (1 + detectable);
    run(s, 500, n, &ignored);
    assert_in_range(n[LORE_COMPARE_WIN], 350, 475); /* 80 %, give or take */
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_quantile_is_the_published_one),
        cmocka_unit_test(ten_values_at_five_percent_leave_out_the_eight_lowest_averages),
        cmocka_unit_test(too_few_values_bound_nothing_at_a_high_level),
        cmocka_unit_test(counting_and_the_normal_approximation_meet),
        cmocka_unit_test(a_ramp_is_a_drift_and_noise_is_none),
        cmocka_unit_test(few_or_equal_values_show_no_drift),
        cmocka_unit_test(the_spread_ignores_one_wild_value),
        cmocka_unit_test(the_looks_are_fixed_and_share_the_error),
        cmocka_unit_test(a_budget_that_cannot_answer_is_refused),
        cmocka_unit_test(a_verdict_needs_the_interval_beyond_the_minimum_effect),
        cmocka_unit_test(a_comparison_says_what_it_rests_on),
        cmocka_unit_test(bad_times_are_refused_by_name),
        cmocka_unit_test(few_pairs_give_no_interval_and_no_verdict),
        cmocka_unit_test(one_wild_process_is_pulled_in_and_counted),
        cmocka_unit_test(pairs_that_resemble_their_neighbours_widen_the_interval),
        cmocka_unit_test(drift_of_both_programs_is_noticed_and_does_not_count),
        cmocka_unit_test(a_program_against_itself_is_never_called_different),
        cmocka_unit_test(early_looks_without_a_minimum_effect_keep_the_stated_error),
        cmocka_unit_test(three_percent_are_found_within_the_default_budget),
        cmocka_unit_test(the_stated_detectable_effect_is_found_about_as_often_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}

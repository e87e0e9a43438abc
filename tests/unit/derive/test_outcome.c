// uses: derive m
/* The policies of outcome.h, on numbers from published experience. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/outcome.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_outcome out;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_f64
f64(double v)
{
    return (struct lore_f64){true, v};
}

static struct lore_claim
stated(double before_ms, double after_ms, const char *outcome)
{
    return (struct lore_claim){.set = true,
        .latency_before_ns = f64(before_ms * 1e6),
        .latency_after_ns = f64(after_ms * 1e6),
        .outcome = outcome};
}

static void
derive(const struct lore_outcome_in *in)
{
    lore_outcome_derive(in, &arena, &out);
}

static void
a_rejected_result_with_a_broken_rule_stays_a_win(void **state)
{
    const char *rules[] = {"ncu_symptom_mismatch"}, *techniques[] = {"memory.tiling"};
    struct lore_outcome_in in = {
        .claim = stated(0.7674047946929932, 0.43238401412963867, "rejected"),
        .violations = rules,
        .n_violations = 1,
        .process = {.techniques = techniques, .n_techniques = 1}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.speedup.v, 1.7748, 5e-5);
    assert_false(out.low.set);
    assert_true(out.process_broken);
    assert_string_equal(out.rules, "ncu_symptom_mismatch");
    assert_false(out.disagrees);
    assert_int_equal(out.basis, LORE_B_CLAIM);
    assert_string_equal(out.policy, "claim-5-2@2");
    assert_near(out.before_ns.v, 767404.7946929932, 1e-6);
}

static void
a_slower_result_is_a_loss(void **state)
{
    struct lore_outcome_in in = {.claim = stated(0.6911, 0.9896, "failure")};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_LOSS);
    assert_false(out.disagrees);
    assert_false(out.process_broken);
    assert_string_equal(out.rules, "");
}

static void
a_gain_counts_against_the_best_before_it(void **state)
{
    struct lore_outcome_in in = {.claim = stated(0.2233, 0.1040, "positive"), .share = 0.464};
    (void)state;

    derive(&in); /* it wins back what the step before it lost */
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_near(out.speedup.v, 2.147, 5e-4);
    assert_near(out.gain.v, 1, 1e-9);
    assert_non_null(strstr(out.flags, "recovery"));
    assert_false(out.disagrees); /* it is faster than its parent, as its author says */
    assert_true(out.share == 0);
    in.claim = stated(0.2233, 0.0800, "positive"); /* faster than the best before it, too */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.gain.v, 1.295, 5e-4);
    assert_null(strstr(out.flags, "recovery"));
    in.claim = stated(0.2233, 0.2000, "positive"); /* a part of the loss */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_near(out.gain.v, 1, 1e-9);
    assert_near(out.share, 0.518, 5e-4);
    in.claim = stated(0.2233, 0.3000, "negative"); /* a loss is one from any base */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_LOSS);
    assert_false(out.gain.set);
    assert_near(out.share, 0.345, 5e-4);
    in = (struct lore_outcome_in){.claim = stated(0.2233, 0.1040, "positive"), .share = 0.99};
    derive(&in); /* within rounding the base was the best */
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_false(out.gain.set);
}

static void
two_percent_slower_to_five_faster_is_neutral_and_a_typed_success_disagrees(void **state)
{
    struct lore_outcome_in in = {
        .claim = {.set = true, .speedup = f64(1.02), .outcome = "success"}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_true(out.disagrees);
    in.claim.speedup.v = 1.05;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    in.claim.speedup.v = 0.981;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    in.claim.speedup.v = 0.98;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_LOSS);
    in.claim.speedup.v = 1;
    in.claim.outcome = "failure"; /* no gain is a failed attempt */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_false(out.disagrees);
    in.claim.outcome = "success";
    in.claim.speedup.v = 1.34;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_false(out.disagrees);
}

static void
without_numbers_nothing_is_measured_whatever_was_typed(void **state)
{
    struct lore_outcome_in in = {.claim = {.set = true, .outcome = "positive"}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
    assert_false(out.disagrees);
    assert_false(out.speedup.set || out.before_ns.set || out.after_ns.set);
    assert_int_equal(out.basis, LORE_B_NONE);
    in.claim.latency_after_ns = f64(102723.2);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
}

static void
a_stated_speedup_wins_without_times(void **state)
{
    struct lore_outcome_in in = {.claim = {.set = true,
                                     .speedup = f64(15.04),
                                     .speedup_low = f64(3),
                                     .speedup_high = f64(9),
                                     .base = LORE_BASE_FIRST}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.speedup.v, 15.04, 0);
    assert_false(out.before_ns.set || out.after_ns.set || out.low.set);
}

static void
a_stated_range_decides_when_all_of_it_has_one_effect(void **state)
{
    struct lore_outcome_in in = {.claim = {.set = true, .speedup_high = f64(0.97)}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_LOSS);
    assert_false(out.speedup.set);
    in.claim.speedup_low = f64(0.99);
    in.claim.speedup_high = f64(1.03);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    in.claim.speedup_low = f64(0.9);
    in.claim.speedup_high = f64(1.2);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
}

static void
a_speedup_over_a_library_is_no_effect(void **state)
{
    struct lore_outcome_in in = {
        .claim = {.set = true, .speedup = f64(0.56), .base = LORE_BASE_LIBRARY}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
    in.claim.latency_before_ns = f64(100);
    in.claim.latency_after_ns = f64(50);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
}

static void
samples_outrank_the_claim(void **state)
{
    int64_t before[] = {1000, 1010, 990, 1005, 1001, 1003},
            after[] = {500, 505, 495, 501, 502, 499};
    struct lore_outcome_in in = {.before = {.samples_ns = before, .n = 6},
        .after = {.samples_ns = after, .n = 6},
        .claim = stated(1, 2, "loss")};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_int_equal(out.basis, LORE_B_SAMPLES);
    assert_string_equal(out.policy, "samples-5-2@3");
    assert_true(out.low.v > 1.9 && out.low.v < out.speedup.v && out.speedup.v < out.high.v);
    assert_near(out.before_ns.v, 1002, 0);
    assert_true(out.disagrees);
}

static void
noise_wider_than_the_gain_is_inconclusive_and_contradicts_nobody(void **state)
{
    int64_t before[] = {1000, 1300, 900, 1250, 1100, 1150},
            after[] = {1000, 1200, 850, 1150, 900, 1020};
    struct lore_outcome_in in = {.before = {.samples_ns = before, .n = 6},
        .after = {.samples_ns = after, .n = 6},
        .claim = {.outcome = "success"}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    assert_true(out.low.v < 1);
    assert_false(out.disagrees);
}

static void
a_tight_gain_of_three_percent_and_none_are_neutral_and_three_percent_slower_is_a_loss(void **state)
{
    int64_t before[] = {1030, 1031, 1029, 1030, 1030, 1032},
            after[] = {1000, 1001, 999, 1000, 1000, 1002};
    struct lore_outcome_in in = {
        .before = {.samples_ns = before, .n = 6}, .after = {.samples_ns = after, .n = 6}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    in.before.samples_ns = after;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    in.after.samples_ns = before; /* 3 % slower */
    derive(&in);
    assert_true(out.high.v < 1);
    assert_int_equal(out.effect, LORE_X_LOSS);
}

static void
four_samples_or_a_summary_go_by_the_thresholds_alone(void **state)
{
    int64_t before[] = {1000, 1010, 990, 1005};
    struct lore_outcome_in in = {
        .before = {.samples_ns = before, .n = 4}, .after = {.median_ns = 900}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_int_equal(out.basis, LORE_B_SUMMARY);
    assert_string_equal(out.policy, "summary-5-2@2");
    assert_false(out.low.set);
}

static void
samples_of_zero_nanoseconds_do_not_divide(void **state)
{
    int64_t zero[6] = {0}, some[] = {10, 10, 10, 10, 10, 0};
    struct lore_outcome_in in = {
        .before = {.samples_ns = some, .n = 6}, .after = {.samples_ns = zero, .n = 6}};
    (void)state;

    derive(&in);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
    in.after.samples_ns = some;
    derive(&in);
    assert_true(isfinite(out.low.v) && isfinite(out.high.v) && out.low.v > 0);
}

static void
a_failed_check_wins_over_a_pass_and_stays_apart_from_the_effect(void **state)
{
    struct lore_outcome_in in = {.claim = stated(2, 1, "failure"),
        .correctness = {LORE_C_PASS, LORE_C_TIMEOUT, LORE_C_PASS},
        .n_correctness = 3};
    (void)state;

    derive(&in);
    assert_int_equal(out.correctness, LORE_C_TIMEOUT);
    in.claim.correctness = LORE_C_FAIL;
    derive(&in);
    assert_int_equal(out.correctness, LORE_C_FAIL);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_false(out.disagrees); /* the wrong result explains the typed failure */
    in = (struct lore_outcome_in){.correctness = {LORE_C_NOT_CHECKED}, .n_correctness = 1};
    derive(&in);
    assert_int_equal(out.correctness, LORE_C_NOT_CHECKED);
    in.claim.correctness = LORE_C_PASS;
    derive(&in);
    assert_int_equal(out.correctness, LORE_C_PASS);
}

static void
a_version_that_only_failed_is_incorrect(void **state)
{
    struct lore_outcome_in in = {.before = {.median_ns = 100}, .after = {.failed = true}};
    (void)state;

    derive(&in);
    assert_int_equal(out.correctness, LORE_C_FAIL);
    assert_int_equal(out.effect, LORE_X_NOT_MEASURED);
    in.after.median_ns = 50;
    derive(&in);
    assert_int_equal(out.correctness, LORE_C_NOT_CHECKED);
}

static void
rules_found_here_come_before_the_named_ones_and_once(void **state)
{
    const char *rules[] = {"ncu_symptom_mismatch", "one_variable", "", "variable"};
    const char *techniques[] = {"fill_me_tag", "a brand new idea"};
    const struct lore_process_run runs[] = {
        {.side = LORE_P_BEFORE, .environment = "e1", .workload = "w1"},
        {.side = LORE_P_AFTER, .environment = "e2", .workload = "w2"}};
    struct lore_outcome_in in = {.violations = rules,
        .n_violations = 4,
        .process = {.techniques = techniques, .n_techniques = 2, .runs = runs, .n_runs = 2}};
    (void)state;

    derive(&in);
    assert_string_equal(out.rules, "one_variable,placeholder_technique,environment_differs,"
                                   "workload_differs,ncu_symptom_mismatch,variable");
}

static void
typed_outcomes_map_and_rejected_says_nothing(void **state)
{
    (void)state;
    assert_int_equal(lore_effect_typed("Success"), LORE_X_WIN);
    assert_int_equal(lore_effect_typed("positive"), LORE_X_WIN);
    assert_int_equal(lore_effect_typed("regression"), LORE_X_LOSS);
    assert_int_equal(lore_effect_typed("negative"), LORE_X_LOSS);
    assert_int_equal(lore_effect_typed("neutral"), LORE_X_NEUTRAL);
    assert_int_equal(lore_effect_typed("rejected"), LORE_X_COUNT);
    assert_int_equal(lore_effect_typed(NULL), LORE_X_COUNT);
}

static void
effect_names_read_back(void **state)
{
    (void)state;
    for (int e = 0; e < LORE_X_COUNT; e++)
        assert_int_equal(lore_effect_find(lore_effect_name((enum lore_effect)e)), e);
    assert_int_equal(lore_effect_find("great"), LORE_X_COUNT);
    assert_int_equal(lore_effect_find(NULL), LORE_X_COUNT);
    assert_string_equal(lore_basis_name(LORE_B_CLAIM), "claim");
}

static void
a_run_took_its_samples_median_else_what_it_states(void **state)
{
    struct lore_arena a = {0};
    int64_t samples[] = {30, 10, 20};
    struct lore_run run = {.summary = {.set = true, .mean_ns = {true, 7}}};

    (void)state;
    assert_float_equal(lore_run_time_ns(&run, &a), 7, 0);
    run.summary.median_ns = (struct lore_f64){true, 5};
    assert_float_equal(lore_run_time_ns(&run, &a), 5, 0);
    run.samples_ns = samples;
    run.n_samples = 3;
    assert_float_equal(lore_run_time_ns(&run, &a), 20, 0);
    run = (struct lore_run){0};
    assert_float_equal(lore_run_time_ns(&run, &a), 0, 0);
    lore_arena_free(&a);
}

#define TEST(f) cmocka_unit_test_teardown(f, clean)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_took_its_samples_median_else_what_it_states),
        TEST(a_rejected_result_with_a_broken_rule_stays_a_win),
        TEST(a_slower_result_is_a_loss),
        TEST(a_gain_counts_against_the_best_before_it),
        TEST(two_percent_slower_to_five_faster_is_neutral_and_a_typed_success_disagrees),
        TEST(without_numbers_nothing_is_measured_whatever_was_typed),
        TEST(a_stated_speedup_wins_without_times),
        TEST(a_stated_range_decides_when_all_of_it_has_one_effect),
        TEST(a_speedup_over_a_library_is_no_effect),
        TEST(samples_outrank_the_claim),
        TEST(noise_wider_than_the_gain_is_inconclusive_and_contradicts_nobody),
        TEST(a_tight_gain_of_three_percent_and_none_are_neutral_and_three_percent_slower_is_a_loss),
        TEST(four_samples_or_a_summary_go_by_the_thresholds_alone),
        TEST(samples_of_zero_nanoseconds_do_not_divide),
        TEST(a_failed_check_wins_over_a_pass_and_stays_apart_from_the_effect),
        TEST(a_version_that_only_failed_is_incorrect),
        TEST(rules_found_here_come_before_the_named_ones_and_once),
        TEST(typed_outcomes_map_and_rejected_says_nothing),
        TEST(effect_names_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

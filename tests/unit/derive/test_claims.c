// uses: derive m
/* Expectations, watch lists, hypothesis verdicts and the closing of predictions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/claims.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_claim_judged out;
static const struct lore_f64 usual;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_metric profile_before[] = {
    {.name = "smsp__sass_average_data_bytes_per_sector_mem_global_op_ld.pct", .value = 12.5},
    {.name = "launch__registers_per_thread", .value = 64},
    {.name = "sm__warps_active.avg.pct_of_peak_sustained_active", .value = 50},
    {.name = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        .value = 4},
    {.name = "my_counter", .value = 0},
    {.name = "lts__t_sector_hit_rate.pct", .value = 40},
    {.name = "gone", .value = 1},
    {.name = "noisy", .value = 100, .std = {true, 20}},
};
static struct lore_metric profile_after[] = {
    {.name = "global_load_efficiency_pct", .value = 85, .unit = "%"},
    {.name = "launch__registers_per_thread", .value = 65},
    {.name = "sm__warps_active.avg.pct_of_peak_sustained_active", .value = 50.5},
    {.name = "smsp__average_warps_issue_stalled_long_scoreboard_per_issue_active.ratio",
        .value = 2},
    {.name = "my_counter", .value = 3},
    {.name = "lts__t_sector_hit_rate.pct", .value = 30},
    {.name = "gone", .missing = LORE_MISS_NOT_COLLECTED},
    {.name = "noisy", .value = 110, .std = {true, 20}},
};
static struct lore_claim_side before = {
    .runs = {.median_ns = 100000}, .metrics = {.v = profile_before, .n = 8}};
static struct lore_claim_side after = {
    .runs = {.median_ns = 40000}, .metrics = {.v = profile_after, .n = 8}};

static enum lore_claim_verdict
claim(const char *item)
{
    struct lore_movement m;

    lore_claims_read(item, NULL, &arena, &m);
    struct lore_expectation x = {.metric = m.metric, .direction = m.direction, .raw = item};
    if (m.range == LORE_RANGE_LEVEL) {
        x.low = m.low;
        x.high = m.high;
    }
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    return out.verdict;
}

static void
direction_and_range_together_confirm(void **state)
{
    (void)state;
    assert_int_equal(claim("Global Load Efficiency ↑ above 80 %"), LORE_CLAIM_CONFIRMED);
    assert_string_equal(out.sentence, "Global Load Efficiency went up: 12.5 % before, 85 % after "
                                      "(+580 %); claimed: up, at least 80 %.");
    assert_int_equal(claim("latency ↓ 50-70 %"), LORE_CLAIM_CONFIRMED);
    assert_near(out.change_pct.v, -60, 1e-9);
    assert_int_equal(claim("latency ↓"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("execution time below 0.05 ms"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("speedup ↑ above 2x"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("Long Scoreboard ↓ 2x"), LORE_CLAIM_CONFIRMED);
}

static void
one_number_is_the_least_and_noise_is_allowed_for(void **state)
{
    (void)state;
    assert_int_equal(claim("reduce latency by 50 %"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("reduce latency by 61 %"), LORE_CLAIM_CONFIRMED); /* 60 +- 2 */
    assert_int_equal(claim("reduce latency by 63 %"), LORE_CLAIM_PARTIAL);
    assert_int_equal(claim("Long Scoreboard = 2.01"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("Long Scoreboard = 2.1"), LORE_CLAIM_CONTRADICTED);
}

static void
the_right_way_outside_the_range_is_partial(void **state)
{
    (void)state;
    assert_int_equal(claim("Global Load Efficiency ↑ above 90 %"), LORE_CLAIM_PARTIAL);
    assert_int_equal(claim("latency ↓ 10-20 %"), LORE_CLAIM_PARTIAL); /* more than claimed */
    assert_int_equal(claim("latency ↓ below 30 us"), LORE_CLAIM_PARTIAL);
    assert_int_equal(claim("Long Scoreboard stall ↓ below 20 %"), LORE_CLAIM_PARTIAL); /* ratio */
    assert_int_equal(claim("occupancy ↑ above 50 %"), LORE_CLAIM_PARTIAL); /* there before */
}

static void
the_wrong_way_or_no_movement_contradicts(void **state)
{
    (void)state;
    assert_int_equal(claim("L2 hit rate ↑"), LORE_CLAIM_CONTRADICTED);
    assert_int_equal(claim("occupancy ↑"), LORE_CLAIM_CONTRADICTED); /* 1 % is within noise */
    assert_string_equal(out.moved, "same");
    assert_int_equal(claim("execution time above 0.05 ms"), LORE_CLAIM_CONTRADICTED);
    assert_int_equal(claim("latency unchanged"), LORE_CLAIM_CONTRADICTED);
}

static void
movement_within_noise_is_the_same(void **state)
{
    (void)state;
    assert_int_equal(claim("occupancy unchanged"), LORE_CLAIM_CONFIRMED);
    assert_int_equal(claim("noisy unchanged"), LORE_CLAIM_CONFIRMED); /* by its own deviation */
    assert_true(out.noise_pct > 10);
    /* registers are a fact of the binary: one more is more */
    assert_int_equal(claim("registers unchanged"), LORE_CLAIM_CONTRADICTED);
    assert_int_equal(claim("registers ↑"), LORE_CLAIM_CONFIRMED);
}

static void
noise_of_the_samples_counts_for_latency(void **state)
{
    static const int64_t wide[] = {60, 80, 100, 120, 140, 70, 90, 110, 130, 100},
                         shifted[] = {50, 70, 90, 110, 130, 60, 80, 100, 120, 90};
    struct lore_claim_side b = {.runs = {.samples_ns = wide, .n = 10}};
    struct lore_claim_side a = {.runs = {.samples_ns = shifted, .n = 10}};
    struct lore_expectation x = {.metric = "latency", .direction = "down"};

    (void)state;
    lore_claims_judge(&x, &b, &a, usual, &arena, &out);
    assert_string_equal(out.moved, "same");
    assert_int_equal(out.verdict, LORE_CLAIM_CONTRADICTED);
    b.runs.n = a.runs.n = 0;
    b.runs.median_ns = 100;
    a.runs.median_ns = 90;
    lore_claims_judge(&x, &b, &a, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_CONFIRMED);
}

static void
what_was_not_measured_on_both_sides_is_not_judged(void **state)
{
    (void)state;
    assert_int_equal(claim("gone ↑"), LORE_CLAIM_NOT_MEASURED);
    assert_string_equal(out.sentence, "gone was not measured after the change; claimed: up.");
    assert_null(out.moved);
    assert_int_equal(claim("flux ↑"), LORE_CLAIM_NOT_MEASURED);
    assert_int_equal(claim("Occupancy"), LORE_CLAIM_NOT_MEASURED); /* nothing claimed */
    assert_int_equal(claim("Occupancy ↑ ↓"), LORE_CLAIM_NOT_MEASURED);
}

static void
from_zero_a_direction_can_be_judged_and_a_percentage_cannot(void **state)
{
    (void)state;
    assert_int_equal(claim("my_counter ↑"), LORE_CLAIM_CONFIRMED);
    assert_false(out.change_pct.set);
    assert_int_equal(claim("my_counter ↑ 50 %"), LORE_CLAIM_PARTIAL);
}

static void
latency_falls_back_to_the_profile(void **state)
{
    struct lore_metric pb = {.name = "gpu__time_duration.sum", .value = 200, .unit = "ns"};
    struct lore_metric pa = {.name = "gpu__time_duration.sum", .value = 100, .unit = "ns"};
    struct lore_claim_side b = {.metrics = {.v = &pb, .n = 1}}, a = {.metrics = {.v = &pa, .n = 1}};
    struct lore_expectation x = {.metric = "duration_ns", .direction = "down"};

    (void)state;
    lore_claims_judge(&x, &b, &a, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_CONFIRMED);
    assert_near(out.measured.after.v, 100, 0);
    pa.unit = "us"; /* other units on the two sides are no comparison */
    lore_claims_judge(&x, &b, &a, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_NOT_MEASURED);
}

/* the profiler's name for it: a run without counters has it all the same, and more than once */
static void
a_profilers_duration_is_judged_by_the_samples(void **state)
{
    struct lore_expectation x = {.metric = "gpu__time_duration.sum", .direction = "down"};
    struct lore_claim_measured m;

    (void)state;
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_CONFIRMED);
    lore_claim_measure("duration", false, &before, &after, &arena, &m);
    assert_true(m.after.set);
    assert_near(out.measured.after.v, m.after.v, 0);
}

static void
stated_fields_go_before_the_words(void **state)
{
    struct lore_expectation x = {.metric = "global_load_efficiency_pct",
        .direction = "down",
        .high = {true, 90},
        .raw = "↑ above 80 %"};

    (void)state;
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_CONTRADICTED);
    assert_false(out.claimed.low.set);
}

static void
a_metric_with_more_words_than_its_name_is_still_found(void **state)
{
    struct lore_expectation x = {
        .metric = "reduce latency by 50 %", .raw = "reduce latency by 50 %"};

    (void)state;
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    assert_string_equal(out.claimed.metric, "latency");
    assert_int_equal(out.verdict, LORE_CLAIM_CONFIRMED);
}

static void
a_range_in_words_is_about_the_stated_metric(void **state)
{
    struct lore_expectation x = {.metric = "latency", .raw = "50-70 % lower"};

    (void)state;
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_CONFIRMED);
    x.raw = "50-55 % lower";
    lore_claims_judge(&x, &before, &after, usual, &arena, &out);
    assert_int_equal(out.verdict, LORE_CLAIM_PARTIAL);
}

static void
a_watched_metric_regresses_against_its_direction(void **state)
{
    static const char *words[] = {"L2 hit rate", "latency", "registers", "occupancy", "flux",
        "my_counter", "Long Scoreboard"};
    struct lore_texts watch = {words, 7, 7};
    struct lore_watched *w = lore_claims_watch(&watch, &before, &after, usual, &arena);

    (void)state;
    assert_int_equal(w[0].state, LORE_WATCH_REGRESSED);
    assert_near(w[0].change_pct.v, -25, 1e-9);
    assert_int_equal(w[1].state, LORE_WATCH_OK);
    assert_int_equal(w[2].state, LORE_WATCH_REGRESSED);
    assert_int_equal(w[3].state, LORE_WATCH_OK);
    assert_int_equal(w[4].state, LORE_WATCH_NOT_MEASURED);
    assert_int_equal(w[5].state, LORE_WATCH_MOVED);
    assert_int_equal(w[6].state, LORE_WATCH_OK);
    assert_string_equal(lore_watch_name(w[0].state), "regressed");
}

static const char *
verdict(enum lore_effect effect, enum lore_check check, double speedup, double high)
{
    struct lore_outcome o = {.effect = effect,
        .correctness = check,
        .speedup = {speedup != 0, speedup},
        .high = {high != 0, high}};

    return lore_claims_hypothesis_verdict(&o);
}

static void
the_hypothesis_takes_its_verdict_from_the_outcome(void **state)
{
    (void)state;
    assert_string_equal(verdict(LORE_X_WIN, LORE_C_PASS, 1.5, 0), "improved");
    assert_string_equal(verdict(LORE_X_WIN, LORE_C_FAIL, 1.5, 0), "invalid");
    assert_string_equal(verdict(LORE_X_NOT_MEASURED, LORE_C_TIMEOUT, 0, 0), "invalid");
    assert_string_equal(verdict(LORE_X_NEUTRAL, LORE_C_PASS, 1.03, 0), "neutral");
    assert_string_equal(verdict(LORE_X_LOSS, LORE_C_PASS, 0.8, 0), "regressed");
    assert_string_equal(verdict(LORE_X_NEUTRAL, LORE_C_PASS, 0.99, 1.01), "neutral");
    assert_string_equal(verdict(LORE_X_LOSS, LORE_C_PASS, 0.97, 0.99), "regressed");
    assert_string_equal(verdict(LORE_X_NOT_MEASURED, LORE_C_PASS, 0, 0), "untested");
    assert_string_equal(verdict(LORE_X_INCONCLUSIVE, LORE_C_PASS, 1, 2), "untested");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(direction_and_range_together_confirm),
        cmocka_unit_test(one_number_is_the_least_and_noise_is_allowed_for),
        cmocka_unit_test(the_right_way_outside_the_range_is_partial),
        cmocka_unit_test(the_wrong_way_or_no_movement_contradicts),
        cmocka_unit_test(movement_within_noise_is_the_same),
        cmocka_unit_test(noise_of_the_samples_counts_for_latency),
        cmocka_unit_test(what_was_not_measured_on_both_sides_is_not_judged),
        cmocka_unit_test(from_zero_a_direction_can_be_judged_and_a_percentage_cannot),
        cmocka_unit_test(latency_falls_back_to_the_profile),
        cmocka_unit_test(a_profilers_duration_is_judged_by_the_samples),
        cmocka_unit_test(stated_fields_go_before_the_words),
        cmocka_unit_test(a_metric_with_more_words_than_its_name_is_still_found),
        cmocka_unit_test(a_range_in_words_is_about_the_stated_metric),
        cmocka_unit_test(a_watched_metric_regresses_against_its_direction),
        cmocka_unit_test(the_hypothesis_takes_its_verdict_from_the_outcome),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}

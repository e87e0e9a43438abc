// uses: derive m
/* Verdicts from samples in the order taken: drift, steps, pairs, the noise floor of the host, and
 * several runs a side. The policies themselves: test_outcome.c. */
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
static struct lore_outcome out;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
derive(const struct lore_outcome_in *in)
{
    lore_outcome_derive(in, &arena, &out);
}

enum { SIDE = 16 };

/* N samples around LEVEL that rise by SLOPE from one to the next, with noise of half a permille. */
static void
fill(int64_t *v, size_t n, double level, double slope, uint32_t seed)
{
    for (size_t i = 0; i < n; i++) {
        seed = seed * 1664525u + 1013904223u;
        v[i] = (int64_t)((level + slope * (double)i) *
                         (1 + 0.001 * ((double)seed / 4294967296.0 - 0.5)));
    }
}

static struct lore_outcome_in
sampled(const int64_t *before, const int64_t *after, size_t n)
{
    return (struct lore_outcome_in){
        .before = {.samples_ns = before, .n = n}, .after = {.samples_ns = after, .n = n}};
}

static void
a_clock_that_drifts_makes_no_gain(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE, 1e6, -3000, 1);
    fill(after, SIDE, 1e6 - 3000 * SIDE, -3000, 2);
    derive(&in);
    assert_in_range(out.speedup.v * 1000, 1045, 1056);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    assert_true(out.low.v < 1);
    assert_string_equal(out.flags, "samples_drift");
    assert_false(out.process_broken);
}

static void
a_clock_that_drifts_makes_no_regression_either(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE, 1e6, 3000, 1);
    fill(after, SIDE, 1e6 + 3000 * SIDE, 3000, 2);
    derive(&in);
    assert_true(out.speedup.v < 0.96 && out.low.v < out.speedup.v && out.high.v > 1);
}

static void
a_step_within_a_side_is_cut_off_and_its_piece_next_to_the_change_is_compared(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE / 2, 1e6, 0, 1);
    fill(before + SIDE / 2, SIDE / 2, 9e5, 0, 2);
    fill(after, SIDE, 9e5, 0, 3);
    derive(&in);
    assert_near(out.speedup.v, 1, 0.001);
    assert_near(out.before_ns.v, 9e5, 500);
    assert_near(out.speedup.v, out.before_ns.v / out.after_ns.v, 1e-12);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_true(out.low.v > 0.99 && out.high.v < 1.01);
}

static void
a_change_that_begins_before_the_version_changes_is_no_gain(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE - 1, 1e6, 0, 1);
    fill(before + SIDE - 1, 1, 9e5, 0, 2);
    fill(after, SIDE, 9e5, 0, 3);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    assert_string_equal(out.flags, "change_elsewhere");
    assert_false(out.low.set || out.high.set);
    assert_int_equal(out.basis, LORE_B_SAMPLES);
    fill(before + SIDE - 1, 1, 1e6, 0, 4); /* and where it is that of the versions, it is one */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_string_equal(out.flags, "");
    assert_near(out.speedup.v, 1.111, 0.001);
}

static void
samples_in_turns_are_pairs_and_drift_falls_out(void **state)
{
    enum { PAIRS = 12 };
    int64_t before[PAIRS] = {0}, after[PAIRS] = {0};
    struct lore_outcome_in in = sampled(before, after, PAIRS);
    (void)state;

    fill(before, PAIRS, 1e6, 8000, 1);
    fill(after, PAIRS, 1e6 / 1.03, 8000 / 1.03, 2);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    in.in_turns = true;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_string_equal(out.policy, "paired-5-2@2");
    assert_int_equal(out.basis, LORE_B_SAMPLES);
    assert_near(out.speedup.v, 1.03, 0.002);
    assert_true(out.low.v > 1.02 && out.high.v < 1.04);
    in.before.n = in.after.n = 6; /* bound nothing as pairs: as any samples over the same time */
    derive(&in);
    assert_string_equal(out.policy, "samples-5-2@3");
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
}

static void
thousands_of_pairs_are_thinned_and_say_the_same(void **state)
{
    enum { MANY = 5000 };
    static int64_t before[MANY], after[MANY];
    struct lore_outcome_in in = sampled(before, after, MANY);
    (void)state;

    fill(before, MANY, 1e6, 20, 1);
    fill(after, MANY, 1e6 / 1.08, 20 / 1.08, 2);
    in.in_turns = true;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.speedup.v, 1.08, 0.001);
}

static void
within_the_noise_floor_of_the_host_nothing_is_gained(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE, 1.03e6, 0, 1);
    fill(after, SIDE, 1e6, 0, 2);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_NEUTRAL);
    assert_near(out.low.v, 1.03 / 1.005, 0.002);
    in.floor = (struct lore_f64){true, 0.04};
    derive(&in);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    assert_near(out.low.v, 1.03 / 1.04, 0.002);
    assert_string_equal(out.flags, "");
}

static void
runs_of_a_side_are_put_in_the_order_of_their_times(void **state)
{
    enum { RUNS = 4 };
    int64_t before[RUNS * SIDE] = {0}, after[SIDE] = {0};
    struct lore_side_run runs[RUNS], last = {SIDE, 9000};
    struct lore_outcome_in in = {.before = {before, (size_t)RUNS * SIDE, 0, false, runs, RUNS},
        .after = {after, SIDE, 0, false, &last, 1}};
    (void)state;

    for (size_t i = 0; i < RUNS; i++) { /* recorded in another order than they were measured */
        runs[i] = (struct lore_side_run){SIDE, i % 2 == 0 ? 2000 + (int64_t)i : 1000 + (int64_t)i};
        fill(before + i * SIDE, SIDE, i % 2 == 0 ? 1.02e6 : 1e6, 0, (uint32_t)i);
    }
    fill(after, SIDE, 8e5, 0, 9);
    derive(&in);
    double low = out.low.v;
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_true(low < 1.21); /* they lie 2 % apart, by groups */
    for (size_t i = 0; i < RUNS; i++)
        runs[i].n = i == 0 ? SIDE + 1 : SIDE; /* not those of the samples: as they come */
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
}

static void
what_another_process_ended_on_is_no_reason_to_compare_a_part(void **state)
{
    int64_t before[SIDE] = {0}, after[SIDE] = {0};
    struct lore_side_run first = {SIDE, 1000}, second = {SIDE, 2000};
    struct lore_outcome_in in = sampled(before, after, SIDE);
    (void)state;

    fill(before, SIDE / 2, 1e6, 0, 1);
    fill(before + SIDE / 2, SIDE / 2, 1.06e6, 0, 2);
    fill(after, SIDE, 9.8e5, 0, 3);
    derive(&in); /* of one process, as far as is known */
    assert_int_equal(out.effect, LORE_X_WIN);
    in.before.runs = &first;
    in.after.runs = &second;
    in.before.n_runs = in.after.n_runs = 1;
    derive(&in);
    assert_int_equal(out.effect, LORE_X_INCONCLUSIVE);
    assert_true(out.low.v < 1);
    assert_near(out.before_ns.v, 1.03e6, 3e4);
}

static void
runs_of_both_sides_that_alternate_are_compared_with_what_lies_between_runs(void **state)
{
    int64_t before[2 * SIDE] = {0}, after[2 * SIDE] = {0};
    struct lore_side_run b[] = {{SIDE, 1000}, {SIDE, 3000}}, a[] = {{SIDE, 2000}, {SIDE, 4000}};
    struct lore_outcome_in in = {
        .before = {before, 2 * SIDE, 0, false, b, 2}, .after = {after, 2 * SIDE, 0, false, a, 2}};
    (void)state;

    fill(before, SIDE, 1.1e6, 0, 1);
    fill(before + SIDE, SIDE, 1.11e6, 0, 2);
    fill(after, SIDE, 1e6, 0, 3);
    fill(after + SIDE, SIDE, 1.01e6, 0, 4);
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.speedup.v, 1.1, 0.002);
    assert_true(out.low.v < 1.09); /* runs of one version lie 1 % apart */
}

static void
half_a_million_samples_of_any_order_end_in_a_verdict(void **state)
{
    enum { MANY = 500000 };
    int64_t *v = calloc(2 * MANY, sizeof *v);
    struct lore_outcome_in in = sampled(v, v + MANY, MANY);
    (void)state;

    for (size_t i = 0; i < MANY; i++) { /* organ pipes: what a pivot of three values likes least */
        v[i] = (int64_t)(1000000 + (i < MANY / 2 ? i : MANY - i) % 1000);
        v[MANY + i] = v[i] / 2;
    }
    derive(&in);
    assert_int_equal(out.effect, LORE_X_WIN);
    assert_near(out.speedup.v, 2, 0.01);
    free(v);
}

#define TEST(f) cmocka_unit_test_teardown(f, clean)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_clock_that_drifts_makes_no_gain),
        TEST(a_clock_that_drifts_makes_no_regression_either),
        TEST(a_step_within_a_side_is_cut_off_and_its_piece_next_to_the_change_is_compared),
        TEST(a_change_that_begins_before_the_version_changes_is_no_gain),
        TEST(samples_in_turns_are_pairs_and_drift_falls_out),
        TEST(thousands_of_pairs_are_thinned_and_say_the_same),
        TEST(within_the_noise_floor_of_the_host_nothing_is_gained),
        TEST(runs_of_a_side_are_put_in_the_order_of_their_times),
        TEST(what_another_process_ended_on_is_no_reason_to_compare_a_part),
        TEST(runs_of_both_sides_that_alternate_are_compared_with_what_lies_between_runs),
        TEST(half_a_million_samples_of_any_order_end_in_a_verdict),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

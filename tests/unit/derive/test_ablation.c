// uses: derive m
/* Attribution: Warplore's rules and the residual. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/ablation.h"
#include "tests/unit/near.h"

static struct lore_arena arena;
static struct lore_ablation out;

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

static struct lore_ablation_in
timed(double champion, double ablated)
{
    return (struct lore_ablation_in){.champion = {.median_ns = champion},
        .ablated = {.median_ns = ablated},
        .has_ablation = true,
        .ablated_correctness = LORE_C_PASS};
}

static void
judge(struct lore_ablation_in in)
{
    lore_ablation_judge(&in, &arena, &out);
}

static void
no_ablation_is_unknown_and_no_number(void **state)
{
    (void)state;
    judge((struct lore_ablation_in){.champion = {.median_ns = 100}});
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
    assert_false(out.attribution_ns.set);
    assert_false(out.attribution_pct.set);
    assert_string_equal(out.reason, "no ablation");
}

static void
an_incorrect_ablated_version_is_unknown_not_true(void **state)
{
    struct lore_ablation_in in = timed(100, 300);

    (void)state;
    in.ablated_correctness = LORE_C_FAIL;
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
    assert_string_equal(out.reason, "essential for correctness");
    assert_false(out.attribution_ns.set);
    in.ablated_correctness = LORE_C_TIMEOUT;
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
}

static void
without_times_nothing_is_known(void **state)
{
    (void)state;
    judge(timed(100, 0));
    assert_string_equal(out.reason, "no timing of the ablated version");
    judge(timed(0, 100));
    assert_string_equal(out.reason, "no timing of the champion");
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
}

static void
attribution_is_percent_of_the_champion_against_the_threshold(void **state)
{
    (void)state;
    judge(timed(1000, 1200));
    assert_int_equal(out.contributed, LORE_CONTRIB_YES);
    assert_near(out.attribution_ns.v, 200, 0);
    assert_near(out.attribution_pct.v, 20, 1e-12);
    assert_near(out.noise_pct, 2, 0);
    assert_false(out.low_pct.set);
    judge(timed(1000, 1020)); /* exactly the threshold */
    assert_int_equal(out.contributed, LORE_CONTRIB_NO);
    assert_string_equal(out.reason, "");
    judge(timed(1000, 900));
    assert_int_equal(out.contributed, LORE_CONTRIB_NO);
    assert_string_equal(out.reason, "faster without it");
    struct lore_ablation_in in = timed(1000, 1200);
    in.noise_pct = f64(25);
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_NO);
}

static void
an_unchecked_ablated_version_says_so(void **state)
{
    struct lore_ablation_in in = timed(1000, 1200);

    (void)state;
    in.ablated_correctness = LORE_C_NONE;
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_YES);
    assert_string_equal(out.reason, "ablated version was not checked");
}

/* 40 samples around MIDDLE, evenly spread over +- SPREAD. */
static struct lore_side
spread(int64_t middle, int64_t half)
{
    int64_t *v = lore_alloc_array(&arena, 40, sizeof *v);

    for (int64_t i = 0; i < 40; i++)
        v[i] = middle + half * (2 * ((i * 17) % 40) - 39) / 39;
    return (struct lore_side){.samples_ns = v, .n = 40};
}

static void
quiet_samples_confirm_with_an_interval(void **state)
{
    struct lore_ablation_in in = timed(0, 0);

    (void)state;
    in.champion = spread(100000, 500);
    in.ablated = spread(110000, 500);
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_YES);
    assert_true(out.measured_noise_pct.set);
    assert_near(out.noise_pct, 2, 0);
    assert_true(
        out.low_pct.v > 9 && out.low_pct.v < 10 && out.high_pct.v > 10 && out.high_pct.v < 11);
    assert_true(out.low_ns.v > 9000 && out.low_ns.v < 10000 && out.high_ns.v > 10000 &&
                out.high_ns.v < 11000);
}

static void
noise_above_the_configured_threshold_hides_an_attribution(void **state)
{
    struct lore_ablation_in in = timed(0, 0);

    (void)state;
    in.champion = spread(100000, 40000);
    in.ablated = spread(105000, 40000);
    judge(in);
    assert_true(out.noise_pct > 5);
    assert_near(out.noise_pct, out.measured_noise_pct.v, 0);
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
    assert_string_equal(out.reason, "hidden by noise");
    assert_true(out.attribution_ns.set); /* the number stays */
}

static void
noise_does_not_make_an_absent_contribution_known(void **state)
{
    struct lore_ablation_in in = timed(0, 0);

    (void)state;
    in.champion = spread(100000, 40000);
    in.ablated = spread(100000, 40000);
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_UNKNOWN);
    in.champion = spread(100000, 500);
    in.ablated = spread(100000, 500);
    judge(in);
    assert_int_equal(out.contributed, LORE_CONTRIB_NO);
}

static struct lore_ablation
attributed(double ns, enum lore_contributed contributed)
{
    return (struct lore_ablation){.attribution_ns = f64(ns), .contributed = contributed};
}

static void
the_residual_is_what_the_attributions_do_not_explain(void **state)
{
    struct lore_ablation parts[] = {
        attributed(300, LORE_CONTRIB_YES), attributed(100, LORE_CONTRIB_YES)};
    struct lore_synergy s;

    (void)state;
    lore_ablation_synergy(parts, 2, f64(1500), f64(1000), LORE_X_WIN, &s);
    assert_near(s.total_ns.v, 500, 0);
    assert_near(s.sum_ns.v, 400, 0);
    assert_near(s.residual_ns.v, 100, 0);
    assert_near(s.residual_pct.v, 20, 1e-12);
    assert_false(s.gain_from_parameters);
}

static void
one_unknown_attribution_makes_the_residual_unknown(void **state)
{
    struct lore_ablation parts[] = {attributed(300, LORE_CONTRIB_YES), {0}};
    struct lore_synergy s;

    (void)state;
    lore_ablation_synergy(parts, 2, f64(1500), f64(1000), LORE_X_WIN, &s);
    assert_true(s.total_ns.set);
    assert_false(s.sum_ns.set);
    assert_false(s.residual_ns.set);
    assert_int_equal(s.n_unknown, 1);
    lore_ablation_synergy(NULL, 0, f64(1500), f64(1000), LORE_X_WIN, &s);
    assert_false(s.sum_ns.set);
    assert_false(s.gain_from_parameters);
    lore_ablation_synergy(parts, 1, (struct lore_f64){0}, f64(1000), LORE_X_WIN, &s);
    assert_false(s.residual_ns.set);
    assert_true(s.sum_ns.set);
}

static void
a_gain_that_no_technique_explains_came_from_parameters(void **state)
{
    struct lore_ablation parts[] = {
        attributed(3, LORE_CONTRIB_NO), attributed(-1, LORE_CONTRIB_NO)};
    struct lore_synergy s;

    (void)state;
    lore_ablation_synergy(parts, 2, f64(1500), f64(1000), LORE_X_WIN, &s);
    assert_true(s.gain_from_parameters);
    lore_ablation_synergy(parts, 2, f64(1000), f64(1000), LORE_X_INCONCLUSIVE, &s);
    assert_false(s.gain_from_parameters);
    assert_false(s.residual_pct.set);
    parts[1].contributed = LORE_CONTRIB_UNKNOWN;
    lore_ablation_synergy(parts, 2, f64(1500), f64(1000), LORE_X_WIN, &s);
    assert_false(s.gain_from_parameters);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_ablation_is_unknown_and_no_number),
        cmocka_unit_test(an_incorrect_ablated_version_is_unknown_not_true),
        cmocka_unit_test(without_times_nothing_is_known),
        cmocka_unit_test(attribution_is_percent_of_the_champion_against_the_threshold),
        cmocka_unit_test(an_unchecked_ablated_version_says_so),
        cmocka_unit_test(quiet_samples_confirm_with_an_interval),
        cmocka_unit_test(noise_above_the_configured_threshold_hides_an_attribution),
        cmocka_unit_test(noise_does_not_make_an_absent_contribution_known),
        cmocka_unit_test(the_residual_is_what_the_attributions_do_not_explain),
        cmocka_unit_test(one_unknown_attribution_makes_the_residual_unknown),
        cmocka_unit_test(a_gain_that_no_technique_explains_came_from_parameters),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}

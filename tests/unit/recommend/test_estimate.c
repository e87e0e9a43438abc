// uses: recommend m
/* The probability of a win under a limit, at another bottleneck, and how sure it is. */
#include <math.h>

#include "service/recommend/model.h"
#include "tests/unit/recommend_case.h"

enum { MEMORY = 1u << LORE_L_MEMORY, COMPUTE = 1u << LORE_L_COMPUTE };

static void
ask_within(double at_most)
{
    struct lore_question q = question("softmax", "a6000");

    q.at_most = at_most;
    lore_recommend(ix, &q, &arena, &answer);
}

static void
a_win_gets_less_likely_as_the_limit_comes_nearer_and_impossible_at_it(void **state)
{
    const double limits[] = {100, 3, 1.5, 1.2, 1.1, 1.06, 1.051};
    double last;
    (void)state;

    for (int i = 0; i < 6; i++)
        add(VECTORIZE, "softmax", "a6000", i % 3 == 0 ? 0.9 : 1.3 + i * 0.02);
    ask("softmax", "a6000");
    last = advised(VECTORIZE)->p_win.value;
    ask_within(1e6);
    assert_near(advised(VECTORIZE)->p_win.value, last, 1e-3);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        ask_within(limits[i]);
        const struct lore_advice *a = advised(VECTORIZE);
        assert_true(a->p_win.value < last);
        assert_true(a->p_win.low <= a->p_win.value && a->p_win.value <= a->p_win.high);
        assert_true(a->if_lost < a->p_win.value && a->p_win.value < a->if_won);
        assert_string_equal(a->steps[a->n_steps - 1].level, "the limit of the chip");
        assert_near(a->steps[a->n_steps - 1].p, a->p_win.value, 1e-12);
        last = a->p_win.value;
    }
    assert_true(last < 0.02);
    ask_within(1.04);
    assert_int_equal(answer.n_advice, 0);
}

/* Of two with the same wins the one whose gains are all large loses more of them to the limit. */
static void
a_limit_takes_more_from_what_gains_more(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        add(VECTORIZE, "softmax", "a6000", i % 4 == 0 ? 1.01 : 1.1 + i * 0.002);
        add(SHUFFLE, "softmax", "a6000", i % 4 == 0 ? 1.01 : 1.8 + i * 0.002);
    }
    ask_within(0);
    assert_near(advised(VECTORIZE)->p_win.value, advised(SHUFFLE)->p_win.value, 1e-9);
    ask_within(1.3);
    assert_true(advised(SHUFFLE)->p_win.value < advised(VECTORIZE)->p_win.value);
}

static void
add_at(const char *technique, const char *op, uint32_t labels, double speedup)
{
    struct lore_evidence_in in = base(technique, op, "a6000", speedup);

    in.labels = labels;
    lore_evidence_add(ix, &in);
}

static void
ask_at(uint32_t labels, uint32_t not_limits)
{
    struct lore_question q = question("softmax", "a6000");

    q.labels = labels;
    q.not_limits = not_limits;
    lore_recommend(ix, &q, &arena, &answer);
}

static void
what_is_for_another_bottleneck_comes_after_and_says_so(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        add_at(VECTORIZE, "softmax", 0, 1.3);
        add_at(SHUFFLE, "softmax", 0, 1.32); /* for compute and sync */
    }
    ask_at(0, 0);
    assert_string_equal(answer.advice[0].technique, SHUFFLE);
    assert_int_equal(answer.advice[0].against, 0);
    double before = advised(SHUFFLE)->p_win.value, other = advised(VECTORIZE)->p_win.value;
    ask_at(0, ~(uint32_t)MEMORY); /* by measurements of the version */
    const struct lore_advice *a = advised(SHUFFLE);
    assert_string_equal(answer.advice[0].technique, VECTORIZE);
    assert_near(advised(VECTORIZE)->p_win.value, other, 1e-12);
    assert_near(a->p_win.value / (1 - a->p_win.value), before / (1 - before) / 2, 1e-9);
    assert_int_equal(a->against, lore_technique_find(SHUFFLE)->triggers);
    assert_non_null(strstr(a->why, "It helps kernels limited by "));
    assert_string_equal(a->steps[a->n_steps - 1].level, "another bottleneck here");
    struct lore_question q = question("softmax", "a6000");
    q.labels = 0;
    q.not_limits = ~(uint32_t)MEMORY;
    q.limits_elsewhere = true; /* measured on another chip: it counts, and is not said */
    lore_recommend(ix, &q, &arena, &answer);
    assert_int_equal(advised(SHUFFLE)->against, lore_technique_find(SHUFFLE)->triggers);
    assert_null(strstr(advised(SHUFFLE)->why, "which this one is not"));
    q.labels = MEMORY; /* the question says so */
    lore_recommend(ix, &q, &arena, &answer);
    assert_non_null(strstr(advised(SHUFFLE)->why, "which this one is not"));
    ask_at(0, ~(uint32_t)(MEMORY | COMPUTE));
    assert_int_equal(advised(SHUFFLE)->against, 0);
    ask_at(MEMORY, 0); /* by what the question says */
    assert_int_equal(advised(SHUFFLE)->against, lore_technique_find(SHUFFLE)->triggers);
}

static void
experience_at_that_bottleneck_outweighs_what_a_technique_is_for(void **state)
{
    double odds[2];
    (void)state;

    for (int i = 0; i < 12; i++) { /* as good where it does not belong */
        add_at(SHUFFLE, "gemm", COMPUTE, i % 2 ? 1.3 : 1);
        add_at(SHUFFLE, "gemv", MEMORY, i % 2 ? 1.3 : 1);
    }
    add_at(SHUFFLE, "softmax", 0, 1.3);
    ask_at(0, ~(uint32_t)MEMORY);
    const struct lore_advice *a = advised(SHUFFLE);
    for (int i = 0; i < 2; i++) {
        double p = a->steps[a->n_steps - 2 + (size_t)i].p;
        odds[i] = p / (1 - p);
    }
    assert_string_equal(a->steps[a->n_steps - 1].level, "another bottleneck here");
    assert_true(odds[1] > 0.6 * odds[0]); /* alone the prior would halve them */
    ask_at(MEMORY, 0);
    assert_true(fabs(a->p_win.value - advised(SHUFFLE)->p_win.value) < 0.1);
}

static double
width(const char *technique)
{
    struct lore_interval p = advised(technique)->p_win;

    return p.high - p.low;
}

/* One search of a thousand steps: its rate is known, that of another place is not. */
static void
a_thousand_steps_of_one_search_do_not_make_a_narrow_interval(void **state)
{
    (void)state;
    for (int i = 0; i < 1000; i++)
        add(VECTORIZE, "softmax", "h100-sxm", i % 5 < 2 ? 1.3 : 1);
    ask("softmax", "a6000");
    assert_true(width(VECTORIZE) > 0.35);
    assert_true(advised(VECTORIZE)->p_win.low < 0.22 && advised(VECTORIZE)->p_win.high > 0.6);
    assert_true(advised(VECTORIZE)->effective_n < 10);
    ask("softmax", "h100-sxm"); /* there it is better known */
    assert_true(width(VECTORIZE) < 0.5);
}

/* Places that agree make it narrower than places that differ. */
static void
the_interval_is_as_wide_as_places_differ(void **state)
{
    static const char *const chips[] = {"a100", "mi300x", "h100-sxm", "h200", "l40s", "b200"};
    (void)state;

    for (int i = 0; i < 240; i++) {
        int chip = i % 6, nth = i / 6;
        add(VECTORIZE, "softmax", chips[chip], nth % 2 ? 1.3 : 1);
        add(SHUFFLE, "softmax", chips[chip], chip % 2 ? 1.3 : 1);
    }
    ask("softmax", "a6000");
    assert_near(advised(VECTORIZE)->p_win.value, advised(SHUFFLE)->p_win.value, 0.1);
    assert_true(width(VECTORIZE) < 0.75 * width(SHUFFLE));
    assert_true(width(SHUFFLE) > 0.6);
}

static void
one_place_with_many_results_does_not_drown_the_others(void **state)
{
    static const char *const chips[] = {"a100", "a4000", "h200", "l40s", "b200", "a6000"};
    (void)state;

    for (int i = 0; i < 2000; i++)
        add(VECTORIZE, "softmax", "h100-sxm", 1.5);
    for (int i = 0; i < 12; i++)
        add(VECTORIZE, "softmax", chips[i % 6], 0.9);
    ask("softmax", "a6000");
    const struct lore_advice *a = advised(VECTORIZE);
    assert_true((a ? a : avoided(VECTORIZE))->p_win.value < 0.6);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_win_gets_less_likely_as_the_limit_comes_nearer_and_impossible_at_it),
        TEST(a_limit_takes_more_from_what_gains_more),
        TEST(what_is_for_another_bottleneck_comes_after_and_says_so),
        TEST(experience_at_that_bottleneck_outweighs_what_a_technique_is_for),
        TEST(a_thousand_steps_of_one_search_do_not_make_a_narrow_interval),
        TEST(the_interval_is_as_wide_as_places_differ),
        TEST(one_place_with_many_results_does_not_drown_the_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// uses: derive
/* Sums over served advice, against sums made here the long way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/feedback_sum.h"

static struct lore_arena arena;

static struct lore_advice_result
result(int64_t advice, const char *list, int64_t rank, const char *technique, double p,
    enum lore_effect effect, double speedup)
{
    return (struct lore_advice_result){.advice = advice,
        .list = list,
        .rank = rank,
        .technique = technique,
        .chip = "h200",
        .p_win = {true, p},
        .effect = effect,
        .correctness = LORE_C_PASS,
        .speedup = {speedup > 0, speedup}};
}

static struct lore_advice_sum
sum(const struct lore_advice_count *counts, size_t n_counts, const struct lore_advice_result *rows,
    size_t n)
{
    struct lore_advice_sum s = {0};
    struct lore_err err = {0};

    assert_int_equal(
        lore_advice_sum(&(struct lore_advice_served){counts, n_counts, rows, n}, &arena, &s, &err),
        LORE_OK);
    return s;
}

static const struct lore_advice_count two[] = {
    {.chip = "h200", .technique = "a", .list = "advice", .served = 5, .applied = 2},
    {.chip = "h200", .technique = "b", .list = "avoid", .served = 4, .opened = 1}};

static void
an_experiment_says_worked_did_not_or_nothing(void **state)
{
    struct lore_advice_result r = result(1, "advice", 1, "a", 0.5, LORE_X_WIN, 1.2);

    (void)state;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_WORKED);
    r.unearned = true; /* it gained, and not by this */
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_NOT);
    r.unearned = false;
    r.correctness = LORE_C_FAIL;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_NOT);
    r.hidden = true;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_OPEN);
    r = result(1, "advice", 1, "a", 0.5, LORE_X_NEUTRAL, 1);
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_NOT);
    r.effect = LORE_X_LOSS;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_NOT);
    r.effect = LORE_X_INCONCLUSIVE;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_INCONCLUSIVE);
    r.effect = LORE_X_NOT_MEASURED;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_OPEN);
    r.said_lost = true;
    assert_int_equal(lore_advice_outcome(&r), LORE_ITEM_NOT);
}

static void
the_first_experiment_that_decides_counts_and_counts_once(void **state)
{
    const struct lore_advice_result rows[] = {
        result(2, "advice", 1, "a", 0.8, LORE_X_INCONCLUSIVE, 1.01),
        result(2, "advice", 1, "a", 0.8, LORE_X_LOSS, 0.7),
        result(2, "advice", 1, "a", 0.8, LORE_X_WIN, 1.5),
        result(1, "advice", 1, "a", 0.6, LORE_X_WIN, 1.2),
        result(1, "avoid", 1, "b", 0.1, LORE_X_INCONCLUSIVE, 1)};
    struct lore_advice_sum s = sum(two, 2, rows, 5);

    (void)state;
    assert_int_equal(s.n_lines, 2);
    assert_int_equal(s.lines[0].t.worked, 1);
    assert_int_equal(s.lines[0].t.did_not, 1);
    assert_int_equal(s.lines[0].t.inconclusive, 0);
    assert_int_equal(s.lines[1].t.inconclusive, 1);
    assert_false(s.lines[1].t.rate.set);
    assert_int_equal(s.calibration.n, 2);
    assert_true(fabs(s.calibration.brier.v - (0.8 * 0.8 + 0.4 * 0.4) / 2) < 1e-12);
    /* what was tried of answer 2 first lost; answer 1 gained 1.2 */
    assert_int_equal(s.n_followed, 2);
    assert_int_equal(s.followed[0].advice, 2);
    assert_true(fabs(s.followed[0].speedup - 1) < 1e-12);
    assert_true(fabs(s.followed[1].speedup - 1.2) < 1e-12);
}

static void
what_should_be_left_alone_is_a_list_of_its_own(void **state)
{
    const struct lore_advice_result rows[] = {result(3, "avoid", 1, "b", 0.1, LORE_X_WIN, 1.4)};
    struct lore_advice_sum s = sum(two, 2, rows, 1);

    (void)state;
    assert_int_equal(s.n_lists, 2);
    assert_string_equal(s.lists[0].list, "advice");
    assert_int_equal(s.lists[0].t.served, 5);
    assert_int_equal(s.lists[0].t.worked, 0);
    assert_int_equal(s.lists[1].t.worked, 1);
    assert_int_equal(s.n_followed, 0); /* nobody was told to try it */
    assert_int_equal(s.calibration.n, 1);
}

static void
the_interval_is_wilsons(void **state)
{
    struct lore_advice_result rows[10];
    struct lore_advice_sum s;

    (void)state;
    for (int i = 0; i < 10; i++)
        rows[i] = result(10 - i, "advice", 1, "a", 0.5, i < 8 ? LORE_X_WIN : LORE_X_LOSS, 1.1);
    s = sum(two, 2, rows, 10);
    assert_true(fabs(s.lines[0].t.rate.v - 0.8) < 1e-12);
    /* 8 of 10 at 90 %, from the score equation (p - x)^2 = z^2 x (1 - x) / n solved for x */
    for (int side = 0; side < 2; side++) {
        double x = side == 0 ? s.lines[0].t.low.v : s.lines[0].t.high.v;
        double z2 = 1.6448536269514722 * 1.6448536269514722;

        assert_true(fabs((0.8 - x) * (0.8 - x) - z2 * x * (1 - x) / 10) < 1e-12);
    }
    assert_true(s.lines[0].t.low.v < 0.8 && 0.8 < s.lines[0].t.high.v);
    s = sum(two, 2, rows, 1); /* one try that worked */
    assert_true(s.lines[0].t.low.v > 0.2 && s.lines[0].t.low.v < 0.3);
    assert_true(s.lines[0].t.high.v <= 1);
}

/* 2,000 random items: each bin, Brier and error again, from the definition. */
static void
calibration_is_what_its_definition_says(void **state)
{
    enum { N = 2000 };
    static struct lore_advice_result rows[N];
    double said[10] = {0}, seen[10] = {0}, n[10] = {0}, brier = 0, error = 0;
    struct lore_advice_sum s;
    uint64_t seed = 42;

    (void)state;
    for (int i = 0; i < N; i++) {
        double p, won;
        int bin;

        seed = seed * 6364136223846793005u + 1442695040888963407u;
        p = (double)(seed >> 40) / (double)(1 << 24);
        won = (seed >> 20) % 1000 < (uint64_t)(1000 * p * p); /* too sure of itself */
        rows[i] = result(N - i, "advice", 1, "a", p, won > 0 ? LORE_X_WIN : LORE_X_LOSS, 1.1);
        bin = p < 1 ? (int)(p * 10) : 9;
        said[bin] += p;
        seen[bin] += won;
        n[bin]++;
        brier += (p - won) * (p - won) / N;
    }
    s = sum(two, 2, rows, N);
    for (int b = 0; b < 10; b++) {
        assert_int_equal(s.calibration.bins[b].n, (size_t)n[b]);
        assert_true(fabs(s.calibration.bins[b].mean_probability - said[b] / n[b]) < 1e-9);
        assert_true(fabs(s.calibration.bins[b].rate - seen[b] / n[b]) < 1e-9);
        error += fabs(said[b] - seen[b]) / N;
    }
    assert_true(fabs(s.calibration.brier.v - brier) < 1e-9);
    assert_true(fabs(s.calibration.error.v - error) < 1e-9);
    assert_true(s.calibration.error.v > 0.1);
}

static void
regret_is_what_was_left_on_the_table(void **state)
{
    (void)state;
    assert_true(fabs(lore_advice_regret(1.2, 1.5) - 0.2) < 1e-12);
    assert_true(lore_advice_regret(0.5, 0.8) < 1e-12); /* nobody has to take a loss */
    assert_true(fabs(lore_advice_regret(0.5, 2) - 0.5) < 1e-12);
    assert_true(lore_advice_regret(2, 1.5) < 1e-12);
}

static void
without_outcomes_there_is_nothing_to_say(void **state)
{
    struct lore_advice_sum s = sum(two, 2, NULL, 0);

    (void)state;
    assert_int_equal(s.lists[0].t.served, 5);
    assert_false(s.lists[0].t.rate.set);
    assert_false(s.calibration.brier.set);
    assert_int_equal(s.n_followed, 0);
    s = sum(NULL, 0, NULL, 0);
    assert_int_equal(s.n_lists, 0);
}

static void
odds_that_are_none_are_refused(void **state)
{
    const struct lore_advice_result bad = result(1, "advice", 1, "a", 1.5, LORE_X_WIN, 1.2);
    struct lore_advice_sum s = {0};
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        lore_advice_sum(&(struct lore_advice_served){two, 2, &bad, 1}, &arena, &s, &err),
        LORE_INVALID);
}

static int
forget(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_experiment_says_worked_did_not_or_nothing),
        cmocka_unit_test(the_first_experiment_that_decides_counts_and_counts_once),
        cmocka_unit_test(what_should_be_left_alone_is_a_list_of_its_own),
        cmocka_unit_test(the_interval_is_wilsons),
        cmocka_unit_test(calibration_is_what_its_definition_says),
        cmocka_unit_test(regret_is_what_was_left_on_the_table),
        cmocka_unit_test(without_outcomes_there_is_nothing_to_say),
        cmocka_unit_test(odds_that_are_none_are_refused),
    };

    return cmocka_run_group_tests_name("feedback sum", tests, NULL, forget);
}

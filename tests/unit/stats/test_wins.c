// uses: stats m
/* Wins among many attempts: those that are no more than chance do not stay, clear ones do. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/stats/wins.h"
#include "tests/unit/compare_sim.h"

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

/* Won by the verdict on samples: more than 5 % and the whole 99 % interval above 1. */
static struct lore_wins_attempt
attempt(double gain, double error, double noise)
{
    double x = gain + error * noise, half = 2.5758 * error;

    return (struct lore_wins_attempt){
        x > log(1.05) && x > half, exp(x), exp(x - half), exp(x + half)};
}

static void
a_win_alone_stays_and_among_many_failures_does_not(void **state)
{
    struct lore_wins_attempt v[100];
    struct lore_wins w;
    (void)state;

    v[0] = attempt(0.1, 0.1 / 2.7, 0);
    assert_true(v[0].won);
    lore_wins(v, 1, 0.99, &arena, &w);
    assert_int_equal(w.stay, 1);
    for (size_t i = 1; i < 100; i++)
        v[i] = attempt(-0.001, 0.03, 0);
    lore_wins(v, 100, 0.99, &arena, &w);
    assert_int_equal(w.attempts, 100);
    assert_int_equal(w.won, 1);
    assert_int_equal(w.stay, 0);
}

static void
a_clear_loss_is_tested_and_stays_no_win(void **state)
{
    struct lore_wins_attempt v[] = {attempt(-0.5, 0.01, 0), attempt(0.5, 0.01, 0)};
    struct lore_wins w;
    (void)state;

    lore_wins(v, 2, 0.99, &arena, &w);
    assert_int_equal(w.tested, 2);
    assert_int_equal(w.won, 1);
    assert_int_equal(w.stay, 1);
}

static void
an_attempt_without_an_interval_is_counted_and_not_tested(void **state)
{
    struct lore_wins_attempt v[] = {{true, 1.5, 0, 0}, {true, 0, 0, 0}, {true, 1.5, 1.49, 1.51}};
    struct lore_wins w;
    (void)state;

    lore_wins(v, 3, 0.99, &arena, &w);
    assert_int_equal(w.attempts, 3);
    assert_int_equal(w.won, 3);
    assert_int_equal(w.tested, 1);
    assert_int_equal(w.stay, 1);
    lore_wins(v, 0, 0.99, &arena, &w);
    assert_int_equal(w.attempts + w.won + w.tested + w.stay, 0);
}

static void
of_the_wins_that_stay_one_in_twenty_is_false_at_most(void **state)
{
    enum { CAMPAIGNS = 400, ATTEMPTS = 300, REAL = 6 };
    uint64_t seed = 12;
    double share = 0, wrongly_won = 0, found = 0;
    (void)state;

    for (size_t c = 0; c < CAMPAIGNS; c++) {
        struct lore_wins_attempt v[ATTEMPTS];
        struct lore_wins all, real;
        for (size_t i = 0; i < ATTEMPTS; i++)
            v[i] = attempt(i < REAL ? 0.2 : 0, 0.04, sim_normal(&seed));
        lore_wins(v, ATTEMPTS, 0.99, &arena, &all);
        for (size_t i = REAL; i < ATTEMPTS; i++) { /* the same p, and no longer counted as wins */
            wrongly_won += v[i].won;
            v[i].won = false;
        }
        lore_wins(v, ATTEMPTS, 0.99, &arena, &real);
        share += all.stay > 0 ? (double)(all.stay - real.stay) / (double)all.stay : 0;
        found += (double)real.stay / REAL;
        lore_arena_reset(&arena);
    }
    assert_true(wrongly_won / CAMPAIGNS > 1); /* there is something to be fooled by */
    assert_true(share / CAMPAIGNS <= 0.05);
    assert_true(found / CAMPAIGNS > 0.7);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(a_win_alone_stays_and_among_many_failures_does_not, clean),
        cmocka_unit_test_teardown(a_clear_loss_is_tested_and_stays_no_win, clean),
        cmocka_unit_test_teardown(an_attempt_without_an_interval_is_counted_and_not_tested, clean),
        cmocka_unit_test_teardown(of_the_wins_that_stay_one_in_twenty_is_false_at_most, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

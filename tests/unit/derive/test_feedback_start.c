// uses: derive
/* Sums over versions that were proposed to start from. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/feedback_start.h"
#include "tests/unit/near.h"

/* A run of proposal ADVICE, said to reach 0.9 (0.8 to 1) of the best, where the best takes 100. */
static struct lore_start_result
ran(int64_t advice, double time_ns)
{
    return (struct lore_start_result){.advice = advice,
        .rank = 1,
        .list = "start",
        .value = 0.9,
        .low = 0.8,
        .high = 1,
        .p_fail = 0.2,
        .time_ns = time_ns,
        .best = {100, LORE_START_KNOWN}};
}

static struct lore_start_result
failed(int64_t advice)
{
    struct lore_start_result r = ran(advice, 0);

    r.failed = true;
    return r;
}

static void
what_came_true_is_the_best_by_what_it_took(void **state)
{
    const struct lore_start_result v[] = {ran(4, 100), ran(3, 125), ran(2, 200), ran(1, 90)};
    struct lore_start_sum s;
    (void)state;

    lore_start_sum(v, 4, &s);
    assert_int_equal(s.tried, 4);
    assert_int_equal(s.decided, 4);
    assert_int_equal(s.failed, 0);
    assert_int_equal(s.inside, 3);
    assert_near(s.stated, 0.9, 1e-12);
    assert_near(s.came, (1 + 0.8 + 0.5 + 1) / 4, 1e-12); /* never more than the best */
}

static void
the_first_run_that_says_something_decides(void **state)
{
    struct lore_start_result v[] = {ran(1, 100), ran(1, 0), ran(1, 200), ran(1, 100)};
    struct lore_start_sum s;
    (void)state;

    v[0].hidden = true;
    lore_start_sum(v, 4, &s);
    assert_int_equal(s.tried, 1);
    assert_near(s.came, 0.5, 1e-12);
    v[2].list = "next"; /* another proposal, of which nothing was said before */
    lore_start_sum(v, 3, &s);
    assert_int_equal(s.tried, 1);
    v[0].hidden = false;
    lore_start_sum(v, 3, &s);
    assert_int_equal(s.tried, 2);
}

static void
failures_count_against_the_odds_that_were_stated_and_have_no_fraction(void **state)
{
    const struct lore_start_result v[] = {failed(3), failed(2), ran(1, 100)};
    struct lore_start_sum s;
    (void)state;

    lore_start_sum(v, 3, &s);
    assert_int_equal(s.tried, 3);
    assert_int_equal(s.failed, 2);
    assert_near(s.p_fail, 0.2, 1e-12);
    assert_int_equal(s.decided, 1);
    assert_near(s.came, 1, 1e-12);
}

static void
where_little_is_measured_no_fraction_is_known(void **state)
{
    struct lore_start_result v = ran(1, 100);
    struct lore_start_sum s;
    (void)state;

    v.best.versions = LORE_START_KNOWN - 1;
    lore_start_sum(&v, 1, &s);
    assert_int_equal(s.tried, 1);
    assert_int_equal(s.decided, 0);
    lore_start_sum(&v, 0, &s);
    assert_int_equal(s.tried, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_came_true_is_the_best_by_what_it_took),
        cmocka_unit_test(the_first_run_that_says_something_decides),
        cmocka_unit_test(failures_count_against_the_odds_that_were_stated_and_have_no_fraction),
        cmocka_unit_test(where_little_is_measured_no_fraction_is_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

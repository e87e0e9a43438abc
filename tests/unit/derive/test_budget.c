// uses: derive m
/* The axis budget, against the results of the code it reproduces. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/budget.h"

static void
check(double c, double m, double l, int nc, int nm, int nl)
{
    struct lore_axis_budget b = lore_axis_budget(c, m, l);

    if (b.compute != nc || b.memory != nm || b.latency != nl)
        fail_msg("(%g, %g, %g) gives %d/%d/%d, not %d/%d/%d", c, m, l, b.compute, b.memory,
            b.latency, nc, nm, nl);
}

static void
the_published_vectors_come_out(void **state)
{
    (void)state;
    check(.92, .57, .61, 1, 1, 1); /* its documentation claims 2/0/1 */
    check(.85, .60, .55, 1, 1, 1);
    check(.5, .5, .5, 1, 1, 1);
    check(.9, .2, .1, 2, 1, 0);
    check(.2, .9, .4, 0, 2, 1);
    check(.09, .5, .5, 0, 2, 1);
    check(.9, .9, .05, 1, 2, 0);
    check(0, .12, 0, 1, 2, 0);
    check(.95, .05, .05, 2, 1, 0);
    check(.05, .05, .05, 1, 1, 1);
}

static void
a_share_of_a_half_rounds_to_even(void **state)
{
    (void)state;
    /* shares 1.5, 1, 0.5 become 2, 1, 0; rounding halves up would give 2, 1, 1 and cut one */
    check(.75, .5, .25, 2, 1, 0);
    check(.25, .5, .75, 0, 1, 2);
    /* 0.5, 0.5, 2 become 0, 0, 2, and memory is filled first */
    check(.25, .25, 1, 0, 1, 2);
}

static void
a_gap_counts_from_ten_percent(void **state)
{
    (void)state;
    check(.095, .2, .2, 0, 2, 1);
    check(.1, .2, .2, 1, 1, 1);
}

static void
every_budget_is_three_with_at_most_two_per_axis(void **state)
{
    (void)state;
    for (int c = 0; c <= 40; c++)
        for (int m = 0; m <= 40; m++)
            for (int l = 0; l <= 40; l++) {
                struct lore_axis_budget b = lore_axis_budget(c / 40., m / 40., l / 40.);

                assert_int_equal(b.compute + b.memory + b.latency, 3);
                assert_in_range(b.compute, 0, 2);
                assert_in_range(b.memory, 0, 2);
                assert_in_range(b.latency, 0, 2);
            }
}

static void
numbers_that_are_none_count_as_no_gap(void **state)
{
    (void)state;
    check(NAN, .5, .5, 0, 2, 1);
    check(NAN, NAN, NAN, 1, 1, 1);
    check(INFINITY, .1, -INFINITY, 2, 1, 0);
}

static void
an_unknown_gap_gives_no_budget(void **state)
{
    struct lore_gaps g = {.compute = {true, .9}, .memory = {true, .2}, .latency = {false, 0}};
    struct lore_axis_budget b = {7, 7, 7};
    (void)state;

    assert_false(lore_axis_budget_of(&g, &b));
    assert_int_equal(b.compute, 7);
    g.latency = (struct lore_f64){true, .1};
    assert_true(lore_axis_budget_of(&g, &b));
    assert_int_equal(b.compute, 2);
    assert_int_equal(b.memory, 1);
    assert_int_equal(b.latency, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_vectors_come_out),
        cmocka_unit_test(a_share_of_a_half_rounds_to_even),
        cmocka_unit_test(a_gap_counts_from_ten_percent),
        cmocka_unit_test(every_budget_is_three_with_at_most_two_per_axis),
        cmocka_unit_test(numbers_that_are_none_count_as_no_gap),
        cmocka_unit_test(an_unknown_gap_gives_no_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

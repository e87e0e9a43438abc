// uses: api
/* Which times compare, and by which of them the story of a kernel is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/api/timing.h"

#define T(chip, hard, method)                                                                      \
    {                                                                                              \
        "w", "W", chip, "e", hard, method, true                                                    \
    }

static void
an_environment_that_is_not_known_contradicts_none(void **state)
{
    struct lore_arena a = {0};
    const struct lore_timing known = T("mi300x", "h1", "bench"), other = T("mi300x", "h2", "bench"),
                             unknown = T("mi300x", NULL, "bench"), bare = T("mi300x", "h1", NULL);

    (void)state;
    assert_true(lore_timing_comparable(&known, &unknown));
    assert_false(lore_timing_comparable(&known, &other));
    assert_null(lore_timing_differences(&known, &unknown, &a));
    assert_string_equal(lore_timing_differences(&other, &known, &a), "environment e");
    assert_string_equal(lore_timing_differences(&bare, &known, &a), "method not recorded");
    lore_arena_free(&a);
}

static void
most_versions_decide_and_not_most_runs(void **state)
{
    const struct lore_timing_of all[] = {{T("h200", NULL, "bench"), 0, false},
        {T("h200", NULL, "bench"), 0, false}, {T("h200", NULL, "bench"), 0, false},
        {T("mi300x", "h1", "bench"), 1, false}, {T("mi300x", "h1", "ncu"), 1, false},
        {T("mi300x", "h1", "bench"), 2, false}};

    (void)state;
    assert_ptr_equal(lore_timing_choose(all, 6), &all[3].t);
    assert_ptr_equal(lore_timing_choose(all, 3), &all[0].t);
    assert_null(lore_timing_choose(all, 0));
}

static void
of_equals_the_first_with_a_known_environment_is_taken(void **state)
{
    const struct lore_timing_of all[] = {{T("mi300x", NULL, "bench"), 0, false},
        {T("mi300x", "h1", "bench"), 1, false}, {T("h200", "h9", "bench"), 1, false},
        {T("h200", "h9", "bench"), 2, false}};

    (void)state;
    assert_ptr_equal(lore_timing_choose(all, 4), &all[1].t);
}

static void
branches_do_not_outvote_the_versions_they_leave(void **state)
{
    const struct lore_timing_of all[] = {{T("h200", NULL, "bench"), 0, false},
        {T("h200", NULL, "explore"), 1, true}, {T("h200", NULL, "explore"), 2, true},
        {T("h200", NULL, "explore"), 3, true}};

    (void)state;
    assert_ptr_equal(lore_timing_choose(all, 4), &all[0].t);
    assert_ptr_equal(lore_timing_choose(&all[1], 3), &all[1].t);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_environment_that_is_not_known_contradicts_none),
        cmocka_unit_test(most_versions_decide_and_not_most_runs),
        cmocka_unit_test(branches_do_not_outvote_the_versions_they_leave),
        cmocka_unit_test(of_equals_the_first_with_a_known_environment_is_taken),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

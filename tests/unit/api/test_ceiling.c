// uses: api
/* Which measured bandwidth a problem is held against. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/api/ceiling.h"

#define BYTES(v)                                                                                   \
    (struct lore_f64)                                                                              \
    {                                                                                              \
        true, v                                                                                    \
    }

static void
the_own_environment_comes_before_a_better_size(void **state)
{
    const struct lore_ceiling all[] = {
        {"other, fits", false, {true, 1e9}}, {"own, too small", true, {true, 1e6}}};

    (void)state;
    assert_int_equal(lore_ceiling_choose(all, 2, BYTES(5e8)), 1);
    assert_int_equal(lore_ceiling_choose(all, 1, BYTES(5e8)), 0);
    assert_int_equal(lore_ceiling_choose(all, 0, BYTES(5e8)), 0);
}

static void
the_nearest_size_that_is_not_below_the_problem_counts(void **state)
{
    const struct lore_ceiling all[] = {{"small", false, {true, 1e6}}, {"huge", false, {true, 1e10}},
        {"unsized", false, {0}}, {"right", false, {true, 1e9}}, {"smaller", false, {true, 1e5}}};

    (void)state;
    assert_int_equal(lore_ceiling_choose(all, 5, BYTES(5e8)), 3);
    assert_int_equal(lore_ceiling_choose(all, 5, BYTES(1e9)), 3);
    assert_int_equal(lore_ceiling_choose(all, 5, BYTES(2e9)), 1);
    assert_int_equal(lore_ceiling_choose(all, 5, BYTES(1e11)), 2);
    assert_int_equal(lore_ceiling_choose(all, 1, BYTES(1e11)), 0);
    assert_int_equal(lore_ceiling_choose(&all[4], 1, BYTES(1e11)), 0);
}

static void
without_a_size_of_the_problem_the_newest_counts(void **state)
{
    const struct lore_ceiling all[] = {
        {"newest", false, {true, 1e6}}, {"older", false, {true, 1e9}}, {"own", true, {0}}};

    (void)state;
    assert_int_equal(lore_ceiling_choose(all, 2, (struct lore_f64){0}), 0);
    assert_int_equal(lore_ceiling_choose(all, 3, (struct lore_f64){0}), 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_own_environment_comes_before_a_better_size),
        cmocka_unit_test(the_nearest_size_that_is_not_below_the_problem_counts),
        cmocka_unit_test(without_a_size_of_the_problem_the_newest_counts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

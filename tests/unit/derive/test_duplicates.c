// uses: derive
/* The warning that a plan was tried before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/derive/duplicates.h"

static struct lore_arena arena;
static struct lore_err err;
static struct lore_duplicates out;
static const char *const ab[] = {"a", "b"}, *const ba[] = {"b", "a"}, *const ab_[] = {"ab"};

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static struct lore_duplicate_plan
plan(const char *const *techniques, size_t n, const char *from)
{
    return (struct lore_duplicate_plan){"k", "w", "mi300x", techniques, n, from};
}

static void
the_same_change_is_found_whatever_the_order_of_its_techniques(void **state)
{
    struct lore_duplicate_past rows[] = {
        {.experiment = "1", .plan = plan(ba, 2, "v1"), .effect = LORE_X_LOSS, .seq = 1},
        {.experiment = "2", .plan = plan(ab, 1, "v1"), .seq = 2},
        {.experiment = "3", .plan = plan(ab_, 1, "v1"), .seq = 3},
    };
    struct lore_duplicate_plan want = plan(ab, 2, "v1");

    (void)state;
    assert_int_equal(lore_duplicates_find(&want, rows, 3, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.n, 1);
    assert_string_equal(out.v[0].past->experiment, "1");
    assert_int_equal(out.v[0].past->effect, LORE_X_LOSS);
    assert_int_equal(out.v[0].kind, LORE_DUP_SAME_STATE);
}

static void
the_same_state_comes_first_then_the_newest(void **state)
{
    struct lore_duplicate_past rows[] = {
        {.experiment = "other", .plan = plan(ab, 2, "v9"), .seq = 9},
        {.experiment = "unknown", .plan = plan(ab, 2, NULL), .seq = 8},
        {.experiment = "old", .plan = plan(ab, 2, "v1"), .seq = 1},
        {.experiment = "new", .plan = plan(ab, 2, "v1"), .seq = 2},
    };
    struct lore_duplicate_plan want = plan(ab, 2, "v1");

    (void)state;
    assert_int_equal(lore_duplicates_find(&want, rows, 4, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.n, 4);
    assert_string_equal(out.v[0].past->experiment, "new");
    assert_string_equal(out.v[1].past->experiment, "old");
    assert_string_equal(out.v[2].past->experiment, "unknown");
    assert_string_equal(out.v[3].past->experiment, "other");
    assert_string_equal(lore_duplicate_name(out.v[3].kind), "other_state");
}

static void
another_kernel_workload_or_chip_is_another_plan(void **state)
{
    struct lore_duplicate_past row = {.experiment = "1", .plan = plan(ab, 2, "v1")};
    struct lore_duplicate_plan want = plan(ab, 2, "v1");
    const char **parts[] = {&want.kernel, &want.workload, &want.chip};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        want = plan(ab, 2, "v1");
        *parts[i] = "other";
        assert_int_equal(lore_duplicates_find(&want, &row, 1, &arena, &out, &err), LORE_OK);
        assert_int_equal(out.n, 0);
    }
}

static void
masked_rows_are_only_counted(void **state)
{
    struct lore_duplicate_past row = {.experiment = "1", .plan = plan(ab, 2, "v1"), .masked = true};
    struct lore_duplicate_plan want = plan(ab, 2, "v1");

    (void)state;
    assert_int_equal(lore_duplicates_find(&want, &row, 1, &arena, &out, &err), LORE_OK);
    assert_int_equal(out.n, 0);
    assert_int_equal(out.n_masked, 1);
}

static void
a_plan_without_kernel_or_techniques_cannot_be_compared(void **state)
{
    struct lore_duplicate_plan want = plan(ab, 0, "v1");

    (void)state;
    assert_int_equal(lore_duplicates_find(&want, NULL, 0, &arena, &out, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "techniques"));
    want = plan(ab, 2, "v1");
    want.kernel = NULL;
    assert_int_equal(lore_duplicates_find(&want, NULL, 0, &arena, &out, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "kernel"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_change_is_found_whatever_the_order_of_its_techniques),
        cmocka_unit_test(the_same_state_comes_first_then_the_newest),
        cmocka_unit_test(another_kernel_workload_or_chip_is_another_plan),
        cmocka_unit_test(masked_rows_are_only_counted),
        cmocka_unit_test(a_plan_without_kernel_or_techniques_cannot_be_compared),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}

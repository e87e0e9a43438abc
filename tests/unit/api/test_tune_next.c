// uses: api
/* Which value of a parameter is tried next. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/api/tune_next.h"

static struct lore_arena arena;
static struct lore_tune_value tried[8];
static struct lore_tune_row row;

static int
end(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
begin(const char *parameter, const char *from)
{
    memset(tried, 0, sizeof tried);
    row = (struct lore_tune_row){.parameter = parameter, .from = from, .tried = tried};
}

static void
add(const char *value, enum lore_attempt_end how, double speedup, const char *op)
{
    tried[row.n_tried++] = (struct lore_tune_value){
        .value = value, .text = value, .end = how, .speedup = speedup, .op = op};
}

static const char *
next(void)
{
    lore_tune_next(&row, &arena);
    return row.to ? row.to : "none";
}

static void
counts_grow_by_one_and_sizes_double(void **state)
{
    (void)state;
    begin("num_stages", "2");
    assert_string_equal(next(), "3");
    begin("block_k", "32");
    assert_string_equal(next(), "64");
    begin("threads", "192");
    assert_string_equal(next(), "256");
}

static void
nothing_beyond_a_value_that_failed_is_tried(void **state)
{
    (void)state;
    begin("num_stages", "3");
    add("4", LORE_ATTEMPT_NOT_BUILT, 0, NULL);
    assert_string_equal(next(), "2");
    add("2", LORE_ATTEMPT_LOSS, 0.8, NULL);
    assert_string_equal(next(), "none");
    begin("block_k", "32");
    add("48", LORE_ATTEMPT_LOSS, 0.9, NULL);
    assert_string_equal(next(), "16");
}

/* The present value may lie between or beyond them. */
static void
two_failures_around_an_unknown_value_give_no_next_one(void **state)
{
    (void)state;
    begin("warp_k", NULL);
    add("8", LORE_ATTEMPT_NOT_BUILT, 0, NULL);
    add("8", LORE_ATTEMPT_NOT_BUILT, 0, NULL);
    assert_string_equal(next(), "16");
    assert_string_equal(row.why, "warp_k: 8 did not compile");
    add("32", LORE_ATTEMPT_NOT_BUILT, 0, NULL);
    assert_string_equal(next(), "none");
}

static void
what_gained_most_elsewhere_comes_first(void **state)
{
    (void)state;
    begin("block_k", "32");
    add("128", LORE_ATTEMPT_GAIN, 1.2, "gemm");
    add("256", LORE_ATTEMPT_GAIN, 1.5, "gemm");
    add("32", LORE_ATTEMPT_GAIN, 2, "gemm");
    assert_string_equal(next(), "256");
    assert_non_null(strstr(row.why, "256 won on gemm (1.5x)"));
    add("256", LORE_ATTEMPT_LOSS, 0.7, NULL);
    assert_string_equal(next(), "128");
}

static void
one_side_of_a_tile_changes(void **state)
{
    (void)state;
    begin("tile", "\"128x64\"");
    assert_string_equal(next(), "\"256x64\"");
    add("256x64", LORE_ATTEMPT_LOSS, 0.7, NULL);
    assert_string_equal(next(), "\"64x64\"");
}

static void
a_value_without_an_order_has_no_next_one(void **state)
{
    (void)state;
    begin("swizzle", "\"nhwc\"");
    assert_string_equal(next(), "none");
    begin(NULL, NULL);
    row.technique = "compute.launch_config";
    assert_string_equal(next(), "none");
    assert_non_null(row.why);
}

static void
the_words_say_what_came_of_each_value(void **state)
{
    (void)state;
    begin("num_stages", "3");
    add("4", LORE_ATTEMPT_LOSS, 0.93, NULL);
    add("5", LORE_ATTEMPT_NOT_BUILT, 0, NULL);
    (void)next();
    assert_string_equal(row.why, "num_stages is 3 now; 4 was slower (0.93x), 5 did not compile");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(counts_grow_by_one_and_sizes_double, end),
        cmocka_unit_test_teardown(nothing_beyond_a_value_that_failed_is_tried, end),
        cmocka_unit_test_teardown(two_failures_around_an_unknown_value_give_no_next_one, end),
        cmocka_unit_test_teardown(what_gained_most_elsewhere_comes_first, end),
        cmocka_unit_test_teardown(one_side_of_a_tile_changes, end),
        cmocka_unit_test_teardown(a_value_without_an_order_has_no_next_one, end),
        cmocka_unit_test_teardown(the_words_say_what_came_of_each_value, end),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

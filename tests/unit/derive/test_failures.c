// uses: derive
/* Failures that came back are told once, with what is known of them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/derive/failures.h"

static void
a_failure_of_one_experiment_recurs_once_however_often_it_happened(void **state)
{
    struct lore_arena a = {0};
    const struct lore_pitfall newer = {.type = "runtime", .code = "700", .message = "illegal"},
                              older = {.type = "runtime",
                                  .code = "700",
                                  .fix = "a bound",
                                  .message = "another text",
                                  .count = {true, 3}};
    const struct lore_failed in[] = {{&newer, "E2", NULL, 20}, {&older, "E2", NULL, 10},
        {&older, "E1", NULL, 9}, {&newer, NULL, "R1", 8}};
    struct lore_failure_group *g;
    size_t n;

    (void)state;
    lore_failures_group(in, 4, &a, &g, &n);
    assert_int_equal(n, 1);
    assert_int_equal(g[0].recurrences, 3);
    assert_int_equal(g[0].count, 8);
    assert_int_equal(g[0].n_experiments, 2);
    assert_string_equal(g[0].experiments[0], "E2");
    assert_string_equal(g[0].message, "illegal");
    assert_string_equal(g[0].fix, "a bound");
    assert_string_equal(g[0].run, "R1");
    assert_null(g[0].words);
    lore_arena_free(&a);
}

static void
without_a_code_the_first_words_tell_failures_apart(void **state)
{
    struct lore_arena a = {0};
    const struct lore_pitfall p[] = {{.type = "compilation", .message = "Line 12:  no such word"},
        {.type = "compilation", .message = "line 7: no such word as this one"},
        {.type = "runtime", .message = "line 7: no such word"}, {.type = "runtime"}};
    const struct lore_failed in[] = {{&p[3], "E4", NULL, 4}, {&p[2], "E3", NULL, 3},
        {&p[1], "E2", NULL, 2}, {&p[0], "E1", NULL, 1}};
    struct lore_failure_group *g;
    size_t n;

    (void)state;
    lore_failures_group(in, 4, &a, &g, &n);
    assert_int_equal(n, 4);
    assert_null(g[0].words);
    assert_string_equal(g[1].words, "line #: no such word");
    assert_string_equal(g[1].type, "runtime");
    assert_string_equal(g[2].words, "line #: no such word as");
    lore_failures_group(in, 0, &a, &g, &n);
    assert_int_equal(n, 0);
    lore_arena_free(&a);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_of_one_experiment_recurs_once_however_often_it_happened),
        cmocka_unit_test(without_a_code_the_first_words_tell_failures_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

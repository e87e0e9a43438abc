// uses: client
/* Command lines: every spelling of an option, and what is said about a wrong one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/client/args.h"
#include "collectors/client/cli.h"

static const struct lore_opt opts[] = {
    {"latency-before", 0, "MS", false, NULL, "before"},
    {"optimization", 'o', "NAME", true, NULL, "what"},
    {"technique", 't', "NAME", true, "optimization", "same"},
    {"dry-run", 'n', NULL, false, NULL, "no"},
    {NULL, 0, NULL, false, NULL, NULL},
};

static struct lore_arena arena;
static struct lore_err err;

static enum lore_status
parse(struct lore_args *out, int argc, const char *const *argv)
{
    memset(&err, 0, sizeof err);
    return lore_args_parse(opts, argc, (char **)(uintptr_t)argv, &arena, out, &err);
}
#define PARSE(out, ...)                                                                            \
    parse(out, (int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                      \
        (const char *const[]){__VA_ARGS__})

static int
free_arena(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
every_spelling_gives_the_same_value(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--latency-before", "1.5"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "latency-before"), "1.5");
    assert_int_equal(PARSE(&a, "--latency_before=1.5"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "latency-before"), "1.5");
    assert_int_equal(PARSE(&a, "-oa", "-o", "b", "-o=c", "--technique", "d"), LORE_OK);
    size_t at = 0;
    assert_string_equal(lore_args_next(&a, "optimization", &at), "a");
    assert_string_equal(lore_args_next(&a, "optimization", &at), "b");
    assert_string_equal(lore_args_next(&a, "optimization", &at), "c");
    assert_string_equal(lore_args_next(&a, "optimization", &at), "d");
    assert_null(lore_args_next(&a, "optimization", &at));
}

static void
a_value_may_begin_with_a_dash_and_words_follow_a_double_dash(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "-o", "-3%", "word", "-n", "--", "--not-an-option", "-"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "optimization"), "-3%");
    assert_true(lore_args_has(&a, "dry-run"));
    assert_int_equal(a.words.n, 3);
    assert_string_equal(a.words.v[1], "--not-an-option");
}

static void
an_unknown_option_offers_the_nearest_name(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--latency-befor=2"), LORE_INVALID);
    assert_string_equal(err.msg, "--latency-befor=2: unknown option");
    assert_string_equal(err.hint, "did you mean --latency-before?");
    assert_int_equal(PARSE(&a, "-q"), LORE_INVALID);
    assert_string_equal(err.code, "usage");
}

static void
missing_and_repeated_values_are_named(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--latency-before"), LORE_INVALID);
    assert_string_equal(err.msg, "--latency-before: needs MS");
    assert_int_equal(PARSE(&a, "--latency-before=1", "--latency-before=2"), LORE_INVALID);
    assert_string_equal(err.msg, "--latency-before: given more than once");
    assert_int_equal(PARSE(&a, "--dry-run=yes"), LORE_INVALID);
    assert_string_equal(err.msg, "--dry-run: takes no value");
}

/* Options end where the program begins; what follows is the program's, whatever it looks like. */
static void
a_program_s_own_options_are_left_to_it(void **state)
{
    static const char *const plain[] = {"-n", "-t", "x", "app", "--dry-run", "--", "-t"};
    static const char *const dashed[] = {"--dry-run", "--", "--latency-before", "-q", "--"};
    static const char *const wrong[] = {"--dri-run", "app"};
    struct lore_args a;

    (void)state;
    assert_int_equal(
        lore_args_parse_program(opts, 7, (char **)(uintptr_t)plain, &arena, &a, &err), LORE_OK);
    assert_int_equal(a.n_values, 2);
    assert_int_equal(a.words.n, 4);
    assert_string_equal(a.words.v[0], "app");
    assert_string_equal(a.words.v[2], "--");
    assert_string_equal(a.words.v[3], "-t");
    assert_int_equal(
        lore_args_parse_program(opts, 5, (char **)(uintptr_t)dashed, &arena, &a, &err), LORE_OK);
    assert_int_equal(a.n_values, 1);
    assert_int_equal(a.words.n, 3);
    assert_string_equal(a.words.v[0], "--latency-before");
    assert_string_equal(a.words.v[2], "--");
    assert_int_equal(lore_args_parse_program(opts, 2, (char **)(uintptr_t)wrong, &arena, &a, &err),
        LORE_INVALID);
    assert_string_equal(err.hint, "did you mean --dry-run?");
}

/* The tables themselves: names unique within a command, every row with help, synonyms resolve. */
static void
every_command_and_option_has_a_name_of_its_own_and_help(void **state)
{
    (void)state;
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        assert_true(strlen(c->help) > 10 && c->run && c->words);
        for (const struct lore_opt *o = c->opts; o && o->name; o++) {
            assert_true(o->help && *o->help);
            bool resolved = !o->same_as;
            for (const struct lore_opt *p = c->opts; p->name; p++) {
                assert_true(p == o || strcmp(p->name, o->name) != 0);
                assert_true(p == o || !o->letter || p->letter != o->letter);
                resolved |= o->same_as && strcmp(p->name, o->same_as) == 0;
            }
            assert_true(resolved);
            for (const struct lore_opt *p = lore_common_opts; p->name; p++)
                assert_string_not_equal(p->name, o->name);
        }
        for (const struct lore_cli_command *d = lore_commands; d->name; d++)
            assert_true(d == c || strcmp(d->name, c->name) != 0);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_spelling_gives_the_same_value),
        cmocka_unit_test(a_value_may_begin_with_a_dash_and_words_follow_a_double_dash),
        cmocka_unit_test(an_unknown_option_offers_the_nearest_name),
        cmocka_unit_test(missing_and_repeated_values_are_named),
        cmocka_unit_test(a_program_s_own_options_are_left_to_it),
        cmocka_unit_test(every_command_and_option_has_a_name_of_its_own_and_help),
    };
    return cmocka_run_group_tests(tests, NULL, free_arena);
}

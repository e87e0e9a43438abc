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
    {"samples-before", 0, "TIMES", false, "before"},
    {"technique", 't', "NAME", true, "what"},
    {"dry-run", 'n', NULL, false, "no"},
    {NULL, 0, NULL, false, NULL},
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
    assert_int_equal(PARSE(&a, "--samples-before", "1.5"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "samples-before"), "1.5");
    assert_int_equal(PARSE(&a, "--samples_before=1.5"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "samples-before"), "1.5");
    assert_int_equal(PARSE(&a, "-ta", "-t", "b", "-t=c", "--technique", "d"), LORE_OK);
    size_t at = 0;
    assert_string_equal(lore_args_next(&a, "technique", &at), "a");
    assert_string_equal(lore_args_next(&a, "technique", &at), "b");
    assert_string_equal(lore_args_next(&a, "technique", &at), "c");
    assert_string_equal(lore_args_next(&a, "technique", &at), "d");
    assert_null(lore_args_next(&a, "technique", &at));
}

static void
a_value_may_begin_with_a_dash_and_words_follow_a_double_dash(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "-t", "-3%", "word", "-n", "--", "--not-an-option", "-"), LORE_OK);
    assert_string_equal(lore_args_get(&a, "technique"), "-3%");
    assert_true(lore_args_has(&a, "dry-run"));
    assert_int_equal(a.words.n, 3);
    assert_string_equal(a.words.v[1], "--not-an-option");
}

static void
an_unknown_option_offers_the_nearest_name(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--samples-befor=2"), LORE_INVALID);
    assert_string_equal(err.msg, "--samples-befor: unknown option");
    assert_string_equal(err.hint, "did you mean --samples-before?");
    assert_int_equal(PARSE(&a, "-q"), LORE_INVALID);
    assert_string_equal(err.code, LORE_ARGS_UNKNOWN);
}

static void
missing_and_repeated_values_are_named(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--samples-before"), LORE_INVALID);
    assert_string_equal(err.msg, "--samples-before: needs TIMES");
    assert_int_equal(PARSE(&a, "--samples-before=1", "--samples-before=2"), LORE_INVALID);
    assert_string_equal(err.msg, "--samples-before: given more than once");
    assert_int_equal(PARSE(&a, "--dry-run=yes"), LORE_INVALID);
    assert_string_equal(err.msg, "--dry-run: takes no value");
}

/* Options end where the program begins; what follows is the program's, whatever it looks like. */
static void
a_program_s_own_options_are_left_to_it(void **state)
{
    static const char *const plain[] = {"-n", "-t", "x", "app", "--dry-run", "--", "-t"};
    static const char *const dashed[] = {"--dry-run", "--", "--samples-before", "-q", "--"};
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
    assert_string_equal(a.words.v[0], "--samples-before");
    assert_string_equal(a.words.v[2], "--");
    assert_int_equal(lore_args_parse_program(opts, 2, (char **)(uintptr_t)wrong, &arena, &a, &err),
        LORE_INVALID);
    assert_string_equal(err.hint, "did you mean --dry-run?");
}

static void
a_word_of_another_tool_names_the_option_for_it(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(PARSE(&a, "--optimization", "x"), LORE_INVALID);
    assert_string_equal(err.hint, "did you mean --technique?");
    assert_int_equal(PARSE(&a, "--backend", "cuda"), LORE_INVALID);
    assert_string_not_equal(err.hint, "did you mean --language?"); /* not an option of this table */
}

static void
all_unknown_options_of_a_line_are_named_at_once(void **state)
{
    struct lore_args a;

    (void)state;
    assert_int_equal(
        PARSE(&a, "--optimization", "x", "--nothing-near=1", "-t", "b", "--dry-rum"), LORE_INVALID);
    assert_string_equal(err.code, LORE_ARGS_UNKNOWN);
    assert_string_equal(err.msg, "--optimization, --nothing-near, --dry-rum: unknown options");
    assert_string_equal(err.hint, "did you mean --technique, --dry-run for --dry-rum?");
    assert_int_equal(PARSE(&a, "--zzz", "--samples-before"), LORE_INVALID);
    assert_string_equal(err.msg, "--zzz: unknown option");
}

static void
words_of_the_tables_stand_for_values(void **state)
{
    static const struct lore_opt list[] = {
        {"effect", 0, "EFFECT", false, ""}, {"title", 0, "TEXT", false, ""}, {NULL}};
    static const char *const line[] = {"--effect", "No gain", "--title=no gain"};
    struct lore_args a;

    (void)state;
    assert_int_equal(lore_args_parse(list, 3, (char **)(uintptr_t)line, &arena, &a, &err), LORE_OK);
    assert_string_equal(lore_args_get(&a, "effect"), "neutral");
    assert_string_equal(lore_args_get(&a, "title"), "no gain");
}

static void
common_options_before_the_command_are_counted(void **state)
{
    static const char *const words[] = {"--url", "http://x", "--json", "--token-file=t", "list"};
    static const char *const other[] = {"--chip", "h200", "list"};

    (void)state;
    assert_int_equal(lore_args_common(5, (char **)(uintptr_t)words), 4);
    assert_int_equal(lore_args_common(1, (char **)(uintptr_t)words), 1);
    assert_int_equal(lore_args_common(3, (char **)(uintptr_t)other), 0);
}

static void
compare_options(const struct lore_opt *o, const struct lore_opt *p)
{
    bool same = strcmp(o->name, p->name) == 0;

    if (o->letter && o->letter == p->letter && !same)
        fail_msg("-%c is --%s and --%s", o->letter, o->name, p->name);
    if (!same)
        return;
    if (o->letter != p->letter)
        fail_msg("--%s has the letters %c and %c", o->name, o->letter, p->letter);
    if (!o->arg != !p->arg || (o->arg && strcmp(o->arg, p->arg) != 0))
        fail_msg("--%s takes %s and %s", o->name, o->arg ? o->arg : "nothing",
            p->arg ? p->arg : "nothing");
    if (strcmp(o->help, p->help) != 0)
        fail_msg("--%s: \"%s\" and \"%s\"", o->name, o->help, p->help);
}

/* One word has one meaning over all commands: letter, value and help. */
static void
an_option_is_the_same_in_every_command(void **state)
{
    (void)state;
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        for (const struct lore_opt *o = c->opts; o && o->name; o++) {
            for (const struct lore_cli_command *d = lore_commands; d->name; d++) {
                for (const struct lore_opt *p = d->opts; p && p->name; p++)
                    compare_options(o, p);
            }
            for (const struct lore_opt *p = lore_common_opts; p->name; p++)
                compare_options(o, p);
        }
    }
}

/* The letters of what a record is about. -p stays free for --project where a table lacks it. */
static void
letters_of_the_shared_words_are_kept(void **state)
{
    static const struct {
        char letter;
        const char *name;
    } kept[] = {{'o', "operator"}, {'k', "kernel"}, {'l', "language"}, {'c', "chip"}, {'d', "dims"},
        {'p', "project"}, {'a', "author"}, {'s', "since"}, {'t', "technique"}};

    (void)state;
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        for (const struct lore_opt *o = c->opts; o && o->name; o++) {
            for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
                if ((o->letter == kept[i].letter) != (strcmp(o->name, kept[i].name) == 0))
                    fail_msg("%s: --%s must not have the letter %c", c->name, o->name, o->letter);
            }
        }
    }
}

/* The tables themselves: names unique within a command, every row with help. */
static void
every_command_and_option_has_a_name_of_its_own_and_help(void **state)
{
    (void)state;
    for (const struct lore_cli_command *c = lore_commands; c->name; c++) {
        assert_true(strlen(c->help) > 10 && c->run && c->words);
        for (const struct lore_opt *o = c->opts; o && o->name; o++) {
            assert_true(o->help && *o->help);
            for (const struct lore_opt *p = c->opts; p->name; p++)
                assert_true(p == o || strcmp(p->name, o->name) != 0);
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
        cmocka_unit_test(a_word_of_another_tool_names_the_option_for_it),
        cmocka_unit_test(all_unknown_options_of_a_line_are_named_at_once),
        cmocka_unit_test(words_of_the_tables_stand_for_values),
        cmocka_unit_test(common_options_before_the_command_are_counted),
        cmocka_unit_test(an_option_is_the_same_in_every_command),
        cmocka_unit_test(letters_of_the_shared_words_are_kept),
        cmocka_unit_test(every_command_and_option_has_a_name_of_its_own_and_help),
    };
    return cmocka_run_group_tests(tests, NULL, free_arena);
}

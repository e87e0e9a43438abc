// uses: config
/* The configuration: a flat file, one option a line; every mistake names its line and the range. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/config.h"

struct fixture {
    struct lore_arena arena;
    struct lore_config c;
    struct lore_err err;
};

static enum lore_status
read_yaml(struct fixture *f, const char *text)
{
    memset(f, 0, sizeof *f);
    lore_config_defaults(&f->c, &f->arena);
    return lore_config_yaml(&f->c, text, strlen(text), "w.yaml", &f->arena, &f->err);
}

static void
expect_error(const char *text, const char *code, const char *start)
{
    struct fixture f;

    assert_int_equal(read_yaml(&f, text), LORE_INVALID);
    assert_string_equal(f.err.code, code);
    if (strncmp(f.err.msg, start, strlen(start)) != 0)
        print_message("%s\n", f.err.msg);
    assert_memory_equal(f.err.msg, start, strlen(start));
    lore_arena_free(&f.arena);
}

static void
every_option_has_help_and_a_default_that_it_accepts(void **state)
{
    struct lore_arena arena = {0};
    struct lore_config c;

    (void)state;
    lore_config_defaults(&c, &arena);
    for (const struct lore_option *o = lore_options; o->name != NULL; o++) {
        struct lore_err err = {0};
        assert_true(strlen(o->help) > 10);
        assert_int_equal(lore_config_set(&c, o->name, o->otherwise, &arena, &err), LORE_OK);
        assert_string_equal(lore_config_text(&c, o, &arena), o->otherwise);
        for (const struct lore_option *p = lore_options; p < o; p++)
            assert_string_not_equal(p->name, o->name);
    }
    assert_int_equal(c.threads, 64);
    assert_string_equal(c.listen, "127.0.0.1:8787");
    assert_null(c.data);
    lore_arena_free(&arena);
}

static void
a_file_sets_what_it_names(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(read_yaml(&f, "# mine\nthreads: 8\nlisten: '127.0.0.1:0'\nallow_remote: yes\n"
                                   "hosts: [a.example, b.example]\nlog_level: warn\n"),
        LORE_OK);
    assert_int_equal(f.c.threads, 8);
    assert_string_equal(f.c.listen, "127.0.0.1:0");
    assert_true(f.c.allow_remote);
    assert_string_equal(f.c.hosts, "a.example,b.example");
    assert_string_equal(f.c.log_level, "warn");
    assert_int_equal(f.c.readers, 8);
    lore_arena_free(&f.arena);
}

static void
a_value_ends_with_its_line(void **state)
{
    static const char *const joined[] = {"data: x1\n  listen 127.0.0.1:1\n", "listen: a\n b\n",
        "journal: j\n\n\n k\n", "threads: 4\n readers 2\n"};
    static const char *const lines[] = {"w.yaml:2:", "w.yaml:2:", "w.yaml:4:", "w.yaml:2:"};
    struct fixture f;

    (void)state;
    for (size_t i = 0; i < sizeof joined / sizeof *joined; i++) {
        assert_int_equal(read_yaml(&f, joined[i]), LORE_INVALID);
        assert_non_null(strstr(f.err.msg, lines[i]));
        assert_non_null(strstr(f.err.msg, "continues the value of"));
        lore_arena_free(&f.arena);
    }
    assert_int_equal(read_yaml(&f, "data: a b # c\nlisten: 127.0.0.1:1\nhosts: a,\n b\n"), LORE_OK);
    assert_string_equal(f.c.data, "a b");
    lore_arena_free(&f.arena);
}

static void
an_empty_file_leaves_the_defaults(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(read_yaml(&f, ""), LORE_OK);
    lore_arena_free(&f.arena);
    assert_int_equal(read_yaml(&f, "# nothing\n---\n{}\n"), LORE_OK);
    lore_arena_free(&f.arena);
}

static void
an_unknown_key_names_its_line_and_the_nearest_option(void **state)
{
    struct fixture f;

    (void)state;
    assert_int_equal(read_yaml(&f, "threads: 8\nreadrs: 4\n"), LORE_INVALID);
    assert_string_equal(f.err.code, "unknown_option");
    assert_string_equal(f.err.path, "readrs");
    assert_non_null(strstr(f.err.msg, "w.yaml:2:"));
    assert_string_equal(f.err.hint, "did you mean readers?");
    lore_arena_free(&f.arena);
}

static void
a_key_given_twice_is_an_error(void **state)
{
    (void)state;
    expect_error("threads: 8\n\nthreads: 9\n", "duplicate_option", "w.yaml:3: threads:");
}

static void
a_value_out_of_range_names_the_range(void **state)
{
    (void)state;
    expect_error(
        "threads: 0\n", "invalid_option", "w.yaml:1: threads: expected a whole number from 1");
    expect_error("threads: 1025\n", "invalid_option", "w.yaml:1: threads:");
    expect_error("threads: 8.5\n", "invalid_option", "w.yaml:1: threads:");
    expect_error("threads: eight\n", "invalid_option", "w.yaml:1: threads:");
    expect_error("allow_remote: maybe\n", "invalid_option", "w.yaml:1: allow_remote:");
    expect_error("log_level: loud\n", "invalid_option", "w.yaml:1: log_level:");
    expect_error("data: \"a\\nb\"\n", "invalid_option", "w.yaml:1: data:");
    expect_error("data: \"a\\0b\"\n", "invalid_option", "w.yaml:1: data:");
}

static void
anything_but_one_flat_mapping_is_an_error(void **state)
{
    (void)state;
    expect_error("threads: [1, 2]\n", "invalid_option", "w.yaml:1:");
    expect_error("hosts: [[a]]\n", "invalid_config", "w.yaml:1:");
    expect_error("threads: {a: 1}\n", "invalid_option", "w.yaml:1:");
    expect_error("- threads\n", "invalid_config", "w.yaml:1:");
    expect_error("threads\n", "invalid_config", "w.yaml:1:");
    expect_error("? [a]\n: b\n", "invalid_config", "w.yaml:1:");
    expect_error("threads: 8\n---\nthreads: 9\n", "invalid_config", "w.yaml:2:");
    expect_error("threads: &a 8\nreaders: *a\n", "invalid_option", "w.yaml:2:");
    expect_error("threads: 'x\n", "invalid_config", "w.yaml:");
    expect_error("\t: x\n", "invalid_config", "w.yaml:");
}

static void
a_nul_hides_nothing(void **state)
{
    (void)state;
    expect_error("\"data\\0x\": y\n", "invalid_config", "w.yaml:1: expected an option's name");
    expect_error("data: \"x\\0y\"\n", "invalid_option", "w.yaml:1: data: expected a plain value");
    expect_error(
        "hosts: [\"a\\0b\", c]\n", "invalid_config", "w.yaml:1: expected plain values in the list");
}

static void
a_file_over_eight_kibibytes_is_refused_unread(void **state)
{
    struct fixture f = {0};
    char text[LORE_CONFIG_MAX_BYTES + 1];

    (void)state;
    memset(text, '[', sizeof text);
    lore_config_defaults(&f.c, &f.arena);
    assert_int_equal(
        lore_config_yaml(&f.c, text, sizeof text, "w.yaml", &f.arena, &f.err), LORE_TOOBIG);
    lore_arena_free(&f.arena);
}

static void
what_is_printed_reads_back_equal(void **state)
{
    struct fixture f, g;
    struct lore_buf out = {0}, again = {0};

    (void)state;
    assert_int_equal(
        read_yaml(&f, "data: '/a \"b\" \\c'\nthreads: 7\nhosts: x.example\n"), LORE_OK);
    lore_config_print(&f.c, &f.arena, &out);
    assert_int_equal(read_yaml(&g, out.data), LORE_OK);
    assert_string_equal(g.c.data, "/a \"b\" \\c");
    lore_config_print(&g.c, &g.arena, &again);
    assert_string_equal(out.data, again.data);
    lore_buf_free(&out);
    lore_buf_free(&again);
    lore_arena_free(&f.arena);
    lore_arena_free(&g.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_option_has_help_and_a_default_that_it_accepts),
        cmocka_unit_test(a_file_sets_what_it_names),
        cmocka_unit_test(a_value_ends_with_its_line),
        cmocka_unit_test(an_empty_file_leaves_the_defaults),
        cmocka_unit_test(an_unknown_key_names_its_line_and_the_nearest_option),
        cmocka_unit_test(a_key_given_twice_is_an_error),
        cmocka_unit_test(a_value_out_of_range_names_the_range),
        cmocka_unit_test(anything_but_one_flat_mapping_is_an_error),
        cmocka_unit_test(a_nul_hides_nothing),
        cmocka_unit_test(a_file_over_eight_kibibytes_is_refused_unread),
        cmocka_unit_test(what_is_printed_reads_back_equal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

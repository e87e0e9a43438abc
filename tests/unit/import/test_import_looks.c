// uses: import
/* What is said of a file that no importer reads. */
#include "collectors/import/looks.h"
#include "tests/unit/import_intake.h"

static void
a_file_is_named_for_what_it_looks_like(void **state)
{
    static const struct {
        const char *text, *looks;
    } cases[] = {
        {"a,b c,d\n1,2,3\n", "CSV with columns a, b c, d"},
        {"a\tb\n1\t2\n", "TSV with columns a, b"},
        {"a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n", "CSV with columns a, b, c, d, e, f, g, h, …"},
        {"{\"a\":1,\"b\":{\"c\":2},\"d\":[{\"e\":3}]}", "JSON with members a, b, d"},
        {"[{\"a\":1},{\"b\":2}]", "a JSON list of objects with members a"},
        {"[1,2]", "a JSON list"},
        {"{\"a\":\"x}\"}\r\n{\"a\":2}\n", "JSON lines with members a"},
        {"SQLite format 3", "an SQLite database"},
        {"\x7f"
         "ELF\1",
            "an ELF file: a program or compiled code"},
        {"\xff\xfe\xfd", "bytes that are no text"},
        {"# title\n", "Markdown or a script"},
        {"one, two\nthree\n", "text"},
        {"", "it is empty"},
    };
    struct lore_arena arena = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_import_tree t = {0};
        size_t len = strlen(cases[i].text) + (i == 7);
        assert_string_equal(
            lore_looks_like(&arena, lore_tree_add(&arena, &t, "x", cases[i].text, len)),
            cases[i].looks);
    }
    lore_arena_free(&arena);
}

static void
json_that_does_not_parse_says_where(void **state)
{
    struct lore_arena arena = {0};
    struct lore_import_tree t = {0};
    const char *looks =
        lore_looks_like(&arena, lore_tree_add(&arena, &t, "x", "{\"a\":1,\"b\":}", 12));

    (void)state;
    assert_non_null(strstr(looks, "JSON with members a, b; it does not parse: "));
    lore_arena_free(&arena);
}

static void
the_nearest_importer_says_what_is_missing(void **state)
{
    struct taken t = {0};
    struct lore_import_tree tree = {.name = "x.json"};
    struct lore_err err = {0};

    (void)state;
    lore_intake_begin(&t.k, &t.arena);
    (void)lore_tree_add(&t.arena, &tree, "x.json", "{\"cache\":{}}", 12);
    assert_int_equal(lore_intake_tree(&t.k, &tree, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "kernel-tuner: no member \"tune_params_keys\""));
    assert_non_null(strstr(err.hint, "--suggest x.json"));
    lore_arena_free(&t.arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_named_for_what_it_looks_like),
        cmocka_unit_test(json_that_does_not_parse_says_where),
        cmocka_unit_test(the_nearest_importer_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

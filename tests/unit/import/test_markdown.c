// uses: import
/* Markdown as reports write it: sections, tables with bars in their headers, fields, numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/markdown.h"

static const char *const tensor_header[] = {
    "Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel|Mismatches", NULL};

struct fixture {
    struct lore_arena arena;
    struct lore_md md;
};

static int
setup(void **state)
{
    *state = test_calloc(1, sizeof(struct fixture));
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static void
parse(struct fixture *f, const char *text, const char *const *headers)
{
    lore_md_parse(&f->arena, text, strlen(text), headers, &f->md);
}

static void
a_known_header_is_split_by_position(void **state)
{
    struct fixture *f = *state;

    parse(f,
        "## Output Tensors\n\n"
        "|Tensor|Type|Pass|Max |Δ||Mean |Δ||Mean Rel|Mismatches|\n"
        "|---|---|:-:|--:|--:|--:|---|\n"
        "| Y | float* | ✓ | 1.5e-04 | 2.5e-06 | 3.0e-06 | 17 |\n",
        tensor_header);
    assert_int_equal(f->md.n_tables, 1);
    const struct lore_md_table *t = &f->md.tables[0];
    assert_int_equal(t->header.n, 7);
    assert_string_equal(t->header.cells[3], "Max |Δ|");
    assert_string_equal(t->header.cells[4], "Mean |Δ|");
    assert_string_equal(t->header.cells[6], "Mismatches");
    assert_string_equal(t->rows[0].cells[6], "17");
    assert_string_equal(t->section, "Output Tensors");
    assert_int_equal(t->line, 3);
    assert_int_equal(t->rows[0].line, 5);
}

static void
an_unknown_header_with_bars_is_split_where_bars_stand_free(void **state)
{
    struct fixture *f = *state;

    parse(f, "| Name | Max |x| | Worst |y| |\n|---|---|---|\n| a | 1 | 2 |\n", NULL);
    assert_int_equal(f->md.tables[0].header.n, 3);
    assert_string_equal(f->md.tables[0].header.cells[1], "Max |x|");
    assert_string_equal(f->md.tables[0].header.cells[2], "Worst |y|");
}

static void
rows_with_code_or_escaped_bars_keep_their_cells(void **state)
{
    struct fixture *f = *state;

    parse(f, "A | B\n---|---\n`a|b` | 2\nx \\| y | 3\n1 | 2 | 3\n\nend\n", NULL);
    const struct lore_md_table *t = &f->md.tables[0];
    assert_int_equal(t->n, 3);
    assert_string_equal(t->rows[0].cells[0], "a|b");
    assert_string_equal(t->rows[1].cells[0], "x | y");
    assert_int_equal(t->rows[2].n, 3); /* too many cells: all are kept */
    assert_int_equal(f->md.n_lines, 1);
    assert_int_equal(f->md.lines[0].line, 7);
}

static void
lines_know_their_section_and_depth(void **state)
{
    struct fixture *f = *state;

    parse(f, "# Title `x` #\ntext\n## Two\n- one\n  - **k:** two\n1. three\n```\n# no\n- no\n```\n",
        NULL);
    const struct lore_md_line *l = f->md.lines;
    assert_string_equal(f->md.title, "Title x");
    assert_int_equal(f->md.n_lines, 10);
    assert_int_equal(l[0].level, 1);
    assert_string_equal(l[1].section, "Title x");
    assert_int_equal(l[3].bullet, 1);
    assert_string_equal(l[3].text, "one");
    assert_string_equal(l[3].section, "Two");
    assert_int_equal(l[4].bullet, 2);
    assert_string_equal(lore_md_plain(&f->arena, l[4].text), "k: two");
    assert_string_equal(l[5].text, "three");
    assert_int_equal(l[7].level, 0);
    assert_string_equal(l[7].text, "# no");
    assert_int_equal(l[8].bullet, 0);
}

static void
marks_are_removed_and_powers_stay(void **state)
{
    struct fixture *f = *state;

    assert_string_equal(lore_md_plain(&f->arena, "**0.52** (`best`)"), "0.52 (best)");
    assert_string_equal(lore_md_plain(&f->arena, "2**20 and 3 ** 4"), "2**20 and 3 ** 4");
    assert_string_equal(lore_md_plain(&f->arena, "**"), "**");
}

static void
numbers_are_read_as_printed(void **state)
{
    const char *rest;
    double v;
    int digits;

    (void)state;
    assert_true(lore_md_number("47.8810 ms ± 0.2603 ms", &v, &rest, &digits));
    assert_float_equal(v, 47.881, 0);
    assert_int_equal(digits, 6);
    assert_string_equal(rest, " ms ± 0.2603 ms");
    assert_true(lore_md_number("1.87e+11", &v, &rest, &digits));
    assert_float_equal(v, 1.87e11, 0);
    assert_int_equal(digits, 3);
    assert_string_equal(rest, "");
    assert_true(lore_md_number("4,963,609.19", &v, NULL, NULL));
    assert_float_equal(v, 4963609.19, 0);
    assert_true(lore_md_number("**−3.5%**", &v, &rest, NULL));
    assert_float_equal(v, -3.5, 0);
    assert_string_equal(rest, "%**");
    assert_true(lore_md_number("32.8M", &v, &rest, NULL));
    assert_string_equal(rest, "M");
    assert_true(lore_md_number("1,2", &v, &rest, NULL)); /* a list, not a thousand */
    assert_float_equal(v, 1, 0);
    assert_string_equal(rest, ",2");
    assert_false(lore_md_number("nan", &v, NULL, NULL));
    assert_false(lore_md_number("N/A", &v, NULL, NULL));
    assert_false(lore_md_number("—", &v, NULL, NULL));
    assert_false(lore_md_number("1e999", &v, NULL, NULL));
    assert_false(lore_md_number(NULL, &v, NULL, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_known_header_is_split_by_position, setup, teardown),
        cmocka_unit_test_setup_teardown(
            an_unknown_header_with_bars_is_split_where_bars_stand_free, setup, teardown),
        cmocka_unit_test_setup_teardown(
            rows_with_code_or_escaped_bars_keep_their_cells, setup, teardown),
        cmocka_unit_test_setup_teardown(lines_know_their_section_and_depth, setup, teardown),
        cmocka_unit_test_setup_teardown(marks_are_removed_and_powers_stay, setup, teardown),
        cmocka_unit_test(numbers_are_read_as_printed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

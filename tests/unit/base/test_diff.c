// uses: base base_abort
/* Line diffs: by hand on small texts, and by applying what comes out on random ones. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/diff.h"

static struct lore_diff
run(const char *a, const char *b, struct lore_buf *out)
{
    struct lore_arena arena = {0};
    struct lore_diff d;

    lore_diff_unified(&(struct lore_buf){.data = (char *)(uintptr_t)a, .len = strlen(a)},
        &(struct lore_buf){.data = (char *)(uintptr_t)b, .len = strlen(b)}, &arena, out, &d);
    lore_arena_free(&arena);
    return d;
}

static void
assert_diff(const char *a, const char *b, const char *expected)
{
    struct lore_buf out = {0};

    (void)run(a, b, &out);
    assert_string_equal(!out.data ? "" : out.data, expected);
    lore_buf_free(&out);
}

static void
equal_texts_have_no_difference(void **state)
{
    (void)state;
    assert_diff("a\nb\n", "a\nb\n", "");
    assert_diff("", "", "");
}

static void
a_changed_line_stands_in_its_context(void **state)
{
    (void)state;
    assert_diff("1\n2\n3\n4\n5\n6\n7\n8\n9\n", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n",
        "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n");
}

static void
a_text_against_nothing_is_added_or_removed_whole(void **state)
{
    (void)state;
    assert_diff("", "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n");
    assert_diff("a\nb\n", "", "@@ -1,2 +0,0 @@\n-a\n-b\n");
}

static void
changes_far_apart_are_two_hunks_and_near_ones_are_one(void **state)
{
    (void)state;
    assert_diff("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "A\n1\n2\n3\n4\n5\n6\n7\nB\n",
        "@@ -1,4 +1,4 @@\n-a\n+A\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+B\n");
    assert_diff(
        "a\n1\n2\n3\nb\n", "A\n1\n2\n3\nB\n", "@@ -1,5 +1,5 @@\n-a\n+A\n 1\n 2\n 3\n-b\n+B\n");
}

static void
a_missing_last_newline_is_said(void **state)
{
    (void)state;
    assert_diff("a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n");
}

static void
added_and_removed_lines_are_counted(void **state)
{
    struct lore_buf out = {0};
    struct lore_diff d = run("a\nb\nc\n", "a\nc\nd\ne\n", &out);

    (void)state;
    assert_int_equal(d.removed, 1);
    assert_int_equal(d.added, 2);
    assert_false(d.cut);
    assert_false(d.coarse);
    lore_buf_free(&out);
}

static void
a_full_buffer_cuts_at_a_line_and_says_so(void **state)
{
    struct lore_buf out = {.max = 200};
    struct lore_buf b = {0};
    struct lore_diff d;

    (void)state;
    for (int i = 0; i < 100; i++)
        lore_buf_printf(&b, "line %d\n", i);
    d = run("", b.data, &out);
    assert_true(d.cut);
    assert_string_equal(d.why, "too long to show in full");
    assert_int_equal(d.added, 100);
    assert_false(out.over);
    assert_int_equal(out.data[out.len - 1], '\n');
    lore_buf_free(&out);
    lore_buf_free(&b);
}

static void
too_many_lines_are_not_compared(void **state)
{
    struct lore_buf out = {0}, b = {0};
    struct lore_diff d;

    (void)state;
    for (int i = 0; i <= LORE_DIFF_MAX_LINES; i++)
        lore_buf_puts(&b, "x\n");
    d = run("", b.data, &out);
    assert_true(d.cut);
    assert_string_equal(d.why, "too many lines to compare");
    assert_int_equal(out.len, 0);
    lore_buf_free(&out);
    lore_buf_free(&b);
}

static void
texts_with_little_in_common_come_out_whole(void **state)
{
    struct lore_buf out = {0}, a = {0}, b = {0};
    struct lore_diff d;

    (void)state;
    for (int i = 0; i < 3000; i++) {
        lore_buf_printf(&a, "a%d\n", i);
        lore_buf_printf(&b, "b%d\n", i);
    }
    d = run(a.data, b.data, &out);
    assert_true(d.coarse);
    assert_int_equal(d.added, 3000);
    assert_int_equal(d.removed, 3000);
    lore_buf_free(&out);
    lore_buf_free(&a);
    lore_buf_free(&b);
}

/* Apply hunks to A, as patch does; the result is appended to OUT. */
static void
apply(const char *a, const char *diff, struct lore_buf *out)
{
    size_t at = 0; /* lines of A that were passed */

    while (*diff != '\0') {
        size_t from = 0, n = 0;

        if (sscanf(diff, "@@ -%zu,%zu", &from, &n) == 2) {
            for (; at + (n > 0) < from; at++) {
                size_t len = strcspn(a, "\n") + 1;
                lore_buf_add(out, a, len);
                a += len;
            }
        } else {
            size_t len = strcspn(diff, "\n") + 1;

            if (*diff != '-')
                lore_buf_add(out, diff + 1, len - 1);
            if (*diff != '+') {
                a += strcspn(a, "\n") + 1;
                at++;
            }
        }
        diff += strcspn(diff, "\n") + 1;
    }
    lore_buf_puts(out, a);
}

static void
whatever_comes_out_turns_one_text_into_the_other(void **state)
{
    uint32_t seed = 12345;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        struct lore_buf text[2] = {{0}, {0}}, out = {0}, made = {0};

        for (int s = 0; s < 2; s++) {
            seed = seed * 1664525u + 1013904223u;
            lore_buf_puts(&text[s], "");
            for (uint32_t i = 0, n = (seed >> 16) % 30; i < n; i++) {
                seed = seed * 1664525u + 1013904223u;
                lore_buf_printf(&text[s], "%c\n", 'a' + (int)((seed >> 16) % 4));
            }
        }
        (void)run(!text[0].data ? "" : text[0].data, !text[1].data ? "" : text[1].data, &out);
        apply(!text[0].data ? "" : text[0].data, !out.data ? "" : out.data, &made);
        assert_string_equal(!made.data ? "" : made.data, !text[1].data ? "" : text[1].data);
        lore_buf_free(&text[0]);
        lore_buf_free(&text[1]);
        lore_buf_free(&out);
        lore_buf_free(&made);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_texts_have_no_difference),
        cmocka_unit_test(a_changed_line_stands_in_its_context),
        cmocka_unit_test(a_text_against_nothing_is_added_or_removed_whole),
        cmocka_unit_test(changes_far_apart_are_two_hunks_and_near_ones_are_one),
        cmocka_unit_test(a_missing_last_newline_is_said),
        cmocka_unit_test(added_and_removed_lines_are_counted),
        cmocka_unit_test(a_full_buffer_cuts_at_a_line_and_says_so),
        cmocka_unit_test(too_many_lines_are_not_compared),
        cmocka_unit_test(texts_with_little_in_common_come_out_whole),
        cmocka_unit_test(whatever_comes_out_turns_one_text_into_the_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

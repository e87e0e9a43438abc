// uses: import
/* Readers of rows: each text is read in one piece and in pieces of a few bytes, with equal results.
 * The last tests are bombs: they must end soon and within the memory of one record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "collectors/import/take.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "tests/unit/import_rows.h"

static struct lore_import in; /* of the last text read */

static void
expect(const struct rows_case *c, const char *text, size_t len, const char *expected)
{
    for (size_t piece = 0; piece < 9; piece++) {
        struct lore_arena arena = {0};
        struct lore_buf out = {.max = 1 << 20};
        struct lore_err err = {0};
        struct rows_case one = *c;
        one.piece = piece;
        if (rows_read(&arena, &one, text, len, &in, &out, &err) != LORE_OK)
            lore_buf_printf(&out, "%s\n", err.msg);
        assert_string_equal(out.data ? out.data : "", expected);
        lore_buf_free(&out);
        lore_arena_free(&arena);
    }
}

static const struct rows_case csv = {.reader = "csv"}, jsonl = {.reader = "jsonl"};

static void
csv_(const char *text, const char *expected)
{
    expect(&csv, text, strlen(text), expected);
}

static void
test_cells_are_numbers_texts_or_absent(void **state)
{
    (void)state;
    csv_("a,b,c,d\n1,-2.50,x,\n007,1e3,+5, 7 \r\n,,,\n1\n1,2,3,4,5\n",
        "2 {\"a\":1,\"b\":-2.50,\"c\":\"x\"}\n3 {\"a\":\"007\",\"b\":1e3,\"c\":\"+5\",\"d\":7}\n4 "
        "{}\n"
        "5 {\"a\":1}\n6 {\"a\":1,\"b\":2,\"c\":3,\"d\":4,\"column_5\":5}\n");
    csv_("a,b\n1,1e999\n", "2 {\"a\":1,\"b\":\"1e999\"}\n");
    csv_("a,b", "");
    csv_("a,b\n1,2", "2 {\"a\":1,\"b\":2}\n");
    csv_("", "no line with columns\n");
}

static void
test_quotes(void **state)
{
    (void)state;
    csv_("a,b\n\"x, y\",\"say \"\"hi\"\"\"\n\"two\nlines\",2\n3,4\n",
        "2 {\"a\":\"x, y\",\"b\":\"say \\\"hi\\\"\"}\n3 {\"a\":\"two\\nlines\",\"b\":2}\n5 "
        "{\"a\":3,\"b\":4}\n");
    csv_("a,b\n\"\",\"4,963.5\"\n", "2 {\"b\":\"4,963.5\"}\n");
    /* stray quotes are text, and cost no row */
    csv_("a,b\n\"x\"y,2\n5\" disk,3\n\"open,4\n5,6\n",
        "2 {\"a\":\"\\\"x\\\"y\",\"b\":2}\n3 {\"a\":\"5\\\" disk\",\"b\":3}\n"
        "4 {\"a\":\"\\\"open\",\"b\":4}\n5 {\"a\":5,\"b\":6}\n");
    csv_("a\tb\n\"x\tone\n2\ty\"\n\"q\tr\"\ttwo\n",
        "2 {\"a\":\"\\\"x\",\"b\":\"one\"}\n3 {\"a\":2,\"b\":\"y\\\"\"}\n4 "
        "{\"a\":\"q\\tr\",\"b\":\"two\"}\n");
}

static void
test_headers(void **state)
{
    const struct rows_case after = {.reader = "csv", .header = "time"};

    (void)state;
    csv_("a,a,,a_1\n1,2,3,4\n", "2 {\"a\":1,\"a_1\":2,\"column_3\":3,\"a_1_1\":4}\n");
    csv_("\xef\xbb\xbf"
         "a;b;c,d\n1;2,5;3\na;b;c,d\n4;5;6\n",
        "2 {\"a\":1,\"b\":\"2,5\",\"c,d\":3}\n4 {\"a\":4,\"b\":5,\"c,d\":6}\n");
    expect(&after, "==PROF== x\n\nlog, 1\nid\ttime\n1\t2\n", 31, "5 {\"id\":1,\"time\":2}\n");
    expect(&after, "a,b\n1,2\n", 8, "no line has the column \"time\"\n");
    assert_int_equal(in.lists[LORE_IL_EXTRA].n, 2);
}

static void
test_encodings(void **state)
{
    static const char wide[] = "\xff\xfe"
                               "a\0,\0b\0\n\0"
                               "\xb5\0s\0,\0"
                               "\x3d\xd8\x00\xde"
                               "\n\0";

    (void)state;
    csv_("a,b\n\xb5s,1\n", "2 {\"a\":\"\xc2\xb5s\",\"b\":1}\n");
    assert_int_equal(in.lists[LORE_IL_DOUBTS].n, 1);
    expect(&csv, wide, sizeof wide - 1, "2 {\"a\":\"\xc2\xb5s\",\"b\":\"\xf0\x9f\x98\x80\"}\n");
    expect(&csv, "a,b\nx\0y,1\n", 10, "2 {\"a\":\"x y\",\"b\":1}\n");
}

static void
test_json_lines_lose_only_the_bad_line(void **state)
{
    const char *text = "{\"a\":1}\n\n{\"a\":2,}\n[3]\r\n7\n{\"a\":{\"b\":4}}";

    (void)state;
    expect(&jsonl, text, strlen(text),
        "1 {\"a\":1}\n4 {\"value\":[3]}\n5 {\"value\":7}\n6 {\"a\":{\"b\":4}}\n"
        "refused rows line 3: $: line 1, column 8: unexpected }\n");
    assert_int_equal(in.refused, 1);
    assert_int_equal(in.records, 1);
}

static void
json_(const char *path, const char *text, const char *expected)
{
    const struct rows_case c = {.reader = "json", .path = path};

    expect(&c, text, strlen(text), expected);
}

static void
test_items_of_a_document(void **state)
{
    (void)state;
    json_("", "[{\"a\":1},\n 2, \"x]\" ]",
        "1 {\"a\":1}\n2 {\"value\":2}\n2 {\"value\":\"x]\"}\nhead []\n");
    json_("", "{\"k\":{\"a\":1},\n\"l\\n\":[2]}",
        "1 {\"key\":\"k\",\"value\":{\"a\":1}}\n2 {\"key\":\"l\\n\",\"value\":[2]}\nhead {}\n");
    json_("data.rows",
        "{\"rows\":[9],\"data\":{\"n\":\"rows\",\"rows\":[{\"a\":\"}\\\"\"},\n{\"a\":2}],\"m\":[1]}"
        ",\n\"chip\":\"x\"}",
        "1 {\"a\":\"}\\\"\"}\n2 {\"a\":2}\n"
        "head {\"rows\":[9],\"data\":{\"n\":\"rows\",\"rows\":[],\"m\":[1]},\"chip\":\"x\"}\n");
    json_("data", "{\"data\":3}", "no list or object at \"data\"\n");
    json_("data", "[{\"data\":[3]}]", "no list or object at \"data\"\n");
    json_("data", "{\"data\":[3]} x", "line 1: text behind the document\n");
    json_("data", "{\"data\":[3],\"a\":1,\"a\":2}", "a: duplicate key\n");
    json_("", "7", "the document is no list or object\n");
    json_("", "[1] 2", "1 {\"value\":1}\nhead []\nrefused rows line 1: text behind the document\n");
}

static void
test_one_bad_item_costs_one_item(void **state)
{
    (void)state;
    json_("", "[{\"a\":1},\n{\"a\":nan},\n{\"a\":3}]",
        "1 {\"a\":1}\n3 {\"a\":3}\nhead []\n"
        "refused rows line 2: a: line 1, column 6: JSON has no NaN or infinity\n");
}

static void
test_an_unfinished_document_is_read_as_far_as_it_goes(void **state)
{
    (void)state;
    json_("cache", "{\"device\":\"x\",\"cache\":{\"1\":{\"t\":1},\n\"2\":{\"t\":2},\n",
        "1 {\"key\":\"1\",\"value\":{\"t\":1}}\n2 {\"key\":\"2\",\"value\":{\"t\":2}}\n"
        "head {\"device\":\"x\",\"cache\":{}} unfinished\n");
    json_("", "[{\"a\":1},{\"a\"",
        "1 {\"a\":1}\nhead [] unfinished\n"
        "refused rows line 1: the document ends within this item\n");
}

static void
test_markdown_tables(void **state)
{
    const struct rows_case second = {.reader = "markdown", .nth = 1};
    const char *text =
        "# T\n| a |\n|---|\n| 1 |\n\n| Tensor | Max |\xce\x94| | **Mean** |\n|--|--|--|\n"
        "| `A` | 1e-3 | \xe2\x80\x94 |\n";

    (void)state;
    expect(&second, text, strlen(text),
        "8 {\"Tensor\":\"A\",\"Max |\xce\x94|\":1e-3,\"Mean\":\"\xe2\x80\x94\"}\n");
}

static void
test_what_take_hands_out_outlives_the_row(void **state)
{
    static const char text[] = "name,n,rest\nfirst,12,x\nsecond,13,y\n";
    struct lore_import_file file = {.path = "rows.csv", .text = text, .len = sizeof text - 1};
    struct lore_arena arena = {0};
    struct lore_import i = {.arena = &arena, .unit = "rows.csv"};
    struct lore_err err = {0};
    LORE_ROWS r = {.in = NULL};
    const char *names[2] = {NULL}, *digits[2] = {NULL}, *rest[2] = {NULL};

    (void)state;
    lore_import_open(&i, &file);
    assert_int_equal(lore_rows_csv(&i, 0, NULL, &r, &err), LORE_OK);
    struct lore_take take = {.in = &i, .cells = r.cells};
    for (size_t n = 0; lore_rows_next(&r); n++, lore_take_clear(&take)) {
        assert_true(lore_take_text(&take, r.row, "name", 100, &names[n]));
        assert_true(lore_take_text(&take, r.row, "n", 100, &digits[n]));
        rest[n] = lore_take_rest(&take, r.row, "rows.csv");
    }
    lore_rows_close(&r);
    assert_string_equal(names[0], "first");
    assert_string_equal(names[1], "second");
    assert_string_equal(digits[0], "12");
    assert_string_equal(rest[0], "{\"rest\":\"x\"}");
    assert_string_equal(rest[1], "{\"rest\":\"y\"}");
    lore_arena_free(&arena);
}

/* ---- bombs ---- */

/* Read BYTES as C, and return the number of rows. */
static size_t
bomb(const struct rows_case *c, const char *bytes, size_t len)
{
    struct lore_arena arena = {0};
    struct lore_buf out = {.max = 1 << 16};
    struct lore_err err = {0};
    struct timespec t0, t1;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
    enum lore_status status = rows_read(&arena, c, bytes, len, &in, &out, &err);
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
    assert_true((double)(t1.tv_sec - t0.tv_sec) < 20);
    size_t used = arena.used;
    lore_buf_free(&out);
    lore_arena_free(&arena);
    assert_true(used < 200u << 20);
    return status == LORE_OK ? in.records : 0;
}

static void
test_bomb_of_columns(void **state)
{
    char *text = lore_xalloc(4u << 20);
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < 1000000; i++)
        text[n++] = ',';
    text[n++] = '\n';
    assert_int_equal(bomb(&csv, text, n), 0); /* no header of so many */
    memcpy(text, "a,b\n", 4);
    assert_int_equal(bomb(&csv, text, n), 1);
    assert_int_equal(in.refused, 1);
    lore_xfree(text);
}

static void
test_bomb_of_a_long_line(void **state)
{
    const size_t n = (size_t)100 << 20;
    char *text = lore_xrealloc(NULL, n);

    (void)state;
    memset(text, 'x', n);
    memcpy(text, "a,b\n", 4);
    memcpy(text + n - 5, "\n1,2\n", 5);
    assert_int_equal(bomb(&csv, text, n), 1);
    memcpy(text + (n / 4) - 5, "\n1,2\n", 5);
    assert_int_equal(bomb(&jsonl, text, n / 4), 3);
    const struct rows_case json = {.reader = "json", .path = ""};
    memcpy(text, "[\"xx", 4);
    memcpy(text + n / 4 - 5, "\",{}]", 5);
    assert_int_equal(bomb(&json, text, n / 4), 1);
    lore_xfree(text);
}

static void
test_bomb_of_depth(void **state)
{
    const size_t n = (size_t)8 << 20;
    const struct rows_case json = {.reader = "json", .path = ""},
                           head = {.reader = "json", .path = "a"};
    char *text = lore_xrealloc(NULL, n);

    (void)state;
    memset(text, '[', n);
    assert_int_equal(bomb(&json, text, n), 1);
    assert_int_equal(bomb(&jsonl, text, n), 1);
    memcpy(text, "{\"b\":", 5);
    assert_int_equal(bomb(&head, text, n), 0);
    lore_xfree(text);
}

static void
test_bomb_of_quotes(void **state)
{
    static const char *const units[] = {
        "\"\n", "\"x,\n", "\"\"\"\n", ",\"\"x\n", "\"x\n\"\"\n", "\"\"", "\\\""};
    const size_t n = (size_t)4 << 20;
    char *text = lore_xrealloc(NULL, n);

    (void)state;
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
        size_t len = strlen(units[u]);
        for (size_t i = 0; i < n; i++)
            text[i] = units[u][i % len];
        memcpy(text, "a,b\n", 4);
        (void)bomb(&csv, text, n);
        const struct rows_case json = {.reader = "json", .path = "a"};
        memcpy(text, "{\"b\":", 5);
        (void)bomb(&json, text, n);
    }
    lore_xfree(text);
}

static void
test_bomb_of_equal_columns(void **state)
{
    char *text = lore_xrealloc(NULL, 400000);
    size_t n = 0;

    (void)state;
    for (size_t i = 0; i < 90000; i++, n += 2)
        memcpy(text + n, "a,", 2);
    memcpy(text + n, "a\n1\n", 4);
    (void)bomb(&csv, text, n + 4);
    lore_xfree(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cells_are_numbers_texts_or_absent),
        cmocka_unit_test(test_quotes),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_json_lines_lose_only_the_bad_line),
        cmocka_unit_test(test_items_of_a_document),
        cmocka_unit_test(test_one_bad_item_costs_one_item),
        cmocka_unit_test(test_an_unfinished_document_is_read_as_far_as_it_goes),
        cmocka_unit_test(test_markdown_tables),
        cmocka_unit_test(test_what_take_hands_out_outlives_the_row),
        cmocka_unit_test(test_bomb_of_columns),
        cmocka_unit_test(test_bomb_of_a_long_line),
        cmocka_unit_test(test_bomb_of_depth),
        cmocka_unit_test(test_bomb_of_quotes),
        cmocka_unit_test(test_bomb_of_equal_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

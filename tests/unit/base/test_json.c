// uses: base
/* The strict reader: what it accepts, what it refuses and how it says so, getters, digests. */
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/buf.h"
#include "service/base/hash.h"
#include "service/base/json.h"

static struct lore_arena arena;

static const struct lore_json *
parsed(const char *text)
{
    struct lore_json *root = NULL;
    struct lore_err err;

    if (lore_json_parse(text, strlen(text), NULL, &arena, &root, &err) != LORE_OK)
        fail_msg("%s: %s", text, err.msg);
    return root;
}

/* Parse what must fail, with its length, as it may hold NUL. */
static struct lore_err
refused_n(const char *text, size_t n, const struct lore_json_limits *limits)
{
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (lore_json_parse(text, n, limits, &arena, &root, &err) == LORE_OK)
        fail_msg("accepted: %s", text);
    assert_null(root);
    assert_int_equal(err.status, LORE_INVALID);
    assert_null(strchr(err.msg, '\n'));
    return err;
}

static struct lore_err
refused(const char *text)
{
    return refused_n(text, strlen(text), NULL);
}

static void
a_decimal_reads_as_strtod_reads_it(void **state)
{
    static const char *const edges[] = {"0", "-0", "0.0", "-0.0", "0.1", "-0.1", "1.10",
        "9007199254740992", "9007199254740993", "-9007199254740993", "9007199254740992.5",
        "0.9007199254740993", "0.000000000000001", "0.0000000000000001", "123456789012345678",
        "1234567890123456789", "99999999.9999999999", "4503599627370497.5"};
    uint64_t n = 1;

    (void)state;
    for (size_t i = 0; i < sizeof edges / sizeof *edges + 20000; i++) {
        char text[32];
        double want, got;

        n = n * 6364136223846793005u + 1442695040888963407u;
        snprintf(text, sizeof text, "%s%" PRIu64 ".%0*" PRIu64, n >> 63 ? "-" : "",
            (n >> 20) % 100000, (int)(n >> 40) % 12 + 1, (n >> 7) % 1000003);
        if (i < sizeof edges / sizeof *edges)
            snprintf(text, sizeof text, "%s", edges[i]);
        want = strtod(text, NULL);
        got = parsed(text)->f;
        assert_memory_equal(&got, &want, sizeof got);
        if (i % 1000 == 0)
            lore_arena_reset(&arena);
    }
}

static void
a_document_becomes_a_tree(void **state)
{
    const struct lore_json *root =
        parsed(" {\"a\": [1, -2.5, \"x\\u00e9\", true, null], \"b\": {}} ");
    const struct lore_json *a = lore_json_get(root, "a"), *item;

    (void)state;
    assert_int_equal(root->type, LORE_J_OBJECT);
    assert_int_equal(root->len, 2);
    assert_int_equal(a->len, 5);
    item = a->child;
    assert_true(item->is_int && item->i == 1 && item->f == 1.0);
    item = item->next;
    assert_true(!item->is_int && item->f == -2.5);
    assert_string_equal(item->str, "-2.5");
    item = item->next;
    assert_string_equal(item->str, "x\xc3\xa9");
    assert_int_equal(item->len, 3);
    item = item->next;
    assert_true(item->type == LORE_J_BOOL && item->i == 1);
    assert_int_equal(item->next->type, LORE_J_NULL);
    assert_int_equal(item->next->index, 4);
    assert_ptr_equal(item->next->parent, a);
    assert_null(item->next->next);
    assert_int_equal(lore_json_get(root, "b")->len, 0);
    assert_null(lore_json_get(root, "c"));
    assert_null(lore_json_get(a, "a"));
    assert_null(lore_json_get(NULL, "a"));
}

static void
any_value_may_be_the_root(void **state)
{
    (void)state;
    assert_true(parsed("17")->i == 17);
    assert_string_equal(parsed("\"\"")->str, "");
    assert_int_equal(parsed("null")->type, LORE_J_NULL);
    assert_int_equal(parsed("false")->i, 0);
    assert_int_equal(parsed("[]")->len, 0);
}

static void
integers_keep_all_their_64_bits(void **state)
{
    const struct lore_json *big = parsed("9223372036854775807");

    (void)state;
    assert_true(big->is_int && big->i == INT64_MAX);
    assert_true(parsed("-9223372036854775808")->i == INT64_MIN);
    big = parsed("9223372036854775808");
    assert_false(big->is_int);
    assert_true(big->f == 9223372036854775808.0);
    assert_false(parsed("1.0")->is_int);
    assert_false(parsed("1e3")->is_int);
    assert_true(signbit(parsed("-0")->f) && parsed("-0")->is_int);
    assert_true(parsed("-999999999999999999")->i == -999999999999999999);
}

static void
surrogate_pairs_and_escapes_are_decoded(void **state)
{
    (void)state;
    assert_string_equal(parsed("\"\\ud83d\\ude00\"")->str, "\xf0\x9f\x98\x80");
    assert_string_equal(parsed("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"")->str, "\"\\/\b\f\n\r\t");
    /* an escaped backslash before a u is no escape of a character */
    assert_string_equal(parsed("\"\\\\ud800 \\\\u0000\"")->str, "\\ud800 \\u0000");
}

static void
a_duplicate_key_names_its_path(void **state)
{
    struct lore_err err =
        refused("{\"runs\":[{},{},{},{\"device\":1,\"x\":2,\"d\\u0065vice\":1}]}");

    (void)state;
    assert_string_equal(err.code, "duplicate_key");
    assert_string_equal(err.path, "runs[3].device");
    assert_string_equal(err.msg, "runs[3].device: duplicate key");
}

static void
object_of(struct lore_buf *b, int keys, const char *more)
{
    int i;

    lore_buf_reset(b);
    for (i = 0; i < keys; i++)
        lore_buf_printf(b, "%c\"k%d\":%d", i == 0 ? '{' : ',', i, i);
    lore_buf_printf(b, "%s}", more);
}

/* Either side of where the search for duplicates changes its method. */
static void
duplicates_are_found_in_objects_of_every_size(void **state)
{
    struct lore_buf b = {0};
    struct lore_err err;
    int keys;

    (void)state;
    for (keys = 1; keys < 40; keys++) {
        object_of(&b, keys, "");
        assert_int_equal(parsed(b.data)->len, keys);
        object_of(&b, keys, ",\"new\":0,\"k0\":1,\"new\":2");
        err = refused(b.data);
        assert_string_equal(err.code, "duplicate_key");
        assert_string_equal(err.path, "k0");
    }
    lore_buf_free(&b);
}

/* Ten times the keys cost some thirteen times the time when sorted, a hundred when each is compared
 * with each. */
static void
wrong_characters_are_refused_with_their_path(void **state)
{
    static const struct {
        const char *text, *path;
    } cases[] = {
        {"{\"a\":\"x\\u0000y\"}", "a"},
        {"[1,\"\\ud800\"]", "[1]"},
        {"[\"\\udc00\"]", "[0]"},
        {"[\"\\ud800\\u0041\"]", "[0]"},
        {"[\"\\ud800\\ud800\"]", "[0]"},
        {"[\"\\ud83d\"]", "[0]"},
        {"{\"x\":{\"k\\udfff\":1}}", "x"},
        {"{\"x\":{\"\xff\":1}}", "x"},
        {"{\"b\":\"ok\",\"a\":\"\xc3\x28\"}", "a"},
        {"{\"a\":\"\xc0\x80\"}", "a"},
        {"{\"a\":\"\xed\xa0\x80\"}", "a"},
        {"{\"a\":\"\xf4\x90\x80\x80\"}", "a"},
        {"\xfe{}", "$"},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = refused(cases[i].text);

        assert_string_equal(err.code, "invalid_utf8");
        assert_string_equal(err.path, cases[i].path);
    }
}

static void
a_syntax_error_before_a_wrong_character_comes_first(void **state)
{
    (void)state;
    assert_string_equal(refused("[1 2, \"\xff\"]").code, "invalid_json");
}

static void
numbers_that_are_no_doubles_are_refused(void **state)
{
    static const char *const cases[] = {"[0,1e999]", "[0,-1e999]", "[0,NaN]", "[0,nan]",
        "[0,Infinity]", "[0,-Infinity]", "[0,1e99999999999999999999]", "[0,0e1000000000]"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = refused(cases[i]);

        assert_string_equal(err.code, "invalid_number");
        assert_string_equal(err.path, "[1]");
    }
    assert_string_equal(refused("1e999").code, "invalid_number");
}

static void
what_is_not_json_is_refused(void **state)
{
    static const char *const cases[] = {"", " \n\t", "{", "[", "\"", "[1", "{\"a\"",
        "{\"a\":", "{\"a\":1", "tru", "nul", "-", "[1,]", "{\"a\":1,}", "[,1]", "{,}", "{\"a\" 1}",
        "{a:1}", "{'a':1}", "{1:1}", "[1 2]", "{\"a\":1 \"b\":2}", "[01]", "[1.]", "[.5]", "[+1]",
        "[0x1]", "[1e]", "[True]", "{} {}", "{}\"", "{} \"}", "150\"", "\"a\"\"", "{}]", "1 2",
        "[] x", "// c\n{}", "/* c */ {}", "[\"a\nb\"]", "[\"a\tb\"]", "[\"\\q\"]", "[\"\\u12g4\"]",
        "\xef\xbb\xbf{}", "]", "}", "{\"a\":}", "\"a"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = refused(cases[i]);

        if (strcmp(err.code, "invalid_json") != 0)
            fail_msg("%s: %s", cases[i], err.code);
    }
    assert_string_equal(refused_n("[\"a\0b\"]", 7, NULL).code, "invalid_json");
    assert_string_equal(refused_n("{}\0", 3, NULL).code, "invalid_json");
    assert_string_equal(refused("").msg, "the document is empty");
}

static void
a_syntax_error_says_where_and_why(void **state)
{
    static const struct {
        const char *text, *path, *where, *hint;
    } cases[] = {
        {"{\n  \"a\": 1,\n}", "$", "line 3, column 1", "remove the comma"},
        {"{\"runs\": [{\"x\": tru}]}", "runs[0].x", "line 1, column 17", "quotes"},
        {"{\"a\": [\n 1,\n 2 33]}", "a[2]", "line 3, column 4", "','"},
        {"{\"a\":1 \"b\":2}", "$", "line 1, column 8", "','"},
        {"{\"\xc3\xa9\": 'x'}", "[\"\xc3\xa9\"]", "line 1, column 7", "quotes with \""},
        {"[1, 2", "[2]", "line 1, column 6", "missing"},
        {"{} {}", "$", "line 1, column 4", "one value"},
        {"[\"a\nb\"]", "[0]", "line 1, column 4", "\\n"},
        {"[\"C:\\dir\"]", "[0]", "line 1, column 6", "\\\\"},
        {"[None]", "[0]", "line 1, column 2", "null"},
        {"// x\n[]", "$", "line 1, column 1", "comments"},
        {"[.5]", "[0]", "line 1, column 2", "0.5"},
        {"[NaN]", "[0]", "line 1, column 2", "leave the field out"},
    };
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_err err = refused(cases[i].text);

        assert_string_equal(err.path, cases[i].path);
        if (!strstr(err.msg, cases[i].where) || !strstr(err.hint, cases[i].hint))
            fail_msg("%s -> %s (%s)", cases[i].text, err.msg, err.hint);
    }
}

static void
nested(struct lore_buf *b, int depth)
{
    int i;

    lore_buf_reset(b);
    for (i = 0; i < depth; i++)
        lore_buf_puts(b, i % 2 == 0 ? "[" : "{\"k\":");
    lore_buf_putc(b, '1');
    for (i = depth; i > 0; i--)
        lore_buf_putc(b, i % 2 == 1 ? ']' : '}');
}

static void
limits_hold_exactly(void **state)
{
    const struct lore_json_limits few = {
        .depth = 3, .string_bytes = 4, .array_items = 5, .nodes = 8};
    struct lore_json *root;
    struct lore_buf b = {0};
    struct lore_err err;

    (void)state;
    nested(&b, 32);
    (void)parsed(b.data);
    nested(&b, 33);
    assert_string_equal(refused(b.data).code, "too_deep");
    nested(&b, 200);
    assert_string_equal(refused(b.data).code, "too_deep");
    nested(&b, 3);
    assert_int_equal(lore_json_parse(b.data, b.len, &few, &arena, &root, &err), LORE_OK);
    nested(&b, 4);
    err = refused_n(b.data, b.len, &few);
    assert_string_equal(err.code, "too_deep");
    assert_string_equal(err.path, "[0].k[0]");
    assert_int_equal(lore_json_parse("[\"1234\"]", 8, &few, &arena, &root, &err), LORE_OK);
    assert_string_equal(refused_n("[\"12345\"]", 9, &few).code, "too_long");
    assert_string_equal(refused_n("[12345]", 7, &few).code, "too_long");
    assert_string_equal(refused_n("{\"12345\":1}", 11, &few).code, "too_long");
    assert_int_equal(lore_json_parse("[1,2,3,4,5]", 11, &few, &arena, &root, &err), LORE_OK);
    err = refused_n("[1,2,3,4,5,6]", 13, &few);
    assert_string_equal(err.code, "too_long");
    assert_string_equal(err.path, "[5]");
    err = refused_n("[[1,2,3],[4,5,6]]", 17, &few);
    assert_string_equal(err.code, "too_long");
    assert_string_equal(err.path, "[1][2]");
    lore_buf_free(&b);
}

/* Values that are each within their limits may fill an arena, whose end is the program's. */
static void
a_tree_leaves_the_last_quarter_of_its_arena_to_others(void **state)
{
    struct lore_arena little = {.limit = 1 << 20};
    struct lore_err err = {0};
    struct lore_json *root;
    struct lore_buf b = {0};

    (void)state;
    lore_buf_puts(&b, "[0");
    for (int i = 0; i < 50000; i++)
        lore_buf_puts(&b, ",1");
    lore_buf_putc(&b, ']');
    assert_int_equal(lore_json_parse(b.data, b.len, NULL, &little, &root, &err), LORE_TOOBIG);
    assert_string_equal(err.code, "too_big");
    assert_true(lore_arena_room(&little) >= 1 << 18);
    lore_arena_free(&little);
    lore_buf_free(&b);
}

static void
paths_name_any_key(void **state)
{
    const struct lore_json *root =
        parsed("{\"runs\":[{\"a-b_1\":{\"memory.x\":{\"\":[{\"q\\\"\\n\":7}]}}}]}");
    const struct lore_json *node = root;
    char path[160];

    (void)state;
    lore_json_path(root, path, sizeof path);
    assert_string_equal(path, "$");
    lore_json_path(NULL, path, sizeof path);
    assert_string_equal(path, "$");
    while (node->child)
        node = node->child;
    lore_json_path(node, path, sizeof path);
    assert_string_equal(path, "runs[0].a-b_1[\"memory.x\"][\"\"][0][\"q\\\"\\u000a\"]");
}

static void
a_path_too_long_for_its_buffer_is_cut_between_parts(void **state)
{
    const struct lore_json *node =
        lore_json_get(lore_json_get(parsed("{\"abc\":{\"defg\":1}}"), "abc"), "defg");
    char path[16];
    size_t size;

    (void)state;
    for (size = 0; size <= sizeof path; size++) {
        memset(path, 'x', sizeof path);
        lore_json_path(node, path, size);
        if (size > 0)
            assert_non_null(memchr(path, '\0', size));
        if (size >= 13)
            assert_string_equal(path, "abc.defg");
        else if (size >= 8)
            assert_true(strncmp(path, "abc", 3) == 0 && strstr(path, "\xe2\x80\xa6"));
    }
}

static void
getters_read_their_type_and_leave_absent_alone(void **state)
{
    const struct lore_json *o =
        parsed("{\"t\":\"x\",\"f\":1.5,\"i\":7,\"b\":true,\"n\":null,\"big\":1e3}");
    const char *text = "before";
    struct lore_err err;
    int64_t i = -1;
    double f = -1;
    bool b = false;

    (void)state;
    assert_int_equal(lore_json_text(o, "absent", &text, &err), LORE_OK);
    assert_int_equal(lore_json_text(o, "n", &text, &err), LORE_OK);
    assert_string_equal(text, "before");
    assert_int_equal(lore_json_f64(o, "absent", &f, &err), LORE_OK);
    assert_int_equal(lore_json_i64(NULL, "i", &i, &err), LORE_OK);
    assert_true(f == -1 && i == -1);
    assert_int_equal(lore_json_text(o, "t", &text, &err), LORE_OK);
    assert_int_equal(lore_json_f64(o, "f", &f, &err), LORE_OK);
    assert_int_equal(lore_json_i64(o, "i", &i, &err), LORE_OK);
    assert_int_equal(lore_json_bool(o, "b", &b, &err), LORE_OK);
    assert_string_equal(text, "x");
    assert_true(f == 1.5 && i == 7 && b);
    assert_int_equal(lore_json_f64(o, "i", &f, &err), LORE_OK);
    assert_true(f == 7);
}

static void
a_wrong_type_names_path_and_both_types(void **state)
{
    const struct lore_json *root = parsed("{\"runs\":[{\"device\":7,\"n\":1.5,\"ok\":\"yes\"}]}");
    const struct lore_json *run = lore_json_get(root, "runs")->child;
    const char *text = NULL;
    struct lore_err err;
    int64_t i = -1;
    bool b = false;

    (void)state;
    assert_int_equal(lore_json_text(run, "device", &text, &err), LORE_INVALID);
    assert_string_equal(err.msg, "runs[0].device: expected string, got number");
    assert_string_equal(err.code, "wrong_type");
    assert_string_equal(err.path, "runs[0].device");
    assert_int_equal(lore_json_i64(run, "n", &i, &err), LORE_INVALID);
    assert_string_equal(err.msg, "runs[0].n: expected an integer, got 1.5");
    assert_int_equal(lore_json_bool(run, "ok", &b, &err), LORE_INVALID);
    assert_true(!text && i == -1 && !b);
}

static bool
same_digest(const char *a, const char *b)
{
    unsigned char x[32], y[32];

    lore_json_digest(parsed(a), x);
    lore_json_digest(parsed(b), y);
    return memcmp(x, y, sizeof x) == 0;
}

static void
documents_that_say_the_same_have_one_digest(void **state)
{
    (void)state;
    assert_true(same_digest("{\"a\":1,\"b\":[true,null]}", " {\"b\" : [true, null], \"a\":1.0}"));
    assert_true(same_digest("1", "1.0"));
    assert_true(same_digest("1", "1e0"));
    assert_true(same_digest("1", "10e-1"));
    assert_true(same_digest("1", "0.001E+3"));
    assert_true(same_digest("260000", "2.6e5"));
    assert_true(same_digest("-12.50", "-1.25e1"));
    assert_true(same_digest("0", "-0.00e7"));
    assert_true(same_digest("[100200.30]", "[1002003e-1]"));
    assert_true(same_digest("\"\\u00e9\"", "\"\xc3\xa9\""));
}

static void
documents_that_differ_have_different_digests(void **state)
{
    static const char *const all[] = {"null", "false", "true", "0", "1", "-1", "10", "0.1", "100",
        "11", "101", "1e10", "1e-10", "9007199254740993", "9007199254740992", "\"\"", "\"0\"",
        "\"1\"", "\"null\"", "[]", "[[]]", "[null]", "[0]", "[1,2]", "[12]", "[2,1]", "[[1],2]",
        "[[1,2]]", "[\"a\",\"b\"]", "[\"ab\"]", "[\"a\\\",\\\"b\"]", "{}", "[{}]", "{\"a\":1}",
        "{\"a\":\"1\"}", "{\"b\":1}", "{\"a\":1,\"b\":2}", "{\"a\":2,\"b\":1}", "{\"a\":{\"b\":2}}",
        "{\"a\":null}", "{\"\":\"\"}", "[\"\",\"\"]", "0.10000000000000001", "1.5", "15", "-1.5"};
    const size_t n = sizeof all / sizeof *all;
    unsigned char seen[sizeof all / sizeof *all][32];
    size_t i, k;

    (void)state;
    for (i = 0; i < n; i++) {
        lore_json_digest(parsed(all[i]), seen[i]);
        for (k = 0; k < i; k++)
            if (memcmp(seen[i], seen[k], 32) == 0)
                fail_msg("%s and %s have one digest", all[i], all[k]);
    }
}

/* More members than are sorted in place, and texts longer than the gathering buffer. */
static void
large_documents_have_order_independent_digests_too(void **state)
{
    struct lore_buf b = {0};
    unsigned char up[32], down[32], other[32];
    int i;

    (void)state;
    for (i = 0; i < 100; i++)
        lore_buf_printf(&b, "%s\"k%d\":\"%0*d\"", i == 0 ? "{" : ",", i, 1 + i * 30, i);
    lore_buf_putc(&b, '}');
    lore_json_digest(parsed(b.data), up);
    lore_buf_reset(&b);
    for (i = 99; i >= 0; i--)
        lore_buf_printf(&b, "%s\"k%d\":\"%0*d\"", i == 99 ? "{" : ",", i, 1 + i * 30, i);
    lore_buf_putc(&b, '}');
    lore_json_digest(parsed(b.data), down);
    assert_memory_equal(up, down, 32);
    b.data[b.len - 3] = '9';
    lore_json_digest(parsed(b.data), other);
    assert_memory_not_equal(up, other, 32);
    lore_buf_free(&b);
}

static int
start(void **state)
{
    (void)state;
    lore_hash_init();
    return 0;
}

static int
forget(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

#define TEST(f) cmocka_unit_test_teardown(f, forget)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_document_becomes_a_tree),
        TEST(a_decimal_reads_as_strtod_reads_it),
        TEST(any_value_may_be_the_root),
        TEST(integers_keep_all_their_64_bits),
        TEST(surrogate_pairs_and_escapes_are_decoded),
        TEST(a_duplicate_key_names_its_path),
        TEST(duplicates_are_found_in_objects_of_every_size),
        TEST(wrong_characters_are_refused_with_their_path),
        TEST(a_syntax_error_before_a_wrong_character_comes_first),
        TEST(numbers_that_are_no_doubles_are_refused),
        TEST(what_is_not_json_is_refused),
        TEST(a_syntax_error_says_where_and_why),
        TEST(limits_hold_exactly),
        TEST(a_tree_leaves_the_last_quarter_of_its_arena_to_others),
        TEST(paths_name_any_key),
        TEST(a_path_too_long_for_its_buffer_is_cut_between_parts),
        TEST(getters_read_their_type_and_leave_absent_alone),
        TEST(a_wrong_type_names_path_and_both_types),
        TEST(documents_that_say_the_same_have_one_digest),
        TEST(documents_that_differ_have_different_digests),
        TEST(large_documents_have_order_independent_digests_too),
    };

    return cmocka_run_group_tests(tests, start, NULL);
}

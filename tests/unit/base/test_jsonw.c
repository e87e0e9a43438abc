// uses: base
/* The writer: what it writes, and every mistake it reports. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/jsonw.h"

static struct lore_buf buf;
static struct lore_jsonw w;

static int
begin(void **state)
{
    (void)state;
    memset(&buf, 0, sizeof buf);
    lore_jsonw_begin(&w, &buf, false);
    return 0;
}

static int
finish(void **state)
{
    (void)state;
    lore_buf_free(&buf);
    return 0;
}

static void
wrote(const char *text)
{
    struct lore_err err;

    if (lore_jsonw_end(&w, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(buf.data, text);
}

static void
failed_with(const char *code)
{
    struct lore_err err;

    assert_int_equal(lore_jsonw_end(&w, &err), LORE_INVALID);
    assert_string_equal(err.code, code);
}

static void
every_kind_of_value_is_written(void **state)
{
    (void)state;
    lore_w_obj(&w);
    lore_w_kstr(&w, "s", "a\"b\\\n\xc3\xa9/");
    lore_w_kstr(&w, "null", NULL);
    lore_w_kstr_opt(&w, "gone", NULL);
    lore_w_kstr_opt(&w, "gone", "");
    lore_w_kstr_opt(&w, "here", "x");
    lore_w_ki64(&w, "i", INT64_MIN);
    lore_w_kf64(&w, "f", 0.1);
    lore_w_kbool(&w, "b", true);
    lore_w_ktime(&w, "at", 1500000);
    lore_w_key(&w, "a");
    lore_w_arr(&w);
    lore_w_i64(&w, 1);
    lore_w_null(&w);
    lore_w_bool(&w, false);
    lore_w_strn(&w, "abc", 2);
    lore_w_arr(&w);
    lore_w_arr_end(&w);
    lore_w_obj(&w);
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    wrote("{\"s\":\"a\\\"b\\\\\\n\xc3\xa9/\",\"null\":null,\"here\":\"x\","
          "\"i\":-9223372036854775808,\"f\":0.1,\"b\":true,"
          "\"at\":\"1970-01-01T00:00:01.500000Z\",\"a\":[1,null,false,\"ab\",[],{}]}");
}

/* Texts of up to 24 bytes with one that is not plain, at each place. */
static void
what_needs_an_escape_is_found_wherever_it_stands(void **state)
{
    static const struct {
        const char *text, *out;
    } odd[] = {{"\"", "\\\""}, {"\\", "\\\\"}, {"\x01", "\\u0001"}, {"\x1f", "\\u001F"},
        {"\t", "\\t"}, {" ", " "}, {"\x7f", "\x7f"}, {"\xc3\xa9", "\xc3\xa9"}, {"!", "!"},
        {"#", "#"}, {"[", "["}, {"]", "]"}};
    static const char plain[] = "abcdefghij klmnop~!#[]^_";

    (void)state;
    for (size_t o = 0; o < sizeof odd / sizeof *odd; o++)
        for (size_t n = 0; n < sizeof plain; n++)
            for (size_t at = 0; at <= n; at++) {
                char in[40], want[48];

                snprintf(in, sizeof in, "%.*s%s%.*s", (int)at, plain, odd[o].text, (int)(n - at),
                    plain + at);
                snprintf(want, sizeof want, "\"%.*s%s%.*s\"", (int)at, plain, odd[o].out,
                    (int)(n - at), plain + at);
                lore_buf_reset(&buf);
                lore_jsonw_begin(&w, &buf, false);
                lore_w_str(&w, in);
                wrote(want);
            }
}

static void
whole_doubles_have_no_exponent(void **state)
{
    (void)state;
    lore_w_arr(&w);
    lore_w_f64(&w, 260000);
    lore_w_f64(&w, 999999999999999);
    lore_w_f64(&w, 17000.5);
    lore_w_arr_end(&w);
    wrote("[260000,999999999999999,17000.5]");
}

static void
raw_json_is_placed_with_its_commas(void **state)
{
    (void)state;
    lore_w_obj(&w);
    lore_w_key(&w, "record");
    lore_w_raw(&w, "{\"x\": [1, 2]}");
    lore_w_key(&w, "none");
    lore_w_raw(&w, NULL);
    lore_w_key(&w, "empty");
    lore_w_raw(&w, "");
    lore_w_key(&w, "list");
    lore_w_arr(&w);
    lore_w_raw(&w, "1");
    lore_w_raw(&w, "\"two\"");
    lore_w_arr_end(&w);
    lore_w_obj_end(&w);
    wrote("{\"record\":{\"x\": [1, 2]},\"none\":null,\"empty\":null,\"list\":[1,\"two\"]}");
}

static void
a_parsed_value_is_written_as_it_was(void **state)
{
    static const char text[] = "{\"n\":[1.50,1e5,-0,12345678901234567890],\"s\":\"\",\"o\":{\"\":"
                               "true,\"k.k\":null},\"e\":[]}";
    struct lore_arena arena = {0};
    struct lore_json *root = NULL;
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_json_parse(text, sizeof text - 1, NULL, &arena, &root, &err), LORE_OK);
    lore_w_node(&w, root);
    wrote(text);
    lore_arena_free(&arena);
}

static void
pretty_text_is_indented_by_two(void **state)
{
    struct lore_err err;

    (void)state;
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_INVALID); /* nothing was written */
    lore_jsonw_begin(&w, &buf, true);
    lore_w_obj(&w);
    lore_w_ki64(&w, "a", 1);
    lore_w_obj_end(&w);
    wrote("{\n  \"a\": 1\n}\n");
}

static void
nan_and_infinity_are_refused(void **state)
{
    (void)state;
    lore_w_arr(&w);
    lore_w_f64(&w, NAN);
    lore_w_arr_end(&w);
    failed_with("invalid_number");
    lore_jsonw_begin(&w, &buf, false);
    lore_w_f64(&w, -INFINITY);
    failed_with("invalid_number");
}

static void
text_that_is_not_utf8_is_refused(void **state)
{
    (void)state;
    lore_w_str(&w, "\xed\xa0\x80");
    failed_with("invalid_utf8");
    lore_jsonw_begin(&w, &buf, false);
    lore_w_obj(&w);
    lore_w_ki64(&w, "\xff", 1);
    lore_w_obj_end(&w);
    failed_with("invalid_utf8");
}

/* Each letter is one call; the text must be refused. */
static void
play(const char *calls)
{
    for (; *calls != '\0'; calls++) {
        switch (*calls) {
        case '{':
            lore_w_obj(&w);
            break;
        case '}':
            lore_w_obj_end(&w);
            break;
        case '[':
            lore_w_arr(&w);
            break;
        case ']':
            lore_w_arr_end(&w);
            break;
        case 'k':
            lore_w_key(&w, "key");
            break;
        case 's':
            lore_w_str(&w, "text");
            break;
        default:
            lore_w_i64(&w, 1);
            break;
        }
    }
}

static void
calls_that_do_not_fit_together_are_refused(void **state)
{
    static const char *const wrong[] = {"", "{", "[", "{k", "{k}", "{1}", "{s1}", "[k]", "k1",
        "{kk1}", "11", "[]1", "{}{}", "[}", "{]", "]", "}", "[1]]", "{k1}}", "{k[}]", "{k1s}"};
    struct lore_err err;
    size_t i;

    (void)state;
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_INVALID); /* nothing was written */
    for (i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        lore_buf_reset(&buf);
        lore_jsonw_begin(&w, &buf, false);
        play(wrong[i]);
        if (lore_jsonw_end(&w, &err) != LORE_INVALID)
            fail_msg("%s was accepted: %s", wrong[i], buf.data);
    }
}

static void
calls_that_fit_are_accepted(void **state)
{
    (void)state;
    play("[1{k1ks}[]{k[{}]}s]");
    wrote("[1,{\"key\":1,\"key\":\"text\"},[],{\"key\":[{}]},\"text\"]");
}

static void
depth_beyond_the_generator_is_an_error_not_an_overflow(void **state)
{
    int i;

    (void)state;
    for (i = 0; i < 300; i++)
        lore_w_arr(&w);
    for (i = 0; i < 300; i++)
        lore_w_arr_end(&w);
    failed_with("too_deep");
}

static void
a_hundred_levels_are_fine(void **state)
{
    char want[201];
    int i;

    (void)state;
    for (i = 0; i < 100; i++)
        lore_w_arr(&w);
    for (i = 0; i < 100; i++)
        lore_w_arr_end(&w);
    memset(want, '[', 100);
    memset(want + 100, ']', 100);
    want[200] = '\0';
    wrote(want);
}

static void
a_full_buffer_is_too_big(void **state)
{
    struct lore_err err;

    (void)state;
    buf.max = 5;
    lore_w_str(&w, "longer than five");
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_TOOBIG);
}

static void
only_the_listed_members_of_one_level_are_written(void **state)
{
    static const char *const names[] = {"b", "d"};

    (void)state;
    lore_jsonw_only(&w, 2, names, 2);
    lore_w_arr(&w);
    for (int row = 0; row < 2; row++) {
        lore_w_obj(&w);
        for (const char *key = "a\0b\0c\0d\0e\0"; *key; key += 2) {
            lore_w_key(&w, key);
            lore_w_obj(&w);
            lore_w_ki64(&w, "a", row);
            lore_w_obj_end(&w);
        }
        lore_w_obj_end(&w);
    }
    lore_w_obj(&w);
    lore_w_kstr(&w, "a", "alone");
    lore_w_obj_end(&w);
    lore_w_arr_end(&w);
    wrote("[{\"b\":{\"a\":0},\"d\":{\"a\":0}},{\"b\":{\"a\":1},\"d\":{\"a\":1}},{}]");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, begin, finish)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_kind_of_value_is_written),
        TEST(what_needs_an_escape_is_found_wherever_it_stands),
        TEST(whole_doubles_have_no_exponent),
        TEST(raw_json_is_placed_with_its_commas),
        TEST(a_parsed_value_is_written_as_it_was),
        TEST(pretty_text_is_indented_by_two),
        TEST(nan_and_infinity_are_refused),
        TEST(text_that_is_not_utf8_is_refused),
        TEST(calls_that_do_not_fit_together_are_refused),
        TEST(calls_that_fit_are_accepted),
        TEST(depth_beyond_the_generator_is_an_error_not_an_overflow),
        TEST(a_hundred_levels_are_fine),
        TEST(a_full_buffer_is_too_big),
        TEST(only_the_listed_members_of_one_level_are_written),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

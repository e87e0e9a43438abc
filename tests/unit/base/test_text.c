// uses: base
/* Comparing, slugs, did-you-mean, UTF-8, numbers in and out. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"

static void
comparing_knows_null_and_case(void **state)
{
    (void)state;
    assert_true(lore_streq(NULL, NULL));
    assert_false(lore_streq("a", NULL));
    assert_true(lore_streq("a", "a"));
    assert_false(lore_streq("a", "A"));
    assert_true(lore_streqi("MI300X", "mi300x"));
    assert_false(lore_streqi("mi300", "mi300x"));
    assert_false(lore_streqi("mi300x", "mi300"));
    assert_false(lore_streqi(NULL, ""));
    assert_true(lore_starts("gfx942", "gfx"));
    assert_false(lore_starts("gf", "gfx"));
    assert_false(lore_starts(NULL, "gfx"));
}

static void
slugs_are_lower_case_words_joined_by_one_underscore(void **state)
{
    struct lore_arena a = {0};

    (void)state;
    assert_string_equal(lore_slug(&a, "Warp-level DPP"), "warp_level_dpp");
    assert_string_equal(lore_slug(&a, "  (memory) / bound!  "), "memory_bound");
    assert_string_equal(lore_slug(&a, "memory.Vectorized Access"), "memory.vectorized_access");
    assert_string_equal(lore_slug(&a, "caf\xc3\xa9"), "caf");
    assert_string_equal(lore_slug(&a, "--"), "");
    assert_string_equal(lore_slug(&a, ""), "");
    assert_null(lore_slug(&a, NULL));
    lore_arena_free(&a);
}

static void
the_nearest_name_is_found_within_a_third(void **state)
{
    static const char *const names[] = {"device", "runs", "metrics", "samples_ns", "mi300x"};

    (void)state;
    assert_int_equal(lore_nearest("devise", names, 5), 0);
    assert_int_equal(lore_nearest("metircs", names, 5), 2);
    assert_int_equal(lore_nearest("sample_ns", names, 5), 3);
    assert_int_equal(lore_nearest("MI300X", names, 5), 4);
    assert_int_equal(lore_nearest("mi325x", names, 5), 4);
    assert_int_equal(lore_nearest("kernel", names, 5), -1);
    assert_int_equal(lore_nearest("ru", names, 5), -1);
    assert_int_equal(lore_nearest("", names, 5), -1);
    assert_int_equal(lore_nearest(NULL, names, 5), -1);
    assert_int_equal(lore_nearest("devise", names, 0), -1);
}

static void
names_of_any_length_are_safe(void **state)
{
    const char *names[1];
    char longest[201];
    size_t n;

    (void)state;
    for (n = 60; n <= 200; n++) {
        memset(longest, 'q', n);
        longest[n] = '\0';
        names[0] = longest;
        assert_int_equal(lore_nearest(longest, names, 1), n <= 64 ? 0 : -1);
        assert_int_equal(lore_nearest("q", names, 1), -1);
    }
}

static void
only_well_formed_utf8_is_valid(void **state)
{
    static const char *const good[] = {"", "plain", "\xc3\xa9", "\xe2\x82\xac", "\xed\x9f\xbf",
        "\xee\x80\x80", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "12345678\xc3\xa9"};
    static const char *const bad[] = {"\x80", "\xc0\x80", "\xc1\xbf", "\xc3", "\xc3(",
        "\xe0\x9f\xbf", "\xed\xa0\x80", "\xed\xbf\xbf", "\xe2\x82", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "12345678\xfe", "\xf0\x9f\x98"};
    size_t i;

    (void)state;
    for (i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(lore_utf8_valid(good[i], strlen(good[i])));
    for (i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(lore_utf8_valid(bad[i], strlen(bad[i])));
    assert_true(lore_utf8_valid("a\0b", 3));
    assert_int_equal(lore_utf8_prefix("0123456789\xff", 11), 10);
}

/* The code point written the slow way: valid exactly when a decoder would give it back. */
static void
every_code_point_but_the_surrogates_is_valid(void **state)
{
    unsigned c;

    (void)state;
    for (c = 0x800; c < 0x110000; c += c < 0x10000 ? 1 : 37) {
        char s[4];
        size_t n = 0;

        if (c >= 0x10000) {
            s[n++] = (char)(0xf0 | c >> 18);
            s[n++] = (char)(0x80 | (c >> 12 & 63));
        } else {
            s[n++] = (char)(0xe0 | c >> 12);
        }
        s[n++] = (char)(0x80 | (c >> 6 & 63));
        s[n++] = (char)(0x80 | (c & 63));
        assert_true(lore_utf8_valid(s, n) == (c < 0xd800 || c > 0xdfff));
    }
}

static void
a_typing_error_is_told_from_another_name(void **state)
{
    static const struct {
        const char *name, *known;
        bool misspelt;
    } cases[] = {{"rmsnrom_quant_fp8", "rmsnorm_quant_fp8", true},
        {"rope_kv_apend", "rope_kv_append", true}, {"softmax", "softmax", false},
        {"softmax_v2", "softmax_v1", false}, {"softmax2", "softmax", false},
        {"gemm_fp16", "gemm_fp8", false}, {"k3", "k2", false}, {"rope_fwd", "rope_bwd", false},
        {"softmax_cuda", "softmax_hip", false}, {"gemm_a", "gemm_b", false}, {"", "x", false}};
    struct lore_arena a = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (lore_misspells(&a, cases[i].name, cases[i].known) != cases[i].misspelt)
            fail_msg("%s, %s", cases[i].name, cases[i].known);
    lore_arena_free(&a);
}

static void
doubles_are_written_as_people_write_them(void **state)
{
    static const struct {
        double v;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "1"},
        {-3, "-3"},
        {260000, "260000"},
        {0.1, "0.1"},
        {1.77, "1.77"},
        {767404.8, "767404.8"},
        {1.0 / 3, "0.3333333333333333"},
        {0.1 + 0.2, "0.30000000000000004"},
        {999999999999999, "999999999999999"},
        {1e15, "1e+15"},
        {1e-9, "1e-09"},
        {5e-324, "5e-324"},
        {DBL_MAX, "1.7976931348623157e+308"},
        {DBL_MIN, "2.2250738585072014e-308"},
    };
    char text[32];
    size_t i;

    (void)state;
    for (i = 0; i < sizeof cases / sizeof *cases; i++) {
        lore_f64_text(cases[i].v, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void
doubles_of_any_bits_read_back_equal(void **state)
{
    uint64_t bits = 88172645463325252u;
    char text[32];
    double v;
    int i;

    (void)state;
    for (i = 0; i < 20000; i++) {
        bits ^= bits << 13;
        bits ^= bits >> 7;
        bits ^= bits << 17;
        memcpy(&v, &bits, sizeof v);
        if (!isfinite(v))
            continue;
        lore_f64_text(v, text);
        assert_true(strtod(text, NULL) == v);
        assert_true(strlen(text) < sizeof text);
    }
    lore_f64_text(-0.0, text);
    assert_string_equal(text, "-0");
}

static void
integers_are_whole_strings(void **state)
{
    static const char *const bad[] = {
        "", " 1", "1 ", "+1", "1.0", "0x10", "-", "--1", "1e3", "9223372036854775808", "ten"};
    struct lore_err err;
    long long v = 0;
    size_t i;

    (void)state;
    assert_int_equal(lore_parse_i64("-9223372036854775808", "n", &v, &err), LORE_OK);
    assert_true(v == INT64_MIN);
    assert_int_equal(lore_parse_i64("0042", "n", &v, &err), LORE_OK);
    assert_true(v == 42);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        v = 7;
        assert_int_equal(lore_parse_i64(bad[i], "limit", &v, &err), LORE_INVALID);
        assert_true(v == 7);
        assert_string_equal(err.path, "limit");
    }
    assert_int_equal(lore_parse_i64(NULL, "limit", &v, &err), LORE_INVALID);
    assert_int_equal(lore_parse_i64("ten", "limit", &v, &err), LORE_INVALID);
    assert_string_equal(err.msg, "limit: expected an integer, got \"ten\"");
}

static void
numbers_are_finite_decimals(void **state)
{
    static const char *const bad[] = {
        "", " 1", "1 ", "nan", "inf", "0x10", "1e999", "-1e999", "-", "e5", "1,5", "1.5us", "+1"};
    struct lore_err err;
    double v = 0;
    size_t i;

    (void)state;
    assert_int_equal(lore_parse_f64("-1.5e3", "x", &v, &err), LORE_OK);
    assert_true(v == -1500);
    assert_int_equal(lore_parse_f64(".5", "x", &v, &err), LORE_OK);
    assert_true(v == 0.5);
    for (i = 0; i < sizeof bad / sizeof *bad; i++) {
        v = 7;
        if (lore_parse_f64(bad[i], "--latency", &v, &err) != LORE_INVALID)
            fail_msg("\"%s\" was read", bad[i]);
        assert_true(v == 7);
    }
    assert_string_equal(err.path, "--latency");
}

static void
texts_have_an_order_and_choices_are_whole_words(void **state)
{
    const char *names[] = {"tile", "lds", "split"};

    (void)state;
    assert_int_equal(lore_strorder(NULL, NULL), 0);
    assert_true(lore_strorder(NULL, "") < 0 && lore_strorder("", NULL) > 0);
    assert_true(lore_strorder("a", "b") < 0 && lore_strorder("b", "b") == 0);
    qsort(names, 3, sizeof *names, lore_by_text);
    assert_string_equal(names[0], "lds");
    assert_string_equal(names[2], "tile");
    assert_true(lore_choice("win|neutral", "win") && lore_choice("win|neutral", "neutral"));
    assert_false(lore_choice("win|neutral", "wi") || lore_choice("win|neutral", "win|neutral"));
    assert_false(lore_choice("win|neutral", "") || lore_choice(NULL, "win"));
}

static void
letters_and_digits_are_those_of_ascii(void **state)
{
    (void)state;
    for (int i = -128; i < 128; i++) {
        bool digit = i >= '0' && i <= '9';
        bool letter = (i >= 'a' && i <= 'z') || (i >= 'A' && i <= 'Z') || i == '_';
        assert_int_equal(lore_is_digit((char)i), digit);
        assert_int_equal(lore_is_word((char)i), digit || letter);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(comparing_knows_null_and_case),
        cmocka_unit_test(texts_have_an_order_and_choices_are_whole_words),
        cmocka_unit_test(letters_and_digits_are_those_of_ascii),
        cmocka_unit_test(slugs_are_lower_case_words_joined_by_one_underscore),
        cmocka_unit_test(the_nearest_name_is_found_within_a_third),
        cmocka_unit_test(names_of_any_length_are_safe),
        cmocka_unit_test(only_well_formed_utf8_is_valid),
        cmocka_unit_test(every_code_point_but_the_surrogates_is_valid),
        cmocka_unit_test(a_typing_error_is_told_from_another_name),
        cmocka_unit_test(doubles_are_written_as_people_write_them),
        cmocka_unit_test(doubles_of_any_bits_read_back_equal),
        cmocka_unit_test(integers_are_whole_strings),
        cmocka_unit_test(numbers_are_finite_decimals),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

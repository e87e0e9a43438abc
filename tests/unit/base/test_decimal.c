// uses: base
/* Numbers without printf: each must be what printf and strtod find, digit by digit. */
#include "service/base/decimal.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static uint64_t state = 7;

static uint64_t
dice(void)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state ^ state >> 29;
}

/* The first of %.15g, %.16g and %.17g that reads back equal. */
static void
slowly(double v, char out[32])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, v);
        if (strtod(out, NULL) == v)
            return;
    }
}

static size_t
check(double v)
{
    char want[32], got[32];
    size_t n = lore_decimal_f64(v, got);

    if (n == 0)
        return 0;
    slowly(v, want);
    assert_string_equal(got, want);
    assert_int_equal(n, strlen(got));
    return 1;
}

static void
numbers_of_all_sizes_are_written_as_printf_writes_them(void **unused)
{
    size_t found = 0, n = 400000;

    (void)unused;
    for (size_t i = 0; i < n; i++) {
        uint64_t bits = dice();
        double v;

        bits = (bits & UINT64_C(0x800fffffffffffff)) | (1009 + dice() % 64) << 52;
        memcpy(&v, &bits, sizeof v);
        found += check(v);
    }
    assert_true(found > n * 9 / 10);
}

static void
numbers_with_few_digits_are_written_with_few(void **unused)
{
    size_t found = 0, n = 400000;

    (void)unused;
    for (size_t i = 0; i < n; i++) {
        double v = (double)(dice() % 1000000) / pow(10, (double)(dice() % 10));

        found += check(v) + check((double)(float)v) + check(nextafter(v, INFINITY));
    }
    assert_true(found > 3 * n * 9 / 10);
}

static void
neighbours_of_powers_are_written_as_printf_writes_them(void **unused)
{
    (void)unused;
    for (int ten = 0; ten < 2; ten++)
        for (int e = -20; e < 60; e++) {
            double v = pow(ten ? 10 : 2, e), below = v, above = v;

            for (int i = 0; i < 40; i++) {
                check(below);
                check(-above);
                below = nextafter(below, 0);
                above = nextafter(above, INFINITY);
            }
        }
}

static void
what_needs_an_exponent_is_left_to_printf(void **unused)
{
    static const double not_these[] = {9.99e-5, 1e15, 1.5e300, 5e-324, -0.0, NAN, INFINITY};
    char out[32];

    (void)unused;
    for (size_t i = 0; i < sizeof not_these / sizeof *not_these; i++)
        assert_false(lore_decimal_f64(not_these[i], out));
    assert_true(lore_decimal_f64(1e-4, out));
    assert_string_equal(out, "0.0001");
    assert_true(lore_decimal_f64(-999999999999999.0, out));
    assert_string_equal(out, "-999999999999999");
}

static void
whole_numbers_are_written_to_both_ends(void **unused)
{
    static const int64_t cases[] = {0, 7, -1, 10, 1000000007, INT64_MAX, INT64_MIN};
    char want[32], got[24];

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        snprintf(want, sizeof want, "%" PRId64, cases[i]);
        assert_int_equal(lore_decimal_i64(cases[i], got), strlen(want));
        assert_string_equal(got, want);
    }
}

static void
reads(const char *text)
{
    char *end, *want_end;
    double got = lore_decimal_read(text, &end), want = strtod(text, &want_end);

    assert_memory_equal(&got, &want, sizeof got);
    assert_ptr_equal(end, want_end);
}

static void
decimals_read_as_strtod_reads_them(void **unused)
{
    /* the last ones lie between two doubles, or next to that */
    static const char *const texts[] = {"0", "-0", "0.0", "1", "-1.5", "1.", ".5", "-", "", "x",
        "1e3", "1.5E-7", "0x10", "inf", "nan", "12 13", "1.2.3", "00012.5", "9999999999999999999",
        "18446744073709551616", "0.000000000000000000000000001", "123456789012345678901234567890",
        "9007199254740993", "9007199254740993.0", "9007199254740993.001", "4503599627370497.5",
        "4503599627370496.5", "4503599627370497.4999", "0.500000000000000055511151231257827",
        "1.00000000000000011102230246251565", "1.000000000000000111", "1.000000000000000112"};
    char text[64];

    (void)unused;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        reads(texts[i]);
    for (int i = 0; i < 50000; i++) {
        uint64_t digits = dice() >> dice() % 64;
        int n = snprintf(
                text, sizeof text, "%s%llu", dice() % 2 ? "-" : "", (unsigned long long)digits),
            point = (int)(dice() % 20);
        if (point > 0 && point < n) {
            memmove(text + point + 1, text + point, (size_t)(n - point) + 1);
            text[point] = '.';
        }
        reads(text);
    }
    /* halves of odd numbers of 54 bits lie exactly between two doubles */
    for (int i = 0; i < 5000; i++) {
        uint64_t odd = (dice() >> 11) | (uint64_t)1 << 53 | 1;
        for (uint64_t k = odd - 1; k <= odd + 1; k++) {
            snprintf(text, sizeof text, "%llu", (unsigned long long)k);
            reads(text);
            snprintf(text, sizeof text, "%llu.%d", (unsigned long long)(k / 2), k % 2 ? 5 : 0);
            reads(text);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decimals_read_as_strtod_reads_them),
        cmocka_unit_test(numbers_of_all_sizes_are_written_as_printf_writes_them),
        cmocka_unit_test(numbers_with_few_digits_are_written_with_few),
        cmocka_unit_test(neighbours_of_powers_are_written_as_printf_writes_them),
        cmocka_unit_test(what_needs_an_exponent_is_left_to_printf),
        cmocka_unit_test(whole_numbers_are_written_to_both_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

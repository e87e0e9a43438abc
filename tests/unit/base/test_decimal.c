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

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_all_sizes_are_written_as_printf_writes_them),
        cmocka_unit_test(numbers_with_few_digits_are_written_with_few),
        cmocka_unit_test(neighbours_of_powers_are_written_as_printf_writes_them),
        cmocka_unit_test(what_needs_an_exponent_is_left_to_printf),
        cmocka_unit_test(whole_numbers_are_written_to_both_ends),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

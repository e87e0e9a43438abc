// uses: derive m
/* Spec values against each other: conflicts that published documents really have. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/catalogue/units.h"
#include "service/derive/speclint.h"
#include "tests/unit/near.h"

#define BF16 "peak_tflops.bf16.matrix.dense"
#define BF16_SPARSE "peak_tflops.bf16.matrix.sparse"
#define TF32 "peak_tflops.tf32.matrix.dense"
#define FP8 "peak_tflops.fp8.matrix.dense"
#define SAID(chip, metric, value, unit, id, evidence, quote)                                       \
    {                                                                                              \
        chip, metric, NULL, value, unit, id, evidence, quote                                       \
    }
#define V(chip, metric, value, unit, id) SAID(chip, metric, value, unit, id, NULL, NULL)
#define N(a) (sizeof(a) / sizeof *(a))

static struct lore_arena arena;

static int
clean(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static void
units_normalise_inside_their_dimension(void **state)
{
    const char *a, *b;
    double x, y;
    (void)state;

    assert_true(lore_unit_normalise(5.3, "TB/s", &x, &a));
    assert_true(lore_unit_normalise(5300, "GB/s", &y, &b));
    assert_near(x, y, 1);
    assert_string_equal(a, b);
    assert_true(lore_unit_normalise(2, "MiB", &x, &a));
    assert_near(x, 2097152, 0);
    assert_true(lore_unit_normalise(304, NULL, &x, &a));
    assert_string_equal(a, "1");
    assert_false(lore_unit_normalise(1, "furlong", &x, &a));
    assert_false(lore_unit_normalise(INFINITY, "W", &x, &a));
    assert_true(lore_unit_normalise(6016, "bit", &x, &a)); /* a bus width, as devices report it */
    assert_true(lore_unit_normalise(128, "bytes/clock", &x, &a));
    assert_true(lore_unit_normalise(247, "FLOP/B", &x, &a));
    assert_true(lore_unit_normalise(1, "TOPS", &x, &a));
    assert_true(lore_unit_normalise(1, "TFLOPS", &x, &b));
    assert_string_not_equal(a, b); /* an integer operation is no floating-point operation */
}

static const struct lore_speclint_value mi300x[] = {V("mi300x", TF32, 653.7, "TFLOPS", "x1"),
    V("mi300x", BF16, 1307.4, "TFLOPS", "x2"), V("mi300x", BF16_SPARSE, 2614.9, "TFLOPS", "x3"),
    V("mi300x", FP8, 2614.9, "TFLOPS", "x4"), V("mi300x", "compute_units", 304, "count", "x5"),
    V("mi300x", "peak_clock", 2100, "MHz", "x6")};

static void
a_consistent_table_has_no_findings(void **state)
{
    size_t n = 9;
    (void)state;

    lore_spec_lint(mi300x, N(mi300x), NULL, 0, &arena, &n);
    assert_int_equal(n, 0);
}

static void
broken_arithmetic_is_found(void **state)
{
    const struct lore_speclint_value v[] = {V("mi308x", TF32, 172, "TFLOPS", "a"),
        V("mi308x", BF16, 206, "TFLOPS", "b"), V("mi308x", FP8, 465, "TFLOPS", "c"),
        V("mi308x", BF16_SPARSE, 0.412, "PFLOPS", "d")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].code, "tf32_bf16");
    assert_string_equal(f[0].ids[0], "a");
    assert_string_equal(f[0].ids[1], "b");
    assert_non_null(strstr(f[0].sentence, "1.198"));
    assert_string_equal(f[1].code, "fp8_bf16");
    assert_string_equal(f[1].ids[1], "c");
}

static void
a_sparse_value_that_is_not_twice_dense_is_found(void **state)
{
    const struct lore_speclint_value v[] = {V("mi355x", BF16, 2500, "TFLOPS", "a"),
        V("mi355x", BF16_SPARSE, 80, "TFLOPS", "b"), V("mi300x", BF16_SPARSE, 5, "TFLOPS", "c")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 1); /* another chip's value is not compared */
    assert_string_equal(f[0].code, "dense_sparse");
}

static void
a_sibling_is_compared_only_when_given(void **state)
{
    const struct lore_speclint_value v[] = {V("mi308x", TF32, 172, "TFLOPS", "a"),
        V("mi308x", "peak_tflops.bf16.matrix.dense", 206, "TFLOPS", "b"),
        V("mi308x", "compute_units", 80, "", "c"), V("mi308x", "peak_clock", 2100, "MHz", "d")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    lore_spec_lint(v, 1, mi300x, N(mi300x), &arena, &n);
    assert_int_equal(n, 0); /* units unknown */
    lore_spec_lint(v + 1, 3, NULL, 0, &arena, &n);
    assert_int_equal(n, 0);
    f = lore_spec_lint(v + 1, 3, mi300x, N(mi300x), &arena, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].code, "unit_scaling");
    assert_string_equal(f[0].ids[0], "b");
    assert_string_equal(f[0].ids[1], "x2");
    f = lore_spec_lint(v, N(v), mi300x, N(mi300x), &arena, &n);
    assert_int_equal(n, 2); /* TF32 is scaled by units: 653.7 * 80/304 = 172.0 */
    assert_string_equal(f[0].code, "tf32_bf16");
}

static void
values_that_differ_are_one_dispute_with_every_member(void **state)
{
    const struct lore_speclint_value v[] = {V("mi308x", BF16, 206, "TFLOPS", "a"),
        V("mi308x", "memory_bandwidth", 5.3, "TB/s", "b"), V("mi308x", BF16, 232, "TFLOPS", "c"),
        V("mi308x", "memory_bandwidth", 4300, "GB/s", "d"), V("mi308x", BF16, 206, "TFLOPS", "e"),
        V("mi300x", BF16, 1307.4, "TFLOPS", "f")};
    const struct lore_spec_dispute *d;
    size_t n;
    (void)state;

    d = lore_spec_disputes(v, N(v), &arena, &n);
    assert_int_equal(n, 2);
    assert_string_equal(d[0].metric, BF16);
    assert_int_equal(d[0].n_members, 3);
    assert_string_equal(d[0].members[2]->id, "e");
    assert_near(d[0].low, 206e12, 1);
    assert_near(d[0].high, 232e12, 1);
    assert_string_equal(d[1].metric, "memory_bandwidth");
    assert_int_equal(d[1].n_members, 2);
    assert_string_equal(d[1].dimension, "byte/s");
}

static void
equal_values_in_other_units_are_no_dispute(void **state)
{
    const struct lore_speclint_value v[] = {V("mi300x", "memory_bandwidth", 5.3, "TB/s", "a"),
        V("mi300x", "memory_bandwidth", 5300, "GB/s", "b"), V("h100", "l2_size", 50, "MB", "c"),
        V("h100", "l2_size", 51200, "KB", "d"), V("h100", "l2_size", 52428800, "B", "e"),
        {"mi300x", BF16, "spx", 1, "TFLOPS", "f", NULL, NULL},
        {"mi300x", BF16, "cpx", 2, "TFLOPS", "g", NULL, NULL}, V("mi300x", BF16, 3, "TFLOPS", "h")};
    size_t n = 9;
    (void)state;

    lore_spec_disputes(v, N(v), &arena, &n);
    assert_int_equal(n, 0);
}

static void
unknown_units_never_compare(void **state)
{
    const struct lore_speclint_value v[] = {V("h20", "draw", 400, "W", "a"),
        V("h20", "draw", 1, "horse", "b"), V("h20", "draw", 2, "horse", "c"),
        V("h20", "draw", 400, "MHz", "d")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    lore_spec_disputes(v, N(v), &arena, &n);
    assert_int_equal(n, 0);
    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].code, "unknown_unit");
    assert_null(f[0].ids[1]);
}

/* 256 MB of Infinity Cache recorded as L2 against 32 MB: a real one, 4 against 2 MiB not. */
static void
a_cache_size_disputes_when_no_reading_agrees(void **state)
{
    const struct lore_speclint_value v[] = {
        V("mi300x", "l2_size", 256, "MB", "a"), V("mi300x", "l2_size", 32, "MB", "b")};
    const struct lore_spec_dispute *d;
    size_t n;
    (void)state;

    d = lore_spec_disputes(v, N(v), &arena, &n);
    assert_int_equal(n, 1);
    assert_int_equal(d[0].n_members, 2);
}

static void
what_a_device_reports_is_held_against_documents(void **state)
{
    const struct lore_speclint_value v[] = {
        SAID("h200", "l2_bytes", 62914560, "byte", "a", "device_reported", NULL),
        V("h200", "l2_bytes", 50, "MB", "b"), V("h200", "l2_bytes", 60, "MB", "c"),
        SAID("h200", "compute_units", 132, "", "d", "device_reported", NULL),
        V("h200", "compute_units", 132, "count", "e"), V("h20", "l2_bytes", 50, "MB", "f")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 1); /* 62914560 bytes are 60 MiB; the other chip is another chip */
    assert_string_equal(f[0].code, "device_differs");
    assert_string_equal(f[0].ids[0], "a");
    assert_string_equal(f[0].ids[1], "b");
    assert_string_equal(
        f[0].sentence, "h200: the device reports l2_bytes = 62914560 byte, a document says 50 MB");
}

static size_t
doubted(double value, const char *unit, const char *evidence, const char *quote)
{
    const struct lore_speclint_value v = SAID("mi308x", BF16, value, unit, "a", evidence, quote);
    const struct lore_spec_finding *f;
    size_t n;

    f = lore_spec_lint(&v, 1, NULL, 0, &arena, &n);
    assert_true(n == 0 || lore_streq(f[0].code, "quote_lacks_value"));
    return n;
}

static void
a_quote_that_does_not_hold_the_number_is_found(void **state)
{
    (void)state;
    assert_int_equal(doubted(344, "TFLOPS", "vendor_published", "BF16 on MI308X | 206 |"), 1);
    assert_int_equal(doubted(308, "TFLOPS", NULL, "the MI308X has HBM3"), 1);
    assert_int_equal(doubted(206, "TFLOPS", NULL, "| **BF16** | 206 |"), 0);
    assert_int_equal(doubted(1307.4, "TFLOPS", NULL, "1,307.4 dense"), 0);
    assert_int_equal(doubted(206e3, "GFLOPS", NULL, "206 TFLOPS"), 0);
    assert_int_equal(doubted(6.75e11, "FLOPS", NULL, "reached 6.75e+11"), 0);
    assert_int_equal(doubted(729, "TFLOPS", "derived", "675 at 92.65 %"), 0);
    assert_int_equal(doubted(206, "TFLOPS", NULL, NULL), 0);
}

static void
sources_that_say_the_same_lead_to_one_finding(void **state)
{
    const struct lore_speclint_value v[] = {V("mi308x", TF32, 172, "TFLOPS", "a"),
        V("mi308x", BF16, 206, "TFLOPS", "b"), V("mi308x", BF16, 206, "TFLOPS", "c"),
        V("mi308x", BF16, 232, "TFLOPS", "d")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 2);
    assert_string_equal(f[0].ids[1], "b");
    assert_string_equal(f[1].ids[1], "d");
}

static void
a_name_that_nothing_is_compared_under_is_found(void **state)
{
    const struct lore_speclint_value v[] = {V("h200", "sm_count", 132, "", "a"),
        V("h200", "compute_units", 132, "", "b"), V("h200", "copper_layers", 14, "", "c")};
    const struct lore_spec_finding *f;
    size_t n;
    (void)state;

    f = lore_spec_lint(v, N(v), NULL, 0, &arena, &n);
    assert_int_equal(n, 1);
    assert_string_equal(f[0].code, "other_name");
    assert_string_equal(f[0].ids[0], "a");
    assert_string_equal(f[0].sentence,
        "h200: sm_count is called compute_units elsewhere, so its values are not compared");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(units_normalise_inside_their_dimension, clean),
        cmocka_unit_test_teardown(a_consistent_table_has_no_findings, clean),
        cmocka_unit_test_teardown(broken_arithmetic_is_found, clean),
        cmocka_unit_test_teardown(a_sparse_value_that_is_not_twice_dense_is_found, clean),
        cmocka_unit_test_teardown(a_sibling_is_compared_only_when_given, clean),
        cmocka_unit_test_teardown(values_that_differ_are_one_dispute_with_every_member, clean),
        cmocka_unit_test_teardown(equal_values_in_other_units_are_no_dispute, clean),
        cmocka_unit_test_teardown(unknown_units_never_compare, clean),
        cmocka_unit_test_teardown(a_cache_size_disputes_when_no_reading_agrees, clean),
        cmocka_unit_test_teardown(what_a_device_reports_is_held_against_documents, clean),
        cmocka_unit_test_teardown(a_quote_that_does_not_hold_the_number_is_found, clean),
        cmocka_unit_test_teardown(sources_that_say_the_same_lead_to_one_finding, clean),
        cmocka_unit_test_teardown(a_name_that_nothing_is_compared_under_is_found, clean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// uses: wire
/* The vocabulary of hardware numbers: what tables call them, and how rates are named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/text.h"
#include "service/catalogue/spec_names.h"

static void
every_name_is_its_own_and_has_a_unit_and_help(void **state)
{
    size_t n = 0;
    const struct lore_spec_name *all = lore_spec_names(&n);

    (void)state;
    assert_true(n > 20);
    for (size_t i = 0; i < n; i++) {
        assert_true(*all[i].unit && *all[i].help);
        assert_ptr_equal(lore_spec_name_find(all[i].name), &all[i]);
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(all[i].name, all[j].name);
    }
}

/* Each label leads to the row that lists it, so no two rows list the same. */
static void
every_label_leads_to_its_row(void **state)
{
    struct lore_arena arena = {0};
    size_t n = 0;
    const struct lore_spec_name *all = lore_spec_names(&n);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        for (const char *p = all[i].labels; *p;) {
            size_t len = strcspn(p, ",");
            const char *label = lore_strndup(&arena, p, len);
            if (lore_spec_name_find(label) != &all[i])
                fail_msg("%s: %s", all[i].name, label);
            p += len + (p[len] == ',');
        }
    }
    lore_arena_free(&arena);
}

static void
labels_are_found_as_tables_print_them(void **state)
{
    static const char *const pairs[][2] = {{"Memory Bandwidth", "hbm_bandwidth"},
        {"VRAM", "memory_capacity"}, {"L2 Cache (TCC)", "l2_bytes"},
        {"Streaming Multiprocessors (SMs)", "compute_units"},
        {"Matrix Cores (MFMA units)", "matrix_units"}, {"LDS per CU", "lds_bytes_per_cu"},
        {"Wavefront size", "warp_size"}, {"shared_memory_kb_per_sm", "shared_bytes_per_sm"}};

    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        const struct lore_spec_name *name = lore_spec_name_find(pairs[i][0]);
        if (!name || strcmp(name->name, pairs[i][1]) != 0)
            fail_msg("%s: %s", pairs[i][0], name ? name->name : "unknown");
    }
    assert_null(lore_spec_name_find("Colour of the box"));
    assert_null(lore_spec_name_find("()"));
}

static void
rates_are_named_by_type_unit_and_sparsity(void **state)
{
    struct lore_arena arena = {0};
    const char *unit = NULL;

    (void)state;
    assert_string_equal(
        lore_spec_peak(&arena, "BF16", true, false, &unit), "peak_tflops.bf16.matrix.dense");
    assert_string_equal(unit, "TFLOPS");
    assert_string_equal(
        lore_spec_peak(&arena, "int8", true, true, &unit), "peak_tops.int8.matrix.sparse");
    assert_string_equal(unit, "TOPS");
    assert_string_equal(
        lore_spec_peak(&arena, "FP8 (E4M3)", false, false, NULL), "peak_tflops.fp8.vector.dense");
    assert_null(lore_spec_peak(&arena, "fp7", true, false, NULL));
    assert_null(lore_spec_peak(&arena, "FP16 / BF16", true, false, NULL));
    assert_string_equal(lore_spec_ridge(&arena, "fp32", false), "ridge_flops_per_byte.fp32.vector");
    assert_true(lore_spec_matrix_only("fp8"));
    assert_false(lore_spec_matrix_only("bf16"));
    lore_arena_free(&arena);
}

static void
what_a_source_says_of_itself_becomes_an_evidence_class_or_nothing(void **state)
{
    (void)state;
    assert_string_equal(lore_spec_evidence("derived-from-system-total"), "derived");
    assert_string_equal(lore_spec_evidence("vendor-published"), "vendor_published");
    assert_string_equal(lore_spec_evidence(NULL), "repository_reference");
    assert_null(lore_spec_evidence("hearsay"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_is_its_own_and_has_a_unit_and_help),
        cmocka_unit_test(every_label_leads_to_its_row),
        cmocka_unit_test(labels_are_found_as_tables_print_them),
        cmocka_unit_test(rates_are_named_by_type_unit_and_sparsity),
        cmocka_unit_test(what_a_source_says_of_itself_becomes_an_evidence_class_or_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

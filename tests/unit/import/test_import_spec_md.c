// uses: import
/* The hardware-spec importer: an own document in the real format, line by line, and, where the
 * public wiki is at hand (../shared/data or WARPLORE_DATA), its three documents. Expectations are
 * citations, because that is what people will read. */
#include "tests/unit/import_unit.h"

#include "collectors/import/wiki/spec_md.h"
#include "service/base/file.h"

#define FOLDER SOURCE_DIR "/tests/fixtures/import/spec"
#define OWN "hardware_specs_mi210.md"

static struct unit unit;

static int
setup(void **state)
{
    (void)state;
    unit_read(&unit, "hardware-spec", FOLDER, OWN);
    return 0;
}

static int
teardown(void **state)
{
    (void)state;
    lore_arena_free(&unit.arena);
    return 0;
}

/* SPEC as a person would cite it, with PATH for its document. */
static const char *
citation_of(struct lore_arena *arena, const struct lore_spec *s, const char *path)
{
    char digits[32];

    lore_f64_text(s->value.v, digits);
    return lore_format(
        arena, "%s: %s %s <- %s:%lld", s->metric, digits, s->unit, path, (long long)s->line.v);
}

/* The spec of CHIP that is cited as CITATION, NULL when there is none. */
static const struct lore_spec *
cited(struct unit *u, const char *chip, const char *path, const char *citation)
{
    for (size_t i = 0; i < u->doc.n_specs; i++) {
        const struct lore_spec *s = &u->doc.specs[i];
        if (strcmp(s->chip, chip) == 0 && strcmp(citation_of(&u->arena, s, path), citation) == 0)
            return s;
    }
    return NULL;
}

/* CITATION with PATH for its "%s". */
static const char *
at_path(struct lore_arena *arena, const char *citation, const char *path)
{
    const char *mark = strstr(citation, "%s");

    return lore_format(arena, "%.*s%s%s", (int)(mark - citation), citation, path, mark + 2);
}

static const struct lore_spec *
own(const char *chip, const char *citation)
{
    const struct lore_spec *s = cited(&unit, chip, OWN, at_path(&unit.arena, citation, OWN));

    if (!s)
        fail_msg("%s: no %s", chip, citation);
    return s;
}

static void
every_number_is_cited_with_path_and_line(void **state)
{
    (void)state;
    own("mi210", "hbm_bandwidth: 1.6 TB/s <- %s:23");
    own("mi210", "memory_capacity: 64 GB <- %s:22");
    own("mi210", "compute_units: 104 count <- %s:30");
    own("mi210", "registers_per_unit: 2048 count <- %s:31");
    own("mi210", "copper_layers: 14 count <- %s:33");
    assert_string_equal(
        own("mi210", "hbm_bandwidth: 1.6 TB/s <- %s:23")->quote, "| Memory Bandwidth | 1.6 TB/s |");
}

static void
the_quote_stands_on_the_line_of_the_stored_document(void **state)
{
    (void)state;
    assert_int_equal(unit.doc.n_source_documents, 1);
    for (size_t i = 0; i < unit.doc.n_specs; i++) {
        const struct lore_spec *s = &unit.doc.specs[i];
        assert_string_equal(s->quote,
            lore_spec_md_line(&unit.arena, unit.doc.source_documents[0].text, (size_t)s->line.v));
        assert_string_equal(s->source_document, unit.doc.source_documents[0].id);
    }
    assert_string_equal(unit.doc.source_documents[0].published_at, "2026-04-02");
}

static void
dense_and_sparse_rates_are_two_quantities_and_notes_are_none(void **state)
{
    (void)state;
    own("mi210", "peak_tflops.bf16.matrix.dense: 1180.5 TFLOPS <- %s:14");
    own("mi210", "peak_tflops.fp16.matrix.sparse: 2361 TFLOPS <- %s:14");
    own("mi210", "peak_tflops.fp64.vector.dense: 21.1 TFLOPS <- %s:13");
    own("a100", "peak_tflops.tf32.matrix.dense: 150 TFLOPS <- %s:42");
    for (size_t i = 0; i < unit.doc.n_specs; i++) {
        const struct lore_spec *s = &unit.doc.specs[i];
        assert_false(s->line.v == 42 && strstr(s->metric, "sparse"));
        assert_false(s->line.v == 13 && strstr(s->metric, "sparse"));
    }
}

static void
the_evidence_is_what_the_row_says_of_itself(void **state)
{
    (void)state;
    assert_string_equal(
        own("mi210", "peak_tflops.bf16.matrix.dense: 1180.5 TFLOPS <- %s:14")->evidence_class,
        "vendor_published");
    assert_string_equal(
        own("mi210", "peak_tflops.fp8.matrix.dense: 402 TFLOPS <- %s:15")->evidence_class,
        "derived");
    assert_non_null(strstr(
        own("mi210", "peak_tops.int8.matrix.dense: 402 TOPS <- %s:15")->note, "approximate"));
    assert_string_equal(
        own("mi210", "hbm_bandwidth: 1.6 TB/s <- %s:23")->evidence_class, "repository_reference");
}

static void
nothing_is_inferred_from_another_product(void **state)
{
    (void)state;
    assert_true(unit_listed(&unit, LORE_IL_DOUBTS, "line 34"));
    for (size_t i = 0; i < unit.doc.n_specs; i++)
        assert_true(unit.doc.specs[i].line.v != 34);
}

static void
architecture_sections_belong_to_the_documents_product_and_say_so(void **state)
{
    const struct lore_spec *s = own("mi210", "warp_size: 64 threads <- %s:50");

    (void)state;
    assert_non_null(strstr(s->note, "stated for the architecture"));
    own("mi210", "l2_bytes: 256 MB <- %s:54");
}

static void
a_range_is_no_number(void **state)
{
    struct lore_spec_md_value v;

    (void)state;
    assert_false(lore_spec_value_parse(&unit.arena, "32–64 GB", &v));
    assert_false(lore_spec_value_parse(&unit.arena, "HBM3", &v));
    assert_false(lore_spec_value_parse(&unit.arena, "3rd generation", &v));
    assert_false(lore_spec_value_parse(&unit.arena, "—", &v));
    assert_true(lore_spec_value_parse(&unit.arena, "65,536 × 32-bit", &v));
    assert_true(v.v == 65536 && strcmp(v.unit, "") == 0);
    assert_true(lore_spec_value_parse(&unit.arena, "128 bytes/clock", &v));
    assert_string_equal(v.unit, "bytes/clock");
}

static void
ridge_points_are_derived_numbers_of_the_right_units(void **state)
{
    (void)state;
    assert_string_equal(
        own("mi210", "ridge_flops_per_byte.bf16.matrix: 737.8 FLOP/B <- %s:62")->evidence_class,
        "derived");
    own("mi210", "ridge_flops_per_byte.fp64.vector: 13.2 FLOP/B <- %s:63");
}

static void
a_comparison_speaks_about_each_of_its_columns(void **state)
{
    (void)state;
    own("mi210", "hbm_bandwidth: 1.6 TB/s <- %s:69");
    own("a100", "hbm_bandwidth: 2 TB/s <- %s:69");
}

static void
an_unknown_number_format_is_refused_with_its_line(void **state)
{
    (void)state;
    assert_int_equal(unit.in.refused, 1);
    assert_true(unit_listed(&unit, LORE_IL_ERRORS, OWN " line 16: \"FP48\""));
}

static void
the_service_takes_the_document_and_a_second_import_changes_nothing(void **state)
{
    (void)state;
    unit_must_decode(&unit);
    unit_is_stable(FOLDER, "hardware-spec");
}

/* The newer form: units in the cells, "Dense peak", remarks in headings, the vendor's own figures.
 */
static void
the_newer_form_of_the_tables_is_read_too(void **state)
{
    static const char text[] = "# Sheet\n\nThis page uses NVIDIA's published figures.\n\n"
                               "## NVIDIA A100 SXM 80 GB (Ampere / sm_80)\n\n"
                               "| Precision | Dense peak | With sparsity |\n|---|---:|---:|\n"
                               "| FP64 (CUDA Core) | 9.5 TFLOPS | — |\n"
                               "| FP8 / FP6 (Tensor Core, FP32 Accumulate) | 600 | 1,200 |\n"
                               "| INT8 (Tensor Core) | 610 TOPS | 1,220 TOPS |\n\n"
                               "| Parameter | Value |\n|---|---|\n"
                               "| Memory bandwidth | 2,050 GB/s |\n"
                               "| Compute capability | 8.0 (`sm_80`) |\n\n"
                               "| Precision | Calculation | Ridge point |\n|---|---|---:|\n"
                               "| FP64 CUDA | 9.5 / 2.05 | ~4.6 FLOPs/Byte |\n";
    struct unit u = {0};

    (void)state;
    lore_tree_add(&u.arena, &u.tree, "x.md", text, strlen(text));
    unit_read_tree(&u, "hardware-spec", "x.md");
    assert_int_equal(u.doc.n_specs, 9);
    const struct lore_spec *s =
        cited(&u, "a100-sxm-80gb", "x.md", "peak_tflops.fp64.vector.dense: 9.5 TFLOPS <- x.md:9");
    assert_non_null(s);
    assert_string_equal(s->evidence_class, "vendor_published");
    assert_null(s->note);
    assert_non_null(cited(
        &u, "a100-sxm-80gb", "x.md", "peak_tflops.fp6.matrix.sparse: 1200 TFLOPS <- x.md:10"));
    assert_non_null(
        cited(&u, "a100-sxm-80gb", "x.md", "peak_tops.int8.matrix.dense: 610 TOPS <- x.md:11"));
    assert_non_null(cited(&u, "a100-sxm-80gb", "x.md", "hbm_bandwidth: 2050 GB/s <- x.md:15"));
    assert_non_null(cited(
        &u, "a100-sxm-80gb", "x.md", "ridge_flops_per_byte.fp64.vector: 4.6 FLOP/B <- x.md:20"));
    lore_arena_free(&u.arena);
}

/* Nothing but a comparison: it stands under no product, and every column is one. */
static void
a_document_that_only_compares_is_read_by_its_columns(void **state)
{
    static const char text[] = "# Hardware comparison\n\n| Parameter | MI300X | Some other |\n"
                               "|---|---|---|\n| L2 Cache | 32 MB (4 MB per die) | 1 MB |\n";
    struct unit u = {0};

    (void)state;
    lore_tree_add(&u.arena, &u.tree, "x.md", text, strlen(text));
    unit_read_tree(&u, "hardware-spec", "x.md");
    assert_int_equal(u.doc.n_specs, 1);
    assert_non_null(cited(&u, "mi300x", "x.md", "l2_bytes: 32 MB <- x.md:5"));
    lore_arena_free(&u.arena);
}

static void
a_word_behind_a_products_name_makes_another_product(void **state)
{
    static const char text[] =
        "## NVIDIA A100 SXM 80 GB (Ampere / sm_80)\n\n"
        "| Parameter | Value |\n|---|---|\n| Memory bandwidth | 2,050 GB/s |\n\n"
        "**Roofline knee points for the RTX 5090 D**:\n\n- FP32: 16.2 / 0.448 ≈ **36.2 "
        "FLOPs/Byte**\n";
    struct unit u = {0};

    (void)state;
    lore_tree_add(&u.arena, &u.tree, "x.md", text, strlen(text));
    unit_read_tree(&u, "hardware-spec", "x.md");
    assert_int_equal(u.doc.n_specs, 1);
    lore_arena_free(&u.arena);
}

/* ---- the public documents ---- */

static const struct {
    const char *file, *chip, *citation;
} published[] = {
    {"mi300x", "mi300x", "peak_tflops.fp64.vector.dense: 81.7 TFLOPS <- %s:21"},
    {"mi300x", "mi300x", "peak_tflops.fp64.matrix.dense: 163.4 TFLOPS <- %s:22"},
    {"mi300x", "mi300x", "peak_tflops.fp32.vector.dense: 163.4 TFLOPS <- %s:23"},
    {"mi300x", "mi300x", "peak_tflops.tf32.matrix.sparse: 1307.4 TFLOPS <- %s:24"},
    {"mi300x", "mi300x", "peak_tflops.bf16.matrix.dense: 1307.4 TFLOPS <- %s:25"},
    {"mi300x", "mi300x", "peak_tops.int8.matrix.sparse: 5229.8 TOPS <- %s:27"},
    {"mi300x", "mi300x", "memory_capacity: 192 GB <- %s:33"},
    {"mi300x", "mi300x", "hbm_bandwidth: 5.3 TB/s <- %s:34"},
    {"mi300x", "mi300x", "tdp: 750 W <- %s:35"},
    {"mi300x", "mi300x", "compute_units: 304 count <- %s:41"},
    {"mi300x", "mi300x", "matrix_units: 1216 count <- %s:43"},
    {"mi300x", "mi300x", "peak_clock: 2100 MHz <- %s:44"},
    {"mi300x", "mi300x", "registers_per_unit: 2048 count <- %s:45"},
    {"mi300x", "mi300x", "lds_bytes_per_cu: 64 KB <- %s:47"},
    {"mi300x", "mi300x", "warp_size: 64 threads <- %s:77"},
    {"mi300x", "mi300x", "sgprs_per_wave: 108 count <- %s:80"},
    {"mi300x", "mi300x", "l2_bytes: 256 MB <- %s:90"},
    {"mi300x", "mi300x", "ridge_flops_per_byte.bf16.matrix: 247 FLOP/B <- %s:126"},
    {"mi300x", "mi300x", "ridge_flops_per_byte.fp32.vector: 30.8 FLOP/B <- %s:127"},
    {"mi300x", "mi300x", "ridge_flops_per_byte.fp64.vector: 15.4 FLOP/B <- %s:128"},
    {"mi300x", "mi308x", "peak_tflops.bf16.matrix.dense: 206 TFLOPS <- %s:57"},
    {"mi308x", "mi308x", "peak_tflops.fp64.vector.dense: 21.5 TFLOPS <- %s:23"},
    {"mi308x", "mi308x", "peak_tflops.tf32.matrix.dense: 172 TFLOPS <- %s:26"},
    {"mi308x", "mi308x", "peak_tflops.bf16.matrix.dense: 206 TFLOPS <- %s:27"},
    {"mi308x", "mi308x", "peak_tflops.fp8.matrix.dense: 412 TFLOPS <- %s:28"},
    {"mi308x", "mi308x", "hbm_bandwidth: 5.3 TB/s <- %s:35"},
    {"mi308x", "mi308x", "dies: 4 count <- %s:42"},
    {"mi308x", "mi308x", "compute_units: 80 count <- %s:43"},
    {"mi308x", "mi308x", "l2_bytes: 16 MB <- %s:50"},
    {"mi308x", "mi308x", "l3_bytes: 128 MB <- %s:51"},
    {"mi308x", "mi308x", "lds_bytes_per_cu: 64 KB <- %s:84"},
    {"mi308x", "mi308x", "lds_banks: 32 count <- %s:85"},
    {"mi308x", "mi308x", "lds_write_bytes_per_clk: 64 bytes/clock <- %s:88"},
    {"hopper", "h100-sxm", "peak_tflops.fp64.matrix.dense: 33.5 TFLOPS <- %s:21"},
    {"hopper", "h100-sxm", "peak_tflops.tf32.matrix.dense: 494.7 TFLOPS <- %s:22"},
    {"hopper", "h100-sxm", "peak_tflops.fp8.matrix.dense: 1978.9 TFLOPS <- %s:25"},
    {"hopper", "h100-sxm", "hbm_bandwidth: 3.35 TB/s <- %s:33"},
    {"hopper", "h100-sxm", "shared_bytes_per_sm: 228 KB <- %s:46"},
    {"hopper", "h100-sxm", "max_threads_per_unit: 2048 count <- %s:119"},
    {"hopper", "h100-sxm", "max_warps_per_unit: 64 count <- %s:121"},
    {"hopper", "h100-sxm", "ridge_flops_per_byte.fp32.vector: 20 FLOP/B <- %s:183"},
    {"hopper", "h20", "peak_tflops.bf16.matrix.dense: 148 TFLOPS <- %s:57"},
    {"hopper", "h20", "hbm_bandwidth: 4 TB/s <- %s:66"},
    {"hopper", "h20", "compute_units: 78 count <- %s:73"},
    {"hopper", "h200", "hbm_bandwidth: 4.8 TB/s <- %s:97"},
    {"hopper", "h200", "memory_capacity: 141 GB <- %s:96"},
    {"hopper", "h200", "ridge_flops_per_byte.bf16.matrix: 206 FLOP/B <- %s:186"},
};

static void
the_public_documents_say_what_they_say(void **state)
{
    const char *data = getenv("WARPLORE_DATA");
    const char *files[] = {"hopper", "mi300x", "mi308x"};
    struct lore_arena arena = {0};
    const char *folder = lore_format(
        &arena, "%s/gpu-wiki/hardware-specs", data ? data : SOURCE_DIR "/../shared/data");

    (void)state;
    struct lore_buf probe = {0};
    bool here = lore_file_read(lore_format(&arena, "%s/hardware_specs_hopper.md", folder), &probe,
                    NULL) == LORE_OK;
    lore_buf_free(&probe);
    if (!here) {
        lore_arena_free(&arena);
        skip();
    }
    for (size_t f = 0; f < 3; f++) {
        const char *name = lore_format(&arena, "hardware_specs_%s.md", files[f]);
        struct unit u;
        unit_read(&u, "hardware-spec", folder, name);
        assert_int_equal(u.in.refused, 0);
        unit_must_decode(&u);
        for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
            if (strcmp(published[i].file, files[f]) == 0 &&
                !cited(&u, published[i].chip, name, at_path(&arena, published[i].citation, name)))
                fail_msg("%s: no %s", published[i].chip, published[i].citation);
        }
        lore_arena_free(&u.arena);
    }
    lore_arena_free(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_number_is_cited_with_path_and_line),
        cmocka_unit_test(the_quote_stands_on_the_line_of_the_stored_document),
        cmocka_unit_test(dense_and_sparse_rates_are_two_quantities_and_notes_are_none),
        cmocka_unit_test(the_evidence_is_what_the_row_says_of_itself),
        cmocka_unit_test(nothing_is_inferred_from_another_product),
        cmocka_unit_test(architecture_sections_belong_to_the_documents_product_and_say_so),
        cmocka_unit_test(a_range_is_no_number),
        cmocka_unit_test(ridge_points_are_derived_numbers_of_the_right_units),
        cmocka_unit_test(a_comparison_speaks_about_each_of_its_columns),
        cmocka_unit_test(an_unknown_number_format_is_refused_with_its_line),
        cmocka_unit_test(the_service_takes_the_document_and_a_second_import_changes_nothing),
        cmocka_unit_test(the_newer_form_of_the_tables_is_read_too),
        cmocka_unit_test(a_document_that_only_compares_is_read_by_its_columns),
        cmocka_unit_test(a_word_behind_a_products_name_makes_another_product),
        cmocka_unit_test(the_public_documents_say_what_they_say),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

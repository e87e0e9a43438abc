// uses: import
/* gpu-wiki records, hardware records, the method registry and its instruction patterns, documents
 * of an export: what becomes of each, on small files of our own. */
#include "tests/unit/import_intake.h"

static const struct lore_insight *
insight_of(const struct lore_submission *doc, const char *id)
{
    for (size_t i = 0; i < doc->n_insights; i++) {
        if (strcmp(doc->insights[i].provenance.external_id, id) == 0)
            return &doc->insights[i];
    }
    fail_msg("no %s", id);
    return NULL;
}

static void
a_card_becomes_an_insight_with_its_scope(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    struct lore_submission doc = decoded(t, format_named(t, "gpu-wiki"));
    const struct lore_insight *x = insight_of(&doc, "amd.cdna3.hip.wide-loads");
    assert_int_equal(doc.n_insights, 5);
    assert_string_equal(x->kind, "technique_card");
    assert_string_equal(x->title, "Streaming kernels -- Wide loads");
    assert_string_equal(x->op, "gemm");
    assert_string_equal(x->family, "gemm");
    assert_string_equal(x->vendor, "amd");
    assert_string_equal(x->arch, "cdna3");
    assert_string_equal(x->chip, "mi300x");
    assert_int_equal(x->language, LORE_LANG_FLYDSL);
    assert_string_equal(x->technique, "memory.vectorized_access");
    assert_string_equal(x->confidence, "documented");
    assert_string_equal(x->provenance.path, "amd/cdna3/pages/wide-loads.md");
    assert_non_null(strstr(x->body, "- Tails need a scalar path"));
    assert_non_null(strstr(x->body, "float4 v = p[i];"));
}

static void
folders_and_headings_are_no_scope(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    const struct lore_intake_format *f = format_named(t, "gpu-wiki");
    struct lore_submission doc = decoded(t, f);
    const struct lore_insight *x = insight_of(&doc, "amd.cdna3.hip.caveats");
    assert_null(x->family);
    assert_null(x->technique);
    assert_non_null(strstr(x->body, "passes: 2"));
    assert_null(insight_of(&doc, "amd.cdna3.any.converter.notes")->op);
    assert_non_null(strstr(insight_of(&doc, "amd.cdna3.any.converter.notes")->body,
        "- heading: Loads\n  - anchor: loads\n  - gist: Masks become…\n- heading: Stores\n"));
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "\"hands-on\" is a folder"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "comes from the word \"converter\""), 1);
}

static void
a_word_that_begins_like_an_operator_is_not_that_operator(void **state)
{
    static const struct {
        const char *id, *family;
    } cases[] = {{"nvidia.hopper.any.vectorized-fp8-conversion.pattern", NULL},
        {"amd.cdna3.any.converter.notes", NULL}, {"any.any.any.how-to-convert", NULL},
        {"nvidia.generic.cutedsl.ref-docs.cutlass-conv-implicit-gemm", "conv"},
        {"any.any.any.conv-layout-conversion", "conv"}, {"any.any.any.convolution", "conv"}};
    struct taken *t = *state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct lore_import_tree tree = {.name = "x.json"};
        const char *text = lore_format(&t->arena,
            "{\"schema\":\"clean-1.3\",\"id\":\"%s\",\"type\":\"doc\",\"retrieval\":{\"scope\":{"
            "\"operator_family\":\"conv\",\"operators\":[\"conv\"]}},"
            "\"payload\":{\"title\":\"A page\",\"summary\":\"Words.\"}}",
            cases[i].id);
        lore_intake_begin(&t->k, &t->arena);
        (void)lore_tree_add(&t->arena, &tree, "x.json", text, strlen(text));
        assert_int_equal(lore_intake_tree(&t->k, &tree, NULL), LORE_OK);
        struct lore_submission doc = decoded(t, format_named(t, "gpu-wiki"));
        if (!lore_streq(doc.insights[0].family, cases[i].family))
            fail_msg("%s: %s", cases[i].id,
                doc.insights[0].family ? doc.insights[0].family : "no family");
    }
}

static void
an_anti_strategy_keeps_its_verdict(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    struct lore_submission doc = decoded(t, format_named(t, "gpu-wiki"));
    const struct lore_insight *x = insight_of(&doc, "amd.mi308x.triton.pitfalls.persistent");
    assert_string_equal(x->verdict, "not-worth-it-here");
    assert_string_equal(x->op, "flash_attention");
    assert_string_equal(x->family, "attention");
    assert_non_null(strstr(x->body, "**Root cause.** More registers, one wave less."));
    assert_non_null(strstr(x->extra, "\"served_count\":3"));
}

static void
what_no_field_takes_is_counted(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    const struct lore_intake_format *f = format_named(t, "gpu-wiki");
    assert_int_equal(noted(f, LORE_IL_EXTRA, "retrieval.signals: kept in extra"), 5);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "payload.success_rate_pct: empty"), 2);
}

static void
the_licence_nearby_is_in_every_record_and_its_text_goes_along(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/kernel");
    struct lore_submission doc = decoded(t, format_named(t, "gpu-wiki"));
    for (size_t i = 0; i < doc.n_insights; i++)
        assert_string_equal(doc.insights[i].provenance.licence, "MIT");
    assert_int_equal(doc.n_artifacts, 7);
}

static void
what_must_not_be_passed_on_says_so_in_every_record(void **state)
{
    struct taken *t = *state;

    lore_intake_begin(&t->k, &t->arena);
    t->k.redistribution = "forbidden";
    t->k.licence = "house rules";
    take(t, FIXTURES "wiki");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    for (size_t i = 0; i < doc.n_specs; i++) {
        assert_string_equal(doc.specs[i].provenance.redistribution, "forbidden");
        assert_string_equal(doc.specs[i].provenance.licence, "house rules");
    }
    assert_string_equal(doc.source_documents[0].provenance.redistribution, "forbidden");
    assert_string_equal(doc.insights[0].provenance.redistribution, "forbidden");
}

static const struct lore_spec *
spec_of(const struct lore_submission *doc, const char *chip, const char *metric)
{
    for (size_t i = 0; i < doc->n_specs; i++) {
        if (strcmp(doc->specs[i].chip, chip) == 0 && strcmp(doc->specs[i].metric, metric) == 0)
            return &doc->specs[i];
    }
    return NULL;
}

static void
every_number_cites_its_line(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    const struct lore_spec *x = spec_of(&doc, "mi308x", "peak_tflops.bf16.matrix.dense");
    assert_non_null(x);
    assert_true(x->value.v == 206);
    assert_string_equal(x->unit, "TFLOPS");
    assert_string_equal(x->quote, "\"dense\": 206,");
    assert_string_equal(x->evidence_class, "architecture_analysis");
    for (size_t i = 0; i < doc.n_specs; i++) {
        const char *text = NULL;
        x = &doc.specs[i];
        for (size_t d = 0; d < doc.n_source_documents; d++) {
            if (strcmp(doc.source_documents[d].id, x->source_document) == 0)
                text = doc.source_documents[d].text;
        }
        for (int64_t n = 1; n < x->line.v; n++)
            text = strchr(text, '\n') + 1;
        assert_non_null(strstr(text, x->quote));
        assert_true((size_t)(strstr(text, x->quote) - text) < strcspn(text, "\n"));
    }
}

static void
classes_and_units_follow_the_row(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    assert_string_equal(
        spec_of(&doc, "mi308x", "peak_tflops.tf32.matrix.dense")->evidence_class, "derived");
    assert_string_equal(spec_of(&doc, "mi308x", "peak_tops.int8.matrix.dense")->unit, "TOPS");
    assert_string_equal(spec_of(&doc, "mi308x", "memory_capacity")->unit, "GB");
    assert_true(spec_of(&doc, "mi308x", "compute_units")->value.v == 80);
    assert_true(spec_of(&doc, "mi308x", "vector_lanes")->value.v == 5120);
    assert_non_null(spec_of(&doc, "mi308x", "wave_slots"));
}

static void
cells_of_another_column_are_not_entered(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    const struct lore_intake_format *f = format_named(t, "hardware-wiki");
    struct lore_submission doc = decoded(t, f);
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.fp64.vector.sparse"));
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.bf16.matrix.sparse"));
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.fp8.matrix.sparse"));
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.bf16.vector.dense"));
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.fp8.vector.dense"));
    assert_null(spec_of(&doc, "mi308x", "peak_tflops.fp16.matrix.dense"));
    assert_true(spec_of(&doc, "mi308x", "peak_tflops.tf32.matrix.sparse")->value.v == 344);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "sparse_2to4 = 80: this type has no"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "sparse_2to4 = 308: not twice"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "its use_case is an equation"), 1);
    bool kept = false;
    for (size_t i = 0; i < doc.n_source_documents; i++)
        kept = kept || (doc.source_documents[i].extra &&
                           strstr(doc.source_documents[i].extra, "sparse_2to4 = 308"));
    assert_true(kept);
}

static void
what_is_not_published_is_unknown_and_says_why(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    const struct lore_spec *x = spec_of(&doc, "mi308x", "shared_bytes_per_sm");
    assert_false(x->value.set);
    assert_int_equal(x->unknown, LORE_MISS_NO_SOURCE);
    assert_string_equal(x->note, "Not published; query the device");
}

static void
a_sheet_without_bandwidth_says_that_it_does_not_know(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    const struct lore_spec *x = spec_of(&doc, "mi308x", "hbm_bandwidth");
    assert_false(x->value.set);
    assert_int_equal(x->unknown, LORE_MISS_NO_SOURCE);
    assert_string_equal(x->quote, "\"memory\": {");
    assert_true(spec_of(&doc, "mi308x", "compute_units")->value.set);
}

static void
names_of_units_of_another_vendor_are_converted_and_listed(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    const struct lore_intake_format *f = format_named(t, "hardware-wiki");
    assert_true(noted(f, LORE_IL_LABELS, "\"tensor-core\" of an AMD product: matrix units") > 0);
    assert_true(noted(f, LORE_IL_LABELS, "\"cuda-core\" of an AMD product: vector units") > 0);
}

static void
a_sheet_of_an_architecture_gives_its_products_no_numbers(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    const struct lore_intake_format *f = format_named(t, "hardware-wiki");
    struct lore_submission doc = decoded(t, f);
    for (size_t i = 0; i < doc.n_specs; i++)
        assert_null(strstr(doc.specs[i].chip, "h100"));
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "hopper.json: the sheet names no product"), 1);
    assert_non_null(spec_of(&doc, "gb10", "memory_capacity"));
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "gb10 is the only product with ISA sm_121"), 1);
    assert_int_equal(doc.n_source_documents, 3);
}

static void
an_instruction_is_a_lesson_about_its_chip(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "wiki/hardware");
    struct lore_submission doc = decoded(t, format_named(t, "hardware-wiki"));
    const struct lore_insight *x = insight_of(&doc, "nvidia.blackwell.instruction.tma");
    assert_string_equal(x->kind, "doc");
    assert_string_equal(x->chip, "sm_100");
    assert_string_equal(x->title, "cp.async.bulk: Bulk copy into shared memory");
    assert_non_null(strstr(x->body, "- cp.async.bulk [dst], [src], n;"));
    assert_non_null(strstr(x->extra, "\"isa\":\"ptx\""));
}

static const struct lore_technique_def *
method_of(const struct lore_submission *doc, const char *slug)
{
    for (size_t i = 0; i < doc->n_techniques; i++) {
        if (strcmp(doc->techniques[i].slug, slug) == 0)
            return &doc->techniques[i];
    }
    fail_msg("no %s", slug);
    return NULL;
}

static void
a_method_is_a_technique_with_its_trigger(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "methods/method_registry.json");
    const struct lore_intake_format *f = format_named(t, "method-registry");
    struct lore_submission doc = decoded(t, f);
    const struct lore_technique_def *x = method_of(&doc, "memory.vectorized_access");
    assert_int_equal(doc.n_techniques, 3);
    assert_int_equal(f->in.refused, 1);
    assert_true(x->trigger.set);
    assert_true(x->trigger.bad.v == 16.5);
    assert_string_equal(x->trigger.direction, "high_is_bad");
    assert_null(x->min_arch);
    x = method_of(&doc, "latency.beta_schedule");
    assert_string_equal(x->min_arch, "sm_90");
    assert_string_equal(x->coupled.v[0], "latency.alpha_schedule");
    assert_string_equal(x->conflicts.v[0], "memory.vectorized_access");
    x = method_of(&doc, "latency.alpha_schedule");
    assert_false(x->trigger.set);
    assert_int_equal(x->priority.v, 12);
    assert_non_null(strstr(x->extra, "\"risk\":\"high\""));
    assert_non_null(strstr(x->extra, "count as one"));
    assert_non_null(strstr(doc.source_documents[0].extra, "\"arch_feature_map\""));
    assert_null(strstr(doc.source_documents[0].extra, "\"methods\""));
}

static void
a_registry_that_contradicts_itself_is_reported(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "methods/method_registry.json");
    const struct lore_intake_format *f = format_named(t, "method-registry");
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "complements of each other and a coupled"), 1);
    assert_int_equal(noted(f, LORE_IL_CONFLICTS, "\"feature_unavailable\" is declared here"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "priority above 10"), 1);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "but sm_80 has no mbarrier"), 1);
}

static void
patterns_become_a_signature_and_none_says_so(void **state)
{
    struct taken *t = *state;

    take(t, FIXTURES "methods/sass_signatures.json");
    const struct lore_intake_format *f = format_named(t, "sass-signatures");
    struct lore_submission doc = decoded(t, f);
    const struct lore_technique_def *x = method_of(&doc, "memory.vectorized_access");
    assert_string_equal(x->signatures[0].target, "sass");
    assert_string_equal(x->signatures[0].require, "all");
    assert_int_equal(x->signatures[0].patterns.n, 2);
    assert_string_equal(x->signatures[0].patterns.v[0], "LDG\\.E\\.128");
    assert_int_equal(method_of(&doc, "latency.alpha_schedule")->signatures[0].patterns.n, 0);
    assert_int_equal(noted(f, LORE_IL_DOUBTS, "no patterns"), 1);
    assert_int_equal(f->in.refused, 1);
}

#define DOCUMENT                                                                                   \
    "{\"warplore\":1,\"id\":\"01J00000000000000000000001\",\"kernels\":[{\"id\":"                  \
    "\"01J00000000000000000000002\",\"operator\":\"gemm\",  \"name\":\"x\","                       \
    "\"language\":\"cuda\"}]}"

static void
an_exported_document_is_sent_word_for_word(void **state)
{
    struct taken *t = *state;
    struct lore_import_tree tree = {.name = "export.jsonl"};
    const char *text = lore_format(&t->arena,
        "{\"seq\":1,\"id\":\"01J00000000000000000000001\",\"text\":%s}\n"
        "{\"seq\":2,\"id\":\"01J00000000000000000000003\",\"withheld\":true}\n\n"
        "{\"seq\":3,\"text\":\"no json\"}\n",
        lore_build_json_text(&t->arena, DOCUMENT));

    lore_intake_begin(&t->k, &t->arena);
    (void)lore_tree_add(&t->arena, &tree, "export.jsonl", text, strlen(text));
    assert_int_equal(lore_intake_tree(&t->k, &tree, NULL), LORE_OK);
    const struct lore_intake_format *f = format_named(t, "warplore");
    assert_int_equal(f->n, 1);
    assert_string_equal(f->documents[0].body, DOCUMENT);
    assert_string_equal(f->documents[0].doc->id, "01J00000000000000000000001");
    assert_int_equal(f->records[LORE_K_KERNEL], 1);
    assert_int_equal(f->in.records, 3);
    assert_int_equal(f->in.refused, 1);
    assert_int_equal(noted(f, LORE_IL_EXTRA, "withheld"), 1);
    assert_int_equal(noted(f, LORE_IL_ERRORS, "export.jsonl line 4"), 1);
}

static void
a_page_of_an_export_is_read_like_its_rows(void **state)
{
    struct taken *t = *state;
    struct lore_import_tree tree = {.name = "page.json"};
    const char *text = lore_format(&t->arena,
        "{\"rows\":[{\"seq\":1,\"id\":\"x\",\"text\":%s},{\"seq\":2,\"withheld\":true}],"
        "\"next\":\"2\"}",
        lore_build_json_text(&t->arena, DOCUMENT));

    lore_intake_begin(&t->k, &t->arena);
    (void)lore_tree_add(&t->arena, &tree, "page.json", text, strlen(text));
    assert_int_equal(lore_intake_tree(&t->k, &tree, NULL), LORE_OK);
    const struct lore_intake_format *f = format_named(t, "warplore");
    assert_int_equal(f->n, 1);
    assert_string_equal(f->documents[0].body, DOCUMENT);
    assert_int_equal(f->in.records, 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        INTAKE(a_card_becomes_an_insight_with_its_scope),
        INTAKE(folders_and_headings_are_no_scope),
        INTAKE(a_word_that_begins_like_an_operator_is_not_that_operator),
        INTAKE(an_anti_strategy_keeps_its_verdict),
        INTAKE(what_no_field_takes_is_counted),
        INTAKE(the_licence_nearby_is_in_every_record_and_its_text_goes_along),
        INTAKE(what_must_not_be_passed_on_says_so_in_every_record),
        INTAKE(every_number_cites_its_line),
        INTAKE(classes_and_units_follow_the_row),
        INTAKE(cells_of_another_column_are_not_entered),
        INTAKE(what_is_not_published_is_unknown_and_says_why),
        INTAKE(a_sheet_without_bandwidth_says_that_it_does_not_know),
        INTAKE(names_of_units_of_another_vendor_are_converted_and_listed),
        INTAKE(a_sheet_of_an_architecture_gives_its_products_no_numbers),
        INTAKE(an_instruction_is_a_lesson_about_its_chip),
        INTAKE(a_method_is_a_technique_with_its_trigger),
        INTAKE(a_registry_that_contradicts_itself_is_reported),
        INTAKE(patterns_become_a_signature_and_none_says_so),
        INTAKE(an_exported_document_is_sent_word_for_word),
        INTAKE(a_page_of_an_export_is_read_like_its_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

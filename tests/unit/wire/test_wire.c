// uses: wire
/* Decoding and encoding submissions: the good and the bad documents of tests/fixtures/submissions,
 * what is resolved and defaulted, and that writing what was read reads back the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/fields.h"

#define FOLDER SOURCE_DIR "/tests/fixtures/submissions/"

static struct lore_arena arena;
static struct lore_err err;

static int
start(void **state)
{
    (void)state;
    lore_hash_init();
    memset(&err, 0, sizeof err);
    return 0;
}

static int
stop(void **state)
{
    (void)state;
    lore_arena_free(&arena);
    return 0;
}

static const struct lore_json *
parse(const char *text)
{
    struct lore_json *root = NULL;

    assert_int_equal(
        lore_json_parse(text, strlen(text), &lore_wire_limits, &arena, &root, &err), LORE_OK);
    return root;
}

static const struct lore_json *
parse_file(const char *name)
{
    struct lore_buf text = {0};
    const struct lore_json *root;
    const char *path = lore_format(&arena, "%s%s", FOLDER, name);

    assert_int_equal(lore_file_read(path, &text, &err), LORE_OK);
    root = parse(lore_strndup(&arena, text.data, text.len));
    lore_buf_free(&text);
    return root;
}

static struct lore_submission
decode_file(const char *name)
{
    struct lore_submission doc = {0};

    if (lore_wire_decode(parse_file(name), &arena, &doc, &err) != LORE_OK)
        fail_msg("%s: %s (%s)", name, err.msg, err.hint);
    return doc;
}

static const char *
encoded(const struct lore_submission *doc)
{
    struct lore_buf out = {0};
    struct lore_jsonw w = {0};
    const char *text;

    lore_jsonw_begin(&w, &out, false);
    lore_wire_encode(&w, doc);
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_OK);
    text = lore_strndup(&arena, out.data, out.len);
    lore_buf_free(&out);
    return text;
}

static void
every_good_document_decodes(void **state)
{
    static const char *const names[] = {
        "full.json", "full_knowledge.json", "minimal.json", "empty.json", "lower_case_ids.json"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        assert_int_equal(decode_file(names[i]).format, 1);
}

static const struct {
    const char *name, *code, *path;
} bad_documents[] = {
    {"unknown_field", "unknown_field", "experiments[0].bottelneck"},
    {"unknown_field_far", "unknown_field", "experiments[0].zzzzzzzz"},
    {"unknown_top_level", "unknown_field", "experiment"},
    {"missing_id", "missing_field", "id"},
    {"missing_kernel", "missing_field", "experiments[0].kernel"},
    {"empty_name", "missing_field", "kernels[0].name"},
    {"wrong_type", "wrong_type", "kernels[0].name"},
    {"null_member", "wrong_type", "kernels[0].goal"},
    {"not_an_object", "wrong_type", "$"},
    {"record_not_an_object", "wrong_type", "kernels[0]"},
    {"list_not_an_array", "wrong_type", "kernels"},
    {"version_two", "unsupported_version", "warplore"},
    {"version_text", "wrong_type", "warplore"},
    {"id_not_a_ulid", "invalid_id", "id"},
    {"id_too_large", "invalid_id", "id"},
    {"reference_not_a_ulid", "invalid_id", "versions[0].kernel"},
    {"duplicate_id", "duplicate_id", "kernels[1].id"},
    {"run_named_twice", "duplicate_id", "experiments[0].runs_before[1]"},
    {"long_number", "too_long", "runs[0].method.repeat"},
    {"duplicate_id_other_kind", "duplicate_id", "versions[0].id"},
    {"reference_to_other_kind", "wrong_reference", "experiments[0].kernel"},
    {"own_parent", "wrong_reference", "versions[1].parents"},
    {"unknown_chip", "unknown_chip", "experiments[0].chip"},
    {"unknown_label", "unknown_label", "experiments[0].bottleneck"},
    {"unknown_label_in_list", "unknown_label", "experiments[0].bottleneck[1]"},
    {"negative_duration", "out_of_range", "experiments[0].claim.latency_before_ns"},
    {"range_turned", "out_of_range", "experiments[0].claim.speedup_low"},
    {"unknown_language", "invalid_choice", "kernels[0].language"},
    {"unknown_kind", "invalid_choice", "versions[0].kind"},
    {"family_mismatch", "family_mismatch", "kernels[0].family"},
    {"bad_time", "invalid_time", "created_at"},
    {"too_many_techniques", "too_many", "experiments[0].techniques"},
    {"name_too_long", "too_long", "kernels[0].name"},
    {"nested_dims", "wrong_type", "experiments[0].workload.dims.M"},
    {"negative_sample", "out_of_range", "runs[0].samples_ns[1]"},
    {"fractional_sample", "wrong_type", "runs[0].samples_ns[0]"},
    {"huge_sample", "out_of_range", "runs[0].samples_ns[0]"},
    {"too_many_samples", "too_many", "runs[0].samples_ns"},
    {"metric_null", "wrong_type", "runs[0].metrics.SQ_WAVES"},
    {"metric_missing_with_value", "invalid_value", "runs[0].metrics.SQ_WAVES.value"},
    {"metric_without_value", "missing_field", "runs[0].metrics.SQ_WAVES.value"},
    {"correctness_without_status", "missing_field", "runs[0].correctness.status"},
    {"artifact_without_bytes", "missing_field", "artifacts[0].text"},
    {"artifact_bad_base64", "invalid_base64", "artifacts[0].base64"},
    {"extra_not_an_object", "wrong_type", "kernels[0].extra"},
};

static void
every_bad_document_is_refused_at_its_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof bad_documents / sizeof *bad_documents; i++) {
        struct lore_submission doc = {.format = 77};
        const struct lore_json *root =
            parse_file(lore_format(&arena, "bad_%s.json", bad_documents[i].name));

        memset(&err, 0, sizeof err);
        assert_int_equal(lore_wire_decode(root, &arena, &doc, &err), LORE_INVALID);
        assert_int_equal(doc.format, 77); /* written only on success */
        assert_string_equal(err.code, bad_documents[i].code);
        assert_string_equal(err.path, bad_documents[i].path);
        assert_true(lore_starts(err.msg, bad_documents[i].path));
        assert_true(strlen(err.msg) > strlen(err.path) + 2);
    }
}

/* The hint of the refusal of a bad document. */
static const char *
hint_for(const char *name)
{
    struct lore_submission doc;

    assert_int_equal(lore_wire_decode(parse_file(name), &arena, &doc, &err), LORE_INVALID);
    return err.hint;
}

static void
refusals_say_what_to_do(void **state)
{
    (void)state;
    assert_string_equal(hint_for("bad_unknown_field.json"), "did you mean bottleneck?");
    assert_non_null(strstr(hint_for("bad_unknown_field_far.json"), "runs_before"));
    assert_non_null(strstr(hint_for("bad_unknown_chip.json"), "mi300x"));
    assert_non_null(strstr(hint_for("bad_unknown_label.json"), "register_pressure"));
    assert_non_null(strstr(hint_for("bad_unknown_label.json"), "raw_label"));
    assert_non_null(strstr(hint_for("bad_metric_null.json"), "{\"missing\":"));
    assert_non_null(strstr(hint_for("bad_unknown_language.json"), "hip, cuda, triton"));
    assert_non_null(strstr(hint_for("bad_id_not_a_ulid.json"), "26 characters"));
    assert_non_null(strstr(hint_for("bad_null_member.json"), "leave the member out"));
}

static void
writing_what_was_read_reads_back_the_same(void **state)
{
    static const char *const names[] = {
        "full.json", "full_knowledge.json", "minimal.json", "empty.json"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct lore_submission doc = decode_file(names[i]), again;
        const char *first = encoded(&doc);

        if (lore_wire_decode(parse(first), &arena, &again, &err) != LORE_OK)
            fail_msg("%s: %s", names[i], err.msg);
        assert_string_equal(encoded(&again), first);
    }
}

/* Marks which rows of which records NODE has. */
static void
mark(const struct lore_record *r, const struct lore_json *node, const struct lore_record **all,
    size_t n, uint64_t *seen)
{
    size_t at = 0;

    while (at < n && all[at] != r)
        at++;
    assert_true(at < n);
    for (size_t i = 0; i < r->n && node->type == LORE_J_OBJECT; i++) {
        const struct lore_field *f = &r->fields[i];
        const struct lore_json *c = lore_json_get(node, f->name);

        if (!c)
            continue;
        seen[at] |= (uint64_t)1 << i;
        if (f->type == LORE_F_OBJECT)
            mark(f->sub, c, all, n, seen);
        for (c = c->child; c != NULL && f->sub && f->type != LORE_F_OBJECT; c = c->next)
            mark(f->sub, c, all, n, seen);
    }
}

static void
the_full_documents_set_every_field_and_keep_it_when_written(void **state)
{
    const struct lore_record *all[80];
    size_t n = lore_records(all, 80);
    struct lore_submission doc = decode_file("full.json");
    struct lore_submission more = decode_file("full_knowledge.json");
    uint64_t seen[80] = {0};

    (void)state;
    assert_true(n < 80);
    mark(&lore_document_record, parse(encoded(&doc)), all, n, seen);
    mark(&lore_document_record, parse(encoded(&more)), all, n, seen);
    for (size_t i = 0; i < n; i++) {
        assert_true(all[i]->n < 64); /* `seen` of a finish is 64 bits */
        if (all[i] == &lore_attempt_record || all[i] == &lore_session_record ||
            all[i] == &lore_plan_record) /* bodies of requests, no part of a document */
            continue;
        for (size_t k = 0; k < all[i]->n; k++)
            if (!(seen[i] >> k & 1))
                fail_msg("%s.%s is not in full.json nor full_knowledge.json", all[i]->name,
                    all[i]->fields[k].name);
    }
}

static void
every_field_has_a_name_help_and_a_place_in_its_struct(void **state)
{
    const struct lore_record *all[80];
    size_t n = lore_records(all, 80);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        assert_true(all[i]->help[0] != '\0');
        for (size_t k = 0; k < all[i]->n; k++) {
            const struct lore_field *f = &all[i]->fields[k];

            assert_true(f->help && strlen(f->help) > 3);
            assert_int_equal(f->help[strlen(f->help) - 1] == '.' ||
                                 lore_starts(f->help + strlen(f->help) - strlen("…"), "…"),
                1);
            assert_true(f->offset < all[i]->size);
            for (size_t m = 0; m < k; m++)
                assert_string_not_equal(f->name, all[i]->fields[m].name);
        }
    }
}

static void
names_are_resolved_and_raw_spellings_kept(void **state)
{
    struct lore_submission doc = decode_file("full.json");
    const struct lore_experiment *e = &doc.experiments[0];

    (void)state;
    assert_string_equal(doc.kernels[1].op, "gemm");
    assert_int_equal(doc.kernels[1].language, LORE_LANG_CUDA);
    assert_string_equal(doc.environments[0].chip, "mi300x");
    assert_string_equal(doc.runs[0].chip, "gfx942");
    assert_string_equal(e->techniques[0].name, "sync.warp_level_reduction");
    assert_string_equal(e->techniques[0].raw, "warp-level DPP reduction replacing BlockReduce");
    assert_string_equal(e->techniques[1].name, "memory.tiling_smem");
    assert_string_equal(e->techniques[2].name, "a_brand_new_idea");
    assert_string_equal(e->techniques[2].raw, "a brand new idea");
    assert_string_equal(e->bottleneck.labels.v[0], "sync");
    assert_string_equal(e->bottleneck.raw_label, "sync-bound");
    assert_string_equal(doc.runs[1].diagnoses[1].raw_label, "Memory+Sync");
    assert_int_equal(doc.runs[1].diagnoses[1].labels.n, 2);
    assert_string_equal(doc.attributions[0].technique, "sync.warp_level_reduction");
    assert_string_equal(doc.insights[0].technique, "sync.warp_per_row");
    assert_string_equal(doc.insights[0].op, "topk_softmax");
}

static void
defaults_are_filled_in(void **state)
{
    struct lore_submission full = decode_file("full.json"), small = decode_file("minimal.json");

    (void)state;
    assert_int_equal(full.runs[0].evidence, LORE_EV_MEASURED);
    assert_int_equal(full.runs[2].evidence, LORE_EV_CLAIMED);
    assert_int_equal(full.runs[2].role, LORE_ROLE_CANDIDATE);
    assert_int_equal(small.experiments[0].evidence, LORE_EV_CLAIMED);
    assert_int_equal(small.experiments[0].claim.base, LORE_BASE_PARENT);
    assert_int_equal(small.versions[1].parents[0].kind, LORE_E_DERIVED_FROM);
    assert_string_equal(full.versions[1].provenance.redistribution, "allowed");
    assert_string_equal(full.kernels[0].provenance.redistribution, "forbidden");
    assert_null(small.kernels[0].provenance.redistribution);
    assert_null(full.runs[1].workload.op);
}

static void
values_arrive_as_written(void **state)
{
    struct lore_submission doc = decode_file("full.json");
    const struct lore_run *r = &doc.runs[1];

    (void)state;
    assert_int_equal(r->n_samples, 4);
    assert_int_equal(r->samples_ns[1], 17050);
    assert_int_equal(r->samples_ns[3], 0);
    assert_true(r->first_ns.set && r->first_ns.v == 91000);
    assert_true(r->metrics.v[0].value == 16384 && r->metrics.v[0].missing == LORE_MISS_NONE);
    assert_true(r->metrics.v[1].std.set && r->metrics.v[1].std.v == 0.5);
    assert_true(r->metrics.v[2].precision_lost && r->metrics.v[2].value == 1.87e11);
    assert_int_equal(r->metrics.v[3].missing, LORE_MISS_COUNTER_UNSUPPORTED);
    assert_true(r->correctness.rel_err.set && r->correctness.rel_err.v == 0);
    assert_string_equal(doc.versions[1].sources[1].text, "");
    assert_string_equal(lore_kvs_get(&doc.versions[1].build, "lto"), "true");
    assert_string_equal(lore_kvs_get(&doc.versions[1].build, "flags"), "\"-O3 \\\"-DX=1\\\"\"");
    assert_string_equal(
        doc.experiments[0].extra, "{\"k\":null,\"deep\":{\"a\":[1,2.5,\"ü\",true]}}");
    assert_int_equal(doc.experiments[0].n_violations, 1);
}

static void
lower_case_ids_are_kept_in_upper_case(void **state)
{
    struct lore_submission doc = decode_file("lower_case_ids.json");

    (void)state;
    assert_string_equal(doc.kernels[0].id, doc.versions[0].kernel);
    assert_null(strpbrk(doc.kernels[0].id, "abcdefghijklmnopqrstuvwxyz"));
}

/* A document with one experiment whose bottleneck is JSON. */
static const struct lore_diagnosis *
bottleneck(const char *json)
{
    static struct lore_submission doc;
    const char *text = lore_format(&arena,
        "{\"warplore\":1,\"id\":\"01JB0000000000000000000001\",\"experiments\":[{"
        "\"id\":\"01JB0000000000000000000002\",\"kernel\":\"01JB0000000000000000000003\","
        "\"bottleneck\":%s}]}",
        json);

    if (lore_wire_decode(parse(text), &arena, &doc, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    return &doc.experiments[0].bottleneck;
}

static void
a_bottleneck_may_be_text_list_or_object(void **state)
{
    (void)state;
    assert_string_equal(bottleneck("\"memory-bound\"")->labels.v[0], "memory");
    assert_string_equal(bottleneck("\"memory-bound\"")->raw_label, "memory-bound");
    assert_null(bottleneck("\"memory\"")->raw_label);
    assert_null(bottleneck("[\"sync\",\"memory\"]")->raw_label);
    assert_string_equal(bottleneck("[\"sync\",\"memory\"]")->labels.v[0], "memory");
    assert_string_equal(bottleneck("[\"Sync\",\"memory\"]")->raw_label, "Sync+memory");
    assert_int_equal(bottleneck("\"balanced\"")->labels.n, 0);
    assert_string_equal(bottleneck("\"balanced\"")->raw_label, "balanced");
    assert_null(bottleneck("\"\"")->raw_label);
    assert_string_equal(
        bottleneck("{\"labels\":[],\"raw_label\":\"gremlins\"}")->raw_label, "gremlins");
    assert_string_equal(bottleneck("{\"labels\":[\"Memory-Bound\"]}")->raw_label, "Memory-Bound");
}

static void
a_record_alone_is_its_members(void **state)
{
    struct lore_submission doc = decode_file("full.json");
    struct lore_buf out = {0};
    struct lore_jsonw w = {0};
    const struct lore_json *node;

    (void)state;
    lore_jsonw_begin(&w, &out, false);
    lore_w_obj(&w);
    lore_wire_members(&w, LORE_K_RUN, &doc.runs[1]);
    lore_w_kstr(&w, "mine", "too");
    lore_w_obj_end(&w);
    assert_int_equal(lore_jsonw_end(&w, &err), LORE_OK);
    node = parse(lore_strndup(&arena, out.data, out.len));
    assert_string_equal(lore_json_get(node, "id")->str, doc.runs[1].id);
    assert_string_equal(lore_json_get(node, "mine")->str, "too");
    assert_null(lore_json_get(node, "error"));
    lore_buf_free(&out);
}

static void
a_missing_metric_is_written_without_a_value(void **state)
{
    struct lore_metric metric = {.name = "X", .value = 3, .missing = LORE_MISS_LOST};
    struct lore_run run = {.id = "01JB0000000000000000000002", .metrics = {&metric, 1, 1}};
    struct lore_submission doc = {.format = 1, .id = run.id, .runs = &run, .n_runs = 1};
    const char *text = encoded(&doc);

    (void)state;
    assert_non_null(strstr(text, "{\"missing\":\"lost\"}"));
}

static void
a_digest_does_not_depend_on_order(void **state)
{
    unsigned char a[32], b[32], c[32];

    (void)state;
    lore_wire_digest(parse("{\"a\":1,\"b\":[2]}"), a);
    lore_wire_digest(parse("{ \"b\" : [2.0], \"a\" : 1 }"), b);
    lore_wire_digest(parse("{\"a\":1,\"b\":[3]}"), c);
    assert_memory_equal(a, b, 32);
    assert_memory_not_equal(a, c, 32);
}

static void
an_artifact_of_four_mebibytes_fits(void **state)
{
    size_t n = 4 << 20;
    char *text = lore_alloc(&arena, n + 200);
    int head = snprintf(text, 200,
        "{\"warplore\":1,\"id\":\"01JB0000000000000000000001\",\"artifacts\":[{\"name\":\"x\","
        "\"text\":\"");
    struct lore_submission doc;

    (void)state;
    memset(text + head, 'x', n);
    memcpy(text + head + n, "\"}]}", 5);
    assert_int_equal(lore_wire_decode(parse(text), &arena, &doc, &err), LORE_OK);
    memcpy(text + head + n, "x\"}]}", 6);
    assert_int_equal(lore_wire_decode(parse(text), &arena, &doc, &err), LORE_INVALID);
    assert_string_equal(err.code, "too_long");
}

static void
enum_names_read_back(void **state)
{
    (void)state;
    for (unsigned v = 1; v < LORE_LANG_COUNT; v++)
        assert_int_equal(lore_language_find(lore_language_name((enum lore_language)v)), v);
    assert_int_equal(lore_language_find("CUDA C++"), LORE_LANG_CUDA);
    assert_int_equal(lore_language_find("CuteDSL"), LORE_LANG_CUTE_DSL);
    assert_int_equal(lore_language_find("cobol"), LORE_LANG_NONE);
    assert_null(lore_language_name(LORE_LANG_NONE));
    assert_null(lore_language_name(LORE_LANG_COUNT));
    assert_string_equal(lore_evidence_name(LORE_EV_IMPORTED), "imported");
    assert_string_equal(lore_version_kind_name(LORE_V_LIBRARY), "library");
    assert_string_equal(lore_edge_kind_name(LORE_E_RESTART_FROM), "restart_from");
    assert_string_equal(lore_check_name(LORE_C_NOT_CHECKED), "not_checked");
    assert_string_equal(lore_missing_name(LORE_MISS_LOST), "lost");
    assert_string_equal(lore_base_name(LORE_BASE_LIBRARY), "library");
    assert_string_equal(lore_run_role_name(LORE_ROLE_BRANCH), "branch");
    for (unsigned k = 0; k < LORE_K_COUNT; k++)
        assert_true(lore_kind_name((enum lore_kind)k) && lore_kind_plural((enum lore_kind)k));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_good_document_decodes, start, stop),
        cmocka_unit_test_setup_teardown(every_bad_document_is_refused_at_its_path, start, stop),
        cmocka_unit_test_setup_teardown(refusals_say_what_to_do, start, stop),
        cmocka_unit_test_setup_teardown(writing_what_was_read_reads_back_the_same, start, stop),
        cmocka_unit_test_setup_teardown(
            the_full_documents_set_every_field_and_keep_it_when_written, start, stop),
        cmocka_unit_test_setup_teardown(
            every_field_has_a_name_help_and_a_place_in_its_struct, start, stop),
        cmocka_unit_test_setup_teardown(names_are_resolved_and_raw_spellings_kept, start, stop),
        cmocka_unit_test_setup_teardown(defaults_are_filled_in, start, stop),
        cmocka_unit_test_setup_teardown(values_arrive_as_written, start, stop),
        cmocka_unit_test_setup_teardown(lower_case_ids_are_kept_in_upper_case, start, stop),
        cmocka_unit_test_setup_teardown(a_bottleneck_may_be_text_list_or_object, start, stop),
        cmocka_unit_test_setup_teardown(a_record_alone_is_its_members, start, stop),
        cmocka_unit_test_setup_teardown(a_missing_metric_is_written_without_a_value, start, stop),
        cmocka_unit_test_setup_teardown(a_digest_does_not_depend_on_order, start, stop),
        cmocka_unit_test_setup_teardown(an_artifact_of_four_mebibytes_fits, start, stop),
        cmocka_unit_test_setup_teardown(enum_names_read_back, start, stop),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

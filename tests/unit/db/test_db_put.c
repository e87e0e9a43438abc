// uses: verdicts
// Storing records: what comes back is what was given; duplicates, conflicts, references, undo.
#include "db/files.h"
#include "db/knowledge.h"
#include "db/metrics.h"
#include "db/put.h"
#include "db/put_context.h"
#include "db/rest.h"
#include "db/sweep.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/fields.h"
#include "tests/unit/db_fixture.h"

/* Ids: 01J0000000, zeros, a tail. */
#define ID(tail) "01J000000000000000000000" tail

/* One document with every field of every record. */
static const char *
whole(struct fixture *f)
{
    struct lore_buf text = {0};
    const char *copy;

    ok(f,
        lore_file_read(SOURCE_DIR "/tests/fixtures/submissions/every_field.json", &text, &f->err));
    copy = lore_strndup(&f->arena, text.data, text.len);
    lore_buf_free(&text);
    return copy;
}

static void
the_document_has_every_field(void **state)
{
    struct fixture *f = *state;
    struct lore_json *root;
    struct lore_submission doc = {0};

    decode(f, whole(f), &root, &doc);
    for (int k = 0; k < LORE_K_COUNT; k++) {
        const struct lore_record *r = lore_kind_record(k);

        for (size_t i = 0; i < r->n; i++) {
            bool seen = false;

            for (const struct lore_json *n = lore_json_get(root, lore_kind_plural(k))->child;
                 n != NULL; n = n->next)
                seen = seen || lore_json_get(n, r->fields[i].name);
            if (!seen)
                fail_msg("%s.%s is not in the document", r->name, r->fields[i].name);
        }
    }
}

static const char *
text_of(struct fixture *f, enum lore_kind kind, const void *record)
{
    const char *text = NULL;

    ok(f, lore_rest_write(kind, record, &f->arena, &text, &f->err));
    return text;
}

/* Metrics without a unit come back with the catalogue's: give it to what went in. */
static void
add_units(struct lore_metrics *m)
{
    for (size_t i = 0; i < m->n; i++) {
        const struct lore_metric_def *def = lore_metric_find(m->v[i].name);

        if (!m->v[i].unit && def)
            m->v[i].unit = def->unit;
    }
}

#define SAME(kind, given, got) assert_string_equal(text_of(f, kind, given), text_of(f, kind, got))

static void
every_record_comes_back_as_it_was_given(void **state)
{
    struct fixture *f = *state;
    struct lore_json *root;
    struct lore_submission doc = {0};
    struct lore_kernel_row k;
    struct lore_environment_row e;
    struct lore_hypothesis_row h;
    struct lore_insight_row n;
    struct lore_attribution_row *a;
    size_t count_a;

    ok(f, put(f, whole(f)));
    decode(f, whole(f), &root, &doc);
    ok(f, lore_db_get_kernel(f->db, ID("K1"), &f->arena, &k, &f->err));
    SAME(LORE_K_KERNEL, &doc.kernels[0], &k.k);
    assert_int_equal(k.n_versions, 2);
    assert_int_equal(k.n_experiments, 2);
    assert_string_equal(k.family, "norm");
    for (size_t i = 0; i < doc.n_versions; i++) {
        struct lore_version_row v;

        ok(f, lore_db_get_version(f->db, doc.versions[i].id, &f->arena, &v, &f->err));
        SAME(LORE_K_VERSION, &doc.versions[i], &v.v);
    }
    ok(f, lore_db_get_environment(f->db, ID("E1"), &f->arena, &e, &f->err));
    SAME(LORE_K_ENVIRONMENT, &doc.environments[0], &e.e);
    ok(f, lore_db_get_hypothesis(f->db, ID("H1"), &f->arena, &h, &f->err));
    SAME(LORE_K_HYPOTHESIS, &doc.hypotheses[0], &h.h);
    ok(f, lore_db_get_insight(f->db, ID("N1"), &f->arena, &n, &f->err));
    SAME(LORE_K_INSIGHT, &doc.insights[0], &n.i);
    ok(f, lore_db_list_attributions(f->db, ID("X1"), &f->arena, &a, &count_a, &f->err));
    assert_int_equal(count_a, 1);
    SAME(LORE_K_ATTRIBUTION, &doc.attributions[0], &a[0].a);
    ok(f, lore_db_check(f->db, &f->err));
}

static void
what_is_known_comes_back_as_it_was_given(void **state)
{
    struct fixture *f = *state;
    struct lore_json *root;
    struct lore_submission doc = {0};
    struct lore_buf text = {0};

    ok(f, put(f, whole(f)));
    decode(f, whole(f), &root, &doc);
#define BACK(KIND, noun, list)                                                                     \
    for (size_t i = 0; i < doc.n_##list; i++) {                                                    \
        struct lore_##noun##_row row;                                                              \
        ok(f, lore_db_get_##noun(f->db, doc.list[i].id, &f->arena, &row, &f->err));                \
        if (KIND == LORE_K_SOURCE_DOCUMENT)                                                        \
            doc.source_documents[i].text = NULL;                                                   \
        if (KIND == LORE_K_SWEEP)                                                                  \
            doc.sweeps[i].configurations.set = false;                                              \
        SAME(KIND, &doc.list[i], &row.r);                                                          \
        assert_string_equal(row.document, ID("D1"));                                               \
        assert_string_equal(row.actor, "tester");                                                  \
    }
    BACK(LORE_K_SOURCE_DOCUMENT, source_document, source_documents)
    BACK(LORE_K_SPEC, spec, specs)
    BACK(LORE_K_TECHNIQUE, technique_def, techniques)
    BACK(LORE_K_VERIFICATION, verification, verifications)
    BACK(LORE_K_CAMPAIGN, campaign, campaigns)
    BACK(LORE_K_DIRECTION, direction, directions)
    BACK(LORE_K_CURATION, curation, curations)
    BACK(LORE_K_SWEEP, sweep, sweeps)
    BACK(LORE_K_PROFILE, profile, profiles)
    {
        struct lore_source_document_row row;

        ok(f, lore_db_get_source_document(f->db, ID("S1"), &f->arena, &row, &f->err));
        ok(f, lore_db_get_blob(f->db, row.blob, &text, NULL, &f->arena, &f->err));
        assert_string_equal(text.data, "# H200\r\n\r\n| **Memory bandwidth** | `4.8` TB/s |\r\n");
    }
    lore_buf_free(&text);
}

static void
every_run_comes_back_as_it_was_given(void **state)
{
    struct fixture *f = *state;
    struct lore_json *root;
    struct lore_submission doc = {0};
    struct lore_run_row r;

    ok(f, put(f, whole(f)));
    decode(f, whole(f), &root, &doc);
    doc.runs[1].chip = "h200"; /* from its environment */
    for (size_t i = 0; i < doc.n_runs; i++) {
        add_units(&doc.runs[i].metrics);
        ok(f, lore_db_get_run(f->db, doc.runs[i].id, &f->arena, &r, &f->err));
        SAME(LORE_K_RUN, &doc.runs[i], &r.r);
    }
    ok(f, lore_db_get_run(f->db, ID("R1"), &f->arena, &r, &f->err));
    assert_string_equal(r.op, "softmax");
    assert_string_equal(r.document, ID("D1"));
    assert_int_equal(r.r.n_samples, 5);
    assert_int_equal(r.r.samples_ns[2], 110);
}

static void
every_experiment_comes_back_as_it_was_given(void **state)
{
    struct fixture *f = *state;
    struct lore_json *root;
    struct lore_submission doc = {0};
    struct lore_experiment_row x;

    ok(f, put(f, whole(f)));
    decode(f, whole(f), &root, &doc);
    doc.experiments[1].title = doc.experiments[1].techniques[0].name; /* made from them */
    for (size_t i = 0; i < doc.n_experiments; i++) {
        add_units(&doc.experiments[i].metrics_before);
        add_units(&doc.experiments[i].metrics_after);
        ok(f, lore_db_get_experiment(f->db, doc.experiments[i].id, &f->arena, &x, &f->err));
        SAME(LORE_K_EXPERIMENT, &doc.experiments[i], &x.e);
    }
    ok(f, lore_db_get_experiment(f->db, ID("X1"), &f->arena, &x, &f->err));
    assert_string_equal(x.op, "softmax");
    assert_string_equal(x.family, "norm");
    assert_string_equal(x.outcome.effect, "win");
    assert_string_equal(x.outcome.process, "broken");
}

static void
an_experiment_without_a_title_is_called_by_its_techniques(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_row x;

    ok(f, put(f, whole(f)));
    ok(f, put(f, lore_format(&f->arena,
                     "{\"warplore\":1,\"id\":\"%s\",\"experiments\":[{\"id\":\"%s\",\"kernel\":"
                     "\"%s\",\"techniques\":[\"loop unrolling\",\"warp specialization\"]}]}",
                     ID("D7"), ID("X7"), ID("K1"))));
    ok(f, lore_db_get_experiment(f->db, ID("X7"), &f->arena, &x, &f->err));
    assert_string_equal(x.e.title,
        lore_format(&f->arena, "%s + %s", lore_technique_slug(&f->arena, "loop unrolling"),
            lore_technique_slug(&f->arena, "warp specialization")));
}

static void
bytes_come_back_exactly(void **state)
{
    struct fixture *f = *state;
    struct lore_document_row d;
    struct lore_source_row *files;
    struct lore_buf bytes = {0};
    const char *type, *given = whole(f);
    size_t n;

    ok(f, put(f, given));
    ok(f, lore_db_get_document(f->db, ID("D1"), &f->arena, &d, &bytes, &f->err));
    assert_int_equal(bytes.len, strlen(given));
    assert_memory_equal(bytes.data, given, bytes.len);
    assert_string_equal(d.author_model, "m1");
    lore_buf_free(&bytes);
    ok(f, lore_db_list_artifacts(f->db, ID("D1"), &f->arena, &files, &n, &f->err));
    assert_int_equal(n, 2);
    ok(f, lore_db_get_blob(f->db, files[1].blob, &bytes, &type, &f->arena, &f->err));
    assert_int_equal(bytes.len, 4);
    assert_memory_equal(bytes.data, "\0\1\2\377", 4);
    assert_string_equal(type, "application/octet-stream");
    lore_buf_free(&bytes);
    assert_int_equal(
        lore_db_get_blob(f->db, "00", &bytes, &type, &f->arena, &f->err), LORE_NOTFOUND);
}

#define SMALL(doc, name)                                                                           \
    "{\"warplore\":1,\"id\":\"" ID(doc) "\",\"kernels\":[{\"id\":\"" ID(                           \
        "K9") "\",\"operator\":\"gemm\",\"name\":\"" name "\",\"language\":\"hip\"}]}"

static void
the_same_record_again_is_a_duplicate(void **state)
{
    struct fixture *f = *state;

    ok(f, put(f, SMALL("D1", "a")));
    assert_int_equal(f->last, LORE_PUT_STORED);
    ok(f, put(f, SMALL("D2", "a")));
    assert_int_equal(f->last, LORE_PUT_DUPLICATE);
    assert_int_equal(count(f, "fact_kernel"), 1);
}

static void
other_content_under_the_same_id_is_a_conflict(void **state)
{
    struct fixture *f = *state;

    ok(f, put(f, SMALL("D1", "a")));
    assert_int_equal(put(f, SMALL("D2", "b")), LORE_CONFLICT);
    assert_string_equal(f->err.path, "id");
    assert_int_equal(count(f, "fact_document"), 1);
    assert_int_equal(put(f, SMALL("D1", "c")), LORE_CONFLICT);
}

static void
refused(struct fixture *f, const char *records, const char *path)
{
    const char *json =
        lore_format(&f->arena, "{\"warplore\":1,\"id\":\"" ID("DX") "\",%s}", records);
    int64_t documents = count(f, "fact_document");

    assert_int_equal(put(f, json), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_reference");
    assert_string_equal(f->err.path, path);
    assert_int_equal(count(f, "fact_document"), documents);
}

static void
an_unknown_reference_names_its_field(void **state)
{
    struct fixture *f = *state;

    ok(f, put(f, whole(f)));
    refused(f,
        "\"versions\":[{\"id\":\"" ID("V9") "\",\"kernel\":\"" ID(
            "K8") "\",\"kind\":\"candidate\"}]",
        "kernel");
    refused(f,
        "\"versions\":[{\"id\":\"" ID("V9") "\",\"kernel\":\"" ID(
            "K1") "\",\"kind\":\"candidate\","
                  "\"parents\":[\"" ID("V1") "\",\"" ID("V8") "\"]}]",
        "parents[1].version");
    refused(f, "\"runs\":[{\"id\":\"" ID("R9") "\",\"version\":\"" ID("V8") "\"}]", "version");
    refused(f,
        "\"runs\":[{\"id\":\"" ID("R9") "\",\"version\":\"" ID("V1") "\",\"environment\":\"" ID(
            "E8") "\"}]",
        "environment");
    refused(f,
        "\"hypotheses\":[{\"id\":\"" ID("H9") "\",\"claim\":\"c\",\"from_version\":\"" ID(
            "V8") "\"}]",
        "from_version");
    refused(f, "\"experiments\":[{\"id\":\"" ID("X9") "\",\"kernel\":\"" ID("K8") "\"}]", "kernel");
    refused(f,
        "\"experiments\":[{\"id\":\"" ID("X9") "\",\"kernel\":\"" ID(
            "K1") "\",\"hypothesis\":\"" ID("H8") "\"}]",
        "hypothesis");
    refused(f,
        "\"experiments\":[{\"id\":\"" ID("X9") "\",\"kernel\":\"" ID(
            "K1") "\",\"to_version\":\"" ID("V8") "\"}]",
        "to_version");
    refused(f,
        "\"experiments\":[{\"id\":\"" ID("X9") "\",\"kernel\":\"" ID(
            "K1") "\",\"runs_after\":[\"" ID("R1") "\",\"" ID("R8") "\"]}]",
        "runs_after[1]");
    refused(f,
        "\"attributions\":[{\"id\":\"" ID("A9") "\",\"experiment\":\"" ID(
            "X8") "\",\"technique\":\"t\",\"contributed\":\"yes\"}]",
        "experiment");
    refused(f,
        "\"attributions\":[{\"id\":\"" ID("A9") "\",\"experiment\":\"" ID(
            "X1") "\",\"technique\":\"t\",\"contributed\":\"yes\",\"ablated_run\":\"" ID("R8") "\"}"
                                                                                               "]",
        "ablated_run");
    refused(f,
        "\"insights\":[{\"id\":\"" ID("N9") "\",\"kind\":\"note\",\"title\":\"t\",\"body\":\"b\","
                                            "\"experiments\":[\"" ID("X8") "\"]}]",
        "experiments[0]");
    refused(f,
        "\"hypotheses\":[{\"id\":\"" ID("H9") "\",\"claim\":\"c\",\"campaign\":\"" ID("C8") "\"}]",
        "campaign");
    refused(f,
        "\"experiments\":[{\"id\":\"" ID("X9") "\",\"kernel\":\"" ID("K1") "\",\"campaign\":\"" ID(
            "C8") "\"}]",
        "campaign");
    refused(f,
        "\"campaigns\":[{\"id\":\"" ID("C9") "\",\"label\":\"c\",\"targets\":[{\"metric\":\"m\","
                                             "\"spec\":\"" ID("P8") "\"}]}]",
        "targets[0].spec");
    refused(f,
        "\"campaigns\":[{\"id\":\"" ID("C9") "\",\"label\":\"c\",\"kernel\":\"" ID("K8") "\"}]",
        "kernel");
    refused(f,
        "\"campaigns\":[{\"id\":\"" ID("C9") "\",\"label\":\"c\",\"baseline\":\"" ID("V8") "\"}]",
        "baseline");
    refused(f,
        "\"specs\":[{\"id\":\"" ID("P9") "\",\"chip\":\"h200\",\"metric\":\"m\",\"value\":1,"
                                         "\"unit\":\"x\",\"evidence_class\":\"derived\",\"line\":1,"
                                         "\"quote\":\"1\",\"source_document\":\"" ID("S8") "\"}]",
        "source_document");
    refused(f,
        "\"specs\":[{\"id\":\"" ID("P9") "\",\"chip\":\"h200\",\"metric\":\"m\",\"value\":1,"
                                         "\"unit\":\"x\",\"evidence_class\":\"measured\","
                                         "\"environment\":\"" ID("E8") "\"}]",
        "environment");
    refused(f,
        "\"verifications\":[{\"id\":\"" ID("F9") "\",\"version\":\"" ID(
            "V8") "\",\"technique\":\"t\",\"status\":\"missing\"}]",
        "version");
    refused(f,
        "\"directions\":[{\"id\":\"" ID("G9") "\",\"text\":\"t\",\"kernel\":\"" ID("K8") "\"}]",
        "kernel");
    refused(f,
        "\"directions\":[{\"id\":\"" ID("G9") "\",\"text\":\"t\",\"experiment\":\"" ID("X8") "\"}]",
        "experiment");
    refused(f,
        "\"directions\":[{\"id\":\"" ID("G9") "\",\"text\":\"t\",\"campaign\":\"" ID("C8") "\"}]",
        "campaign");
    refused(f,
        "\"curations\":[{\"id\":\"" ID("Q9") "\",\"action\":\"retract\",\"reason\":\"r\","
                                             "\"subjects\":[\"" ID("X1") "\",\"" ID("X8") "\"]}]",
        "subjects[1]");
}

static void
a_workload_of_another_operator_is_refused(void **state)
{
    struct fixture *f = *state;

    ok(f, put(f, whole(f)));
    assert_int_equal(
        put(f, "{\"warplore\":1,\"id\":\"" ID("D9") "\",\"experiments\":[{\"id\":\"" ID(
                   "X9") "\",\"kernel\":\"" ID("K1") "\",\"workload\":{\"operator\":\"gemm\","
                                                     "\"dims\":{\"M\":1}}}]}"),
        LORE_INVALID);
    assert_string_equal(f->err.path, "workload.operator");
}

static void
undone_names_are_forgotten(void **state)
{
    struct fixture *f = *state;
    const char *bad = "{\"warplore\":1,\"id\":\"" ID("D1") "\",\"kernels\":[{\"id\":\"" ID(
        "K1") "\",\"operator\":"
              "\"new_op\",\"name\":\"a\",\"language\":\"hip\"}],\"versions\":[{\"id\":"
              "\"" ID("V1") "\",\"kernel\":\"" ID(
                  "K1") "\",\"kind\":\"baseline\"}],"
                        "\"runs\":[{\"id\":\"" ID("R1") "\",\"version\":"
                                                        "\"" ID("V1") "\","
                                                                      "\"work"
                                                                      "load\""
                                                                      ":{"
                                                                      "\"dims"
                                                                      "\":{"
                                                                      "\"M\":"
                                                                      "1}},"
                                                                      "\"metr"
                                                                      "ics\":"
                                                                      "{\"m."
                                                                      "new\":"
                                                                      "1},"
                                                                      "\"envi"
                                                                      "ronmen"
                                                                      "t\":"
                                                                      "\"" ID("E"
                                                                              "8") "\"}]}";
    char *good = lore_strdup(&f->arena, bad);

    assert_int_equal(put(f, bad), LORE_INVALID);
    assert_int_equal(count(f, "fact_kernel"), 0);
    assert_int_equal(count(f, "fact_workload"), 0);
    /* The same without the bad reference: everything must be registered again. */
    memcpy(strstr(good, ",\"environment\""), "}]}", 4);
    ok(f, put(f, good));
    assert_int_equal(count(f, "fact_workload"), 1);
    ok(f, lore_db_check(f->db, &f->err));
}

static void
a_savepoint_undoes_one_document_of_a_batch(void **state)
{
    struct fixture *f = *state;
    unsigned char detail[32] = {0};
    int64_t n = 0;

    ok(f, lore_db_begin(f->db, &f->err));
    ok(f,
        lore_put_event(f->db, &(struct lore_event){"a", "submission", "1", detail, NOW}, &f->err));
    ok(f, lore_db_savepoint(f->db, &f->err));
    ok(f,
        lore_put_event(f->db, &(struct lore_event){"a", "submission", "2", detail, NOW}, &f->err));
    lore_db_undo(f->db);
    ok(f, lore_db_savepoint(f->db, &f->err));
    ok(f,
        lore_put_event(f->db, &(struct lore_event){"a", "submission", "3", detail, NOW}, &f->err));
    ok(f, lore_db_release(f->db, &f->err));
    ok(f, lore_db_commit(f->db, &f->err));
    ok(f, lore_db_verify_events(f->db, &n, &f->err));
    assert_int_equal(n, 2);
}

static void
packed_metrics_round_trip_and_refuse_nonsense(void **state)
{
    struct fixture *f = *state;
    struct lore_metric v[] = {{.name = "a", .value = 0.1}, {.name = "b", .missing = LORE_MISS_LOST},
        {.name = "c", .value = -0.0, .unit = "ns", .n = {true, 3}, .max = {true, 9}}};
    struct lore_metrics m = {v, 3, 3}, back = {0};
    struct lore_buf b = {0};

    ok(f, lore_metrics_pack(f->db, &m, &b, &f->err));
    ok(f, lore_metrics_unpack(f->db, b.data, b.len, &f->arena, &back, &f->err));
    assert_int_equal(back.n, 3);
    assert_string_equal(back.v[0].name, "a");
    assert_memory_equal(&back.v[0].value, &v[0].value, sizeof(double));
    assert_int_equal(back.v[1].missing, LORE_MISS_LOST);
    assert_memory_equal(&back.v[2].value, &v[2].value, sizeof(double));
    assert_string_equal(back.v[2].unit, "ns");
    assert_int_equal(back.v[2].n.v, 3);
    assert_false(back.v[2].std.set);
    assert_true(back.v[2].max.set);
    for (size_t cut = 1; cut < b.len; cut++)
        if (cut != 14 && cut != 28) /* between two values */
            assert_int_equal(
                lore_metrics_unpack(f->db, b.data, cut, &f->arena, &back, &f->err), LORE_CORRUPT);
    b.data[4] = 99;
    assert_int_equal(
        lore_metrics_unpack(f->db, b.data, b.len, &f->arena, &back, &f->err), LORE_CORRUPT);
    b.data[4] = 0;
    b.data[3] = 0x7f;
    assert_int_equal(
        lore_metrics_unpack(f->db, b.data, b.len, &f->arena, &back, &f->err), LORE_CORRUPT);
    lore_buf_free(&b);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_document_has_every_field),
        TEST(every_record_comes_back_as_it_was_given),
        TEST(what_is_known_comes_back_as_it_was_given),
        TEST(every_run_comes_back_as_it_was_given),
        TEST(every_experiment_comes_back_as_it_was_given),
        TEST(bytes_come_back_exactly),
        TEST(the_same_record_again_is_a_duplicate),
        TEST(other_content_under_the_same_id_is_a_conflict),
        TEST(an_experiment_without_a_title_is_called_by_its_techniques),
        TEST(an_unknown_reference_names_its_field),
        TEST(a_workload_of_another_operator_is_refused),
        TEST(undone_names_are_forgotten),
        TEST(a_savepoint_undoes_one_document_of_a_batch),
        TEST(packed_metrics_round_trip_and_refuse_nonsense),
    };

    return cmocka_run_group_tests_name("db put", tests, NULL, NULL);
}

// uses: import
/* The kernelflow importer on a small file in the real format, down to the document that the
 * service's decoder reads; and the 47 records of the public memory, where the folder of real data
 * stands beside the checkout. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/import.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"
#include "tests/unit/import_read.h"

#define FIXTURE SOURCE_DIR "/tests/fixtures/import/kernelflow.json"

struct fixture {
    struct lore_arena arena;
    struct lore_buf text;
    struct lore_import in;
};

static void
read_text(struct fixture *f, const char *text, size_t len)
{
    const struct lore_importer *used = NULL;
    struct lore_err err = {0};

    if (import_read(NULL, "some/where/memory.json", text, len, &f->arena, &f->in, &used, &err) !=
        LORE_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(used->name, "kernelflow");
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    *state = f;
    if (lore_file_read(FIXTURE, &f->text, NULL) != LORE_OK)
        return -1;
    read_text(f, f->text.data, f->text.len);
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    lore_buf_free(&f->text);
    lore_arena_free(&f->arena);
    test_free(f);
    return 0;
}

static const struct lore_experiment *
by_fingerprint(const struct fixture *f, const char *bucket, const char *fingerprint)
{
    const char *tail = lore_format((struct lore_arena *)&f->arena, "/%s/%s", bucket, fingerprint);

    for (size_t i = 0; i < f->in.doc->n_experiments; i++) {
        const char *id = f->in.doc->experiments[i].provenance.external_id;
        if (strlen(id) > strlen(tail) && strcmp(id + strlen(id) - strlen(tail), tail) == 0)
            return &f->in.doc->experiments[i];
    }
    fail_msg("no %s", tail);
    return NULL;
}

static bool
listed(const struct lore_import *in, enum lore_import_list list, const char *part)
{
    for (size_t i = 0; i < in->lists[list].n; i++) {
        if (strstr(in->lists[list].v[i], part))
            return true;
    }
    return false;
}

static void
every_entry_becomes_an_experiment_or_a_refusal(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->in.records, 7);
    assert_int_equal(f->in.refused, 2);
    assert_int_equal(f->in.doc->n_experiments, 5);
    assert_int_equal(f->in.lists[LORE_IL_ERRORS].n, 2);
}

static void
a_refusal_names_line_path_and_reason(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(&f->in, LORE_IL_ERRORS,
        "line 65: scopes.cuda__src_00aa__blur_ref__sm_86__0123456789ab."
        "rejected.eeeeeeeeeeeeeeee: tags: expected a list"));
    assert_true(listed(&f->in, LORE_IL_ERRORS, "meta: missing"));
}

static void
medians_become_nanoseconds_to_the_last_digit(void **state)
{
    const struct lore_experiment *x = by_fingerprint(*state, "rejected", "cccccccccccccccc");

    assert_true(x->claim.latency_before_ns.set);
    assert_true(x->claim.latency_before_ns.v == 2.4912345409393311 * 1e6);
    assert_true(x->claim.latency_after_ns.v == 1.2456172704696655 * 1e6);
    assert_int_equal(x->claim.base, LORE_BASE_PREVIOUS); /* nobody says what it was made from */
    assert_string_equal(x->claim.outcome, "rejected");
}

static void
a_broken_rule_is_a_violation_and_keeps_the_numbers(void **state)
{
    const struct lore_experiment *x = by_fingerprint(*state, "rejected", "cccccccccccccccc");

    assert_int_equal(x->n_violations, 1);
    assert_string_equal(x->violations[0].rule, "ncu_symptom_mismatch");
    assert_int_equal(x->claim.correctness, LORE_C_NONE);
}

static void
a_benchmark_that_did_not_run_says_nothing_of_the_kernel(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = by_fingerprint(f, "rejected", "dddddddddddddddd");

    assert_false(x->claim.latency_before_ns.set);
    assert_false(x->claim.latency_after_ns.set);
    assert_int_equal(x->claim.correctness, LORE_C_NOT_CHECKED);
    assert_int_equal(x->n_violations, 1);
    assert_non_null(strstr(x->notes, "benchmark_failed:missing_dimension"));
    assert_string_equal(x->violations[0].rule, "blocked_strategy_reused");
}

static void
the_baseline_has_no_technique_and_a_baseline_version(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = by_fingerprint(f, "positive", "aaaaaaaaaaaaaaaa");

    assert_int_equal(x->n_techniques, 0);
    assert_null(x->from_version);
    for (size_t i = 0; i < f->in.doc->n_versions; i++) {
        if (strcmp(f->in.doc->versions[i].id, x->to_version) == 0)
            assert_int_equal(f->in.doc->versions[i].kind, LORE_V_BASELINE);
    }
}

static void
iterations_with_the_same_median_are_one_version(void **state)
{
    const struct lore_experiment *base = by_fingerprint(*state, "positive", "aaaaaaaaaaaaaaaa");
    const struct lore_experiment *slow = by_fingerprint(*state, "negative", "bbbbbbbbbbbbbbbb");
    const struct lore_experiment *fast = by_fingerprint(*state, "positive", "bbbbbbbbbbbbbbbb");
    const struct lore_experiment *win = by_fingerprint(*state, "rejected", "cccccccccccccccc");

    assert_string_equal(slow->from_version, base->to_version);
    assert_string_equal(fast->from_version, slow->to_version);
    assert_string_equal(win->from_version, fast->to_version);
}

static void
names_are_resolved(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = by_fingerprint(f, "rejected", "cccccccccccccccc");

    assert_int_equal(f->in.doc->n_kernels, 1);
    assert_string_equal(f->in.doc->kernels[0].op, "conv2d");
    assert_string_equal(f->in.doc->kernels[0].name, "conv2d.cu");
    assert_int_equal(f->in.doc->kernels[0].language, LORE_LANG_CUDA);
    assert_string_equal(x->chip, "sm_86");
    assert_string_equal(lore_kvs_get(&x->workload.dims, "H"), "2048");
}

static void
what_may_mislead_is_reported(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(&f->in, LORE_IL_CONFLICTS, "bbbbbbbbbbbbbbbb"));
    assert_true(listed(&f->in, LORE_IL_CONFLICTS, "both positive and negative"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "placeholder tag \"fill_me_tag\""));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "2 techniques in one record"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "positive only against a regressed iteration 1"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "cut to the file name"));
    assert_true(listed(&f->in, LORE_IL_EXTRA, "meta.owner"));
    assert_true(listed(&f->in, LORE_IL_EXTRA, "note_by_hand"));
}

/* Encode, decode as the service does. */
static void
round_trip(struct fixture *f, struct lore_buf *body, struct lore_submission *again)
{
    struct lore_json *root = NULL;
    struct lore_err err = {0};

    if (lore_build_encode(f->in.doc, body, &err) != LORE_OK ||
        lore_json_parse(body->data, body->len, NULL, &f->arena, &root, &err) != LORE_OK ||
        lore_wire_decode(root, &f->arena, again, &err) != LORE_OK)
        fail_msg("%s: %s", err.path, err.msg);
}

static void
the_document_is_one_that_the_service_reads(void **state)
{
    struct fixture *f = *state;
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission again;

    round_trip(f, &body, &again);
    assert_int_equal(again.n_experiments, 5);
    assert_int_equal(again.n_artifacts, 1);
    assert_string_equal(again.artifacts[0].text, f->text.data);
    lore_buf_free(&body);
}

/* Every number below NODE stands, with its digits, in TEXT. */
static size_t
numbers_in(const struct lore_json *node, const char *text)
{
    size_t n = 0;

    if (node->type == LORE_J_NUMBER) {
        char digits[32];
        lore_f64_text(node->is_int ? (double)node->i : node->f, digits);
        if (!strstr(text, digits) && !strstr(text, node->str))
            fail_msg("%s is lost", node->str);
        n++;
    }
    for (const struct lore_json *m = node->child; m; m = m->next)
        n += numbers_in(m, text);
    return n;
}

static void
every_number_of_a_mapped_entry_is_in_its_experiment(void **state)
{
    struct fixture *f = *state;
    const struct lore_json *scope = lore_json_get(lore_import_json(f->in.at), "scopes")->child;
    const struct lore_json *entry =
        lore_json_get(lore_json_get(scope, "negative"), "bbbbbbbbbbbbbbbb");
    const struct lore_experiment *x = by_fingerprint(f, "negative", "bbbbbbbbbbbbbbbb");

    assert_int_equal(numbers_in(entry, x->extra), 6);
    assert_non_null(strstr(x->extra, "seen twice"));
}

static void
paths_of_the_machine_stay_out_of_the_records(void **state)
{
    struct fixture *f = *state;

    for (size_t i = 0; i < f->in.doc->n_experiments; i++)
        assert_null(strstr(f->in.doc->experiments[i].extra, "/home/"));
    assert_non_null(strstr(f->in.doc->experiments[0].extra, "\"source_file\":\"conv2d.cu\""));
}

static void
reading_again_gives_the_same_bytes(void **state)
{
    struct fixture *f = *state, second = {0};
    struct lore_buf a = {.max = LORE_WIRE_MAX_BYTES}, b = {.max = LORE_WIRE_MAX_BYTES};

    read_text(&second, f->text.data, f->text.len);
    assert_int_equal(lore_build_encode(f->in.doc, &a, NULL), LORE_OK);
    assert_int_equal(lore_build_encode(second.in.doc, &b, NULL), LORE_OK);
    assert_string_equal(a.data, b.data);
    lore_buf_free(&a);
    lore_buf_free(&b);
    lore_arena_free(&second.arena);
}

static void
a_changed_entry_is_a_new_record_and_the_others_stay(void **state)
{
    struct fixture *f = *state, second = {0};
    char *text = lore_strdup(&f->arena, f->text.data);
    char *count = strstr(text, "\"count\": 4");

    count[9] = '5';
    read_text(&second, text, strlen(text));
    assert_string_not_equal(by_fingerprint(&second, "positive", "aaaaaaaaaaaaaaaa")->id,
        by_fingerprint(f, "positive", "aaaaaaaaaaaaaaaa")->id);
    assert_string_equal(by_fingerprint(&second, "rejected", "cccccccccccccccc")->id,
        by_fingerprint(f, "rejected", "cccccccccccccccc")->id);
    assert_string_not_equal(second.in.doc->id, f->in.doc->id);
    lore_arena_free(&second.arena);
}

static void
another_file_version_is_refused_by_name(void **state)
{
    struct fixture f = {0};
    const struct lore_importer *used = NULL;
    struct lore_err err = {0};
    static const char text[] = "{\"version\": 2, \"scopes\": {}}";

    (void)state;
    assert_int_equal(import_read(NULL, "m.json", text, strlen(text), &f.arena, &f.in, &used, &err),
        LORE_INVALID);
    assert_string_equal(err.path, "version");
    lore_arena_free(&f.arena);
}

static void
the_public_memory_gives_47_records(void **state)
{
    struct fixture f = {0};
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_submission again;

    (void)state;
    if (lore_file_read(SOURCE_DIR "/../shared/data/kernelflow/gsm_7017ca9.json", &f.text, NULL) !=
        LORE_OK)
        skip();
    read_text(&f, f.text.data, f.text.len);
    assert_int_equal(f.in.records, 47);
    assert_int_equal(f.in.refused, 0);
    assert_string_equal(f.in.doc->experiments[0].provenance.licence, "MIT");
    round_trip(&f, &body, &again);
    assert_int_equal(again.n_experiments, 47);
    lore_buf_free(&body);
    lore_buf_free(&f.text);
    lore_arena_free(&f.arena);
}

#define WITH_FIXTURE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(every_entry_becomes_an_experiment_or_a_refusal),
        WITH_FIXTURE(a_refusal_names_line_path_and_reason),
        WITH_FIXTURE(medians_become_nanoseconds_to_the_last_digit),
        WITH_FIXTURE(a_broken_rule_is_a_violation_and_keeps_the_numbers),
        WITH_FIXTURE(a_benchmark_that_did_not_run_says_nothing_of_the_kernel),
        WITH_FIXTURE(the_baseline_has_no_technique_and_a_baseline_version),
        WITH_FIXTURE(iterations_with_the_same_median_are_one_version),
        WITH_FIXTURE(names_are_resolved),
        WITH_FIXTURE(what_may_mislead_is_reported),
        WITH_FIXTURE(the_document_is_one_that_the_service_reads),
        WITH_FIXTURE(every_number_of_a_mapped_entry_is_in_its_experiment),
        WITH_FIXTURE(paths_of_the_machine_stay_out_of_the_records),
        WITH_FIXTURE(reading_again_gives_the_same_bytes),
        WITH_FIXTURE(a_changed_entry_is_a_new_record_and_the_others_stay),
        cmocka_unit_test(another_file_version_is_refused_by_name),
        cmocka_unit_test(the_public_memory_gives_47_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

// uses: import
/* The experiences importer on a small file in the real format. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collectors/import/import.h"
#include "service/base/file.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"
#include "tests/unit/import_read.h"

#define FIXTURE SOURCE_DIR "/tests/fixtures/import/experiences.json"

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

    if (import_read(NULL, "experiences.json", text, len, &f->arena, &f->in, &used, &err) != LORE_OK)
        fail_msg("%s", err.msg);
    assert_string_equal(used->name, "experiences");
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
an_experience_becomes_an_experiment_with_its_claim(void **state)
{
    struct fixture *f = *state;
    const struct lore_experiment *x = &f->in.doc->experiments[0];

    assert_int_equal(f->in.records, 6);
    assert_int_equal(f->in.doc->n_experiments, 4);
    assert_true(x->claim.latency_before_ns.v == 1.5e6);
    assert_true(x->claim.latency_after_ns.v == 1.25e6);
    assert_true(x->claim.speedup.v == 1.2);
    assert_string_equal(x->claim.outcome, "success");
    assert_string_equal(x->happened_at, "2026-02-03");
    assert_int_equal(x->evidence, LORE_EV_IMPORTED);
    assert_string_equal(x->bottleneck.raw_label, "memory-bound");
    assert_string_equal(x->bottleneck.labels.v[0], "memory");
    assert_string_equal(x->bottleneck.evidence, "dominant stall: long scoreboard");
}

static void
parameters_of_the_technique_are_typed(void **state)
{
    struct fixture *f = *state;
    const struct lore_use *u = &f->in.doc->experiments[0].techniques[0];

    assert_string_equal(u->name, "memory.tiling_smem");
    assert_string_equal(lore_kvs_get(&u->params, "tile-size"), "16");
    assert_string_equal(lore_kvs_get(&u->params, "stages"), "\"two\"");
    assert_string_equal(u->raw, "shared-memory-tiling{tile-size=16,stages=two}");
}

static void
a_metric_that_is_null_is_absent_not_zero(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->in.doc->experiments[0].metrics_before.n, 3);
    assert_string_equal(f->in.doc->experiments[0].metrics_before.v[0].name, "memory_sol_pct");
    assert_true(f->in.doc->experiments[0].metrics_before.v[0].value == 3.25);
    assert_int_equal(f->in.doc->experiments[1].metrics_before.n, 0);
}

static void
bad_rows_are_refused_with_their_line(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(f->in.refused, 2);
    assert_true(listed(&f->in, LORE_IL_ERRORS, "line 22: [4]: date: \"yesterday\" is no date"));
    assert_true(
        listed(&f->in, LORE_IL_ERRORS, "line 23: [5]: metrics_before.latency_ms: negative"));
}

static void
what_may_mislead_is_reported(void **state)
{
    struct fixture *f = *state;

    assert_true(listed(&f->in, LORE_IL_DOUBTS, "id 1: \"memory-bound\" with memory at 3.25 %"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "id 1: occupancy above 100 %"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "id 3: \"success\" at 1.020x"));
    assert_true(
        listed(&f->in, LORE_IL_CONFLICTS, "id 3: speedup 1.50, but the latencies give 1.020"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "lines 8 and 17: the same trial twice?"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "chip \"tpu_v9\" is not known"));
    assert_true(listed(&f->in, LORE_IL_LABELS, "\"vibes\": not understood"));
    assert_true(listed(&f->in, LORE_IL_LABELS, "\"memory-bound\": memory"));
    assert_true(listed(&f->in, LORE_IL_EXTRA, "reviewer"));
    assert_true(listed(&f->in, LORE_IL_EXTRA, "rows by cols"));
}

static void
doubled_percent_signs_are_read_as_one_and_reported(void **state)
{
    static const char text[] =
        "[{\"id\":4,\"kernel\":\"gemm\",\"optimization\":\"\",\"outcome\":\"neutral\",\"speedup\":"
        "1,"
        "\"hypothesis\":\"Halves the 50%% stall\",\"notes\":\"%% and %%%% and 1%\"}]";
    struct fixture *f = *state;
    const struct lore_experiment *x;

    read_text(f, text, sizeof text - 1);
    x = &f->in.doc->experiments[0];
    assert_string_equal(x->notes, "% and %% and 1%");
    assert_string_equal(x->title, "Halves the 50% stall");
    assert_non_null(strstr(x->extra, "%% and %%%% and 1%"));
    assert_true(listed(&f->in, LORE_IL_DOUBTS, "id 4: \"%%\" read as \"%\""));
}

static void
equal_rows_keep_ids_of_their_own(void **state)
{
    struct fixture *f = *state;

    assert_string_not_equal(f->in.doc->experiments[1].id, f->in.doc->experiments[3].id);
}

static void
renumbering_changes_no_record(void **state)
{
    struct fixture *f = *state, second = {0};
    char *text = lore_strdup(&f->arena, f->text.data);

    *strstr(text, "\"id\": 1,") = ' ';
    memcpy(strstr(text, " id\": 1,"), "\"id\": 9,", 8);
    read_text(&second, text, strlen(text));
    assert_string_equal(second.in.doc->experiments[0].id, f->in.doc->experiments[0].id);
    assert_string_equal(second.in.doc->experiments[0].extra, f->in.doc->experiments[0].extra);
    lore_arena_free(&second.arena);
}

static void
the_document_is_one_that_the_service_reads(void **state)
{
    struct fixture *f = *state;
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_json *root = NULL;
    struct lore_submission again;
    struct lore_err err = {0};

    if (lore_build_encode(f->in.doc, &body, &err) != LORE_OK ||
        lore_json_parse(body.data, body.len, NULL, &f->arena, &root, &err) != LORE_OK ||
        lore_wire_decode(root, &f->arena, &again, &err) != LORE_OK)
        fail_msg("%s: %s", err.path, err.msg);
    assert_int_equal(again.n_experiments, 4);
    assert_int_equal(again.n_kernels, 2);
    assert_int_equal(again.n_hypotheses, 1);
    assert_string_equal(again.artifacts[0].text, f->text.data);
    lore_buf_free(&body);
}

static void
a_file_of_another_kind_is_not_guessed(void **state)
{
    struct fixture f = {0};
    const struct lore_importer *used = NULL;
    struct lore_err err = {0};

    (void)state;
    assert_int_equal(
        import_read(NULL, "x.json", "[1]", 3, &f.arena, &f.in, &used, &err), LORE_INVALID);
    assert_string_equal(err.code, "unknown_format");
    lore_arena_free(&f.arena);
}

static void
every_importer_has_a_name_of_its_own_and_help(void **state)
{
    (void)state;
    for (const struct lore_importer *i = lore_importers; i->name; i++) {
        assert_ptr_equal(lore_importer_find(i->name), i);
        assert_true(strlen(i->help) > 10);
        assert_true(i->detect && i->read);
    }
}

#define WITH_FIXTURE(t) cmocka_unit_test_setup_teardown(t, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FIXTURE(an_experience_becomes_an_experiment_with_its_claim),
        WITH_FIXTURE(parameters_of_the_technique_are_typed),
        WITH_FIXTURE(a_metric_that_is_null_is_absent_not_zero),
        WITH_FIXTURE(bad_rows_are_refused_with_their_line),
        WITH_FIXTURE(what_may_mislead_is_reported),
        WITH_FIXTURE(doubled_percent_signs_are_read_as_one_and_reported),
        WITH_FIXTURE(equal_rows_keep_ids_of_their_own),
        WITH_FIXTURE(renumbering_changes_no_record),
        WITH_FIXTURE(the_document_is_one_that_the_service_reads),
        cmocka_unit_test(a_file_of_another_kind_is_not_guessed),
        cmocka_unit_test(every_importer_has_a_name_of_its_own_and_help),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

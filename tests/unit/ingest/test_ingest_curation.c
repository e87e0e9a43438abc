// uses: ingest
// Decisions through the one door: who may take which, what the log and the memory say afterwards,
// and that verdicts follow an ablation that comes late.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "tests/unit/ingest_fixture.h"

/* A document with one decision: id, action, the N-th id as subject. */
static const char *
decision(struct fixture *f, int n, const char *action, int subject)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"%s\","
        "\"subjects\":[\"%s\"],\"state\":\"draft\",\"reason\":\"because\"}]}",
        id(f, n), id(f, n + 500), action, id(f, subject));
}

static enum lore_status
put_owned(struct fixture *f, const char *actor, const char *owner, bool curator, const char *body)
{
    memset(&f->err, 0, sizeof f->err);
    return lore_ingest_now(f->db, &(struct lore_ingest_parts){.indexes = NULL},
        &(struct lore_ingest_doc){body, strlen(body), actor, curator, owner, 0}, &f->arena,
        &f->receipt, &f->err);
}

/* By the only token with that label. */
static enum lore_status
put_as(struct fixture *f, const char *actor, bool curator, const char *body)
{
    return put_owned(f, actor, actor, curator, body);
}

static void
decisions_about_quality_need_a_curator(void **state)
{
    static const char *const actions[] = {
        "mask", "unmask", "review", "unmerge", "select_spec", "reject_spec", "amend"};
    struct fixture *f = *state;

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        assert_int_equal(put_as(f, "ann", false, decision(f, 101, actions[i], 4)), LORE_FORBIDDEN);
        assert_string_equal(f->err.code, "needs_curator");
        assert_string_equal(f->err.path, "curations[0].action");
    }
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
    assert_int_equal(put_as(f, "cu", true, decision(f, 101, "mask", 4)), LORE_OK);
}

static void
what_an_unknown_name_means_needs_a_curator(void **state)
{
    struct fixture *f = *state;
    const char *body = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"techniques\":[{\"id\":\"%s\",\"technique\":"
        "\"memory.vectorized_access\",\"slug\":\"frobnicate_xyzzy\"}]}",
        id(f, 100), id(f, 4));
    const char *known = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"techniques\":[{\"id\":\"%s\",\"technique\":"
        "\"quux\",\"slug\":\"quux\"},{\"id\":\"%s\",\"technique\":"
        "\"memory.vectorized_access\",\"slug\":\"vectorized_access\"}]}",
        id(f, 101), id(f, 5), id(f, 6));

    assert_int_equal(put_as(f, "ann", false, body), LORE_FORBIDDEN);
    assert_string_equal(f->err.code, "needs_curator");
    assert_string_equal(f->err.path, "techniques[0].slug");
    assert_int_equal(put_as(f, "ann", false, known), LORE_OK);
    assert_int_equal(put_as(f, "cu", true, body), LORE_OK);
}

static void
a_contributor_retracts_only_what_the_same_token_brought(void **state)
{
    struct fixture *f = *state;
    bool hidden = false;

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_as(f, "bob", false, decision(f, 101, "retract", 4)), LORE_FORBIDDEN);
    assert_string_equal(f->err.code, "needs_curator");
    assert_int_equal(put_as(f, "ann", false, decision(f, 101, "retract", 4)), LORE_OK);
    assert_int_equal(lore_db_get_hidden(f->db, id(f, 4), &hidden, &f->err), LORE_OK);
    assert_true(hidden);
    assert_int_equal(put_as(f, "bob", false, decision(f, 102, "retract", 601)), LORE_FORBIDDEN);
    assert_int_equal(put_as(f, "bob", false, decision(f, 102, "retract", 77)), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_reference");
    assert_int_equal(put_as(f, "cu", true, decision(f, 102, "retract", 601)), LORE_OK);
    assert_int_equal(lore_db_get_hidden(f->db, id(f, 4), &hidden, &f->err), LORE_OK);
    assert_false(hidden);
}

static void
a_label_owns_nothing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_owned(f, "dev", "t1", false, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_owned(f, "load", NULL, true, document(f, 101, 5, "y")), LORE_OK);
    assert_int_equal(
        put_owned(f, "dev", "t2", false, decision(f, 102, "retract", 4)), LORE_FORBIDDEN);
    assert_int_equal(
        put_owned(f, "load", "t2", false, decision(f, 102, "retract", 5)), LORE_FORBIDDEN);
    assert_int_equal(
        put_owned(f, "load", NULL, false, decision(f, 102, "retract", 5)), LORE_FORBIDDEN);
    assert_int_equal(put_owned(f, "ann", "t1", false, decision(f, 102, "retract", 4)), LORE_OK);
}

/* A document with one direction, the N-th id. */
static const char *
direction(struct fixture *f, int n)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"directions\":[{\"id\":\"%s\",\"text\":\"fp8\"}]}",
        id(f, 110), id(f, n));
}

static void
an_id_names_one_record_of_whatever_kind(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    for (int n = 1; n <= 4; n += 3) { /* a kernel, an experiment */
        assert_int_equal(put_as(f, "bob", false, direction(f, n)), LORE_CONFLICT);
        assert_string_equal(f->err.code, "conflict");
        assert_string_equal(f->err.path, "directions[0].id");
    }
    assert_int_equal(rows(f, f->db, "fact_direction"), 0);
    assert_int_equal(put_as(f, "bob", false, direction(f, 9)), LORE_OK);
}

static void
anybody_closes_remarks_and_notes_a_restart(void **state)
{
    struct fixture *f = *state;
    const char *body = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"directions\":[{\"id\":\"%s\",\"text\":\"fp8\"}]}",
        id(f, 100), id(f, 9));

    assert_int_equal(put_as(f, "ann", false, document(f, 99, 4, "x")), LORE_OK);
    assert_int_equal(put_as(f, "ann", false, body), LORE_OK);
    assert_int_equal(put_as(f, "bob", false, decision(f, 101, "close", 9)), LORE_OK);
    assert_int_equal(put_as(f, "bob", false, decision(f, 102, "restart", 1)), LORE_OK);
    assert_int_equal(put_as(f, "bob", false, decision(f, 103, "comment", 4)), LORE_OK);
}

/* N experiments that end in version 3, in one document after document(). */
static const char *
many(struct fixture *f, int n)
{
    struct lore_buf b = {0};
    const char *text;

    lore_buf_printf(&b, "{\"warplore\":1,\"id\":\"%s\",\"experiments\":[", id(f, 3000));
    for (int i = 0; i < n; i++)
        lore_buf_printf(&b,
            "%s{\"id\":\"%s\",\"kernel\":\"%s\",\"to_version\":\"%s\",\"title\":\"t\"}",
            i > 0 ? "," : "", id(f, 4000 + i), id(f, 1), id(f, 3));
    lore_buf_puts(&b, "]}");
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

/* SUBJECT retracted and given back, N times. */
static const char *
flips(struct fixture *f, int subject, int n)
{
    struct lore_buf b = {0};
    const char *text;

    lore_buf_printf(&b, "{\"warplore\":1,\"id\":\"%s\",\"curations\":[", id(f, 3001));
    for (int i = 0; i < 2 * n; i++)
        lore_buf_printf(&b,
            "%s{\"id\":\"%s\",\"action\":\"retract\",\"subjects\":[\"%s\"],\"reason\":\"x\"}",
            i > 0 ? "," : "", id(f, 9000 + i), i % 2 == 0 ? id(f, subject) : id(f, 9000 + i - 1));
    lore_buf_puts(&b, "]}");
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

static void
one_document_bears_on_a_bounded_number_of_experiments(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_as(f, "ann", false, many(f, 1000)), LORE_OK);
    assert_int_equal(put_as(f, "ann", false, flips(f, 3, 60)), LORE_TOOBIG); /* 120 times 1001 */
    assert_string_equal(f->err.code, "too_big");
    assert_string_equal(f->err.path, "curations[99]");
    assert_int_equal(rows(f, f->db, "fact_curation"), 0);
    assert_int_equal(put_as(f, "ann", false, flips(f, 3, 3)), LORE_OK);
}

/* A tuned kernel has a hundred thousand experiments: were all of them judged again for a run of one
 * version, nobody could store anything for many seconds. */
static void
a_retracted_run_does_not_bear_on_all_experiments_of_its_kernel(void **state)
{
    struct fixture *f = *state;
    const char *version = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":"
        "\"candidate\"}],\"runs\":[{\"id\":\"%s\",\"version\":\"%s\",\"samples_ns\":[1,2,3]}]}",
        id(f, 3100), id(f, 3101), id(f, 1), id(f, 3102), id(f, 3101));

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_as(f, "ann", false, many(f, 1000)), LORE_OK);
    assert_int_equal(put_as(f, "ann", false, version), LORE_OK);
    /* 1004 times all 1001 would be more than one document may bear on */
    assert_int_equal(put_as(f, "ann", false, flips(f, 3102, 502)), LORE_OK);
}

static void
the_log_says_what_was_decided_about_what(void **state)
{
    struct fixture *f = *state;
    struct lore_event_row *events;
    size_t n;
    int64_t count;

    assert_int_equal(put_as(f, "ann", false, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_as(f, "cu", true, decision(f, 101, "mask", 4)), LORE_OK);
    assert_int_equal(put_as(f, "cu", true, decision(f, 101, "mask", 4)), LORE_OK);
    assert_true(f->receipt.duplicate);
    assert_int_equal(lore_db_list_events(f->db, (struct lore_page){.before = 0, .limit = 9},
                         &f->arena, &events, &n, &f->err),
        LORE_OK);
    assert_int_equal(n, 3);
    assert_string_equal(events[0].kind, "mask");
    assert_string_equal(events[0].subject, id(f, 4));
    assert_string_equal(events[1].kind, "submission");
    assert_int_equal(lore_db_verify_events(f->db, &count, &f->err), LORE_OK);
}

/* Experiments that the memory shows. */
static size_t
shown(struct lore_indexes *m)
{
    const struct lore_evidence_index *evidence = lore_indexes_evidence(m);
    size_t n = 0;

    for (size_t i = 0; i < lore_evidence_count(evidence); i++)
        n += !lore_evidence_at(evidence, i).masked;
    lore_indexes_unlock(m);
    return n;
}

static void
the_memory_follows_masks_retractions_and_merges(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *indexes = NULL;
    struct lore_ingest *in = NULL;
    struct lore_receipt receipt;
    const char *merge = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"merge\","
        "\"subjects\":[\"%s\",\"%s\"],\"canonical\":\"%s\",\"reason\":\"same\"}]}",
        id(f, 110), id(f, 111), id(f, 4), id(f, 5), id(f, 4));
    const char *steps[] = {decision(f, 102, "mask", 4), decision(f, 103, "unmask", 4),
        decision(f, 104, "retract", 5), decision(f, 105, "retract", 604), merge,
        decision(f, 106, "unmerge", 111)};
    const size_t expected[] = {1, 2, 1, 2, 1, 2};

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 101, 5, "y")), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &indexes, &f->err), LORE_OK);
    assert_int_equal(lore_ingest_start(
                         f->db, &(struct lore_ingest_parts){indexes, NULL, 10, NULL}, &in, &f->err),
        LORE_OK);
    f->db = NULL;
    assert_int_equal(shown(indexes), 2);
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        uint64_t generation = lore_indexes_generation(indexes);
        if (lore_ingest_submit(in,
                &(struct lore_ingest_doc){steps[i], strlen(steps[i]), "cu", true, NULL, 0},
                &f->arena, &receipt, &f->err) != LORE_OK)
            fail_msg("%s", f->err.msg);
        assert_int_equal(shown(indexes), expected[i]);
        assert_true(lore_indexes_generation(indexes) > generation);
    }
    lore_ingest_stop(in);
    lore_indexes_free(indexes);
}

static void
an_ablation_that_comes_late_changes_the_verdict_on_the_technique(void **state)
{
    struct fixture *f = *state;
    struct lore_technique_verdict_row *before, *after, *taken_back;
    size_t n;
    const char *ablation = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"attributions\":[{\"id\":\"%s\",\"experiment\":\"%s\","
        "\"technique\":\"float4 loads\",\"contributed\":\"yes\",\"attribution_ns\":500,"
        "\"attribution_pct\":50}]}",
        id(f, 101), id(f, 8), id(f, 4));

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(
        lore_db_list_technique_verdicts(f->db, id(f, 4), &f->arena, &before, &n, &f->err), LORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(before[0].contributed, "unknown");
    assert_int_equal(put_now(f, ablation), LORE_OK);
    assert_int_equal(
        lore_db_list_technique_verdicts(f->db, id(f, 4), &f->arena, &after, &n, &f->err), LORE_OK);
    assert_string_equal(after[0].contributed, "yes");
    assert_int_equal(put_now(f, decision(f, 102, "retract", 8)), LORE_OK);
    assert_int_equal(
        lore_db_list_technique_verdicts(f->db, id(f, 4), &f->arena, &taken_back, &n, &f->err),
        LORE_OK);
    assert_string_equal(taken_back[0].contributed, "unknown");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(decisions_about_quality_need_a_curator),
        T(what_an_unknown_name_means_needs_a_curator),
        T(a_contributor_retracts_only_what_the_same_token_brought),
        T(a_label_owns_nothing),
        T(an_id_names_one_record_of_whatever_kind),
        T(anybody_closes_remarks_and_notes_a_restart),
        T(one_document_bears_on_a_bounded_number_of_experiments),
        T(a_retracted_run_does_not_bear_on_all_experiments_of_its_kernel),
        T(the_log_says_what_was_decided_about_what),
        T(the_memory_follows_masks_retractions_and_merges),
        T(an_ablation_that_comes_late_changes_the_verdict_on_the_technique),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

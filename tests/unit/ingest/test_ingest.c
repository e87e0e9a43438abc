// uses: ingest
/* Documents through the one door: stored with their bytes, known again, refused whole; verdicts
 * come with them. */
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "tests/unit/ingest_fixture.h"

static const struct lore_ingest_doc who = {.actor = "a"};

static void
a_document_is_stored_with_its_exact_bytes(void **state)
{
    struct fixture *f = *state;
    const char *body = document(f, 100, 4, "wide loads");
    struct lore_document_row row = {0};
    struct lore_buf bytes = {0};

    assert_int_equal(put_now(f, body), LORE_OK);
    assert_false(f->receipt.duplicate);
    assert_int_equal(f->receipt.n_items, 4);
    assert_int_equal(f->receipt.items[3].kind, LORE_K_EXPERIMENT);
    assert_int_equal(f->receipt.items[3].state, LORE_STORED);
    assert_int_equal(
        lore_db_get_document(f->db, id(f, 100), &f->arena, &row, &bytes, &f->err), LORE_OK);
    assert_int_equal(bytes.len, strlen(body));
    assert_memory_equal(bytes.data, body, bytes.len);
    assert_string_equal(row.actor, "tester");
    assert_int_equal(rows(f, f->db, "fact_event"), 1);
    lore_buf_free(&bytes);
}

static void
a_new_experiment_has_a_verdict(void **state)
{
    struct fixture *f = *state;
    struct lore_experiment_row row = {0};

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(lore_db_get_experiment(f->db, id(f, 4), &f->arena, &row, &f->err), LORE_OK);
    assert_string_equal(row.outcome.effect, "win");
    assert_string_equal(row.outcome.basis, "claim");
    assert_true(row.outcome.speedup.set && row.outcome.speedup.v == 2.0);
}

static void
the_same_document_again_changes_nothing(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_true(f->receipt.duplicate);
    assert_int_equal(f->receipt.seq, 0);
    assert_int_equal(f->receipt.n_items, 4);
    assert_int_equal(f->receipt.items[0].state, LORE_DUPLICATE);
    assert_string_equal(f->receipt.items[3].id, id(f, 4));
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
    assert_int_equal(rows(f, f->db, "fact_event"), 1);
}

static void
the_same_document_in_other_spacing_is_a_duplicate(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(
        put_now(f, lore_format(&f->arena, " %s\n", document(f, 100, 4, "x"))), LORE_OK);
    assert_true(f->receipt.duplicate);
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
    assert_int_equal(rows(f, f->db, "fact_event"), 1);
}

static void
a_document_id_with_another_record_is_a_conflict(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 100, 5, "y")), LORE_CONFLICT);
    assert_string_equal(f->err.path, "id");
    assert_int_equal(rows(f, f->db, "fact_experiment"), 1);
}

static void
another_document_of_known_records_leaves_no_trace(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 101, 4, "x")), LORE_OK);
    assert_true(f->receipt.duplicate);
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
    assert_int_equal(rows(f, f->db, "fact_event"), 1);
}

static const char *
with_file(struct fixture *f, int n, const char *text)
{
    const char *body = document(f, n, 4, "x");

    return lore_format(
        &f->arena, "{\"artifacts\":[{\"name\":\"notes.md\",\"text\":\"%s\"}],%s", text, body + 1);
}

static void
another_document_of_known_records_is_stored_for_its_new_file(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, with_file(f, 100, "first")), LORE_OK);
    assert_int_equal(put_now(f, with_file(f, 101, "first")), LORE_OK);
    assert_true(f->receipt.duplicate); /* the same bytes under another document id */
    assert_int_equal(put_now(f, with_file(f, 102, "second")), LORE_OK);
    assert_false(f->receipt.duplicate);
    assert_int_equal(f->receipt.items[3].state, LORE_DUPLICATE);
    assert_int_equal(rows(f, f->db, "fact_document"), 2);
    assert_int_equal(rows(f, f->db, "fact_blob"), 2);
}

static void
a_document_with_one_new_record_is_stored_and_says_which(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 101, 5, "y")), LORE_OK);
    assert_false(f->receipt.duplicate);
    assert_int_equal(f->receipt.items[0].state, LORE_DUPLICATE);
    assert_int_equal(f->receipt.items[3].state, LORE_STORED);
    assert_int_equal(rows(f, f->db, "fact_experiment"), 2);
}

static void
an_id_with_other_content_is_a_conflict_that_names_the_record(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 101, 4, "other")), LORE_CONFLICT);
    assert_memory_equal(f->err.path, "experiments[0]", 14);
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
}

static void
an_unknown_reference_stores_nothing_and_names_the_field(void **state)
{
    struct fixture *f = *state;
    const char *body = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"gemm\",\"name\":"
        "\"k\","
        "\"language\":\"hip\"}],\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":"
        "\"baseline\"},"
        "{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":\"baseline\"}]}",
        id(f, 100), id(f, 1), id(f, 2), id(f, 1), id(f, 3), id(f, 77));

    assert_int_equal(put_now(f, body), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_reference");
    assert_string_equal(f->err.path, "versions[1].kernel");
    assert_int_equal(rows(f, f->db, "fact_kernel"), 0);
    assert_int_equal(rows(f, f->db, "fact_document"), 0);
    /* What was undone is not remembered as stored. */
    assert_int_equal(put_now(f, document(f, 101, 4, "x")), LORE_OK);
}

static void
a_document_without_records_is_refused(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        put_now(f, lore_format(&f->arena, "{\"warplore\":1,\"id\":\"%s\"}", id(f, 100))),
        LORE_INVALID);
    assert_string_equal(f->err.code, "empty_document");
}

static void
every_bad_submission_is_refused_and_stores_nothing(void **state)
{
    static const char *const bad[] = {"bad_unknown_field", "bad_unknown_chip",
        "bad_negative_duration", "bad_duplicate_id", "bad_bad_time", "bad_wrong_type"};
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct lore_buf text = {0};
        const char *path =
            lore_format(&f->arena, "%s/tests/fixtures/submissions/%s.json", SOURCE_DIR, bad[i]);
        assert_int_equal(lore_file_read(path, &text, &f->err), LORE_OK);
        assert_int_equal(put_now(f, text.data), LORE_INVALID);
        assert_string_not_equal(f->err.path, "");
        lore_buf_free(&text);
    }
    assert_int_equal(rows(f, f->db, "fact_document"), 0);
}

static void
the_full_submission_is_stored_and_verifies(void **state)
{
    struct fixture *f = *state;
    struct lore_buf text = {0};
    int64_t n = 0;

    assert_int_equal(
        lore_file_read(SOURCE_DIR "/tests/fixtures/submissions/full.json", &text, &f->err),
        LORE_OK);
    if (put_now(f, text.data) != LORE_OK)
        print_message("%s\n", f->err.msg);
    assert_int_equal(f->receipt.items[0].state, LORE_STORED);
    assert_int_equal(put_now(f, text.data), LORE_OK);
    assert_true(f->receipt.duplicate);
    assert_int_equal(lore_db_verify_events(f->db, &n, &f->err), LORE_OK);
    assert_int_equal(n, 1);
    assert_int_equal(lore_db_check(f->db, &f->err), LORE_OK);
    lore_buf_free(&text);
}

/* ---- with the writer's thread ---- */

struct crowd {
    struct fixture *f;
    struct lore_ingest *in;
    int first, n;
    int failures;
};

static void *
submit_some(void *arg)
{
    struct crowd *c = arg;

    for (int i = 0; i < c->n; i++) {
        struct fixture own = {.dir = ""};
        const char *body = document(&own, c->first + i, c->first + i + 5000, "from a crowd");
        struct lore_receipt receipt = {0};
        struct lore_err err = {0};
        if (lore_ingest_submit(c->in,
                &(struct lore_ingest_doc){body, strlen(body), "tester", false, NULL, 0}, &own.arena,
                &receipt, &err) != LORE_OK ||
            receipt.duplicate || receipt.seq == 0)
            c->failures++;
        lore_arena_free(&own.arena);
    }
    return NULL;
}

static void
many_threads_submit_and_every_receipt_is_true(void **state)
{
    enum { THREADS = 8, EACH = 12 };
    struct fixture *f = *state;
    struct lore_ingest *in = NULL;
    struct lore_db *reader = NULL;
    struct crowd crowds[THREADS];
    pthread_t threads[THREADS];
    struct lore_ingest_stats stats;

    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, 100, NULL}, &in, &f->err),
        LORE_OK);
    for (int i = 0; i < THREADS; i++) {
        crowds[i] = (struct crowd){.f = f, .in = in, .first = 100 + i * EACH, .n = EACH};
        assert_int_equal(pthread_create(&threads[i], NULL, submit_some, &crowds[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(crowds[i].failures, 0);
    }
    lore_ingest_stats(in, &stats);
    assert_int_equal(stats.documents, THREADS * EACH);
    assert_int_equal(stats.records, THREADS * EACH + 3);
    assert_true(stats.commits <= THREADS * EACH);
    lore_ingest_stop(in);
    f->db = NULL;
    assert_int_equal(lore_db_open_reader(f->dir, &reader, &f->err), LORE_OK);
    assert_int_equal(rows(f, reader, "fact_document"), THREADS * EACH);
    assert_int_equal(rows(f, reader, "fact_experiment"), THREADS * EACH);
    lore_db_close(reader);
}

static void
one_bad_document_does_not_hurt_its_neighbours(void **state)
{
    struct fixture *f = *state;
    struct lore_ingest *in = NULL;
    struct crowd crowd;
    pthread_t thread;
    const char *bad = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":"
        "\"baseline\"}]}",
        id(f, 900), id(f, 901), id(f, 902));

    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, 100, NULL}, &in, &f->err),
        LORE_OK);
    crowd = (struct crowd){.f = f, .in = in, .first = 100, .n = 30};
    assert_int_equal(pthread_create(&thread, NULL, submit_some, &crowd), 0);
    for (int i = 0; i < 30; i++)
        assert_int_equal(lore_ingest_submit(in,
                             &(struct lore_ingest_doc){bad, strlen(bad), "tester", false, NULL, 0},
                             &f->arena, &f->receipt, &f->err),
            LORE_INVALID);
    pthread_join(thread, NULL);
    assert_int_equal(crowd.failures, 0);
    lore_ingest_stop(in);
    f->db = NULL;
}

static void
a_full_queue_says_so(void **state)
{
    struct fixture *f = *state;
    struct lore_ingest *in = NULL;
    const char *body = document(f, 100, 4, "x");

    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, 0, NULL}, &in, &f->err),
        LORE_OK);
    assert_int_equal(lore_ingest_submit(in,
                         &(struct lore_ingest_doc){body, strlen(body), "tester", false, NULL, 0},
                         &f->arena, &f->receipt, &f->err),
        LORE_BUSY);
    assert_string_equal(f->err.code, "queue_full");
    lore_ingest_stop(in);
    f->db = NULL;
}

/* A task that keeps the writer busy until the test says so. */
struct gate {
    struct lore_ingest *in;
    sem_t entered, leave;
};

static enum lore_status
wait_at_gate(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct gate *g = ctx;

    (void)db;
    (void)now_us;
    (void)err;
    sem_post(&g->entered);
    sem_wait(&g->leave);
    return LORE_OK;
}

static enum lore_status
do_nothing(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    (void)db;
    (void)ctx;
    (void)now_us;
    (void)err;
    return LORE_OK;
}

static void *
hold_writer(void *arg)
{
    struct gate *g = arg;
    struct lore_err err;

    return lore_ingest_write(g->in, wait_at_gate, g, &err) == LORE_OK ? NULL : g;
}

static void *
wait_in_queue(void *arg)
{
    struct gate *g = arg;
    struct lore_err err;

    return lore_ingest_write(g->in, do_nothing, NULL, &err) == LORE_OK ? NULL : g;
}

static void
many_documents_wait_for_the_writer_all_or_none(void **state)
{
    struct fixture *f = *state;
    struct gate g = {0};
    pthread_t holder, waiter;
    void *failed[2];
    struct lore_ingest_stats stats = {0};
    struct lore_ingest_part parts[2] = {
        {.body = document(f, 100, 4, "x")}, {.body = document(f, 101, 5, "y")}};

    for (int i = 0; i < 2; i++)
        parts[i].len = strlen(parts[i].body);
    sem_init(&g.entered, 0, 0);
    sem_init(&g.leave, 0, 0);
    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, 2, NULL}, &g.in, &f->err),
        LORE_OK);
    assert_int_equal(pthread_create(&holder, NULL, hold_writer, &g), 0);
    sem_wait(&g.entered);
    assert_int_equal(pthread_create(&waiter, NULL, wait_in_queue, &g), 0);
    while (stats.queued != 1)
        lore_ingest_stats(g.in, &stats);
    assert_int_equal(lore_ingest_submit_many(g.in, parts, 2, &who, &f->arena, &f->err), LORE_BUSY);
    assert_string_equal(f->err.code, "queue_full");
    sem_post(&g.leave);
    pthread_join(holder, &failed[0]);
    pthread_join(waiter, &failed[1]);
    assert_null(failed[0]);
    assert_null(failed[1]);
    assert_int_equal(lore_ingest_submit_many(g.in, parts, 2, &who, &f->arena, &f->err), LORE_OK);
    lore_ingest_stats(g.in, &stats);
    assert_int_equal(stats.documents, 2); /* so neither was stored by the first try */
    assert_int_equal(stats.duplicates, 0);
    lore_ingest_stop(g.in);
    f->db = NULL;
    sem_destroy(&g.entered);
    sem_destroy(&g.leave);
}

static void
of_many_documents_each_has_its_own_answer(void **state)
{
    struct fixture *f = *state;
    struct lore_ingest *in = NULL;
    struct lore_ingest_part parts[4] = {{.body = document(f, 100, 4, "x")}, {.body = "nonsense"},
        {.body = document(f, 101, 4, "another title: the same experiment says something else")},
        {.body = document(f, 102, 5, "y")}};

    for (int i = 0; i < 4; i++)
        parts[i].len = strlen(parts[i].body);
    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){NULL, NULL, 10, NULL}, &in, &f->err),
        LORE_OK);
    assert_int_equal(lore_ingest_submit_many(in, parts, 4, &who, &f->arena, &f->err), LORE_OK);
    assert_int_equal(parts[0].status, LORE_OK);
    assert_string_equal(parts[0].id, id(f, 100));
    assert_false(parts[0].duplicate);
    assert_int_equal(parts[1].status, LORE_INVALID);
    assert_string_equal(parts[1].err.code, "invalid_json");
    assert_int_equal(parts[2].status, LORE_CONFLICT);
    assert_string_equal(parts[2].err.path, "experiments[0].id");
    assert_int_equal(parts[3].status, LORE_OK);
    assert_int_equal(lore_ingest_submit_many(in, parts, 1, &who, &f->arena, &f->err), LORE_OK);
    assert_true(parts[0].duplicate);
    lore_ingest_stop(in);
    f->db = NULL;
}

static void
a_mask_goes_through_the_writer_and_leaves_an_event(void **state)
{
    struct fixture *f = *state;
    struct lore_ingest *in = NULL;
    struct lore_indexes *indexes = NULL;
    struct lore_db *reader = NULL;
    struct lore_mask_row *masks = NULL;
    size_t n = 0;
    uint64_t generation;
    const char *mask = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"mask\","
        "\"subjects\":[\"%s\"],\"reason\":\"wrong baseline\"}]}",
        id(f, 101), id(f, 102), id(f, 4));

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &indexes, &f->err), LORE_OK);
    generation = lore_indexes_generation(indexes);
    assert_int_equal(lore_ingest_start(
                         f->db, &(struct lore_ingest_parts){indexes, NULL, 10, NULL}, &in, &f->err),
        LORE_OK);
    assert_int_equal(
        lore_ingest_submit(in, &(struct lore_ingest_doc){mask, strlen(mask), "ann", true, NULL, 0},
            &f->arena, &f->receipt, &f->err),
        LORE_OK);
    assert_true(lore_indexes_generation(indexes) > generation);
    lore_ingest_stop(in);
    f->db = NULL;
    assert_int_equal(lore_db_open_reader(f->dir, &reader, &f->err), LORE_OK);
    assert_int_equal(lore_db_list_masks(reader, id(f, 4), &f->arena, &masks, &n, &f->err), LORE_OK);
    assert_int_equal(n, 1);
    assert_string_equal(masks[0].reason, "wrong baseline");
    assert_int_equal(rows(f, reader, "fact_event"), 3); /* two submissions, and what one decided */
    lore_db_close(reader);
    lore_indexes_free(indexes);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(a_document_is_stored_with_its_exact_bytes),
        T(a_new_experiment_has_a_verdict),
        T(the_same_document_again_changes_nothing),
        T(the_same_document_in_other_spacing_is_a_duplicate),
        T(another_document_of_known_records_is_stored_for_its_new_file),
        T(a_document_id_with_another_record_is_a_conflict),
        T(another_document_of_known_records_leaves_no_trace),
        T(a_document_with_one_new_record_is_stored_and_says_which),
        T(an_id_with_other_content_is_a_conflict_that_names_the_record),
        T(an_unknown_reference_stores_nothing_and_names_the_field),
        T(a_document_without_records_is_refused),
        T(every_bad_submission_is_refused_and_stores_nothing),
        T(the_full_submission_is_stored_and_verifies),
        T(many_threads_submit_and_every_receipt_is_true),
        T(one_bad_document_does_not_hurt_its_neighbours),
        T(a_full_queue_says_so),
        T(many_documents_wait_for_the_writer_all_or_none),
        T(of_many_documents_each_has_its_own_answer),
        T(a_mask_goes_through_the_writer_and_leaves_an_event),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

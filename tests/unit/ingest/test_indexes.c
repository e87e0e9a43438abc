// uses: ingest
/* What the service keeps of the database in memory: the same whether loaded or grown commit by
 * commit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/curated.h"
#include "tests/unit/ingest_fixture.h"

static size_t
evidence_rows(struct lore_indexes *m)
{
    size_t n = lore_evidence_count(lore_indexes_evidence(m));

    lore_indexes_unlock(m);
    return n;
}

static size_t
board_entries(struct lore_indexes *m)
{
    size_t n = lore_board_entries(lore_indexes_board(m));

    lore_indexes_unlock(m);
    return n;
}

static void
loading_reads_what_is_stored(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *m = NULL;
    struct lore_evidence_row row;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &m, &f->err), LORE_OK);
    assert_int_equal(evidence_rows(m), 1);
    row = lore_evidence_at(lore_indexes_evidence(m), 0);
    lore_indexes_unlock(m);
    assert_string_equal(row.experiment, id(f, 4));
    assert_int_equal(row.effect, LORE_X_WIN);
    assert_int_equal(board_entries(m), 1);
    lore_indexes_free(m);
}

static void
an_empty_database_gives_an_empty_memory(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *m = NULL;

    assert_int_equal(lore_indexes_load(f->db, &m, &f->err), LORE_OK);
    assert_int_equal(evidence_rows(m), 0);
    assert_int_equal(board_entries(m), 0);
    lore_indexes_free(m);
}

static void
a_commit_is_in_the_memory_before_its_receipt(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *m = NULL;
    struct lore_ingest *in = NULL;
    uint64_t generation;

    assert_int_equal(lore_indexes_load(f->db, &m, &f->err), LORE_OK);
    assert_int_equal(
        lore_ingest_start(f->db, &(struct lore_ingest_parts){m, NULL, 10, NULL}, &in, &f->err),
        LORE_OK);
    for (int i = 0; i < 5; i++) {
        const char *body = document(f, 100 + i, 200 + i, "x");
        generation = lore_indexes_generation(m);
        assert_int_equal(
            lore_ingest_submit(in,
                &(struct lore_ingest_doc){body, strlen(body), "tester", false, NULL, 0}, &f->arena,
                &f->receipt, &f->err),
            LORE_OK);
        assert_int_equal(evidence_rows(m), i + 1);
        assert_int_equal(board_entries(m), i + 1);
        assert_int_equal(lore_indexes_generation(m), generation + 1);
        /* The same again is no change, so no new generation. */
        assert_int_equal(
            lore_ingest_submit(in,
                &(struct lore_ingest_doc){body, strlen(body), "tester", false, NULL, 0}, &f->arena,
                &f->receipt, &f->err),
            LORE_OK);
        assert_int_equal(lore_indexes_generation(m), generation + 1);
    }
    lore_ingest_stop(in);
    f->db = NULL;
    lore_indexes_free(m);
}

static void
what_grew_step_by_step_equals_what_is_loaded(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *grown = NULL, *loaded = NULL;
    const struct lore_evidence_index *one, *other;

    assert_int_equal(lore_indexes_load(f->db, &grown, &f->err), LORE_OK);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(put_now(f, document(f, 100 + i, 200 + i, "x")), LORE_OK);
        assert_int_equal(lore_indexes_refresh(grown, f->db, &f->err), LORE_OK);
    }
    assert_int_equal(lore_indexes_load(f->db, &loaded, &f->err), LORE_OK);
    /* Nobody writes to either: the rows stay where they are after the lock is given back. */
    one = lore_indexes_evidence(grown);
    lore_indexes_unlock(grown);
    other = lore_indexes_evidence(loaded);
    lore_indexes_unlock(loaded);
    assert_int_equal(lore_evidence_count(one), lore_evidence_count(other));
    for (size_t i = 0; i < lore_evidence_count(one); i++) {
        struct lore_evidence_row a = lore_evidence_at(one, i), b = lore_evidence_at(other, i);
        assert_string_equal(a.experiment, b.experiment);
        assert_int_equal(a.seq, b.seq);
        assert_int_equal(a.effect, b.effect);
    }
    assert_int_equal(board_entries(grown), board_entries(loaded));
    lore_indexes_free(grown);
    lore_indexes_free(loaded);
}

static void
what_is_masked_is_loaded_so(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *m = NULL;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(lore_db_begin(f->db, &f->err), LORE_OK);
    assert_int_equal(
        lore_mask_put(f->db, id(f, 4), &(struct lore_mask_row){true, "why", "who", 1}, 0, &f->err),
        LORE_OK);
    assert_int_equal(lore_db_commit(f->db, &f->err), LORE_OK);
    assert_int_equal(lore_indexes_load(f->db, &m, &f->err), LORE_OK);
    assert_true(lore_evidence_at(lore_indexes_evidence(m), 0).masked);
    lore_indexes_unlock(m);
    lore_indexes_free(m);
}

static void
one_thread_may_hold_both_views(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *m = NULL;

    assert_int_equal(lore_indexes_load(f->db, &m, &f->err), LORE_OK);
    assert_non_null(lore_indexes_evidence(m));
    assert_non_null(lore_indexes_board(m));
    lore_indexes_unlock(m);
    lore_indexes_unlock(m);
    /* Both are given back: the writer's side gets the lock. */
    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(lore_indexes_refresh(m, f->db, &f->err), LORE_OK);
    lore_indexes_free(m);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(loading_reads_what_is_stored),
        T(an_empty_database_gives_an_empty_memory),
        T(a_commit_is_in_the_memory_before_its_receipt),
        T(what_grew_step_by_step_equals_what_is_loaded),
        T(what_is_masked_is_loaded_so),
        T(one_thread_may_hold_both_views),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

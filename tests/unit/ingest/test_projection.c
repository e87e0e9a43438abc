// uses: ingest
/* A database that follows a journal in a directory. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include <cmocka.h>

#include "db/internal.h"
#include "db/journal_place.h"
#include "service/base/file.h"
#include "service/base/log.h"
#include "service/ingest/projection.h"
#include "tests/unit/ingest_fixture.h"

static bool
at_once(void)
{
    return true;
}

/* A key is a file with one letter, which is its mark. */
static enum lore_status
read_key(const char *data, bool make, unsigned char mark[LORE_HASH_BYTES], struct lore_err *err)
{
    char path[200];
    LORE_BUF text = {.max = 8};
    enum lore_status status;

    snprintf(path, sizeof path, "%s/key", data);
    status = lore_file_read(path, &text, err);
    if (status == LORE_NOTFOUND && make) {
        lore_buf_puts(&text, "m");
        status = lore_file_write(path, "m", 1, 0600, err);
    }
    if (status == LORE_OK)
        memset(mark, text.data[0], LORE_HASH_BYTES);
    return status;
}

static void
put_key(struct fixture *f, const char *data, const char *key)
{
    assert_int_equal(
        lore_file_write(lore_format(&f->arena, "%s/key", data), key, 1, 0600, &f->err), LORE_OK);
}

static enum lore_status
open_projection(struct fixture *f, struct lore_projection_setup setup, struct lore_projection **out)
{
    setup.key = read_key;
    setup.journal = lore_format(&f->arena, "%s/journal", f->dir);
    return lore_projection_open(&setup, f->db, out, &f->err);
}

static void
store_three(struct fixture *f, struct lore_projection *p)
{
    for (int i = 0; i < 3; i++) {
        const char *body = document(f, 100 + i, 10 + i, "x");

        assert_int_equal(lore_ingest_now(f->db, &(struct lore_ingest_parts){.projection = p},
                             &(struct lore_ingest_doc){body, strlen(body), "ann", true, NULL, 0},
                             &f->arena, &f->receipt, &f->err),
            LORE_OK);
    }
}

/* A start that takes long can be stopped; the next one goes on where it was. */
static void
catching_up_stops_when_asked_and_goes_on(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    const char *data = lore_format(&f->arena, "%s/new", f->dir);
    struct lore_applied_state at;

    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = f->dir}, &p), LORE_OK);
    store_three(f, p);
    lore_projection_close(p);
    lore_db_close(f->db);
    f->db = NULL;
    assert_int_equal(lore_db_open_writer(data, &f->db, &f->err), LORE_OK);
    put_key(f, data, "m");
    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = data, .stop = at_once}, &p),
        LORE_BUSY);
    assert_string_equal(f->err.code, "stopped");
    assert_null(p);
    assert_int_equal(open_projection(f, (struct lore_projection_setup){.data = data}, &p), LORE_OK);
    lore_applied_get(lore_projection_applied(p), &at);
    assert_int_equal(at.seq, 4); /* the first one has the mark of the key */
    assert_int_equal(rows(f, f->db, "fact_document"), 3);
    lore_projection_close(p);
}

/* Leave F with a new database in DATA, which is returned. */
static const char *
second_directory(struct fixture *f)
{
    const char *data = lore_format(&f->arena, "%s/new", f->dir);

    lore_db_close(f->db);
    f->db = NULL;
    assert_int_equal(lore_db_open_writer(data, &f->db, &f->err), LORE_OK);
    return data;
}

static int64_t
place(struct fixture *f)
{
    int64_t seq = -1;
    unsigned char hash[LORE_HASH_BYTES];

    assert_int_equal(lore_db_journal_place(f->db, &seq, hash, &f->err), LORE_OK);
    return seq;
}

static void
a_node_without_the_key_of_the_journal_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    struct lore_projection_setup setup = {.data = f->dir};

    assert_int_equal(open_projection(f, setup, &p), LORE_OK);
    lore_projection_close(p);
    setup.data = second_directory(f);
    for (int i = 0; i < 2; i++) { /* none is made, so that the next start is refused, too */
        assert_int_equal(open_projection(f, setup, &p), LORE_INVALID);
        assert_string_equal(f->err.code, "key_missing");
        assert_non_null(strstr(f->err.hint, "copy service.key of a node"));
    }
    put_key(f, setup.data, "x");
    assert_int_equal(open_projection(f, setup, &p), LORE_INVALID);
    assert_string_equal(f->err.code, "key_foreign");
    assert_non_null(strstr(f->err.hint, "--accept-credentials"));
    assert_int_equal(place(f), 0);
    put_key(f, setup.data, "m");
    assert_int_equal(open_projection(f, setup, &p), LORE_OK);
    lore_projection_close(p);
    put_key(f, setup.data, "x"); /* later, too */
    assert_int_equal(open_projection(f, setup, &p), LORE_INVALID);
    assert_string_equal(f->err.code, "key_foreign");
}

static void
a_replay_with_another_key_stands_alone(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    const char *body = document(f, 100, 10, "x");
    struct lore_replay what = {.key = read_key};
    int64_t n = 0;

    what.journal = lore_format(&f->arena, "%s/journal", f->dir);
    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = f->dir}, &p), LORE_OK);
    assert_int_equal(lore_ingest_now(f->db, &(struct lore_ingest_parts){.projection = p},
                         &(struct lore_ingest_doc){body, strlen(body), "ann", true, NULL, 0},
                         &f->arena, &f->receipt, &f->err),
        LORE_OK);
    lore_projection_close(p);
    what.data = second_directory(f);
    assert_int_equal(lore_projection_replay(&what, f->db, &n, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "key_missing");
    put_key(f, what.data, "x");
    assert_int_equal(lore_projection_replay(&what, f->db, &n, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "key_foreign");
    what.any_key = true;
    assert_int_equal(lore_projection_replay(&what, f->db, &n, &f->err), LORE_OK);
    assert_int_equal(rows(f, f->db, "fact_document"), 1);
    assert_int_equal(place(f), 0);
}

/* A journal whose first entry is a document. */
static void
a_journal_without_the_mark_of_a_key_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    struct lore_journal *j = NULL;
    struct lore_journal_head head = {0};
    struct lore_journal_entry e = {.kind = "event", .actor = "", .body = "{}", .len = 2};

    assert_int_equal(
        lore_journal_open(lore_format(&f->arena, "%s/journal", f->dir), &j, &f->err), LORE_OK);
    assert_int_equal(lore_journal_append(j, &head, &e, 1, &f->err), LORE_OK);
    lore_journal_close(j);
    put_key(f, f->dir, "m");
    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = f->dir}, &p), LORE_INVALID);
    assert_string_equal(f->err.code, "journal_old");
    /* a database that was made from it */
    assert_int_equal(lore_db_begin(f->db, &f->err), LORE_OK);
    assert_int_equal(lore_put_journal_place(f->db, head.seq, head.hash, &f->err), LORE_OK);
    assert_int_equal(lore_db_commit(f->db, &f->err), LORE_OK);
    assert_int_equal(
        open_projection(f, (struct lore_projection_setup){.data = f->dir}, &p), LORE_INVALID);
    assert_string_equal(f->err.code, "journal_old");
}

/* The journal had a lag, and its disk lost what came last. */
static void
a_journal_gets_its_lost_end_from_the_database(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    struct lore_projection_setup setup = {.data = f->dir, .lag_ms = 60000};
    const char *path = lore_format(&f->arena, "%s/journal/%020d.journal", f->dir, 1);
    struct lore_applied_state at;
    struct stat st;
    LORE_BUF whole = {0};
    LORE_BUF again = {0};

    assert_int_equal(open_projection(f, setup, &p), LORE_OK);
    assert_int_equal(stat(path, &st), 0);
    store_three(f, p);
    lore_applied_get(lore_projection_applied(p), &at);
    assert_int_equal(at.lag_ms, 60000);
    assert_int_equal(at.synced, 1); /* the mark of the key is older than the lag's begin */
    lore_projection_close(p);
    assert_int_equal(lore_file_read(path, &whole, &f->err), LORE_OK);
    assert_int_equal(truncate(path, st.st_size), 0);
    setup.lag_ms = 0; /* the next start need not have one */
    assert_int_equal(open_projection(f, setup, &p), LORE_OK);
    lore_projection_close(p);
    assert_int_equal(lore_file_read(path, &again, &f->err), LORE_OK);
    assert_int_equal(again.len, whole.len);
    assert_memory_equal(again.data, whole.data, whole.len);
    /* once it is on the disk, it is not kept any more */
    assert_int_equal(truncate(path, st.st_size), 0);
    assert_int_equal(open_projection(f, setup, &p), LORE_CORRUPT);
    assert_string_equal(f->err.code, "journal_foreign");
}

static void
a_kept_end_that_does_not_fit_is_not_appended(void **state)
{
    struct fixture *f = *state;
    struct lore_projection *p = NULL;
    struct lore_projection_setup setup = {.data = f->dir, .lag_ms = 60000};
    const char *path = lore_format(&f->arena, "%s/journal/%020d.journal", f->dir, 1);
    struct stat st;

    assert_int_equal(open_projection(f, setup, &p), LORE_OK);
    assert_int_equal(stat(path, &st), 0);
    store_three(f, p);
    lore_projection_close(p);
    assert_int_equal(
        lore_db_exec(f->db, "UPDATE log_journal_tail SET actor = 'eve' WHERE seq = 2", &f->err),
        LORE_OK);
    assert_int_equal(truncate(path, st.st_size), 0);
    assert_int_equal(open_projection(f, setup, &p), LORE_CORRUPT);
    assert_string_equal(f->err.code, "journal_foreign");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            catching_up_stops_when_asked_and_goes_on, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_node_without_the_key_of_the_journal_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_replay_with_another_key_stands_alone, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_journal_without_the_mark_of_a_key_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_journal_gets_its_lost_end_from_the_database, set_up, tear_down),
        cmocka_unit_test_setup_teardown(
            a_kept_end_that_does_not_fit_is_not_appended, set_up, tear_down),
    };

    lore_log_level(LORE_ERROR);
    return cmocka_run_group_tests(tests, NULL, NULL);
}

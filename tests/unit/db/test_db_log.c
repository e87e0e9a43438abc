// uses: verdicts
// The event chain and the credentials.
#include <sys/stat.h>

#include "db/credentials.h"
#include "db/files.h"
#include "db/put.h"
#include "tests/unit/auth_changes.h"
#include "tests/unit/db_fixture.h"

static void
append(struct fixture *f, int n)
{
    for (int i = 0; i < n; i++) {
        unsigned char detail[32] = {(unsigned char)i};

        ok(f, lore_put_event(f->db,
                  &(struct lore_event){"tok", "submission", "01J", detail, NOW + i}, &f->err));
    }
}

static enum lore_status
verify_after(struct fixture *f, const char *tampering)
{
    int64_t n = -1;

    append(f, 5);
    ok(f, lore_db_exec(f->db, tampering, &f->err));
    return lore_db_verify_events(f->db, &n, &f->err);
}

static void
an_untouched_chain_verifies_also_after_reopening(void **state)
{
    struct fixture *f = *state;
    struct lore_event_row *rows;
    int64_t count_n = 0;
    size_t n;

    append(f, 3);
    lore_db_close(f->db);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    append(f, 2);
    ok(f, lore_db_verify_events(f->db, &count_n, &f->err));
    assert_int_equal(count_n, 5);
    ok(f, lore_db_list_events(
              f->db, (struct lore_page){.before = 4, .limit = 2}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 2);
    assert_int_equal(rows[0].seq, 3);
}

static void
an_edited_row_is_found(void **state)
{
    assert_int_equal(
        verify_after(*state, "UPDATE fact_event SET actor = 'eve' WHERE seq = 3"), LORE_CORRUPT);
    assert_non_null(strstr(((struct fixture *)*state)->err.msg, "event 3"));
}

static void
an_edited_time_is_found(void **state)
{
    assert_int_equal(verify_after(*state, "UPDATE fact_event SET at_us = at_us + 1 WHERE seq = 5"),
        LORE_CORRUPT);
}

static void
a_removed_row_is_found(void **state)
{
    assert_int_equal(verify_after(*state, "DELETE FROM fact_event WHERE seq = 1"), LORE_CORRUPT);
}

static void
text_moved_between_columns_is_found(void **state)
{
    assert_int_equal(verify_after(*state,
                         "UPDATE fact_event SET kind = 'n' || kind, actor = 'toke' WHERE seq = 2"),
        LORE_CORRUPT);
}

static void
a_broken_page_fails_the_check(void **state)
{
    struct fixture *f = *state;
    char path[96];
    FILE *file;
    int64_t wal;

    append(f, 200);
    ok(f, lore_db_checkpoint(f->db, true, &wal, &f->err));
    lore_db_close(f->db);
    f->db = NULL;
    snprintf(path, sizeof path, "%s/warplore.db", f->dir);
    file = fopen(path, "r+b");
    assert_non_null(file);
    for (int page = 5; page < 60; page++) {
        assert_int_equal(fseek(file, page * 4096L, SEEK_SET), 0);
        assert_int_equal(fwrite("\xff\xff\xff\xff\xff\xff\xff\xff", 1, 8, file), 8);
    }
    assert_int_equal(fclose(file), 0);
    {
        struct lore_db *db = NULL;
        enum lore_status status = lore_db_open_writer(f->dir, &db, &f->err);

        if (status == LORE_OK)
            status = lore_db_check(db, &f->err);
        lore_db_close(db);
        assert_int_equal(status, LORE_CORRUPT);
    }
}

static struct lore_token_row
token(const char *id_text)
{
    struct lore_token_row t = {.id = id_text, .label = "ci", .role = "reader", .created_us = NOW};

    memset(t.hash, 7, sizeof t.hash);
    return t;
}

static void
tokens_are_added_found_revoked_and_listed(void **state)
{
    struct fixture *f = *state;
    struct lore_auth_db *auth, *beside;
    struct lore_token_row t = token("t1"), got, *rows;
    size_t n;

    assert_int_equal(lore_auth_open(f->dir, false, &auth, &f->err), LORE_NOTFOUND);
    ok(f, lore_auth_open(f->dir, true, &auth, &f->err));
    ok(f, lore_auth_open(f->dir, false, &beside, &f->err));
    ok(f, auth_add(auth, &t, &f->err));
    assert_int_equal(auth_add(auth, &t, &f->err), LORE_CONFLICT);
    ok(f, lore_auth_get(beside, "t1", &f->arena, &got, &f->err));
    assert_string_equal(got.role, "reader");
    assert_memory_equal(got.hash, t.hash, 32);
    assert_int_equal(got.revoked_us, 0);
    ok(f, auth_revoke(auth, LORE_AUTH_TOKEN_REVOKED, "t1", NOW + 9, &f->err));
    ok(f, auth_revoke(
              auth, LORE_AUTH_TOKEN_REVOKED, "t1", NOW + 99, &f->err)); /* the first time counts */
    ok(f, lore_auth_list(beside, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    assert_int_equal(rows[0].revoked_us, NOW + 9);
    assert_int_equal(lore_auth_get(auth, "t2", &f->arena, &got, &f->err), LORE_NOTFOUND);
    assert_int_equal(auth_revoke(auth, LORE_AUTH_TOKEN_REVOKED, "t2", NOW, &f->err), LORE_NOTFOUND);
    assert_int_equal(auth_add(beside, &t, &f->err), LORE_IO);
    lore_auth_close(beside);
    lore_auth_close(auth);
}

static void
credentials_are_private(void **state)
{
    struct fixture *f = *state;
    struct lore_auth_db *auth;
    struct stat st;
    char path[96];

    ok(f, lore_auth_open(f->dir, true, &auth, &f->err));
    lore_auth_close(auth);
    snprintf(path, sizeof path, "%s/auth.db", f->dir);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(an_untouched_chain_verifies_also_after_reopening),
        TEST(an_edited_row_is_found),
        TEST(an_edited_time_is_found),
        TEST(a_removed_row_is_found),
        TEST(text_moved_between_columns_is_found),
        TEST(a_broken_page_fails_the_check),
        TEST(tokens_are_added_found_revoked_and_listed),
        TEST(credentials_are_private),
    };

    return cmocka_run_group_tests_name("db log", tests, NULL, NULL);
}

// uses: verdicts
// Opening the database: migrations, locks, modes, readers, transactions.
#include <sys/stat.h>

#include "db/files.h"
#include "db/migrate.h"
#include "db/put.h"
#include "tests/unit/db_fixture.h"

static int
mode_of(struct fixture *f, const char *name)
{
    char path[128];
    struct stat st;

    snprintf(path, sizeof path, "%s%s", f->dir, name);
    assert_int_equal(stat(path, &st), 0);
    return st.st_mode & 0777;
}

static void
a_fresh_database_has_the_newest_schema_and_the_catalogue(void **state)
{
    struct fixture *f = *state;
    int version = 0;

    ok(f, lore_migrate_version(f->db, &version, &f->err));
    assert_int_equal(version, lore_db_schema_version());
    ok(f, lore_db_check(f->db, &f->err));
    {
        LORE_STMT q = lore_sql(f->db, "SELECT count(*) FROM cat_chip WHERE name = $1");

        lore_bind_text(&q, 1, "mi300x");
        assert_true(lore_row(&q));
        assert_int_equal(lore_col_i64(&q, 0), 1);
        ok(f, lore_done(&q, &f->err));
    }
}

static void
opening_again_writes_nothing(void **state)
{
    struct fixture *f = *state;
    int64_t before = count(f, "database_bytes"), wal = -1;

    lore_db_close(f->db);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    ok(f, lore_db_checkpoint(f->db, false, &wal, &f->err));
    assert_int_equal(wal, 0);
    assert_true(count(f, "database_bytes") >= before);
}

static void
files_are_private(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(mode_of(f, ""), 0700);
    assert_int_equal(mode_of(f, "/warplore.db"), 0600);
    assert_int_equal(mode_of(f, "/warplore.db-wal"), 0600);
    assert_int_equal(mode_of(f, "/lock"), 0600);
}

static void
a_second_writer_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_db *second = NULL, *apart = NULL;
    char other[96];

    assert_int_equal(lore_db_open_writer(f->dir, &second, &f->err), LORE_BUSY);
    assert_non_null(strstr(f->err.msg, "another warplored is using it"));
    assert_null(second);
    snprintf(other, sizeof other, "%s/other", f->dir); /* as a project's database is beside it */
    ok(f, lore_db_open_writer(other, &apart, &f->err));
    lore_db_close(apart);
    assert_int_equal(lore_db_open_writer(f->dir, &second, &f->err), LORE_BUSY);
}

static void
a_newer_schema_is_refused(void **state)
{
    struct fixture *f = *state;
    struct lore_db *again = NULL;

    ok(f, lore_db_exec(f->db, "PRAGMA user_version = 9999", &f->err));
    assert_int_equal(lore_db_open_reader(f->dir, &again, &f->err), LORE_UNSUPPORTED);
    lore_db_close(f->db);
    f->db = NULL;
    assert_int_equal(lore_db_open_writer(f->dir, &again, &f->err), LORE_UNSUPPORTED);
    assert_non_null(strstr(f->err.msg, "9999 is newer"));
}

static int
backups(struct fixture *f)
{
    char command[128], line[32] = "";
    FILE *p;

    snprintf(command, sizeof command, "ls '%s/backup' 2>/dev/null | wc -l", f->dir);
    p = popen(command, "r");
    assert_non_null(p);
    assert_non_null(fgets(line, sizeof line, p));
    pclose(p);
    return (int)strtol(line, NULL, 10);
}

static void
a_migration_keeps_a_copy_and_a_broken_one_changes_nothing(void **state)
{
    struct fixture *f = *state;
    const struct lore_migration good[] = {
        {1000, "1000_good.sql", "CREATE TABLE later (x INTEGER) STRICT;"}, {0, NULL, NULL}};
    const struct lore_migration bad[] = {{1001, "1001_bad.sql",
                                             "CREATE TABLE half (x INTEGER) STRICT;"
                                             "CREATE TABLE half (x INTEGER) STRICT;"},
        {0, NULL, NULL}};
    struct lore_event_row *events;
    int version = 0;
    int64_t n_events;
    size_t n;

    assert_int_equal(backups(f), 0);
    ok(f, lore_migrate(f->db, f->dir, good, &f->err));
    ok(f, lore_migrate_version(f->db, &version, &f->err));
    assert_int_equal(version, 1000);
    assert_int_equal(backups(f), 1);
    assert_int_equal(lore_migrate(f->db, f->dir, bad, &f->err), LORE_IO);
    ok(f, lore_migrate_version(f->db, &version, &f->err));
    assert_int_equal(version, 1000);
    ok(f, lore_db_exec(f->db, "CREATE TABLE half (x INTEGER) STRICT", &f->err));
    ok(f, lore_db_list_events(
              f->db, (struct lore_page){.before = 0, .limit = 9}, &f->arena, &events, &n, &f->err));
    assert_int_equal(n, 1);
    assert_string_equal(events[0].kind, "migration");
    assert_string_equal(events[0].subject, "1000_good.sql");
    ok(f, lore_db_verify_events(f->db, &n_events, &f->err));
}

static void
a_reader_cannot_write(void **state)
{
    struct fixture *f = *state;
    struct lore_db *reader;

    ok(f, lore_db_open_reader(f->dir, &reader, &f->err));
    assert_int_equal(lore_db_exec(reader, "DELETE FROM cat_chip", &f->err), LORE_IO);
    lore_db_close(reader);
}

static void
a_snapshot_does_not_move(void **state)
{
    struct fixture *f = *state;
    struct lore_readers *pool;
    struct lore_db *reader, *none;
    struct lore_event_row *rows;
    size_t n;
    unsigned char detail[32] = {0};

    ok(f, lore_readers_open(f->dir, 1, &pool, &f->err));
    reader = lore_readers_take(pool, 0);
    assert_non_null(reader);
    none = lore_readers_take(pool, 1);
    assert_null(none);
    ok(f, lore_db_snapshot(reader, &f->err));
    ok(f, lore_db_list_events(
              reader, (struct lore_page){.before = 0, .limit = 9}, &f->arena, &rows, &n, &f->err));
    ok(f, lore_put_event(f->db, &(struct lore_event){"a", "mask", "b", detail, NOW}, &f->err));
    ok(f, lore_db_list_events(
              reader, (struct lore_page){.before = 0, .limit = 9}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 0);
    lore_readers_give(pool, reader);
    reader = lore_readers_take(pool, 0);
    ok(f, lore_db_list_events(
              reader, (struct lore_page){.before = 0, .limit = 9}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 1);
    lore_readers_give(pool, reader);
    lore_readers_close(pool);
}

static void
a_read_past_its_deadline_is_given_up(void **state)
{
    struct fixture *f = *state;
    struct lore_db *reader;

    ok(f, lore_db_open_reader(f->dir, &reader, &f->err));
    lore_db_deadline(reader, 1);
    {
        LORE_STMT q = lore_sql(reader, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1"
                                       " FROM n) SELECT count(*) FROM n");

        lore_row(&q);
        assert_int_equal(lore_done(&q, &f->err), LORE_BUSY);
    }
    lore_db_deadline(reader, 0);
    ok(f, lore_db_check(reader, &f->err));
    lore_db_close(reader);
}

static struct lore_stmt
numbers(struct lore_db *db)
{
    return lore_sql(db, "SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3");
}

static void
a_statement_may_be_used_inside_itself(void **state)
{
    struct fixture *f = *state;
    LORE_STMT outer = numbers(f->db);
    int rows = 0;

    while (lore_row(&outer)) {
        LORE_STMT inner = numbers(f->db);

        while (lore_row(&inner))
            rows++;
        ok(f, lore_done(&inner, &f->err));
    }
    ok(f, lore_done(&outer, &f->err));
    assert_int_equal(rows, 9);
}

static void
the_first_error_of_a_statement_is_kept(void **state)
{
    struct fixture *f = *state;
    LORE_STMT q = lore_sql(f->db, "SELECT $1");

    lore_bind_i64(&q, 7, 1);
    lore_bind_i64(&q, 1, 1);
    assert_false(lore_row(&q));
    assert_int_equal(lore_done(&q, &f->err), LORE_IO);
}

static void
a_truncating_checkpoint_empties_the_log(void **state)
{
    struct fixture *f = *state;
    unsigned char detail[32] = {0};
    int64_t wal = -1;

    ok(f, lore_put_event(f->db, &(struct lore_event){"a", "mask", "b", detail, NOW}, &f->err));
    ok(f, lore_db_checkpoint(f->db, true, &wal, &f->err));
    assert_int_equal(wal, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_fresh_database_has_the_newest_schema_and_the_catalogue),
        TEST(opening_again_writes_nothing),
        TEST(files_are_private),
        TEST(a_second_writer_is_refused),
        TEST(a_newer_schema_is_refused),
        TEST(a_migration_keeps_a_copy_and_a_broken_one_changes_nothing),
        TEST(a_reader_cannot_write),
        TEST(a_snapshot_does_not_move),
        TEST(a_read_past_its_deadline_is_given_up),
        TEST(a_statement_may_be_used_inside_itself),
        TEST(the_first_error_of_a_statement_is_kept),
        TEST(a_truncating_checkpoint_empties_the_log),
    };

    return cmocka_run_group_tests_name("db open", tests, NULL, NULL);
}

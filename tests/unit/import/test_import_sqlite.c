// uses: import PkgConfig::SQLITE
/* SQLite files that were made to harm: whatever they hold, reading one ends soon, with rows or with
 * an error that says why. */
#include <sqlite3.h>
#include <time.h>
#include <unistd.h>

#include "collectors/import/sqlite/sqlite.h"
#include "tests/unit/import_intake.h"

struct file {
    struct lore_arena arena;
    struct lore_import_tree tree;
    struct lore_import in;
    struct lore_sqlite *s;
};

/* A file in memory that SQL made, as the current file of F. */
static void
make(struct file *f, const char *sql)
{
    sqlite3 *db = NULL;
    sqlite3_int64 n = 0;
    char *why = NULL;

    memset(f, 0, sizeof *f);
    assert_int_equal(sqlite3_open(":memory:", &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s", why);
    unsigned char *bytes = sqlite3_serialize(db, "main", &n, 0);
    assert_non_null(bytes);
    (void)lore_tree_add(&f->arena, &f->tree, "x.db", (const char *)bytes, (size_t)n);
    sqlite3_free(bytes);
    (void)sqlite3_close(db);
    f->in = (struct lore_import){.arena = &f->arena, .tree = &f->tree, .unit = "x.db"};
    lore_import_open(&f->in, &f->tree.files[0]);
}

static void
done(struct file *f)
{
    lore_sqlite_close(f->s);
    lore_arena_free(&f->arena);
}

static void
open_it(struct file *f)
{
    struct lore_err err = {0};

    if (lore_sqlite_open(&f->in, &f->s, &err) != LORE_OK)
        fail_msg("%s", err.msg);
}

/* Reading SQL to its end fails with words that contain PART. */
static void
is_refused(struct file *f, const char *sql, const char *part)
{
    struct lore_sqlite_rows r = {0};
    struct lore_err err = {0};
    enum lore_status status = lore_sqlite_query(f->s, sql, &r, &err);

    while (status == LORE_OK && lore_sqlite_next(&r))
        assert_true(r.n < 100000000);
    enum lore_status end = lore_sqlite_end(&r, status == LORE_OK ? &err : NULL);
    assert_true(status != LORE_OK || end != LORE_OK);
    if (!strstr(err.msg, part))
        fail_msg("\"%s\" does not say \"%s\"", err.msg, part);
}

static void
rows_are_objects_of_what_has_a_value(void **state)
{
    struct file f;
    struct lore_sqlite_rows r;

    (void)state;
    make(&f, "CREATE TABLE t (a, b, c, d, e); INSERT INTO t VALUES"
             " (9007199254740993, 0.1, 'x', NULL, x'00'); CREATE VIEW v AS SELECT a FROM t");
    open_it(&f);
    assert_int_equal(lore_sqlite_query(f.s, "SELECT *, 1e999 AS f FROM t", &r, NULL), LORE_OK);
    assert_true(lore_sqlite_next(&r));
    assert_int_equal(r.row->len, 3);
    assert_int_equal(lore_json_get(r.row, "a")->i, INT64_C(9007199254740993));
    assert_string_equal(lore_json_get(r.row, "b")->str, "0.1");
    assert_string_equal(lore_json_get(r.row, "c")->str, "x");
    assert_false(lore_sqlite_next(&r));
    assert_int_equal(lore_sqlite_end(&r, NULL), LORE_OK);
    assert_string_equal(lore_sqlite_find(f.s, "V"), "v");
    assert_true(lore_sqlite_is_table(f.s, "t"));
    assert_false(lore_sqlite_is_table(f.s, "v"));
    assert_true(lore_sqlite_has(f.s, "v", "A"));
    assert_false(lore_sqlite_has(f.s, "t", "z"));
    done(&f);
}

static void
only_reading_is_allowed(void **state)
{
    struct file f;

    (void)state;
    make(&f, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    open_it(&f);
    is_refused(&f, "DELETE FROM t", "refused");
    is_refused(&f, "INSERT INTO t VALUES (2)", "refused");
    is_refused(&f, "PRAGMA query_only = 0", "refused");
    is_refused(&f, "ATTACH '/tmp/x' AS y", "refused");
    is_refused(&f, "SELECT load_extension('x')", "load_extension");
    is_refused(&f, "SELECT zeroblob(1000000000)", "zeroblob");
    is_refused(&f, "SELECT no_such FROM t", "no such column");
    done(&f);
}

static void
views_that_never_end_are_stopped(void **state)
{
    struct file f;

    (void)state;
    make(&f,
        "CREATE TABLE t (a); INSERT INTO t VALUES (1), (2), (3), (4), (5), (6), (7), (8);"
        "CREATE VIEW loop AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r)"
        " SELECT count(*) AS n FROM r;"
        "CREATE VIEW cross_join AS SELECT count(*) AS n FROM t a, t b, t c, t d, t e, t f, t g,"
        " t h, t i, t j, t k, t l, t m;"
        "CREATE VIEW blob AS SELECT hex(randomblob(100000000)) AS n");
    open_it(&f);
    clock_t began = clock();
    is_refused(&f, "SELECT * FROM loop", "a recursive query");
    is_refused(&f, "SELECT * FROM cross_join", "million steps");
    is_refused(&f, "SELECT * FROM blob", "the function hex");
    assert_true(clock() - began < 60 * CLOCKS_PER_SEC);
    done(&f);
}

/* Each view names the one before it twice, and so its text grows by two to the power of 40. */
static void
views_that_grow_are_stopped(void **state)
{
    struct file f;
    struct lore_buf sql = {.max = 1 << 20};

    (void)state;
    lore_buf_puts(&sql, "CREATE TABLE t (a); CREATE VIEW v0 AS SELECT a FROM t;");
    for (int i = 1; i <= 40; i++)
        lore_buf_printf(&sql,
            "CREATE VIEW v%d AS SELECT x.a FROM v%d x JOIN v%d y ON x.a = y.a UNION ALL SELECT 1;",
            i, i - 1, i - 1);
    make(&f, sql.data);
    lore_buf_free(&sql);
    open_it(&f);
    clock_t began = clock();
    is_refused(&f, "SELECT * FROM v40", "SQLite");
    assert_true(clock() - began < 60 * CLOCKS_PER_SEC);
    done(&f);
}

static void
virtual_tables_are_refused(void **state)
{
    struct file f;
    struct lore_err err = {0};

    (void)state;
    make(&f, "CREATE TABLE t (a); PRAGMA writable_schema = 1; INSERT INTO sqlite_schema VALUES"
             " ('table', 'kernels', 'kernels', 0, 'CREATE VIRTUAL TABLE kernels USING fts5(a)')");
    assert_int_equal(lore_sqlite_open(&f.in, &f.s, &err), LORE_INVALID);
    assert_non_null(strstr(err.msg, "virtual table"));
    done(&f);
}

static void
damaged_files_are_refused(void **state)
{
    struct lore_arena arena = {0};
    struct lore_err err = {0};

    (void)state;
    for (size_t at = 0; at < 4096; at += 37) {
        struct file f;
        struct lore_sqlite_rows r = {0};
        make(&f, "CREATE TABLE t (a, b); INSERT INTO t VALUES (1, 'one'), (2, 'two');"
                 "CREATE VIEW v AS SELECT * FROM t");
        struct lore_import_file *file = &f.tree.files[0];
        char *bytes = lore_memdup(&arena, file->text, file->len);
        bytes[at % file->len] = (char)(bytes[at % file->len] ^ 0xff);
        file->text = bytes;
        if (lore_sqlite_open(&f.in, &f.s, &err) == LORE_OK) {
            if (lore_sqlite_query(f.s, "SELECT * FROM v", &r, &err) == LORE_OK)
                while (lore_sqlite_next(&r))
                    assert_true(r.n < 1000);
            (void)!lore_sqlite_end(&r, &err);
        }
        done(&f);
    }
    lore_arena_free(&arena);
}

/* The header of a file in WAL mode says so; what is in the file is read. */
static void
a_file_in_wal_mode_is_read(void **state)
{
    struct file f;
    struct lore_sqlite_rows r;

    (void)state;
    make(&f, "CREATE TABLE t (a); INSERT INTO t VALUES (1)");
    char *bytes = lore_memdup(&f.arena, f.tree.files[0].text, f.tree.files[0].len);
    bytes[18] = bytes[19] = 2;
    f.tree.files[0].text = bytes;
    open_it(&f);
    assert_int_equal(lore_sqlite_query(f.s, "SELECT a FROM t", &r, NULL), LORE_OK);
    assert_true(lore_sqlite_next(&r));
    assert_int_equal(lore_sqlite_end(&r, NULL), LORE_OK);
    done(&f);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_objects_of_what_has_a_value),
        cmocka_unit_test(only_reading_is_allowed),
        cmocka_unit_test(views_that_never_end_are_stopped),
        cmocka_unit_test(views_that_grow_are_stopped),
        cmocka_unit_test(virtual_tables_are_refused),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(a_file_in_wal_mode_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

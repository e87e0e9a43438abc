// uses: verdicts
// A directory knows which database it has: one that is gone or lost its log is no new memory, and
// whatever ends, is copied or restored as it should starts again.
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "db/files.h"
#include "tests/unit/db_fixture.h"

#define DIRECTION "'directions':[{'id':'@N1','text':'fp8'}]"

static const char *
file(struct fixture *f, const char *name)
{
    return lore_format(&f->arena, "%s/%s", f->dir, name);
}

static bool
is_there(struct fixture *f, const char *name)
{
    return access(file(f, name), F_OK) == 0;
}

static void
make_file(struct fixture *f, const char *name, const char *text)
{
    ok(f, lore_file_write(file(f, name), text, strlen(text), 0600, &f->err));
}

static void
close_it(struct fixture *f)
{
    lore_db_close(f->db);
    f->db = NULL;
}

/* A process stores the document and dies with the database open. */
static void
die_while_open(struct fixture *f)
{
    pid_t child;
    int status;

    close_it(f);
    child = fork();
    if (child == 0) {
        if (lore_db_open_writer(f->dir, &f->db, &f->err) != LORE_OK ||
            put(f, say(f, "D1", DIRECTION)) != LORE_OK)
            _exit(1);
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void
must_refuse(struct fixture *f, const char *code)
{
    struct lore_db *db = NULL;

    assert_int_equal(lore_db_open_writer(f->dir, &db, &f->err), LORE_CORRUPT);
    assert_string_equal(f->err.code, code);
    assert_true(f->err.hint[0] != '\0');
}

static void
must_open(struct fixture *f, int64_t documents)
{
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    assert_int_equal(count(f, "fact_document"), documents);
    ok(f, lore_db_check(f->db, &f->err));
}

static void
a_database_that_was_removed_is_refused_until_one_begins_again(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = NULL;

    take(f, "D1", DIRECTION);
    close_it(f);
    assert_int_equal(unlink(file(f, "warplore.db")), 0);
    must_refuse(f, "database_gone");
    assert_false(is_there(f, "warplore.db"));
    assert_int_equal(lore_db_open_reader(f->dir, &db, &f->err), LORE_CORRUPT);
    ok(f, lore_db_allow_new(f->dir, &f->err));
    must_open(f, 0);
}

static void
an_empty_file_in_its_place_is_refused(void **state)
{
    struct fixture *f = *state;

    close_it(f);
    make_file(f, "warplore.db", "");
    must_refuse(f, "database_gone");
    ok(f, lore_db_allow_new(f->dir, &f->err));
    must_open(f, 0);
}

static void
another_empty_database_in_its_place_is_refused(void **state)
{
    struct fixture *f = *state;
    const char *dir = lore_format(&f->arena, "%s", f->dir);

    take(f, "D1", DIRECTION);
    close_it(f);
    strcat(f->dir, "/other");
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    close_it(f);
    assert_int_equal(
        rename(file(f, "warplore.db"), lore_format(&f->arena, "%s/warplore.db", dir)), 0);
    strcpy(f->dir, dir);
    must_refuse(f, "database_gone");
}

static void
a_log_without_its_database_is_refused(void **state)
{
    struct fixture *f = *state;

    close_it(f);
    ok(f, lore_db_allow_new(f->dir, &f->err));
    make_file(f, "warplore.db-wal", "something");
    must_refuse(f, "database_gone");
    assert_true(is_there(f, "warplore.db-wal"));
}

static void
beginning_again_throws_no_document_away(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", DIRECTION);
    assert_int_equal(lore_db_allow_new(f->dir, &f->err), LORE_BUSY);
    close_it(f);
    assert_int_equal(lore_db_allow_new(f->dir, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "database_there");
    die_while_open(f);
    assert_int_equal(lore_db_allow_new(f->dir, &f->err), LORE_INVALID);
    must_open(f, 1);
}

static void
a_killed_service_starts_again_with_its_log_and_not_without(void **state)
{
    struct fixture *f = *state;
    struct lore_db *db = NULL;

    die_while_open(f);
    assert_int_equal(rename(file(f, "warplore.db-wal"), file(f, "kept")), 0);
    must_refuse(f, "log_gone");
    assert_int_equal(lore_db_open_reader(f->dir, &db, &f->err), LORE_CORRUPT);
    assert_false(is_there(f, "warplore.db-wal"));
    assert_int_equal(rename(file(f, "kept"), file(f, "warplore.db-wal")), 0);
    must_open(f, 1);
}

static void
the_owner_may_go_on_without_the_log(void **state)
{
    struct fixture *f = *state;

    die_while_open(f);
    assert_int_equal(unlink(file(f, "warplore.db-wal")), 0);
    assert_int_equal(unlink(file(f, "identity")), 0);
    must_open(f, 0);
}

static void
a_closed_database_needs_no_log(void **state)
{
    struct fixture *f = *state;

    take(f, "D1", DIRECTION);
    close_it(f);
    assert_false(is_there(f, "warplore.db-wal"));
    must_open(f, 1);
}

/* A reader in the way of the last checkpoint: the log stays, and so does what says so. */
static void
a_log_that_a_reader_held_back_stays(void **state)
{
    struct fixture *f = *state;
    struct lore_db *reader = NULL;

    ok(f, lore_db_open_reader(f->dir, &reader, &f->err));
    ok(f, lore_db_snapshot(reader, &f->err));
    assert_int_equal(
        lore_db_stats(reader, &f->arena, &(struct lore_count *){NULL}, &(size_t){0}, &f->err),
        LORE_OK);
    take(f, "D1", DIRECTION);
    close_it(f);
    assert_true(is_there(f, "warplore.db-wal"));
    lore_db_close(reader);
    assert_true(is_there(f, "warplore.db-wal"));
    must_open(f, 1);
}

static void
a_process_that_died_before_its_note_starts_again(void **state)
{
    struct fixture *f = *state;

    die_while_open(f);
    assert_int_equal(unlink(file(f, "identity")), 0);
    must_open(f, 1);
}

static void
a_directory_with_tokens_alone_is_new(void **state)
{
    struct fixture *f = *state;

    close_it(f);
    ok(f, lore_db_allow_new(f->dir, &f->err));
    make_file(f, "auth.db", "");
    make_file(f, "service.key", "k");
    must_open(f, 0);
}

static void
a_restored_copy_starts_and_keeps_its_identity(void **state)
{
    struct fixture *f = *state;
    const char *dir = lore_format(&f->arena, "%s", f->dir), *copy = file(f, "copy");
    uint32_t identity = f->db->identity;

    take(f, "D1", DIRECTION);
    sqlite3_limit(f->db->handle, SQLITE_LIMIT_ATTACHED, 1); /* VACUUM INTO attaches the copy */
    assert_int_equal(mkdir(copy, 0700), 0);
    ok(f,
        lore_db_exec(f->db, lore_format(&f->arena, "VACUUM INTO '%s/warplore.db'", copy), &f->err));
    close_it(f);
    strcpy(f->dir, copy);
    must_open(f, 1);
    assert_int_equal(f->db->identity, identity);
    close_it(f);
    strcpy(f->dir, dir);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_database_that_was_removed_is_refused_until_one_begins_again),
        TEST(an_empty_file_in_its_place_is_refused),
        TEST(another_empty_database_in_its_place_is_refused),
        TEST(a_log_without_its_database_is_refused),
        TEST(beginning_again_throws_no_document_away),
        TEST(a_killed_service_starts_again_with_its_log_and_not_without),
        TEST(the_owner_may_go_on_without_the_log),
        TEST(a_closed_database_needs_no_log),
        TEST(a_log_that_a_reader_held_back_stays),
        TEST(a_process_that_died_before_its_note_starts_again),
        TEST(a_directory_with_tokens_alone_is_new),
        TEST(a_restored_copy_starts_and_keeps_its_identity),
    };

    return cmocka_run_group_tests_name("db identity", tests, NULL, NULL);
}

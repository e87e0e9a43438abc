// uses: verdicts
// A backup holds one moment of a directory that is being written, its manifest finds every changed
// byte, and a restored directory is the one that was copied.
#include <dirent.h>
#include <sys/stat.h>

#include "db/backup.h"
#include "db/credentials.h"
#include "tests/unit/db_fixture.h"

#define DIRECTION "'directions':[{'id':'@N1','text':'fp8'}]"

static const char *
in(struct fixture *f, const char *dir, const char *name)
{
    return lore_format(&f->arena, "%s/%s", dir, name);
}

static enum lore_status
back_up(struct fixture *f, struct lore_backup *out)
{
    return lore_backup_make(
        &(struct lore_backup_plan){f->dir, in(f, f->dir, "copies"), "1.2.3", NULL}, out, &f->err);
}

static int
entries(const char *dir)
{
    DIR *d = opendir(dir);
    int n = 0;

    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d))
        n += e->d_name[0] != '.' || e->d_name[1] == 'u';
    if (d)
        closedir(d);
    return n;
}

static void
flip(const char *path, long at)
{
    FILE *file = fopen(path, "r+b");
    int c;

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    c = fgetc(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    fputc(c ^ 1, file);
    fclose(file);
}

static void
a_manifest_reads_back_and_no_byte_of_it_can_change(void **state)
{
    struct fixture *f = *state;
    struct lore_manifest m = {
        .version = "1.2", .made_us = NOW, .schema = 3, .identity = 77, .events = 5, .n_files = 2};
    struct lore_manifest back;
    struct lore_buf text = {0};

    lore_hash_hex("a", 1, m.head);
    for (size_t i = 0; i < 2; i++) {
        m.files[i].name = lore_manifest_names[i];
        m.files[i].bytes = 4096;
        lore_hash_hex("b", 1, m.files[i].hash);
    }
    ok(f, lore_manifest_write(&m, &text, &f->err));
    ok(f, lore_manifest_read(text.data, text.len, &f->arena, &back, &f->err));
    assert_int_equal(back.made_us, NOW);
    assert_int_equal(back.identity, 77);
    assert_string_equal(back.files[1].name, "auth.db");
    assert_string_equal(back.head, m.head);
    for (size_t i = 0; i < text.len * 8; i++) {
        text.data[i / 8] ^= (char)(1 << i % 8);
        assert_int_equal(
            lore_manifest_read(text.data, text.len, &f->arena, &back, &f->err), LORE_CORRUPT);
        assert_string_equal(f->err.code, "bad_manifest");
        text.data[i / 8] ^= (char)(1 << i % 8);
        lore_arena_reset(&f->arena);
    }
    lore_buf_free(&text);
}

static void
a_backup_beside_an_open_writer_is_restored_as_it_was(void **state)
{
    struct fixture *f = *state;
    struct lore_backup made;
    struct lore_manifest m;
    struct lore_auth_db *auth = NULL;
    const char *copy = in(f, f->dir, "restored");
    struct lore_db *db = NULL;

    ok(f, lore_auth_open(f->dir, true, &auth, &f->err));
    lore_auth_close(auth);
    take(f, "D1", DIRECTION);
    ok(f, back_up(f, &made));
    take(f, "D2", "'directions':[{'id':'@N2','text':'later'}]");
    ok(f, lore_backup_restore(in(f, f->dir, "copies"), copy, &f->arena, &m, &f->err));
    assert_int_equal(m.n_files, 2); /* there is no key */
    assert_string_equal(m.version, "1.2.3");
    ok(f, lore_db_open_reader(copy, &db, &f->err));
    ok(f, lore_db_check(db, &f->err));
    lore_db_close(db);
    lore_db_close(f->db);
    f->db = NULL;
    ok(f, lore_db_open_writer(copy, &f->db, &f->err));
    assert_int_equal(count(f, "fact_document"), 1);
    ok(f, lore_backup_last(f->dir, &made, &f->err));
    assert_int_equal(made.made_us, m.made_us);
}

static void
a_damaged_file_is_not_restored(void **state)
{
    struct fixture *f = *state;
    struct lore_backup made;
    struct lore_manifest m;
    const char *copy = in(f, f->dir, "restored");

    take(f, "D1", DIRECTION);
    ok(f, back_up(f, &made));
    flip(in(f, made.path, "warplore.db"), 5000);
    assert_int_equal(lore_backup_check(made.path, &f->arena, &m, &f->err), LORE_CORRUPT);
    assert_int_equal(lore_backup_restore(made.path, copy, &f->arena, &m, &f->err), LORE_CORRUPT);
    assert_string_equal(f->err.code, "backup_damaged");
    assert_int_equal(entries(copy), 0);
    flip(in(f, made.path, "warplore.db"), 5000);
    ok(f, lore_backup_restore(made.path, copy, &f->arena, &m, &f->err));
    assert_int_equal(lore_backup_restore(made.path, copy, &f->arena, &m, &f->err), LORE_INVALID);
    assert_string_equal(f->err.code, "not_empty");
}

static void
a_damaged_database_makes_no_backup(void **state)
{
    struct fixture *f = *state;
    struct lore_backup made;

    const unsigned char detail[32] = {1};

    take(f, "D1", DIRECTION);
    ok(f, lore_put_event(f->db, &(struct lore_event){"a", "b", "c", detail, NOW}, &f->err));
    ok(f, lore_db_exec(f->db, "UPDATE fact_event SET actor = 'somebody'", &f->err));
    assert_int_equal(back_up(f, &made), LORE_CORRUPT);
    assert_int_equal(entries(in(f, f->dir, "copies")), 0);
    assert_int_equal(lore_backup_last(f->dir, &made, &f->err), LORE_NOTFOUND);
}

static void
a_backup_ends_when_it_is_told_to(void **state)
{
    struct fixture *f = *state;
    struct lore_backup made;
    const atomic_bool stop = true;

    take(f, "D1", DIRECTION);
    assert_int_equal(
        lore_backup_make(&(struct lore_backup_plan){f->dir, in(f, f->dir, "copies"), "1", &stop},
            &made, &f->err),
        LORE_BUSY);
    assert_int_equal(entries(in(f, f->dir, "copies")), 0);
}

static void
the_oldest_backups_of_this_database_are_deleted(void **state)
{
    struct fixture *f = *state;
    struct lore_backup made[3];
    const char *copies = in(f, f->dir, "copies");

    take(f, "D1", DIRECTION);
    for (int i = 0; i < 3; i++)
        ok(f, back_up(f, &made[i]));
    assert_int_equal(mkdir(in(f, copies, "warplore-0"), 0700), 0); /* not one of ours */
    ok(f, lore_backup_prune(f->dir, copies, 2, &f->err));
    assert_int_equal(entries(copies), 3);
    assert_int_equal(entries(made[0].path), 0);
    assert_int_equal(entries(made[2].path), 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define CASE(name) cmocka_unit_test_setup_teardown(name, fixture_open, fixture_close)
        CASE(a_manifest_reads_back_and_no_byte_of_it_can_change),
        CASE(a_backup_beside_an_open_writer_is_restored_as_it_was),
        CASE(a_damaged_file_is_not_restored),
        CASE(a_damaged_database_makes_no_backup),
        CASE(a_backup_ends_when_it_is_told_to),
        CASE(the_oldest_backups_of_this_database_are_deleted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

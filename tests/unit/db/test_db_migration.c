// uses: verdicts
// A database of the first schema, with what the last program of that schema stored in it, becomes
// one of this schema: the same tables as a new one has, the same facts as if they came today.
#include <glob.h>
#include <sys/stat.h>

#include "db/export.h"
#include "db/files.h"
#include "db/knowledge.h"
#include "db/migrations.h"
#include "db/put.h"
#include "db/standing.h"
#include "tests/unit/db_fixture.h"
#include "tests/unit/scratch.h"

static const char masked[] = "01KAHVBV00GEXTDV16368D7HZ8";

static void
run_file(struct fixture *f, struct lore_db *db, const char *path)
{
    struct lore_buf text = {0};

    ok(f, lore_file_read(path, &text, &f->err));
    ok(f, lore_db_exec(db, text.data, &f->err));
    lore_buf_free(&text);
}

/* A fixture whose database is the old one, migrated. */
static int
open_migrated(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct lore_db *old = NULL;

    lore_hash_init();
    assert_int_equal(scratch_make(f->dir), 0);
    ok(f, lore_db_open_file(lore_format(&f->arena, "%s/warplore.db", f->dir),
              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &old, &f->err));
    run_file(f, old, SOURCE_DIR "/migrations/0001_init.sql");
    ok(f, lore_db_exec(old, "BEGIN", &f->err));
    run_file(f, old, SOURCE_DIR "/tests/fixtures/schema/0001.sql");
    ok(f, lore_db_exec(old, "COMMIT", &f->err));
    lore_db_close(old);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    *state = f;
    return 0;
}

/* Close the database of F and open a new one. */
static void
start_afresh(struct fixture *f)
{
    lore_db_close(f->db);
    fixture_remove(f->dir);
    assert_int_equal(mkdir(f->dir, 0700), 0);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
}

static const char *
schema_of(struct fixture *f)
{
    LORE_STMT q = lore_sql(f->db, "SELECT type, name, tbl_name, coalesce(sql, '')"
                                  " FROM sqlite_schema ORDER BY type, name");
    struct lore_buf b = {0};
    const char *text;

    while (lore_row(&q))
        for (int i = 0; i < 4; i++)
            lore_buf_printf(&b, "%s\n", lore_col_text(&q, i, NULL));
    ok(f, lore_done(&q, &f->err));
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

static bool
add_line(void *ctx, const char *text)
{
    lore_buf_printf(ctx, "%s\n", text);
    return true;
}

static const char *
dump_of(struct fixture *f)
{
    struct lore_buf b = {0};
    const char *text;

    ok(f, lore_db_dump(f->db, add_line, &b, &f->err));
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

static const char *
text_of(struct fixture *f, const char *document)
{
    struct lore_document_row row;
    struct lore_buf b = {0};
    const char *text;

    ok(f, lore_db_get_document(f->db, document, &f->arena, &row, &b, &f->err));
    text = lore_strndup(&f->arena, b.data, b.len);
    lore_buf_free(&b);
    return text;
}

static void
the_schema_is_that_of_a_new_database(void **state)
{
    struct fixture *f = *state;
    const char *migrated = schema_of(f);

    start_afresh(f);
    assert_string_equal(migrated, schema_of(f));
}

static void
the_facts_are_those_that_its_documents_hold(void **state)
{
    struct fixture *f = *state;
    const char *migrated = dump_of(f), *texts[16];
    struct lore_export_row *rows;
    size_t n;

    ok(f, lore_db_check(f->db, &f->err));
    ok(f, lore_db_list_export(
              f->db, &(struct lore_export_part){0, 16, 1u << 30}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 7); /* four, and a decision for each mask */
    for (size_t i = 0; i < n; i++)
        texts[i] = text_of(f, rows[i].id);
    start_afresh(f);
    for (size_t i = 0; i < n; i++)
        ok(f, put(f, texts[i]));
    assert_string_equal(migrated, dump_of(f));
}

static void
masks_are_decisions_with_their_actor_time_and_reason(void **state)
{
    struct fixture *f = *state;
    struct lore_curation_row *rows;
    struct lore_mask_row *masks;
    struct lore_export_row *exported;
    size_t n, n_masks;

    ok(f, lore_db_list_curations(f->db,
              &(struct lore_list_filter){.subject = masked, .page.limit = 9}, &f->arena, &rows, &n,
              &f->err));
    ok(f, lore_db_list_masks(f->db, masked, &f->arena, &masks, &n_masks, &f->err));
    assert_int_equal(n, 3);
    assert_int_equal(n_masks, 3);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(rows[i].r.action, masks[i].masked ? "mask" : "unmask");
        assert_string_equal(rows[i].r.reason, masks[i].reason);
        assert_string_equal(rows[i].actor, "ann");
        assert_string_equal(masks[i].actor, "ann");
        assert_int_equal(rows[i].at_us, masks[i].at_us);
    }
    assert_string_equal(rows[0].r.reason, "wrong after all");
    ok(f, lore_db_list_export(f->db, &(struct lore_export_part){4, 16, 1u << 30}, &f->arena,
              &exported, &n, &f->err));
    assert_int_equal(n, 3);
    assert_non_null(strstr(exported[1].text, "\"reason\":\"fixed\""));
}

static void
what_was_masked_is_hidden(void **state)
{
    struct fixture *f = *state;
    struct lore_rebuilt done;
    bool hidden = false;

    ok(f, lore_db_get_hidden(f->db, masked, &hidden, &f->err));
    assert_true(hidden);
    ok(f, lore_verdicts_rebuild(f->db, NOW, &done, &f->err));
    ok(f, lore_db_get_hidden(f->db, masked, &hidden, &f->err));
    assert_true(hidden);
}

static void
what_may_not_be_passed_on_is_withheld_with_what_refers_to_it(void **state)
{
    struct fixture *f = *state;
    struct lore_export_row *rows;
    size_t n;

    ok(f, lore_db_list_export(
              f->db, &(struct lore_export_part){0, 16, 1u << 30}, &f->arena, &rows, &n, &f->err));
    assert_int_equal(n, 7);
    assert_non_null(rows[0].text);
    assert_non_null(rows[1].text);
    assert_null(rows[2].text); /* full.json */
    assert_null(rows[3].text); /* a version of its kernel */
}

static void
the_log_goes_on_and_a_copy_is_kept(void **state)
{
    struct fixture *f = *state;
    struct lore_event_row *events;
    int64_t count, migrations = 0;
    glob_t copies;
    size_t n;

    while (lore_migrations[migrations].name)
        migrations++;
    ok(f, lore_db_verify_events(f->db, &count, &f->err));
    assert_int_equal(count, 6 + migrations); /* what the old program logged, and one for each */
    ok(f, lore_db_list_events(
              f->db, (struct lore_page){.before = 0, .limit = 1}, &f->arena, &events, &n, &f->err));
    assert_string_equal(events[0].subject, lore_migrations[migrations - 1].name);
    assert_int_equal(glob(lore_format(&f->arena, "%s/backup/1-*.db", f->dir), 0, NULL, &copies), 0);
    assert_int_equal(copies.gl_pathc, 1);
    globfree(&copies);
}

/* A database of the schema before owners, with one document of an agent and one of a token. */
static int
open_without_owners(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    struct lore_db *old = NULL;

    lore_hash_init();
    assert_int_equal(scratch_make(f->dir), 0);
    ok(f, lore_db_open_file(lore_format(&f->arena, "%s/warplore.db", f->dir),
              SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, &old, &f->err));
    for (const struct lore_migration *m = lore_migrations; m->version < 16; m++)
        ok(f, lore_db_exec(old, m->sql, &f->err));
    ok(f, lore_db_exec(old,
              "PRAGMA user_version = 15;"
              "INSERT INTO fact_document (seq, id, hash, zstd, bytes, received_us, actor) VALUES"
              " (1, 'A', '', x'', 0, 1, 'agent:gpu01'), (2, 'B', '', x'', 0, 1, 'dev');"
              "INSERT INTO fact_agent VALUES (1, 'G', 'gpu01', x'01', 1), (2, 'H', 'h', x'02', 1);"
              "INSERT INTO fact_receipt VALUES (1, 'G', 1, 'b', x'', x'', x'', x'', 1),"
              " (2, 'H', 1, 'c', x'', x'', x'', x'', 1);"
              "INSERT INTO fact_receipt_line VALUES (1, 0, 'G', 1, x'', x'', 's', 1, NULL),"
              " (1, 1, 'G', 2, x'', x'', 'r', NULL, 'bad'), (2, 0, 'H', 1, x'', x'', 'd', 2, NULL)",
              &f->err));
    lore_db_close(old);
    ok(f, lore_db_open_writer(f->dir, &f->db, &f->err));
    *state = f;
    return 0;
}

static void
documents_of_agents_get_their_owner_from_the_receipt(void **state)
{
    struct fixture *f = *state;
    LORE_STMT q =
        lore_sql(f->db, "SELECT group_concat(document || owner) FROM fact_document_owner");

    assert_true(lore_row(&q));
    assert_string_equal(lore_col_text(&q, 0, NULL), "1G");
    ok(f, lore_done(&q, &f->err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_migrated, fixture_close)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_schema_is_that_of_a_new_database),
        TEST(the_facts_are_those_that_its_documents_hold),
        TEST(masks_are_decisions_with_their_actor_time_and_reason),
        TEST(what_was_masked_is_hidden),
        TEST(what_may_not_be_passed_on_is_withheld_with_what_refers_to_it),
        TEST(the_log_goes_on_and_a_copy_is_kept),
        cmocka_unit_test_setup_teardown(documents_of_agents_get_their_owner_from_the_receipt,
            open_without_owners, fixture_close),
    };

    return cmocka_run_group_tests_name("db migration", tests, NULL, NULL);
}

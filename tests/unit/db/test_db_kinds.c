// uses: verdicts
/* Adding a kind of record to the store: a struct, a row of the table of kinds and a table in the
 * database. It is then stored, checked, found and read in order like any other. */
#include "db/internal.h"
#include "db/kinds.h"
#include "db/query.h"
#include "db/search.h"
#include "tests/unit/db_fixture.h"

/* A note of a meeting about a version. */
struct note {
    const char *id, *version, *kernel, *text, *at;
    struct lore_i64 people;
};

static const struct lore_column note_columns[] = {
    {"version", LORE_COLUMN_TEXT, offsetof(struct note, version)},
    {"text", LORE_COLUMN_TEXT, offsetof(struct note, text)},
    {"people", LORE_COLUMN_I64, offsetof(struct note, people)},
    {"at_us", LORE_COLUMN_TIME, offsetof(struct note, at)},
};
static const struct lore_record_ref note_refs[] = {
    {"kernel", LORE_K_KERNEL, offsetof(struct note, kernel), false, false},
    {"version", LORE_K_VERSION, offsetof(struct note, version), true, false},
};
static const size_t note_words[] = {offsetof(struct note, text)};
static int after_calls;

static enum lore_status
note_before(
    const struct lore_put_ctx *c, const void *record, struct lore_made *made, struct lore_err *err)
{
    (void)c, (void)record, (void)err;
    made->has_rest = true;
    made->rest = "{\"a\":1}";
    return LORE_OK;
}

static enum lore_status
note_after(const struct lore_put_ctx *c, const void *record, const struct lore_made *made,
    int64_t seq, struct lore_err *err)
{
    (void)c, (void)record, (void)made, (void)err;
    assert_true(seq > 0);
    after_calls++;
    return LORE_OK;
}

static struct lore_buf note_sql[LORE_SQL_KINDS];
static const struct lore_db_kind note_kind = {.kind = LORE_K_COUNT,
    .sql = note_sql,
    .table = "fact_note",
    .noun = "note",
    .columns = note_columns,
    .n_columns = 4,
    .refs = note_refs,
    .n_refs = 2,
    .searched = "note",
    .title = {offsetof(struct note, text), offsetof(struct note, text)},
    .words = note_words,
    .n_words = 1,
    .before = note_before,
    .after = note_after};

static int
setup(void **state)
{
    struct fixture *f;

    fixture_open(state);
    f = *state;
    after_calls = 0;
    for (int i = 0; i < LORE_SQL_KINDS; i++)
        lore_buf_reset(&note_sql[i]);
    lore_kind_write_sql(&note_kind);
    ok(f, lore_db_exec(f->db,
              "CREATE TABLE fact_note (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
              " digest BLOB NOT NULL, document INTEGER NOT NULL, version TEXT REFERENCES"
              " fact_version (id), text TEXT, people INTEGER, at_us INTEGER, rest TEXT) STRICT",
              &f->err));
    return 0;
}

static enum lore_status
put_note(struct fixture *f, const struct note *n, unsigned char first)
{
    struct lore_put_ctx c = {
        .db = f->db, .document = 1, .arena = &f->arena, .actor = "tester", .now_us = NOW};
    unsigned char digest[32] = {first};

    return lore_put_by_kind(&c, &note_kind, n, digest, &f->last, &f->err);
}

static void
a_record_of_a_new_kind_is_stored_once_with_its_columns(void **state)
{
    struct fixture *f = *state;
    struct note n = {.id = "01JB0000000000000000000001",
        .text = "wider loads",
        .at = "2026-01-02T03:04:05Z",
        .people = {true, 3}};

    ok(f, put_note(f, &n, 1));
    assert_int_equal(f->last, LORE_PUT_STORED);
    ok(f, put_note(f, &n, 1));
    assert_int_equal(f->last, LORE_PUT_DUPLICATE);
    assert_int_equal(after_calls, 1);
    assert_int_equal(put_note(f, &n, 2), LORE_CONFLICT);
    assert_non_null(strstr(f->err.msg, "note 01JB0000000000000000000001 is stored with other"));

    LORE_STMT q =
        lore_sql(f->db, "SELECT text, people, at_us, rest, document, version FROM fact_note");
    assert_true(lore_row(&q));
    assert_string_equal(lore_col_text(&q, 0, NULL), "wider loads");
    assert_int_equal(lore_col_i64(&q, 1), 3);
    assert_int_equal(lore_col_i64(&q, 2), INT64_C(1767323045000000));
    assert_string_equal(lore_col_text(&q, 3, NULL), "{\"a\":1}");
    assert_int_equal(lore_col_i64(&q, 4), 1);
    assert_true(lore_col_null(&q, 5));
    assert_false(lore_row(&q));
}

static void
its_references_are_checked_with_and_without_a_key(void **state)
{
    struct fixture *f = *state;
    struct note n = {
        .id = "01JB0000000000000000000002", .text = "x", .kernel = "01JB0000000000000000000009"};

    assert_int_equal(put_note(f, &n, 1), LORE_INVALID);
    assert_string_equal(f->err.code, "unknown_reference");
    assert_string_equal(f->err.path, "kernel");
    n.kernel = NULL;
    n.version = "01JB0000000000000000000008";
    assert_int_equal(put_note(f, &n, 1), LORE_INVALID);
    assert_string_equal(f->err.path, "version");
    assert_non_null(strstr(f->err.msg, "there is no version 01JB0000000000000000000008"));
    assert_int_equal(after_calls, 0);
}

static void
its_words_are_found_and_its_rows_are_read_in_order(void **state)
{
    struct fixture *f = *state;
    struct note late = {.id = "01JB0000000000000000000005", .text = "shared memory padding"},
                early = {.id = "01JB0000000000000000000004", .text = "persistent tiles"};

    ok(f, put_note(f, &late, 1));
    ok(f, put_note(f, &early, 2));
    LORE_STMT found =
        lore_sql(f->db, "SELECT kind, ref FROM drv_search WHERE drv_search MATCH 'padding'");
    assert_true(lore_row(&found));
    assert_string_equal(lore_col_text(&found, 0, NULL), "note");
    assert_string_equal(lore_col_text(&found, 1, NULL), late.id);
    LORE_STMT stored = lore_kind_open(f->db, &note_kind, LORE_SQL_RECORDS);
    assert_true(lore_row(&stored));
    assert_string_equal(lore_col_text(&stored, 2, NULL), late.id);
    LORE_STMT dump = lore_kind_open(f->db, &note_kind, LORE_SQL_DUMP);
    assert_true(lore_row(&dump));
    assert_string_equal(lore_col_text(&dump, 0, NULL), early.id);
}

static void
every_kind_stands_after_those_it_refers_to(void **state)
{
    (void)state;
    for (size_t i = 0; i < LORE_K_COUNT; i++) {
        const struct lore_db_kind *k = &lore_db_kinds[i];
        assert_ptr_equal(lore_db_kind(k->kind), k);
        for (size_t r = 0; r < k->n_refs; r++) {
            bool stands = k->refs[r].to == LORE_REF_CHIP || k->refs[r].to == k->kind;
            for (size_t j = 0; j < i; j++)
                stands |= lore_db_kinds[j].kind == k->refs[r].to;
            if (!stands)
                fail_msg("%s refers to a later kind by %s", k->noun, k->refs[r].field);
        }
    }
}

static void
search_names_the_kinds_that_the_store_makes_findable(void **state)
{
    size_t n = 0, named = 1;

    (void)state;
    for (size_t i = 0; i < LORE_K_COUNT; i++)
        if (lore_db_kinds[i].searched != NULL) {
            assert_non_null(strstr(LORE_SEARCHED_KINDS, lore_db_kinds[i].searched));
            n++;
        }
    for (const char *c = LORE_SEARCHED_KINDS; *c != '\0'; c++)
        named += *c == '|';
    assert_int_equal(n, named);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(search_names_the_kinds_that_the_store_makes_findable),
        cmocka_unit_test_setup_teardown(
            a_record_of_a_new_kind_is_stored_once_with_its_columns, setup, fixture_close),
        cmocka_unit_test_setup_teardown(
            its_references_are_checked_with_and_without_a_key, setup, fixture_close),
        cmocka_unit_test_setup_teardown(
            its_words_are_found_and_its_rows_are_read_in_order, setup, fixture_close),
        cmocka_unit_test(every_kind_stands_after_those_it_refers_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

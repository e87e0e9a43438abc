// uses: ingest
// What leaves: every submission as it came, oldest first, but nothing whose source forbids it, nor
// what refers to that. And what arrives elsewhere: an empty service that takes an export holds the
// same facts, which the dump shows line by line.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "service/verdicts/verdicts.h"
#include "tests/unit/ingest_fixture.h"

static void
put_file(struct fixture *f, const char *name)
{
    struct lore_buf text = {0};
    const char *path = lore_format(&f->arena, "%s/tests/fixtures/%s", SOURCE_DIR, name);

    assert_int_equal(lore_file_read(path, &text, &f->err), LORE_OK);
    if (put_now(f, text.data) != LORE_OK)
        fail_msg("%s: %s", name, f->err.msg);
    lore_buf_free(&text);
}

static bool
add_line(void *ctx, const char *text)
{
    lore_buf_printf(ctx, "%s\n", text);
    return true;
}

static const char *
dump(struct fixture *f)
{
    struct lore_buf text = {0};
    const char *copy;

    if (lore_db_dump(f->db, add_line, &text, &f->err) != LORE_OK)
        fail_msg("%s", f->err.msg);
    copy = lore_strndup(&f->arena, text.data != NULL ? text.data : "", text.len);
    lore_buf_free(&text);
    return copy;
}

static struct lore_export_row *
export_all(struct fixture *f, size_t *n)
{
    struct lore_export_row *rows = NULL;

    assert_int_equal(lore_db_list_export(f->db, &(struct lore_export_part){0, 1000, 1u << 30},
                         &f->arena, &rows, n, &f->err),
        LORE_OK);
    return rows;
}

/* An empty database; the one of F is closed for it, as a program has one writer. */
static struct fixture *
another(struct fixture *f)
{
    struct fixture *other = NULL;

    lore_db_close(f->db);
    f->db = NULL;
    assert_int_equal(set_up((void **)&other), 0);
    return other;
}

/* Take everything that F exports into an empty database. */
static struct fixture *
copy_of(struct fixture *f)
{
    size_t n;
    struct lore_export_row *rows = export_all(f, &n);
    struct fixture *copy = another(f);

    for (size_t i = 0; i < n; i++)
        if (rows[i].text && put_now(copy, rows[i].text) != LORE_OK)
            fail_msg("%s: %s", rows[i].id, copy->err.msg);
    return copy;
}

/* KERNEL, a document with one kernel (id K), that may not be passed on. */
static const char *
forbidden(struct fixture *f, int n, int kernel)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"gemm\",\"name\":"
        "\"k\",\"language\":\"hip\",\"provenance\":{\"redistribution\":\"forbidden\"}}]}",
        id(f, n), id(f, kernel));
}

static const char *
version_of(struct fixture *f, int n, int version, int kernel)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\",\"kind\":"
        "\"baseline\"}]}",
        id(f, n), id(f, version), id(f, kernel));
}

static void
what_was_submitted_leaves_as_it_came_and_in_order(void **state)
{
    struct fixture *f = *state;
    const char *first = document(f, 100, 4, "x"), *second = document(f, 99, 5, "y");
    struct lore_export_row *rows;
    size_t n;

    assert_int_equal(put_now(f, first), LORE_OK);
    assert_int_equal(put_now(f, second), LORE_OK);
    rows = export_all(f, &n);
    assert_int_equal(n, 2);
    assert_string_equal(rows[0].text, first);
    assert_string_equal(rows[1].text, second);
    assert_string_equal(rows[1].id, id(f, 99));
    assert_string_equal(rows[0].actor, "tester");
    assert_int_equal(lore_db_list_export(f->db, &(struct lore_export_part){rows[0].seq, 9, 1},
                         &f->arena, &rows, &n, &f->err),
        LORE_OK);
    assert_int_equal(n, 1);
    assert_int_equal(lore_db_list_export(
                         f->db, &(struct lore_export_part){0, 9, 1}, &f->arena, &rows, &n, &f->err),
        LORE_OK);
    assert_int_equal(n, 1); /* one at least, however long */
    assert_int_equal(
        lore_db_list_export(f->db, &(struct lore_export_part){0, 9, strlen(first) + strlen(second)},
            &f->arena, &rows, &n, &f->err),
        LORE_OK);
    assert_int_equal(n, 2);
}

static void
a_forbidden_record_keeps_its_document_and_all_that_refer_to_it_here(void **state)
{
    struct fixture *f = *state;
    struct lore_export_row *rows;
    struct lore_rebuilt done;
    const char *experiment = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"directions\":[{\"id\":\"%s\",\"text\":\"t\"}],"
        "\"curations\":[{\"id\":\"%s\",\"action\":\"comment\",\"subjects\":[\"%s\"],\"reason\":"
        "\"r\"}]}",
        id(f, 103), id(f, 30), id(f, 31), id(f, 21));
    const bool withheld[] = {false, true, true, true, false};
    size_t n;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, forbidden(f, 101, 20)), LORE_OK);
    assert_int_equal(put_now(f, version_of(f, 102, 21, 20)), LORE_OK);
    assert_int_equal(put_now(f, experiment), LORE_OK); /* refers to 21, that refers to 20 */
    assert_int_equal(put_now(f, document(f, 104, 5, "y")), LORE_OK);
    for (int round = 0; round < 2; round++) {
        rows = export_all(f, &n);
        assert_int_equal(n, 5);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(!rows[i].text, withheld[i]);
        assert_int_equal(lore_verdicts_rebuild(f->db, 1, &done, &f->err), LORE_OK);
    }
}

#define OPEN "{\"id\":\"%s\",\"operator\":\"gemm\",\"name\":\"k\",\"language\":\"hip\"%s}"

static void
repeating_what_is_here_in_a_document_that_forbids_withholds_none_of_it(void **state)
{
    struct fixture *f = *state;
    struct lore_export_row *rows;
    struct lore_rebuilt done;
    const char *public = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[" OPEN "]}", id(f, 100), id(f, 20), "");
    const char *mixed = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[" OPEN "," OPEN "]}", id(f, 101), id(f, 20), "",
        id(f, 22), ",\"provenance\":{\"redistribution\":\"forbidden\"}");
    const bool withheld[] = {false, true, false, true};
    size_t n;

    assert_int_equal(put_now(f, public), LORE_OK);
    assert_int_equal(put_now(f, mixed), LORE_OK);
    assert_int_equal(put_now(f, version_of(f, 102, 23, 20)), LORE_OK);
    assert_int_equal(put_now(f, version_of(f, 103, 24, 22)), LORE_OK);
    for (int round = 0; round < 2; round++) {
        rows = export_all(f, &n);
        assert_int_equal(n, 4);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(!rows[i].text, withheld[i]);
        assert_int_equal(lore_verdicts_rebuild(f->db, 1, &done, &f->err), LORE_OK);
    }
}

static void
what_says_forbidden_in_other_words_leaves(void **state)
{
    struct fixture *f = *state;
    struct lore_export_row *rows;
    struct lore_rebuilt done;
    const char *body = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"kernels\":[{\"id\":\"%s\",\"operator\":\"gemm\",\"name\":"
        "\"k\",\"language\":\"hip\",\"extra\":{\"redistribution\":\"forbidden\"}}]}",
        id(f, 101), id(f, 20));
    size_t n;

    assert_int_equal(put_now(f, body), LORE_OK);
    for (int round = 0; round < 2; round++) {
        rows = export_all(f, &n);
        assert_non_null(rows[0].text);
        assert_int_equal(lore_verdicts_rebuild(f->db, 1, &done, &f->err), LORE_OK);
    }
}

static void
a_refused_document_withholds_nothing(void **state)
{
    struct fixture *f = *state;
    struct lore_export_row *rows;
    size_t n;
    const char *bad = lore_format(&f->arena,
        "%.*s,\"versions\":[{\"id\":\"%s\",\"kernel\":\"%s\","
        "\"kind\":\"baseline\"}]}",
        (int)strlen(forbidden(f, 101, 20)) - 1, forbidden(f, 101, 20), id(f, 22), id(f, 77));

    assert_int_equal(put_now(f, bad), LORE_INVALID);
    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    rows = export_all(f, &n);
    assert_int_equal(n, 1);
    assert_non_null(rows[0].text);
}

static void
an_export_taken_by_an_empty_service_dumps_the_same(void **state)
{
    struct fixture *f = *state, *copy;
    const char *given;

    put_file(f, "demo/kernel-forge.json");
    put_file(f, "demo/kernel-opt-skill.json");
    assert_int_equal(
        put_now(
            f, lore_format(&f->arena,
                   "{\"warplore\":1,\"id\":\"%s\",\"artifacts\":[{\"name\":\"a\",\"media_type\":"
                   "\"text/plain\",\"text\":\"hello\"}]}",
                   id(f, 98))),
        LORE_OK);
    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    given = dump(f);
    assert_non_null(strstr(given, "{\"kind\":\"kernel\",\"record\":"));
    assert_non_null(strstr(given, "\"kind\":\"artifact\""));
    copy = copy_of(f);
    assert_string_equal(dump(copy), given);
    tear_down((void **)&copy);
}

static void
every_kind_is_in_the_dump_and_other_facts_dump_otherwise(void **state)
{
    struct fixture *f = *state, *other;
    const char *given, *kind;

    put_file(f, "submissions/every_field.json");
    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    given = dump(f);
    for (int k = 0; k < LORE_K_COUNT; k++) {
        kind = lore_format(&f->arena, "\"kind\":\"%s\",", lore_kind_name(k));
        if (!strstr(given, kind))
            fail_msg("no %s in the dump", kind);
    }
    assert_non_null(strstr(given, "\"sources\":[{\"blob\":"));
    other = another(f);
    put_file(other, "submissions/every_field.json");
    assert_int_equal(put_now(other, document(f, 100, 4, "z")), LORE_OK);
    assert_string_not_equal(dump(other), given);
    tear_down((void **)&other);
}

static void
records_in_other_documents_and_order_dump_the_same(void **state)
{
    struct fixture *f = *state, *other;
    const char *given;

    assert_int_equal(put_now(f, document(f, 100, 4, "x")), LORE_OK);
    assert_int_equal(put_now(f, document(f, 101, 5, "y")), LORE_OK);
    given = dump(f);
    other = another(f);
    assert_int_equal(put_now(other, document(f, 103, 5, "y")), LORE_OK);
    assert_int_equal(put_now(other, document(f, 102, 4, "x")), LORE_OK);
    assert_string_equal(dump(other), given);
    tear_down((void **)&other);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
        T(what_was_submitted_leaves_as_it_came_and_in_order),
        T(a_forbidden_record_keeps_its_document_and_all_that_refer_to_it_here),
        T(repeating_what_is_here_in_a_document_that_forbids_withholds_none_of_it),
        T(what_says_forbidden_in_other_words_leaves),
        T(a_refused_document_withholds_nothing),
        T(an_export_taken_by_an_empty_service_dumps_the_same),
        T(every_kind_is_in_the_dump_and_other_facts_dump_otherwise),
        T(records_in_other_documents_and_order_dump_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

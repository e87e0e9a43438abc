// uses: ingest
/* A memory that is filled at start, in parallel, answers as one that grew document by document. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/base/file.h"
#include "tests/unit/ingest_fixture.h"

static void
put(struct fixture *f, struct lore_indexes *m, const char *body)
{
    assert_int_equal(lore_ingest_now(f->db, &(struct lore_ingest_parts){.indexes = m},
                         &(struct lore_ingest_doc){body, strlen(body), "tester", true, NULL, 0},
                         &f->arena, &f->receipt, &f->err),
        LORE_OK);
}

static void
put_files(struct fixture *f, struct lore_indexes *m, const char *pattern)
{
    glob_t files;

    assert_int_equal(
        glob(lore_format(&f->arena, SOURCE_DIR "/tests/fixtures/%s", pattern), 0, NULL, &files), 0);
    for (size_t i = 0; i < files.gl_pathc; i++) {
        struct lore_buf text = {0};

        assert_int_equal(lore_file_read(files.gl_pathv[i], &text, &f->err), LORE_OK);
        put(f, m, text.data);
        lore_buf_free(&text);
    }
    globfree(&files);
}

static void
curate(struct fixture *f, struct lore_indexes *m, int n, const char *action, const char *subject)
{
    put(f, m,
        lore_format(&f->arena,
            "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"%s\","
            "\"subjects\":[\"%s\"],\"reason\":\"why\"}]}",
            id(f, n), id(f, n + 1), action, subject));
}

static void
print_evidence(struct lore_indexes *m, struct lore_buf *out)
{
    const struct lore_evidence_index *ix = lore_indexes_evidence(m);

    for (size_t i = 0; i < lore_evidence_count(ix); i++) {
        struct lore_evidence_row row = lore_evidence_at(ix, i);
        lore_buf_printf(out, "%lld %s %s %d %d %d %u\n", (long long)row.seq,
            lore_evidence_text(ix, row.op), lore_evidence_text(ix, row.technique), row.effect,
            row.masked, row.share, row.labels);
    }
    lore_indexes_unlock(m);
}

static const char *
text_or(const char *s)
{
    return s ? s : "-";
}

static void
print_board(struct fixture *f, struct lore_indexes *m, struct lore_buf *out)
{
    const struct lore_board_filter any = {.limit = 10000};
    struct lore_board_row *rows;
    size_t n, total;

    lore_board(lore_indexes_board(m), &any, &f->arena, &rows, &n, &total);
    for (size_t i = 0; i < n; i++) {
        const struct lore_board_row *r = &rows[i];

        lore_buf_printf(out, "%s %s %s %s %s %.17g %.17g %u %u %u %u %zu %zu %s\n", r->op,
            text_or(r->chip), text_or(r->workload), text_or(r->best_version), text_or(r->best_run),
            r->time_ns, r->speedup.value, (unsigned)r->versions, (unsigned)r->runs,
            (unsigned)r->won, (unsigned)r->lost, r->n_excluded, r->n_tied, text_or(r->status));
    }
    lore_indexes_unlock(m);
}

static const char *
all_of(struct fixture *f, struct lore_indexes *m)
{
    struct lore_buf out = {0};
    const char *text;

    print_evidence(m, &out);
    print_board(f, m, &out);
    text = lore_strndup(&f->arena, out.data, out.len);
    lore_buf_free(&out);
    return text;
}

static void
what_is_filled_at_once_equals_what_grew(void **state)
{
    struct fixture *f = *state;
    struct lore_indexes *grown = NULL, *filled = NULL;
    const char *before;

    assert_int_equal(lore_indexes_load(f->db, &grown, &f->err), LORE_OK);
    put_files(f, grown, "demo/*.json");
    put_files(f, grown, "h200/0*.json");
    assert_int_equal(lore_indexes_load(f->db, &filled, &f->err), LORE_OK);
    before = all_of(f, grown);
    assert_true(strlen(before) > 5000);
    assert_string_equal(before, all_of(f, filled));
    lore_indexes_free(filled);

    /* What was decided about records that both had. */
    put(f, grown, document(f, 100, 4, "x"));
    curate(f, grown, 300, "mask", id(f, 4));
    put(f, grown, document(f, 101, 5, "y"));
    curate(f, grown, 310, "retract", id(f, 3));
    assert_int_equal(lore_indexes_load(f->db, &filled, &f->err), LORE_OK);
    assert_string_not_equal(before, all_of(f, filled));
    assert_string_equal(all_of(f, grown), all_of(f, filled));
    lore_indexes_free(filled);
    lore_indexes_free(grown);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_filled_at_once_equals_what_grew, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

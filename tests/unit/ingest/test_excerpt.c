// uses: ingest
/* The database of one project: which documents it takes, that it follows the source and goes on
 * from its last document after a stop, that its writes reach the source, and that other projects
 * stay hidden. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "db/excerpt.h"
#include "db/internal.h"
#include "service/ingest/excerpt.h"
#include "service/ingest/shipped.h"
#include "tests/unit/ingest_fixture.h"

/* What a wait for the follower may take on a busy machine. */
#define WAIT_MS 60000

struct project {
    struct fixture *f;
    char dir[80];
    const char *name;
    struct lore_ingest *source, *in;
    struct lore_excerpt *x;
    struct lore_receipt receipt;
};
static const _Atomic bool go_on = false;

/* ---- documents ---- */

/* Document N, which brings kernel N of PROJECT ("": none); ALSO: of the document itself. */
static const char *
kernel(struct fixture *f, int n, const char *project, const char *also)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\"%s%s%s,\"kernels\":[{\"id\":\"%s\",\"operator\":\"softmax\","
        "\"name\":\"row%d\",\"language\":\"cuda\"%s%s%s}]}",
        id(f, n), *also ? ",\"project\":\"" : "", also, *also ? "\"" : "", id(f, n + 500), n,
        *project ? ",\"project\":\"" : "", project, *project ? "\"" : "");
}

/* Document N: a remark about a record, which states no project. */
static const char *
remark(struct fixture *f, int n, const char *about, const char *says)
{
    return lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"curations\":[{\"id\":\"%s\",\"action\":\"comment\","
        "\"subjects\":[\"%s\"],\"reason\":\"%s\"}]}",
        id(f, n), id(f, n + 500), about, says);
}

static enum lore_status
submit(struct project *p, struct lore_ingest *to, const char *body)
{
    enum lore_status status;

    memset(&p->f->err, 0, sizeof p->f->err);
    status = lore_ingest_submit(to,
        &(struct lore_ingest_doc){body, strlen(body), "tester", true, NULL, 0}, &p->f->arena,
        &p->receipt, &p->f->err);
    if (status == LORE_INVALID) /* of the test itself */
        print_message("%s: %s\n", body, p->f->err.msg);
    return status;
}

static bool
has(struct fixture *f, const char *dir, const char *what)
{
    struct lore_db *db = NULL;
    struct lore_err err = {0};
    const char *actor;
    enum lore_status status;

    assert_int_equal(lore_db_open_reader(dir, &db, &err), LORE_OK);
    status = lore_db_find_any(db, what, &f->arena, &actor, &err);
    lore_db_close(db);
    assert_true(status == LORE_OK || status == LORE_NOTFOUND);
    return status == LORE_OK;
}

/* ---- source and excerpt ---- */

static void
begin(struct fixture *f, struct project *p)
{
    *p = (struct project){.f = f, .name = "team/alpha"};
    snprintf(p->dir, sizeof p->dir, "%s/alpha", f->dir);
    assert_int_equal(lore_ingest_start(
                         f->db, &(struct lore_ingest_parts){.queue_max = 100}, &p->source, &f->err),
        LORE_OK);
    f->db = NULL;
}

/* The status of lore_excerpt_open; the excerpt follows when it is LORE_OK. */
static enum lore_status
open_excerpt(struct project *p, const char *source_dir)
{
    const struct lore_excerpt_setup setup = {p->name, source_dir, p->source};
    struct lore_err *err = &p->f->err;
    struct lore_db *db = NULL;
    enum lore_status status;

    memset(err, 0, sizeof *err);
    assert_int_equal(lore_db_open_writer(p->dir, &db, err), LORE_OK);
    status = lore_excerpt_open(&setup, db, &p->x, err);
    if (status != LORE_OK) {
        lore_db_close(db);
        return status;
    }
    assert_int_equal(lore_shipped_store(db, &(struct lore_ingest_parts){0}, err), LORE_OK);
    assert_int_equal(
        lore_ingest_start(
            db, &(struct lore_ingest_parts){.queue_max = 100, .excerpt = p->x}, &p->in, err),
        LORE_OK);
    assert_int_equal(lore_excerpt_follow(p->x, p->in, &go_on, err), LORE_OK);
    return LORE_OK;
}

static void
close_excerpt(struct project *p)
{
    lore_excerpt_stop(p->x);
    lore_ingest_stop(p->in);
    lore_excerpt_close(p->x);
    p->x = NULL;
    p->in = NULL;
}

static void
end(struct project *p)
{
    if (p->x)
        close_excerpt(p);
    lore_ingest_stop(p->source);
}

static int64_t
documents(struct project *p, const char *dir)
{
    struct lore_db *db = NULL;
    int64_t n;

    assert_int_equal(lore_db_open_reader(dir, &db, &p->f->err), LORE_OK);
    n = rows(p->f, db, "fact_document");
    lore_db_close(db);
    return n;
}

/* ---- tests ---- */

static void
it_has_the_documents_of_its_project_and_no_others(void **state)
{
    struct fixture *f = *state;
    struct project p;
    const char *own = id(f, 501), *foreign = id(f, 502);

    begin(f, &p);
    assert_int_equal(submit(&p, p.source, kernel(f, 1, "team/alpha", "team/alpha")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 2, "team/beta", "team/beta")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 3, "team/alpha", "")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 4, "team/alphabet", "")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 5, "", "")), LORE_OK);
    assert_int_equal(submit(&p, p.source, remark(f, 6, own, "why")), LORE_OK);
    assert_int_equal(submit(&p, p.source, remark(f, 7, foreign, "why")), LORE_OK);
    assert_int_equal(submit(&p, p.source, remark(f, 8, own, foreign)), LORE_OK);
    assert_int_equal(submit(&p, p.source, remark(f, 9, id(f, 506), "why")), LORE_OK);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    for (int n = 1; n <= 9; n++) {
        bool wanted = n == 1 || n == 3 || n == 6 || n == 9; /* 9: about the remark of 6 */

        if (has(f, p.dir, id(f, n)) != wanted)
            fail_msg("document %d is %sthere", n, wanted ? "not " : "");
    }
    end(&p);
}

static void
what_names_shipped_records_alone_belongs_to_nobody(void **state)
{
    struct fixture *f = *state;
    struct project p;
    const char *shipped = NULL;

    assert_int_equal(lore_shipped_store(f->db, &(struct lore_ingest_parts){0}, &f->err), LORE_OK);
    {
        LORE_STMT q = lore_sql(f->db, "SELECT id FROM fact_spec LIMIT 1");

        assert_true(lore_row(&q));
        shipped = lore_col_text(&q, 0, &f->arena);
        assert_int_equal(lore_done(&q, &f->err), LORE_OK);
    }
    begin(f, &p);
    assert_int_equal(submit(&p, p.source, remark(f, 1, shipped, "why")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 2, "team/alpha", "team/alpha")), LORE_OK);
    assert_int_equal(submit(&p, p.source, remark(f, 3, id(f, 502), shipped)), LORE_OK);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    assert_true(has(f, p.dir, shipped));
    assert_false(has(f, p.dir, id(f, 1)));
    assert_true(has(f, p.dir, id(f, 3)));
    end(&p);
}

static void
it_follows_and_goes_on_where_it_was(void **state)
{
    struct fixture *f = *state;
    struct project p;
    int64_t before;

    begin(f, &p);
    assert_int_equal(submit(&p, p.source, kernel(f, 1, "team/alpha", "team/alpha")), LORE_OK);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 2, "team/alpha", "team/alpha")), LORE_OK);
    assert_int_equal(submit(&p, p.source, kernel(f, 3, "team/beta", "team/beta")), LORE_OK);
    assert_true(lore_excerpt_wait(p.x, WAIT_MS));
    assert_true(has(f, p.dir, id(f, 2)));
    assert_false(has(f, p.dir, id(f, 3)));
    before = documents(&p, p.dir);
    close_excerpt(&p);
    assert_int_equal(submit(&p, p.source, kernel(f, 4, "team/alpha", "team/alpha")), LORE_OK);
    assert_false(has(f, p.dir, id(f, 4)));
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    assert_true(has(f, p.dir, id(f, 4)));
    assert_int_equal(documents(&p, p.dir), before + 1);
    /* nothing is stored a second time */
    struct lore_ingest_stats stats;
    lore_ingest_stats(p.in, &stats);
    assert_int_equal(stats.documents, 1);
    assert_int_equal(stats.duplicates, 0);
    end(&p);
}

static void
what_is_written_to_it_is_in_the_source(void **state)
{
    struct fixture *f = *state;
    struct project p;

    begin(f, &p);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    assert_int_equal(submit(&p, p.in, kernel(f, 1, "team/alpha", "team/alpha")), LORE_OK);
    assert_true(has(f, p.dir, id(f, 1)));
    assert_true(has(f, f->dir, id(f, 1)));
    assert_true(lore_excerpt_wait(p.x, WAIT_MS)); /* and does not come back as another one */
    assert_int_equal(submit(&p, p.in, kernel(f, 1, "team/alpha", "team/alpha")), LORE_OK);
    assert_true(p.receipt.duplicate);
    for (int n = 2; n <= 4; n++) {
        static const char *const others[] = {"", "team/beta", "team/alphabet"};

        assert_int_equal(submit(&p, p.in, kernel(f, n, others[n - 2], "")), LORE_FORBIDDEN);
        assert_string_equal(f->err.code, "other_project");
        assert_false(has(f, p.dir, id(f, n)));
        assert_false(has(f, f->dir, id(f, n)));
    }
    end(&p);
}

static void
a_taken_id_tells_nothing_of_its_record(void **state)
{
    struct fixture *f = *state;
    struct project p;
    const char *body;

    begin(f, &p);
    assert_int_equal(submit(&p, p.source, kernel(f, 1, "team/beta", "team/beta")), LORE_OK);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    body = lore_format(&f->arena,
        "{\"warplore\":1,\"id\":\"%s\",\"project\":\"team/alpha\",\"kernels\":[{\"id\":\"%s\","
        "\"operator\":\"gemm\",\"name\":\"mine\",\"language\":\"cuda\",\"project\":\"team/"
        "alpha\"}]}",
        id(f, 2), id(f, 501));
    assert_int_equal(submit(&p, p.in, body), LORE_CONFLICT);
    assert_string_equal(f->err.code, "conflict");
    assert_string_equal(f->err.path, "");
    assert_null(strstr(f->err.msg, "01JB"));
    assert_null(strstr(f->err.msg, "row1"));
    assert_false(has(f, p.dir, id(f, 2)));
    assert_false(has(f, p.dir, id(f, 501)));
    assert_false(has(f, f->dir, id(f, 2)));
    end(&p);
}

static void
one_of_another_source_is_refused(void **state)
{
    struct fixture *f = *state;
    struct project p;
    struct lore_ingest *first;
    struct lore_db *db = NULL;
    char other[80];

    begin(f, &p);
    for (int n = 1; n <= 3; n++)
        assert_int_equal(submit(&p, p.source, kernel(f, n, "team/alpha", "team/alpha")), LORE_OK);
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    close_excerpt(&p);
    first = p.source;
    snprintf(other, sizeof other, "%s/other", f->dir);
    assert_int_equal(lore_db_open_writer(other, &db, &f->err), LORE_OK);
    assert_int_equal(
        lore_ingest_start(db, &(struct lore_ingest_parts){.queue_max = 100}, &p.source, &f->err),
        LORE_OK);
    for (int n = 11; n <= 15; n++) { /* fewer events than the first, as many, more */
        assert_int_equal(submit(&p, p.source, kernel(f, n, "team/alpha", "team/alpha")), LORE_OK);
        assert_int_equal(open_excerpt(&p, other), LORE_CORRUPT);
        assert_string_equal(f->err.code, "excerpt_foreign");
        assert_null(p.x);
    }
    lore_ingest_stop(p.source);
    p.source = first;
    assert_int_equal(open_excerpt(&p, f->dir), LORE_OK);
    end(&p);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(it_has_the_documents_of_its_project_and_no_others),
        TEST(what_names_shipped_records_alone_belongs_to_nobody),
        TEST(it_follows_and_goes_on_where_it_was),
        TEST(what_is_written_to_it_is_in_the_source),
        TEST(a_taken_id_tells_nothing_of_its_record),
        TEST(one_of_another_source_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

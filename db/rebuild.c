/* Rebuild all derived rows from the facts: verdicts by the policies of this program, hidden and
 * withheld records, list rows, the search index. All in one transaction, so a rebuild that ends
 * early has changed nothing.
 *
 * Outcomes are not deleted. An outcome that changes is superseded and stays in the history; one
 * that stays the same keeps its time. Not for a running service, which holds verdicts in memory. */
#include "db/rebuild.h"
#include "db/copies.h"
#include "db/curated.h"
#include "db/entry.h"
#include "db/experiment_facets.h"
#include "db/feedback_version.h"
#include "db/files.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/put.h"
#include "db/read.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/settings.h"
#include "db/sweep.h"
#include "db/withheld.h"
#include "service/base/hash.h"

/* A scan over the records of one searched kind. */
struct cursor {
    struct lore_stmt q; /* document, seq, id */
    const struct lore_db_kind *kind;
    bool more;
};

static enum lore_status
derive(const struct lore_put_ctx *c, struct cursor *at, lore_judge_fn judge, struct lore_err *err)
{
    const char *id = lore_col_text(&at->q, 2, c->arena);
    struct lore_whole whole;
    enum lore_status status = LORE_OK;

    if (at->kind->kind == LORE_K_EXPERIMENT) {
        status = judge(c->db, id, c->arena, c->now_us, err);
        if (status == LORE_OK) /* needs the verdict, and makes the experiment readable */
            status = lore_experiment_facets_put(c->db, lore_col_i64(&at->q, 1), err);
    }
    if (status == LORE_OK)
        status = lore_db_get_whole(c->db, at->kind->kind, id, c->arena, &whole, err);
    if (status == LORE_OK)
        status = lore_kind_search(c, at->kind, whole.record, NULL, err);
    return status == LORE_OK ? lore_search_flush(c->db, err) : status;
}

/* The scan whose next record was stored first; NULL when all are done. The search index ranks the
 * newest rows, so it is filled in the order of storing. */
static struct cursor *
first_of(struct cursor *cursors, size_t n)
{
    struct cursor *first = NULL;

    for (size_t i = 0; i < n; i++)
        if (cursors[i].more &&
            (!first || lore_col_i64(&cursors[i].q, 0) < lore_col_i64(&first->q, 0)))
            first = &cursors[i];
    return first;
}

static enum lore_status
derive_all(const struct lore_put_ctx *c, lore_judge_fn judge, struct lore_err *err)
{
    struct cursor cursors[LORE_K_COUNT], *at;
    enum lore_status status = LORE_OK, closed;
    size_t n = 0;

    for (size_t i = 0; i < LORE_K_COUNT; i++) {
        if (!lore_db_kinds[i].searched)
            continue;
        cursors[n].kind = &lore_db_kinds[i];
        cursors[n].q = lore_kind_open(c->db, cursors[n].kind, LORE_SQL_RECORDS);
        cursors[n].more = lore_row(&cursors[n].q);
        n++;
    }
    while (status == LORE_OK && (at = first_of(cursors, n))) {
        status = derive(c, at, judge, err);
        at->more = lore_row(&at->q);
        lore_arena_reset(c->arena);
    }
    for (size_t i = 0; i < n; i++) {
        closed = lore_done(&cursors[i].q, status == LORE_OK ? err : NULL);
        status = status == LORE_OK ? closed : status;
    }
    return status;
}

/* Apply retractions and merges again. Call it before derive_all, which reads them. */
static enum lore_status
curate_all(const struct lore_put_ctx *c, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db, "SELECT seq, rest FROM fact_curation ORDER BY seq");
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_submission doc = {0};

        status =
            lore_rest_read(LORE_K_CURATION, "", lore_col_text(&q, 1, NULL), c->arena, &doc, err);
        if (status == LORE_OK)
            status = lore_curated_rebuild(c, &doc.curations[0], lore_col_i64(&q, 0), err);
        lore_arena_reset(c->arena);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* The full-text index is dropped and created again: deleting its rows costs as much as filling it,
 * and fails when it is damaged. */
static enum lore_status
clear_derived(struct lore_db *db, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT sql FROM sqlite_schema WHERE name = 'drv_search'");
    const char *create;
    enum lore_status status;

    if (!lore_row(&q))
        return lore_end(&q, err, LORE_CORRUPT, "%s: there is no drv_search", db->path);
    create = lore_col_text(&q, 0, a);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_db_exec(db,
            "DELETE FROM drv_experiment; DELETE FROM drv_curated; DELETE FROM drv_judgement;"
            " DELETE FROM drv_limit; DELETE FROM drv_behind;"
            " DELETE FROM drv_technique_verdict; DELETE FROM drv_bottleneck;"
            " DELETE FROM drv_advice_outcome; DROP TABLE drv_search",
            err);
    return status == LORE_OK ? lore_db_exec(db, create, err) : status;
}

static enum lore_status
count(struct lore_db *db, struct lore_rebuilt *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT (SELECT count(*) FROM drv_experiment),"
                               " (SELECT count(*) FROM drv_outcome),"
                               " (SELECT count(*) FROM drv_search)");

    if (lore_row(&q))
        *out = (struct lore_rebuilt){lore_col_i64(&q, 0), lore_col_i64(&q, 1), lore_col_i64(&q, 2)};
    return lore_done(&q, err);
}

static enum lore_status
note(struct lore_db *db, const struct lore_rebuilt *r, int64_t now_us, struct lore_err *err)
{
    unsigned char hash[32];
    const int64_t counts[] = {r->experiments, r->verdicts, r->search};

    lore_hash(counts, sizeof counts, hash);
    return lore_put_event(
        db, &(struct lore_event){LORE_ACTOR_SERVICE, "rebuild", "derived", hash, now_us}, err);
}

enum lore_status
lore_rebuild(struct lore_db *db, lore_runs_fn runs, lore_judge_fn judge, int64_t now_us,
    struct lore_rebuilt *out, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct lore_put_ctx c = {.db = db, .arena = &arena, .now_us = now_us};
    struct lore_rebuilt before = {0}, after = {0};
    int64_t names = 0;
    bool changed;
    enum lore_status status = lore_db_begin(db, err);

    if (status == LORE_OK)
        status = count(db, &before, err);
    if (status == LORE_OK)
        status = clear_derived(db, &arena, err);
    if (status == LORE_OK)
        status = lore_names_again(db, true, &names, err);
    if (status == LORE_OK)
        status = lore_withheld_all(db, err);
    if (status == LORE_OK)
        status = curate_all(&c, err);
    if (status == LORE_OK)
        status = lore_copies_all(db, err);
    if (status == LORE_OK)
        status = lore_run_entries_all(db, err);
    if (status == LORE_OK)
        status = runs(&c, &changed, err);
    if (status == LORE_OK)
        status = derive_all(&c, judge, err);
    if (status == LORE_OK)
        status = lore_experiment_entries_all(db, err);
    if (status == LORE_OK)
        status = lore_sweeps_all(db, err);
    if (status == LORE_OK)
        status = lore_settings_all(db, err);
    if (status == LORE_OK)
        status = lore_db_link_all_tried(db, err);
    if (status == LORE_OK)
        status = count(db, &after, err);
    after.verdicts -= before.verdicts;
    if (status == LORE_OK)
        status = note(db, &after, now_us, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status == LORE_OK)
        *out = after;
    else
        lore_db_rollback(db);
    return status;
}

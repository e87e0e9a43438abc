/* The jobs of one transaction: stored, appended to the journal, committed. The journal comes first:
 * when the process ends between the two commits, the next start applies the entries that the
 * database lacks. So an acknowledged write is always in both, and the database never has what the
 * journal lacks. */
#include <string.h>

#include "db/journal_place.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/ingest/excerpted.h"
#include "service/ingest/indexes.h"
#include "service/ingest/projected.h"
#include "service/ingest/writer.h"

/* Documents per transaction. Larger groups gain nothing and make more callers wait. */
#define BATCH 512

bool
lore_group_gather(struct lore_group *g)
{
    struct lore_ingest *in = g->in;
    size_t before = g->n;

    for (; in->head != NULL && g->n < BATCH; g->n++) {
        *g->end = in->head;
        g->end = &in->head->next;
        in->head = in->head->next;
    }
    *g->end = NULL;
    if (!in->head)
        in->tail = &in->head;
    in->queued -= g->n - before;
    return g->n > before;
}

/* Add the jobs that have arrived meanwhile to the open transaction. */
static bool
join_arrivals(struct lore_group *g)
{
    bool more;

    if (!g->in)
        return false;
    pthread_mutex_lock(&g->in->lock);
    more = lore_group_gather(g);
    pthread_mutex_unlock(&g->in->lock);
    return more;
}

/* ---- one job ---- */

struct store_call {
    struct lore_db *db;
    struct lore_job *j;
    int64_t now_us;
    const struct lore_group *g;
};

/* A client's document goes on to the source, which may refuse it. */
static enum lore_status
store_excerpted(struct store_call *s, struct lore_err *err)
{
    const struct lore_excerpt *x = s->g->excerpt;
    struct lore_job *j = s->j;
    enum lore_status status = lore_excerpt_admit(x, s->db, j->document, j->from, err);

    if (status == LORE_OK)
        status = lore_document_store(j->document, s->db, s->now_us, j->arena, &j->stored, err);
    if (status != LORE_OK || j->from || !j->stored.keep || j->stored.receipt.duplicate)
        return status;
    return lore_excerpt_forward(x, j->document, s->now_us, err);
}

static enum lore_status
store_now(void *ctx, struct lore_err *err)
{
    struct store_call *s = ctx;
    struct lore_job *j = s->j;

    if (j->logged) {
        lore_logging_begin(j->entries, s->g->projection, s->now_us);
        return j->logged(s->db, j->ctx, j->entries, err);
    }
    if (!j->document)
        return j->write(s->db, j->ctx, s->now_us, err);
    if (s->g->excerpt)
        return store_excerpted(s, err);
    return lore_document_store(j->document, s->db, s->now_us, j->arena, &j->stored, err);
}

/* Run one job; returns whether its writes may be committed. A job that exceeds the memory limit of
 * its request fails alone. */
static bool
store_job(struct lore_db *db, const struct lore_group *g, struct lore_job *j, int64_t now_us)
{
    struct store_call s = {db, j, j->at_us != 0 ? j->at_us : now_us, g};

    memset(&j->err, 0, sizeof j->err);
    j->status = lore_guarded(j->limit, store_now, &s, &j->err);
    return j->status == LORE_OK && (!j->document || j->stored.keep);
}

static void
store_with_savepoint(
    struct lore_db *db, const struct lore_group *g, struct lore_job *j, int64_t now_us)
{
    if ((j->status = lore_db_savepoint(db, &j->err)) != LORE_OK)
        return;
    if (store_job(db, g, j, now_us))
        j->status = lore_db_release(db, &j->err);
    else
        lore_db_undo(db);
}

bool
lore_ingest_is_service_fault(enum lore_status status)
{
    return status == LORE_IO || status == LORE_CORRUPT || status == LORE_BUSY;
}

/* ---- the group ---- */

/* Run all jobs in one transaction. With SAVEPOINTS each job has a savepoint, so that a failing job
 * is rolled back alone. Without them, the first job whose writes must not be committed rolls back
 * the whole group: *rejected is true and nothing is stored. */
static enum lore_status
store_once(
    struct lore_db *db, struct lore_group *g, bool savepoints, bool *rejected, struct lore_err *err)
{
    int64_t now = lore_now_us();
    enum lore_status status;

    *rejected = false;
    if ((status = lore_db_begin(db, err)) != LORE_OK)
        return status;
    for (struct lore_job *j = g->first; j != NULL && !*rejected; j = j->next) {
        if (savepoints)
            store_with_savepoint(db, g, j, now);
        else
            *rejected = !store_job(db, g, j, now);
        if (lore_ingest_is_service_fault(j->status)) {
            *err = j->err;
            lore_db_rollback(db);
            return j->status;
        }
        if (!j->next && !savepoints)
            (void)join_arrivals(g);
    }
    if (status == LORE_OK && !*rejected)
        status = lore_projection_append(g->projection, db, g->first, now, err);
    if (status == LORE_OK && !*rejected)
        status = lore_db_commit(db, err);
    if (*rejected || status != LORE_OK)
        lore_db_rollback(db);
    else
        lore_projection_committed(g->projection);
    return status;
}

/* A savepoint makes SQLite copy every page before it changes, and nearly every document is valid.
 * So the group runs first without savepoints. It runs again with them when a job failed, or when a
 * new document held only stored records. A failure of the service ends the whole transaction.
 *
 * A job may fail because this node does not yet have what another node stored. So the entries of
 * other nodes are applied before a job is refused. */
static enum lore_status
store_after_others(struct lore_db *db, struct lore_group *g, bool *again, struct lore_err *err)
{
    bool rejected =
        g->excerpt != NULL; /* it refuses often, and the source must not be asked twice */
    enum lore_status status = rejected ? LORE_OK : store_once(db, g, false, &rejected, err);

    *again = false;
    if (status != LORE_OK || !rejected)
        return status;
    if (g->projection) {
        int64_t before = lore_projection_seq(g->projection);

        status = lore_projection_catch_up(g->projection, db, g->indexes, err);
        *again = status == LORE_OK && lore_projection_seq(g->projection) > before;
        if (status != LORE_OK || *again)
            return status;
    }
    return store_once(db, g, true, &rejected, err);
}

enum lore_status
lore_group_store(struct lore_db *db, struct lore_group *g, struct lore_err *err)
{
    bool again = true;
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && again) {
        status = store_after_others(db, g, &again, err);
        /* another node was first: its entries come before this group */
        if (status == LORE_CONFLICT) {
            again = true;
            status = lore_projection_catch_up(g->projection, db, g->indexes, err);
        }
    }
    return status;
}

enum lore_status
lore_group_apply(struct lore_db *db, struct lore_group *g, const struct lore_journal_head *head,
    struct lore_err *err)
{
    enum lore_status status = lore_db_begin(db, err);

    for (struct lore_job *j = g->first; j != NULL && status == LORE_OK; j = j->next) {
        (void)store_job(db, g, j, 0);
        if ((status = j->status) != LORE_OK)
            *err = j->err;
    }
    if (status == LORE_OK)
        status = lore_put_journal_place(db, head->seq, head->hash, err);
    if (status == LORE_OK)
        status = lore_db_commit(db, err);
    if (status != LORE_OK)
        lore_db_rollback(db);
    return status;
}

enum lore_status
lore_group_index(
    struct lore_indexes *m, struct lore_db *db, const struct lore_job *list, struct lore_err *err)
{
    enum lore_status status;

    if (!m)
        return LORE_OK;
    if ((status = lore_indexes_refresh(m, db, err)) != LORE_OK)
        return status;
    for (const struct lore_job *j = list; j != NULL && status == LORE_OK; j = j->next)
        if (j->status == LORE_OK)
            status = lore_indexes_apply(m, db, &j->stored.effects, err);
    return status == LORE_OK ? lore_indexes_finish_commit(m, db, err) : status;
}

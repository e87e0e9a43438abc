/* A document is taken as it was then: whoever brought it was allowed to. While the documents of one
 * transaction are stored by a thread, the next ones are read, hashed and prepared. The database's
 * own check runs beside both. */
#include "service/ingest/replay.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "db/store.h"
#include "db/verify.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/ingest/prepare_many.h"

struct batch {
    struct lore_arena arena;
    struct lore_prepared v[LORE_MANY];
    const char *id[LORE_MANY];
    int64_t received_us[LORE_MANY];
    size_t n, bytes;
};
struct replay {
    struct lore_db *to;
    struct batch *filling, *storing; /* storing: by the thread; NULL: there is none */
    pthread_t thread;
    enum lore_status status; /* of the thread */
    struct lore_err err;
};

static void
free_batch(struct batch *b)
{
    lore_prepared_free(b->v, b->n);
    lore_arena_free(&b->arena);
    lore_xfree(b);
}

static struct batch *
new_batch(void)
{
    struct batch *b = lore_xalloc(sizeof *b);

    b->arena.kept = true;
    return b;
}

static enum lore_status
refused(const char *id, enum lore_status status, const struct lore_err *why, struct lore_err *err)
{
    if (status == LORE_IO || status == LORE_BUSY) { /* of the scratch database */
        *err = *why;
        return status;
    }
    return lore_fail_at(err, LORE_CORRUPT, "document_refused", "",
        "document %s: its records cannot be derived again: %.120s", id, why->msg);
}

static enum lore_status
store_batch(struct lore_db *to, struct batch *b, struct lore_err *err)
{
    struct lore_err why = {0};
    enum lore_status status = lore_db_begin(to, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < b->n; i++) {
        struct lore_prepared *p = &b->v[i];
        struct lore_stored stored = {0};

        status = p->status;
        if (status == LORE_OK)
            status =
                lore_document_store(&p->document, to, b->received_us[i], &p->arena, &stored, &why);
        else
            why = p->err;
        if (status != LORE_OK)
            return refused(b->id[i], status, &why, err);
    }
    return lore_db_commit(to, err);
}

static void *
store(void *ctx)
{
    struct replay *r = ctx;

    r->status = store_batch(r->to, r->storing, &r->err);
    return NULL;
}

/* Wait for the batch that is being stored. */
static enum lore_status
stored(struct replay *r, struct lore_err *err)
{
    if (!r->storing)
        return LORE_OK;
    pthread_join(r->thread, NULL);
    free_batch(r->storing);
    r->storing = NULL;
    if (r->status != LORE_OK)
        *err = r->err;
    return r->status;
}

static enum lore_status
store_filled(struct replay *r, struct lore_err *err)
{
    enum lore_status status;

    lore_prepare_many(r->filling->v, r->filling->n);
    status = stored(r, err);
    if (status != LORE_OK)
        return status;
    r->storing = r->filling;
    r->filling = new_batch();
    if (pthread_create(&r->thread, NULL, store, r) == 0)
        return LORE_OK;
    status = store_batch(r->to, r->storing, err);
    free_batch(r->storing);
    r->storing = NULL;
    return status;
}

static enum lore_status
take(void *ctx, const struct lore_verified_document *d, struct lore_err *err)
{
    struct replay *r = ctx;
    struct batch *b = r->filling;
    struct lore_prepared *p;
    enum lore_status status;

    if (!lore_prepared_fits(d->packed, d->len, b->n, &b->bytes)) {
        if ((status = store_filled(r, err)) != LORE_OK)
            return status;
        b = r->filling;
        (void)lore_prepared_fits(d->packed, d->len, 0, &b->bytes);
    }
    p = &b->v[b->n];
    b->id[b->n] = lore_strdup(&b->arena, d->id);
    b->received_us[b->n++] = d->received_us;
    p->packed = lore_memdup(&b->arena, d->packed, d->len);
    p->len = d->len;
    p->in = (struct lore_ingest_doc){.actor = lore_strdup(&b->arena, d->actor),
        .owner = d->owner ? lore_strdup(&b->arena, d->owner) : NULL,
        .curator = true};
    return LORE_OK;
}

static enum lore_status
store_documents(struct lore_db *from, struct lore_db *to, int64_t *n, struct lore_err *err)
{
    struct replay r = {.to = to, .filling = new_batch()};
    struct lore_err other;
    enum lore_status status = lore_db_verify_documents(from, take, &r, n, err), again;

    if (status == LORE_OK)
        status = store_filled(&r, err);
    again = stored(&r, status == LORE_OK ? err : &other);
    free_batch(r.filling);
    return status == LORE_OK ? again : status;
}

static enum lore_status
verify_in(struct lore_db *from, const char *folder, bool deep, struct lore_replayed *out,
    struct lore_err *err)
{
    struct lore_db *to = NULL;
    enum lore_status status = lore_db_open_writer(folder, &to, err);

    if (status == LORE_OK)
        status = lore_db_compare_schema(from, to, err);
    if (status == LORE_OK)
        status = lore_db_make_scratch(to, !deep, err);
    if (status == LORE_OK)
        status = store_documents(from, to, &out->documents, err);
    if (status == LORE_OK)
        status = lore_db_verify_blobs(from, &out->blobs, err);
    if (status == LORE_OK)
        status = lore_db_compare(from, to, deep, &out->rows, err);
    lore_db_close(to);
    return status;
}

static void
remove_scratch(const char *folder, struct lore_arena *a)
{
    static const char *const names[] = {
        "warplore.db", "warplore.db-wal", "warplore.db-shm", "identity", "lock"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        (void)unlink(lore_format(a, "%s/%s", folder, names[i]));
    (void)rmdir(folder);
}

static enum lore_status
verify_facts(struct lore_db *from, const char *scratch, bool deep, struct lore_replayed *out,
    struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    char *folder = lore_format(&a, "%s/warplore-verify-XXXXXX", scratch);
    enum lore_status status;

    if (!mkdtemp(folder))
        return lore_fail(err, LORE_IO, "%.150s: %s", scratch, strerror(errno));
    status = verify_in(from, folder, deep, out, err);
    remove_scratch(folder, &a);
    return status;
}

/* ---- the database's own check ---- */

struct checking {
    struct lore_db *db;
    enum lore_status status;
    struct lore_err err;
};

static void *
check(void *ctx)
{
    struct checking *c = ctx;

    c->status = lore_db_check(c->db, &c->err);
    return NULL;
}

enum lore_status
lore_replay_verify(struct lore_db *from, const char *scratch, bool deep, struct lore_replayed *out,
    struct lore_err *err)
{
    struct checking c = {0};
    pthread_t thread;
    enum lore_status status = lore_db_open_beside(from, &c.db, err);
    bool beside;

    *out = (struct lore_replayed){0};
    if (status != LORE_OK)
        return status;
    beside = pthread_create(&thread, NULL, check, &c) == 0;
    status = verify_facts(from, scratch, deep, out, err);
    if (beside)
        pthread_join(thread, NULL);
    else
        (void)check(&c);
    lore_db_close(c.db);
    if (c.status != LORE_OK) /* the cause of whatever else was found */
        *err = c.err;
    return c.status != LORE_OK ? c.status : status;
}

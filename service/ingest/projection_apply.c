/* Entries of the journal as jobs of the writer: read some, prepare their documents on several
 * threads, store them in one transaction together with the place in the journal. */
#include <inttypes.h>
#include <string.h>

#include "db/auth_change.h"
#include "db/auth_copy.h"
#include "db/journal_place.h"
#include "db/store.h"
#include "service/base/xalloc.h"
#include "service/ingest/prepare_many.h"
#include "service/ingest/projected.h"
#include "service/ingest/writer.h"

/* Bytes of SQLite's log after which it is copied into the database. */
#define WAL_STEP (64 << 20)
struct item {
    struct lore_journal_entry e;
    struct lore_prepared *prepared; /* its document, if it is one; its arena in any case */
    struct lore_projection *projection;
};
struct batch {
    struct lore_projection *projection;
    struct lore_arena arena;
    struct item items[LORE_MANY];
    struct lore_prepared prepared[LORE_MANY];
    size_t n, bytes;
    int64_t until_us;
    bool ended; /* an entry is later than until_us */
    bool full;  /* more entries follow, perhaps */
};

static void
free_batch(struct batch **b)
{
    lore_prepared_free((*b)->prepared, (*b)->n);
    lore_arena_free(&(*b)->arena);
    lore_xfree(*b);
}

/* ---- reading ---- */

static enum lore_status
take(void *ctx, const struct lore_journal_entry *e, struct lore_err *err)
{
    struct batch *b = ctx;
    struct item *x = &b->items[b->n];
    enum lore_status status =
        e->seq == 1 ? lore_projection_check_first(b->projection, e, err) : LORE_OK;

    if (status != LORE_OK)
        return status;
    b->ended = b->until_us != 0 && e->at_us > b->until_us;
    b->full = !b->ended && !lore_prepared_fits(e->body, e->len, b->n, &b->bytes);
    if (b->ended || b->full)
        return LORE_NOTFOUND; /* enough */
    x->e = *e;
    x->projection = b->projection;
    x->prepared = &b->prepared[b->n];
    x->e.kind = lore_strdup(&b->arena, e->kind);
    x->e.actor = lore_strdup(&b->arena, e->actor);
    x->e.owner = e->owner[0] != '\0' ? lore_strdup(&b->arena, e->owner) : NULL;
    x->e.node = "";
    x->e.body = lore_memdup(&b->arena, e->body, e->len);
    x->prepared->in =
        (struct lore_ingest_doc){.actor = x->e.actor, .curator = x->e.curator, .owner = x->e.owner};
    if (strcmp(x->e.kind, "document") == 0) {
        x->prepared->packed = x->e.body;
        x->prepared->len = x->e.len;
    }
    b->full = ++b->n == LORE_MANY;
    return LORE_OK;
}

/* ---- storing ---- */

static enum lore_status
apply_receipt(struct item *x, struct lore_db *db, struct lore_err *err)
{
    struct lore_batch_receipt r;
    enum lore_status status = lore_journal_entry_receipt(&x->e, &x->prepared->arena, &r, err);

    return status == LORE_OK ? lore_put_signed_receipt(db, &r, x->e.actor, err) : status;
}

static enum lore_status
apply_event(struct item *x, struct lore_db *db, struct lore_err *err)
{
    struct lore_event e;
    enum lore_status status = lore_journal_entry_event(&x->e, &x->prepared->arena, &e, err);

    return status == LORE_OK ? lore_put_event(db, &e, err) : status;
}

/* A code was used here and, earlier in the journal, elsewhere. An agent that the journal does not
 * have was not acknowledged. */
static enum lore_status
drop_second_user(
    struct item *x, struct lore_db *db, const struct lore_credential *code, struct lore_err *err)
{
    struct lore_auth_change drop = {.kind = LORE_AUTH_AGENT_DROPPED};
    struct lore_arena *a = &x->prepared->arena;
    bool has = false;
    enum lore_status status = lore_auth_other_user(x->projection->auth, code, a, &drop.id, err);

    if (status == LORE_OK && drop.id)
        status = lore_db_journal_has(db, lore_format(a, "agent:%s", drop.id), &has, err);
    if (status != LORE_OK || !drop.id || has)
        return status;
    status = lore_auth_apply(x->projection->auth, &drop, err);
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

static enum lore_status
apply_credential(struct item *x, struct lore_db *db, struct lore_err *err)
{
    const struct lore_credential in = {
        .kind = x->e.kind, .body = lore_strndup(&x->prepared->arena, x->e.body, x->e.len)};
    struct lore_credential now;
    struct lore_agent_row agent;
    unsigned char hash[LORE_HASH_BYTES];
    enum lore_status status = drop_second_user(x, db, &in, err);

    if (status == LORE_OK)
        status = lore_auth_merge(x->projection->auth, &in, &x->prepared->arena, &now, err);
    /* when this side adds something to it, the sum is journaled again */
    lore_hash(x->e.body, x->e.len, hash);
    if (status == LORE_OK)
        status = lore_put_journal_known(db, now.name, hash, err);
    if (status != LORE_OK || strcmp(x->e.kind, "agent") != 0)
        return status;
    status = lore_credential_agent(x->e.body, x->e.len, &x->prepared->arena, &agent, err);
    return status == LORE_OK ? lore_put_agent(db, &agent, x->e.at_us, err) : status;
}

static enum lore_status
apply_key(struct item *x, struct lore_db *db, struct lore_err *err)
{
    return lore_projection_note_key(db, &x->e, err);
}

static const struct {
    const char *kind;
    enum lore_status (*apply)(struct item *x, struct lore_db *db, struct lore_err *err);
} kinds[] = {{"receipt", apply_receipt}, {"event", apply_event}, {"token", apply_credential},
    {"agent", apply_credential}, {"code", apply_credential}, {"key", apply_key}};

static enum lore_status
apply_one(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    struct item *x = ctx;

    (void)now_us;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].kind, x->e.kind) == 0)
            return kinds[i].apply(x, db, err);
    return lore_fail(err, LORE_UNSUPPORTED,
        "this program does not know entries of the kind %.40s; a newer one wrote them", x->e.kind);
}

/* Say which entry cannot be applied. It was acknowledged, so it is not skipped. */
static enum lore_status
refused(
    const struct item *x, enum lore_status status, const struct lore_err *why, struct lore_err *err)
{
    struct lore_err copy = *why;

    if (lore_ingest_is_service_fault(status)) {
        *err = copy;
        return status;
    }
    (void)lore_fail_at(err, LORE_CORRUPT, "entry_refused", "",
        "journal entry %" PRId64 " cannot be applied: %.160s", x->e.seq, copy.msg);
    lore_err_hint(err, "all nodes must run the same program; this one is " WARPLORE_VERSION);
    return LORE_CORRUPT;
}

static enum lore_status
store(struct batch *b, struct lore_db *db, struct lore_indexes *indexes, struct lore_err *err)
{
    struct lore_projection *p = b->projection;
    struct lore_job *jobs = lore_alloc_array(&b->arena, b->n, sizeof *jobs);
    struct lore_group g = {.first = jobs, .n = b->n, .projection = p};
    struct lore_journal_head head = {.seq = b->items[b->n - 1].e.seq};
    struct lore_err why = {0};
    enum lore_status status;

    memcpy(head.hash, b->items[b->n - 1].e.hash, sizeof head.hash);
    for (size_t i = 0; i < b->n; i++) {
        struct item *x = &b->items[i];
        struct lore_prepared *d = x->prepared;

        if (d->status != LORE_OK)
            return refused(x, d->status, &d->err, err);
        jobs[i] = (struct lore_job){.next = i + 1 < b->n ? &jobs[i + 1] : NULL,
            .document = d->packed ? &d->document : NULL,
            .write = apply_one,
            .ctx = x,
            .at_us = x->e.at_us,
            .arena = &d->arena,
            .limit = LORE_DOCUMENT_MEMORY};
    }
    status = lore_group_apply(db, &g, &head, &why);
    for (size_t i = 0; i < b->n && status != LORE_OK; i++)
        if (jobs[i].status != LORE_OK)
            return refused(&b->items[i], jobs[i].status, &why, err);
    if (status != LORE_OK) {
        *err = why;
        return status;
    }
    p->head = p->stored = head;
    status = lore_group_index(indexes, db, jobs, err);
    if (status == LORE_OK)
        lore_applied_set(p->applied, head.seq);
    return status;
}

/* ---- a pipeline of two: one batch is read and prepared while the one before is stored ---- */

/* A batch that is read and prepared, perhaps on a thread of its own. */
struct fetch {
    struct lore_projection *p;
    struct lore_journal_part part;
    int64_t until_us;
    struct batch *batch;
    enum lore_status status;
    struct lore_err err;
};

static void *
fetch(void *arg)
{
    struct fetch *f = arg;
    struct batch *b = lore_xalloc(sizeof *b);

    b->projection = f->p;
    b->until_us = f->until_us;
    b->arena.kept = true;
    f->batch = b;
    f->status = lore_journal_read(f->p->journal, &f->part, take, b, &f->err);
    if (f->status == LORE_OK)
        lore_prepare_many(b->prepared, b->n);
    return NULL;
}

/* Fetch what follows the batch of F into NEXT. Only a full batch is worth a thread. */
static bool
fetch_beside(const struct fetch *f, struct fetch *next, pthread_t *thread)
{
    const struct lore_journal_entry *last = &f->batch->items[f->batch->n - 1].e;

    *next = (struct fetch){.p = f->p, .part = {.most = LORE_MANY}, .until_us = f->until_us};
    next->part.after.seq = last->seq;
    memcpy(next->part.after.hash, last->hash, sizeof last->hash);
    return f->batch->full && pthread_create(thread, NULL, fetch, next) == 0;
}

static enum lore_status
may_go_on(const struct lore_projection *p, struct lore_err *err)
{
    return p->asked && p->asked()
               ? lore_fail_at(err, LORE_BUSY, "stopped", "",
                     "stopped after journal entry %" PRId64 "; the next start goes on", p->head.seq)
               : LORE_OK;
}

/* No group of the writer comes in between, so the log would grow with the journal. */
static enum lore_status
bound_log(struct lore_db *db, struct lore_err *err)
{
    return lore_db_wal_bytes(db) > WAL_STEP ? lore_db_checkpoint(db, false, NULL, err) : LORE_OK;
}

static enum lore_status
apply_all(struct fetch *first, struct lore_db *db, struct lore_indexes *indexes, int64_t *n,
    struct lore_err *err)
{
    struct fetch f = *first, next;
    enum lore_status status = LORE_OK;
    bool more = true;

    for (; more; f = next) {
        pthread_t thread;
        bool beside = false, last;

        next.batch = NULL;
        if ((status = f.status) != LORE_OK)
            *err = f.err;
        more = status == LORE_OK && f.batch->n > 0;
        if (more) {
            *n += (int64_t)f.batch->n;
            beside = fetch_beside(&f, &next, &thread);
            status = store(f.batch, db, indexes, err);
            if (status == LORE_OK)
                status = bound_log(db, err);
            if (status == LORE_OK)
                status = may_go_on(f.p, err);
        }
        last = more && !f.batch->full;
        if (beside)
            pthread_join(thread, NULL);
        free_batch(&f.batch);
        more = more && status == LORE_OK && !last;
        if (more && !beside)
            (void)fetch(&next);
        if (!more && next.batch)
            free_batch(&next.batch);
    }
    return status;
}

/* With a lag, the database must not get what a power cut could take from the journal. *some: there
 * may be entries to apply. */
static enum lore_status
make_durable(struct lore_projection *p, bool *some, struct lore_err *err)
{
    struct lore_journal_head head = {0};
    enum lore_status status;

    if (lore_journal_lag_ms(p->journal) == 0)
        return LORE_OK;
    status = lore_journal_find_head(p->journal, &head, err);
    *some = head.seq > p->head.seq;
    return status == LORE_OK && *some ? lore_journal_flush(p->journal, err) : status;
}

enum lore_status
lore_projection_apply(struct lore_projection *p, struct lore_db *db, struct lore_indexes *indexes,
    int64_t until_us, int64_t *n, struct lore_err *err)
{
    struct fetch f = {.p = p, .part = {p->head, LORE_MANY}, .until_us = until_us};
    struct lore_err why = {0};
    enum lore_status status, again = LORE_OK;
    bool many, some = true;

    *n = 0;
    if ((status = make_durable(p, &some, err)) != LORE_OK || !some)
        return status;
    (void)fetch(&f);
    /* commits that a power cut undoes come from the journal again */
    many = f.batch->full;
    if (many)
        status = lore_db_sync_commits(db, false, err);
    if (status == LORE_OK)
        status = apply_all(&f, db, indexes, n, err);
    else
        free_batch(&f.batch);
    if (many)
        again = lore_db_sync_commits(db, true, &why);
    if (status == LORE_OK && again != LORE_OK)
        *err = why;
    return status == LORE_OK ? again : status;
}

/* Follows the source: reads its new documents, takes those that may be of the project, stores them
 * with the excerpt's own writer, and notes how far it came. After a crash it takes the last ones
 * again, which are then duplicates. */
#include "service/ingest/excerpted.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/excerpt.h"
#include "db/journal_place.h"
#include "db/store.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/guard.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/base/xalloc.h"
#include "service/ingest/ingest.h"
#include "service/ingest/writer.h"
#include "service/wire/wire.h"

/* Documents and packed bytes of one look. */
#define MOST 256
#define BYTES ((size_t)4 << 20)
/* How long a document of another writer may stay unseen. */
#define LOOK_MS 200
/* As for a request (docs/operating.md). */
#define DOCUMENT_MEMORY ((size_t)512 << 20)

/* One document of the source that may be of the project. */
struct item {
    const struct lore_arrived_row *row;
    const char *project;
    struct lore_arena arena;
    struct lore_buf body;
    struct lore_document document;
    struct lore_excerpted from;
    bool certain; /* it states the project */
};
struct look {
    struct lore_excerpt *x;
    struct lore_arena arena;
    struct lore_arrived_row rows[MOST];
    struct lore_arrived_part part;
    struct item items[MOST];
    struct lore_job jobs[MOST];
    size_t n;
};

static void
free_look(struct look **l)
{
    for (size_t i = 0; i < (*l)->n; i++) {
        lore_document_free(&(*l)->items[i].document);
        lore_buf_free(&(*l)->items[i].body);
        lore_arena_free(&(*l)->items[i].arena);
    }
    lore_arena_free(&(*l)->arena);
    lore_xfree(*l);
}

/* ---- what a document names ---- */

static void
add_names(const struct lore_json *node, struct lore_texts *out, struct lore_arena *a)
{
    if (node->type == LORE_J_STRING && lore_ulid_valid(node->str))
        *LORE_PUSH(a, out->v, out->n, out->cap) = node->str;
    for (const struct lore_json *c = node->child; c; c = c->next)
        add_names(c, out, a);
}

static void
own_ids(const struct lore_submission *doc, struct lore_texts *out, struct lore_arena *a)
{
    *LORE_PUSH(a, out->v, out->n, out->cap) = doc->id;
    for (int k = 0; k < LORE_K_COUNT; k++) {
        size_t n, size;
        const char *record = lore_wire_list(doc, (enum lore_kind)k, &n, &size);

        for (size_t i = 0; i < n; i++, record += size)
            *LORE_PUSH(a, out->v, out->n, out->cap) = *(const char *const *)(const void *)record;
    }
    qsort(out->v, out->n, sizeof *out->v, lore_by_text);
}

/* The ids in the document that the source knows, without its own. */
static enum lore_status
find_names(struct lore_db *source, struct item *it, struct lore_err *err)
{
    struct lore_texts all = {0}, own = {0}, *out = &it->from.names;
    enum lore_status status = LORE_OK;

    add_names(it->document.root, &all, &it->arena);
    own_ids(&it->document.doc, &own, &it->arena);
    if (all.n > 0)
        qsort(all.v, all.n, sizeof *all.v, lore_by_text);
    for (size_t i = 0; i < all.n && status == LORE_OK; i++) {
        const char *actor;

        if ((i > 0 && strcmp(all.v[i], all.v[i - 1]) == 0) ||
            bsearch(&all.v[i], own.v, own.n, sizeof *own.v, lore_by_text))
            continue;
        status = lore_db_find_any(source, all.v[i], &it->arena, &actor, err);
        if (status == LORE_OK)
            *LORE_PUSH(&it->arena, out->v, out->n, out->cap) = all.v[i];
        if (status == LORE_NOTFOUND)
            status = LORE_OK;
    }
    return status;
}

/* ---- one look ---- */

static enum lore_status
prepare(void *ctx, struct lore_err *err)
{
    struct item *it = ctx;
    const struct lore_arrived_row *r = it->row;
    enum lore_status status;

    it->body.max = LORE_WIRE_MAX_BYTES;
    if ((status = lore_zstd_unpack(r->packed, r->len, &it->body, err)) != LORE_OK)
        return status;
    return lore_document_prepare_packed(&it->document,
        &(struct lore_ingest_doc){.body = it->body.data ? it->body.data : "",
            .len = it->body.len,
            .actor = r->actor,
            .curator = true, /* its decisions were allowed when it was stored */
            .owner = r->owner},
        &(struct lore_buf){.data = (char *)r->packed, .len = r->len}, &it->arena, err);
}

/* Whether IT may be of the project. */
static bool
may_belong(struct item *it)
{
    const char *project = lore_wire_project(&it->document.doc);

    it->certain = project && strcmp(project, it->project) == 0;
    return it->certain || (!project && it->document.doc.n_kernels == 0);
}

/* A document of the project that cannot be stored names what only other documents have. */
static void
leave_out(const struct lore_excerpt *x, const struct item *it, const struct lore_err *why)
{
    lore_log(LORE_WARN, "project_lacks_document", "project", x->project, "document", it->row->id,
        "error", why->msg, NULL);
}

static void
drop_last(struct look *l)
{
    struct item *it = &l->items[--l->n];

    lore_document_free(&it->document);
    lore_buf_free(&it->body);
    lore_arena_free(&it->arena);
}

static enum lore_status
take(struct look *l, const struct lore_arrived_row *r, struct lore_err *err)
{
    struct item *it = &l->items[l->n];
    struct lore_err why = {0};
    enum lore_status status;

    if (lore_streq(r->actor, LORE_ACTOR_SERVICE)) /* the excerpt has what ships with the service */
        return LORE_OK;
    *it = (struct item){.row = r, .project = l->x->project};
    l->n++;
    status = lore_guarded(DOCUMENT_MEMORY, prepare, it, &why);
    if (status != LORE_OK) { /* whose it is cannot be known */
        leave_out(l->x, it, &why);
        drop_last(l);
        return LORE_OK;
    }
    if (may_belong(it) && !it->certain)
        status = find_names(l->x->reader, it, err);
    if (status == LORE_OK && !it->certain && it->from.names.n == 0)
        drop_last(l);
    return status;
}

static enum lore_status
read_source(struct look *l, struct lore_err *err)
{
    struct lore_excerpt *x = l->x;
    enum lore_status status = lore_db_snapshot(x->reader, err);

    if (status != LORE_OK)
        return status;
    l->part = (struct lore_arrived_part){x->place.seq, MOST, BYTES, l->rows, 0, {0, {0}}};
    status = lore_db_documents_after(x->reader, &l->part, &l->arena, err);
    for (size_t i = 0; i < l->part.n && status == LORE_OK; i++)
        status = take(l, &l->rows[i], err);
    lore_db_snapshot_end(x->reader);
    return status;
}

static enum lore_status
put_place(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    const struct lore_chain_head *to = ctx;

    (void)now_us;
    return lore_put_journal_place(db, to->seq, to->hash, err);
}

static enum lore_status
store(struct look *l, struct lore_err *err)
{
    struct lore_excerpt *x = l->x;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < l->n; i++)
        l->jobs[i] = (struct lore_job){.document = &l->items[i].document,
            .from = &l->items[i].from,
            .at_us = l->items[i].row->at_us,
            .arena = &l->items[i].arena};
    if (l->n > 0)
        status = lore_ingest_queue(x->in, l->jobs, l->n, err);
    for (size_t i = 0; i < l->n && status == LORE_OK; i++) {
        if (lore_ingest_is_service_fault(l->jobs[i].status)) {
            status = l->jobs[i].status;
            *err = l->jobs[i].err;
        } else if (l->jobs[i].status != LORE_OK && l->items[i].certain) {
            leave_out(x, &l->items[i], &l->jobs[i].err);
        }
    }
    return status == LORE_OK ? lore_ingest_write(x->in, put_place, &l->part.to, err) : status;
}

static void
end_round(struct lore_excerpt *x)
{
    pthread_mutex_lock(&x->lock);
    x->rounds++;
    pthread_cond_broadcast(&x->moved);
    pthread_mutex_unlock(&x->lock);
}

/* Take what the source has behind the place; *n: the documents that it had, at most MOST. */
static enum lore_status
look(struct lore_excerpt *x, size_t *n, struct lore_err *err)
{
    __attribute__((cleanup(free_look))) struct look *l = lore_xalloc(sizeof *l);
    enum lore_status status;

    l->x = x;
    l->arena.kept = true;
    status = read_source(l, err);
    *n = l->part.n;
    if (status == LORE_OK && l->part.to.seq != x->place.seq)
        status = store(l, err);
    if (status != LORE_OK)
        return status;
    x->place = l->part.to;
    end_round(x);
    return LORE_OK;
}

/* ---- the thread ---- */

static void
rest(struct lore_excerpt *x)
{
    struct timespec until;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += LOOK_MS * 1000000L;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_mutex_lock(&x->lock);
    if (!x->asks && !x->stop)
        (void)pthread_cond_timedwait(&x->asked, &x->lock, &until);
    x->asks = false;
    pthread_mutex_unlock(&x->lock);
}

static void *
follow(void *arg)
{
    struct lore_excerpt *x = arg;
    bool well = true;

    while (!x->stop) {
        struct lore_err err = {0};
        size_t n = 0;
        enum lore_status status = look(x, &n, &err);

        if (status != LORE_OK && well)
            lore_log(LORE_WARN, "project_waits", "project", x->project, "error", err.msg, NULL);
        well = status == LORE_OK;
        if (!well || n == 0)
            rest(x);
    }
    return NULL;
}

/* ---- open, close ---- */

static enum lore_status
check_place(struct lore_excerpt *x, struct lore_db *db, struct lore_err *err)
{
    struct lore_chain_head there;
    enum lore_status status = lore_db_journal_place(db, &x->place.seq, x->place.hash, err);

    if (status != LORE_OK || x->place.seq == 0)
        return status;
    status = lore_db_head(x->reader, x->place.seq, &there, err);
    if (status == LORE_OK &&
        (there.seq != x->place.seq || memcmp(there.hash, x->place.hash, sizeof there.hash) != 0))
        status = lore_fail_at(err, LORE_CORRUPT, "excerpt_foreign", "",
            "the database of project %.100s was made from another state of the memory", x->project);
    return status;
}

enum lore_status
lore_excerpt_open(const struct lore_excerpt_setup *setup, struct lore_db *db,
    struct lore_excerpt **out, struct lore_err *err)
{
    struct lore_excerpt *x = lore_xalloc(sizeof *x);
    pthread_condattr_t attr;
    enum lore_status status;

    x->project = lore_xstrdup(setup->project);
    x->source = setup->source;
    pthread_mutex_init(&x->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&x->moved, &attr);
    pthread_cond_init(&x->asked, &attr);
    pthread_condattr_destroy(&attr);
    status = lore_db_open_reader(setup->data, &x->reader, err);
    if (status == LORE_OK)
        status = check_place(x, db, err);
    if (status == LORE_OK)
        *out = x;
    else
        lore_excerpt_close(x);
    return status;
}

enum lore_status
lore_excerpt_follow(
    struct lore_excerpt *x, struct lore_ingest *in, const _Atomic bool *stop, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    size_t n = 1;

    x->in = in;
    while (status == LORE_OK && n > 0 && !*stop)
        status = look(x, &n, err);
    if (status != LORE_OK)
        return status;
    if (pthread_create(&x->follower, NULL, follow, x) != 0)
        return lore_fail(err, LORE_IO, "cannot start the thread that follows the memory");
    x->following = true;
    return LORE_OK;
}

/* A look that began before the call may miss something, so two must end. */
bool
lore_excerpt_wait(struct lore_excerpt *x, int ms)
{
    struct timespec until;
    unsigned wanted;
    bool there;
    int rc = 0;

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    pthread_mutex_lock(&x->lock);
    wanted = x->rounds + 2;
    while ((int)(x->rounds - wanted) < 0 && rc == 0) {
        x->asks = true;
        pthread_cond_signal(&x->asked);
        rc = pthread_cond_timedwait(&x->moved, &x->lock, &until);
    }
    there = (int)(x->rounds - wanted) >= 0;
    pthread_mutex_unlock(&x->lock);
    return there;
}

void
lore_excerpt_stop(struct lore_excerpt *x)
{
    if (!x || !x->following)
        return;
    pthread_mutex_lock(&x->lock);
    x->stop = true;
    pthread_cond_signal(&x->asked);
    pthread_mutex_unlock(&x->lock);
    pthread_join(x->follower, NULL);
    x->following = false;
}

void
lore_excerpt_close(struct lore_excerpt *x)
{
    if (!x)
        return;
    lore_excerpt_stop(x);
    lore_db_close(x->reader);
    pthread_cond_destroy(&x->moved);
    pthread_cond_destroy(&x->asked);
    pthread_mutex_destroy(&x->lock);
    lore_xfree(x->project);
    lore_xfree(x);
}

/* Many documents at once, as an agent sends them in a batch. Each is prepared on the caller's
 * thread in its own arena. They are queued in slices of 8 MiB, so those of a slice share commits,
 * and each succeeds or fails alone. */
#include "service/base/guard.h"
#include "service/ingest/ingest.h"
#include "service/ingest/writer.h"
#include "service/wire/wire.h"

/* Bytes of documents prepared at a time. */
#define MANY_BYTES LORE_WIRE_SENT

/* Copy the result of job J into PART. The strings of J die with its arena. */
static void
copy_result(struct lore_ingest_part *part, const struct lore_job *j, struct lore_arena *arena)
{
    part->status = j->status;
    if (j->status != LORE_OK)
        part->err = j->err;
    else
        part->duplicate = j->stored.receipt.duplicate;
    part->id = lore_strdup(arena, j->document->doc.id);
}

/* The number of documents, at least one, that together stay below MANY_BYTES. */
static size_t
count_batch(const struct lore_ingest_part *parts, size_t n)
{
    size_t i = 1;

    for (size_t bytes = parts[0].len; i < n && bytes + parts[i].len <= MANY_BYTES; i++)
        bytes += parts[i].len;
    return i;
}

/* A prepared document with its arena. */
struct prepared {
    struct lore_arena arena;
    struct lore_document document;
};
struct prepared_batch {
    struct lore_arena work;
    struct prepared *own;
    size_t n;
};

static void
free_prepared(struct prepared *p)
{
    lore_document_free(&p->document);
    lore_arena_free(&p->arena);
}

static void
free_batch(struct prepared_batch *s)
{
    for (size_t i = 0; i < s->n; i++)
        free_prepared(&s->own[i]);
    lore_arena_free(&s->work);
}

struct preparing {
    struct prepared *own;
    struct lore_ingest_doc doc;
};

static enum lore_status
prepare_now(void *ctx, struct lore_err *err)
{
    struct preparing *p = ctx;

    return lore_document_prepare(&p->own->document, &p->doc, &p->own->arena, err);
}

/* Prepare one document. A document that needs too much memory is refused; the others are stored. */
static enum lore_status
prepare(struct prepared *own, struct lore_ingest_part *part, const struct lore_ingest_doc *who)
{
    struct preparing p = {own, *who};

    p.doc.body = part->body;
    p.doc.len = part->len;
    return lore_guarded(lore_guard_limit(), prepare_now, &p, &part->err);
}

/* Prepare and store N documents, each in its own arena. */
static enum lore_status
submit_some(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err)
{
    __attribute__((cleanup(free_batch))) struct prepared_batch s = {.n = 0};
    struct lore_ingest_part **of = lore_alloc_array(&s.work, n, sizeof *of);
    struct lore_job *jobs = lore_alloc_array(&s.work, n, sizeof *jobs);
    enum lore_status status = LORE_OK;
    size_t n_jobs = 0;

    s.own = lore_alloc_array(&s.work, n, sizeof *s.own);
    for (s.n = 0; s.n < n; s.n++) {
        struct prepared *own = &s.own[s.n];
        struct lore_ingest_part *part = &parts[s.n];

        part->status = prepare(own, part, who);
        if (part->status != LORE_OK) {
            atomic_fetch_add(&in->stats.refused, 1);
            free_prepared(own);
            continue;
        }
        jobs[n_jobs] = (struct lore_job){.document = &own->document, .arena = &own->arena};
        of[n_jobs++] = part;
    }
    if (n_jobs > 0)
        status = lore_ingest_queue(in, jobs, n_jobs, err);
    for (size_t k = 0; k < n_jobs && status == LORE_OK; k++)
        copy_result(of[k], &jobs[k], arena);
    return status;
}

enum lore_status
lore_ingest_submit_many(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += parts[i].len;
    LORE_BIG_SLOT slot = lore_ingest_big_acquire(in, bytes);
    for (size_t at = 0, some; at < n && status == LORE_OK; at += some) {
        some = count_batch(parts + at, n - at);
        status = submit_some(in, parts + at, some, who, arena, err);
    }
    for (size_t i = 0; i < n && status == LORE_OK; i++)
        if (lore_ingest_is_service_fault(parts[i].status)) {
            status = parts[i].status;
            *err = parts[i].err;
        }
    return status;
}

/* Many documents at once, as an agent's batch brings them: each prepared on the caller's thread
 * with memory of its own, all queued together, so that they share commits, and none refused for
 * what is in another. */
#include <errno.h>

#include "service/ingest/ingest.h"
#include "service/ingest/writer.h"
#include "service/wire/wire.h"

/* Documents that are prepared at a time: as much as one document may have. */
#define MANY_BYTES LORE_WIRE_MAX_BYTES

/* What became of job J, and of the part that it stores. The texts of J die with its arena. */
static void
settle(struct lore_ingest_part *part, const struct lore_job *j, struct lore_arena *arena)
{
    part->status = j->status;
    if (j->status != LORE_OK)
        part->err = j->err;
    else
        part->duplicate = j->stored.receipt.duplicate;
    part->id = lore_strdup(arena, j->document->doc.id);
}

/* How many of N documents are as much as one may be; at least one. */
static size_t
how_many(const struct lore_ingest_part *parts, size_t n)
{
    size_t i = 1;

    for (size_t bytes = parts[0].len; i < n && bytes + parts[i].len <= MANY_BYTES; i++)
        bytes += parts[i].len;
    return i;
}

/* Prepare and store N documents. Each has its own arena: none is refused for what is in another. */
static enum lore_status
submit_some(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_arena work = {0}, *arenas = lore_alloc_array(&work, n, sizeof *arenas);
    struct lore_document *documents = lore_alloc_array(&work, n, sizeof *documents);
    struct lore_ingest_part **of = lore_alloc_array(&work, n, sizeof *of);
    struct lore_job *jobs = lore_alloc_array(&work, n, sizeof *jobs);
    enum lore_status st = LORE_OK;
    size_t n_jobs = 0;

    for (size_t i = 0; i < n; i++) {
        struct lore_document *d = &documents[n_jobs];
        struct lore_ingest_doc doc = *who;

        doc.body = parts[i].body;
        doc.len = parts[i].len;

        parts[i].status = lore_document_prepare(d, &doc, &arenas[n_jobs], &parts[i].err);
        if (parts[i].status != LORE_OK) {
            atomic_fetch_add(&in->stats.refused, 1);
            lore_document_free(d);
            lore_arena_free(&arenas[n_jobs]);
            *d = (struct lore_document){0};
            continue;
        }
        jobs[n_jobs] = (struct lore_job){.document = d, .arena = &arenas[n_jobs]};
        of[n_jobs++] = &parts[i];
    }
    if (n_jobs > 0)
        st = lore_ingest_queue(in, jobs, n_jobs, err);
    for (size_t k = 0; k < n_jobs; k++) {
        if (st == LORE_OK)
            settle(of[k], &jobs[k], arena);
        lore_document_free(&documents[k]);
        lore_arena_free(&arenas[k]);
    }
    lore_arena_free(&work);
    return st;
}

enum lore_status
lore_ingest_submit_many(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err)
{
    enum lore_status st = LORE_OK;
    size_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += parts[i].len;
    while (bytes > LORE_BIG && sem_wait(&in->big) != 0 && errno == EINTR)
        ;
    for (size_t at = 0, some; at < n && st == LORE_OK; at += some) {
        some = how_many(parts + at, n - at);
        st = submit_some(in, parts + at, some, who, arena, err);
    }
    if (bytes > LORE_BIG)
        sem_post(&in->big);
    for (size_t i = 0; i < n && st == LORE_OK; i++)
        if (lore_ingest_is_ours(parts[i].status)) {
            st = parts[i].status;
            *err = parts[i].err;
        }
    return st;
}

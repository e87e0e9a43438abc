/* The one writer: a bounded queue, one thread, one connection, group commit. A receipt means the
 * transaction is on disk (WAL, synchronous=FULL). Checkpoints run on the same connection. */
#ifndef LORE_INGEST_INGEST_H
#define LORE_INGEST_INGEST_H

#include "service/ingest/receipt.h"

struct lore_excerpt;
struct lore_indexes;
struct lore_ingest;
struct lore_projection;
struct lore_ingest_parts {
    struct lore_indexes *indexes;       /* NULL: none */
    struct lore_projection *projection; /* the journal (projection.h), used until
                                           lore_ingest_stop; NULL: none */
    size_t queue_max;                   /* of lore_ingest_start */
    struct lore_excerpt *excerpt;       /* DB is one (excerpt.h); NULL: the service's own */
};
/* Start the writer's thread. It owns DB, the writing connection, from now on. */
enum lore_status lore_ingest_start(struct lore_db *db, const struct lore_ingest_parts *parts,
    struct lore_ingest **out, struct lore_err *err) LORE_MUST;
/* Refuse new work, finish the queue, checkpoint, close the database. */
void lore_ingest_stop(struct lore_ingest *in);
/* Take no more work, for good: the database is damaged. Callers get LORE_BUSY, code
 * database_damaged, and the database is not marked as closed cleanly. */
void lore_ingest_refuse(struct lore_ingest *in);
/* Parse, validate and store DOC; returns after the commit. LORE_BUSY: the queue is full or the
 * service stops. LORE_CONFLICT: an id is already stored with other content. LORE_INVALID with a
 * path: anything wrong with the document, unknown references included. LORE_FORBIDDEN, code
 * needs_curator: a decision that the actor may not take. Thread-safe. */
enum lore_status lore_ingest_submit(struct lore_ingest *in, const struct lore_ingest_doc *doc,
    struct lore_arena *arena, struct lore_receipt *out, struct lore_err *err) LORE_MUST;
/* One of several documents that are stored independently. STATUS and ERR are its own result. */
struct lore_ingest_part {
    const char *body;
    size_t len;
    enum lore_status status;
    struct lore_err err;
    bool duplicate; /* valid when LORE_OK: nothing new was stored */
    const char *id; /* of the document, in the arena; not set when it failed before it was queued */
};
/* Store N documents of WHO, in order (WHO->body is ignored). Documents that fit in memory together
 * share commits. A faulty document does not hold up the others. The result is LORE_OK unless the
 * service itself failed. Then some documents may be stored (LORE_BUSY: try all again later); they
 * are duplicates the next time. Thread-safe. */
enum lore_status
lore_ingest_submit_many(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Run FN in a transaction of the writer; returns after the commit. FN may run twice, when the first
 * transaction was rolled back. */
enum lore_status lore_ingest_write(
    struct lore_ingest *in, lore_ingest_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;
/* The same for a write that is acknowledged: FN adds its entries for the journal (projection.h). */
enum lore_status lore_ingest_write_logged(
    struct lore_ingest *in, lore_ingest_logged_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;
/* Queue FN without waiting for it. FN runs in the next commit, or soon in a commit of its own.
 * Returns false, and calls nothing, when the queue is full or the service stops. AFTER is called
 * once on the writer's thread, after the last call of FN. Its argument says whether the writes of
 * FN are on disk. The caller may hold a lock that FN and AFTER take. FN and AFTER must not use the
 * queue. */
bool lore_ingest_queue_write(
    struct lore_ingest *in, lore_ingest_fn *fn, lore_ingest_after_fn *after, void *ctx);
/* Store DOC on the caller's thread with the same code, for `warplored load` and tests. */
enum lore_status lore_ingest_now(struct lore_db *db, const struct lore_ingest_parts *parts,
    const struct lore_ingest_doc *doc, struct lore_arena *arena, struct lore_receipt *out,
    struct lore_err *err) LORE_MUST;
struct lore_ingest_stats {
    uint64_t documents, records, duplicates, refused, commits;
    uint64_t queued;
    int64_t wal_bytes, last_commit_us;
};
void lore_ingest_stats(struct lore_ingest *in, struct lore_ingest_stats *out);

#endif

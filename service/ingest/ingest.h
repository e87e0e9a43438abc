/* The one writer: a bounded queue, one thread, one connection, group commit. A receipt means the
 * transaction is on disk (WAL, synchronous=FULL). Checkpoints run on the same connection. */
#ifndef LORE_INGEST_INGEST_H
#define LORE_INGEST_INGEST_H

#include "service/base/arena.h"
#include "service/base/json.h"
#include "service/wire/record.h"

struct lore_db;
struct lore_memory;
struct lore_ingest;
enum lore_record_state { LORE_STORED = 1, LORE_DUPLICATE };
struct lore_receipt_item {
    int kind /* enum lore_kind */;
    const char *id;
    enum lore_record_state state;
};
struct lore_receipt {
    const char *id; /* of the document */
    bool duplicate; /* nothing new was stored */
    struct lore_receipt_item *items;
    size_t n_items;
    int64_t seq; /* of the document; 0 when duplicate */
};
/* Takes over DB (the writer connection). */
enum lore_status lore_ingest_start(struct lore_db *db, struct lore_memory *memory, size_t queue_max,
    struct lore_ingest **out, struct lore_err *err) LORE_MUST;
/* Refuses new work, finishes what is queued, checkpoints, closes the database. */
void lore_ingest_stop(struct lore_ingest *in);
struct lore_ingest_doc { /* a document as it arrived, and who brings it */
    const char *body;
    size_t len;
    const char *actor; /* label, for readers */
    bool curator;      /* may the actor decide about records? */
    const char
        *owner; /* id of the token or agent, which may retract it; NULL: curators alone may */
};
/* Parse, validate and store DOC; returns after the commit. LORE_BUSY when the queue is full or
 * the service stops; LORE_CONFLICT when an id already holds other content; LORE_INVALID with the
 * path for anything wrong with the document, unknown references included; LORE_FORBIDDEN code
 * needs_curator for decisions that are not the actor's. Thread-safe. */
enum lore_status lore_ingest_submit(struct lore_ingest *in, const struct lore_ingest_doc *doc,
    struct lore_arena *arena, struct lore_receipt *out, struct lore_err *err) LORE_MUST;
/* One of many documents, each on its own: STATUS and ERR say what became of it. */
struct lore_ingest_part {
    const char *body;
    size_t len;
    enum lore_status status;
    struct lore_err err;
    bool duplicate; /* when LORE_OK: nothing new was stored */
    const char *id; /* of the document, in the arena; NULL when it could not be read */
};
/* Store N documents of WHO (its body is not looked at), in order, so that those that fit in memory
 * share commits. What is wrong with one holds up no other. Not LORE_OK when the service could not
 * do its part (LORE_BUSY: try all again later): then some may be stored, and are duplicates the
 * next time. Thread-safe. */
enum lore_status
lore_ingest_submit_many(struct lore_ingest *in, struct lore_ingest_part *parts, size_t n,
    const struct lore_ingest_doc *who, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Run FN in a transaction of the writer; returns after the commit. It may run twice, when the first
 * transaction was undone. */
typedef enum lore_status
lore_ingest_fn(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err);
enum lore_status lore_ingest_write(
    struct lore_ingest *in, lore_ingest_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;
/* The same for what nobody waits for: FN goes with the next commit, before whatever is queued
 * later, or has one of its own soon. False: the queue is full or the service stops, and nothing
 * will be called. AFTER is called once, on the writer's thread, with whether it was stored; FN
 * never again after. The caller's locks may be held here, so FN and AFTER must not need the queue.
 */
typedef void lore_ingest_after_fn(void *ctx, bool stored);
bool lore_ingest_aside(
    struct lore_ingest *in, lore_ingest_fn *fn, lore_ingest_after_fn *after, void *ctx);
/* Without a thread, for `warplored load` and tests: the same code on the caller's thread. MEMORY
 * may be NULL. */
enum lore_status
lore_ingest_now(struct lore_db *db, struct lore_memory *memory, const struct lore_ingest_doc *doc,
    struct lore_arena *arena, struct lore_receipt *out, struct lore_err *err) LORE_MUST;
struct lore_ingest_stats {
    uint64_t documents, records, duplicates, refused, commits;
    uint64_t queued;
    int64_t wal_bytes, last_commit_us;
};
void lore_ingest_stats(struct lore_ingest *in, struct lore_ingest_stats *out);

#endif

/* The input and output of the writer: a document as it arrived, its receipt, and work that runs in
 * the writer's transaction. */
#ifndef LORE_INGEST_RECEIPT_H
#define LORE_INGEST_RECEIPT_H

#include "service/base/arena.h"
#include "service/base/json.h"
#include "service/wire/record.h"

struct lore_ingest_doc { /* a document as it arrived, and its sender */
    const char *body;
    size_t len;
    const char *actor;  /* label shown to readers */
    bool curator;       /* the actor may mask, merge and retract any record */
    const char *owner;  /* token or agent that may retract the records; NULL: curators only */
    int64_t arrived_us; /* its times cannot be later, its numbers must be possible; 0: not checked,
                           for a document that was accepted before */
};
enum lore_record_state { LORE_STORED = 1, LORE_DUPLICATE };
struct lore_receipt_item {
    int kind /* enum lore_kind */;
    const char *id;
    enum lore_record_state state;
};
struct lore_new_name;
struct lore_receipt {
    const char *id; /* of the document */
    bool duplicate; /* nothing new was stored */
    struct lore_receipt_item *items;
    size_t n_items;
    const struct lore_new_name *names; /* that no record had before (db/put.h) */
    size_t n_names;
    int64_t seq; /* of the document; 0 when duplicate */
};

struct lore_db;
typedef enum lore_status
lore_ingest_fn(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err);
/* The same for writes that are acknowledged: it adds an entry for each to TO (projection.h). */
struct lore_logging;
typedef enum lore_status
lore_ingest_logged_fn(struct lore_db *db, void *ctx, struct lore_logging *to, struct lore_err *err);
/* STORED: the writes of the lore_ingest_fn are on disk. */
typedef void lore_ingest_after_fn(void *ctx, bool stored);

#endif

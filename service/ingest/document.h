/* A document on its way into the database. The caller's thread prepares it (parse, check, digest,
 * compress); the writer's thread stores it. Internal to service/ingest. */
#ifndef LORE_INGEST_DOCUMENT_H
#define LORE_INGEST_DOCUMENT_H

#include "db/put.h"
#include "service/base/buf.h"
#include "service/ingest/receipt.h"
#include "service/wire/wire.h"

struct lore_document {
    struct lore_submission doc;   /* in the caller's arena, like every string of this struct */
    const struct lore_json *root; /* the JSON tree that doc was decoded from */
    const char *actor, *owner;    /* as in struct lore_ingest_doc */
    bool curator;                 /* the actor may mask, merge and retract any record */
    char hash_hex[65];
    unsigned char hash[32];
    struct lore_buf zstd;
    size_t bytes;
    const unsigned char (*digests[LORE_K_COUNT])[32]; /* one digest per record, in document order */
    size_t n_records;
};

/* Parse and check IN without the database. Errors that depend on stored records are found when the
 * document is stored: unknown references, conflicts, wrong subjects of curations, and retractions
 * of records of others. */
enum lore_status lore_document_prepare(struct lore_document *d, const struct lore_ingest_doc *in,
    struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* The same when the caller has the body as lore_zstd_pack gave it: PACKED, which is copied. */
enum lore_status
lore_document_prepare_packed(struct lore_document *d, const struct lore_ingest_doc *in,
    const struct lore_buf *packed, struct lore_arena *arena, struct lore_err *err) LORE_MUST;
void lore_document_free(struct lore_document *d);
/* A document that is freed when the block ends. */
#define LORE_DOCUMENT __attribute__((cleanup(lore_document_free))) struct lore_document
/* Check that the actor of D may take the decisions in it. Fails with the code needs_curator at
 * curations[i].action or techniques[i].slug. Contributors may comment, close directions and
 * campaigns, note restarts, and retract records that they brought. Only DB knows who brought a
 * record: with DB NULL, retractions are not checked yet. */
enum lore_status lore_document_allowed(
    const struct lore_document *d, struct lore_db *db, struct lore_err *err) LORE_MUST;

/* The result of storing a document: its receipt, and the earlier records that it changed. */
struct lore_stored {
    struct lore_receipt receipt;
    struct lore_effects effects;
    bool keep; /* false: a new document whose records were all here; roll back its writes */
};
/* Store D in the open transaction. The caller must roll back after an error, too. */
enum lore_status
lore_document_store(const struct lore_document *d, struct lore_db *db, int64_t now_us,
    struct lore_arena *arena, struct lore_stored *out, struct lore_err *err) LORE_MUST;

#endif

/* A document on its way into the database: prepared on the caller's thread (parse, check, digest,
 * compress), stored on the writer's. Internal to service/ingest. */
#ifndef LORE_INGEST_DOCUMENT_H
#define LORE_INGEST_DOCUMENT_H

#include "db/put.h"
#include "service/base/buf.h"
#include "service/ingest/ingest.h"
#include "service/wire/wire.h"

struct lore_document {
    struct lore_submission doc;   /* in the caller's arena, like all texts here */
    const struct lore_json *root; /* what doc was decoded from */
    const char *actor, *owner;    /* as in struct lore_ingest_doc */
    bool curator;                 /* may the actor decide about records? */
    char hash_hex[65];
    unsigned char hash[32];
    struct lore_buf zstd;
    size_t bytes;
    const unsigned char (*digests[LORE_K_COUNT])[32]; /* per record, in order */
    size_t n_records;
};

/* Everything that can fail for the document's own sake but references and conflicts. */
enum lore_status lore_document_prepare(struct lore_document *d, const struct lore_ingest_doc *in,
    struct lore_arena *arena, struct lore_err *err) LORE_MUST;
void lore_document_free(struct lore_document *d);
/* A document of this block. */
#define LORE_DOCUMENT __attribute__((cleanup(lore_document_free))) struct lore_document
/* May the actor of D decide this? Code needs_curator at curations[i].action. Contributors close
 * directions and campaigns, note restarts, and retract what they brought themselves; which records
 * those are only DB knows, so without it (NULL) that much is not refused yet. */
enum lore_status lore_document_allowed(
    const struct lore_document *d, struct lore_db *db, struct lore_err *err) LORE_MUST;

/* What storing a document came to beside its own records: ids of what the memory holds and what is
 * different now. */
struct lore_stored {
    struct lore_receipt receipt;
    struct lore_effects effects;
    bool keep; /* false: it brought nothing new, and what was written must be undone */
};
/* Store D in the open transaction; after an error, what was written must be undone too. */
enum lore_status
lore_document_store(const struct lore_document *d, struct lore_db *db, int64_t now_us,
    struct lore_arena *arena, struct lore_stored *out, struct lore_err *err) LORE_MUST;

#endif

/* Verification of stored documents and of what was derived from them (verify_documents.c,
 * compare.c). */
#ifndef LORE_DB_VERIFY_H
#define LORE_DB_VERIFY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* A document as it arrived; the texts live until the callback returns. */
struct lore_verified_document {
    const char *id, *actor, *owner;
    const void *packed; /* zstd */
    size_t len;
    int64_t seq, received_us;
};
typedef enum lore_status
lore_verified_fn(void *ctx, const struct lore_verified_document *d, struct lore_err *err);
/* Hand every document of DB to FN, in order, after comparing its bytes with its hash and its row
 * with the event log. LORE_CORRUPT names the first that differs. *n counts them. */
enum lore_status lore_db_verify_documents(struct lore_db *db, lore_verified_fn *fn, void *ctx,
    int64_t *n, struct lore_err *err) LORE_MUST;

/* Compare the bytes of every blob with its hash. *n counts them. */
enum lore_status
lore_db_verify_blobs(struct lore_db *db, int64_t *n, struct lore_err *err) LORE_MUST;

/* Compare the schema of DB with that of COPY, a new database. */
enum lore_status
lore_db_compare_schema(struct lore_db *db, struct lore_db *copy, struct lore_err *err) LORE_MUST;
/* Compare DB with COPY, a database made of the same documents: every row and column of the facts;
 * with DEEP, of the derived tables and of the catalogue, too. What no document says is left out:
 * events, agents and receipts, the log of answers and its links, learned numbers, superseded
 * verdicts. LORE_CORRUPT names the first row that differs. *rows counts them. */
enum lore_status lore_db_compare(struct lore_db *db, struct lore_db *copy, bool deep, int64_t *rows,
    struct lore_err *err) LORE_MUST;
/* Make the writer DB, which is thrown away afterwards, fast: nothing is synced.
 * FACTS_ONLY: store no verdicts and no words in it, either. */
enum lore_status
lore_db_make_scratch(struct lore_db *db, bool facts_only, struct lore_err *err) LORE_MUST;
bool lore_db_has_facts_only(const struct lore_db *db);

#endif

/* What a database acknowledged before it had a journal, in the order of its events
 * (journal_copy.c). */
#ifndef LORE_DB_JOURNAL_COPY_H
#define LORE_DB_JOURNAL_COPY_H

#include "db/agent.h"
#include "db/put.h"

/* One of three is set. All is valid during the call only. */
struct lore_acknowledged {
    const char *actor, *owner; /* owner NULL: nobody's */
    int64_t at_us;
    const void *packed; /* a document, as lore_zstd_pack gave it */
    size_t len;
    const struct lore_batch_receipt *receipt;
    const struct lore_event *event; /* a refusal */
};
typedef enum lore_status
lore_acknowledged_fn(void *ctx, const struct lore_acknowledged *x, struct lore_err *err);
/* Call FN for each. Agents are left out: they are credentials (auth_copy.h). */
enum lore_status lore_db_acknowledged(
    struct lore_db *db, lore_acknowledged_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;

#endif

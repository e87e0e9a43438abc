/* Entries of the journal that may not be on its disk yet, for a start after a power cut
 * (journal_tail.c). Writing belongs into the transaction that acknowledges the entries. */
#ifndef LORE_DB_JOURNAL_TAIL_H
#define LORE_DB_JOURNAL_TAIL_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* An entry (service/journal/entry.h). Either DOCUMENT names the stored document that is the body,
 * or BODY has LEN bytes; when read, BODY is set in any case. */
struct lore_tail_row {
    int64_t seq, first, at_us;
    const char *kind, *actor, *owner, *node, *document;
    bool curator;
    const void *body;
    size_t len;
    unsigned char hash[32];
};
enum lore_status lore_put_journal_tail(
    struct lore_db *db, const struct lore_tail_row *row, struct lore_err *err) LORE_MUST;
/* Forget the entries up to SEQ: they are on the disk. */
enum lore_status
lore_put_journal_synced(struct lore_db *db, int64_t seq, struct lore_err *err) LORE_MUST;
typedef enum lore_status
lore_tail_fn(void *ctx, const struct lore_tail_row *row, struct lore_err *err);
/* Call FN for the rows behind SEQ, in order. A row is valid during the call. Stops at the first
 * status that is not LORE_OK, and returns it. */
enum lore_status lore_db_journal_tail(
    struct lore_db *db, int64_t seq, lore_tail_fn *fn, void *ctx, struct lore_err *err) LORE_MUST;

#endif

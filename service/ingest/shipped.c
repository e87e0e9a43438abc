/* Stores what ships with the service (shipped.h). */
#include "service/ingest/shipped.h"

#include <string.h>

#include "db/put.h"
#include "service/base/log.h"
#include "service/ingest/ingest.h"

enum lore_status
lore_shipped_store(struct lore_db *db, const struct lore_ingest_parts *parts, struct lore_err *err)
{
    const struct lore_ingest_doc doc = {
        .body = lore_shipped_chips, .len = strlen(lore_shipped_chips), .actor = LORE_ACTOR_SERVICE};
    LORE_SCRATCH arena = {0};
    struct lore_receipt receipt;
    enum lore_status status = lore_ingest_now(db, parts, &doc, &arena, &receipt, err);

    if (status != LORE_CONFLICT)
        return status;
    /* an earlier build stored other numbers under these ids, which stay */
    lore_log(LORE_WARN, "shipped_numbers_differ", "error", err->msg, NULL);
    *err = (struct lore_err){0};
    return LORE_OK;
}

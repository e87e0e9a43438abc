/* Rows of drv_version_shown: what versions have by their own source, parameters and summary.
 * service/derive/shown.h derives them. For callers inside a transaction, but for lists. */
#ifndef LORE_DB_SHOWN_H
#define LORE_DB_SHOWN_H

#include <stdbool.h>
#include <stdint.h>

#include "service/base/status.h"
#include "service/wire/record.h"

struct lore_db;
/* Store the row of the version with seq VERSION; once per version. */
enum lore_status lore_shown_put(struct lore_db *db, int64_t version,
    const struct lore_version_shown *shown, struct lore_err *err) LORE_MUST;
/* Delete all rows and call FN for each version that has a source, parameters or a summary. V lives
 * until FN returns. */
typedef enum lore_status (*lore_shown_fn)(
    void *ctx, int64_t version, const struct lore_version *v, struct lore_err *err);
enum lore_status
lore_shown_all(struct lore_db *db, lore_shown_fn fn, void *ctx, struct lore_err *err) LORE_MUST;
/* Whether rows were derived by other rules than RULES, or are missing because the database is older
 * than the table. */
enum lore_status
lore_shown_is_old(struct lore_db *db, int64_t rules, bool *out, struct lore_err *err) LORE_MUST;

#endif

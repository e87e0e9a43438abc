#include "db/application_id.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>

#include "db/internal.h"

enum lore_status
lore_identity_of(struct lore_db *db, int64_t *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "PRAGMA application_id");

    *out = lore_row(&q) ? lore_col_i64(&q, 0) : 0;
    return lore_done(&q, err);
}

enum lore_status
lore_identity_give(struct lore_db *db, int64_t *id, struct lore_err *err)
{
    char pragma[64];
    enum lore_status status = lore_identity_of(db, id, err);

    if (status != LORE_OK || *id != 0)
        return status;
    *id = 1 + randombytes_uniform(INT32_MAX);
    snprintf(pragma, sizeof pragma, "PRAGMA application_id = %" PRId64, *id);
    return lore_db_exec(db, pragma, err);
}

/* Checks of the database file by SQLite. */
#include <string.h>

#include "db/files.h"
#include "db/internal.h"

/* Q is a check that answers "ok", or says what is wrong. */
static enum lore_status
must_say_ok(struct lore_stmt *q, struct lore_err *err)
{
    const char *said;

    if (lore_row(q)) {
        said = lore_col_text(q, 0, NULL);
        if (said && strcmp(said, "ok") != 0)
            return lore_end(q, err, LORE_CORRUPT, "%s: %s", q->db->path, said);
    }
    return lore_done(q, err);
}

enum lore_status
lore_db_quick_check(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "PRAGMA quick_check(1)");

    return must_say_ok(&q, err);
}

enum lore_status
lore_db_check(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "PRAGMA integrity_check(1)");
    LORE_STMT keys = lore_sql(db, "PRAGMA foreign_key_check");
    enum lore_status status = must_say_ok(&q, err);

    if (status != LORE_OK)
        return status;
    if (lore_row(&keys))
        return lore_end(&keys, err, LORE_CORRUPT, "%s: a row of %s refers to a row that is missing",
            db->path, lore_col_text(&keys, 0, NULL));
    return lore_done(&keys, err);
}

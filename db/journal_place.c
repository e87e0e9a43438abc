/* The table of journal_place.h: the last entry that the database has, and a hash for each
 * credential that came from the journal or went into it. Both change in the transaction that
 * applies the entries, so they agree with the facts after a crash. */
#include "db/journal_place.h"

#include <string.h>

#include "db/db.h"
#include "db/internal.h"
#include "db/journal_tail.h"

enum lore_status
lore_db_journal_place(
    struct lore_db *db, int64_t *seq, unsigned char hash[32], struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, hash FROM log_journal WHERE name = 'applied'");
    const void *p;
    size_t len;

    *seq = 0;
    memset(hash, 0, 32);
    if (!lore_row(&q))
        return lore_done(&q, err);
    p = lore_col_blob(&q, 1, &len, NULL);
    if (len != 32)
        return lore_end(&q, err, LORE_CORRUPT, "the place in the journal has no hash");
    memcpy(hash, p, 32);
    *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
put(struct lore_db *db, const char *name, int64_t seq, const unsigned char hash[32],
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "INSERT INTO log_journal (name, seq, hash) VALUES ($1, $2, $3)"
                     " ON CONFLICT (name) DO UPDATE SET seq = excluded.seq, hash = excluded.hash");

    lore_bind_text(&q, 1, name);
    lore_bind_i64(&q, 2, seq);
    lore_bind_blob(&q, 3, hash, 32);
    return lore_done(&q, err);
}

enum lore_status
lore_put_journal_place(
    struct lore_db *db, int64_t seq, const unsigned char hash[32], struct lore_err *err)
{
    return put(db, "applied", seq, hash, err);
}

enum lore_status
lore_put_journal_left(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM log_journal");
    enum lore_status status = lore_done(&q, err);

    return status == LORE_OK ? lore_put_journal_synced(db, INT64_MAX, err) : status;
}

enum lore_status
lore_db_journal_knows(struct lore_db *db, const char *name, const unsigned char hash[32],
    bool *same, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT hash FROM log_journal WHERE name = $1");
    const void *p;
    size_t len = 0;

    lore_bind_text(&q, 1, name);
    p = lore_row(&q) ? lore_col_blob(&q, 0, &len, NULL) : NULL;
    *same = len == 32 && memcmp(p, hash, 32) == 0;
    return lore_done(&q, err);
}

enum lore_status
lore_db_journal_has(struct lore_db *db, const char *name, bool *has, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM log_journal WHERE name = $1");

    lore_bind_text(&q, 1, name);
    *has = lore_row(&q);
    return lore_done(&q, err);
}

enum lore_status
lore_put_journal_known(
    struct lore_db *db, const char *name, const unsigned char hash[32], struct lore_err *err)
{
    return put(db, name, 0, hash, err);
}

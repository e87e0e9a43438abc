#include "db/row_hash.h"

#include <string.h>

#include "db/internal.h"
#include "db/put.h"
#include "service/base/hash.h"

static const struct {
    const char *kind;    /* of the event */
    const char *rows[2]; /* the rows of subject $1 */
} vouched[LORE_VOUCHED_COUNT] = {
    [LORE_VOUCHED_AGENT] = {"agent_rows", {"SELECT * FROM fact_agent WHERE id = $1",
                                              "SELECT * FROM fact_agent_revoked WHERE agent = $1"}},
    [LORE_VOUCHED_RECEIPT] = {"receipt_rows",
        {"SELECT * FROM fact_receipt WHERE batch = $1",
            "SELECT l.* FROM fact_receipt r JOIN fact_receipt_line l ON l.receipt = r.seq"
            " WHERE r.batch = $1 ORDER BY l.position"}},
};

/* Add the present row: of each column its type, its size and its bytes. */
static void
add_row(struct lore_stmt *q, struct lore_hasher *h)
{
    for (int i = 0; i < sqlite3_column_count(q->s); i++) {
        int64_t head[2] = {sqlite3_column_type(q->s, i), 0}, number;
        const void *p = &number;

        if (head[0] == SQLITE_INTEGER) {
            number = sqlite3_column_int64(q->s, i);
            head[1] = sizeof number;
        } else {
            p = sqlite3_column_blob(q->s, i);
            head[1] = sqlite3_column_bytes(q->s, i);
        }
        lore_hash_add(h, head, sizeof head);
        if (head[1] > 0)
            lore_hash_add(h, p, (size_t)head[1]);
    }
}

static enum lore_status
hash_rows(struct lore_db *db, enum lore_vouched what, const char *subject, unsigned char out[32],
    struct lore_err *err)
{
    struct lore_hasher h;
    enum lore_status status = LORE_OK;

    lore_hash_begin(&h);
    for (size_t i = 0; i < 2 && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql_prepare(db, vouched[what].rows[i]);

        lore_bind_text(&q, 1, subject);
        while (lore_row(&q))
            add_row(&q, &h);
        status = lore_done(&q, err);
    }
    lore_hash_end(&h, out);
    return status;
}

enum lore_status
lore_row_hash_vouch(struct lore_db *db, enum lore_vouched what, const char *subject, int64_t now_us,
    struct lore_err *err)
{
    unsigned char hash[32];
    enum lore_status status = hash_rows(db, what, subject, hash, err);

    return status == LORE_OK ? lore_put_event(db,
                                   &(struct lore_event){LORE_ACTOR_SERVICE, vouched[what].kind,
                                       subject, hash, now_us},
                                   err)
                             : status;
}

static enum lore_status
check(struct lore_db *db, enum lore_vouched what, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT e.subject, e.detail, max(e.seq) FROM fact_event e"
                               " WHERE e.kind = $1 GROUP BY e.subject ORDER BY e.subject");
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, vouched[what].kind);
    while (status == LORE_OK && lore_row(&q)) {
        unsigned char hash[32];
        size_t len;
        const char *subject = lore_col_text(&q, 0, NULL);
        const void *detail = lore_col_blob(&q, 1, &len, NULL);

        status = hash_rows(db, what, subject, hash, err);
        if (status == LORE_OK && (len != 32 || memcmp(detail, hash, 32) != 0))
            return lore_fail_at(err, LORE_CORRUPT, "row_damaged", "",
                "%s: its rows differ from the event log (%s)", subject, vouched[what].kind);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_row_hash_check(struct lore_db *db, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (int what = 0; what < LORE_VOUCHED_COUNT && status == LORE_OK; what++)
        status = check(db, (enum lore_vouched)what, err);
    return status;
}

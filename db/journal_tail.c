/* The row of a document's entry refers to the stored document in place of a second copy. */
#include "db/journal_tail.h"

#include <string.h>

#include "db/db.h"
#include "db/internal.h"

enum lore_status
lore_put_journal_tail(struct lore_db *db, const struct lore_tail_row *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO log_journal_tail (seq, first, at_us, kind, actor, owner, node, curator,"
        " document, body, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)");
    const char *const texts[] = {row->kind, row->actor, row->owner, row->node};

    lore_bind_i64(&q, 1, row->seq);
    lore_bind_i64(&q, 2, row->first);
    lore_bind_i64(&q, 3, row->at_us);
    for (int i = 0; i < 4; i++)
        lore_bind_text(&q, 4 + i, texts[i] ? texts[i] : "");
    lore_bind_i64(&q, 8, row->curator);
    lore_bind_text(&q, 9, row->document);
    if (row->document)
        lore_bind_null(&q, 10);
    else
        lore_bind_blob(&q, 10, row->body, row->len);
    lore_bind_blob(&q, 11, row->hash, sizeof row->hash);
    return lore_done(&q, err);
}

enum lore_status
lore_put_journal_synced(struct lore_db *db, int64_t seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM log_journal_tail WHERE seq <= $1");

    lore_bind_i64(&q, 1, seq);
    return lore_done(&q, err);
}

enum lore_status
lore_db_journal_tail(
    struct lore_db *db, int64_t seq, lore_tail_fn *fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.seq, t.first, t.at_us, t.kind, t.actor, t.owner, t.node, t.curator, t.hash,"
        " coalesce(t.body, d.zstd) FROM log_journal_tail t LEFT JOIN fact_document d"
        " ON d.id = t.document WHERE t.seq > $1 ORDER BY t.seq");
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, seq);
    while (status == LORE_OK && lore_row(&q)) {
        size_t len;
        const void *hash;
        struct lore_tail_row r;

        lore_arena_reset(&a);
        r = (struct lore_tail_row){.seq = lore_col_i64(&q, 0),
            .first = lore_col_i64(&q, 1),
            .at_us = lore_col_i64(&q, 2),
            .kind = lore_col_text(&q, 3, &a),
            .actor = lore_col_text(&q, 4, &a),
            .owner = lore_col_text(&q, 5, &a),
            .node = lore_col_text(&q, 6, &a),
            .curator = lore_col_i64(&q, 7) != 0};
        hash = lore_col_blob(&q, 8, &len, NULL);
        if (len != sizeof r.hash)
            return lore_end(&q, err, LORE_CORRUPT, "an entry of the journal has no hash");
        memcpy(r.hash, hash, sizeof r.hash);
        r.body = lore_col_blob(&q, 9, &r.len, NULL);
        status = fn(ctx, &r, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* Documents in the order of their events, with everything that storing them again needs. */
#include "db/excerpt.h"

#include <string.h>

#include "db/internal.h"
#include "db/standing.h"

static void
read_row(struct lore_stmt *q, struct lore_arena *a, struct lore_arrived_row *out)
{
    out->event = lore_col_i64(q, 0);
    out->id = lore_col_text(q, 1, a);
    out->actor = lore_col_text(q, 2, a);
    out->at_us = lore_col_i64(q, 3);
    out->owner = lore_col_text(q, 4, a);
    out->packed = lore_col_blob(q, 5, &out->len, a);
}

enum lore_status
lore_db_documents_after(
    struct lore_db *db, struct lore_arrived_part *part, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT e.seq, d.id, d.actor, d.received_us, o.owner, d.zstd FROM fact_event e"
                     " JOIN fact_document d ON d.id = e.subject"
                     " LEFT JOIN fact_document_owner o ON o.document = d.seq"
                     " WHERE e.seq > $1 AND e.kind = 'submission' ORDER BY e.seq");
    bool full = false;
    size_t bytes = 0;
    enum lore_status status = LORE_OK;

    part->n = 0;
    lore_bind_i64(&q, 1, part->after);
    while (!full && lore_row(&q)) {
        struct lore_arrived_row *row = &part->v[part->n++];

        read_row(&q, a, row);
        bytes += row->len;
        full = part->n == part->most || bytes >= part->bytes;
    }
    if (!full)
        status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_db_head(db, full ? part->v[part->n - 1].event : INT64_MAX, &part->to, err);
    return status;
}

enum lore_status
lore_db_find_any(struct lore_db *db, const char *id, struct lore_arena *a, const char **actor,
    struct lore_err *err)
{
    struct lore_found record = {0};
    enum lore_status status = lore_db_find_record(db, id, a, &record, err);

    *actor = record.actor;
    if (status != LORE_NOTFOUND)
        return status;
    LORE_STMT q = lore_sql(db, "SELECT actor FROM fact_document WHERE id = $1");
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "%s: no such record or document", id);
    *actor = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}

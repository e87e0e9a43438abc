/* All submissions as they arrived, oldest first: a service that takes them in this order holds the
 * same facts. A withheld one keeps its place and has no text. */
#include "db/export.h"
#include "db/internal.h"
#include "service/base/file.h"

static enum lore_status
text_of(struct lore_stmt *q, struct lore_arena *a, struct lore_export_row *row, size_t *bytes,
    struct lore_err *err)
{
    LORE_BUF text = {0};
    size_t len;
    const void *packed = lore_col_blob(q, 4, &len, NULL);
    enum lore_status status;

    if (!packed)
        return LORE_OK;
    status = lore_zstd_unpack(packed, len, &text, err);
    if (status == LORE_OK)
        row->text = lore_strndup(a, text.data != NULL ? text.data : "", text.len);
    *bytes += text.len;
    return status;
}

enum lore_status
lore_db_list_export(struct lore_db *db, const struct lore_export_part *part, struct lore_arena *a,
    struct lore_export_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT d.seq, d.received_us, d.id, d.actor, CASE WHEN w.document IS NULL THEN d.zstd END,"
        " d.bytes FROM fact_document d LEFT JOIN drv_withheld w ON w.document = d.seq"
        " WHERE d.seq > $1 ORDER BY d.seq LIMIT $2");
    struct lore_export_row *rows = NULL;
    size_t count = 0, cap = 0, bytes = 0;
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, part->after);
    lore_bind_i64(&q, 2, (int64_t)part->lines);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_export_row *row;
        bool given = !lore_col_null(&q, 4);

        if (count > 0 && given && bytes + (size_t)lore_col_i64(&q, 5) > part->bytes)
            break;
        row = LORE_PUSH(a, rows, count, cap);
        row->seq = lore_col_i64(&q, 0);
        row->received_us = lore_col_i64(&q, 1);
        row->id = lore_col_text(&q, 2, a);
        row->actor = lore_col_text(&q, 3, a);
        status = text_of(&q, a, row, &bytes, err);
    }
    if (status == LORE_OK && q.rc == SQLITE_OK) {
        *out = rows;
        *n = count;
    }
    return status == LORE_OK && q.rc != SQLITE_OK ? lore_done(&q, err) : status;
}

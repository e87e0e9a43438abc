/* Directions: worth trying, and not tried yet. One is open until a curation closes it. */
#include "db/internal.h"
#include "db/knowledge.h"
#include "db/read.h"
#include "db/rest.h"

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, x.reason FROM fact_direction t"           \
    " JOIN fact_document d ON d.seq = t.document"                                                  \
    " LEFT JOIN fact_curation x ON x.seq = " LORE_LAST_CURATION("t", "'close'")

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_direction_row *out = row;
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    out->close_reason = lore_col_text(q, 5, a);
    out->closed = out->close_reason != NULL;
    status = lore_rest_read(LORE_K_DIRECTION, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->r = doc.directions[0];
    return status;
}
static const struct lore_row_shape shape = {
    sizeof(struct lore_direction_row), columns, "direction"};

enum lore_status
lore_db_get_direction(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_direction_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_directions(struct lore_db *db, const char *kernel, int closed, struct lore_page page,
    struct lore_arena *a, struct lore_direction_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, SELECT " WHERE ($1 IS NULL OR t.kernel = $1)"
                            " AND ($2 < 0 OR CASE WHEN x.seq IS NULL THEN 0 ELSE 1 END = $2)"
                            " AND ($3 = 0 OR t.seq < $3) ORDER BY t.seq DESC LIMIT $4");

    lore_bind_text(&q, 1, kernel);
    lore_bind_i64(&q, 2, closed);
    lore_bind_i64(&q, 3, page.before);
    lore_bind_i64(&q, 4, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

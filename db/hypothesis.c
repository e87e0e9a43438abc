/* Hypotheses: claims made before the run. */
#include "db/internal.h"
#include "db/read.h"
#include "db/rest.h"
#include "db/rows.h"

#define SELECT                                                                                     \
    "SELECT h.seq, d.received_us, h.claimed_us, h.id, h.from_version, h.to_version, h.claim,"      \
    " h.author, h.rest, d.id FROM fact_hypothesis h JOIN fact_document d ON d.seq = h.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_hypothesis_row *out = row;
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    out->h.claimed_at = lore_col_time(q, i, a);
    out->claimed_us = lore_col_i64(q, i++);
    out->h.id = lore_col_text(q, i++, a);
    out->h.from_version = lore_col_text(q, i++, a);
    out->h.to_version = lore_col_text(q, i++, a);
    out->h.claim = lore_col_text(q, i++, a);
    out->h.author = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
    (void)err;
    return LORE_OK;
}
static const struct lore_row_shape shape = {
    sizeof(struct lore_hypothesis_row), columns, "hypothesis"};

enum lore_status
lore_db_get_hypothesis(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_hypothesis_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE h.id = $1");
    struct lore_submission doc = {0};
    struct lore_hypothesis_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "hypothesis %s: no such hypothesis", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        status = lore_rest_read(LORE_K_HYPOTHESIS, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.h = doc.hypotheses[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_db_list_hypotheses(struct lore_db *db, const char *version, struct lore_page page,
    struct lore_arena *a, struct lore_hypothesis_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, SELECT " WHERE ($1 IS NULL OR h.from_version = $1 OR h.to_version = $1)"
                            " AND ($2 = 0 OR h.seq < $2) ORDER BY h.seq DESC LIMIT $3");

    lore_bind_text(&q, 1, version);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

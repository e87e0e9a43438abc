/* Environments: what surrounded a run. Equal hard hash: measurements may be compared. */
#include "db/ancestry.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"

LORE_KIND_BEFORE(environment)
{
    const struct lore_environment *r = record;
    char *hard = lore_alloc(c->arena, 33), *soft = lore_alloc(c->arena, 33);

    (void)err;
    lore_kvs_hash(&r->hard, hard);
    lore_kvs_hash(&r->soft, soft);
    made->text[0] = hard;
    made->text[1] = soft;
    return LORE_OK;
}

#define SELECT                                                                                     \
    "SELECT e.seq, e.hard_hash, e.soft_hash, e.captured_us, e.rest, d.id, d.received_us, e.chip"   \
    " FROM fact_environment e JOIN fact_document d ON d.seq = e.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_environment_row *out,
    struct lore_err *err)
{
    struct lore_submission doc = {0};
    struct lore_environment_row row = {0};
    enum lore_status status;

    row.seq = lore_col_i64(q, 0);
    row.hard_hash = lore_col_text(q, 1, a);
    row.soft_hash = lore_col_text(q, 2, a);
    row.captured_us = lore_col_i64(q, 3);
    row.rest = lore_col_text(q, 4, a);
    row.document = lore_col_text(q, 5, a);
    row.received_us = lore_col_i64(q, 6);
    status = lore_rest_read(LORE_K_ENVIRONMENT, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.e = doc.environments[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_db_get_environment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_environment_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE e.id = $1");

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "environment %s: no such environment", id);
    return columns(&q, a, out, err);
}

enum lore_status
lore_db_list_environments(struct lore_db *db, const char *chip, struct lore_page page,
    struct lore_arena *a, struct lore_environment_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR e.chip = $1 OR e.chip IN"
                                      " (SELECT name FROM cat_chip WHERE isa = $1))"
                                      " AND ($2 = 0 OR e.seq < $2) ORDER BY e.seq DESC LIMIT $3");
    struct lore_environment_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, chip);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    while (status == LORE_OK && lore_row(&q))
        status = columns(&q, a, LORE_PUSH(a, rows, count, cap), err);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

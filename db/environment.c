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
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_environment_row *out = row;
    struct lore_submission doc = {0};
    enum lore_status status;

    out->seq = lore_col_i64(q, 0);
    out->hard_hash = lore_col_text(q, 1, a);
    out->soft_hash = lore_col_text(q, 2, a);
    out->captured_us = lore_col_i64(q, 3);
    out->rest = lore_col_text(q, 4, a);
    out->document = lore_col_text(q, 5, a);
    out->received_us = lore_col_i64(q, 6);
    status = lore_rest_read(LORE_K_ENVIRONMENT, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->e = doc.environments[0];
    return status;
}
static const struct lore_row_shape shape = {
    sizeof(struct lore_environment_row), columns, "environment"};

enum lore_status
lore_db_get_environment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_environment_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE e.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_environments(struct lore_db *db, const char *chip, struct lore_page page,
    struct lore_arena *a, struct lore_environment_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR e.chip = $1 OR e.chip IN"
                                      " (SELECT name FROM cat_chip WHERE isa = $1))"
                                      " AND ($2 = 0 OR e.seq < $2) ORDER BY e.seq DESC LIMIT $3");

    lore_bind_text(&q, 1, chip);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

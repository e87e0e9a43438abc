/* Techniques as catalogues describe them: several may describe the same one. */
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/knowledge.h"
#include "db/rest.h"

LORE_KIND_BEFORE(technique)
{
    const struct lore_technique_def *r = record;

    return lore_name_technique(c->db, r->technique, c->arena, &made->text[0], err);
}

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_technique_def_row *out = row;
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    status = lore_rest_read(LORE_K_TECHNIQUE, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->r = doc.techniques[0];
    return status;
}
static const struct lore_row_shape shape = {
    sizeof(struct lore_technique_def_row), columns, "technique"};

enum lore_status
lore_db_get_technique_def(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_technique_def_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_KNOWN("fact_technique") " WHERE t.id = $1");

    return lore_db_one(&q, &shape, id, a, out, err);
}

enum lore_status
lore_db_list_technique_defs(struct lore_db *db, const char *technique, struct lore_page page,
    struct lore_arena *a, struct lore_technique_def_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, LORE_KNOWN("fact_technique") " WHERE ($1 IS NULL OR t.technique = $1)"
                                                  " AND ($2 = 0 OR t.seq < $2)"
                                                  " ORDER BY t.seq DESC LIMIT $3");

    lore_bind_text(&q, 1, technique);
    lore_bind_i64(&q, 2, page.before);
    lore_bind_i64(&q, 3, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

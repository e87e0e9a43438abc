/* Insights: lessons in words, with their scope and evidence. */
#include <stdio.h>

#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"
#include "db/seen.h"
#include "service/catalogue/catalogue.h"

LORE_KIND_BEFORE(insight)
{
    const struct lore_insight *r = record;
    enum lore_status status = LORE_OK;
    char path[40];

    for (size_t i = 0; i < r->experiments.n && status == LORE_OK; i++) {
        snprintf(path, sizeof path, "experiments[%zu]", i);
        status = lore_reference(c->db, LORE_K_EXPERIMENT, path, r->experiments.v[i], err);
    }
    made->text[0] = r->kind != NULL ? r->kind : "note";
    made->text[1] = r->op != NULL ? lore_operator_name(c->arena, r->op) : NULL;
    made->text[2] = r->language != LORE_LANG_NONE ? lore_language_name(r->language) : NULL;
    made->text[3] = r->technique != NULL ? lore_technique_slug(c->arena, r->technique) : NULL;
    made->text[4] = lore_join(&r->labels, '+', c->arena);
    return status;
}

LORE_KIND_AFTER(insight)
{
    (void)record, (void)made, (void)seq, (void)err;
    lore_seen_change(c->db, 'L', "");
    return LORE_OK;
}

#define SELECT                                                                                     \
    "SELECT i.seq, d.received_us, i.id, i.kind, i.title, i.body, i.operator, i.family,"            \
    " i.language, i.chip, i.technique, i.labels, i.confidence, i.author, i.rest, d.id"             \
    " FROM fact_insight i JOIN fact_document d ON d.seq = i.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_insight_row *out = row;
    struct lore_insight *r = &out->i;
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    r->id = lore_col_text(q, i++, a);
    r->kind = lore_col_text(q, i++, a);
    r->title = lore_col_text(q, i++, a);
    r->body = lore_col_text(q, i++, a);
    r->op = lore_col_text(q, i++, a);
    r->family = lore_col_text(q, i++, a);
    r->language =
        lore_col_null(q, i) ? LORE_LANG_NONE : lore_language_find(lore_col_text(q, i, NULL));
    i++;
    r->chip = lore_col_text(q, i++, a);
    r->technique = lore_col_text(q, i++, a);
    lore_split(lore_col_text(q, i++, NULL), '+', a, &r->labels);
    r->confidence = lore_col_text(q, i++, a);
    r->author = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
    (void)err;
    return LORE_OK;
}
static const struct lore_row_shape shape = {sizeof(struct lore_insight_row), columns, "insight"};

enum lore_status
lore_db_get_insight(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_insight_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE i.id = $1");
    struct lore_submission doc = {0};
    struct lore_insight_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "insight %s: no such insight", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        status = lore_rest_read(LORE_K_INSIGHT, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.i = doc.insights[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_db_list_insights(struct lore_db *db, const char *kind, const char *op, const char *technique,
    struct lore_page page, struct lore_arena *a, struct lore_insight_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR i.kind = $1)"
                                      " AND ($2 IS NULL OR i.operator = $2)"
                                      " AND ($3 IS NULL OR i.technique = $3)"
                                      " AND ($4 = 0 OR i.seq < $4) ORDER BY i.seq DESC LIMIT $5");

    lore_bind_text(&q, 1, kind);
    lore_bind_text(&q, 2, op);
    lore_bind_text(&q, 3, technique);
    lore_bind_i64(&q, 4, page.before);
    lore_bind_i64(&q, 5, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

/* Insights: lessons in words, with their scope and evidence. */
#include <stdio.h>

#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/search.h"
#include "db/seen.h"
#include "service/catalogue/catalogue.h"

static enum lore_status
check_experiments(const struct lore_put_ctx *c, const struct lore_insight *r, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    char path[40];

    for (size_t i = 0; i < r->experiments.n && status == LORE_OK; i++) {
        snprintf(path, sizeof path, "experiments[%zu]", i);
        status = lore_reference(c->db, LORE_REF_EXPERIMENT, path, r->experiments.v[i], err);
    }
    return status;
}

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_insight *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_insight (id, digest, document, kind, title, body, operator, family,"
        " language, chip, technique, labels, confidence, author, rest) VALUES ($1, $2, $3, $4, $5,"
        " $6, $7, $8, $9, $10, $11, $12, $13, $14, $15) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_insight WHERE id = $1");
    const char *rest = NULL;
    enum lore_status status = lore_rest_write(LORE_K_INSIGHT, r, c->arena, &rest, err);

    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->kind != NULL ? r->kind : "note");
    lore_bind_text(&q, 5, r->title);
    lore_bind_text(&q, 6, r->body);
    lore_bind_text(&q, 7, r->op != NULL ? lore_operator_name(c->arena, r->op) : NULL);
    lore_bind_text(&q, 8, r->family);
    lore_bind_text(&q, 9, r->language != LORE_LANG_NONE ? lore_language_name(r->language) : NULL);
    lore_bind_text(&q, 10, r->chip);
    lore_bind_text(
        &q, 11, r->technique != NULL ? lore_technique_slug(c->arena, r->technique) : NULL);
    lore_bind_text(&q, 12, lore_join(&r->labels, '+', c->arena));
    lore_bind_text(&q, 13, r->confidence);
    lore_bind_text(&q, 14, r->author);
    lore_bind_text(&q, 15, rest);
    return lore_insert_run(&q, &digests, in, err);
}

enum lore_status
lore_words_insight(const struct lore_put_ctx *c, const struct lore_insight *r, struct lore_err *err)
{
    const char *words[] = {r->body, r->op, r->family, r->chip, r->technique, r->author};
    struct lore_buf *b = &c->db->words;

    lore_buf_reset(b);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (words[i] != NULL)
            lore_buf_printf(b, "%s\n", words[i]);
    return lore_search_put(c->db, "insight", r->id, r->title, b, err);
}

enum lore_status
lore_put_insight(const struct lore_put_ctx *c, const struct lore_insight *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "insight", .id = r->id, .digest = digest};
    enum lore_status status = check_experiments(c, r, err);

    if (status == LORE_OK)
        status = put_row(c, r, &in, err);
    if (status == LORE_OK && in.no_reference) {
        status = lore_reference(c->db, LORE_REF_CHIP, "chip", r->chip, err);
        return status == LORE_OK ? lore_reference_lost(&in, err) : status;
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        lore_seen_change(c->db, 'L', "");
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_words_insight(c, r, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

#define SELECT                                                                                     \
    "SELECT i.seq, d.received_us, i.id, i.kind, i.title, i.body, i.operator, i.family,"            \
    " i.language, i.chip, i.technique, i.labels, i.confidence, i.author, i.rest, d.id"             \
    " FROM fact_insight i JOIN fact_document d ON d.seq = i.document"

static void
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_insight_row *out)
{
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
}

enum lore_status
lore_get_insight(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_insight_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE i.id = $1");
    struct lore_submission doc = {0};
    struct lore_insight_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "insight %s: no such insight", id);
    columns(&q, a, &row);
    status = lore_rest_read(LORE_K_INSIGHT, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.i = doc.insights[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_list_insights(struct lore_db *db, const char *kind, const char *op, const char *technique,
    struct lore_page page, struct lore_arena *a, struct lore_insight_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR i.kind = $1)"
                                      " AND ($2 IS NULL OR i.operator = $2)"
                                      " AND ($3 IS NULL OR i.technique = $3)"
                                      " AND ($4 = 0 OR i.seq < $4) ORDER BY i.seq DESC LIMIT $5");
    struct lore_insight_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, kind);
    lore_bind_text(&q, 2, op);
    lore_bind_text(&q, 3, technique);
    lore_bind_i64(&q, 4, page.before);
    lore_bind_i64(&q, 5, (int64_t)page.limit);
    while (lore_row(&q))
        columns(&q, a, LORE_PUSH(a, rows, count, cap));
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

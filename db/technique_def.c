/* Techniques as catalogues describe them: several may describe the same one. */
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/search.h"

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_technique_def *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(c->db, "INSERT INTO fact_technique (id, digest, document, technique, slug, rest)"
                        " VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_technique WHERE id = $1");
    const char *slug, *rest = NULL;
    enum lore_status status;

    status = lore_name_technique(c->db, r->technique, c->arena, &slug, err);
    if (status == LORE_OK)
        status = lore_rest_write(LORE_K_TECHNIQUE, r, c->arena, &rest, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, slug);
    lore_bind_text(&q, 5, r->slug);
    lore_bind_text(&q, 6, rest);
    return lore_insert_run(&q, &digests, in, err);
}

enum lore_status
lore_words_technique(
    const struct lore_put_ctx *c, const struct lore_technique_def *r, struct lore_err *err)
{
    const char *words[] = {r->summary, r->technique, r->slug, r->axis, r->layer, r->typical_gain};

    return lore_search_words(c, "technique", r->id, r->title != NULL ? r->title : r->technique,
        words, sizeof words / sizeof *words, err);
}

enum lore_status
lore_put_technique(const struct lore_put_ctx *c, const struct lore_technique_def *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "technique", .id = r->id, .digest = digest};
    enum lore_status status = put_row(c, r, &in, err);

    if (status == LORE_OK && in.no_reference)
        return lore_reference_lost(&in, err);
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_words_technique(c, r, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_technique_def_row *out,
    struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status;

    LORE_KNOWN_COLUMNS(q, a, out);
    status = lore_rest_read(LORE_K_TECHNIQUE, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->r = doc.techniques[0];
    return status;
}

enum lore_status
lore_get_technique_def(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_technique_def_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_KNOWN("fact_technique") " WHERE t.id = $1");
    struct lore_technique_def_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "technique %s: no such technique", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

enum lore_status
lore_list_technique_defs(struct lore_db *db, const char *technique, struct lore_page page,
    struct lore_arena *a, struct lore_technique_def_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, LORE_KNOWN("fact_technique") " WHERE ($1 IS NULL OR t.technique = $1)"
                                                  " AND ($2 = 0 OR t.seq < $2)"
                                                  " ORDER BY t.seq DESC LIMIT $3");
    struct lore_technique_def_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status = LORE_OK;

    lore_bind_text(&q, 1, technique);
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

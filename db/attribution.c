/* Attributions: the part of an experiment's gain that ablation gives to one technique. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/put_inner.h"
#include "db/rest.h"

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_attribution *r, struct lore_insert *in,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_attribution (id, digest, document, experiment, technique,"
        " ablated_version, attribution_ns, attribution_pct, contributed, rest)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_attribution WHERE id = $1");
    const char *slug, *rest = NULL;
    enum lore_status status;

    status = lore_name_technique(c->db, r->technique, c->arena, &slug, err);
    if (status == LORE_OK)
        status = lore_rest_write(LORE_K_ATTRIBUTION, r, c->arena, &rest, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->experiment);
    lore_bind_text(&q, 5, slug);
    lore_bind_text(&q, 6, r->ablated_version);
    lore_bind_opt_f64(&q, 7, r->attribution_ns);
    lore_bind_opt_f64(&q, 8, r->attribution_pct);
    lore_bind_text(&q, 9, r->contributed);
    lore_bind_text(&q, 10, rest);
    return lore_insert_run(&q, &digests, in, err);
}

enum lore_status
lore_put_attribution(const struct lore_put_ctx *c, const struct lore_attribution *r,
    const unsigned char digest[32], enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "attribution", .id = r->id, .digest = digest};
    enum lore_status status;

    /* These two have no column, so no key guards them. */
    status = lore_reference(c->db, LORE_REF_RUN, "champion_run", r->champion_run, err);
    if (status == LORE_OK)
        status = lore_reference(c->db, LORE_REF_RUN, "ablated_run", r->ablated_run, err);
    if (status == LORE_OK)
        status = put_row(c, r, &in, err);
    if (status == LORE_OK && in.no_reference) {
        status = lore_reference(c->db, LORE_REF_EXPERIMENT, "experiment", r->experiment, err);
        if (status == LORE_OK)
            status =
                lore_reference(c->db, LORE_REF_VERSION, "ablated_version", r->ablated_version, err);
        return status == LORE_OK ? lore_reference_lost(&in, err) : status;
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED && c->effects != NULL)
        status = lore_note_judged(c, r->experiment, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

#define SELECT                                                                                     \
    "SELECT t.seq, t.rest, x.retraction FROM fact_attribution t"                                   \
    " LEFT JOIN drv_curated x ON x.record = t.id"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, struct lore_attribution_row *out,
    struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status;

    out->seq = lore_col_i64(q, 0);
    out->rest = lore_col_text(q, 1, a);
    out->retracted = !lore_col_null(q, 2);
    status = lore_rest_read(LORE_K_ATTRIBUTION, "", out->rest, a, &doc, err);
    if (status == LORE_OK)
        out->a = doc.attributions[0];
    return status;
}

enum lore_status
lore_get_attribution(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_attribution_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.id = $1");
    struct lore_attribution_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "attribution %s: no such attribution", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

enum lore_status
lore_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_attribution_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.experiment = $1 ORDER BY t.seq");
    struct lore_attribution_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, experiment);
    while (lore_row(&q)) {
        status = columns(&q, a, LORE_PUSH(a, rows, count, cap), err);
        if (status != LORE_OK)
            return status;
    }
    status = lore_done(&q, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

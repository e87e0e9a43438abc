/* Attributions: the part of an experiment's gain that ablation gives to one technique. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"

LORE_KIND_BEFORE(attribution)
{
    const struct lore_attribution *r = record;

    return lore_name_technique(c->db, r->technique, c->arena, &made->text[0], err);
}

LORE_KIND_AFTER(attribution)
{
    const struct lore_attribution *r = record;

    (void)made, (void)seq;
    return c->effects ? lore_db_note_judged(c, r->experiment, err) : LORE_OK;
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
lore_db_get_attribution(struct lore_db *db, const char *id, struct lore_arena *a,
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
lore_db_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
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
    return lore_db_rows(&q, rows, count, out, n, err);
}

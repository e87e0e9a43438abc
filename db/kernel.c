/* Kernels: one implementation line of an operator in one language. */
#include "db/catalogue_inner.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/rest.h"

LORE_KIND_BEFORE(kernel)
{
    const struct lore_kernel *r = record;

    made->text[1] = lore_language_name(r->language);
    return lore_name_operator(c->db, r->op, r->family, c->arena, &made->text[0], err);
}

#define SELECT                                                                                     \
    "SELECT k.seq, d.received_us, k.id, k.operator, k.name, k.language, k.origin, k.entry_symbol," \
    " k.goal, k.rest, o.family, d.id,"                                                             \
    " (SELECT count(*) FROM fact_version v WHERE v.kernel = k.id),"                                \
    " (SELECT count(*) FROM fact_experiment e WHERE e.kernel = k.id)"                              \
    " FROM fact_kernel k JOIN cat_operator o ON o.name = k.operator"                               \
    " JOIN fact_document d ON d.seq = k.document"

static enum lore_status
columns(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_kernel_row *out = row;
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    out->k.id = lore_col_text(q, i++, a);
    out->k.op = lore_col_text(q, i++, a);
    out->k.name = lore_col_text(q, i++, a);
    out->k.language = lore_language_find(lore_col_text(q, i++, NULL));
    out->k.origin = lore_col_text(q, i++, a);
    out->k.entry_symbol = lore_col_text(q, i++, a);
    out->k.goal = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->family = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
    out->n_versions = lore_col_i64(q, i++);
    out->n_experiments = lore_col_i64(q, i++);
    (void)err;
    return LORE_OK;
}
static const struct lore_row_shape shape = {sizeof(struct lore_kernel_row), columns, "kernel"};

enum lore_status
lore_db_get_kernel(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_kernel_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE k.id = $1");
    struct lore_submission doc = {0};
    struct lore_kernel_row row = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "kernel %s: no such kernel", id);
    status = columns(&q, a, &row, err);
    if (status == LORE_OK)
        status = lore_rest_read(LORE_K_KERNEL, "", row.rest, a, &doc, err);
    if (status != LORE_OK)
        return status;
    row.k = doc.kernels[0];
    *out = row;
    return LORE_OK;
}

enum lore_status
lore_db_list_kernels(struct lore_db *db, const char *op, const char *language,
    struct lore_page page, struct lore_arena *a, struct lore_kernel_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE ($1 IS NULL OR k.operator = $1)"
                                      " AND ($2 IS NULL OR k.language = $2)"
                                      " AND ($3 = 0 OR k.seq < $3) ORDER BY k.seq DESC LIMIT $4");

    lore_bind_text(&q, 1, op);
    lore_bind_text(&q, 2, language);
    lore_bind_i64(&q, 3, page.before);
    lore_bind_i64(&q, 4, (int64_t)page.limit);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

/* Workloads: operator, dims, dtype and layout under one id, stored when first used. */
#include "db/workload.h"

#include "db/cache.h"
#include "db/internal.h"
#include "db/name_cache.h"
#include "db/read.h"
#include "db/rest.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include <math.h>
#include <string.h>

static enum lore_status
dims_json(const struct lore_kvs *dims, struct lore_arena *a, const char **out, struct lore_err *err)
{
    LORE_BUF text = {0};
    struct lore_jsonw w;
    enum lore_status status;

    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < dims->n; i++) {
        lore_w_key(&w, dims->v[i].key);
        lore_w_raw(&w, dims->v[i].value);
    }
    lore_w_obj_end(&w);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        *out = lore_strndup(a, text.data, text.len);
    return status;
}

static enum lore_status
insert(const struct lore_put_ctx *c, const struct lore_workload *w, const char *op,
    const char *canonical, const char *id, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_workload (id, operator, canonical, label, dims, dtype, layout)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING");
    const char *dims;
    enum lore_status status = dims_json(&w->dims, c->arena, &dims, err);

    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, id);
    lore_bind_text(&q, 2, op);
    lore_bind_text(&q, 3, canonical);
    lore_bind_text(&q, 4, lore_workload_label(c->arena, w));
    lore_bind_text(&q, 5, dims);
    lore_bind_text(&q, 6, w->dtype);
    lore_bind_text(&q, 7, w->layout);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        lore_name_cache_add(&c->db->names, 'w', id, 0, NULL, NULL);
    return status;
}

enum lore_status
lore_workload_put(const struct lore_put_ctx *c, const struct lore_workload *w, const char *op,
    const char **id, struct lore_err *err)
{
    const char *canonical, *named;
    char hex[33];

    *id = NULL;
    if (!w->set)
        return LORE_OK;
    named = w->op != NULL ? lore_operator_name(c->arena, w->op) : op;
    if (!lore_streq(named, op))
        return lore_fail_at(err, LORE_INVALID, "operator_mismatch", "workload.operator",
            "workload.operator: %s, but the kernel computes %s", named, op);
    canonical = lore_workload_text(c->arena, op, w);
    lore_workload_id(canonical, hex);
    *id = lore_strdup(c->arena, hex);
    if (lore_name_cache_find(&c->db->names, 'w', hex))
        return LORE_OK;
    return insert(c, w, op, canonical, *id, err);
}

enum lore_status
lore_workload_fill(const struct lore_workload_row *row, struct lore_arena *a,
    struct lore_workload *out, struct lore_err *err)
{
    *out = (struct lore_workload){.set = row->id != NULL};
    if (!row->id)
        return LORE_OK;
    out->op = row->op;
    out->dtype = row->dtype;
    out->layout = row->layout;
    return lore_rest_kvs(row->dims, a, &out->dims, err);
}

#define ROW struct lore_workload_row
static const struct lore_row_member members[] = {LORE_WORKLOAD_MEMBERS()};
static const struct lore_row_shape shape = {LORE_MEMBERS(members), .noun = "workload"};

enum lore_status
lore_db_get_workload(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_workload_row *out, struct lore_err *err)
{
    const char *v[6] = {0}; /* the members of a row in order, without its id */
    LORE_STMT q = {0};
    enum lore_status status;

    if (lore_cache_get(db, 'w', id, a, v, 6)) {
        *out = (struct lore_workload_row){lore_strdup(a, id), v[0], v[1], v[2], v[3], v[4], v[5]};
        return LORE_OK;
    }
    q = lore_sql(db, "SELECT " LORE_WORKLOAD_COLUMNS " FROM fact_workload w WHERE w.id = $1");
    status = lore_db_one(&q, &shape, id, a, out, err);
    if (status == LORE_OK)
        lore_cache_put(db, 'w', id,
            (const char *const[]){
                out->op, out->canonical, out->label, out->dims, out->dtype, out->layout},
            6);
    return status;
}

double
lore_workload_size(const char *dims)
{
    LORE_SCRATCH a = {0};
    struct lore_json *root;
    struct lore_err ignored;
    double sum = 0;

    if (dims && lore_json_parse(dims, strlen(dims), NULL, &a, &root, &ignored) == LORE_OK)
        for (const struct lore_json *m = root->child; m != NULL; m = m->next)
            sum += m->type == LORE_J_NUMBER && m->f > 1 ? log2(m->f) : 0;
    return sum;
}

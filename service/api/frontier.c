/* GET /api/v1/kernels/{id}/frontier: what nearly won. Candidates and branches that are correct and
 * whose time compares with the champion's, by how far behind it they are, each with what it does
 * otherwise: parameters and techniques. A search that starts again from several of them keeps more
 * ideas than one that starts from the best alone. */
#include <stdlib.h>

#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/history.h"
#include "service/base/text.h"

struct ranked {
    const struct lore_told *told;
    double delta_pct;
};
/* What the others are compared with. */
struct best {
    const struct lore_told *told; /* NULL: nothing was timed */
    struct lore_kvs params;
};
/* Candidates and branches that are not listed, by the first reason that holds. */
struct left_out {
    int64_t failed, not_checked, not_timed, timed_elsewhere;
};

static int
by_delta(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->delta_pct != y->delta_pct)
        return x->delta_pct < y->delta_pct ? -1 : 1;
    return x->told->version->seq < y->told->version->seq ? -1 : 1;
}

static bool
listed(const struct lore_told *t, struct left_out *out)
{
    if (t->check == LORE_C_FAIL || t->check == LORE_C_TIMEOUT)
        out->failed++;
    else if (t->check != LORE_C_PASS)
        out->not_checked++;
    else if (t->time_ns <= 0)
        out->not_timed++;
    else if (t->elsewhere)
        out->timed_elsewhere++;
    else
        return true;
    return false;
}

static size_t
rank(const struct lore_history *h, const struct lore_told *champion, struct ranked *rows,
    struct left_out *out)
{
    size_t n = 0;

    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_told *t = &h->told[h->line.steps[i].in];
        enum lore_version_kind kind = t->version->v.kind;

        if ((kind != LORE_V_BRANCH && kind != LORE_V_CANDIDATE) || t == champion ||
            !listed(t, out) || !champion)
            continue;
        rows[n++] = (struct ranked){t, 100 * (t->time_ns / champion->time_ns - 1)};
    }
    qsort(rows, n, sizeof *rows, by_delta);
    return n;
}

static void
put_value(struct lore_jsonw *w, const char *key, const char *value)
{
    lore_w_key(w, key);
    if (!value)
        lore_w_null(w);
    else
        lore_w_raw(w, value);
}

/* Parameters that differ; null: not given there. */
static void
put_params(struct lore_jsonw *w, const struct lore_kvs *here, const struct lore_kvs *champion)
{
    lore_w_key(w, "params");
    lore_w_arr(w);
    for (int pass = 0; pass < 2; pass++) {
        const struct lore_kvs *of = pass == 0 ? here : champion;

        for (size_t i = 0; i < of->n; i++) {
            const char *a = lore_kvs_get(here, of->v[i].key);
            const char *b = lore_kvs_get(champion, of->v[i].key);

            if (lore_streq(a, b) || (pass == 1 && a))
                continue;
            lore_w_obj(w);
            lore_w_kstr(w, "name", of->v[i].key);
            put_value(w, "here", a);
            put_value(w, "champion", b);
            lore_w_obj_end(w);
        }
    }
    lore_w_arr_end(w);
}

static bool
used(const struct lore_told *t, const char *technique)
{
    for (size_t i = 0; t->experiment != NULL && i < t->experiment->e.n_techniques; i++)
        if (lore_streq(t->experiment->e.techniques[i].name, technique))
            return true;
    return false;
}

/* Techniques of the experiment that made A, but not of the one that made B. */
static void
put_only(
    struct lore_jsonw *w, const char *key, const struct lore_told *a, const struct lore_told *b)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; a->experiment != NULL && i < a->experiment->e.n_techniques; i++)
        if (!used(b, a->experiment->e.techniques[i].name))
            lore_w_str(w, a->experiment->e.techniques[i].name);
    lore_w_arr_end(w);
}

/* Lists of versions leave the parameters out. */
static enum lore_status
params_of(
    struct lore_req *req, const struct lore_told *t, struct lore_kvs *out, struct lore_err *err)
{
    struct lore_version_row row = {0};
    enum lore_status status =
        lore_db_get_version_head(req->db, t->version->v.id, req->arena, &row, err);

    if (status == LORE_OK)
        *out = row.v.params;
    return status;
}

static enum lore_status
put_row(struct lore_jsonw *w, struct lore_req *req, const struct ranked *r,
    const struct best *champion, struct lore_err *err)
{
    const struct lore_told *t = r->told;
    struct lore_kvs params = {0};
    enum lore_status status = params_of(req, t, &params, err);

    if (status != LORE_OK)
        return status;
    lore_w_obj(w);
    lore_w_kstr(w, "version", t->version->v.id);
    lore_w_kstr_opt(w, "label", t->version->v.label);
    lore_w_kstr(w, "kind", t->version->v.kind == LORE_V_BRANCH ? "branch" : "candidate");
    lore_w_kstr_opt(w, "experiment", !t->experiment ? NULL : t->experiment->e.id);
    lore_w_kf64(w, "time_ns", t->time_ns);
    lore_w_kf64(w, "delta_from_champion_pct", r->delta_pct);
    put_params(w, &params, &champion->params);
    put_only(w, "techniques_added", t, champion->told);
    put_only(w, "techniques_missing", champion->told, t);
    status = lore_history_present_hidden(w, req->db, t, err);
    lore_w_obj_end(w);
    return status;
}

static void
put_foot(struct lore_jsonw *w, const struct lore_history *h, const struct lore_told *champion,
    const struct left_out *out)
{
    lore_w_kstr_opt(w, "workload", h->timing.workload);
    lore_w_kstr_opt(w, "workload_label", h->timing.workload_label);
    lore_w_kstr_opt(w, "chip", h->timing.chip);
    lore_w_kstr_opt(w, "method", h->timing.method);
    if (champion) {
        lore_w_kstr(w, "champion", champion->version->v.id);
        lore_w_kf64(w, "champion_time_ns", champion->time_ns);
    }
    lore_w_key(w, "left_out");
    lore_w_obj(w);
    lore_w_ki64(w, "failed", out->failed);
    lore_w_ki64(w, "not_checked", out->not_checked);
    lore_w_ki64(w, "not_timed", out->not_timed);
    lore_w_ki64(w, "timed_elsewhere", out->timed_elsewhere);
    lore_w_obj_end(w);
    lore_history_write_left_out(w, h);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_frontier(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_history h = {0};
    struct lore_history_of of;
    struct left_out out = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status written, status = lore_history_asked(req, &of, err);

    if (status == LORE_OK)
        status = lore_history_load(req->db, req->vars[0], &of, req->arena, &h, err);
    if (status != LORE_OK)
        return status;
    struct best champion = {0};
    if (h.line.champion < h.line.n)
        champion.told = &h.told[h.line.steps[h.line.champion].in];
    struct ranked *rows = lore_alloc_array(req->arena, h.line.n + 1, sizeof *rows);
    size_t n = rank(&h, champion.told, rows, &out);
    if (champion.told)
        status = params_of(req, champion.told, &champion.params, err);
    if (status != LORE_OK)
        return status;
    lore_edge_rows_begin(&w, resp);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = put_row(&w, req, &rows[i], &champion, err);
    lore_edge_rows_end(&w, false, 0);
    put_foot(&w, &h, champion.told, &out);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

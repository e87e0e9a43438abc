/* GET /api/v1/insights and /insights/{id}: lessons in words, with their scope. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/api/records.h"
#include "service/base/text.h"

/* What conflicts with the lessons of one answer. */
struct conflicts {
    struct lore_alike *v;
    size_t n;
};

static enum lore_status
load_conflicts(struct lore_req *req, const struct lore_insight_row *rows, size_t n,
    struct conflicts *out, struct lore_err *err)
{
    const char **ids = lore_alloc_array(req->arena, n + 1, sizeof *ids);
    size_t n_ids = 0;

    for (size_t i = 0; i < n; i++)
        if (rows[i].i.technique != NULL && !lore_streq(rows[i].i.kind, "note"))
            ids[n_ids++] = rows[i].i.id;
    if (n_ids == 0)
        return LORE_OK;
    return lore_list_alike(req->db, ids, n_ids, req->arena, &out->v, &out->n, err);
}

static void
put_conflicts(struct lore_jsonw *w, const struct conflicts *c, const char *id)
{
    bool any = false;

    for (size_t i = 0; i < c->n; i++) {
        if (!c->v[i].conflict || !lore_streq(c->v[i].id, id))
            continue;
        if (!any) {
            lore_w_key(w, "conflicts_with");
            lore_w_arr(w);
        }
        any = true;
        lore_w_str(w, c->v[i].other);
    }
    if (any)
        lore_w_arr_end(w);
}

/* A lesson and what people decided about it. */
static enum lore_status
put_insight(struct lore_req *req, struct lore_jsonw *w, const struct lore_insight_row *r,
    const struct conflicts *conflicts, struct lore_err *err)
{
    struct lore_standing s = {0};
    struct lore_document_row d = {0};
    enum lore_status status = lore_get_standing(req->db, r->i.id, req->arena, &s, err);

    if (status == LORE_OK && r->document != NULL)
        status = lore_get_document(req->db, r->document, req->arena, &d, NULL, err);
    if (status != LORE_OK)
        return status;
    lore_w_obj(w);
    lore_present_insight(w, r);
    lore_w_kstr_opt(w, "author_kind", d.author_kind);
    lore_present_review(w, &s);
    put_conflicts(w, conflicts, r->i.id);
    lore_w_obj_end(w);
    return LORE_OK;
}

enum lore_status
lore_api_insights(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_insight_row *rows = NULL;
    struct conflicts conflicts = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    enum lore_status written;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status =
            lore_list_insights(req->db, lore_arg_text(req, "kind", NULL), lore_edge_operator(req),
                lore_edge_technique(req), lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    status = load_conflicts(req, rows, n, &conflicts, err);
    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = put_insight(req, &w, &rows[i], &conflicts, err);
    written =
        lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

enum lore_status
lore_api_insight(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_insight_row r = {0};
    struct conflicts conflicts = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status written;
    enum lore_status status = lore_get_insight(req->db, req->vars[0], req->arena, &r, err);

    if (status == LORE_OK)
        status = load_conflicts(req, &r, 1, &conflicts, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    status = put_insight(req, &w, &r, &conflicts, err);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

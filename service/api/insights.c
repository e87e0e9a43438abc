/* GET /api/v1/insights and /insights/{id}: lessons in words, with their scope. */
#include "api.h"
#include "edge.h"
#include "present.h"
#include "records.h"

/* A lesson and what people decided about it. */
static enum lore_status
put_insight(struct lore_req *req, struct lore_jsonw *w, const struct lore_insight_row *r,
    struct lore_err *err)
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
    lore_w_obj_end(w);
    return LORE_OK;
}

enum lore_status
lore_api_insights(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_insight_row *rows = NULL;
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
    lore_rows_begin(&w, resp);
    for (size_t i = 0; status == LORE_OK && i < n; i++)
        status = put_insight(req, &w, &rows[i], err);
    written =
        lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

enum lore_status
lore_api_insight(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_insight_row r = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status written;
    enum lore_status status = lore_get_insight(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    status = put_insight(req, &w, &r, err);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

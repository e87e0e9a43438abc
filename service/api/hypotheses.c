/* GET /api/v1/hypotheses and /hypotheses/{id}: claims made before the run. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum lore_status
lore_api_hypotheses(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_hypothesis_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_hypotheses(req->db, lore_arg_text(req, "version", NULL),
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_present_hypothesis(&w, &rows[i]);
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_hypothesis(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_hypothesis_row r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_hypothesis(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_present_hypothesis(&w, &r);
    return lore_jsonw_end(&w, err);
}

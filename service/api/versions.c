/* GET /api/v1/versions and /versions/{id}: nodes of the lineage graph with their files. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum lore_status
lore_api_versions(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_version_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_versions(req->db, lore_arg_text(req, "kernel", NULL),
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_present_version(&w, &rows[i]);
        lore_w_kstr_opt(&w, "document", rows[i].document);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_version(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_version_row v = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_version(req->db, req->vars[0], req->arena, &v, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_present_version(&w, &v);
    lore_present_record(&w, LORE_K_VERSION, &v.v, v.rest);
    lore_w_kstr_opt(&w, "document", v.document);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* GET /api/v1/kernels and /kernels/{id}: implementation lines and, for one, its versions. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"

#define VERSIONS_SHOWN 1000 /* of one kernel; the list of versions pages on */

enum lore_status
lore_api_kernels(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_kernel_row *rows = NULL;
    enum lore_language language = LORE_LANG_NONE;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_edge_language(req, &language, err);
    if (status == LORE_OK)
        status = lore_list_kernels(req->db, lore_edge_operator(req),
            language == LORE_LANG_NONE ? NULL : lore_language_name(language), lore_cut_page(&cut),
            req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_present_kernel(&w, &rows[i]);
        lore_w_ki64(&w, "versions", rows[i].n_versions);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_kernel(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_page page = {.before = 0, .limit = VERSIONS_SHOWN};
    struct lore_version_row *versions = NULL;
    struct lore_kernel_row k = {0};
    struct lore_jsonw w;
    size_t n = 0;
    enum lore_status status = lore_get_kernel(req->db, req->vars[0], req->arena, &k, err);

    if (status == LORE_OK)
        status = lore_list_versions(req->db, k.k.id, page, req->arena, &versions, &n, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_present_kernel(&w, &k);
    lore_w_key(&w, "versions");
    lore_w_arr(&w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_present_version(&w, &versions[i]);
        lore_w_obj_end(&w);
    }
    lore_w_arr_end(&w);
    lore_present_record(&w, LORE_K_KERNEL, &k.k, k.rest);
    lore_w_kstr_opt(&w, "document", k.document);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* GET /api/v1/versions/{id}/lineage: where a version comes from, and what came of it, across
 * kernels: a translation may derive from another one's version. */
#include "db/ancestry.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"

enum { KIN = 500 /* edges each way */ };

static enum lore_status
put_kin(struct lore_jsonw *w, struct lore_req *req, const char *key, bool up, struct lore_err *err)
{
    struct lore_kin *rows = NULL;
    size_t n = 0;
    bool cut = false;
    enum lore_status status =
        lore_list_kin(req->db, req->vars[0], up, KIN, req->arena, &rows, &n, &cut, err);

    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "version", rows[i].version);
        lore_w_kstr(w, "edge", rows[i].edge);
        lore_w_kstr(w, up ? "child" : "parent", rows[i].via);
        lore_w_ki64(w, "depth", rows[i].depth);
        lore_w_kstr_opt(w, "label", rows[i].label);
        lore_w_kstr(w, "kernel", rows[i].kernel);
        lore_w_kstr(w, "kind", rows[i].kind);
        if (rows[i].ordinal.set)
            lore_w_ki64(w, "ordinal", rows[i].ordinal.v);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_kbool(w, up ? "ancestors_cut" : "descendants_cut", cut);
    return status;
}

enum lore_status
lore_api_lineage(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_version_row v = {0};
    struct lore_err later; /* of a reply that is not sent any more */
    struct lore_jsonw w;
    enum lore_status written;
    enum lore_status status = lore_get_version(req->db, req->vars[0], req->arena, &v, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "version", v.v.id);
    lore_w_kstr(&w, "kernel", v.v.kernel);
    status = put_kin(&w, req, "ancestors", true, err);
    if (status == LORE_OK)
        status = put_kin(&w, req, "descendants", false, err);
    lore_w_obj_end(&w);
    written = lore_jsonw_end(&w, status == LORE_OK ? err : &later);
    return status != LORE_OK ? status : written;
}

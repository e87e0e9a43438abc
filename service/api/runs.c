/* GET /api/v1/runs and /runs/{id}: executions of versions, their samples and metrics. */
#include "db/failure.h"
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum lore_status
lore_api_runs(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *version = lore_arg_text(req, "version", NULL);
    const char *workload = lore_arg_text(req, "workload", NULL);
    const char *failed = lore_arg_text(req, "error_type", NULL);
    const struct lore_chip *chip = NULL;
    struct lore_run_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_edge_chip(req, &chip, err);
    if (status == LORE_OK && failed != NULL)
        status = lore_list_failed_runs(req->db, failed, version, workload,
            chip == NULL ? NULL : chip->name, lore_cut_page(&cut), req->arena, &rows, &n, err);
    else if (status == LORE_OK)
        status = lore_list_runs(req->db, version, workload, chip == NULL ? NULL : chip->name,
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_present_run(&w, &rows[i]);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

enum lore_status
lore_api_run(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_run_row r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_run(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_present_run_whole(&w, &r);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

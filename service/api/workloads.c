/* GET /api/v1/workloads/{id}: an operator on one shape; numbers of one workload compare. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum lore_status
lore_api_workload(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_workload_row r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_workload(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_present_workload(&w, &r);
    return lore_jsonw_end(&w, err);
}

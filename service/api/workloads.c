/* GET /api/v1/workloads/{id}: an operator on one shape; numbers of one workload compare. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/objects.h"

#define ROW struct lore_workload_row
static const struct lore_object_member workload[] = {
    {"!id", AT(id)},
    {"operator", AT(op)},
    {"label", AT(label)},
    {"dims", RAW(dims)},
    {"dtype", AT(dtype)},
    {"layout", AT(layout)},
};
const struct lore_object lore_workload_object = LORE_KEYED_OBJECT("Workload", workload, id);
#undef ROW

enum lore_status
lore_api_workload(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_workload_row r = {0};
    enum lore_status status = lore_db_get_workload(req->db, req->vars[0], req->arena, &r, err);

    return status == LORE_OK ? lore_reply_object(resp, &lore_workload_object, &r, err) : status;
}

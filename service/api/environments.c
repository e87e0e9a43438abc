/* GET /api/v1/environments/{id}: what surrounded a run; hard fields apart from soft ones. */
#include "api.h"
#include "edge.h"
#include "present.h"

enum lore_status
lore_api_environment(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_environment_row r = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_environment(req->db, req->vars[0], req->arena, &r, err);

    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "id", r.e.id);
    lore_w_kstr_opt(&w, "chip", r.e.chip);
    lore_present_kvs(&w, "hard", &r.e.hard);
    lore_present_kvs(&w, "soft", &r.e.soft);
    lore_w_kstr(&w, "hard_hash", r.hard_hash);
    lore_w_kstr(&w, "soft_hash", r.soft_hash);
    lore_present_time(&w, "captured_at", r.captured_us);
    lore_present_time(&w, "received_at", r.received_us);
    lore_present_record(&w, LORE_K_ENVIRONMENT, &r.e, r.rest);
    lore_w_kstr_opt(&w, "document", r.document);
    lore_w_ki64(&w, "seq", r.seq);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

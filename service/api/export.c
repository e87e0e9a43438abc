/* GET /api/v1/export: every submission, oldest first, with its exact text, so that another service
 * can take all of it in this order. What its source does not allow to pass on is named, not given.
 * A page ends at MAX_BYTES of text. */
#include "db/verdicts.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"

enum { MAX_BYTES = 4 << 20 };

enum lore_status
lore_api_export(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    int64_t after = lore_arg_i64(req, "after", 0);
    size_t limit = (size_t)lore_arg_i64(req, "limit", LORE_PAGE_MAX), n = 0;
    struct lore_export_row *rows = NULL, *beyond = NULL;
    struct lore_jsonw w;
    size_t n_beyond = 0;
    int64_t last;
    enum lore_status status =
        lore_list_export(req->db, after, limit, MAX_BYTES, req->arena, &rows, &n, err);

    last = status == LORE_OK && n > 0 ? rows[n - 1].seq : after;
    if (status == LORE_OK)
        status = lore_list_export(req->db, last, 1, 1, req->arena, &beyond, &n_beyond, err);
    if (status != LORE_OK)
        return status;
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_ki64(&w, "seq", rows[i].seq);
        lore_w_kstr(&w, "id", rows[i].id);
        lore_present_time(&w, "received_at", rows[i].received_us);
        lore_w_kstr_opt(&w, "actor", rows[i].actor);
        if (rows[i].text != NULL)
            lore_w_kstr(&w, "text", rows[i].text);
        else
            lore_w_kbool(&w, "withheld", true);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, n_beyond > 0, last, err);
}

/* GET /api/v1/search: full text over everything that has words: experiments, hypotheses, insights,
 * versions, source documents, techniques, campaigns, directions. The words are
 * quoted one by one by the store, so no text is query syntax. Cursors are offsets. `bounded` says
 * that more was found than was ranked. */
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/records.h"

enum lore_status
lore_api_search(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "q", "");
    struct lore_found_hits found = {0};
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK && *text == '\0')
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "q", "q: say what to search for");
    if (status == LORE_OK)
        status = lore_search(req->db, text, lore_arg_text(req, "kind", NULL), (size_t)cut.at,
            cut.limit + 1, req->arena, &found, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, found.n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "kind", found.rows[i].kind);
        lore_w_kstr(&w, "id", found.rows[i].id);
        lore_w_kstr(
            &w, "address", lore_record_address(req->arena, found.rows[i].kind, found.rows[i].id));
        lore_w_kstr(&w, "title", found.rows[i].title);
        lore_w_kstr(&w, "snippet", found.rows[i].snippet);
        lore_w_kf64(&w, "rank", found.rows[i].rank);
        lore_w_obj_end(&w);
    }
    lore_rows_end(&w, more, cut.at + (int64_t)n);
    lore_w_kbool(&w, "bounded", found.bounded);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

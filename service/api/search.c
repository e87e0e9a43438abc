/* GET /api/v1/search: full text over everything that has words: experiments, hypotheses, insights,
 * versions, source documents, techniques, campaigns, directions. The words are
 * quoted one by one by the store, so no text is query syntax. Cursors are offsets. */
#include "api.h"
#include "edge.h"
#include "records.h"

enum lore_status
lore_api_search(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "q", "");
    struct lore_hit *hits = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK && *text == '\0')
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "q", "q: say what to search for");
    if (status == LORE_OK)
        status = lore_search(req->db, text, lore_arg_text(req, "kind", NULL), (size_t)cut.at,
            cut.limit + 1, req->arena, &hits, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "kind", hits[i].kind);
        lore_w_kstr(&w, "id", hits[i].id);
        lore_w_kstr(&w, "address", lore_record_address(req->arena, hits[i].kind, hits[i].id));
        lore_w_kstr(&w, "title", hits[i].title);
        lore_w_kstr(&w, "snippet", hits[i].snippet);
        lore_w_kf64(&w, "rank", hits[i].rank);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, cut.at + (int64_t)n, err);
}

/* GET /api/v1/search: full-text search over experiments, hypotheses, insights, versions, source
 * documents, techniques, campaigns, directions. The store quotes each word, so a query has no
 * operators. Cursors are offsets. `bounded` says that more was found than was ranked. */
#include <inttypes.h>

#include "db/query.h"
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/records.h"

struct hit {
    struct lore_hit found;
    const char *address;
};
#define ROW struct hit
static const struct lore_object_member hit[] = {
    {"!kind", AT(found.kind), LORE_SEARCHED_KINDS},
    {"!id", AT(found.id), "ulid"},
    {"!address", AT(address), NULL, "address of the record"},
    {"!title", AT(found.title)},
    {"!snippet", AT(found.snippet)},
    {"!rank", AT(found.rank), NULL, "smaller is better"},
};
static const struct lore_object lore_hit_object = LORE_OBJECT("Hit", hit);
#undef ROW

struct hits {
    struct hit *rows;
    size_t n;
    const char *next;
    bool bounded;
};
#define ROW struct hits
static const struct lore_object_member hits[] = {
    {"!rows", LIST(rows, n, lore_hit_object)},
    {"!next", AT(next), "text?"},
    {"!bounded", AT(bounded), NULL, "more matched than was ranked"},
};
const struct lore_object lore_hits_object = LORE_OBJECT("Hits", hits);
#undef ROW

enum lore_status
lore_api_search(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "words", "");
    struct lore_found_hits found = {0};
    struct lore_paging paging = {0};
    struct hits x = {0};
    bool more;
    enum lore_status status = lore_params_paging(req, &paging, err);

    if (status == LORE_OK && *text == '\0')
        return lore_fail_at(
            err, LORE_INVALID, "missing_parameter", "words", "words: say what to search for");
    if (status == LORE_OK)
        status = lore_search(req->db,
            &(struct lore_search_for){
                text, lore_arg_text(req, "in", NULL), (size_t)paging.at, paging.limit + 1},
            req->arena, &found, err);
    if (status != LORE_OK)
        return status;
    x.n = lore_paging_rows(&paging, found.n, &more);
    x.rows = lore_alloc_array(req->arena, x.n + 1, sizeof *x.rows);
    for (size_t i = 0; i < x.n; i++)
        x.rows[i] = (struct hit){
            found.rows[i], lore_record_address(req->arena, found.rows[i].kind, found.rows[i].id)};
    if (more)
        x.next = lore_format(req->arena, "%" PRId64, paging.at + (int64_t)x.n);
    x.bounded = found.bounded;
    return lore_reply_object(resp, &lore_hits_object, &x, err);
}

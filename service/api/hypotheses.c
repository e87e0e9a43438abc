/* GET /api/v1/hypotheses and /hypotheses/{id}: claims made before the run. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/edge.h"
#include "service/api/objects.h"

#define ROW struct lore_hypothesis_row
static const struct lore_object_member hypothesis[] = {
    {"!id", AT(h.id), "ulid"},
    {"from_version", AT(h.from_version), "ulid"},
    {"to_version", AT(h.to_version), "ulid"},
    {"!claim", AT(h.claim)},
    {"author", AT(h.author)},
    {"claimed_at", TIME(claimed_us)},
    {"received_at", TIME(received_us)},
    {"!record", RECORD(h, LORE_K_HYPOTHESIS, rest)},
    {"document", AT(document), "ulid"},
    {"!seq", AT(seq)},
};
const struct lore_object lore_hypothesis_object = LORE_KEYED_OBJECT("Hypothesis", hypothesis, h.id);
#undef ROW

enum lore_status
lore_api_hypotheses(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_hypothesis_row *rows = NULL;
    struct lore_cut cut;
    size_t n = 0;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_db_list_hypotheses(req->db, lore_arg_text(req, "version", NULL),
            lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_hypothesis_object, rows, n, &cut, err);
}

enum lore_status
lore_api_hypothesis(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_hypothesis_row r = {0};
    enum lore_status status = lore_db_get_hypothesis(req->db, req->vars[0], req->arena, &r, err);

    return status == LORE_OK ? lore_reply_object(resp, &lore_hypothesis_object, &r, err) : status;
}

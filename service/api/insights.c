/* GET /api/v1/insights and /insights/{id}: lessons in words, with their scope. */
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

/* Insights that conflict with those of one answer. */
struct conflicts {
    struct lore_alike *v;
    size_t n;
};

static enum lore_status
load_conflicts(struct lore_req *req, const struct lore_insight_row *rows, size_t n,
    struct conflicts *out, struct lore_err *err)
{
    struct lore_texts ids = {0};

    for (size_t i = 0; i < n; i++)
        if (rows[i].i.technique && !lore_streq(rows[i].i.kind, "note"))
            *LORE_PUSH(req->arena, ids.v, ids.n, ids.cap) = rows[i].i.id;
    if (ids.n == 0)
        return LORE_OK;
    return lore_db_list_alike(req->db, &ids, req->arena, &out->v, &out->n, err);
}

/* An insight and the decisions about it. */
struct insight {
    struct lore_insight_row r;
    const char *author_kind, *state;
    struct lore_standing standing;
    const char **conflicts; /* NULL: none */
    size_t n_conflicts;
};

static void
write_labels(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_present_labels(
        w, key, lore_present_label_bits(&((const struct insight *)row)->r.i.labels));
}

#define ROW struct insight
static const struct lore_object_member insight[] = {
    {"!id", AT(r.i.id), "ulid"},
    {"!kind", AT(r.i.kind),
        "note|technique_card|anti_strategy|symptom_card|playbook|doc|numerics_rule|dispatch_rule|"
        "reference_kernel"},
    {"!title", AT(r.i.title)},
    {"!body", AT(r.i.body)},
    {"operator", AT(r.i.op)},
    {"family", AT(r.i.family)},
    {"language", NAMED(r.i.language, lore_language_name)},
    {"chip", AT(r.i.chip)},
    {"technique", AT(r.i.technique)},
    {"!labels", WRITTEN(write_labels), "[text", "bottlenecks that it is about"},
    {"confidence", AT(r.i.confidence)},
    {"author", AT(r.i.author)},
    {"received_at", TIME(r.received_us)},
    {"!record", RECORD(r.i, LORE_K_INSIGHT, r.rest)},
    {"!state", AT(state), "draft|reviewed|rejected", "a draft until somebody reviews it"},
    {"document", AT(r.document), "ulid"},
    {"!seq", AT(r.seq)},
    {"author_kind", AT(author_kind)},
    {"", MEMBERS(standing, lore_standing_object)},
    {"conflicts_with", STRINGS(conflicts, n_conflicts), "[ulid", "lessons that say the opposite"},
};
const struct lore_object lore_insight_object = LORE_OBJECT("Insight", insight);
#undef ROW

static void
find_conflicts(struct lore_arena *arena, const struct conflicts *c, struct insight *x)
{
    size_t cap = 0;

    for (size_t i = 0; i < c->n; i++)
        if (c->v[i].conflict && lore_streq(c->v[i].id, x->r.i.id))
            *LORE_PUSH(arena, x->conflicts, x->n_conflicts, cap) = c->v[i].other;
}

static enum lore_status
load_decisions(struct lore_req *req, const struct conflicts *conflicts, struct insight *x,
    struct lore_err *err)
{
    struct lore_document_row d = {0};
    enum lore_status status =
        lore_db_get_standing(req->db, x->r.i.id, req->arena, &x->standing, err);

    x->state = x->standing.review ? x->standing.review : "draft";
    if (status == LORE_OK && x->r.document)
        status = lore_db_get_document(req->db, x->r.document, req->arena, &d, NULL, err);
    x->author_kind = d.author_kind;
    find_conflicts(req->arena, conflicts, x);
    return status;
}

enum lore_status
lore_api_insights(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_insight_row *rows = NULL;
    struct insight *shown;
    struct conflicts conflicts = {0};
    struct lore_list_filter f;
    struct lore_paging paging;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    if (status == LORE_OK)
        status = lore_db_list_insights(req->db, &f, req->arena, &rows, &n, err);
    if (status == LORE_OK)
        status = load_conflicts(req, rows, lore_paging_rows(&paging, n, &more), &conflicts, err);
    if (status != LORE_OK)
        return status;
    shown = lore_alloc_array(req->arena, n + 1, sizeof *shown);
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        shown[i] = (struct insight){.r = rows[i]};
        status = load_decisions(req, &conflicts, &shown[i], err);
    }
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_insight_object, shown, n, &paging, err);
}

enum lore_status
lore_api_insight(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct conflicts conflicts = {0};
    struct insight x = {0};
    enum lore_status status = lore_db_get_insight(req->db, req->vars[0], req->arena, &x.r, err);

    if (status == LORE_OK)
        status = load_conflicts(req, &x.r, 1, &conflicts, err);
    if (status == LORE_OK)
        status = load_decisions(req, &conflicts, &x, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_insight_object, &x, err) : status;
}

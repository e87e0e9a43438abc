/* What is known beside runs and experiments: source documents, verifications, campaigns,
 * directions, curations. A row is the record itself, in the submission format, with what the
 * service adds: seq, received_at, document, actor, and the standing where decisions bear on it. */
#include "db/knowledge.h"
#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/api/targets.h"
#include "service/base/clock.h"
#include "service/stats/sequential.h"
#include "service/stats/wins.h"

enum { EXPERIMENTS_SHOWN = 500, AMENDMENTS_SHOWN = 50 /* of a campaign: the newest */ };

/* The members that every stored record has; closes the object. */
static void
stored(
    struct lore_jsonw *w, int64_t received_us, const char *document, const char *actor, int64_t seq)
{
    lore_present_time(w, "received_at", received_us);
    lore_w_kstr_opt(w, "document", document);
    lore_w_kstr_opt(w, "actor", actor);
    lore_w_ki64(w, "seq", seq);
    lore_w_obj_end(w);
}
#define STORED(w, row) stored(w, (row)->received_us, (row)->document, (row)->actor, (row)->seq)

static void
put_source_document(struct lore_jsonw *w, const struct lore_source_document_row *r)
{
    lore_w_obj(w);
    lore_wire_members(w, LORE_K_SOURCE_DOCUMENT, &r->r);
    lore_w_kstr_opt(w, "blob", r->blob);
    STORED(w, r);
}

static void
put_verification(struct lore_jsonw *w, const struct lore_verification_row *r)
{
    lore_w_obj(w);
    lore_wire_members(w, LORE_K_VERIFICATION, &r->r);
    STORED(w, r);
}

static void
put_i64(struct lore_jsonw *w, const char *key, struct lore_i64 v)
{
    if (v.set)
        lore_w_ki64(w, key, v.v);
}

/* Alarm: fewer experiments arrived than were expected, and no more will, as it seems. NOW: where
 * its targets stand; NULL: not asked. */
static void
campaign_members(
    struct lore_jsonw *w, const struct lore_campaign_row *r, const struct lore_target_now *now)
{
    const char *alarm = lore_campaign_alarm(r, lore_now_us());
    const struct lore_campaign *c = &r->r;

    lore_w_obj(w);
    lore_wire_members(w, LORE_K_CAMPAIGN, c);
    lore_w_key(w, "standing");
    lore_w_obj(w);
    lore_w_kstr(w, "state", r->closed ? "closed" : "open");
    lore_w_kstr_opt(w, "close_reason", r->close_reason);
    lore_w_kstr_opt(w, "stop_reason", r->stop_reason);
    lore_w_kstr_opt(w, "retrospective", r->retrospective);
    put_i64(w, "iterations", r->iterations);
    put_i64(w, "expected_records", r->expected_records);
    lore_w_ki64(w, "arrived", r->arrived);
    lore_present_time(w, "last_arrival_at", r->last_us);
    lore_w_kbool(w, "alarm", alarm != NULL);
    lore_w_kstr_opt(w, "alarm_why", alarm);
    if (now != NULL)
        lore_present_targets(w, c, now);
    lore_w_obj_end(w);
}

static void
put_campaign(struct lore_jsonw *w, const struct lore_campaign_row *r)
{
    campaign_members(w, r, NULL);
    STORED(w, r);
}

static void
put_direction(struct lore_jsonw *w, const struct lore_direction_row *r)
{
    lore_w_obj(w);
    lore_wire_members(w, LORE_K_DIRECTION, &r->r);
    lore_w_key(w, "standing");
    lore_w_obj(w);
    lore_w_kstr(w, "state", r->closed ? "closed" : "open");
    lore_w_kstr_opt(w, "close_reason", r->close_reason);
    lore_w_obj_end(w);
    STORED(w, r);
}

static void
put_curation(struct lore_jsonw *w, const struct lore_curation_row *r)
{
    lore_w_obj(w);
    lore_wire_members(w, LORE_K_CURATION, &r->r);
    lore_present_time(w, "decided_at", r->at_us);
    lore_w_kbool(w, "retracted", r->retracted);
    STORED(w, r);
}

/* A list handler: the store's list call with ..., then one put per row. */
#define LIST_HANDLER(name, noun, ...)                                                              \
    enum lore_status name(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)      \
    {                                                                                              \
        struct lore_##noun##_row *rows = NULL;                                                     \
        struct lore_cut cut;                                                                       \
        struct lore_jsonw w;                                                                       \
        size_t n = 0;                                                                              \
        bool more;                                                                                 \
        enum lore_status status = lore_edge_cut(req, &cut, err);                                   \
                                                                                                   \
        if (status == LORE_OK)                                                                     \
            status = lore_list_##noun##s(                                                          \
                req->db, __VA_ARGS__, lore_cut_page(&cut), req->arena, &rows, &n, err);            \
        if (status != LORE_OK)                                                                     \
            return status;                                                                         \
        n = lore_cut_rows(&cut, n, &more);                                                         \
        lore_rows_begin(&w, resp);                                                                 \
        for (size_t i = 0; i < n; i++)                                                             \
            put_##noun(&w, &rows[i]);                                                              \
        return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);                        \
    }

#define GET_HANDLER(name, noun)                                                                    \
    enum lore_status name(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)      \
    {                                                                                              \
        struct lore_##noun##_row row = {0};                                                        \
        struct lore_jsonw w;                                                                       \
        enum lore_status status = lore_get_##noun(req->db, req->vars[0], req->arena, &row, err);   \
                                                                                                   \
        if (status != LORE_OK)                                                                     \
            return status;                                                                         \
        lore_jsonw_begin(&w, &resp->body, false);                                                  \
        put_##noun(&w, &row);                                                                      \
        return lore_jsonw_end(&w, err);                                                            \
    }

static int
closed_of(const struct lore_req *req)
{
    const char *state = lore_arg_text(req, "state", NULL);

    return state == NULL ? -1 : state[0] == 'c';
}

LIST_HANDLER(lore_api_source_documents, source_document, lore_arg_text(req, "path", NULL))
GET_HANDLER(lore_api_source_document, source_document)
LIST_HANDLER(lore_api_verifications, verification, req->vars[0], lore_edge_technique(req))
LIST_HANDLER(lore_api_campaigns, campaign, lore_arg_text(req, "kernel", NULL))
LIST_HANDLER(lore_api_directions, direction, lore_arg_text(req, "kernel", NULL), closed_of(req))
GET_HANDLER(lore_api_direction, direction)
LIST_HANDLER(lore_api_curations, curation, lore_arg_text(req, "subject", NULL),
    lore_arg_text(req, "action", NULL))
GET_HANDLER(lore_api_curation, curation)

/* Which of the attempts' wins would be wins had there been as many that change nothing. */
static void
put_wins(
    struct lore_req *req, struct lore_jsonw *w, const struct lore_experiment_row *rows, size_t n)
{
    struct lore_attempt *v = lore_alloc_array(req->arena, n, sizeof *v);
    struct lore_wins wins;
    size_t judged = 0;

    for (size_t i = 0; i < n; i++) {
        const struct lore_outcome_row *o = &rows[i].outcome;
        enum lore_effect effect = lore_effect_find(o->effect);
        if (effect != LORE_X_NOT_MEASURED && effect != LORE_X_COUNT)
            v[judged++] =
                (struct lore_attempt){effect == LORE_X_WIN, o->speedup.set ? o->speedup.v : 0,
                    o->low.set ? o->low.v : 0, o->high.set ? o->high.v : 0};
    }
    lore_wins(v, judged, 1 - LORE_SEQUENTIAL_ALPHA, req->arena, &wins);
    lore_w_key(w, "wins");
    lore_w_obj(w);
    lore_w_ki64(w, "attempts", (int64_t)wins.attempts);
    lore_w_ki64(w, "won", (int64_t)wins.won);
    lore_w_ki64(w, "tested", (int64_t)wins.tested);
    lore_w_ki64(w, "stay", (int64_t)wins.stay);
    lore_w_kf64(w, "false_discovery_rate", LORE_WINS_RATE);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_campaign(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .campaign = req->vars[0], .disagrees = -1, .masked = -1, .limit = EXPERIMENTS_SHOWN};
    struct lore_experiment_row *rows = NULL;
    struct lore_curation_row *amended = NULL;
    struct lore_campaign_row row = {0};
    struct lore_target_now *now = NULL;
    struct lore_jsonw w;
    size_t n = 0, n_amended = 0;
    enum lore_status status = lore_get_campaign(req->db, req->vars[0], req->arena, &row, err);

    if (status == LORE_OK)
        status = lore_list_experiments(req->db, &f, req->arena, &rows, &n, err);
    if (status == LORE_OK)
        status = lore_targets_now(req, &row.r, rows, n, &now, err);
    if (status == LORE_OK)
        status = lore_list_curations(req->db, req->vars[0], "amend",
            (struct lore_page){.limit = AMENDMENTS_SHOWN}, req->arena, &amended, &n_amended, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    campaign_members(&w, &row, now);
    lore_w_key(&w, "experiments");
    lore_w_arr(&w);
    for (size_t i = n; i > 0; i--) /* oldest first */
        lore_w_str(&w, rows[i - 1].e.id);
    lore_w_arr_end(&w);
    put_wins(req, &w, rows, n);
    lore_w_key(&w, "amendments");
    lore_w_arr(&w);
    for (size_t i = 0; i < n_amended; i++)
        put_curation(&w, &amended[i]);
    lore_w_arr_end(&w);
    STORED(&w, &row);
    return lore_jsonw_end(&w, err);
}

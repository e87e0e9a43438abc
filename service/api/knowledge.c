/* Records besides runs and experiments: source documents, verifications, campaigns, directions,
 * curations. A row is the record in the submission format with the service's additions: seq,
 * received_at, document, actor, and the standing that follows from decisions. */
#include "db/knowledge.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/targets.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/stats/sequential.h"
#include "service/stats/wins.h"

enum { EXPERIMENTS_SHOWN = 500, AMENDMENTS_SHOWN = 50 /* of a campaign: the newest */ };

#define ROW struct lore_source_document_row
static const struct lore_object_member source_document[] = {
    {"", FIELDS(r, LORE_K_SOURCE_DOCUMENT)},
    {"blob", AT(blob), NULL, "hash of its text; GET /api/v1/blobs/{hash} returns it"},
    STORED(),
};
const struct lore_object lore_source_document_object =
    LORE_OBJECT("SourceDocument", source_document);
#undef ROW

#define ROW struct lore_verification_row
static const struct lore_object_member verification[] = {
    {"!", FIELDS(r, LORE_K_VERIFICATION)},
    STORED(),
};
const struct lore_object lore_verification_object = LORE_OBJECT("Verification", verification);
#undef ROW

static const char *
state_name(bool closed)
{
    return closed ? "closed" : "open";
}

static void
write_direction_state(struct lore_jsonw *w, const char *key, const void *row)
{
    lore_w_kstr(w, key, state_name(((const struct lore_direction_row *)row)->closed));
}

#define ROW struct lore_direction_row
static const struct lore_object_member direction_standing[] = {
    {"!state", WRITTEN(write_direction_state), "open|closed"},
    {"close_reason", AT(close_reason)},
};
static const struct lore_object lore_direction_standing_object =
    LORE_OBJECT("DirectionStanding", direction_standing);

static const struct lore_object_member direction[] = {
    {"!", FIELDS(r, LORE_K_DIRECTION)},
    {"!standing", PART(lore_direction_standing_object)},
    STORED(),
};
const struct lore_object lore_direction_object = LORE_OBJECT("Direction", direction);
#undef ROW

#define ROW struct lore_curation_row
static const struct lore_object_member curation[] = {
    {"!", FIELDS(r, LORE_K_CURATION)},
    {"decided_at", TIME(at_us)},
    {"!retracted", AT(retracted), NULL, "no longer counts"},
    STORED(),
};
const struct lore_object lore_curation_object = LORE_OBJECT("Curation", curation);
#undef ROW

struct wins {
    struct lore_wins w;
    double rate;
};
#define ROW struct wins
static const struct lore_object_member wins[] = {
    {"!attempts", AT(w.attempts)},
    {"!won", AT(w.won)},
    {"!tested", AT(w.tested), NULL, "attempts with an interval"},
    {"!stay", AT(w.stay), NULL, "wins that remain at this false discovery rate"},
    {"!false_discovery_rate", AT(rate)},
};
static const struct lore_object lore_wins_object = LORE_OBJECT("Wins", wins);
#undef ROW

/* Members that only the answer about one campaign has are NULL in a list. */
struct campaign {
    struct lore_campaign_row r;
    const char *state, *alarm_why;
    bool alarm;
    struct lore_target_standing *targets;
    const char **experiments;
    struct wins *wins;
    struct lore_curation_row *amendments;
    size_t n_experiments, n_amendments;
};
#define ROW struct campaign
static const struct lore_object_member campaign_standing[] = {
    {"!state", AT(state), "open|closed"},
    {"close_reason", AT(r.close_reason)},
    {"stop_reason", AT(r.stop_reason)},
    {"retrospective", AT(r.retrospective)},
    {"iterations", AT(r.iterations)},
    {"expected_records", AT(r.expected_records)},
    {"!arrived", AT(r.arrived)},
    {"last_arrival_at", TIME(r.last_us)},
    {"!alarm", AT(alarm), NULL, "fewer experiments arrived than expected, and no more are likely"},
    {"alarm_why", AT(alarm_why), "closed|ended|quiet"},
    {"targets", LIST(targets, r.r.n_targets, lore_target_standing_object)},
};
static const struct lore_object lore_campaign_standing_object =
    LORE_OBJECT("CampaignStanding", campaign_standing);

static const struct lore_object_member campaign[] = {
    {"!", FIELDS(r.r, LORE_K_CAMPAIGN)},
    {"!standing", PART(lore_campaign_standing_object)},
    {"experiments", STRINGS(experiments, n_experiments), "[ulid", "oldest first"},
    {"wins", POINTER(wins, lore_wins_object)},
    {"amendments", LIST(amendments, n_amendments, lore_curation_object), NULL, "newest first"},
    STORED(r.),
};
const struct lore_object lore_campaign_object = LORE_OBJECT("Campaign", campaign);
#undef ROW

static struct campaign
campaign_of(const struct lore_campaign_row *r)
{
    struct campaign c = {.r = *r,
        .state = state_name(r->closed),
        .alarm_why = lore_campaign_alarm(r, lore_now_us())};

    c.alarm = c.alarm_why != NULL;
    return c;
}

LORE_LIST_HANDLER(
    lore_api_source_documents, source_documents, source_document, lore_source_document_object)
LORE_GET_HANDLER(lore_api_source_document, source_document, lore_source_document_object)
LORE_LIST_HANDLER(lore_api_directions, directions, direction, lore_direction_object)
LORE_GET_HANDLER(lore_api_direction, direction, lore_direction_object)
LORE_LIST_HANDLER(lore_api_curations, curations, curation, lore_curation_object)
LORE_GET_HANDLER(lore_api_curation, curation, lore_curation_object)

enum lore_status
lore_api_verifications(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_verification_row *rows = NULL;
    struct lore_list_filter f;
    struct lore_paging paging;
    size_t n = 0;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    f.version = req->vars[0];
    if (status == LORE_OK)
        status = lore_db_list_verifications(req->db, &f, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_verification_object, rows, n, &paging, err);
}

enum lore_status
lore_api_campaigns(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_campaign_row *rows = NULL;
    struct campaign *shown;
    struct lore_list_filter f;
    struct lore_paging paging;
    size_t n = 0;
    enum lore_status status = lore_params_list(req, &paging, &f, err);

    if (status == LORE_OK)
        status = lore_db_list_campaigns(req->db, &f, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    shown = lore_alloc_array(req->arena, n + 1, sizeof *shown);
    for (size_t i = 0; i < n; i++)
        shown[i] = campaign_of(&rows[i]);
    return lore_reply_rows(resp, &lore_campaign_object, shown, n, &paging, err);
}

/* The wins that survive control of the false discovery rate over all attempts. */
static struct wins *
wins_of(struct lore_arena *arena, const struct lore_experiment_row *rows, size_t n)
{
    struct lore_wins_attempt *v = lore_alloc_array(arena, n, sizeof *v);
    struct wins *out = lore_alloc(arena, sizeof *out);
    size_t judged = 0;

    for (size_t i = 0; i < n; i++) {
        const struct lore_outcome_row *o = &rows[i].outcome;
        enum lore_effect effect = lore_effect_find(o->effect);
        bool wrong = lore_streq(o->correctness, "fail") || lore_streq(o->correctness, "timeout");
        if (effect != LORE_X_NOT_MEASURED && effect != LORE_X_COUNT)
            v[judged++] = (struct lore_wins_attempt){effect == LORE_X_WIN && !wrong,
                o->speedup.set ? o->speedup.v : 0, o->low.set ? o->low.v : 0,
                o->high.set ? o->high.v : 0};
    }
    out->rate = LORE_WINS_RATE;
    lore_wins(v, judged, 1 - LORE_SEQUENTIAL_ALPHA, arena, &out->w);
    return out;
}

enum lore_status
lore_api_campaign(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_experiment_filter f = {
        .campaign = req->vars[0], .disagrees = -1, .masked = -1, .page.limit = EXPERIMENTS_SHOWN};
    struct lore_list_filter amending = {
        .subject = req->vars[0], .action = "amend", .page.limit = AMENDMENTS_SHOWN};
    struct lore_experiment_row *rows = NULL;
    struct lore_curation_row *amended = NULL;
    struct lore_campaign_row row = {0};
    struct lore_target_now *now = NULL;
    struct campaign c;
    size_t n = 0, n_amended = 0;
    enum lore_status status = lore_db_get_campaign(req->db, req->vars[0], req->arena, &row, err);

    if (status == LORE_OK)
        status = lore_db_list_experiments(req->db, &f, req->arena, &rows, &n, err);
    if (status == LORE_OK)
        status = lore_targets_now(req, &row.r, rows, n, &now, err);
    if (status == LORE_OK)
        status = lore_db_list_curations(req->db, &amending, req->arena, &amended, &n_amended, err);
    if (status != LORE_OK)
        return status;
    c = campaign_of(&row);
    c.targets = lore_targets_standing(req->arena, &row.r, now);
    c.experiments = lore_alloc_array(req->arena, n + 1, sizeof *c.experiments);
    for (; c.n_experiments < n; c.n_experiments++) /* oldest first */
        c.experiments[c.n_experiments] = rows[n - 1 - c.n_experiments].e.id;
    c.wins = wins_of(req->arena, rows, n);
    c.amendments = n_amended > 0 ? amended : lore_alloc(req->arena, sizeof *c.amendments);
    c.n_amendments = n_amended;
    return lore_reply_object(resp, &lore_campaign_object, &c, err);
}

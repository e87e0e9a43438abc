/* Making curations (curate.h), and the small decisions that need nothing computed: mask an
 * experiment, retract a record, review an insight, choose or reject a spec, close a direction or a
 * campaign. */
#include "service/api/curate.h"

#include <string.h>

#include "db/standing.h"
#include "db/store.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/http/app.h"
#include "service/ingest/ingest.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define REVIEWS "draft|reviewed|rejected"
#define ROW struct lore_curation
static const struct lore_object_member reason[] = {
    {"!reason", AT(reason), NULL, "why, 1 to 2000 bytes"},
    {"id", AT(id), "ulid", "id of the decision, for a safe retry"},
};
const struct lore_object lore_reason_request_object = LORE_OBJECT("ReasonRequest", reason);

static const struct lore_object_member mask_request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"!masked", BY_HAND, "boolean"},
};
const struct lore_object lore_mask_request_object = LORE_OBJECT("MaskRequest", mask_request);

static const struct lore_object_member review_request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"!state", AT(state), REVIEWS},
};
const struct lore_object lore_review_request_object = LORE_OBJECT("ReviewRequest", review_request);

static const struct lore_object_member amend_request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"iterations", BY_HAND, "integer", "iterations that the campaign expects"},
    {"expected_records", BY_HAND, "integer", "experiments that it expects"},
};
const struct lore_object lore_amend_request_object = LORE_OBJECT("AmendRequest", amend_request);

static const struct lore_object_member close_request[] = {
    {"", MEMBERS_HERE(lore_reason_request_object)},
    {"stop_reason", BY_HAND, "text"},
    {"retrospective", BY_HAND, "text"},
};
const struct lore_object lore_close_request_object = LORE_OBJECT("CloseRequest", close_request);
#undef ROW

static const char *
new_id(struct lore_arena *arena)
{
    char id[27];

    lore_ulid_new(id);
    return lore_strdup(arena, id);
}

enum lore_status
lore_curate_submit(struct lore_req *req, struct lore_curation *c, size_t n, bool curator,
    bool *again, struct lore_err *err)
{
    struct lore_submission doc = {.format = LORE_WIRE_VERSION,
        .id = new_id(req->arena),
        .author = {.name = req->actor},
        .stated_project = req->project,
        .curations = c,
        .n_curations = n};
    LORE_BUF body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_receipt receipt = {0};
    struct lore_jsonw w;
    enum lore_status status;

    for (size_t i = 0; i < n; i++)
        if (!c[i].id)
            c[i].id = new_id(req->arena);
    lore_jsonw_begin(&w, &body, false);
    lore_wire_encode(&w, &doc);
    status = lore_jsonw_end(&w, err);
    if (status == LORE_OK)
        status = lore_ingest_submit(req->app->ingest,
            &(struct lore_ingest_doc){body.data, body.len, req->actor,
                curator || req->role >= LORE_CURATOR, req->owner, 0},
            req->arena, &receipt, err);
    if (status == LORE_OK && again)
        *again = receipt.duplicate;
    return status;
}

static enum lore_status
check_reason(const struct lore_curation *c, struct lore_err *err)
{
    if (!c->reason || *c->reason == '\0')
        return lore_fail_at(
            err, LORE_INVALID, "missing_field", "reason", "reason: required: say why");
    if (strlen(c->reason) > 2000)
        return lore_fail_at(
            err, LORE_INVALID, "too_long", "reason", "reason: longer than 2000 bytes");
    if (c->id && !lore_ulid_valid(c->id))
        return lore_fail_at(err, LORE_INVALID, "invalid_id", "id", "id: expected a ULID");
    return LORE_OK;
}

enum lore_status
lore_curate_body(const struct lore_req *req, const struct lore_object *takes,
    struct lore_json **body, struct lore_curation *c, struct lore_err *err)
{
    enum lore_status status = lore_params_body(req, body, err);

    if (status == LORE_OK)
        status = lore_object_read(takes, *body, c, err);
    return status == LORE_OK ? check_reason(c, err) : status;
}

/* Fail unless the path names a stored record of KIND; LORE_K_COUNT: of any kind. */
static enum lore_status
check_subject(struct lore_req *req, enum lore_kind kind, struct lore_err *err)
{
    struct lore_found found = {0};
    enum lore_status status = lore_req_read(req, NULL, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_find_record(req->db, req->vars[0], req->arena, &found, err);
    lore_req_read_end(req);
    if (status == LORE_OK && kind != LORE_K_COUNT && found.kind != kind)
        return lore_fail(err, LORE_NOTFOUND, "%.26s is no %s but a %s", req->vars[0],
            lore_kind_name(kind), lore_kind_name(found.kind));
    return status;
}

struct decision {
    const char *id, *action, *subject, *state, *status;
};
#define ROW struct decision
static const struct lore_object_member decision[] = {
    {"!id", AT(id), "ulid"},
    {"!status", AT(status), "stored|duplicate", "duplicate: it was stored before"},
    {"!action", AT(action)},
    {"!subject", AT(subject), "ulid"},
    {"state", AT(state)},
};
const struct lore_object lore_decision_object = LORE_OBJECT("Decision", decision);
#undef ROW

enum lore_status
lore_curate_one(struct lore_req *req, struct lore_resp *resp, struct lore_curation *c,
    enum lore_kind kind, struct lore_err *err)
{
    bool again = false;
    enum lore_status status = check_subject(req, kind, err);

    c->subjects = (struct lore_texts){&req->vars[0], 1, 1};
    if (status == LORE_OK)
        status = lore_curate_submit(req, c, 1, false, &again, err);
    if (status != LORE_OK)
        return status;
    resp->status = again ? 200 : 201;
    return lore_reply_object(resp, &lore_decision_object,
        &(struct decision){
            c->id, c->action, req->vars[0], c->state, again ? "duplicate" : "stored"},
        err);
}

struct masked {
    const char *id, *curation;
    bool masked;
};
#define ROW struct masked
static const struct lore_object_member masked_table[] = {
    {"!id", AT(id), "ulid"},
    {"!masked", AT(masked)},
    {"!curation", AT(curation), "ulid", "the decision"},
};
const struct lore_object lore_masked_object = LORE_OBJECT("Masked", masked_table);
#undef ROW

/* LORE_CONFLICT: the experiment is not masked. */
static enum lore_status
check_masked(struct lore_req *req, struct lore_err *err)
{
    struct lore_mask_row *v = NULL;
    size_t n = 0;
    enum lore_status status = lore_req_read(req, NULL, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_list_masks(req->db, req->vars[0], req->arena, &v, &n, err);
    lore_req_read_end(req);
    return status == LORE_OK && (n == 0 || !v[0].masked)
               ? lore_fail_at(err, LORE_CONFLICT, "not_masked", "masked",
                     "masked: the experiment is not masked")
               : status;
}

enum lore_status
lore_api_mask(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.subjects = {&req->vars[0], 1, 1}};
    struct lore_json *body = NULL;
    const struct lore_json *given;
    bool masked = false;
    enum lore_status status = lore_curate_body(req, &lore_mask_request_object, &body, &c, err);

    if (status != LORE_OK)
        return status;
    given = lore_json_get(body, "masked");
    if (!given || given->type == LORE_J_NULL) /* null must not read as false: it would unmask */
        return lore_fail_at(
            err, LORE_INVALID, "missing_field", "masked", "masked: required: true or false");
    status = lore_json_bool(body, "masked", &masked, err);
    c.action = masked ? "mask" : "unmask";
    if (status == LORE_OK)
        status = check_subject(req, LORE_K_EXPERIMENT, err);
    if (status == LORE_OK && !masked && !c.id)
        status = check_masked(req, err);
    if (status == LORE_OK)
        status = lore_curate_submit(req, &c, 1, false, NULL, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_object(
        resp, &lore_masked_object, &(struct masked){req->vars[0], c.id, masked}, err);
}

static enum lore_status
with_reason(struct lore_req *req, struct lore_resp *resp, const char *action, enum lore_kind kind,
    struct lore_err *err)
{
    struct lore_curation c = {.action = action};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_reason_request_object, &body, &c, err);

    return status == LORE_OK ? lore_curate_one(req, resp, &c, kind, err) : status;
}

/* *id: the decision that retracted the subject of REQ; NULL: it is not retracted. */
static enum lore_status
find_retraction(struct lore_req *req, const char **id, struct lore_err *err)
{
    struct lore_standing s = {0};
    enum lore_status status = lore_req_read(req, NULL, err);

    if (status != LORE_OK)
        return status;
    status = lore_db_get_standing(req->db, req->vars[0], req->arena, &s, err);
    lore_req_read_end(req);
    *id = s.retraction_id;
    return status;
}

enum lore_status
lore_api_retract(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.action = "retract"};
    struct lore_json *body = NULL;
    const char *before = NULL;
    enum lore_status status = lore_curate_body(req, &lore_reason_request_object, &body, &c, err);

    if (status == LORE_OK)
        status = find_retraction(req, &before, err);
    if (status != LORE_OK)
        return status;
    /* One undoing is enough for one retraction, so there is no second one. */
    return before && !lore_streq(c.id, before)
               ? lore_reply_object(resp, &lore_decision_object,
                     &(struct decision){before, "retract", req->vars[0], NULL, "duplicate"}, err)
               : lore_curate_one(req, resp, &c, LORE_K_COUNT, err);
}

struct quarantine {
    const char *author, *since, *reason, *id;
    int64_t records;
};
#define ROW struct quarantine
static const struct lore_object_member quarantine_request[] = {
    {"!author", AT(author), NULL, "token, agent or author of documents"},
    {"since", AT(since), NULL,
        "only what arrived since then: a date, a time, or how long ago; default: everything"},
    {"!reason", AT(reason), NULL, "why, 1 to 2000 bytes"},
    {"id", AT(id), "ulid", "id of the decision, for a safe retry"},
};
const struct lore_object lore_quarantine_request_object =
    LORE_OBJECT("QuarantineRequest", quarantine_request);
static const struct lore_object_member quarantined[] = {
    {"!id", AT(id), "ulid", "the decision; retract it to undo the quarantine"},
    {"!author", AT(author)},
    {"since", AT(since)},
    {"!records", AT(records), NULL, "how many records count no more"},
};
const struct lore_object lore_quarantined_object = LORE_OBJECT("Quarantined", quarantined);
#undef ROW

static enum lore_status
find_brought(
    struct lore_req *req, const struct quarantine *q, struct lore_texts *out, struct lore_err *err)
{
    int64_t since_us = 0;
    enum lore_status status = lore_params_time(req, "since", q->since, &since_us, err);

    if (status == LORE_OK)
        status = lore_req_read(req, NULL, err);
    if (status != LORE_OK)
        return status;
    status = lore_db_list_brought(req->db, q->author, since_us, req->arena, out, err);
    lore_req_read_end(req);
    if (status == LORE_OK && out->n == 0)
        return lore_fail_at(err, LORE_CONFLICT, "nothing_found", "author",
            "author: nothing that counts was brought by \"%.60s\" since then", q->author);
    if (status == LORE_OK && out->n > LORE_MAX_SUBJECTS) {
        status = lore_fail_at(err, LORE_TOOBIG, "too_big", "since",
            "since: more than %d records; one quarantine holds no more", LORE_MAX_SUBJECTS);
        lore_err_hint(err, "quarantine the newest first, with a later time");
    }
    return status;
}

/* A quarantine is one retraction of all that somebody brought. */
enum lore_status
lore_api_quarantine(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct quarantine q = {0};
    struct lore_curation c = {.action = "retract"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_params_body(req, &body, err);

    if (status == LORE_OK)
        status = lore_object_read(&lore_quarantine_request_object, body, &q, err);
    if (status == LORE_OK && (!q.author || !*q.author))
        status = lore_fail_at(
            err, LORE_INVALID, "missing_field", "author", "author: required: whose records");
    c.reason = q.reason;
    c.id = q.id;
    if (status == LORE_OK)
        status = check_reason(&c, err);
    if (status == LORE_OK)
        status = find_brought(req, &q, &c.subjects, err);
    if (status != LORE_OK)
        return status;
    lore_kvs_set(req->arena, &c.values, "author", lore_kvs_quote(req->arena, q.author));
    if (q.since)
        lore_kvs_set(req->arena, &c.values, "since", lore_kvs_quote(req->arena, q.since));
    status = lore_curate_submit(req, &c, 1, false, NULL, err);
    if (status != LORE_OK)
        return status;
    q.id = c.id;
    q.records = (int64_t)c.subjects.n;
    resp->status = 201;
    return lore_reply_object(resp, &lore_quarantined_object, &q, err);
}

enum lore_status
lore_api_spec_select(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return with_reason(req, resp, "select_spec", LORE_K_SPEC, err);
}

enum lore_status
lore_api_spec_reject(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return with_reason(req, resp, "reject_spec", LORE_K_SPEC, err);
}

enum lore_status
lore_api_direction_close(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return with_reason(req, resp, "close", LORE_K_DIRECTION, err);
}

enum lore_status
lore_api_comment(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.action = "comment"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_reason_request_object, &body, &c, err);

    if (status != LORE_OK)
        return status;
    if (!c.id) /* the same remark again is the same record */
        c.id = lore_build_id(req->arena, 0, "comment|%s|%s|%s", req->owner ? req->owner : "",
            req->vars[0], c.reason);
    return lore_curate_one(req, resp, &c, LORE_K_COUNT, err);
}

enum lore_status
lore_api_insight_review(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_curation c = {.action = "review"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_review_request_object, &body, &c, err);

    if (status != LORE_OK)
        return status;
    if (!c.state || !lore_choice(REVIEWS, c.state))
        return lore_fail_at(err, LORE_INVALID, "invalid_choice", "state",
            "state: required: draft, reviewed or rejected");
    return lore_curate_one(req, resp, &c, LORE_K_INSIGHT, err);
}

/* An amendment needs at least one of these numbers. */
enum lore_status
lore_api_campaign_amend(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const char *const fields[] = {"iterations", "expected_records"};
    struct lore_curation c = {.action = "amend"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_amend_request_object, &body, &c, err);

    for (size_t i = 0; status == LORE_OK && i < 2; i++) {
        const struct lore_json *given = lore_json_get(body, fields[i]);
        int64_t v = 0;

        if (!given)
            continue;
        status = lore_json_i64(body, fields[i], &v, err);
        if (status == LORE_OK && (given->type == LORE_J_NULL || v < 0 || v > 1000000000))
            status = lore_fail_at(err, LORE_INVALID, "out_of_range", fields[i],
                "%s: expected 0 to 1000000000", fields[i]);
        if (status == LORE_OK)
            lore_kvs_set(
                req->arena, &c.values, fields[i], lore_format(req->arena, "%lld", (long long)v));
    }
    if (status == LORE_OK && c.values.n == 0)
        status = lore_fail_at(err, LORE_INVALID, "missing_field", "expected_records",
            "expected_records or iterations: required: say what changes");
    return status == LORE_OK ? lore_curate_one(req, resp, &c, LORE_K_CAMPAIGN, err) : status;
}

enum lore_status
lore_api_campaign_close(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const char *const fields[] = {"stop_reason", "retrospective"};
    struct lore_curation c = {.action = "close"};
    struct lore_json *body = NULL;
    enum lore_status status = lore_curate_body(req, &lore_close_request_object, &body, &c, err);

    for (size_t i = 0; status == LORE_OK && i < 2; i++) {
        const char *text = NULL;

        status = lore_json_text(body, fields[i], &text, err);
        if (status == LORE_OK && text)
            lore_kvs_set(req->arena, &c.values, fields[i], lore_kvs_quote(req->arena, text));
    }
    return status == LORE_OK ? lore_curate_one(req, resp, &c, LORE_K_CAMPAIGN, err) : status;
}

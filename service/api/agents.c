/* Agents: enrol one with a one-time code, list them, list their receipts. The code is the only
 * credential of POST /agents, so its handler checks it. The rest about credentials is in
 * service/auth/agents.c. */
#include <string.h>

#include "db/journal_place.h"
#include "service/api/api_agents.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/auth/labels.h"
#include "service/base/hash.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/ingest/ingest.h"
#include "service/ingest/projection.h"

#define LABEL_MAX 100
#define CODE_MAX 200
#define RECEIPTS 50 /* a page: each has up to 256 records */

/* ---- recording agents in the facts ---- */

struct agent_facts {
    struct lore_agents *of;
    const struct lore_agent_row *agents;
    size_t n;
    bool enrols;         /* the only agent is new */
    const char *refusal; /* "AGENT: code"; NULL: none */
};

/* Agents that are gone used a code here in the moment in which, by the journal, another one used it
 * elsewhere. */
static enum lore_status
put_agents(struct lore_db *db, const struct agent_facts *x, int64_t now_us, struct lore_err *err)
{
    enum lore_status status = LORE_OK;
    bool has = false;

    for (size_t i = 0; i < x->n && status == LORE_OK; i++) {
        status = lore_agents_has(x->of, x->agents[i].id, &has, err);
        if (status == LORE_OK && has)
            status = lore_put_agent(db, &x->agents[i], now_us, err);
    }
    if (status == LORE_OK && x->enrols && !has) {
        status = lore_fail_at(err, LORE_FORBIDDEN, "bad_code", "code",
            "code: another agent used this enrollment code");
        lore_err_hint(err, "ask for a new one");
    }
    return status;
}

/* Runs on the writer. */
static enum lore_status
note(struct lore_db *db, void *ctx, struct lore_logging *to, struct lore_err *err)
{
    const struct agent_facts *x = ctx;
    unsigned char detail[LORE_HASH_BYTES];
    struct lore_event e = {LORE_ACTOR_SERVICE, "batch_refused", x->refusal, detail, to->now_us};
    enum lore_status status = lore_logging_credentials(db, to, err);

    if (status == LORE_OK)
        status = put_agents(db, x, to->now_us, err);
    if (status != LORE_OK || !x->refusal)
        return status;
    lore_hash(x->refusal, strlen(x->refusal), detail);
    status = lore_put_event(db, &e, err);
    return status == LORE_OK ? lore_logging_event(to, &e, err) : status;
}

enum lore_status
lore_api_store_agents(struct lore_app *app, struct lore_err *err)
{
    LORE_SCRATCH arena = {0};
    struct agent_facts x = {.of = app->agents};
    struct lore_agent_row *rows = NULL;
    enum lore_status status = lore_agents_list(app->agents, &arena, &rows, &x.n, err);

    x.agents = rows;
    if (status == LORE_OK && x.n > 0)
        status = lore_ingest_write_logged(app->ingest, note, &x, err);
    return status;
}

void
lore_api_sync_agents(struct lore_app *app, size_t *known)
{
    LORE_SCRATCH arena = {0};
    struct lore_agent_row *rows = NULL;
    struct lore_err err = {0};
    size_t n = 0, changes;

    if (lore_agents_list(app->agents, &arena, &rows, &n, &err) == LORE_OK) {
        /* both numbers only grow, so their sum detects every change */
        changes = n;
        for (size_t i = 0; i < n; i++)
            changes += rows[i].revoked_us != 0;
        if (changes != *known && lore_api_store_agents(app, &err) == LORE_OK)
            *known = changes;
    }
}

void
lore_api_store_refusal(void *ctx, const char *agent, const char *code)
{
    struct lore_app *app = ctx;
    LORE_SCRATCH arena = {0};
    struct lore_agent_row row = {0};
    struct agent_facts x = {.of = app->agents};
    struct lore_err err = {0};

    x.refusal = lore_format(&arena, "%s: %s", agent != NULL ? agent : "unknown", code);
    /* Store the agent too: this may be the first refusal since its revocation. */
    if (agent && lore_agents_get(app->agents, agent, &arena, &row, &err) == LORE_OK) {
        x.agents = &row;
        x.n = 1;
    }
    if (lore_ingest_write_logged(app->ingest, note, &x, &err) != LORE_OK)
        lore_log(
            LORE_WARN, "refusal_not_noted", "agent", agent, "code", code, "error", err.msg, NULL);
}

/* ---- enrolling ---- */

struct enrolment {
    const char *code, *public_key, *label;
};
#define ROW struct enrolment
static const struct lore_object_member enrolment[] = {
    {"!code", AT(code), NULL, "good for one agent"},
    {"!public_key", AT(public_key), NULL, "Ed25519, as base64"},
    {"!label", AT(label)},
};
const struct lore_object lore_enrolment_object = LORE_OBJECT("EnrolRequest", enrolment);
#undef ROW

static enum lore_status
check_text(const char *key, const char *text, size_t most, struct lore_err *err)
{
    size_t n = !text ? 0 : strlen(text);

    for (size_t i = 0; i < n; i++)
        if ((unsigned char)text[i] < 0x20 || text[i] == 0x7f)
            return lore_fail_at(
                err, LORE_INVALID, "invalid_value", key, "%s: expected one line", key);
    if (n == 0)
        return lore_fail_at(err, LORE_INVALID, "missing_field", key, "%s: needed", key);
    if (n > most)
        return lore_fail_at(err, LORE_INVALID, "too_long", key, "%s: at most %zu bytes", key, most);
    return LORE_OK;
}

static enum lore_status
read_enrolment(const struct lore_req *req, struct enrolment *e, struct lore_agent_row *agent,
    struct lore_err *err)
{
    struct lore_json *body = NULL;
    enum lore_status status = lore_params_body(req, &body, err);

    if (status == LORE_OK)
        status = lore_object_read(&lore_enrolment_object, body, e, err);
    if (status == LORE_OK)
        status = check_text("code", e->code, CODE_MAX, err);
    if (status == LORE_OK)
        status = check_text("label", e->label, LABEL_MAX, err);
    if (status == LORE_OK)
        status = lore_label_check(e->label, err);
    if (status == LORE_OK)
        status = check_text("public_key", e->public_key, CODE_MAX, err);
    if (status != LORE_OK)
        return status;
    agent->label = e->label;
    if (!lore_signing_bytes(e->public_key, agent->key, sizeof agent->key))
        return lore_fail_at(err, LORE_INVALID, "invalid_value", "public_key",
            "public_key: expected %d bytes as base64", LORE_PUBLIC_KEY);
    return LORE_OK;
}

/* An agent (NULL: none) and the key that signs receipts. */
struct enrolled {
    unsigned char service_key[LORE_PUBLIC_KEY];
    const struct lore_agent_row *agent;
};
#define ROW struct lore_agent_row
static const struct lore_object_member named[] = {{"!id", AT(id), "ulid"}, {"!label", AT(label)}};
static const struct lore_object named_object = LORE_OBJECT("", named);
static const struct lore_object_member since[] = {{"enrolled_at", TIME(enrolled_us)}};
static const struct lore_object since_object = LORE_OBJECT("", since);
#undef ROW
#define ROW struct enrolled
static const struct lore_object_member enrolled[] = {
    {"!", SPREAD(agent, named_object)},
    {"!service_key", BASE64(service_key)},
};
const struct lore_object lore_enrolled_object = LORE_OBJECT("Enrolled", enrolled);
static const struct lore_object_member agent_self[] = {
    {"!service_key", BASE64(service_key)},
    {"", SPREAD(agent, named_object)},
    {"", SPREAD(agent, since_object)},
};
const struct lore_object lore_agent_self_object = LORE_OBJECT("AgentSelf", agent_self);
#undef ROW

static struct enrolled
with_key(const struct lore_req *req, const struct lore_agent_row *agent)
{
    struct enrolled x = {.agent = agent};

    memcpy(x.service_key, lore_agents_key(req->app->agents), sizeof x.service_key);
    return x;
}

/* Runs on the writer, so that nothing is journaled meanwhile. */
static enum lore_status
drop_unless_journaled(struct lore_db *db, void *ctx, int64_t now_us, struct lore_err *err)
{
    const struct agent_facts *x = ctx;
    LORE_SCRATCH a = {0};
    bool has = false;
    enum lore_status status =
        lore_db_journal_has(db, lore_format(&a, "agent:%s", x->agents[0].id), &has, err);

    (void)now_us;
    if (status == LORE_OK && !has)
        status = lore_agents_drop(x->of, x->agents[0].id, err);
    return status == LORE_NOTFOUND ? LORE_OK : status;
}

enum lore_status
lore_api_enroll(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_agent_row agent = {0};
    struct agent_facts x = {.of = req->app->agents, .agents = &agent, .n = 1, .enrols = true};
    struct lore_err late = {0};
    struct enrolment e = {0};
    struct enrolled answer;
    struct lore_guess guess;
    enum lore_status status = read_enrolment(req, &e, &agent, err);

    guess = (struct lore_guess){e.code, req->client.key != NULL ? req->client.key : ""};
    if (status == LORE_OK)
        status = lore_agents_enroll(
            req->app->agents, &guess, &agent, req->arena, &resp->retry_after_s, err);
    if (status == LORE_LIMITED)
        lore_counters_limited(req->app->counters, LORE_QUOTA_CODE);
    if (status != LORE_OK)
        return status;
    status = lore_ingest_write_logged(req->app->ingest, note, &x, err);
    if (status != LORE_OK) {
        if (lore_ingest_write(req->app->ingest, drop_unless_journaled, &x, &late) != LORE_OK)
            lore_log(LORE_WARN, "agent_not_dropped", "agent", agent.id, "error", late.msg, NULL);
        return status;
    }
    resp->status = 201;
    answer = with_key(req, &agent);
    return lore_reply_object(resp, &lore_enrolled_object, &answer, err);
}

/* ---- list of agents ---- */

struct agent {
    struct lore_agent_row a;
    struct lore_agent_counts n;
};
#define ROW struct agent
static const struct lore_object_member agent_table[] = {
    {"", MEMBERS(a, named_object)},
    {"!public_key", BASE64(a.key)},
    {"!enrolled_at", TIME(a.enrolled_us)},
    {"revoked_at", TIME(a.revoked_us)},
    {"last_receipt_at", TIME(n.last_us)},
    {"!receipts", AT(n.receipts)},
    {"!stored", AT(n.stored)},
    {"!duplicates", AT(n.duplicates)},
    {"!refused", AT(n.refused)},
};
const struct lore_object lore_agent_object = LORE_OBJECT("Agent", agent_table);
#undef ROW

enum lore_status
lore_api_agents(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_agent_row *rows = NULL;
    struct lore_paging paging = {0};
    struct lore_jsonw w;
    size_t n = 0, at, shown;
    bool more;
    enum lore_status status = lore_params_paging(req, &paging, err);

    if (status == LORE_OK)
        status = lore_agents_list(req->app->agents, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    at = paging.at > 0 && (size_t)paging.at < n ? (size_t)paging.at : paging.at > 0 ? n : 0;
    shown = lore_paging_rows(&paging, n - at, &more);
    lore_paging_begin(&w, resp);
    for (size_t i = at; i < at + shown && status == LORE_OK; i++) {
        struct agent row = {.a = rows[i]};

        status = lore_agent_counts(req->db, row.a.id, &row.n, err);
        lore_object_write(&w, &lore_agent_object, &row);
    }
    if (status == LORE_OK)
        return lore_paging_done(&w, more, (int64_t)(at + shown), err);
    (void)!lore_jsonw_end(&w, NULL);
    lore_buf_reset(&resp->body);
    return status;
}

enum lore_status
lore_api_agent_self(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct enrolled self = with_key(req, req->agent);

    return lore_reply_object(resp, &lore_agent_self_object, &self, err);
}

/* ---- receipts ---- */

#define ROW struct lore_receipt_record
static const struct lore_object_member signed_record[] = {
    {"!seq", AT(line.seq)},
    {"!state", WRITTEN(lore_receipt_write_state), LORE_RECEIPT_STATES},
    {"!hash", HEX(line.hash)},
    {"!signature", BASE64(signature)},
    {"document", AT(document), "ulid"},
    {"code", AT(code), NULL, "why it was refused"},
};
static const struct lore_object signed_record_object = LORE_OBJECT("SignedRecord", signed_record);
#undef ROW

#define ROW struct lore_batch_receipt
static const struct lore_object_member receipt[] = {
    {"", MEMBERS_HERE(lore_batch_receipt_object)},
    {"!service_key", BASE64(key)},
    {"!received_at", TIME(received_us)},
    {"!records", LIST(records, n, signed_record_object)},
};
const struct lore_object lore_receipt_row_object = LORE_OBJECT("BatchReceiptRow", receipt);
#undef ROW

enum lore_status
lore_api_receipts(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t limit = (size_t)lore_arg_i64(req, "limit", RECEIPTS), n = 0;
    int64_t after = lore_arg_i64(req, "after", 0);
    struct lore_batch_receipt *rows = NULL;
    struct lore_agent_row agent = {0};
    struct lore_jsonw w;
    bool more;
    enum lore_status status;

    if (req->agent && !lore_streq(req->agent->id, req->vars[0]))
        return lore_fail_at(
            err, LORE_FORBIDDEN, "forbidden", "id", "an agent may read only its own receipts");
    status = lore_agents_get(req->app->agents, req->vars[0], req->arena, &agent, err);
    if (status == LORE_OK)
        status = lore_db_list_receipts(req->db,
            &(struct lore_receipt_part){agent.id, after, limit + 1}, req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    more = n > limit;
    n = more ? limit : n;
    lore_paging_begin(&w, resp);
    for (size_t i = 0; i < n; i++)
        lore_object_write(&w, &lore_receipt_row_object, &rows[i]);
    return lore_paging_done(&w, more, n > 0 ? rows[n - 1].number : after, err);
}

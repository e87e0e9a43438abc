/* The dispatcher takes each request through fixed steps: match, permission, size, parameters, body,
 * handler. A handler sees only requests that its row in the route table allows. Every path ends in
 * a complete reply. The body is read after all checks that do not need it. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "db/store.h"
#include "service/auth/oidc.h"
#include "service/auth/rights.h"
#include "service/auth/tokens.h"
#include "service/base/buckets.h"
#include "service/base/guard.h"
#include "service/base/hash.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/http/answer_pool.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/http/http.h"
#include "service/journal/applied.h"

/* How long a request waits for an entry of the journal. */
#define AFTER_MS 2000

/* Check the signature. An agent acts as a contributor, under its own name. */
static enum lore_status
permit_signed(struct lore_app *app, struct lore_req *req, struct lore_err *err)
{
    struct lore_agent_row *who = lore_alloc(req->arena, sizeof *who);
    enum lore_status status;

    if (!app->agents)
        return lore_fail_at(
            err, LORE_UNAUTHENTICATED, "no_signature", "", "this service has no agents");
    req->signed_by.path = req->path;
    req->signed_by.method = req->method == LORE_POST   ? "POST"
                            : req->method == LORE_HEAD ? "HEAD"
                                                       : "GET";
    status = lore_agents_check(app->agents, &req->signed_by, req->arena, who, err);
    if (status != LORE_OK)
        return status;
    req->agent = who;
    req->role = LORE_CONTRIBUTOR;
    req->actor = lore_format(req->arena, LORE_ACTOR_AGENT "%s", who->label);
    req->owner = who->id;
    return LORE_OK;
}

static enum lore_status
permit_token(struct lore_app *app, enum lore_role least, struct lore_req *req, struct lore_err *err)
{
    struct lore_identity who = {0};
    struct lore_right right;
    enum lore_status status;

    if (!app->tokens)
        return lore_fail_at(
            err, LORE_UNAUTHENTICATED, "no_token", "", "this service has no tokens");
    status = app->oidc && lore_oidc_looks(req->authorization)
                 ? lore_oidc_check(app->oidc, req->authorization, req->arena, &who, err)
                 : lore_tokens_check(app->tokens, req->authorization, req->arena, &who, err);
    if (status != LORE_OK)
        return status;
    req->rights = who.role;
    req->actor = who.label != NULL && who.label[0] != '\0' ? who.label : who.id;
    req->owner = who.id;
    status = lore_rights_in(who.role, req->wanted_project, req->arena, &right, err);
    if (status != LORE_OK)
        return status;
    req->role = lore_role_find(right.role);
    req->project = right.project;
    if (req->role < least)
        return lore_fail_at(err, LORE_FORBIDDEN, "forbidden", "",
            "this needs the role %s; the token has %s", lore_role_name(least), right.role);
    return LORE_OK;
}

/* A request on its way to its handler, which a thread of the pool may run. */
struct serving {
    struct lore_app *app;
    const struct lore_route *route;
    struct lore_req *req;
    struct lore_resp *resp;
    struct lore_readers *readers; /* connections for this request, perhaps used on another thread */
    struct lore_err *err;
    enum lore_status status;
    bool large; /* it holds app->large */
};

/* Count the request in the bucket KEY of BUCKETS, which may be NULL. Requests of this machine
 * itself are not counted: tests, a backup, the operator. LORE_LIMITED with the time to wait in
 * RESP. */
static enum lore_status
count(const struct serving *x, struct lore_buckets *buckets, enum lore_quota quota, const char *key,
    struct lore_err *err)
{
    static const char *const who[] = {"this address", "this token or agent"};
    const struct lore_client *c = &x->req->client;
    int64_t wait_us = !buckets || !c->address || c->is_local ? 0 : lore_buckets_take(buckets, key);

    if (wait_us == 0)
        return LORE_OK;
    lore_counters_limited(x->app->counters, quota);
    x->resp->retry_after_s = (int)(wait_us / 1000000) + 1;
    return lore_fail_at(err, LORE_LIMITED, "over_quota", "",
        "%s sent too many requests; try again in %d s", who[quota], x->resp->retry_after_s);
}

/* Identify the caller and check that the route permits the call. */
static enum lore_status
permit(struct lore_app *app, const struct lore_route *route, struct lore_req *req,
    struct lore_err *err)
{
    switch (route->who) {
    case LORE_PUBLIC:
    case LORE_CODED: /* the handler checks the code in the body */
        return LORE_OK;
    case LORE_SIGNED:
        return permit_signed(app, req, err);
    case LORE_SIGNED_OR_READER:
        return req->signed_by.signature ? permit_signed(app, req, err)
                                        : permit_token(app, LORE_READER, req, err);
    default:
        return permit_token(app, route->who, req, err);
    }
}

/* Signed routes accept batches, all others JSON. A web page on another site can send forms and text
 * without permission, so those are refused. */
static enum lore_status
check_type(const struct lore_route *route, const struct lore_req *req, struct lore_err *err)
{
    const char *t = req->content_type;
    const char *wanted = route->who == LORE_SIGNED ? LORE_BATCH_MEDIA : "application/json";
    size_t n = strlen(wanted);

    if (t && strncasecmp(t, wanted, n) == 0) {
        t += n + strspn(t + n, " ");
        if (*t == '\0' || *t == ';')
            return LORE_OK;
    }
    lore_fail(err, LORE_UNSUPPORTED, "Content-Type: expected %s", wanted);
    return LORE_UNSUPPORTED;
}

/* The signature covers a digest; check that the body has it. The agent may have been revoked while
 * the body arrived, so look it up again. */
static enum lore_status
check_digest(struct lore_app *app, const struct lore_req *req, struct lore_err *err)
{
    struct lore_agent_row now = {0};
    char hex[LORE_HASH_HEX];
    enum lore_status status;

    if (!req->agent)
        return LORE_OK;
    status = lore_agents_get(app->agents, req->agent->id, req->arena, &now, err);
    if (status != LORE_OK)
        return status;
    if (now.revoked_us != 0) {
        lore_agents_limits_refused(lore_agents_limits(app->agents), now.id, "agent_revoked");
        return lore_fail_at(
            err, LORE_UNAUTHENTICATED, "agent_revoked", "", "this agent was revoked");
    }
    lore_hash_hex(req->body ? req->body : "", req->body_len, hex);
    if (lore_streq(hex, req->signed_by.digest))
        return LORE_OK;
    lore_agents_limits_refused(lore_agents_limits(app->agents), req->agent->id, "bad_digest");
    return lore_fail_at(err, LORE_UNAUTHENTICATED, "bad_digest", "",
        "Warplore-Digest: not the BLAKE2b-256 of the body that arrived");
}

static enum lore_status
check_body(const struct lore_route *route, struct lore_req *req, struct lore_err *err)
{
    if (req->body_len > route->max_body) {
        if (route->max_body == 0)
            return lore_fail_at(
                err, LORE_TOOBIG, "body_not_taken", "", "this address takes no body");
        return lore_fail_at(err, LORE_TOOBIG, "body_too_big", "",
            "the body has %zu bytes; the limit is %zu bytes", req->body_len, route->max_body);
    }
    return route->max_body > 0 ? check_type(route, req, err) : LORE_OK;
}

enum lore_status
lore_req_read(struct lore_req *req, struct lore_readers *readers, struct lore_err *err)
{
    const struct lore_http_limits *l = &req->app->limits;
    enum lore_status status;

    req->readers = readers != NULL ? readers : req->app->readers;
    req->db = lore_readers_take(req->readers, l->reader_ms > 0 ? l->reader_ms : 2000);
    if (!req->db)
        return lore_fail_at(err, LORE_BUSY, "readers_busy", "", "every read connection is in use");
    lore_db_deadline(req->db, l->query_ms > 0 ? l->query_ms : 2000);
    status = lore_db_snapshot(req->db, err);
    if (status != LORE_OK)
        lore_req_read_end(req);
    return status;
}

void
lore_req_read_end(struct lore_req *req)
{
    if (!req->db)
        return;
    lore_db_snapshot_end(req->db);
    lore_db_deadline(req->db, 0);
    lore_readers_give(req->readers, req->db);
    req->db = NULL;
}

static enum lore_status
handle(void *ctx, struct lore_err *err)
{
    struct serving *x = ctx;
    enum lore_status status =
        x->app->resolve ? x->app->resolve(x->route, x->req, x->resp, err) : LORE_OK;

    return status == LORE_OK ? x->route->handler(x->req, x->resp, err) : status;
}

/* Run the handler inside one read snapshot, so that its reads agree. The guard belongs to the
 * thread that runs the handler. */
static void
read_now(void *ctx)
{
    struct serving *x = ctx;

    x->status = lore_req_read(x->req, x->readers, x->err);
    if (x->status != LORE_OK)
        return;
    if (x->app->project)
        x->app->priors(true);
    x->status = lore_guarded(lore_arena_limit(x->req->arena), handle, x, x->err);
    if (x->app->project)
        x->app->priors(false);
    lore_req_read_end(x->req);
}

/* Run the handler on this thread, or on one of the pool. The pool's threads have read connections
 * of their own, because a job that waits for a connection would delay all jobs behind it. */
static enum lore_status
handle_get(struct serving *x, struct lore_err *err)
{
    struct lore_app *app = x->app;
    bool pooled = app->pool && x->route->pooled && x->route->pooled(x->req);

    x->readers = pooled ? app->pool_readers : app->readers;
    x->err = err;
    lore_answer_pool_run(pooled ? app->pool : NULL, read_now, x);
    return x->status;
}

/* From here on a request that is bound to a project has the records of that project and no others:
 * connections, indexes, writer and caches are those of its own database. */
static enum lore_status
enter_project(struct serving *x, struct lore_err *err)
{
    struct lore_app *in = NULL;
    enum lore_status status;

    if (!x->req->project)
        return LORE_OK;
    if (x->route->whole)
        return lore_fail_at(err, LORE_FORBIDDEN, "whole_service", "",
            "this address tells of the whole service; the token is bound to %.100s",
            x->req->project);
    if (!x->app->enter)
        return lore_fail_at(err, LORE_FORBIDDEN, "no_projects", "", "this service has no projects");
    status = x->app->enter(x->app, x->req->project, &in, err);
    if (status == LORE_OK)
        x->app = x->req->app = in;
    return status;
}

static enum lore_status
take_turn(struct serving *x, struct lore_err *err)
{
    if (x->req->body_len <= LORE_LARGE_BODY)
        return LORE_OK;
    x->large = !atomic_exchange(&x->app->large, true);
    return x->large ? LORE_OK
                    : lore_fail_at(err, LORE_BUSY, "large_body", "",
                          "another document over %u MiB is being stored; try again",
                          LORE_LARGE_BODY >> 20);
}

/* A client that wrote to another node names the entry of its write: wait until it is here, too. */
static enum lore_status
wait_for_entry(const struct lore_app *app, const struct lore_req *req, struct lore_err *err)
{
    struct lore_applied_state state;
    long long seq = 0;

    if (!req->after || !app->applied)
        return LORE_OK;
    if (lore_parse_i64(req->after, "Warplore-After", &seq, NULL) != LORE_OK || seq < 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_header", "Warplore-After",
            "Warplore-After: expected the Warplore-Seq of an answer");
    if (lore_applied_wait(app->applied, seq, AFTER_MS) &&
        (!app->caught_up || app->caught_up(app->excerpt, AFTER_MS)))
        return LORE_OK;
    lore_applied_get(app->applied, &state);
    return lore_fail_at(err, LORE_BUSY, "not_yet_applied", "Warplore-After",
        "this node has applied entry %lld of the journal, not yet entry %lld", (long long)state.seq,
        seq);
}

/* The place in the journal of what a write acknowledges, or a later one. */
static void
note_entry(const struct lore_app *app, const struct lore_req *req, struct lore_resp *resp)
{
    struct lore_applied_state state;

    if (req->method != LORE_POST || !app->applied)
        return;
    lore_applied_get(app->applied, &state);
    resp->seq = state.seq;
    resp->synced = state.lag_ms > 0 ? state.synced : 0;
}

static enum lore_status
answer(struct serving *x, struct lore_err *err)
{
    struct lore_app *app = x->app;
    struct lore_req *req = x->req;
    const struct lore_route *route;
    enum lore_status status, counted = LORE_OK;

    status = count(x, app->by_address, LORE_QUOTA_ADDRESS, req->client.key, err);
    if (status != LORE_OK)
        return status;
    if ((status = lore_route_find(app->routes, req, &x->route, err)) != LORE_OK)
        return status;
    route = x->route;
    status = permit(app, route, req, err);
    if (req->owner && status != LORE_UNAUTHENTICATED)
        counted = count(x, app->by_credential, LORE_QUOTA_CREDENTIAL, req->owner, err);
    if (status != LORE_OK || counted != LORE_OK)
        return counted != LORE_OK ? counted : status;
    if ((status = enter_project(x, err)) != LORE_OK)
        return status;
    app = x->app;
    if ((status = check_body(route, req, err)) != LORE_OK)
        return status;
    if ((status = lore_args_parse(route->params, req, err)) != LORE_OK)
        return status;
    if ((status = take_turn(x, err)) != LORE_OK)
        return status;
    if (req->read_body && (status = req->read_body(req, err)) != LORE_OK)
        return status;
    if ((status = check_digest(app, req, err)) != LORE_OK)
        return status;
    if ((status = wait_for_entry(app, req, err)) != LORE_OK)
        return status;
    if (route->who != LORE_PUBLIC && route->method == LORE_GET && app->readers)
        return handle_get(x, err);
    return handle(x, err);
}

/* Does the If-None-Match HEADER list ETAG, or "*"? */
static bool
is_known(const char *header, const char *etag)
{
    size_t n = strlen(etag);

    if (!header)
        return false;
    if (strcmp(header, "*") == 0)
        return true;
    for (const char *at = strstr(header, etag); at != NULL; at = strstr(at + 1, etag))
        if (at > header && at[-1] == '"' && at[n] == '"')
            return true;
    return false;
}

/* Give a read its ETag. A client that already has these bytes gets 304 and no body. */
static void
validate(const struct lore_req *req, struct lore_resp *resp)
{
    char hex[LORE_HASH_HEX];

    if ((req->method != LORE_GET && req->method != LORE_HEAD) || resp->status != 200)
        return;
    if (!resp->etag) {
        lore_hash_hex(resp->body.data ? resp->body.data : "", resp->body.len, hex);
        resp->etag = lore_strndup(req->arena, hex, 32);
    }
    if (is_known(req->if_none_match, resp->etag)) {
        resp->status = 304;
        lore_buf_reset(&resp->body);
    }
}

/* The whole exchange except the problem object, which needs no memory of the arena. */
static enum lore_status
serve(void *ctx, struct lore_err *err)
{
    struct serving *x = ctx;
    enum lore_status status = answer(x, err);

    if (status == LORE_OK)
        status = lore_buf_status(&x->resp->body, "the answer", err);
    if (status == LORE_METHOD)
        x->resp->allow = lore_route_allow(x->app->routes, x->req);
    if (status != LORE_OK)
        return status;
    note_entry(x->app, x->req, x->resp);
    if (x->resp->status == 0)
        x->resp->status = 200;
    validate(x->req, x->resp);
    return LORE_OK;
}

static void
fail(struct lore_req *req, struct lore_resp *resp, enum lore_status status,
    const struct lore_err *err)
{
    if (status == LORE_IO || status == LORE_CORRUPT || strcmp(err->code, "disk_full") == 0)
        lore_log(LORE_ERROR, "request_failed", "id", req->request_id, "path", req->path, "code",
            err->code, "error", err->msg, NULL);
    int wait_s = resp->retry_after_s > 0 ? resp->retry_after_s : 1; /* a handler may have set it */

    lore_problem(err, req->request_id, resp);
    resp->retry_after_s = status == LORE_BUSY || status == LORE_LIMITED ? wait_s : 0;
}

void
lore_dispatch(struct lore_app *app, struct lore_req *req, struct lore_resp *resp)
{
    struct serving x = {.app = app, .req = req, .resp = resp};
    struct lore_err err = {0};
    enum lore_status status;

    req->app = app;
    req->db = NULL;
    req->role = LORE_PUBLIC;
    req->actor = req->owner = NULL;
    req->project = req->rights = NULL;
    req->agent = NULL;
    status = lore_guarded(lore_arena_limit(req->arena), serve, &x, &err);
    lore_req_read_end(req); /* a full arena may have ended a handler between read and read_end */
    if (x.large)
        atomic_store(&x.app->large, false);
    if (x.app->leave)
        x.app->leave(x.app);
    if (status != LORE_OK)
        fail(req, resp, status, &err);
}

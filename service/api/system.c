/* The service about itself: health, counters, routes, options, internals, the caller, the event
 * log. Everything is written from the same tables and counters that the service runs on. */
#include "service/api/api.h"

#include <inttypes.h>
#include <string.h>

#include "service/api/edge.h"
#include "service/api/present.h"
#include "service/auth/agents.h"
#include "service/base/clock.h"
#include "service/http/answer_pool.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/ingest/ingest.h"
#include "service/ingest/memory.h"
#include "service/ingest/served.h"

static double
uptime_s(const struct lore_app *app)
{
    return (double)((lore_now_us() - app->started_us) / 1000) / 1000;
}

enum lore_status
lore_api_healthz(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "status", "ok");
    lore_w_kstr(&w, "version", req->app->version);
    lore_w_ki64(&w, "schema", lore_db_schema_version());
    lore_w_kf64(&w, "uptime_s", uptime_s(req->app));
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* What /metrics and /_stats show of the parts that count for themselves. */
struct internals {
    struct lore_ingest_stats ingest;
    size_t evidence_rows, evidence_bytes, board_entries;
    uint64_t generation;
};

static void
read_internals(struct lore_app *app, struct internals *x)
{
    const struct lore_evidence_index *evidence;

    lore_ingest_stats(app->ingest, &x->ingest);
    evidence = lore_memory_evidence(app->memory);
    x->evidence_rows = lore_evidence_count(evidence);
    x->evidence_bytes = lore_evidence_bytes(evidence);
    lore_memory_done(app->memory);
    x->board_entries = lore_board_entries(lore_memory_board(app->memory));
    lore_memory_done(app->memory);
    x->generation = lore_memory_generation(app->memory);
}

static void
family(struct lore_buf *out, const char *name, const char *type, const char *help, double value)
{
    lore_buf_printf(out, "# HELP warplore_%s %s\n# TYPE warplore_%s %s\nwarplore_%s %.17g\n", name,
        help, name, type, name, value);
}

/* Agents and what they sent. */
static enum lore_status
agent_families(struct lore_req *req, struct lore_buf *out, struct lore_err *err)
{
    struct lore_agents_stats x = {0};
    struct lore_agent_row *rows = NULL;
    size_t n = 0, revoked = 0;
    enum lore_status status = lore_agents_list(req->app->agents, req->arena, &rows, &n, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        revoked += rows[i].revoked_us != 0;
    lore_agents_stats(req->app->agents, &x);
    family(out, "agents_enrolled", "gauge", "Agents that may send", (double)(n - revoked));
    family(out, "agents_revoked", "gauge", "Agents that may no longer send", (double)revoked);
    family(out, "batches_total", "counter", "Signed batches that got a receipt", (double)x.batches);
    family(out, "batch_records_stored_total", "counter", "Records of batches that were stored",
        (double)x.stored);
    family(out, "batch_records_duplicate_total", "counter",
        "Records of batches that were here already", (double)x.duplicates);
    family(out, "batch_records_refused_total", "counter", "Records of batches that were refused",
        (double)x.refused);
    family(out, "batch_requests_refused_total", "counter",
        "Requests of agents that were refused: signature, clock, replay, revoked",
        (double)x.requests_refused);
    family(out, "batches_in_flight", "gauge", "Batches being stored now", (double)x.in_flight);
    return LORE_OK;
}

static void
advice_families(const struct lore_app *app, struct lore_buf *out)
{
    struct lore_served_stats x;

    lore_served_stats(app->served, &x);
    family(out, "advice_remembered_total", "counter", "Answers that were remembered",
        (double)x.remembered);
    family(out, "advice_repeated_total", "counter", "Answers that were the same as one before",
        (double)x.repeated);
    family(out, "advice_not_remembered_total", "counter",
        "Answers without an id, because too many were to be remembered at once", (double)x.dropped);
    family(out, "advice_lost_total", "counter",
        "Answers with an id that could not be stored: the disk was full", (double)x.lost);
}

enum lore_status
lore_api_prometheus(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_buf *out = &resp->body;
    struct internals x = {0};
    struct lore_campaign_row *rows = NULL;
    int64_t alarms = 0;
    size_t n = 0;
    enum lore_status status =
        lore_list_alarms(req->db, lore_now_us(), 0, req->arena, &rows, &n, &alarms, err);

    if (status != LORE_OK)
        return status;
    read_internals(req->app, &x);
    if (req->app->counters != NULL)
        lore_counters_prometheus(req->app->counters, out);
    family(out, "uptime_seconds", "gauge", "Time since start", uptime_s(req->app));
    family(
        out, "ingest_documents_total", "counter", "Documents stored", (double)x.ingest.documents);
    family(out, "ingest_records_total", "counter", "Records stored", (double)x.ingest.records);
    family(out, "ingest_duplicates_total", "counter", "Records that were here already",
        (double)x.ingest.duplicates);
    family(out, "ingest_refused_total", "counter", "Documents refused", (double)x.ingest.refused);
    family(
        out, "ingest_commits_total", "counter", "Transactions committed", (double)x.ingest.commits);
    family(
        out, "ingest_queued", "gauge", "Documents waiting for the writer", (double)x.ingest.queued);
    family(out, "ingest_last_commit_timestamp_seconds", "gauge", "When the last commit was",
        (double)x.ingest.last_commit_us / 1e6);
    family(out, "answers_waiting", "gauge", "Questions to memory that wait for a thread",
        lore_answer_pool_waiting(req->app->pool));
    family(out, "wal_bytes", "gauge", "Size of the write-ahead log", (double)x.ingest.wal_bytes);
    family(out, "memory_evidence_rows", "gauge", "Rows of evidence in memory",
        (double)x.evidence_rows);
    family(out, "memory_evidence_bytes", "gauge", "Bytes of evidence in memory",
        (double)x.evidence_bytes);
    family(out, "memory_board_entries", "gauge", "Timings behind the leaderboard",
        (double)x.board_entries);
    family(out, "campaign_alarms", "gauge", "Campaigns whose experiments did not all arrive",
        (double)alarms);
    advice_families(req->app, out);
    if (req->app->agents != NULL)
        status = agent_families(req, out, err);
    if (status != LORE_OK)
        return status;
    resp->content_type = "text/plain; version=0.0.4; charset=utf-8";
    return lore_buf_status(out, "metrics", err);
}

static const char *
method_name(enum lore_method method)
{
    return method == LORE_POST     ? "POST"
           : method == LORE_PUT    ? "PUT"
           : method == LORE_DELETE ? "DELETE"
                                   : "GET";
}

static void
write_params(struct lore_jsonw *w, const struct lore_param *p)
{
    static const char *const types[] = {[LORE_P_TEXT] = "text",
        [LORE_P_INT] = "integer",
        [LORE_P_BOOL] = "boolean",
        [LORE_P_ENUM] = "enum",
        [LORE_P_ULID] = "ulid",
        [LORE_P_LIST] = "list"};

    lore_w_key(w, "params");
    lore_w_arr(w);
    for (; p != NULL && p->name != NULL; p++) {
        lore_w_obj(w);
        lore_w_kstr(w, "name", p->name);
        lore_w_kstr(w, "type", types[p->type]);
        lore_w_kstr_opt(w, "choices", p->choices);
        lore_w_kstr(w, "help", p->help);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

enum lore_status
lore_api_routes(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    (void)req;
    lore_rows_begin(&w, resp);
    for (const struct lore_route *r = lore_routes; r->path != NULL; r++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "method", method_name(r->method));
        lore_w_kstr(&w, "path", r->path);
        lore_w_kstr(&w, "who", lore_role_name(r->who));
        lore_w_ki64(&w, "max_body", (int64_t)r->max_body);
        write_params(&w, r->params);
        lore_w_kstr(&w, "help", r->help);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}

enum lore_status
lore_api_config(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_rows_begin(&w, resp);
    for (const struct lore_setting *s = req->app->settings; s != NULL && s->name != NULL; s++) {
        lore_w_obj(&w);
        lore_w_kstr(&w, "name", s->name);
        lore_w_kstr(&w, "value", s->value);
        lore_w_kstr(&w, "default", s->otherwise);
        lore_w_kbool(&w, "reload", s->reload);
        lore_w_kstr(&w, "help", s->help);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, false, 0, err);
}

static void
write_ingest(struct lore_jsonw *w, const struct lore_ingest_stats *s)
{
    lore_w_key(w, "ingest");
    lore_w_obj(w);
    lore_w_ki64(w, "documents", (int64_t)s->documents);
    lore_w_ki64(w, "records", (int64_t)s->records);
    lore_w_ki64(w, "duplicates", (int64_t)s->duplicates);
    lore_w_ki64(w, "refused", (int64_t)s->refused);
    lore_w_ki64(w, "commits", (int64_t)s->commits);
    lore_w_ki64(w, "queued", (int64_t)s->queued);
    lore_present_time(w, "last_commit_at", s->last_commit_us);
    lore_w_obj_end(w);
}

enum lore_status
lore_api_internals(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_count *counts = NULL;
    struct internals x = {0};
    struct lore_jsonw w;
    int64_t database_bytes = 0, wal_bytes = 0;
    size_t n = 0;
    enum lore_status status = lore_db_stats(req->db, req->arena, &counts, &n, err);

    if (status != LORE_OK)
        return status;
    read_internals(req->app, &x);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_key(&w, "counts");
    lore_w_obj(&w);
    for (size_t i = 0; i < n; i++) {
        if (strcmp(counts[i].name, "database_bytes") == 0)
            database_bytes = counts[i].n;
        else if (strcmp(counts[i].name, "wal_bytes") == 0)
            wal_bytes = counts[i].n;
        else
            lore_w_ki64(&w, counts[i].name, counts[i].n);
    }
    lore_w_obj_end(&w);
    lore_w_ki64(&w, "database_bytes", database_bytes);
    lore_w_ki64(&w, "wal_bytes", wal_bytes);
    lore_w_key(&w, "memory");
    lore_w_obj(&w);
    lore_w_ki64(&w, "evidence_rows", (int64_t)x.evidence_rows);
    lore_w_ki64(&w, "evidence_bytes", (int64_t)x.evidence_bytes);
    lore_w_ki64(&w, "board_entries", (int64_t)x.board_entries);
    lore_w_ki64(&w, "generation", (int64_t)x.generation);
    lore_w_obj_end(&w);
    write_ingest(&w, &x.ingest);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_api_me(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "actor", req->actor);
    lore_w_kstr(&w, "role", lore_role_name(req->role));
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

enum lore_status
lore_api_events(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_event_row *rows = NULL;
    struct lore_cut cut;
    struct lore_jsonw w;
    size_t n = 0;
    bool more;
    enum lore_status status = lore_edge_cut(req, &cut, err);

    if (status == LORE_OK)
        status = lore_list_events(req->db, lore_cut_page(&cut), req->arena, &rows, &n, err);
    if (status != LORE_OK)
        return status;
    n = lore_cut_rows(&cut, n, &more);
    lore_rows_begin(&w, resp);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(&w);
        lore_w_ki64(&w, "seq", rows[i].seq);
        lore_present_time(&w, "at", rows[i].at_us);
        lore_w_kstr(&w, "actor", rows[i].actor);
        lore_w_kstr(&w, "kind", rows[i].kind);
        lore_w_kstr(&w, "subject", rows[i].subject);
        lore_w_obj_end(&w);
    }
    return lore_rows_done(&w, more, n == 0 ? 0 : rows[n - 1].seq, err);
}

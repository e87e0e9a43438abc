/* The service about itself: health, counters, routes, options, internals, the caller, the event
 * log. Everything is written from the same tables and counters that the service runs on. */
#include "service/api/api.h"

#include <inttypes.h>
#include <string.h>

#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/auth/agents.h"
#include "service/base/clock.h"
#include "service/http/answer_pool.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/ingest/indexes.h"
#include "service/ingest/ingest.h"
#include "service/ingest/served.h"
#include "service/journal/applied.h"

static double
uptime_s(const struct lore_app *app)
{
    return (double)((lore_now_us() - app->started_us) / 1000) / 1000;
}

struct health {
    const char *status, *version;
    int schema;
    double uptime_s;
    const char *storage;
    int64_t backup_us;
};
#define ROW struct health
static const struct lore_object_member health[] = {
    {"!status", AT(status)},
    {"!version", AT(version)},
    {"!schema", AT(schema), NULL, "version of the database's schema"},
    {"!uptime_s", AT(uptime_s)},
    {"!storage", AT(storage), "unchecked|checking|sound|damaged",
        "what a check of the database found, which follows an unclean end; damaged: only reads"},
    {"last_backup_at", TIME(backup_us), NULL, "of the last good backup"},
};
const struct lore_object lore_health_object = LORE_OBJECT("Health", health);
#undef ROW

enum lore_status
lore_api_healthz(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const char *const found[] = {"unchecked", "checking", "sound", "damaged"};
    int storage = atomic_load(&req->app->upkeep.storage);
    struct health h = {storage == LORE_STORAGE_DAMAGED ? "reads_only" : "ok", req->app->version,
        lore_db_schema_version(), uptime_s(req->app), found[storage],
        atomic_load(&req->app->upkeep.backup_us)};

    return lore_reply_object(resp, &lore_health_object, &h, err);
}

/* How far this node is behind the journal. */
struct ready {
    const char *status;
    int64_t applied, head, behind, lag_ms, unsynced;
    double silent_s;
};
#define ROW struct ready
static const struct lore_object_member ready[] = {
    {"!status", AT(status), "ready|behind|silent"},
    {"applied", AT(applied), NULL, "last entry of the journal in this node's database"},
    {"head", AT(head), NULL, "last entry of the journal that this node knows of"},
    {"!behind", AT(behind), NULL, "entries that are not applied yet"},
    {"!silent_s", AT(silent_s), NULL, "since the journal last answered"},
    {"lag_ms", AT(lag_ms), NULL, "journal_lag: by how much the journal's disk may be behind"},
    {"!unsynced", AT(unsynced), NULL, "entries that it may not have yet"},
};
const struct lore_object lore_ready_object = LORE_OBJECT("Ready", ready);
#undef ROW

/* A node that is this far behind, or has not heard of the journal for this long, should get no
 * requests. It applies some thousand entries per second. */
#define BEHIND_MAX 10000
#define SILENT_MAX_S 10

enum lore_status
lore_api_readyz(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct ready r = {.status = "ready"};
    struct lore_applied_state state;

    if (req->app->applied) {
        lore_applied_get(req->app->applied, &state);
        r.applied = state.seq;
        r.head = state.head;
        r.behind = state.head - state.seq;
        r.lag_ms = state.lag_ms;
        r.unsynced = state.seq - state.synced;
        r.silent_s = (double)(lore_ticks_us() - state.seen_us) / 1e6;
        if (r.silent_s > SILENT_MAX_S)
            r.status = "silent";
        else if (r.behind > BEHIND_MAX)
            r.status = "behind";
    }
    resp->status = strcmp(r.status, "ready") == 0 ? 200 : 503;
    return lore_reply_object(resp, &lore_ready_object, &r, err);
}

/* Counters of the index and the writer, for /metrics and /_stats. */
struct internals {
    struct lore_ingest_stats ingest;
    size_t evidence_rows, evidence_bytes, board_entries;
    uint64_t generation;
    const struct lore_count *counts; /* rows of each table, and bytes of the files; for /_stats */
    size_t n_counts;
    int64_t database_bytes, wal_bytes;
};

static void
read_internals(struct lore_app *app, struct internals *x)
{
    const struct lore_evidence_index *evidence;

    lore_ingest_stats(app->ingest, &x->ingest);
    evidence = lore_indexes_evidence(app->indexes);
    x->evidence_rows = lore_evidence_count(evidence);
    x->evidence_bytes = lore_evidence_bytes(evidence);
    lore_indexes_unlock(app->indexes);
    x->board_entries = lore_board_entries(lore_indexes_board(app->indexes));
    lore_indexes_unlock(app->indexes);
    x->generation = lore_indexes_generation(app->indexes);
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
    lore_agents_limits_stats(lore_agents_limits(req->app->agents), &x);
    family(out, "agents_enrolled", "gauge", "Agents that may send", (double)(n - revoked));
    family(out, "agents_revoked", "gauge", "Agents that may no longer send", (double)revoked);
    family(out, "batches_total", "counter", "Signed batches that got a receipt", (double)x.batches);
    family(out, "batch_records_stored_total", "counter", "Records of batches that were stored",
        (double)x.stored);
    family(out, "batch_records_duplicate_total", "counter",
        "Records of batches that were duplicates", (double)x.duplicates);
    family(out, "batch_records_refused_total", "counter", "Records of batches that were refused",
        (double)x.refused);
    family(out, "batch_requests_refused_total", "counter",
        "Requests of agents that were refused: signature, clock, replay, revoked",
        (double)x.requests_refused);
    family(out, "batches_in_flight", "gauge", "Batches being stored now", (double)x.in_flight);
    return LORE_OK;
}

/* The last good backup, and whether the database is sound. */
static void
upkeep_families(const struct lore_app *app, struct lore_buf *out)
{
    const struct lore_upkeep_state *s = &app->upkeep;
    int64_t at_us = atomic_load(&s->backup_us);

    family(out, "storage_damaged", "gauge", "1: the database is damaged and the service only reads",
        atomic_load(&s->storage) == LORE_STORAGE_DAMAGED);
    family(out, "backups_total", "counter", "Backups made on schedule since the start",
        (double)atomic_load(&s->backups));
    family(out, "backups_failed_total", "counter", "Backups that failed",
        (double)atomic_load(&s->backups_failed));
    if (at_us == 0)
        return;
    family(out, "backup_last_timestamp_seconds", "gauge", "When the last good backup was made",
        (double)at_us / 1e6);
    family(out, "backup_last_age_seconds", "gauge", "Age of the last good backup",
        (double)(lore_now_us() - at_us) / 1e6);
    family(out, "backup_last_bytes", "gauge", "Size of the last good backup",
        (double)atomic_load(&s->backup_bytes));
    family(out, "backup_last_duration_seconds", "gauge", "How long the last good backup took",
        (double)atomic_load(&s->backup_took_us) / 1e6);
}

static void
advice_families(const struct lore_app *app, struct lore_buf *out)
{
    struct lore_served_stats x;

    lore_served_stats(app->served, &x);
    family(out, "advice_remembered_total", "counter", "Answers that were stored",
        (double)x.remembered);
    family(out, "advice_repeated_total", "counter", "Answers identical to an earlier one",
        (double)x.repeated);
    family(out, "advice_not_remembered_total", "counter",
        "Answers that were not stored, because too many waited or came too fast",
        (double)x.dropped);
    family(out, "advice_lost_total", "counter",
        "Answers with an id that could not be stored: the disk was full", (double)x.lost);
}

static void
journal_families(const struct lore_app *app, struct lore_buf *out)
{
    struct lore_applied_state state;

    if (!app->applied)
        return;
    lore_applied_get(app->applied, &state);
    family(out, "journal_applied", "gauge", "Last entry of the journal in the database",
        (double)state.seq);
    family(out, "journal_behind", "gauge", "Entries of the journal that are not applied yet",
        (double)(state.head - state.seq));
    family(out, "journal_lag_seconds", "gauge",
        "Longest time from an acknowledgement to the journal's disk", (double)state.lag_ms / 1e3);
    family(out, "journal_unsynced", "gauge", "Acknowledged entries that its disk may not have yet",
        (double)(state.seq - state.synced));
    family(out, "journal_silent_seconds", "gauge", "Time since the journal last answered",
        (double)(lore_ticks_us() - state.seen_us) / 1e6);
}

enum lore_status
lore_api_prometheus(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_buf *out = &resp->body;
    struct internals x = {0};
    struct lore_alarms alarms = {0};
    enum lore_status status =
        lore_db_list_alarms(req->db, lore_now_us(), 0, req->arena, &alarms, err);

    if (status != LORE_OK)
        return status;
    read_internals(req->app, &x);
    if (req->app->counters)
        lore_counters_prometheus(req->app->counters, out);
    journal_families(req->app, out);
    family(out, "uptime_seconds", "gauge", "Time since start", uptime_s(req->app));
    family(
        out, "ingest_documents_total", "counter", "Documents stored", (double)x.ingest.documents);
    family(out, "ingest_records_total", "counter", "Records stored", (double)x.ingest.records);
    family(out, "ingest_duplicates_total", "counter", "Documents that were duplicates",
        (double)x.ingest.duplicates);
    family(out, "ingest_refused_total", "counter", "Documents refused", (double)x.ingest.refused);
    family(
        out, "ingest_commits_total", "counter", "Transactions committed", (double)x.ingest.commits);
    family(
        out, "ingest_queued", "gauge", "Documents waiting for the writer", (double)x.ingest.queued);
    family(out, "ingest_last_commit_timestamp_seconds", "gauge", "When the last commit was",
        (double)x.ingest.last_commit_us / 1e6);
    family(out, "answers_waiting", "gauge", "Requests that wait for an answer thread",
        lore_answer_pool_waiting(req->app->pool));
    family(out, "wal_bytes", "gauge", "Size of the write-ahead log", (double)x.ingest.wal_bytes);
    family(out, "memory_evidence_rows", "gauge", "Rows of evidence in memory",
        (double)x.evidence_rows);
    family(out, "memory_evidence_bytes", "gauge", "Bytes of evidence in memory",
        (double)x.evidence_bytes);
    family(out, "memory_board_entries", "gauge", "Timings behind the leaderboard",
        (double)x.board_entries);
    family(out, "campaign_alarms", "gauge", "Campaigns whose experiments did not all arrive",
        (double)alarms.total);
    upkeep_families(req->app, out);
    advice_families(req->app, out);
    if (req->app->agents)
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

static const char *
param_type_name(enum lore_param_type type)
{
    static const char *const types[] = {[LORE_P_TEXT] = "text",
        [LORE_P_INT] = "integer",
        [LORE_P_BOOL] = "boolean",
        [LORE_P_ENUM] = "enum",
        [LORE_P_NAME] = "name",
        [LORE_P_LIST] = "list"};

    return types[type];
}

#define ROW struct lore_param
static const struct lore_object_member param[] = {
    {"!name", AT(name)},
    {"!type", NAMED(type, param_type_name), "text|integer|boolean|enum|name|list"},
    {"choices", AT(choices)},
    {"!help", AT(help)},
};
static const struct lore_object lore_param_object = LORE_OBJECT("Parameter", param);
#undef ROW

static void
write_params(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_param *p = ((const struct lore_route *)row)->params;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (; p != NULL && p->name; p++)
        lore_object_write(w, &lore_param_object, p);
    lore_w_arr_end(w);
}

#define ROW struct lore_route
static const struct lore_object_member route[] = {
    {"!method", NAMED(method, method_name)},
    {"!path", AT(path)},
    {"!who", NAMED(who, lore_role_name), NULL, "the least role that may call it"},
    {"whole", AT(whole), NULL, "it tells of the whole service: not for tokens of projects"},
    {"!max_body", AT(max_body), NULL, "bytes; 0: no body is taken"},
    {"!params", WRITTEN_LIST(write_params, lore_param_object)},
    {"!help", AT(help)},
};
const struct lore_object lore_route_object = LORE_OBJECT("Route", route);
#undef ROW

enum lore_status
lore_api_routes(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t n = 0;

    (void)req;
    while (lore_routes[n].path)
        n++;
    return lore_reply_rows(resp, &lore_route_object, lore_routes, n, NULL, err);
}

#define ROW struct lore_setting
static const struct lore_object_member setting[] = {
    {"!name", AT(name)},
    {"!value", AT(value), "text?"},
    {"!default", AT(otherwise), "text?"},
    {"!reload", AT(reload), NULL, "may change without a restart"},
    {"!help", AT(help)},
};
const struct lore_object lore_setting_object = LORE_OBJECT("Setting", setting);
#undef ROW

enum lore_status
lore_api_config(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const struct lore_setting *s = req->app->settings;
    size_t n = 0;

    while (s && s[n].name)
        n++;
    return lore_reply_rows(resp, &lore_setting_object, s, n, NULL, err);
}

#define ROW struct lore_ingest_stats
static const struct lore_object_member ingest[] = {
    {"!documents", AT(documents)},
    {"!records", AT(records)},
    {"!duplicates", AT(duplicates)},
    {"!refused", AT(refused)},
    {"!commits", AT(commits)},
    {"!queued", AT(queued)},
    {"last_commit_at", TIME(last_commit_us)},
};
static const struct lore_object lore_ingest_object = LORE_OBJECT("IngestCounts", ingest);
#undef ROW

static bool
is_bytes(const struct lore_count *c)
{
    return strcmp(c->name, "database_bytes") == 0 || strcmp(c->name, "wal_bytes") == 0;
}

static void
write_row_counts(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct internals *x = row;

    lore_w_key(w, key);
    lore_w_obj(w);
    for (size_t i = 0; i < x->n_counts; i++)
        if (!is_bytes(&x->counts[i]))
            lore_w_ki64(w, x->counts[i].name, x->counts[i].n);
    lore_w_obj_end(w);
}

#define ROW struct internals
static const struct lore_object_member memory[] = {
    {"!evidence_rows", AT(evidence_rows)},
    {"!evidence_bytes", AT(evidence_bytes)},
    {"!board_entries", AT(board_entries)},
    {"!generation", AT(generation), NULL, "grows with every change of the index"},
};
static const struct lore_object lore_memory_object = LORE_OBJECT("MemoryCounts", memory);

static const struct lore_object_member internals[] = {
    {"!counts", WRITTEN(write_row_counts), "object", "rows by table"},
    {"!database_bytes", AT(database_bytes)},
    {"!wal_bytes", AT(wal_bytes)},
    {"!memory", PART(lore_memory_object)},
    {"!ingest", OBJECT(ingest, lore_ingest_object)},
};
const struct lore_object lore_internals_object = LORE_OBJECT("Internals", internals);
#undef ROW

enum lore_status
lore_api_internals(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_count *counts = NULL;
    struct internals x = {0};
    enum lore_status status = lore_db_stats(req->db, req->arena, &counts, &x.n_counts, err);

    if (status != LORE_OK)
        return status;
    x.counts = counts;
    for (size_t i = 0; i < x.n_counts; i++) {
        if (is_bytes(&counts[i]))
            *(counts[i].name[0] == 'd' ? &x.database_bytes : &x.wal_bytes) = counts[i].n;
    }
    read_internals(req->app, &x);
    return lore_reply_object(resp, &lore_internals_object, &x, err);
}

#define ROW struct lore_req
static const struct lore_object_member me[] = {
    {"!actor", AT(actor)},
    {"!role", NAMED(role, lore_role_name), "reader|contributor|curator|admin"},
    {"project", AT(project), NULL, "to which this request is bound"},
    {"rights", AT(rights), NULL, "of the token: a role, or role@project for each of its projects"},
};
const struct lore_object lore_me_object = LORE_OBJECT("Me", me);
#undef ROW

enum lore_status
lore_api_me(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    return lore_reply_object(resp, &lore_me_object, req, err);
}

#define ROW struct lore_event_row
static const struct lore_object_member event[] = {
    {"!seq", AT(seq)},
    {"!at", TIME(at_us), "time"},
    {"!actor", AT(actor)},
    {"!kind", AT(kind)},
    {"!subject", AT(subject)},
};
const struct lore_object lore_event_object = LORE_OBJECT("Event", event);
#undef ROW

enum lore_status
lore_api_events(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_event_row *rows = NULL;
    struct lore_paging paging = {0};
    size_t n = 0;
    enum lore_status status = lore_params_paging(req, &paging, err);

    if (status == LORE_OK)
        status = lore_db_list_events(req->db,
            (struct lore_page){.before = paging.at, .limit = paging.limit + 1}, req->arena, &rows,
            &n, err);
    if (status != LORE_OK)
        return status;
    return lore_reply_rows(resp, &lore_event_object, rows, n, &paging, err);
}

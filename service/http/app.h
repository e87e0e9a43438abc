/* What all handlers share. There is one per process, made by main. It is read-only after the start,
 * except for parts that have their own locks. */
#ifndef LORE_HTTP_APP_H
#define LORE_HTTP_APP_H

#include <stdatomic.h>
#include <stdint.h>

#include "service/http/http.h"
#include "service/http/upkeep.h"

struct lore_excerpt;     /* service/ingest/excerpt.h: the database of one project */
struct lore_projects;    /* service/projects.h: those that are open */
struct lore_config;      /* service/config.h */
struct lore_ingest;      /* service/ingest/ingest.h: the writer */
struct lore_indexes;     /* service/ingest/indexes.h: evidence and board in RAM */
struct lore_served;      /* service/ingest/served.h: the log of answers */
struct lore_applied;     /* service/journal/applied.h: how far this node has applied the journal */
struct lore_readers;     /* db/files.h: pool of read-only connections */
struct lore_tokens;      /* service/auth/tokens.h */
struct lore_oidc;        /* service/auth/oidc.h */
struct lore_agents;      /* service/auth/agents.h */
struct lore_stats_http;  /* service/http/counters.h: counters behind /metrics */
struct lore_buckets;     /* service/base/buckets.h */
struct lore_answer_pool; /* service/http/answer_pool.h: threads that answer from memory */

/* One configuration option as /api/v1/_config shows it. Texts live as long as the process. */
struct lore_setting {
    const char *name, *value, *otherwise /* the default */, *help;
    bool reload; /* may change without a restart */
};

/* Times in milliseconds. 0 means the default, which the comment begins with. */
struct lore_http_limits {
    int query_ms;      /* 2000: a handler's database reads stop after this */
    int reader_ms;     /* 2000: how long a request waits for a read-only connection before 503 */
    int request_ms;    /* 10000: for the headers, again for the whole body, again for the reply */
    int keep_alive_ms; /* 500: an idle connection is closed after this, which frees its thread */
};

struct lore_app {
    const struct lore_route *routes; /* every address; ended by a NULL path */
    const struct lore_config *config;
    const struct lore_setting
        *settings; /* made by main from the option table; ended by a NULL name */
    struct lore_ingest *ingest;
    struct lore_indexes *indexes;
    struct lore_applied *applied; /* NULL: there is no journal */
    struct lore_served *served;   /* NULL: given advice is not recorded */
    struct lore_readers *readers;
    struct lore_tokens *tokens;
    struct lore_oidc *oidc; /* NULL: no identity provider */
    struct lore_agents *agents;
    struct lore_stats_http *counters;
    struct lore_answer_pool
        *pool; /* NULL while the server does not run: the calling thread answers */
    struct lore_readers *pool_readers; /* one for each thread of the pool */
    const char *const
        *hosts; /* names accepted in Host besides loopback and addresses; NULL-ended; may be NULL */
    struct lore_http_limits limits;
    struct lore_nets proxies;                        /* whose X-Forwarded-For counts */
    struct lore_buckets *by_address, *by_credential; /* quotas; NULL: none */
    struct lore_upkeep_state upkeep;
    _Atomic bool large; /* a request with a body over LORE_LARGE_BODY is being answered */
    int64_t started_us;
    const char *version;
    /* A credential that is bound to a project is answered from that project's own lore_app, which
     * `enter` finds: LORE_BUSY while it is being opened. It stays until the request calls its
     * `leave`. There, `project` is its name, `caught_up` waits for what the whole memory has by
     * now, and `priors` lets this thread compute with the numbers of the model that no evidence has
     * changed. */
    const char *project; /* NULL: the whole memory */
    struct lore_projects *projects;
    enum lore_status (*enter)(
        struct lore_app *app, const char *project, struct lore_app **out, struct lore_err *err);
    void (*leave)(struct lore_app *app);
    struct lore_excerpt *excerpt;
    bool (*caught_up)(struct lore_excerpt *excerpt, int ms);
    void (*priors)(bool on);
    /* Replaces names in the path and in parameters of type NAME by ids (service/api/names.h); NULL:
     * only ids are taken. */
    enum lore_status (*resolve)(const struct lore_route *route, struct lore_req *req,
        struct lore_resp *resp, struct lore_err *err);
};

#endif

/* A request and a reply as handlers see them: no civetweb here. Tests and fuzzers build a lore_req
 * and call lore_dispatch directly. */
#ifndef LORE_HTTP_HTTP_H
#define LORE_HTTP_HTTP_H

#include <stdbool.h>
#include <stdint.h>

#include "service/auth/agents.h"
#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/http/client.h"

enum lore_method { LORE_GET = 1, LORE_POST, LORE_PUT, LORE_DELETE, LORE_HEAD, LORE_OTHER_METHOD };
/* The permission that a route requires, or the role of a caller. The service refuses to start with
 * a route that leaves this unset. */
enum lore_role {
    LORE_NO_ROLE,
    LORE_PUBLIC,
    LORE_READER,
    LORE_CONTRIBUTOR,
    LORE_CURATOR,
    LORE_ADMIN,
    /* Credentials other than tokens: */
    LORE_SIGNED,           /* a request signed by an enrolled agent, which acts as a contributor */
    LORE_SIGNED_OR_READER, /* a signed request, or any token */
    LORE_CODED,            /* a one-time code in the body, which the handler checks */
    LORE_ROLES
};

struct lore_app; /* service/http/app.h */
struct lore_db;
struct lore_object;
struct lore_readers;
enum lore_param_type {
    LORE_P_TEXT = 1,
    LORE_P_INT,
    LORE_P_BOOL,
    LORE_P_ENUM,
    LORE_P_NAME, /* a record, by name or id; `choices` is its kind, "" for any */
    LORE_P_LIST  /* comma-separated text */
};
struct lore_param {
    const char *name;
    enum lore_param_type type;
    int64_t min, max;    /* INT: range; TEXT, LIST: length in bytes (max 0 means 200) */
    const char *choices; /* ENUM: "win|neutral|loss"; NAME: the kind of record */
    const char *help;
};
/* A declared query parameter that was given and passed its checks. */
struct lore_arg {
    const struct lore_param *param;
    const char *text;
    int64_t i;
};

struct lore_req {
    enum lore_method method;
    const char *path;          /* percent-decoded once: "/api/v1/experiments/01J…" */
    const char *query;         /* raw query string, or NULL */
    const char *authorization; /* header, or NULL */
    const char *content_type, *content_encoding, *if_none_match, *accept;
    const char *forwarded;      /* X-Forwarded-For, its lines joined by commas, or NULL */
    struct lore_client client;  /* without an address: local, as in tests */
    const char *after;          /* header Warplore-After, or NULL */
    const char *wanted_project; /* header Warplore-Project, or NULL */
    struct lore_sign_headers
        signed_by; /* headers of a signed request; the dispatcher sets path and method */
    const char *body;
    size_t body_len;
    /* Reads body_len bytes into `body`. The dispatcher calls it after all checks, so a body that is
     * not allowed or too long is never read. NULL: `body` is already there. */
    enum lore_status (*read_body)(struct lore_req *req, struct lore_err *err);
    void *exchange; /* for read_body */
    const char *request_id;
    struct lore_arena *arena; /* given by the caller; dies with the reply */
    /* filled by the dispatcher */
    struct lore_app *app;
    /* A read-only connection in one snapshot, borrowed from READERS; NULL for public routes and for
     * writes (they wait for the writer, not for a reader). */
    struct lore_db *db;
    struct lore_readers *readers;
    const char *vars[4]; /* {parts} of the path in order */
    struct lore_arg *args;
    size_t n_args;
    enum lore_role role;
    const char *actor;   /* label of the token; "agent:" and the label of the agent */
    const char *project; /* to which the credential is bound for this request; NULL: to none */
    const char *rights;  /* of the token, as text (service/auth/rights.h) */
    const char *owner;   /* id of the token or agent; it may retract its own records */
    const struct lore_agent_row *agent; /* the agent that signed; NULL: a request with a token */
};
struct lore_resp {
    int status;               /* 0: 200 */
    const char *content_type; /* NULL: application/json */
    struct lore_buf body;
    const char *etag;        /* without quotes; NULL: the dispatcher hashes the body of a GET */
    int retry_after_s;       /* 0: none */
    int64_t seq;             /* header Warplore-Seq of a write: its place in the journal; 0: none */
    int64_t synced;          /* Warplore-Synced: the last entry on the journal's disk, which has a
                                lag; 0: it has none */
    bool immutable;          /* long cache */
    const char *download;    /* file name: sent as an attachment with a sandbox policy */
    const char *allow;       /* set by the dispatcher with 405: the methods that exist */
    const char *note;        /* one sentence about how the request was understood; NULL: none */
    const char *candidates;  /* JSON: records that an ambiguous name may mean, for the problem */
    const char *const *only; /* members that the rows of a list have; NULL: all */
    size_t n_only;
};
typedef enum lore_status (*lore_handler)(
    struct lore_req *req, struct lore_resp *resp, struct lore_err *err);

/* Bytes; a longer body takes some hundred megabytes of memory, so one is taken at a time. */
#define LORE_LARGE_BODY (8u << 20)

struct lore_route {
    enum lore_method method;
    const char *path; /* "/api/v1/experiments/{id}"; "/assets/{file}" */
    enum lore_role who;
    size_t max_body;                 /* bytes; 0: no body taken */
    const struct lore_param *params; /* ended by a NULL name; NULL: none */
    lore_handler handler;
    const char *help;
    /* The media type of the answer, or `object` for a JSON document that another standard defines.
     * NULL: one of the next three members describes the answer. */
    const char *answer;
    const struct lore_object *one, *or_one[2]; /* one object (service/api/object.h), or another */
    const struct lore_object *rows;            /* a list of these objects */
    const struct lore_object *takes;           /* its body; NULL: no body, or a submission */
    const char *takes_record; /* its body by the schema of submissions: "attempt" */
    /* Called before the handler of a GET, on the connection's thread, where it may wait. When it
     * returns true, a thread of the pool runs the handler, which then must be fast. NULL: the
     * connection's thread always does. */
    bool (*pooled)(struct lore_req *req);
    bool whole; /* it tells of the whole service; not for credentials that are bound to projects */
};

/* The value of a declared parameter; OTHERWISE when the request does not have it. */
const char *lore_arg_text(const struct lore_req *req, const char *name, const char *otherwise);
int64_t lore_arg_i64(const struct lore_req *req, const char *name, int64_t otherwise);
bool lore_arg_bool(const struct lore_req *req, const char *name, bool otherwise);

/* Find the route, check permission, size and parameters, and run the handler, in this order.
 * Failures become problem objects (RFC 9457) in RESP. Always leaves a complete reply: a request
 * whose arena is full gets the problem over_memory (service/base/guard.h). */
void lore_dispatch(struct lore_app *app, struct lore_req *req, struct lore_resp *resp);
/* Between these two, req->db is a connection of READERS (NULL: the service's) in one snapshot.
 * LORE_BUSY when none is free. A write gives it back before it submits. */
enum lore_status
lore_req_read(struct lore_req *req, struct lore_readers *readers, struct lore_err *err) LORE_MUST;
void lore_req_read_end(struct lore_req *req);
/* LORE_INVALID naming the first route without a permission, help or handler, or a duplicate. */
enum lore_status lore_routes_check(const struct lore_route *routes, struct lore_err *err) LORE_MUST;
/* Find the route for a method and path: LORE_NOTFOUND or LORE_METHOD. Fills req->vars. */
enum lore_status lore_route_find(const struct lore_route *routes, struct lore_req *req,
    const struct lore_route **out, struct lore_err *err) LORE_MUST;
/* Write ERR as application/problem+json with its status. */
void lore_problem(const struct lore_err *err, const char *request_id, struct lore_resp *resp);
/* All ERRS of one body: the first is the problem's own, `errors` lists all. */
void lore_problem_all(const struct lore_errs *errs, const char *request_id, struct lore_resp *resp);
/* The same for HTTP codes that have no lore_status. Only for requests refused before routing. */
void lore_problem_as(
    int http, const struct lore_err *err, const char *request_id, struct lore_resp *resp);
const char *lore_problem_reason(int http); /* "Bad Request" */
/* "GET, HEAD": the methods that the table has for the path of REQ; lives in its arena. */
const char *lore_route_allow(const struct lore_route *routes, const struct lore_req *req);
/* Check the query against PARAMS and fill req->args. Codes: bad_query, unknown_parameter,
 * duplicate_parameter, invalid_parameter. An empty value counts as not given. A first parameter
 * named "*" says that the query is not for the service: views of the web page keep their state
 * there. */
enum lore_status lore_args_parse(
    const struct lore_param *params, struct lore_req *req, struct lore_err *err) LORE_MUST;
const char *lore_role_name(enum lore_role role);
enum lore_role lore_role_find(const char *name); /* LORE_NO_ROLE: unknown */

#endif

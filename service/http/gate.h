/* The gate checks the head of a request before it is routed: headers, host, length and path. It
 * exists because the HTTP library accepts requests that a proxy in front of it would split
 * differently (request smuggling). It is a pure function, so tests and fuzzers need no socket.
 * Every refusal closes the connection. */
#ifndef LORE_HTTP_GATE_H
#define LORE_HTTP_GATE_H

#include "service/http/http.h"

#define LORE_MAX_HEADERS 60 /* the library keeps 64 and silently drops the rest */

struct lore_header {
    const char *name, *value;
};
struct lore_head {
    const char *method; /* "GET" */
    const char *target; /* as sent, without the query: "/api/v1/x%20y" */
    const char *query;  /* or NULL */
    const struct lore_header *headers;
    size_t n_headers;
    const char *const *hosts; /* names accepted in Host; NULL-ended; may be NULL */
};
/* Properties of an accepted head that the server needs. */
struct lore_pass {
    bool expects_continue; /* Expect: 100-continue */
    bool wants_close;      /* Connection: close */
};
/* Fill method, path, query, headers and body_len of REQ, whose headers must be NULL before. Texts
 * are borrowed from HEAD, except req->path. Returns 0 when the request passes, else the HTTP code
 * of the refusal, with the reason in *err. */
int lore_gate(const struct lore_head *head, struct lore_req *req, struct lore_pass *out,
    struct lore_err *err) LORE_MUST;

#endif

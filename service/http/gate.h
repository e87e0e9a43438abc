/* The gate: what a request must be before anything looks at what it asks. Pure over a struct, so
 * tests and fuzzers reach it without a socket. It exists because the HTTP library accepts framing
 * that a proxy in front would read differently. Every refusal closes the connection. */
#ifndef LORE_HTTP_GATE_H
#define LORE_HTTP_GATE_H

#include "service/http/http.h"

#define LORE_MAX_HEADERS 60 /* the library keeps 64 and drops the rest without a word */

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
/* What the gate found; texts are borrowed from the head but for req->path. */
struct lore_pass {
    bool expects_continue; /* Expect: 100-continue */
    bool wants_close;      /* Connection: close */
};
/* Fill method, path, query, headers and body_len of REQ, whose headers must be NULL before.
 * 0 when the request may go on; else the HTTP code of the refusal, with *err saying why. */
int lore_gate(const struct lore_head *head, struct lore_req *req, struct lore_pass *out,
    struct lore_err *err) LORE_MUST;

#endif

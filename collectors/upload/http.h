/* One HTTP exchange by libcurl, for the command line and the agent. Redirects are not followed,
 * because they would forward a token or a signed body. Only http and https are allowed. */
#ifndef LORE_UPLOAD_HTTP_H
#define LORE_UPLOAD_HTTP_H

#include <signal.h>
#include <stdint.h>

#include "service/base/buf.h"

enum { LORE_HTTP_NOTE = 600 };

struct lore_http_call {
    const char *method; /* GET, POST */
    const char *url;
    const char *const *headers; /* "Name: value" */
    size_t n_headers;
    const void *body; /* NULL: none */
    size_t n;
    int64_t timeout_ms;                /* 0: 120 s */
    const volatile sig_atomic_t *stop; /* may be NULL; once set, the request has 5 s left */
};
struct lore_http_reply {
    long status;
    int64_t date_s;            /* the reply's Date, seconds since 1970; 0: none */
    int64_t retry_after_s;     /* Retry-After in seconds, also when given as a date; -1: none */
    char note[LORE_HTTP_NOTE]; /* Warplore-Note: how the service understood the request; "": none */
    struct lore_buf body;      /* the caller gives the ceiling and frees it */
};
/* Carry out CALL. LORE_IO, code unreachable, with the reason when no HTTP answer came; LORE_TOOBIG
 * when the body is over its ceiling. CTX of lore_http_send: a connection from lore_http_open, or
 * NULL. */
typedef enum lore_status (*lore_http_transport)(void *ctx, const struct lore_http_call *call,
    struct lore_http_reply *reply, struct lore_err *err);
enum lore_status lore_http_send(void *ctx, const struct lore_http_call *call,
    struct lore_http_reply *reply, struct lore_err *err) LORE_MUST;

void *lore_http_open(void); /* NULL: out of memory */
void lore_http_close(void *ctx);

/* Check that a secret or a signed body may be sent to URL. LORE_INVALID, code token_in_clear, for
 * plain http to anything but this machine. */
enum lore_status lore_http_may_send(const char *url, struct lore_err *err) LORE_MUST;

#endif

/* A real warplored for tests: a temporary data directory, tokens of every role, fixtures loaded, a
 * free port, stopped and removed at the end. Failures to set up end the program with a message:
 * there is nothing to test then. */
#ifndef LORE_TESTS_HTTP_SERVICE_H
#define LORE_TESTS_HTTP_SERVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/buf.h"

enum who {
    WHO_NONE,
    WHO_READER,
    WHO_CONTRIBUTOR,
    WHO_CURATOR,
    WHO_ADMIN,
    WHO_REVOKED,
    WHO_EXPIRED,
    WHO_WRONG,
    WHO_NAMESAKE, /* another token with the role and label of WHO_CONTRIBUTOR */
    WHO_COUNT
};

struct service {
    char dir[64];
    char program[512];
    int port;
    int pid;
    char token[WHO_COUNT][96]; /* empty: none */
};

/* FIXTURES: paths of submissions, loaded before the start. */
void service_start(struct service *s, const char *program, const char *const *fixtures, size_t n);
/* SIGTERM, wait, remove the directory. False when it did not exit cleanly. */
bool service_stop(struct service *s);
/* A one-time code for an agent. */
void service_code(const struct service *s, char out[64]);
const char *who_name(enum who who);
enum who who_find(const char *name); /* WHO_COUNT: unknown */

/* One reply, split. `headers` is the raw head with the status line; body follows. */
struct reply {
    int status; /* 0: no reply */
    struct lore_buf bytes;
    size_t body_at;
    bool closed; /* the service ended the connection */
};
/* Send N bytes on a new connection and read one reply (or until the service closes). */
enum { SEND_HEAD = 1 /* no body comes back */, SEND_HANGUP = 2 /* end our side after the bytes */ };
void
service_send(const struct service *s, const void *bytes, size_t n, int flags, struct reply *out);
/* METHOD PATH as WHO. BODY may be NULL. HEADERS: extra "Name: value\r\n" lines or "". */
void service_request(const struct service *s, const char *method, const char *path, enum who who,
    const char *headers, const struct lore_buf *body, struct reply *out);
const char *reply_body(const struct reply *r, size_t *n);
/* The value of a header, into OUT; false when it is not there. */
bool reply_header(const struct reply *r, const char *name, char *out, size_t size);
void reply_free(struct reply *r);

#endif

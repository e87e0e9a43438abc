/* Every function that can fail returns a status to branch on and fills an error to show. A lore_err
 * is written only on failure, so a caller may pass the same one to many calls. */
#ifndef LORE_BASE_STATUS_H
#define LORE_BASE_STATUS_H

#include <stddef.h>

enum lore_status {
    LORE_OK = 0,
    LORE_INVALID,         /* the input is wrong: 400 */
    LORE_UNAUTHENTICATED, /* no credential, or one we do not accept: 401 */
    LORE_FORBIDDEN,       /* a good credential without the permission: 403 */
    LORE_NOTFOUND,        /* 404 */
    LORE_METHOD,          /* the address exists, the method does not: 405 */
    LORE_CONFLICT,        /* the same id already holds something else: 409 */
    LORE_TOOBIG,          /* over a stated ceiling: 413 */
    LORE_UNSUPPORTED,     /* media type or feature: 415 */
    LORE_BUSY,            /* try again: 503 */
    LORE_LIMITED,         /* over a quota; try again later: 429 */
    LORE_IO,              /* disk, network, database: 500 */
    LORE_CORRUPT,         /* stored data is damaged: 500 */
    LORE_STATUS_COUNT
};

struct lore_err {
    enum lore_status status;
    const char
        *code; /* stable machine name, static text: "unknown_field"; never NULL after a failure */
    char path[160]; /* JSON path or option the user gave: "runs[3].device"; empty when none */
    char msg[240];  /* one sentence that names the thing */
    char hint[240]; /* what to do; empty when none */
};

#define LORE_MUST __attribute__((warn_unused_result))
#define LORE_PRINTF(f, a) __attribute__((format(printf, f, a)))

/* Fill *err (may be NULL) and return STATUS, so callers write `return lore_fail(...)`. The code is
 * the status's own name ("not_found"). */
enum lore_status
lore_fail(struct lore_err *err, enum lore_status status, const char *fmt, ...) LORE_PRINTF(3, 4);
/* The same with a stable CODE (static text) and the PATH of the offending field ("" for none). */
enum lore_status lore_fail_at(struct lore_err *err, enum lore_status status, const char *code,
    const char *path, const char *fmt, ...) LORE_PRINTF(5, 6);
/* Add a hint to an error already written. */
void lore_err_hint(struct lore_err *err, const char *fmt, ...) LORE_PRINTF(2, 3);
/* Errors of one input, in the order in which they were found. */
enum { LORE_ERRS_MAX = 24 };
struct lore_errs {
    struct lore_err v[LORE_ERRS_MAX];
    size_t n;
};
/* Add an error at PATH, and return it for a hint. When ERRS is full the last error is returned and
 * nothing is added. */
struct lore_err *lore_errs_add(struct lore_errs *errs, const char *code, const char *path,
    const char *fmt, ...) LORE_PRINTF(4, 5);
/* "not_found"; static text. */
const char *lore_status_name(enum lore_status status);
/* The one place where a status becomes an HTTP code. */
int lore_status_http(enum lore_status status);

/* Print WHAT and BYTES and abort, in a program that may stop when memory runs out. Defined by the
 * target base_abort only, which capture libraries never link. */
_Noreturn void lore_nomem(const char *what, size_t bytes);

#endif

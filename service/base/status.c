/* Statuses, their names and HTTP codes in one table, and the functions that fill a lore_err. Every
 * message goes through a local buffer first, so a caller may build a new error from the text of the
 * old one (`lore_fail(err, s, "%s: %s", file, err->msg)`). Text longer than its field is cut at a
 * character, and every text is UTF-8 whatever was quoted. */
#include "service/base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "service/base/utf8.h"

static const struct {
    const char *name;
    int http;
} statuses[LORE_STATUS_COUNT] = {
    [LORE_OK] = {"ok", 200},
    [LORE_INVALID] = {"invalid", 400},
    [LORE_UNAUTHENTICATED] = {"unauthenticated", 401},
    [LORE_FORBIDDEN] = {"forbidden", 403},
    [LORE_NOTFOUND] = {"not_found", 404},
    [LORE_METHOD] = {"method_not_allowed", 405},
    [LORE_CONFLICT] = {"conflict", 409},
    [LORE_TOOBIG] = {"too_big", 413},
    [LORE_UNSUPPORTED] = {"unsupported", 415},
    [LORE_BUSY] = {"busy", 503},
    [LORE_LIMITED] = {"over_quota", 429},
    [LORE_IO] = {"io", 500},
    [LORE_CORRUPT] = {"corrupt", 500},
};

/* Make S valid UTF-8. Messages quote user input and are cut to size, but JSON needs UTF-8. A
 * character cut by the end of the buffer is dropped, any other wrong byte becomes '?'. */
static void
make_utf8(char *s, size_t size)
{
    size_t n = strlen(s), i = lore_utf8_prefix(s, n);

    for (; i < n; i += lore_utf8_prefix(s + i, n - i)) {
        if (n + 1 == size && n - i < 4) {
            s[i] = '\0';
            return;
        }
        s[i] = '?';
    }
}

__attribute__((format(printf, 3, 0))) static void
fill(char *out, size_t size, const char *fmt, va_list args)
{
    char text[240];

    vsnprintf(text, size < sizeof text ? size : sizeof text, fmt, args);
    make_utf8(text, size < sizeof text ? size : sizeof text);
    memcpy(out, text, strlen(text) + 1);
}

enum lore_status
lore_fail(struct lore_err *err, enum lore_status status, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return status;
    va_start(args, fmt);
    fill(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    err->status = status;
    err->code = lore_status_name(status);
    err->path[0] = err->hint[0] = '\0';
    return status;
}

enum lore_status
lore_fail_at(struct lore_err *err, enum lore_status status, const char *code, const char *path,
    const char *fmt, ...)
{
    va_list args;
    char where[sizeof err->path];

    if (!err)
        return status;
    snprintf(where, sizeof where, "%s", path != NULL ? path : "");
    make_utf8(where, sizeof where);
    va_start(args, fmt);
    fill(err->msg, sizeof err->msg, fmt, args);
    va_end(args);
    err->status = status;
    err->code = code;
    memcpy(err->path, where, sizeof where);
    err->hint[0] = '\0';
    return status;
}

void
lore_err_hint(struct lore_err *err, const char *fmt, ...)
{
    va_list args;

    if (!err)
        return;
    va_start(args, fmt);
    fill(err->hint, sizeof err->hint, fmt, args);
    va_end(args);
}

const char *
lore_status_name(enum lore_status status)
{
    return (unsigned)status < LORE_STATUS_COUNT ? statuses[status].name : "unknown";
}

int
lore_status_http(enum lore_status status)
{
    return (unsigned)status < LORE_STATUS_COUNT ? statuses[status].http : 500;
}

struct lore_err *
lore_errs_add(struct lore_errs *errs, const char *code, const char *path, const char *fmt, ...)
{
    char what[240];
    va_list args;

    if (errs->n == LORE_ERRS_MAX)
        return &errs->v[errs->n - 1];
    va_start(args, fmt);
    fill(what, sizeof what, fmt, args);
    va_end(args);
    (void)lore_fail_at(
        &errs->v[errs->n], LORE_INVALID, code, path, "%s%s%s", path, *path ? ": " : "", what);
    return &errs->v[errs->n++];
}

/* Errors as RFC 9457 problem objects, and the small tables around them: reason phrases and role
 * names. A problem is always valid JSON, whatever bytes the message quotes. */
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/http/http.h"

#include <string.h>

static const struct {
    int http;
    const char *reason;
} reasons[] = {{200, "OK"}, {201, "Created"}, {202, "Accepted"}, {204, "No Content"},
    {304, "Not Modified"}, {400, "Bad Request"}, {401, "Unauthorized"}, {403, "Forbidden"},
    {404, "Not Found"}, {405, "Method Not Allowed"}, {408, "Request Timeout"}, {409, "Conflict"},
    {411, "Length Required"}, {413, "Content Too Large"}, {414, "URI Too Long"},
    {415, "Unsupported Media Type"}, {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"}, {500, "Internal Server Error"},
    {501, "Not Implemented"}, {503, "Service Unavailable"}, {505, "HTTP Version Not Supported"}};

const char *
lore_problem_reason(int http)
{
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].http == http)
            return reasons[i].reason;
    return http < 400 ? "OK" : http < 500 ? "Bad Request" : "Internal Server Error";
}

static const char *const role_names[] = {"unset", "public", "reader", "contributor", "curator",
    "admin", "signature", "signature_or_reader", "code"};

const char *
lore_role_name(enum lore_role role)
{
    return role_names[role];
}

enum lore_role
lore_role_find(const char *name)
{
    for (int i = LORE_PUBLIC; i <= LORE_ADMIN; i++)
        if (lore_streq(name, role_names[i]))
            return (enum lore_role)i;
    return LORE_NO_ROLE;
}

/* Make TEXT valid for JSON: a message may quote any bytes of the request, or end inside a
 * character. */
static const char *
printable(const char *text, char *out, size_t size)
{
    size_t n = 0;

    if (lore_utf8_valid(text, strlen(text)))
        return text;
    for (; text[n] != '\0' && n + 1 < size; n++)
        out[n] = (unsigned char)text[n] < 0x80 ? text[n] : '?';
    out[n] = '\0';
    return out;
}

static void
put(struct lore_jsonw *w, const char *key, const char *text)
{
    char clean[sizeof(((struct lore_err *)0)->msg)];

    if (text && text[0] != '\0')
        lore_w_kstr(w, key, printable(text, clean, sizeof clean));
}

static void
put_error(struct lore_jsonw *w, const struct lore_err *err)
{
    put(w, "code", err->code != NULL ? err->code : lore_status_name(err->status));
    put(w, "detail", err->msg);
    put(w, "path", err->path);
    put(w, "hint", err->hint);
}

static void
write_problem(int http, const struct lore_err *err, const struct lore_errs *all,
    const char *request_id, struct lore_resp *resp)
{
    struct lore_jsonw w;

    lore_buf_reset(&resp->body);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_w_kstr(&w, "type", "about:blank");
    lore_w_kstr(&w, "title", lore_problem_reason(http));
    lore_w_ki64(&w, "status", http);
    put_error(&w, err);
    if (all) {
        lore_w_key(&w, "errors");
        lore_w_arr(&w);
        for (size_t i = 0; i < all->n; i++) {
            lore_w_obj(&w);
            put_error(&w, &all->v[i]);
            lore_w_obj_end(&w);
        }
        lore_w_arr_end(&w);
    }
    if (resp->candidates) {
        lore_w_key(&w, "candidates");
        lore_w_raw(&w, resp->candidates);
    }
    put(&w, "request_id", request_id);
    lore_w_obj_end(&w);
    resp->status = http;
    resp->content_type = "application/problem+json";
    resp->etag = NULL;
    resp->immutable = false;
    resp->download = NULL;
    if (lore_jsonw_end(&w, NULL) != LORE_OK) {
        lore_buf_reset(&resp->body);
        lore_buf_printf(&resp->body, "{\"type\":\"about:blank\",\"status\":%d}", http);
    }
}

void
lore_problem_as(
    int http, const struct lore_err *err, const char *request_id, struct lore_resp *resp)
{
    write_problem(http, err, NULL, request_id, resp);
}

void
lore_problem_all(const struct lore_errs *errs, const char *request_id, struct lore_resp *resp)
{
    write_problem(lore_status_http(errs->v[0].status), &errs->v[0], errs, request_id, resp);
}

void
lore_problem(const struct lore_err *err, const char *request_id, struct lore_resp *resp)
{
    struct lore_err shown = *err;

    /* Internal errors name paths and SQL statements, so clients get a general message instead. */
    if (err->status == LORE_IO || err->status == LORE_CORRUPT)
        lore_fail(&shown, err->status, "the service could not do this; its log says why");
    else if (lore_streq(err->code, "disk_full"))
        lore_fail_at(&shown, err->status, "disk_full", "", "the service's disk is full");
    lore_problem_as(lore_status_http(err->status), &shown, request_id, resp);
}

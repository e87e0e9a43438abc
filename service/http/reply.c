/* The head of a reply (reply.h). All replies, errors included, have the same security headers: the
 * page may run only its own scripts, other sites may not frame, embed or read an answer, and a
 * browser never runs a stored source file. */
#include "service/http/reply.h"

#include <inttypes.h>
#include <string.h>

#include "service/base/clock.h"

static const char page_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "font-src 'self'; connect-src 'self'; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'";
/* For files that clients submitted: a browser must not run anything in them. */
static const char sandbox_policy[] = "sandbox; default-src 'none'; frame-ancestors 'none'";

/* Append a file name that a client chose. Characters that could end the header's value become '_'.
 */
static void
put_printable(struct lore_buf *out, const char *s, const char *without)
{
    for (; *s != '\0'; s++)
        lore_buf_putc(out,
            (unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e || strchr(without, *s) ? '_' : *s);
}

/* Sun, 06 Nov 1994 08:49:37 GMT */
static void
put_date(struct lore_buf *out)
{
    static const char *const days[] = {"Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"};
    static const char *const months[] = {
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
    int64_t now = lore_now_us();
    char t[LORE_TIME_SIZE];
    int month;

    lore_time_format(now, t); /* 2026-11-21T08:43:39.123456Z */
    month = (t[5] - '0') * 10 + t[6] - '1';
    lore_buf_printf(out, "Date: %s, %.2s %s %.4s %.8s GMT\r\n", days[now / 86400000000 % 7], t + 8,
        months[month], t, t + 11);
}

static void
put_security(const struct lore_resp *resp, struct lore_buf *out)
{
    lore_buf_printf(out,
        "Content-Security-Policy: %s\r\n"
        "X-Content-Type-Options: nosniff\r\n"
        "Referrer-Policy: no-referrer\r\n"
        "Cross-Origin-Opener-Policy: same-origin\r\n"
        "Cross-Origin-Resource-Policy: same-origin\r\n"
        "Permissions-Policy: camera=(), microphone=(), geolocation=()\r\n"
        "Strict-Transport-Security: max-age=31536000\r\n",
        resp->download != NULL ? sandbox_policy : page_policy);
}

/* Answers depend on the token, so shared caches must not store them. */
static void
put_caching(const struct lore_resp *resp, int status, struct lore_buf *out)
{
    if (resp->etag)
        lore_buf_printf(out, "ETag: \"%s\"\r\n", resp->etag);
    if (status >= 400)
        lore_buf_puts(out, "Cache-Control: no-store\r\n");
    else if (resp->immutable)
        lore_buf_puts(out, "Cache-Control: private, max-age=31536000, immutable\r\n");
    else
        lore_buf_puts(out, "Cache-Control: private, no-cache\r\nVary: Authorization\r\n");
}

void
lore_reply_head(
    const struct lore_resp *resp, const char *request_id, bool close, struct lore_buf *out)
{
    int status = resp->status != 0 ? resp->status : 200;

    lore_buf_printf(out, "HTTP/1.1 %d %s\r\n", status, lore_problem_reason(status));
    put_date(out);
    if (status != 304)
        lore_buf_printf(out, "Content-Type: %s\r\nContent-Length: %zu\r\n",
            resp->content_type != NULL ? resp->content_type : "application/json", resp->body.len);
    put_security(resp, out);
    put_caching(resp, status, out);
    if (status == 401)
        lore_buf_puts(out, "WWW-Authenticate: Bearer realm=\"warplore\"\r\n");
    if (resp->retry_after_s > 0)
        lore_buf_printf(out, "Retry-After: %d\r\n", resp->retry_after_s);
    if (resp->seq > 0)
        lore_buf_printf(out, "Warplore-Seq: %" PRId64 "\r\n", resp->seq);
    if (resp->synced > 0)
        lore_buf_printf(out, "Warplore-Synced: %" PRId64 "\r\n", resp->synced);
    if (resp->allow)
        lore_buf_printf(out, "Allow: %s\r\n", resp->allow);
    if (resp->download) {
        lore_buf_puts(out, "Content-Disposition: attachment; filename=\"");
        put_printable(out, resp->download, "\"\\/");
        lore_buf_puts(out, "\"\r\n");
    }
    if (resp->note) {
        lore_buf_puts(out, "Warplore-Note: ");
        put_printable(out, resp->note, "");
        lore_buf_puts(out, "\r\n");
    }
    if (request_id)
        lore_buf_printf(out, "X-Request-Id: %s\r\n", request_id);
    lore_buf_printf(out, "Connection: %s\r\n\r\n", close ? "close" : "keep-alive");
}

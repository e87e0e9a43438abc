/* HTTP by libcurl. Without a context each call opens its own connection, which suits a command with
 * few calls. A sender of many batches keeps one connection open (lore_http_open). */
#include "collectors/upload/http.h"

#include <string.h>
#include <strings.h>

#include "collectors/upload/curl_library.h"
#include "service/base/clock.h"
#include "service/base/text.h"

enum { TIMEOUT_MS = 120000, CONNECT_MS = 10000, STOP_US = 5000000 };

void *
lore_http_open(void)
{
    const struct lore_curl *curl = lore_curl();

    return curl ? curl->easy_init() : NULL;
}

void
lore_http_close(void *ctx)
{
    if (ctx)
        lore_curl()->easy_cleanup(ctx);
}

static size_t
take_bytes(char *p, size_t size, size_t n, void *ctx)
{
    struct lore_buf *b = ctx;

    lore_buf_add(b, p, size * n);
    return b->over ? 0 : size * n;
}

/* The value of the header line P of N bytes, when it begins with NAME and fits in OUT. */
static bool
copy_header(const char *p, size_t n, const char *name, char *out, size_t max)
{
    size_t skip = strlen(name);

    if (n <= skip || n - skip >= max || strncasecmp(p, name, skip) != 0)
        return false;
    memcpy(out, p + skip, n - skip);
    out[n - skip] = '\0';
    out[strcspn(out, "\r\n")] = '\0';
    return true;
}

/* Of each header line, also of those before the last answer's. */
static size_t
take_header(char *p, size_t size, size_t n, void *ctx)
{
    struct lore_http_reply *reply = ctx;
    char date[64];

    if (copy_header(p, size * n, "date:", date, sizeof date))
        reply->date_s = lore_curl()->getdate(date, NULL);
    copy_header(p, size * n, "warplore-note: ", reply->note, sizeof reply->note);
    return size * n;
}

struct progress {
    const volatile sig_atomic_t *stop;
    int64_t stopped; /* time at which *stop was first found set */
};

/* Called at least once a second. */
static int
on_progress(void *ctx, curl_off_t a, curl_off_t b, curl_off_t c, curl_off_t d)
{
    struct progress *p = ctx;

    (void)a, (void)b, (void)c, (void)d;
    if (!p->stop || !*p->stop)
        return 0;
    if (p->stopped == 0)
        p->stopped = lore_ticks_us();
    return lore_ticks_us() - p->stopped > STOP_US;
}

static enum lore_status
explain(const char *url, CURLcode code, const char *detail, struct lore_err *err)
{
    size_t scheme = strcspn(url, ":");
    size_t host = scheme;

    if (strncmp(url + scheme, "://", 3) == 0)
        host = scheme + 3 + strcspn(url + scheme + 3, "/?#");
    if (code == CURLE_COULDNT_CONNECT)
        return lore_fail_at(err, LORE_IO, "unreachable", "",
            "%.*s: cannot connect; is warplored running there? (WARPLORE_URL, --url)", (int)host,
            url);
    return lore_fail_at(err, LORE_IO, "unreachable", "", "%.*s: %s", (int)host, url,
        detail[0] ? detail : lore_curl()->easy_strerror(code));
}

static void
set_options(const struct lore_curl *curl, CURL *h, const struct lore_http_call *call,
    struct lore_http_reply *reply)
{
    curl->easy_setopt(h, CURLOPT_URL, call->url);
    if (curl->easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https") != CURLE_OK) /* since 7.85 */
        CURL_IGNORE_DEPRECATION(
            curl->easy_setopt(h, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));)
    curl->easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    curl->easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl->easy_setopt(h, CURLOPT_CONNECTTIMEOUT_MS, (long)CONNECT_MS);
    curl->easy_setopt(
        h, CURLOPT_TIMEOUT_MS, (long)(call->timeout_ms > 0 ? call->timeout_ms : TIMEOUT_MS));
    curl->easy_setopt(h, CURLOPT_USERAGENT, "warplore/" WARPLORE_VERSION);
    curl->easy_setopt(h, CURLOPT_WRITEFUNCTION, take_bytes);
    curl->easy_setopt(h, CURLOPT_WRITEDATA, &reply->body);
    curl->easy_setopt(h, CURLOPT_HEADERFUNCTION, take_header);
    curl->easy_setopt(h, CURLOPT_HEADERDATA, reply);
    /* bypass the proxy: it must not see a secret that may only be sent within this machine */
    if (lore_starts(call->url, "http://") && lore_http_may_send(call->url, NULL) == LORE_OK)
        curl->easy_setopt(h, CURLOPT_PROXY, "");
    if (call->body) {
        curl->easy_setopt(h, CURLOPT_POST, 1L);
        curl->easy_setopt(h, CURLOPT_POSTFIELDS, call->body);
        curl->easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->n);
    } else if (!lore_streq(call->method, "GET")) {
        curl->easy_setopt(h, CURLOPT_CUSTOMREQUEST, call->method);
    }
}

static void
read_head(const struct lore_curl *curl, CURL *h, struct lore_http_reply *reply)
{
    curl_off_t wait = 0;

    curl->easy_getinfo(h, CURLINFO_RESPONSE_CODE, &reply->status);
    reply->retry_after_s = -1;
    if (curl->easy_getinfo(h, CURLINFO_RETRY_AFTER, &wait) == CURLE_OK && wait > 0)
        reply->retry_after_s = wait;
    if (reply->date_s < 0)
        reply->date_s = 0;
}

enum lore_status
lore_http_send(void *ctx, const struct lore_http_call *call, struct lore_http_reply *reply,
    struct lore_err *err)
{
    char detail[CURL_ERROR_SIZE] = "";
    struct progress progress = {.stop = call->stop};
    const struct lore_curl *curl = lore_curl();

    if (!curl)
        return lore_fail(err, LORE_IO,
            "no usable libcurl.so.4: install this system's libcurl (libcurl4 on Ubuntu)");
    /* avoid the extra round trip of "Expect: 100-continue" */
    struct curl_slist *headers = curl->slist_append(NULL, "Expect:");
    CURL *h = ctx ? ctx : curl->easy_init();

    if (!h) {
        curl->slist_free_all(headers);
        return lore_fail(err, LORE_IO, "libcurl: no handle");
    }
    curl->easy_reset(h); /* keeps connections */
    for (size_t i = 0; i < call->n_headers; i++)
        headers = curl->slist_append(headers, call->headers[i]);
    reply->date_s = 0;
    set_options(curl, h, call, reply);
    curl->easy_setopt(h, CURLOPT_HTTPHEADER, headers);
    curl->easy_setopt(h, CURLOPT_ERRORBUFFER, detail);
    curl->easy_setopt(h, CURLOPT_NOPROGRESS, 0L);
    curl->easy_setopt(h, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl->easy_setopt(h, CURLOPT_XFERINFODATA, &progress);
    CURLcode code = curl->easy_perform(h);
    read_head(curl, h, reply);
    curl->slist_free_all(headers);
    curl->easy_setopt(h, CURLOPT_ERRORBUFFER, NULL);
    if (!ctx)
        curl->easy_cleanup(h);
    if (reply->body.over)
        return lore_buf_status(&reply->body, "the answer", err);
    return code == CURLE_OK ? LORE_OK : explain(call->url, code, detail, err);
}

static bool
is_this_machine(const char *host, size_t len)
{
    static const char *const names[] = {"localhost", "[::1]"};
    unsigned part = 0;
    size_t dots = 0;

    for (size_t i = 0; i < 2; i++) {
        if (strlen(names[i]) == len && strncmp(host, names[i], len) == 0)
            return true;
    }
    /* 127.0.0.0/8, digits only: "127.evil.example" is a name */
    if (len < 9 || strncmp(host, "127.", 4) != 0)
        return false;
    for (size_t i = 4; i < len; i++) {
        if (host[i] == '.') {
            dots++;
            part = 0;
            continue;
        }
        if (host[i] < '0' || host[i] > '9')
            return false;
        part = part * 10 + (unsigned)(host[i] - '0');
        if (part > 255)
            return false;
    }
    return dots == 2;
}

enum lore_status
lore_http_may_send(const char *url, struct lore_err *err)
{
    if (lore_starts(url, "https://"))
        return LORE_OK;
    /* libcurl takes "HTTP://…" and "host:port" for plain http, and both reach other machines */
    if (!lore_starts(url, "http://"))
        return lore_fail_at(err, LORE_INVALID, "token_in_clear", "url",
            "%.100s: the service's address must begin with http:// or https://", url);
    const char *host = url + strlen("http://");
    size_t len = strcspn(host, "/?#");
    /* a user part would hide the real host from this check */
    if (memchr(host, '@', len))
        return lore_fail_at(
            err, LORE_INVALID, "usage", "url", "the service's address must not hold a user name");
    if (host[0] == '[')
        len = strcspn(host, "]") + 1;
    else
        len = strcspn(host, ":/?#");
    if (is_this_machine(host, len))
        return LORE_OK;
    enum lore_status status = lore_fail_at(err, LORE_INVALID, "token_in_clear", "url",
        "%.*s: a token is not sent to another machine over plain http", (int)len, host);
    lore_err_hint(err, "use https://, or a tunnel to 127.0.0.1");
    return status;
}

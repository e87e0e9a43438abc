/* HTTP by libcurl. One handle per call: a command makes a handful. Redirects are not followed (the
 * token would travel), and only http and https are spoken. */
#include <curl/curl.h>
#include <string.h>

#include "cli.h"
#include "text.h"

static size_t
take_bytes(char *p, size_t size, size_t n, void *ctx)
{
    struct lore_buf *b = ctx;

    lore_buf_add(b, p, size * n);
    return b->over ? 0 : size * n;
}

static enum lore_status
explain(const struct lore_call *call, CURLcode code, const char *detail, struct lore_err *err)
{
    size_t scheme = strcspn(call->url, ":");
    size_t host = scheme;
    enum lore_status st;

    if (strncmp(call->url + scheme, "://", 3) == 0)
        host = scheme + 3 + strcspn(call->url + scheme + 3, "/?#");
    if (code == CURLE_COULDNT_CONNECT) {
        st = lore_fail(err, LORE_IO, "%.*s: connection refused; is warplored running? (./dev run)",
            (int)host, call->url);
    } else {
        st = lore_fail(err, LORE_IO, "%.*s: %s", (int)host, call->url,
            detail[0] ? detail : curl_easy_strerror(code));
    }
    return st;
}

static struct curl_slist *
headers_of(const struct lore_call *call)
{
    struct curl_slist *list = curl_slist_append(NULL, "Accept: application/json");

    if (call->body)
        list = curl_slist_append(list, "Content-Type: application/json");
    /* no round trip to ask whether the body is welcome */
    list = curl_slist_append(list, "Expect:");
    if (call->token) {
        struct lore_buf b = {0};
        lore_buf_printf(&b, "Authorization: Bearer %s", call->token);
        if (!b.over)
            list = curl_slist_append(list, b.data);
        lore_buf_free(&b);
    }
    return list;
}

enum lore_status
lore_curl_send(
    void *ctx, const struct lore_call *call, struct lore_reply *reply, struct lore_err *err)
{
    char detail[CURL_ERROR_SIZE] = "";
    CURL *h = curl_easy_init();

    (void)ctx;
    if (!h)
        return lore_fail(err, LORE_IO, "libcurl: no handle");
    struct curl_slist *headers = headers_of(call);
    curl_easy_setopt(h, CURLOPT_URL, call->url);
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(h, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, 10L);
    curl_easy_setopt(h, CURLOPT_TIMEOUT, 120L);
    curl_easy_setopt(h, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(h, CURLOPT_USERAGENT, "warplore/" WARPLORE_VERSION);
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, detail);
    curl_easy_setopt(h, CURLOPT_WRITEFUNCTION, take_bytes);
    curl_easy_setopt(h, CURLOPT_WRITEDATA, &reply->body);
    /* a proxy meant for the internet must not see what may only travel on this machine */
    if (lore_starts(call->url, "http://") && lore_config_may_send(call->url, NULL) == LORE_OK)
        curl_easy_setopt(h, CURLOPT_PROXY, "");
    if (call->body) {
        curl_easy_setopt(h, CURLOPT_POST, 1L);
        curl_easy_setopt(h, CURLOPT_POSTFIELDS, call->body);
        curl_easy_setopt(h, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)call->body_len);
    }
    CURLcode code = curl_easy_perform(h);
    curl_easy_getinfo(h, CURLINFO_RESPONSE_CODE, &reply->status);
    curl_slist_free_all(headers);
    curl_easy_cleanup(h);
    return code == CURLE_OK ? LORE_OK : explain(call, code, detail, err);
}

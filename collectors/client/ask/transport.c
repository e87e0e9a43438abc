/* The command line's calls as HTTP exchanges: JSON both ways, the token as a bearer. */
#include <string.h>

#include "collectors/client/cli.h"
#include "collectors/upload/http.h"

enum lore_status
lore_transport_send(
    void *ctx, const struct lore_call *call, struct lore_reply *reply, struct lore_err *err)
{
    const char *headers[4] = {"Accept: application/json"};
    struct lore_http_reply got = {.body = reply->body};
    struct lore_buf bearer = {0}, project = {0};
    struct lore_http_call http = {.method = call->method,
        .url = call->url,
        .headers = headers,
        .n_headers = 1,
        .body = call->body,
        .n = call->body_len};

    if (call->body)
        headers[http.n_headers++] = "Content-Type: application/json";
    if (call->token) {
        lore_buf_printf(&bearer, "Authorization: Bearer %s", call->token);
        headers[http.n_headers++] = bearer.data;
    }
    if (call->token && call->project && *call->project) {
        lore_buf_printf(&project, "Warplore-Project: %s", call->project);
        headers[http.n_headers++] = project.data;
    }
    enum lore_status status = lore_http_send(ctx, &http, &got, err);
    lore_buf_free(&bearer);
    lore_buf_free(&project);
    reply->body = got.body;
    reply->status = got.status;
    _Static_assert(sizeof reply->note >= sizeof got.note, "a note fits");
    memcpy(reply->note, got.note, sizeof got.note);
    /* the caller reports a body above its ceiling */
    return status == LORE_TOOBIG ? LORE_OK : status;
}

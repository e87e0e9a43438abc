/* Sends one request and maps the HTTP status to an action. A record is set aside only when the
 * service itself has rejected it. A 404 may come from a proxy whose service is not up, and a 401
 * from a wrong clock or a revoked key; both leave the record waiting. */
#include "collectors/upload/outbox.h"

#include <string.h>

#include "service/base/clock.h"

static const struct {
    long from, to;
    enum lore_action action;
} actions[] = {
    {200, 299, LORE_SENT},
    {400, 400, LORE_REFUSED},
    {401, 401, LORE_RETRY_ALARM},
    {403, 403, LORE_RETRY_ALARM},
    {404, 404, LORE_RETRY},
    {408, 408, LORE_RETRY},
    {409, 409, LORE_REFUSED},
    {413, 413, LORE_TOO_LONG},
    {422, 422, LORE_REFUSED},
    {425, 425, LORE_RETRY},
    {429, 429, LORE_RETRY},
    {500, 599, LORE_RETRY},
};

enum lore_action
lore_answer_action(long status)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++) {
        if (status >= actions[i].from && status <= actions[i].to)
            return actions[i].action;
    }
    return LORE_RETRY_ALARM; /* a Warplore service never sends this status */
}

static int64_t
left_ms(const struct lore_sender *s)
{
    int64_t left = (s->end_us - lore_ticks_us()) / 1000;

    return s->end_us == 0 ? 0 : left > 0 ? left : 1;
}

bool
lore_sender_finished(const struct lore_sender *s)
{
    return (s->options->stop && *s->options->stop) ||
           (s->end_us != 0 && lore_ticks_us() >= s->end_us);
}

enum lore_status
lore_sender_call(const struct lore_sender *s, struct lore_http_call *call,
    struct lore_http_reply *reply, struct lore_err *err)
{
    call->timeout_ms = left_ms(s);
    call->stop = s->options->stop;
    reply->status = 0;
    reply->date_s = 0;
    reply->retry_after_s = -1;
    lore_buf_reset(&reply->body);
    enum lore_status status = s->send(s->send_ctx, call, reply, err);
    if (status == LORE_OK && reply->retry_after_s > 0)
        s->result->wait_s = reply->retry_after_s;
    return status;
}

enum lore_status
lore_answer_fail(struct lore_sender *s, const struct lore_http_reply *reply, const char **code,
    struct lore_err *err)
{
    const char *detail = NULL, *hint = NULL;
    struct lore_json *root = NULL;
    enum lore_status status = reply->status == 401                           ? LORE_UNAUTHENTICATED
                              : reply->status == 403                         ? LORE_FORBIDDEN
                              : reply->status == 409                         ? LORE_CONFLICT
                              : reply->status == 413                         ? LORE_TOOBIG
                              : reply->status == 400 || reply->status == 422 ? LORE_INVALID
                                                                             : LORE_BUSY;

    *code = NULL;
    if (reply->body.len > 0 &&
        lore_json_parse(reply->body.data, reply->body.len, NULL, &s->arena, &root, NULL) != LORE_OK)
        root = NULL;
    if (lore_json_text(root, "detail", &detail, NULL) != LORE_OK || !detail)
        detail = "no reason given";
    if (lore_json_text(root, "code", code, NULL) != LORE_OK || !*code)
        *code = "";
    if (lore_json_text(root, "hint", &hint, NULL) != LORE_OK)
        hint = NULL;
    (void)lore_fail(err, status, "the service answers %ld: %.200s", reply->status, detail);
    if (hint && *hint)
        lore_err_hint(err, "%s", hint);
    return status;
}

enum lore_status
lore_sender_set_aside(struct lore_sender *s, uint64_t seq, const char *why, struct lore_err *err)
{
    enum lore_status status = lore_spool_set_aside(s->o->spool, seq, why, err);

    /* a record that was damaged meanwhile is set aside already */
    if (status == LORE_CORRUPT || status == LORE_NOTFOUND)
        return LORE_OK;
    if (status != LORE_OK)
        return status;
    s->result->refused++;
    memset(s->result->refusal, 0, sizeof s->result->refusal);
    strncat(s->result->refusal, why, sizeof s->result->refusal - 1);
    return LORE_OK;
}

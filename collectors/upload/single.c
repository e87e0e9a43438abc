/* Sends documents one by one with a bearer token, for a host that is not enrolled. The service
 * stores a document only once, so a document whose answer was lost can be sent again. */
#include <string.h>

#include "collectors/upload/outbox.h"
#include "service/base/text.h"

static enum lore_status
post(struct lore_sender *s, const struct lore_envelope *e, struct lore_http_reply *reply,
    struct lore_err *err)
{
    const char *headers[] = {"Accept: application/json", "Content-Type: application/json",
        lore_format(&s->arena, "Authorization: Bearer %s", s->options->token), NULL};
    const char *project = s->options->project;
    struct lore_http_call call = {.method = "POST",
        .url = lore_format(&s->arena, "%s/api/v1/submissions", s->options->url),
        .headers = headers,
        .n_headers = project && *project ? 4 : 3,
        .body = e->document,
        .n = e->n};

    if (call.n_headers == 4)
        headers[3] = lore_format(&s->arena, "Warplore-Project: %s", project);
    return lore_sender_call(s, &call, reply, err);
}

/* Accept a success only if the reply names the document's outcome. A proxy's page does not,
 * whatever its status. */
static enum lore_status
read_answer(
    struct lore_sender *s, const struct lore_http_reply *reply, bool *stored, struct lore_err *err)
{
    const char *text = reply->body.data ? reply->body.data : "", *id = NULL, *status = NULL;
    struct lore_json *root = NULL;

    if (lore_json_parse(text, reply->body.len, NULL, &s->arena, &root, NULL) != LORE_OK)
        root = NULL;
    if (root && root->type == LORE_J_OBJECT && lore_json_text(root, "id", &id, NULL) == LORE_OK &&
        lore_json_text(root, "status", &status, NULL) == LORE_OK && id && lore_ulid_valid(id)) {
        *stored = lore_streq(status, "stored");
        if (*stored || lore_streq(status, "duplicate"))
            return LORE_OK;
    }
    return lore_fail_at(err, LORE_BUSY, "no_answer", "",
        "the service answered HTTP %ld without the document's outcome; is a proxy in between?",
        reply->status);
}

static enum lore_status
send_one(struct lore_sender *s, const struct lore_spool_item *item, struct lore_http_reply *reply,
    struct lore_err *err)
{
    struct lore_err why = {0};
    struct lore_envelope e;
    const char *code;

    if (!lore_envelope_read(s->o, item, &s->arena, &e))
        return lore_sender_set_aside(s, item->seq, "not a document of the outbox", err);
    enum lore_status status = post(s, &e, reply, err);
    if (status != LORE_OK)
        return status;
    enum lore_action action = lore_answer_action(reply->status);
    if (action == LORE_SENT) {
        bool stored = false;
        status = read_answer(s, reply, &stored, err);
        if (status != LORE_OK)
            return status;
        s->result->stored += stored;
        s->result->duplicates += !stored;
        return lore_spool_done(s->o->spool, &item->seq, 1, err);
    }
    status = lore_answer_fail(s, reply, &code, &why);
    /* a proxy's page has no code, and the proxy has not read the document */
    if ((action == LORE_REFUSED || action == LORE_TOO_LONG) && *code)
        return lore_sender_set_aside(s, item->seq, why.msg, err);
    s->result->alarm = action != LORE_RETRY;
    if (err)
        *err = why;
    return status;
}

enum lore_status
lore_single_send(
    struct lore_sender *s, const struct lore_spool_item *items, size_t n, struct lore_err *err)
{
    struct lore_http_reply reply = {.body = {.max = 4u << 20}};
    enum lore_status status;

    if (!s->options->token || !s->options->url) {
        status = lore_fail_at(err, LORE_UNAUTHENTICATED, "no_credential", "",
            "this host is not enrolled and there is no token");
        lore_err_hint(err, "warplore agent enroll --url URL --code CODE, or set WARPLORE_TOKEN");
        return status;
    }
    status = lore_http_may_send(s->options->url, err);
    s->result->alarm = status != LORE_OK;
    for (size_t i = 0; i < n && status == LORE_OK && (i == 0 || !lore_sender_finished(s)); i++)
        status = send_one(s, &items[i], &reply, err);
    lore_buf_free(&reply.body);
    return status;
}

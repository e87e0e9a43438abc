// uses: api
/* Any bytes as the head of a request: through the gate, the dispatcher and the reply's head. What
 * comes out is a complete reply whose head cannot be broken by anything that came in. */
#include <stdlib.h>
#include <string.h>

#include "service/api/api.h"
#include "service/api/names.h"
#include "service/base/hash.h"
#include "service/base/json.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/http/app.h"
#include "service/http/counters.h"
#include "service/http/gate.h"
#include "service/http/reply.h"
#include "tests/unit/routes_fixture.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
must(bool true_of_every_input)
{
    if (!true_of_every_input)
        abort();
}

/* Cut the text at *AT before STOP; the next piece starts behind it. */
static const char *
piece(char **at, const char *stop)
{
    char *start = *at;
    size_t n = strcspn(start, stop);

    *at = start + n + (start[n] != '\0');
    start[n] = '\0';
    return start;
}

/* METHOD TARGET[?QUERY] in the first line, `name: value` in the others, as the library would split
 * it. */
static void
split(char *text, struct lore_head *head, struct lore_header *headers)
{
    char *line, *at = text;

    line = (char *)piece(&at, "\n");
    head->method = piece(&line, " ");
    head->target = piece(&line, " \r");
    line = (char *)head->target;
    head->target = piece(&line, "?");
    head->query = *line != '\0' ? line : NULL;
    head->headers = headers;
    while (*at != '\0' && head->n_headers < LORE_MAX_HEADERS) {
        line = (char *)piece(&at, "\n");
        headers[head->n_headers].name = piece(&line, ":");
        line += strspn(line, " ");
        headers[head->n_headers++].value = piece(&line, "\r");
    }
}

/* Every line ends in CRLF, has a colon, holds no control character; one blank line ends it. */
static void
check_head(const struct lore_buf *head)
{
    const char *at = strstr(head->data, "\r\n");

    must(at && strlen(head->data) == head->len);
    for (at += 2; strncmp(at, "\r\n", 2) != 0;) {
        const char *end = strstr(at, "\r\n");
        must(end && memchr(at, ':', (size_t)(end - at)));
        for (; at < end; at++)
            must((unsigned char)*at >= 0x20);
        at += 2;
    }
    must(at[2] == '\0');
}

static void
check_reply(const struct lore_req *req, const struct lore_resp *resp, struct lore_arena *arena)
{
    struct lore_buf head = {0};
    struct lore_json *root = NULL;

    must(resp->status >= 200 && resp->status < 600);
    if (resp->status >= 400)
        must(lore_json_parse(resp->body.data, resp->body.len, NULL, arena, &root, NULL) == LORE_OK);
    lore_reply_head(resp, req->request_id, true, &head);
    check_head(&head);
    lore_buf_free(&head);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    static struct lore_stats_http counters;
    /* without a database: parameters are read, and names among them stay as they are */
    struct lore_app app = {
        .routes = lore_routes, .counters = &counters, .resolve = lore_fields_read};
    struct lore_arena arena = {0};
    struct lore_header headers[LORE_MAX_HEADERS];
    struct lore_head head = {0};
    struct lore_pass pass = {0};
    struct lore_err err = {0};
    struct lore_req req = {.arena = &arena, .request_id = "01TEST", .body = ""};
    struct lore_resp resp = {0};
    int http;

    lore_log_level(LORE_ERROR);
    split(lore_strndup(&arena, (const char *)data, size), &head, headers);
    http = lore_gate(&head, &req, &pass, &err);
    if (http != 0) {
        must(http >= 400 && err.code && lore_utf8_valid(err.msg, strlen(err.msg)));
        lore_problem_as(http, &err, req.request_id, &resp);
    } else {
        must(req.path[0] == '/' && !strstr(req.path, "..") && !strstr(req.path, "//"));
        lore_dispatch(&app, &req, &resp);
    }
    check_reply(&req, &resp, &arena);
    lore_buf_free(&resp.body);
    lore_arena_free(&arena);
    return 0;
}

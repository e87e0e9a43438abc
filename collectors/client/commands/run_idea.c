/* Before the program starts: has this idea failed in this lineage? Prints one line. The service
 * gets a moment to answer, and errors are not printed. */
#include <stdio.h>

#include "collectors/client/commands/idea_plan.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/run/hypothesis_file.h"
#include "collectors/upload/http.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

enum { ASK_MS = 300 /* time limit of the request */, ANSWER_MAX = 1 << 18 };

struct lore_json *
lore_run_ask(struct lore_run_job *j, const char *path, const struct lore_buf *body)
{
    const struct lore_client_config *c = &j->cli->config;
    struct lore_arena *arena = j->cli->arena;
    const char *headers[] = {"Accept: application/json", "Content-Type: application/json",
        lore_format(arena, "Authorization: Bearer %s", c->token ? c->token : "")};
    struct lore_http_call call = {.method = body ? "POST" : "GET",
        .url = lore_format(arena, "%s%s", c->url ? c->url : "", path),
        .headers = headers,
        .n_headers = c->token ? 3 : 2,
        .body = body ? body->data : NULL,
        .n = body ? body->len : 0,
        .timeout_ms = ASK_MS};
    struct lore_http_reply reply = {.body = {.max = ANSWER_MAX}};
    struct lore_json *root = NULL;
    struct lore_err ignored;

    if (!c->url || lore_http_may_send(c->url, &ignored) != LORE_OK)
        return NULL;
    if (lore_http_send(NULL, &call, &reply, &ignored) != LORE_OK || reply.status / 100 != 2 ||
        lore_json_parse(reply.body.data, reply.body.len, NULL, arena, &root, &ignored) != LORE_OK)
        root = NULL;
    lore_buf_free(&reply.body);
    return root;
}

void
lore_run_idea(struct lore_run_job *j)
{
    const struct lore_run_options *w = &j->c.what;
    struct lore_idea_plan plan = {.techniques = "", .from = w->parent};
    struct lore_hypothesis h = {0};
    struct lore_err ignored;
    struct lore_query q;

    if (j->quiet || !(j->terminal || j->verbose) || !w->parent || !lore_ulid_valid(w->parent) ||
        (!w->hypothesis && w->techniques.n == 0))
        return;
    for (size_t i = 0; i < w->techniques.n; i++)
        plan.techniques =
            lore_format(j->cli->arena, "%s%s%s", plan.techniques, i ? "," : "", w->techniques.v[i]);
    if (w->hypothesis &&
        lore_hypothesis_file_read(w->hypothesis, j->cli->arena, &h, &ignored) == LORE_OK)
        plan.text = h.claim;
    lore_idea_query(j->cli, &plan, &q);
    const char *warning = lore_idea_warning(j->cli, lore_run_ask(j, q.path.data, NULL));
    lore_buf_free(&q.path);
    if (warning)
        fprintf(stderr, "warplore: %s\n",
            warning); /* print at once: cli->err is printed only after the program */
}

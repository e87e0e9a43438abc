/* Before the program starts: has this idea failed in this lineage? Prints one line. The service
 * gets a moment to answer, and errors are not printed. */
#include <stdio.h>

#include "collectors/client/commands/check_idea.h"
#include "collectors/client/commands/run_cmd.h"
#include "collectors/client/screen/print.h"
#include "collectors/run/hypothesis_file.h"
#include "collectors/upload/http.h"
#include "service/base/json.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

enum { ASK_MS = 150 /* time limit of each of two requests */, ANSWER_MAX = 1 << 18 };

/* GET Q with a short time limit; NULL unless it is answered in time. */
static struct lore_json *
ask(struct lore_run_job *j, struct lore_query *q)
{
    const struct lore_client_config *c = &j->cli->config;
    struct lore_arena *arena = j->cli->arena;
    const char *url = lore_format(arena, "%s%s", c->url, q->path.data ? q->path.data : "");
    const char *headers[] = {"Accept: application/json",
        lore_format(arena, "Authorization: Bearer %s", c->token ? c->token : "")};
    struct lore_http_call call = {.method = "GET",
        .url = url,
        .headers = headers,
        .n_headers = c->token ? 2 : 1,
        .timeout_ms = ASK_MS};
    struct lore_http_reply reply = {.body = {.max = ANSWER_MAX}};
    struct lore_json *root = NULL;
    struct lore_err ignored;

    lore_buf_free(&q->path);
    if (lore_http_send(NULL, &call, &reply, &ignored) != LORE_OK || reply.status != 200 ||
        lore_json_parse(reply.body.data, reply.body.len, NULL, arena, &root, &ignored) != LORE_OK)
        root = NULL;
    lore_buf_free(&reply.body);
    return root;
}

static const char *
text_of(const struct lore_json *object, const char *key)
{
    const struct lore_json *v = lore_json_get(object, key);

    return v && v->type == LORE_J_STRING ? v->str : NULL;
}

static const char *
kernel_of(struct lore_run_job *j, const char *version)
{
    struct lore_query q;

    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, version);
    return text_of(ask(j, &q), "kernel");
}

void
lore_run_idea(struct lore_run_job *j)
{
    const struct lore_run_options *w = &j->c.what;
    struct lore_checked_idea idea = {.techniques = "", .from = w->parent};
    struct lore_hypothesis h = {0};
    struct lore_err ignored;
    struct lore_query q;

    if (j->quiet || !(j->terminal || j->verbose) || !w->parent || !lore_ulid_valid(w->parent) ||
        (!w->hypothesis && w->techniques.n == 0) || !j->cli->config.url ||
        lore_http_may_send(j->cli->config.url, &ignored) != LORE_OK)
        return;
    for (size_t i = 0; i < w->techniques.n; i++)
        idea.techniques =
            lore_format(j->cli->arena, "%s%s%s", idea.techniques, i ? "," : "", w->techniques.v[i]);
    if (w->hypothesis &&
        lore_hypothesis_file_read(w->hypothesis, j->cli->arena, &h, &ignored) == LORE_OK)
        idea.text = lore_check_idea_text(j->cli->arena, h.claim);
    idea.kernel = kernel_of(j, w->parent);
    if (!idea.kernel)
        return;
    lore_check_idea_query(&idea, &q);
    const struct lore_json *root = ask(j, &q), *flag = lore_json_get(root, "flagged");
    const struct lore_json *rows = lore_json_get(root, "rows");
    const struct lore_json *first = rows && rows->type == LORE_J_ARRAY ? rows->child : NULL;
    const char *why = text_of(first, "why"), *id = text_of(first, "experiment");
    if (flag && flag->type == LORE_J_BOOL && flag->i && why && id)
        fprintf(stderr, "warplore: this idea failed here before, %s: %s\n",
            lore_print_clean(j->cli, id),
            lore_print_clean(
                j->cli, why)); /* print at once: cli->err is printed only after the program */
}

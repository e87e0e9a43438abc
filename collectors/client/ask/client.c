/* One call to the service, and the exit code that its answer gives. A problem object is printed
 * as its detail and hint, in the words of the command line (fields.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/client/ask/fields.h"
#include "collectors/client/screen/print.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

static void
add_escaped(struct lore_buf *b, const char *s, bool slashes)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";

    for (; *s; s++) {
        if (strchr(plain, *s) || (slashes && *s == '/'))
            lore_buf_putc(b, *s);
        else
            lore_buf_printf(b, "%%%02X", (unsigned char)*s);
    }
}

void
lore_query_start(struct lore_query *q, const char *path)
{
    memset(q, 0, sizeof *q);
    q->path.max = 64u << 10;
    lore_buf_puts(&q->path, path);
}

void
lore_query_segment(struct lore_query *q, const char *segment)
{
    lore_buf_putc(&q->path, '/');
    add_escaped(&q->path, segment, true); /* the service refuses escaped slashes of a name */
}

void
lore_query_add(struct lore_query *q, const char *key, const char *value)
{
    if (!value || !*value)
        return;
    lore_buf_putc(&q->path, q->has_query ? '&' : '?');
    q->has_query = true;
    lore_buf_puts(&q->path, key);
    lore_buf_putc(&q->path, '=');
    add_escaped(&q->path, value, false);
}

/* Print TEXT after FIRST, line by line, without control characters: text from a service must not
 * control the terminal. */
static void
put_lines(struct lore_cli *cli, const char *first, const char *text)
{
    while (text) {
        size_t n = strcspn(text, "\n");
        lore_buf_printf(
            &cli->err, "%s%s\n", first, lore_print_clean(cli, lore_strndup(cli->arena, text, n)));
        text = text[n] ? text + n + 1 : NULL;
        first = "";
    }
}

int
lore_cli_say(struct lore_cli *cli, int code, const char *fmt, ...)
{
    char line[1024];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    put_lines(cli, "warplore: ", line);
    return code;
}

int
lore_cli_error(struct lore_cli *cli, int code, const struct lore_err *err)
{
    put_lines(cli, "warplore: ", err->msg);
    if (err->hint[0])
        put_lines(cli, "  hint: ", err->hint);
    return code;
}

void
lore_cli_print_json(struct lore_cli *cli, const struct lore_json *root)
{
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &cli->out, false);
    lore_w_node(&w, root);
    if (lore_jsonw_end(&w, NULL) == LORE_OK)
        lore_buf_putc(&cli->out, '\n');
}

static const char *
text_of(const struct lore_json *object, const char *name)
{
    const char *text = NULL;

    return lore_json_text(object, name, &text, NULL) == LORE_OK ? text : NULL;
}

static int
exit_of(long status)
{
    if (status == 401 || status == 403)
        return LORE_EXIT_REFUSED;
    if (status == 404)
        return LORE_EXIT_NO;
    if (status >= 400 && status < 500)
        return LORE_EXIT_USAGE;
    return LORE_EXIT_SERVICE;
}

/* Print the message and the hint of a problem, or of one of its errors; BEFORE and AFTER stand
 * around the message. */
static void
put_problem(
    struct lore_cli *cli, const struct lore_json *problem, const char *before, const char *after)
{
    const char *path = text_of(problem, "path"), *detail = text_of(problem, "detail"),
               *hint = text_of(problem, "hint");

    if (!detail)
        detail = text_of(problem, "title");
    put_lines(cli, "warplore: ",
        lore_format(cli->arena, "%s%s%s", before,
            detail ? lore_fields_say(cli, path, detail) : "no reason given", after));
    if (hint && *hint)
        put_lines(cli, "  hint: ", lore_fields_say(cli, NULL, hint));
}

/* Print what an ambiguous name may mean, a line each. */
static void
put_candidates(struct lore_cli *cli, const struct lore_json *list)
{
    static const char *const keys[] = {
        "kind", "project", "name", "label", "operator", "language", "chip", "title"};

    for (const struct lore_json *c = list ? list->child : NULL; c; c = c->next) {
        const char *id = NULL, *line = "";
        if (lore_json_text(c, "id", &id, NULL) != LORE_OK || !id)
            continue;
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            const char *text = NULL;
            if (lore_json_text(c, keys[i], &text, NULL) == LORE_OK && text)
                line = lore_format(cli->arena, "%s  %s", line, text);
        }
        put_lines(cli, "  ", lore_format(cli->arena, "%s%s", id, line));
    }
}

/* Print every error of a failed request and return its exit code. */
static int
report(struct lore_cli *cli, long status, const struct lore_json *root)
{
    const struct lore_json *errors = lore_json_get(root, "errors");
    const char *about = cli->about ? lore_format(cli->arena, "%s: ", cli->about) : "";

    /* a problem's own message is that of its first error */
    put_problem(cli, errors && errors->child ? errors->child : root, about,
        status < 500 ? "" : lore_format(cli->arena, " (HTTP %ld)", status));
    for (const struct lore_json *e = errors && errors->child ? errors->child->next : NULL; e;
         e = e->next)
        put_problem(cli, e, "", "");
    put_candidates(cli, lore_json_get(root, "candidates"));
    if (cli->json && root)
        lore_cli_print_json(cli, root);
    return exit_of(status);
}

static int
answer(
    struct lore_cli *cli, const struct lore_reply *reply, bool quiet_404, struct lore_json **root)
{
    struct lore_err err = {0};
    struct lore_json *parsed = NULL;
    bool good = reply->status >= 200 && reply->status < 300;

    if (reply->body.len > 0) {
        /* answers may hold long lists; the service's own limits bound them */
        struct lore_json_limits limits = {.depth = 64, .string_bytes = 16u << 20};
        enum lore_status status =
            lore_json_parse(reply->body.data, reply->body.len, &limits, cli->arena, &parsed, &err);
        if (status != LORE_OK && good)
            return lore_cli_say(
                cli, LORE_EXIT_SERVICE, "%s: the answer is not JSON: %s", cli->config.url, err.msg);
    }
    if (good) {
        if (reply->note[0])
            put_lines(cli, "warplore: ", reply->note);
        *root = parsed;
        return LORE_EXIT_OK;
    }
    if (reply->status == 404 && quiet_404) {
        *root = parsed; /* the problem: NULL for none */
        return LORE_EXIT_NO;
    }
    return report(cli, reply->status, parsed);
}

/* Whether the records of a request have ids that follow from what they say. */
static bool
is_repeatable(const char *url)
{
    static const char *const paths[] = {
        "/api/v1/attempts", "/api/v1/sessions", "/api/v1/submissions", "/api/v1/records"};

    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        if (strstr(url, paths[i]))
            return true;
    return false;
}

int
lore_cli_call(
    struct lore_cli *cli, const struct lore_call *call, bool quiet_404, struct lore_json **root)
{
    struct lore_err err = {0};
    struct lore_reply reply = {.body = {.max = 256u << 20}};

    *root = NULL;
    if (call->token && lore_config_may_send(call->url, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (cli->send(cli->send_ctx, call, &reply, &err) != LORE_OK) {
        lore_buf_free(&reply.body);
        if (call->body)
            lore_err_hint(&err, "%s",
                is_repeatable(call->url)
                    ? "no answer, so count nothing as stored; the same command again is safe: what "
                      "is stored is not stored twice"
                    : "it may be stored: look with `warplore list` before you repeat it");
        return lore_cli_error(cli, LORE_EXIT_UNREACHABLE, &err);
    }
    int code;
    if (lore_buf_status(&reply.body, "the answer", &err) != LORE_OK)
        code = lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    else
        code = answer(cli, &reply, quiet_404, root);
    lore_buf_free(&reply.body);
    return code;
}

int
lore_cli_fetch(struct lore_cli *cli, struct lore_query *q, bool quiet_404, struct lore_json **root)
{
    struct lore_err err = {0};
    struct lore_call call = {
        .method = "GET", .token = cli->config.token, .project = cli->config.project};
    int code;

    *root = NULL;
    call.url = lore_format(cli->arena, "%s%s", cli->config.url, q->path.data);
    if (lore_buf_status(&q->path, "the request", &err) != LORE_OK)
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    else
        code = lore_cli_call(cli, &call, quiet_404, root);
    lore_buf_free(&q->path);
    return code;
}

int
lore_cli_get(struct lore_cli *cli, struct lore_query *q, struct lore_json **root)
{
    int code = lore_cli_fetch(cli, q, false, root);

    if (code == LORE_EXIT_OK && cli->json && *root)
        lore_cli_print_json(cli, *root);
    return code;
}

int
lore_cli_post(
    struct lore_cli *cli, const char *path, const char *body, size_t len, struct lore_json **root)
{
    struct lore_call call = {.method = "POST",
        .token = cli->config.token,
        .project = cli->config.project,
        .body = body,
        .body_len = len};

    call.url = lore_format(cli->arena, "%s%s", cli->config.url, path);
    return lore_cli_call(cli, &call, false, root);
}

/* Requests that several commands share (ask.h). */
#include "collectors/client/ask/ask.h"

#include <stdio.h>
#include <string.h>

#include "collectors/client/screen/rows.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/wire/build.h"

bool
lore_ask_id(struct lore_cli *cli, const char *text)
{
    if (lore_ulid_valid(text))
        return true;
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "%s: not an id (26 letters and digits)", text);
    return false;
}

const char *
lore_ask_reason(struct lore_cli *cli, const struct lore_args *args)
{
    const char *reason = lore_args_get(args, "reason");

    if (reason && *reason)
        return reason;
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "--reason: required; it is stored with the decision");
    return NULL;
}

const char *
lore_ask_param(struct lore_arena *arena, const char *option)
{
    char *name = lore_strdup(arena, option);

    for (char *c = name; *c; c++)
        *c = *c == '-' ? '_' : *c;
    return name;
}

void
lore_ask_params(struct lore_cli *cli, const struct lore_args *args, const char *const *names,
    struct lore_query *q)
{
    for (; *names; names++) {
        const char *value = lore_args_get(args, *names);
        if (lore_args_has(args, *names))
            lore_query_add(q, lore_ask_param(cli->arena, *names), value ? value : "true");
    }
}

const char *
lore_ask_path(struct lore_cli *cli, const char *prefix, const char *name, const char *verb)
{
    struct lore_query q;

    lore_query_start(&q, prefix);
    lore_query_segment(&q, name);
    lore_query_segment(&q, verb);
    const char *path = lore_strdup(cli->arena, q.path.data);
    lore_buf_free(&q.path);
    return path;
}

int
lore_ask_post(struct lore_cli *cli, const char *path, const struct lore_member *members, size_t n,
    struct lore_json **root)
{
    struct lore_buf body = {.max = 1u << 20};
    struct lore_err err = {0};
    struct lore_jsonw w;
    int code;

    lore_jsonw_begin(&w, &body, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < n; i++) {
        if (members[i].json) {
            lore_w_key(&w, members[i].key);
            lore_w_raw(&w, members[i].json);
        } else if (members[i].text) {
            lore_w_kstr(&w, members[i].key, members[i].text);
        }
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, &err) == LORE_OK)
        code = lore_cli_post(cli, path, body.data, body.len, root);
    else
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    lore_buf_free(&body);
    return code;
}

/* The session's kernel by its name, as the user said it. */
static const char *
say_id(const struct lore_cli *cli, const char *id)
{
    return cli->kernel_id && lore_starts(id, cli->kernel_id)
               ? lore_format(cli->arena, "%s%s", cli->kernel_name, id + strlen(cli->kernel_id))
               : id;
}

/* The id of a decision follows from what it says and the day, so that the command can be repeated
 * after a lost answer. */
static const char *
decision_id(struct lore_cli *cli, const char *id, const char *verb, const char *reason)
{
    const int64_t day_ms = 86400 * INT64_C(1000);
    int64_t day = lore_now_us() / 1000 / day_ms;

    return lore_build_id(cli->arena, day * day_ms, "decision\n%s\n%s\n%s", verb, id, reason);
}

int
lore_ask_decide(struct lore_cli *cli, const struct lore_args *args, size_t at, const char *prefix,
    const char *verb, const char *done)
{
    const char *id = args->words.v[at], *reason;
    struct lore_json *root = NULL;

    if (!(reason = lore_ask_reason(cli, args)))
        return LORE_EXIT_USAGE;
    const char *decision =
        lore_streq(prefix, "/api/v1/records") ? decision_id(cli, id, verb, reason) : NULL;
    struct lore_member members[] = {{"reason", reason, NULL}, {"id", decision, NULL}};
    int code = lore_ask_post(cli, lore_ask_path(cli, prefix, id, verb), members, 2, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "%s %s%s\n", done, say_id(cli, id),
            lore_streq(lore_answer_text(root, "status"), "duplicate") ? " (stored before)" : "");
    return code;
}

int
lore_ask_named(struct lore_cli *cli, const char *prefix, const char *name, const char **id)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    if (lore_ulid_valid(name)) {
        *id = name;
        return LORE_EXIT_OK;
    }
    lore_query_start(&q, prefix);
    lore_query_segment(&q, name);
    int code = lore_cli_fetch(cli, &q, false, &root);
    *id = lore_answer_text(root, "id");
    return code == LORE_EXIT_OK && !*id ? LORE_EXIT_SERVICE : code;
}

int
lore_ask_get(struct lore_cli *cli, const char *prefix, const char *segment, const char *suffix,
    struct lore_json **root)
{
    struct lore_query q;

    lore_query_start(&q, prefix);
    lore_query_segment(&q, segment);
    if (suffix)
        lore_query_segment(&q, suffix);
    return lore_cli_get(cli, &q, root);
}

bool
lore_ask_quietly(struct lore_cli *cli, struct lore_query *q, struct lore_json **root)
{
    size_t out = cli->out.len, err = cli->err.len;

    if (lore_cli_fetch(cli, q, true, root) == LORE_EXIT_OK)
        return true;
    cli->out.len = out;
    cli->err.len = err;
    if (cli->out.data)
        cli->out.data[out] = '\0';
    if (cli->err.data)
        cli->err.data[err] = '\0';
    return false;
}

int
lore_ask_submit(
    struct lore_cli *cli, const struct lore_submission *doc, bool dry, struct lore_json **receipt)
{
    struct lore_submission of_project = *doc;
    struct lore_buf body = {.max = LORE_WIRE_MAX_BYTES};
    struct lore_err err = {0};
    int code = LORE_EXIT_OK;

    *receipt = NULL;
    if (!doc->project)
        of_project.project = cli->config.project;
    if (lore_build_encode(&of_project, &body, &err) != LORE_OK) {
        code = lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    } else if (dry) {
        lore_ask_preview(cli, body.data, body.len);
    } else {
        code = lore_cli_post(cli, "/api/v1/submissions", body.data, body.len, receipt);
    }
    lore_buf_free(&body);
    return code;
}

enum lore_status
lore_ask_read(const char *path, struct lore_buf *out, struct lore_err *err)
{
    char part[1 << 14];
    size_t n;

    if (strcmp(path, "-") != 0)
        return lore_file_read(path, out, err);
    while ((n = fread(part, 1, sizeof part, stdin)) > 0)
        lore_buf_add(out, part, n);
    if (ferror(stdin))
        return lore_fail(err, LORE_IO, "standard input: read error");
    return lore_buf_status(out, "standard input", err);
}

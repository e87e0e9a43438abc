/* Records an insight: a sentence or a page, with the scope it holds for. Its review state is
 * "not reviewed" until a curator changes it (`review`). */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/insight_doc.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define MAX_BODY (64u << 10) /* the longest text of the format */

const struct lore_opt lore_note_opts[] = {
    LORE_OPTS_INSIGHT,
    LORE_OPT_DRY_RUN,
    {NULL, 0, NULL, false, NULL},
};

static enum lore_status
take_language(const struct lore_args *args, struct lore_insight *out, struct lore_err *err)
{
    const char *given = lore_args_get(args, "language");

    if (!given)
        return LORE_OK;
    out->language = lore_language_find(given);
    if (out->language == LORE_LANG_NONE)
        return lore_fail_at(err, LORE_INVALID, "usage", "language",
            "--language: \"%s\" is no known language", given);
    return LORE_OK;
}

/* "-" is standard input. */
static enum lore_status
take_body(struct lore_cli *cli, const char *given, struct lore_insight *out, struct lore_err *err)
{
    struct lore_buf text = {.max = MAX_BODY};
    enum lore_status status = LORE_OK;

    if (given && strcmp(given, "-") == 0) {
        status = lore_ask_read("-", &text, err);
        given = text.data;
    }
    if (status == LORE_OK && given)
        out->body = lore_strdup(cli->arena, given);
    lore_buf_free(&text);
    return status;
}

/* Bytes of the first sentence or line of TEXT, at most a title's. */
static size_t
first_sentence(const char *text)
{
    enum { TITLE = 100 };
    size_t n = strcspn(text, "\n");

    for (size_t i = 0; i + 1 < n; i++)
        if (strchr(".!?", text[i]) && text[i + 1] == ' ')
            n = i;
    for (n = n < TITLE ? n : TITLE; ((unsigned char)text[n] & 0xc0) == 0x80;)
        n--;
    return n;
}

enum lore_status
lore_insight_options(struct lore_cli *cli, const struct lore_args *args, const char *default_kind,
    struct lore_insight *out, struct lore_err *err)
{
    const char *kind = lore_args_get(args, "kind"), *bottleneck = lore_args_get(args, "bottleneck");
    const struct {
        const char *option, **member;
    } texts[] = {{"title", &out->title}, {"operator", &out->op}, {"family", &out->family},
        {"chip", &out->chip}, {"technique", &out->technique}};
    struct lore_diagnosis labels = {0};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (lore_args_get(args, texts[i].option))
            *texts[i].member = lore_args_get(args, texts[i].option);
    }
    out->kind = kind ? kind : default_kind;
    enum lore_status status = take_body(cli, lore_args_get(args, "body"), out, err);
    if (status == LORE_OK)
        status = take_language(args, out, err);
    if (status == LORE_OK && bottleneck) {
        if (!lore_build_labels(cli->arena, &labels, bottleneck))
            return lore_fail_at(err, LORE_INVALID, "usage", "bottleneck",
                "--bottleneck: \"%s\" names no known label", bottleneck);
        out->labels = labels.labels;
    }
    if (!out->title && out->body && lore_streq(default_kind, "note"))
        out->title = lore_strndup(cli->arena, out->body, first_sentence(out->body));
    if (status == LORE_OK && (!out->title || !*out->title))
        return lore_fail_at(err, LORE_INVALID, "usage", "title", "--title: required");
    if (status == LORE_OK && (!out->body || !*out->body))
        return lore_fail_at(err, LORE_INVALID, "usage", "body", "--body: required");
    return status;
}

int
lore_insight_send(
    struct lore_cli *cli, struct lore_insight *insight, bool dry, struct lore_json **receipt)
{
    struct lore_submission doc = {.format = LORE_WIRE_VERSION,
        .id = lore_build_new_id(cli->arena),
        .insights = insight,
        .n_insights = 1};

    doc.author.name = cli->config.author;
    insight->author = cli->config.author;
    insight->id = lore_build_id(cli->arena, 0, "insight\n%s\n%s\n%s\n%s\n%s\n%s\n%s",
        insight->title, insight->body, insight->kind, insight->op ? insight->op : "",
        insight->chip ? insight->chip : "", insight->technique ? insight->technique : "",
        insight->author ? insight->author : "");
    return lore_ask_submit(cli, &doc, dry, receipt);
}

int
lore_cmd_note(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_insight insight = {0};
    struct lore_json *receipt = NULL;
    struct lore_err err = {0};

    if (lore_insight_options(cli, args, "note", &insight, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    bool dry = lore_args_has(args, "dry-run");
    int code = lore_insight_send(cli, &insight, dry, &receipt);
    if (code == LORE_EXIT_OK && cli->json && receipt)
        lore_cli_print_json(cli, receipt);
    else if (code == LORE_EXIT_OK && !dry)
        lore_buf_printf(
            &cli->out, "noted %s  %s\n", insight.id, lore_print_clean(cli, insight.title));
    return code;
}

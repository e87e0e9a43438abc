/* Full-text search over all records that have words. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const struct lore_opt lore_search_opts[] = {
    {"in", 0, "KIND", false,
        "experiment, hypothesis, insight, version, technique, source_document, campaign or "
        "direction"},
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};

/* The service marks hits with U+0002 and U+0003; bold them, or drop the marks. */
static const char *
marked(struct lore_cli *cli, const char *snippet)
{
    struct lore_buf b = {.max = 64u << 10};

    for (const char *p = snippet ? snippet : ""; *p;) {
        size_t n = strcspn(p, "\002\003");
        const char *part = lore_print_clean(cli, lore_strndup(cli->arena, p, n));
        lore_buf_puts(&b, part);
        p += n;
        if (*p && cli->colour)
            lore_buf_puts(&b, *p == '\002' ? "\033[1m" : "\033[0m");
        p += *p != '\0';
    }
    const char *out = lore_strdup(cli->arena, b.data ? b.data : "");
    lore_buf_free(&b);
    return out;
}

static const char *
joined_words(struct lore_cli *cli, const struct lore_args *args)
{
    const char *out = "";

    for (size_t i = 0; i < args->words.n; i++)
        out = lore_format(cli->arena, "%s%s%s", out, i ? " " : "", args->words.v[i]);
    return out;
}

static void
print_hits(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *rows = lore_json_get(root, "rows");

    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next) {
        const char *id = lore_answer_text(r, "id"), *title = lore_answer_text(r, "title");
        const char *snippet = marked(cli, lore_answer_text(r, "snippet"));
        lore_buf_printf(&cli->out, "%s  %s  %s\n", id ? id : "?",
            lore_print_styled(cli, LORE_DIM, lore_print_clean(cli, lore_answer_text(r, "kind"))),
            lore_print_clean(cli, title ? title : ""));
        if (*snippet)
            lore_buf_printf(&cli->out, "    %s\n", snippet);
    }
    if (lore_answer_text(root, "next"))
        lore_buf_printf(&cli->out, "more: --cursor %s\n", lore_answer_text(root, "next"));
}

int
lore_cmd_search(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;
    const char *words = joined_words(cli, args);
    const char *limit = lore_args_get(args, "limit");

    lore_query_start(&q, "/api/v1/search");
    lore_query_add(&q, "words", words);
    lore_query_add(&q, "in", lore_args_get(args, "in"));
    lore_query_add(&q, "limit", limit ? limit : "20");
    lore_query_add(&q, "cursor", lore_args_get(args, "cursor"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    const struct lore_json *rows = lore_json_get(root, "rows");
    bool none = !rows || !rows->child;
    if (!cli->json && none)
        lore_buf_printf(&cli->out, "nothing mentions \"%s\"\n", lore_print_clean(cli, words));
    else if (!cli->json)
        print_hits(cli, root);
    return code;
}

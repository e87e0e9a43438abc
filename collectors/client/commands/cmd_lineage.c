/* The ancestors and descendants of a version; environments, and the differences between two of
 * them. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_environments_opts[] = {
    LORE_OPT_CHIP,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};
static const struct lore_shown kin_columns[] = {{"version", "version", LORE_AS_TEXT, 0},
    {"label", "label", LORE_AS_TEXT, LORE_FLEXIBLE}, {"kind", "kind", LORE_AS_TEXT, 0},
    {"steps", "depth", LORE_AS_TEXT, LORE_RIGHT}, {"edge", "edge", LORE_AS_WORD, 0},
    {"with", "child|parent", LORE_AS_TEXT, LORE_OPTIONAL}};
static const struct lore_shown environment_columns[] = {{"environment", "id", LORE_AS_TEXT, 0},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"captured", "captured_at", LORE_AS_DAY, LORE_OPTIONAL},
    {"hard", "hard", LORE_AS_MEMBERS, LORE_FLEXIBLE}};
static const struct lore_shown value_columns[] = {{"field", "name", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"a", "a", LORE_AS_TEXT, LORE_FLEXIBLE}, {"b", "b", LORE_AS_TEXT, LORE_FLEXIBLE}};

static void
print_kin(struct lore_cli *cli, const struct lore_json *root, const char *key, const char *title)
{
    const struct lore_json *rows = lore_json_get(root, key);

    lore_rows_heading(cli, title);
    if (!rows || !rows->child)
        lore_buf_printf(&cli->out, "  none\n");
    else
        (void)LORE_ROWS_PRINT(cli, kin_columns, rows->child);
    if (lore_answer_true(root, lore_format(cli->arena, "%s_cut", key)))
        lore_buf_printf(&cli->out, "  … and more\n");
}

int
lore_cmd_lineage(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;

    int code = lore_ask_get(cli, "/api/v1/versions", args->words.v[0], "lineage", &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_printf(&cli->out, "version %s\n", lore_answer_text(root, "version"));
    print_kin(cli, root, "ancestors", "Ancestors");
    print_kin(cli, root, "descendants", "Descendants");
    return code;
}

static void
print_differences(
    struct lore_cli *cli, const struct lore_json *root, const char *key, const char *title)
{
    const struct lore_json *rows = lore_json_get(root, key);

    lore_rows_heading(cli, title);
    if (!rows || !rows->child)
        lore_buf_printf(&cli->out, "  the same\n");
    else
        (void)LORE_ROWS_PRINT(cli, value_columns, rows->child);
}

static int
compare(struct lore_cli *cli, const struct lore_args *args)
{
    const char *a = args->words.v[1], *b = args->words.v[2];
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/environments");
    lore_query_segment(&q, a);
    lore_query_segment(&q, "compare");
    lore_query_segment(&q, b);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_printf(&cli->out, "times of the two environments %s\n",
        lore_answer_true(root, "comparable") ? "are comparable" : "are not comparable");
    print_differences(cli, root, "hard", "Hard fields");
    print_differences(cli, root, "soft", "Soft fields");
    return code;
}

int
lore_cmd_environments(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"chip", "limit", "cursor", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;

    if (args->words.n == 3 && lore_streq(args->words.v[0], "diff"))
        return compare(cli, args);
    if (args->words.n > 0)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "give nothing, or diff ENVIRONMENT ENVIRONMENT");
    lore_query_start(&q, "/api/v1/environments");
    lore_ask_params(cli, args, params, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    return LORE_ROWS_ANSWER(cli, environment_columns, root, "no environments");
}

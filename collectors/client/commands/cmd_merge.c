/* Merges duplicate experiments. Without ids: lists likely duplicates. With ids: previews the
 * merge, or does it. The members stay stored; one represents all until unmerge. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/wire/build.h"

const struct lore_opt lore_merge_opts[] = {
    {"canonical", 0, "ID", false,
        "The canonical experiment, which counts for all (default: the best win, else the fastest)"},
    LORE_OPT_REASON,
    LORE_OPT_DRY_RUN,
    LORE_OPT_OPERATOR,
    {NULL, 0, NULL, false, NULL},
};

/* Print the members of a group and mark the canonical one. */
static void
print_group(struct lore_cli *cli, const struct lore_json *g)
{
    const struct lore_json *members = lore_json_get(g, "members");
    const char *canonical = lore_answer_text(g, "canonical"), *why = lore_answer_text(g, "why");

    for (const struct lore_json *m = members ? members->child : NULL; m; m = m->next) {
        const char *id = m->type == LORE_J_STRING ? m->str : lore_answer_text(m, "id");
        const char *title = lore_answer_text(m, "title");
        const char *outcome = lore_answer_show_outcome(cli, lore_json_get(m, "outcome"));
        lore_print_wrapped(cli,
            lore_format(cli->arena, "  %s %s  ", id && lore_streq(id, canonical) ? "*" : " ",
                id ? id : "?"),
            6,
            lore_format(cli->arena, "%s%s%s [%s]", outcome ? outcome : "no verdict",
                title ? ": " : "", title ? title : "",
                lore_answer_text(m, "operator") ? lore_answer_text(m, "operator") : "?"));
    }
    if (lore_answer_true(g, "conflict"))
        lore_buf_printf(&cli->out, "    %s\n",
            lore_print_styled(cli, LORE_YELLOW, "their outcomes differ: check them first"));
    if (why)
        lore_print_wrapped(cli, "    ", 4, why);
}

static int
propose(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"operator", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/merges/proposals");
    lore_ask_params(cli, args, params, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json)
        return code;
    size_t n = 0;
    for (const struct lore_json *g = lore_rows_of(root); g; g = g->next) {
        lore_buf_printf(&cli->out, "%s%zu.%s\n", n ? "\n" : "", n + 1,
            lore_answer_true(g, "conflict") ? " conflict" : "");
        print_group(cli, g);
        n++;
    }
    if (n == 0)
        lore_buf_puts(&cli->out, "there are no duplicate experiments\n");
    else
        lore_buf_puts(
            &cli->out, "\n* would be canonical. Nothing is merged until you name the ids.\n");
    return code;
}

static void
print_merge(struct lore_cli *cli, const struct lore_json *root, bool dry)
{
    const char *id = lore_answer_text(root, "id"), *notes = lore_answer_text(root, "notes");

    lore_buf_printf(&cli->out, "%s%s%s\n", dry ? "would merge (nothing was changed)" : "merged",
        id ? " as " : "", id ? id : "");
    print_group(cli, root);
    if (notes && *notes)
        lore_print_wrapped(cli, "    notes: ", 11, notes);
    if (lore_answer_text(root, "hypothesis"))
        lore_print_wrapped(cli, "    hypothesis: ", 16, lore_answer_text(root, "hypothesis"));
    if (!dry && id)
        lore_buf_printf(&cli->out, "undo: warplore unmerge %s --reason TEXT\n", id);
}

int
lore_cmd_merge(struct lore_cli *cli, const struct lore_args *args)
{
    const char *canonical = lore_args_get(args, "canonical");
    const char *reason = lore_args_get(args, "reason"), *ids = "";
    bool dry = lore_args_has(args, "dry-run");
    struct lore_json *root = NULL;

    if (args->words.n == 0)
        return propose(cli, args);
    if (args->words.n < 2)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "merge: two experiments or more");
    for (size_t i = 0; i < args->words.n; i++) {
        ids = lore_format(
            cli->arena, "%s%s%s", ids, i ? "," : "", lore_kvs_quote(cli->arena, args->words.v[i]));
    }
    if (!reason && dry)
        reason = "preview"; /* the service requires a reason and does not store that of a preview */
    if (!reason && !(reason = lore_ask_reason(cli, args)))
        return LORE_EXIT_USAGE;
    struct lore_member members[] = {{"members", NULL, lore_format(cli->arena, "[%s]", ids)},
        {"canonical", canonical, NULL}, {"reason", reason, NULL},
        {"dry_run", NULL, dry ? "true" : NULL}};
    int code = lore_ask_post(cli, "/api/v1/merges", members, 4, &root);
    if (code == LORE_EXIT_OK && cli->json)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        print_merge(cli, root, dry);
    return code;
}

int
lore_cmd_unmerge(struct lore_cli *cli, const struct lore_args *args)
{
    return lore_ask_decide(cli, args, 0, "/api/v1/merges", "undo", "unmerged");
}

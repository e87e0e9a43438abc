/* Decisions about one record: retract it, review an insight, add a remark. Each becomes a stored
 * record with its author and reason; nothing is deleted. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const struct lore_opt lore_review_opts[] = {
    LORE_OPT_STATE,
    LORE_OPT_REASON,
    {NULL, 0, NULL, false, NULL},
};

/* Say which record was retracted, by which decision, and how to undo it. */
static void
say_retracted(struct lore_cli *cli, const char *id, const struct lore_json *done)
{
    const char *decision = lore_answer_text(done, "id"), *action;
    bool before = lore_streq(lore_answer_text(done, "status"), "duplicate");
    struct lore_json *subject = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/curations");
    lore_query_segment(&q, id);
    action = lore_ask_quietly(cli, &q, &subject) ? lore_answer_text(subject, "action") : NULL;
    if (action)
        lore_buf_printf(&cli->out, "%s %s (%s), by decision %s%s\n",
            before ? "taken back before:" : "took back", id, action, decision,
            lore_streq(action, "retract") ? "; what it retracted counts again" : "");
    else
        lore_buf_printf(&cli->out, "%s %s, by decision %s\n%sundo: warplore retract %s\n",
            before ? "retracted already:" : "retracted", id, decision,
            before ? "" : "any experiment that compared with it has no verdict now\n", decision);
}

/* No id is sent for a safe retry: the service retracts a record once. */
int
lore_cmd_retract(struct lore_cli *cli, const struct lore_args *args)
{
    const char *id = args->words.v[0], *reason = lore_ask_reason(cli, args);
    const struct lore_member members[] = {{"reason", reason, NULL}};
    struct lore_json *root = NULL;
    int code;

    if (!reason)
        return LORE_EXIT_USAGE;
    code =
        lore_ask_post(cli, lore_ask_path(cli, "/api/v1/records", id, "retract"), members, 1, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        say_retracted(cli, id, root);
    return code;
}

const struct lore_opt lore_quarantine_opts[] = {
    LORE_OPT_AUTHOR,
    LORE_OPT_SINCE,
    {"undo", 0, "ID", false, "Let everything of quarantine ID count again"},
    LORE_OPT_REASON,
    {NULL, 0, NULL, false, NULL},
};

int
lore_cmd_quarantine(struct lore_cli *cli, const struct lore_args *args)
{
    const char *author = lore_args_get(args, "author"), *undo = lore_args_get(args, "undo");
    const char *reason = lore_ask_reason(cli, args);
    struct lore_json *root = NULL;

    if (!author == !undo)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "say --author NAME, or --undo ID");
    if (!reason)
        return LORE_EXIT_USAGE;
    struct lore_member members[] = {{"reason", reason, NULL}, {"author", author, NULL},
        {"since", undo ? NULL : lore_args_get(args, "since"), NULL}};
    int code = lore_ask_post(cli,
        undo ? lore_ask_path(cli, "/api/v1/records", undo, "retract") : "/api/v1/quarantines",
        members, undo ? 1 : 3, &root);
    if (code != LORE_EXIT_OK || !root)
        return code;
    if (cli->json)
        lore_cli_print_json(cli, root);
    else if (undo)
        lore_buf_printf(&cli->out, "undone: %s\n", undo);
    else
        lore_buf_printf(&cli->out,
            "%s by %s no longer count%s\nundo: warplore quarantine --undo %s\n",
            lore_answer_show_count(cli, lore_answer_int(root, "records"), "record", "records"),
            author, lore_answer_int(root, "records") == 1 ? "s" : "", lore_answer_text(root, "id"));
    return code;
}

int
lore_cmd_comment(struct lore_cli *cli, const struct lore_args *args)
{
    return lore_ask_decide(cli, args, 0, "/api/v1/records", "comment", "commented on");
}

int
lore_cmd_review(struct lore_cli *cli, const struct lore_args *args)
{
    const char *id = args->words.v[0], *state = lore_args_get(args, "state"), *reason;
    struct lore_json *root = NULL;

    if (!state || !*state)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--state: required: draft, reviewed or rejected");
    if (!(reason = lore_ask_reason(cli, args)))
        return LORE_EXIT_USAGE;
    struct lore_member members[] = {{"state", state, NULL}, {"reason", reason, NULL}};
    int code =
        lore_ask_post(cli, lore_ask_path(cli, "/api/v1/insights", id, "review"), members, 2, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "%s is %s\n", id, state);
    return code;
}

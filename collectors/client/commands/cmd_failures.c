/* Lists recorded failures with their count, cause and fix. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_failures_opts[] = {
    LORE_OPT_ERROR_TYPE,
    LORE_OPT_KERNEL,
    LORE_OPT_CAMPAIGN,
    LORE_OPT_AUTHOR,
    LORE_OPT_SINCE,
    LORE_OPT_ALL,
    {NULL, 0, NULL, false, NULL},
};

/* "more unroll, rope_kv_append v4": the newest experiment of the group; NULL: none has a title. */
static const char *
show_newest(struct lore_cli *cli, const struct lore_json *r)
{
    const char *title = lore_answer_text(r, "title"), *kernel = lore_answer_text(r, "kernel"),
               *version = lore_answer_text(r, "version");

    return title ? lore_format(cli->arena, "%s%s%s%s%s", title, kernel ? ", " : "",
                       kernel ? kernel : "", version ? " " : "", version ? version : "")
                 : NULL;
}

static void
print_failure(struct lore_cli *cli, const struct lore_json *r)
{
    const char *what =
        lore_answer_text(r, "code") ? lore_answer_text(r, "code") : lore_answer_text(r, "message");
    const struct lore_json *of = lore_json_get(r, "experiments");
    bool runs = !of || !of->child;
    long long count = lore_answer_int(r, "count"), times = lore_answer_int(r, "recurrences");

    lore_print_wrapped(cli, "", 2,
        lore_format(cli->arena, "%s: %s (%s%s)", lore_answer_text(r, "error_type"),
            what ? what : "no message recorded",
            lore_answer_show_count(
                cli, times, runs ? "run" : "experiment", runs ? "runs" : "experiments"),
            count > times ? lore_format(cli->arena, ", %lld times", count) : ""));
    if (lore_answer_text(r, "code"))
        lore_rows_line(cli, "message", lore_answer_text(r, "message"));
    lore_rows_line(cli, "root cause", lore_answer_text(r, "root_cause"));
    lore_rows_line(cli, "fix", lore_answer_text(r, "fix"));
    lore_rows_line(cli, "lesson", lore_answer_text(r, "lesson"));
    const char *experiments = lore_answer_join(cli, lore_json_get(r, "experiments"), " ");
    lore_rows_line(cli, "newest", show_newest(cli, r));
    lore_rows_line(cli, "notes", lore_answer_text(r, "notes"));
    if (*experiments)
        lore_rows_line(cli, "ids", experiments);
    else
        lore_rows_line(cli, "run", lore_answer_text(r, "run"));
}

int
lore_cmd_failures(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {
        "error-type", "kernel", "campaign", "author", "since", NULL};
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/failures");
    lore_ask_params(cli, args, params, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    if (!lore_rows_of(root))
        lore_buf_puts(&cli->out,
            "no failures are recorded: warplore try CHANGE --error compile --log FILE\n");
    for (const struct lore_json *r = lore_rows_of(root); r; r = r->next)
        print_failure(cli, r);
    return code;
}

/* Has this plan been tried? Prints a warning before the work, and never refuses; `record` uses
 * the same check. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/duplicates_ask.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/base/ulid.h"

const struct lore_opt lore_duplicates_opts[] = {
    LORE_OPT_KERNEL,
    LORE_OPT_OPERATOR,
    LORE_OPT_TECHNIQUES,
    LORE_OPT_CHIP,
    LORE_OPT_WORKLOAD,
    LORE_OPT_FROM,
    {NULL, 0, NULL, false, NULL},
};

static const struct lore_shown columns[] = {
    {"experiment", "experiment.id", LORE_AS_TEXT, 0},
    {"outcome", "experiment.outcome", LORE_AS_OUTCOME, 0},
    {"started from", "state", LORE_AS_WORD, 0},
    {"language", "experiment.language", LORE_AS_TEXT, LORE_OPTIONAL},
    {"what", "experiment.techniques|experiment.title", LORE_AS_NAMES, LORE_FLEXIBLE},
};

void
lore_duplicates_query(const struct lore_plan *plan, struct lore_query *q)
{
    lore_query_start(q, "/api/v1/duplicates");
    lore_query_add(q, "kernel", plan->kernel);
    lore_query_add(q, "operator", plan->op);
    lore_query_add(q, "technique", plan->techniques);
    lore_query_add(q, "chip", plan->chip);
    lore_query_add(q, "workload", plan->workload);
    lore_query_add(q, "from", plan->from);
}

int
lore_cmd_duplicates(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_plan plan = {.kernel = lore_args_get(args, "kernel"),
        .op = lore_args_get(args, "operator"),
        .techniques = "",
        .chip = lore_args_get(args, "chip"),
        .workload = lore_args_get(args, "workload"),
        .from = lore_args_get(args, "from")};
    struct lore_json *root = NULL;
    struct lore_query q;
    const char *name;
    size_t at = 0;

    while ((name = lore_args_next(args, "technique", &at)))
        plan.techniques =
            lore_format(cli->arena, "%s%s%s", plan.techniques, *plan.techniques ? "," : "", name);
    if ((!plan.kernel && !plan.op) || !*plan.techniques)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "duplicates: --technique is required, and --kernel or --operator");
    lore_duplicates_query(&plan, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    int answer = lore_rows_of(root) ? LORE_EXIT_OK : LORE_EXIT_NO;
    if (cli->json)
        return answer;
    const char *warning = lore_answer_text(root, "warning");
    if (!LORE_ROWS_PRINT(cli, columns, lore_rows_of(root)))
        lore_buf_puts(&cli->out, "no experiment tried exactly this; for one technique: warplore "
                                 "list --technique NAME\n");
    if (!plan.from && lore_rows_of(root))
        lore_buf_puts(&cli->out, "without --from it is unknown whether these started from the "
                                 "same version\n");
    if (warning)
        lore_print_wrapped(cli, "", 0, warning);
    if (lore_answer_int(root, "masked") > 0)
        lore_buf_printf(&cli->out, "%lld more are masked\n", lore_answer_int(root, "masked"));
    return answer;
}

void
lore_duplicates_warn(struct lore_cli *cli, const struct lore_plan *plan)
{
    struct lore_json *root = NULL;
    struct lore_query q;
    size_t n = 0;

    if ((!plan->kernel && !plan->op) || !plan->techniques || !*plan->techniques)
        return;
    lore_duplicates_query(plan, &q);
    if (!lore_ask_quietly(cli, &q, &root))
        return;
    for (const struct lore_json *r = lore_rows_of(root); r && n < 3; r = r->next, n++) {
        const char *effect = lore_answer_show_outcome(cli, lore_rows_at(r, "experiment.outcome"));
        const char *title = lore_rows_at_text(r, "experiment.title");
        if (n == 0)
            lore_buf_puts(&cli->err, "warplore: this has been tried before (--no-check skips "
                                     "this check)\n");
        lore_buf_printf(&cli->err, "  %s  %s%s%s\n", lore_rows_at_text(r, "experiment.id"),
            effect ? effect : "no verdict", title ? ": " : "",
            title ? lore_print_clean(cli, title) : "");
    }
}

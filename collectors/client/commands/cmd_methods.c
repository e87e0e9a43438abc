/* Chooses methods by the rules of the branch-and-ablate workflow: `triggers --select` shows the
 * service's choice for a run; `methods check` checks a choice against the rules. The service does
 * all arithmetic. */
#include "collectors/client/commands/cmd_methods.h"
#include "collectors/client/commands/options.h"

#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "service/base/text.h"

#define CHOICE_OPTS                                                                                \
    {"budget", 0, "C,M,L", false, "Methods for compute, memory, latency: 1,2,0"}, LORE_OPT_CHIP,   \
        {"selected", 0, "IDS", false, "Methods selected before, comma-separated"},                 \
        {"ineffective", 0, "IDS", false, "Methods that were ineffective"},                         \
        {"failed", 0, "IDS", false, "Methods whose implementation failed"},                        \
    {                                                                                              \
        "skip", 0, "IDS", false, "Methods whose skip condition holds"                              \
    }

const struct lore_opt lore_triggers_opts[] = {
    {"select", 0, NULL, false, "Also choose methods by the axis budget"},
    CHOICE_OPTS,
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_methods_opts[] = {
    LORE_OPT_RUN,
    CHOICE_OPTS,
    {"skipped", 0, "ID:REASON,…", false, "Methods of higher priority that were skipped"},
    {"allow-ineffective", 0, NULL, false, "Allow methods that were ineffective before"},
    {NULL, 0, NULL, false, NULL},
};

void
lore_cmd_choice_query(struct lore_query *q, const struct lore_args *args)
{
    static const char *const names[] = {
        "budget", "chip", "selected", "ineffective", "failed", "skip"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        lore_query_add(q, names[i], lore_args_get(args, names[i]));
}

static void
print_budget(struct lore_cli *cli, const struct lore_json *of)
{
    const struct lore_json *b = lore_json_get(of, "budget");
    const char *from = lore_answer_text(of, "budget_from");

    if (!b || !lore_answer_text(b, "compute"))
        lore_rows_line(cli, "axis budget", "UNKNOWN: the gaps of the run are not all known");
    else
        lore_rows_line(cli, "axis budget",
            lore_format(cli->arena, "compute %s, memory %s, latency %s (%s)",
                lore_answer_text(b, "compute"), lore_answer_text(b, "memory"),
                lore_answer_text(b, "latency"), from != NULL ? lore_print_clean(cli, from) : "?"));
}

static const struct lore_shown chosen_columns[] = {
    {"chosen", "method", LORE_AS_TEXT, 0},
    {"axis", "axis", LORE_AS_TEXT, 0},
    {"priority", "priority", LORE_AS_TEXT, LORE_RIGHT},
    {"strength", "strength", LORE_AS_NUMBER, LORE_RIGHT},
};
static const struct lore_shown skipped_columns[] = {
    {"skipped", "method", LORE_AS_TEXT, 0},
    {"axis", "axis", LORE_AS_TEXT, 0},
    {"priority", "priority", LORE_AS_TEXT, LORE_RIGHT},
    {"why", "reason", LORE_AS_WORD, 0},
    {"", "note", LORE_AS_TEXT, LORE_FLEXIBLE},
};

void
lore_cmd_print_selection(struct lore_cli *cli, const struct lore_json *selection)
{
    const struct lore_json *chosen = lore_json_get(selection, "chosen");
    const struct lore_json *skipped = lore_json_get(selection, "skipped");
    const char *unknown =
        lore_answer_join(cli, lore_rows_at(selection, "gaps.unknown_inputs"), ", ");

    lore_rows_heading(cli, "Next methods");
    print_budget(cli, selection);
    if (!lore_rows_at_text(selection, "budget.compute")) {
        lore_rows_line(cli, "not known", unknown);
        lore_rows_line(cli, "", "set --budget C,M,L to choose without the gaps");
        return;
    }
    if (!chosen || !chosen->child)
        lore_rows_line(cli, "chosen", "none: no method on these axes passes the rules");
    else
        LORE_ROWS_PRINT(cli, chosen_columns, chosen->child);
    if (skipped && skipped->child)
        LORE_ROWS_PRINT(cli, skipped_columns, skipped->child);
}

static const struct lore_shown error_columns[] = {
    {"rule", "code", LORE_AS_TEXT, 0},
    {"method", "method", LORE_AS_TEXT, 0},
    {"", "message", LORE_AS_TEXT, LORE_FLEXIBLE},
};

int
lore_cmd_methods(struct lore_cli *cli, const struct lore_args *args)
{
    const struct lore_json *errors;
    struct lore_json *root = NULL;
    struct lore_query q;
    const char *ids = NULL;
    int code;

    if (!lore_streq(args->words.v[0], "check") || args->words.n < 2)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "methods: expected: warplore methods check METHOD…");
    for (size_t i = 1; i < args->words.n; i++)
        ids = !ids ? args->words.v[i] : lore_format(cli->arena, "%s,%s", ids, args->words.v[i]);
    lore_query_start(&q, "/api/v1/methods/validate");
    lore_query_add(&q, "methods", ids);
    lore_query_add(&q, "run", lore_args_get(args, "run"));
    lore_cmd_choice_query(&q, args);
    lore_query_add(&q, "skipped", lore_args_get(args, "skipped"));
    if (lore_args_has(args, "allow-ineffective"))
        lore_query_add(&q, "allow_ineffective", "true");
    code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    errors = lore_json_get(root, "errors");
    if (cli->json)
        return errors && errors->child ? LORE_EXIT_NO : LORE_EXIT_OK;
    print_budget(cli, root);
    if (!errors || !errors->child) {
        lore_rows_line(cli, "choice", "follows the rules");
        return LORE_EXIT_OK;
    }
    LORE_ROWS_PRINT(cli, error_columns, errors->child);
    return LORE_EXIT_NO;
}

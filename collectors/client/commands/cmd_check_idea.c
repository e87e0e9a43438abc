/* Has this idea failed here? Asked before the work. Prints
 * the answer with its reason, the attempts that it follows from, and the state of the lineage. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/idea_plan.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "collectors/run/hypothesis_file.h"
#include "service/base/text.h"

enum { SHOWN = 3 };

const struct lore_opt lore_check_idea_opts[] = {
    LORE_OPT_KERNEL,
    LORE_OPT_OPERATOR,
    LORE_OPT_TECHNIQUES,
    {"params", 0, "PARAMS", true, "Parameters: tile=64,stages=3"},
    LORE_OPT_HYPOTHESIS_FILE,
    LORE_OPT_FROM,
    LORE_OPT_CHIP,
    LORE_OPT_DIMS,
    LORE_OPT_DTYPE,
    LORE_OPT_WORKLOAD,
    {NULL, 0, NULL, false, NULL},
};

static const struct answer {
    const char *name, *shown;
    enum lore_style style;
    int code;
} answers[] = {
    {"stop", "stop", LORE_RED, LORE_EXIT_STOP},
    {"known", "known", LORE_YELLOW, LORE_EXIT_ELSEWHERE},
    {"won_here", "won here", LORE_YELLOW, LORE_EXIT_WON_HERE},
    {"new", "new", LORE_GREEN, LORE_EXIT_OK},
};

static const struct answer *
answer_of(const struct lore_json *root)
{
    const char *name = lore_answer_text(root, "answer");

    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++)
        if (lore_streq(answers[i].name, name))
            return &answers[i];
    return NULL;
}

/* The attempts that the answer follows from, by id and words. */
static void
print_attempts(struct lore_cli *cli, const struct lore_json *root)
{
    long long found = lore_answer_int(root, "found");
    size_t n = 0;

    for (const struct lore_json *r = lore_rows_of(root); r && n < SHOWN; r = r->next, n++) {
        const char *said = lore_answer_text(r, "words");
        double speedup;
        const char *became = lore_answer_number(r, "speedup", &speedup)
                                 ? lore_answer_show_factor(cli, speedup)
                                 : lore_answer_show_word(cli, lore_answer_text(r, "end"));
        const char *first = lore_format(cli->arena, "  %s  ", lore_idea_cite(cli, r));
        lore_print_wrapped(cli, first, (int)strlen(first),
            lore_format(cli->arena, "%s: %s", became, said ? said : "no words recorded"));
    }
    if (found > SHOWN)
        lore_buf_printf(&cli->out, "  and %lld more\n", found - SHOWN);
}

/* What insights say of the plan's techniques. */
static void
print_insights(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "insights");
    size_t n = 0;

    for (const struct lore_json *r = list ? list->child : NULL; r && n < SHOWN; r = r->next, n++) {
        const char *first = lore_format(cli->arena, "  %s  ", lore_answer_text(r, "insight"));
        lore_print_wrapped(cli, first, (int)strlen(first),
            lore_format(cli->arena, "%s%s: %s",
                lore_streq(lore_answer_text(r, "kind"), "anti_strategy") ? "trap" : "insight",
                lore_streq(lore_answer_text(r, "state"), "draft") ? " (draft)" : "",
                lore_answer_text(r, "title")));
    }
}

/* What became of each technique of the plan; without similar attempts the reason says it. */
static void
print_techniques(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "techniques");

    for (const struct lore_json *r = list ? list->child : NULL; r; r = r->next) {
        const char *text = lore_answer_text(r, "text");
        if (text && *text && lore_answer_int(root, "found") > 0)
            lore_print_wrapped(cli, "  ", 2,
                lore_format(cli->arena, "%s: %s", lore_answer_text(r, "technique"), text));
    }
}

static void
print_state(struct lore_cli *cli, const struct lore_json *root)
{
    long long recent = lore_answer_int(root, "recent");
    long long attempts = lore_answer_int(root, "attempts");

    if (attempts == 0)
        return;
    const char *text = lore_answer_show_count(cli, attempts, "attempt", "attempts");
    text = lore_answer_true(root, "unordered") && lore_answer_true(root, "gained")
               ? lore_format(cli->arena, "%s, some gained", text)
           : lore_answer_true(root, "gained")
               ? lore_format(cli->arena, "%s, %lld since the last gain", text,
                     lore_answer_int(root, "since_gain"))
               : lore_format(cli->arena, "%s, none gained", text);
    if (lore_answer_int(root, "recent_not_built") > 0)
        text = lore_format(cli->arena, "%s; %lld of the last %lld did not compile", text,
            lore_answer_int(root, "recent_not_built"), recent);
    lore_print_wrapped(cli, "", 0, text);
}

/* The words of the command line as one text, or the claim of --hypothesis. */
static enum lore_status
read_text(
    struct lore_cli *cli, const struct lore_args *args, const char **out, struct lore_err *err)
{
    const char *file = lore_args_get(args, "hypothesis-file");
    struct lore_hypothesis h = {0};

    for (size_t i = 0; i < args->words.n; i++)
        *out =
            lore_format(cli->arena, "%s%s%s", *out ? *out : "", *out ? " " : "", args->words.v[i]);
    if (!file)
        return LORE_OK;
    enum lore_status status = lore_hypothesis_file_read(file, cli->arena, &h, err);
    *out = h.claim;
    return status;
}

int
lore_cmd_check_idea(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_idea_plan plan = {.techniques = lore_idea_option(cli, args, "technique"),
        .params = lore_idea_option(cli, args, "params"),
        .kernel = lore_args_get(args, "kernel"),
        .op = lore_args_get(args, "operator"),
        .chip = lore_args_get(args, "chip"),
        .workload = lore_args_get(args, "workload"),
        .dims = lore_args_get(args, "dims"),
        .dtype = lore_args_get(args, "dtype"),
        .from = lore_args_get(args, "from")};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_query q;

    if (read_text(cli, args, &plan.text, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    if (!plan.techniques && !plan.text)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "check-idea: say the plan: warplore check-idea 'float4 loads' -k KERNEL");
    if (!plan.kernel && !plan.op && !plan.from)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "check-idea: --kernel or --operator is required without a session");
    lore_idea_query(cli, &plan, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    const struct answer *a = answer_of(root);
    if (!a)
        return lore_cli_say(cli, LORE_EXIT_SERVICE, "check-idea: the service gave no answer");
    if (cli->json)
        return a->code;
    lore_print_wrapped(cli,
        lore_print_styled(cli, a->style, lore_format(cli->arena, "%s: ", a->shown)), 2,
        lore_answer_text(root, "why"));
    print_attempts(cli, root);
    print_techniques(cli, root);
    print_insights(cli, root);
    print_state(cli, root);
    return a->code;
}

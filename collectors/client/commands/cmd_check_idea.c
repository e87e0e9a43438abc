/* Has this idea failed in this kernel's lineage? Asked before the work; `run` asks the same before
 * it starts the program. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/check_idea.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "collectors/run/hypothesis_file.h"
#include "service/base/text.h"

enum { CLAIM_MAX = 1000 };

const struct lore_opt lore_check_idea_opts[] = {
    LORE_OPT_TECHNIQUES,
    {"text", 0, "TEXT", false, "The claim, in words"},
    LORE_OPT_HYPOTHESIS_FILE,
    LORE_OPT_FROM,
    LORE_OPT_CHIP,
    LORE_OPT_WORKLOAD,
    {NULL, 0, NULL, false, NULL},
};

static const struct lore_shown columns[] = {
    {"experiment", "experiment", LORE_AS_TEXT, 0},
    {"repeat", "kind", LORE_AS_WORD, 0},
    {"why", "why", LORE_AS_TEXT, LORE_FLEXIBLE},
};

void
lore_check_idea_query(const struct lore_checked_idea *idea, struct lore_query *q)
{
    lore_query_start(q, "/api/v1/kernels");
    lore_query_segment(q, idea->kernel);
    lore_query_segment(q, "repeats");
    lore_query_add(q, "technique", idea->techniques);
    lore_query_add(q, "text", idea->text);
    lore_query_add(q, "chip", idea->chip);
    lore_query_add(q, "workload", idea->workload);
    lore_query_add(q, "from", idea->from);
}

/* A claim's first part, cut between characters. */
const char *
lore_check_idea_text(struct lore_arena *arena, const char *text)
{
    size_t n = text ? strlen(text) : 0;

    return n <= CLAIM_MAX ? text : lore_strndup(arena, text, lore_utf8_prefix(text, CLAIM_MAX));
}

/* Print that no similar idea failed here, how much was searched, and failures elsewhere. */
static void
print_nothing(struct lore_cli *cli, const struct lore_json *root)
{
    long long left_out = lore_answer_int(root, "left_out"),
              elsewhere = lore_answer_int(root, "elsewhere");

    if (left_out > 0)
        lore_buf_printf(&cli->out,
            "no similar idea failed among the newest %lld attempts here; %lld older ones were not "
            "looked at\n",
            lore_answer_int(root, "attempts"), left_out);
    else
        lore_buf_puts(&cli->out, "no similar idea failed here\n");
    if (elsewhere > 0)
        lore_buf_printf(&cli->out, "a similar idea failed on other chips or workloads: %s\n",
            lore_answer_show_count(cli, elsewhere, "attempt", "attempts"));
}

static void
print_state(struct lore_cli *cli, const struct lore_json *root)
{
    long long recent = lore_answer_int(root, "recent"),
              tried = lore_answer_int(root, "technique_tried");
    long long attempts = lore_answer_int(root, "attempts");

    lore_buf_puts(&cli->out, lore_answer_show_count(cli, attempts, "attempt", "attempts"));
    if (lore_answer_true(root, "gained"))
        lore_buf_printf(
            &cli->out, ", %lld since the last gain", lore_answer_int(root, "since_gain"));
    else if (attempts > 0)
        lore_buf_puts(&cli->out, ", none gained");
    if (tried > 0)
        lore_buf_printf(&cli->out, "; this technique failed %lld of %lld times",
            lore_answer_int(root, "technique_failed"), tried);
    if (lore_answer_int(root, "recent_not_built") > 0)
        lore_buf_printf(&cli->out, "; %lld of the last %lld did not compile",
            lore_answer_int(root, "recent_not_built"), recent);
    lore_buf_puts(&cli->out, "\n");
}

int
lore_cmd_check_idea(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_checked_idea idea = {.techniques = "",
        .chip = lore_args_get(args, "chip"),
        .workload = lore_args_get(args, "workload"),
        .from = lore_args_get(args, "from"),
        .text = lore_args_get(args, "text")};
    const char *file = lore_args_get(args, "hypothesis-file"), *name;
    struct lore_hypothesis h = {0};
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    struct lore_query q;
    size_t at = 0;

    while ((name = lore_args_next(args, "technique", &at)))
        idea.techniques =
            lore_format(cli->arena, "%s%s%s", idea.techniques, *idea.techniques ? "," : "", name);
    if (file && lore_hypothesis_file_read(file, cli->arena, &h, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    idea.text = lore_check_idea_text(cli->arena, file ? h.claim : idea.text);
    if (!*idea.techniques && !idea.text)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "check-idea: --technique, --text or --hypothesis-file is required");
    idea.kernel = args->words.v[0];
    lore_check_idea_query(&idea, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    int answer = lore_rows_of(root) ? LORE_EXIT_OK : LORE_EXIT_NO;
    if (cli->json)
        return answer;
    if (!LORE_ROWS_PRINT(cli, columns, lore_rows_of(root)))
        print_nothing(cli, root);
    print_state(cli, root);
    return answer;
}

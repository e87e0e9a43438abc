/* Campaigns (series of experiments with a goal, and the number that arrived) and directions (ideas
 * worth trying). */
#include <math.h>
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/commands/show_verdicts.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_page_opts[] = {
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_directions_opts[] = {
    LORE_OPT_STATE,
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};
const struct lore_opt lore_campaign_opts[] = {
    {"stop-reason", 0, "WORD", false,
        "close: max_iterations, target_met, near_peak, bottleneck_saturated, blocked, user, error"},
    LORE_OPT_REASON,
    {"expected", 0, "N", false, "amend: experiments that must arrive"},
    LORE_OPT_ITERATIONS,
    {"retrospective", 0, "TEXT", false, "close: what to do differently next time"},
    {NULL, 0, NULL, false, NULL},
};

/* GET one page of a list. Word 0, if given, limits the list to one kernel. */
static int
ask_list(struct lore_cli *cli, const struct lore_args *args, const char *path, const char *state,
    struct lore_json **root)
{
    static const char *const page[] = {"limit", "cursor", NULL};
    struct lore_query q;

    lore_query_start(&q, path);
    lore_query_add(&q, "kernel", args->words.n > 0 ? args->words.v[0] : NULL);
    lore_query_add(&q, "state", state);
    lore_ask_params(cli, args, page, &q);
    return lore_cli_get(cli, &q, root);
}

int
lore_cmd_campaigns(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    int code = ask_list(cli, args, "/api/v1/campaigns", NULL, &root);

    return code == LORE_EXIT_OK ? lore_cmd_list_answer(cli, "campaigns", root) : code;
}

int
lore_cmd_directions(struct lore_cli *cli, const struct lore_args *args)
{
    const char *state = lore_args_get(args, "state");
    struct lore_json *root = NULL;

    if (!state)
        state = "open";
    int code =
        ask_list(cli, args, "/api/v1/directions", lore_streq(state, "all") ? NULL : state, &root);
    return code == LORE_EXIT_OK ? lore_cmd_list_answer(cli, "directions", root) : code;
}

/* Whether the arguments are "VERB ID" and not only "ID". *code is the exit code of an error in
 * them. */
static bool
has_verb(struct lore_cli *cli, const struct lore_args *args, const char *verb, int *code)
{
    bool matches = lore_streq(args->words.v[0], verb);

    *code = LORE_EXIT_OK;
    if (matches != (args->words.n == 2))
        *code = lore_cli_say(cli, LORE_EXIT_USAGE, "give ID, or %s ID", verb);
    return matches;
}

static int
close_campaign(struct lore_cli *cli, const struct lore_args *args)
{
    const char *id = args->words.v[1], *reason = lore_ask_reason(cli, args);
    struct lore_member members[] = {{"reason", reason, NULL},
        {"stop_reason", lore_args_get(args, "stop-reason"), NULL},
        {"retrospective", lore_args_get(args, "retrospective"), NULL}};
    struct lore_json *root = NULL;

    if (!reason)
        return LORE_EXIT_USAGE;
    int code =
        lore_ask_post(cli, lore_ask_path(cli, "/api/v1/campaigns", id, "close"), members, 3, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "closed %s\n", id);
    return code;
}

static int
amend_campaign(struct lore_cli *cli, const struct lore_args *args)
{
    const char *id = args->words.v[1], *reason = lore_ask_reason(cli, args);
    const char *expected = lore_args_get(args, "expected");
    const char *iterations = lore_args_get(args, "iterations");
    struct lore_json *root = NULL;
    struct lore_err err = {0};
    long long v;

    if (!reason)
        return LORE_EXIT_USAGE;
    if (!expected && !iterations)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "amend: give --expected or --iterations");
    if ((expected && lore_parse_i64(expected, "--expected", &v, &err) != LORE_OK) ||
        (iterations && lore_parse_i64(iterations, "--iterations", &v, &err) != LORE_OK))
        return lore_cli_error(cli, LORE_EXIT_USAGE, &err);
    struct lore_member members[] = {{"reason", reason, NULL}, {"expected_records", NULL, expected},
        {"iterations", NULL, iterations}};
    int code =
        lore_ask_post(cli, lore_ask_path(cli, "/api/v1/campaigns", id, "amend"), members, 3, &root);
    if (code == LORE_EXIT_OK && cli->json && root)
        lore_cli_print_json(cli, root);
    else if (code == LORE_EXIT_OK)
        lore_buf_printf(&cli->out, "amended %s\n", id);
    return code;
}

/* The state of the targets: from the service, which has the runs, else as recorded. */
static void
print_targets(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *targets = lore_rows_at(root, "standing.targets");

    if (!targets)
        targets = lore_json_get(root, "targets");
    for (const struct lore_json *t = targets ? targets->child : NULL; t; t = t->next) {
        const char *unit = lore_answer_text(t, "unit"), *now = lore_answer_text(t, "current");
        const char *progress = "";
        double v;

        if (lore_answer_number(t, "progress", &v))
            progress = lore_format(cli->arena, ", %.0f %% of the way", floor(100 * v));
        lore_rows_line(cli, "target",
            lore_format(cli->arena, "%s %s%s%s, now %s%s, met: %s%s", lore_answer_text(t, "metric"),
                lore_answer_text(t, "value") ? lore_answer_text(t, "value") : "UNKNOWN",
                unit ? " " : "", unit ? unit : "", now ? now : "UNKNOWN", progress,
                lore_answer_text(t, "met") ? lore_answer_text(t, "met") : "unknown",
                lore_answer_true(t, "stated") ? " (as stated)" : ""));
    }
}

static const char *
first_text(const struct lore_json *root, const char *a, const char *b)
{
    return lore_rows_at_text(root, a) ? lore_rows_at_text(root, a) : lore_rows_at_text(root, b);
}

/* Some attempts without effect look like wins by chance. Print how many wins remain at a false
 * discovery rate of 5 %. */
static void
print_wins(struct lore_cli *cli, const struct lore_json *wins)
{
    long long attempts = lore_answer_int(wins, "attempts"), won = lore_answer_int(wins, "won"),
              untested = attempts - lore_answer_int(wins, "tested");
    const char *of = lore_format(cli->arena, "%lld of %lld attempts", won, attempts);

    if (attempts == 0)
        return;
    if (won > 0)
        of = lore_format(cli->arena, "%s; %lld stay wins at a false discovery rate of 5 %%", of,
            lore_answer_int(wins, "stay"));
    if (won > 0 && untested > 0)
        of = lore_format(cli->arena, "%s (%lld of the attempts have no interval)", of, untested);
    lore_rows_line(cli, "wins", of);
}

static void
print_campaign(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *ids = lore_json_get(root, "experiments");
    const char *arrived = first_text(root, "standing.arrived", "arrived");
    const char *expected = first_text(root, "standing.expected_records", "expected_records");
    bool alarm = lore_answer_true(root, "alarm") ||
                 lore_answer_true(lore_json_get(root, "standing"), "alarm");

    lore_buf_printf(&cli->out, "campaign %s\n", lore_answer_text(root, "id"));
    lore_rows_line(cli, "label", lore_answer_text(root, "label"));
    lore_rows_line(cli, "goal", lore_answer_text(root, "goal"));
    lore_rows_line(cli, "kernel", lore_answer_text(root, "kernel"));
    lore_rows_line(cli, "chip", lore_answer_text(root, "chip"));
    lore_rows_line(cli, "state", first_text(root, "standing.state", "state"));
    lore_rows_line(cli, "stopped",
        lore_answer_show_word(cli, first_text(root, "standing.stop_reason", "stop_reason")));
    lore_rows_line(cli, "iterations", first_text(root, "standing.iterations", "iterations"));
    lore_rows_line(cli, "records",
        lore_format(cli->arena, "%s of %s expected%s", arrived ? arrived : "?",
            expected ? expected : "an unknown number",
            alarm ? lore_print_styled(cli, LORE_RED, ": some never arrived") : ""));
    if (alarm)
        lore_rows_line(
            cli, "alarm", lore_cmd_alarm_why(lore_rows_at_text(root, "standing.alarm_why")));
    print_wins(cli, lore_json_get(root, "wins"));
    print_targets(cli, root);
    lore_rows_line(cli, "started", lore_answer_text(root, "started_at"));
    lore_rows_line(cli, "ended", lore_answer_text(root, "ended_at"));
    lore_rows_line(
        cli, "retrospective", first_text(root, "standing.retrospective", "retrospective"));
    for (const struct lore_json *m = ids ? ids->child : NULL; m; m = m->next)
        lore_rows_line(cli, m == ids->child ? "experiments" : "",
            m->type == LORE_J_STRING ? m->str : lore_answer_text(m, "id"));
    lore_show_decisions(cli, lore_answer_text(root, "id"));
}

int
lore_cmd_campaign(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    int code;
    bool amending = lore_streq(args->words.v[0], "amend");
    bool deciding = has_verb(cli, args, amending ? "amend" : "close", &code);

    if (code != LORE_EXIT_OK)
        return code;
    if (deciding)
        return amending ? amend_campaign(cli, args) : close_campaign(cli, args);
    code = lore_ask_get(cli, "/api/v1/campaigns", args->words.v[0], NULL, &root);
    if (code == LORE_EXIT_OK && !cli->json)
        print_campaign(cli, root);
    return code;
}

int
lore_cmd_direction(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const lines[] = {
        "text", "rationale", "technique", "kernel", "experiment", "campaign", "rank", "author"};
    struct lore_json *root = NULL;
    int code;
    bool closing = has_verb(cli, args, "close", &code);

    if (code != LORE_EXIT_OK)
        return code;
    if (closing)
        return lore_ask_decide(cli, args, 1, "/api/v1/directions", "close", "closed");
    code = lore_ask_get(cli, "/api/v1/directions", args->words.v[0], NULL, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_printf(&cli->out, "direction %s\n", lore_answer_text(root, "id"));
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        lore_rows_line(cli, lines[i], lore_answer_text(root, lines[i]));
    lore_rows_line(cli, "state", first_text(root, "standing.state", "state"));
    lore_show_decisions(cli, args->words.v[0]);
    return code;
}

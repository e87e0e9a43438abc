/* Prints totals of the stored records. */
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/print.h"
#include "service/base/text.h"

const char *
lore_cmd_arrived_text(
    struct lore_cli *cli, const char *label, const char *arrived, const char *expected)
{
    return lore_format(cli->arena, "%s of %s experiments arrived: %s", arrived ? arrived : "?",
        expected ? expected : "?", label ? label : "campaign without a label");
}

const char *
lore_cmd_alarm_text(struct lore_cli *cli, const struct lore_json *row)
{
    const char *id = lore_answer_text(row, "campaign"), *why = lore_answer_text(row, "why");

    return lore_format(cli->arena, "%s (%s), %s",
        lore_cmd_arrived_text(cli, lore_answer_text(row, "label"), lore_answer_text(row, "arrived"),
            lore_answer_text(row, "expected_records")),
        lore_cmd_alarm_why(why), id ? id : "?");
}

const char *
lore_cmd_alarm_why(const char *why)
{
    return !why                        ? "no more records will arrive"
           : lore_streq(why, "closed") ? "the campaign was closed"
           : lore_streq(why, "ended")  ? "the campaign ended"
           : lore_streq(why, "quiet")  ? "nothing came for 24 hours"
                                       : why;
}

static void
print_alarms(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *rows = lore_json_get(root, "alarms");
    long long total = lore_answer_int(lore_json_get(root, "totals"), "alarms");

    if (total == 0)
        return;
    lore_buf_printf(&cli->out, "%s\n",
        lore_print_styled(cli, LORE_RED,
            lore_format(cli->arena, "%s with missing records",
                lore_answer_show_count(cli, total, "campaign", "campaigns"))));
    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        lore_print_wrapped(cli, "  ", 4, lore_cmd_alarm_text(cli, r));
}

static void
print_totals(struct lore_cli *cli, const struct lore_json *t)
{
    lore_buf_printf(&cli->out,
        "%s: %lld won, %lld without gain, %lld lost, %lld inconclusive, %lld not measured, %lld "
        "hidden\n",
        lore_answer_show_count(cli, lore_answer_int(t, "experiments"), "experiment", "experiments"),
        lore_answer_int(t, "wins"), lore_answer_int(t, "neutral"), lore_answer_int(t, "losses"),
        lore_answer_int(t, "inconclusive"), lore_answer_int(t, "not_measured"),
        lore_answer_int(t, "masked"));
    lore_buf_printf(&cli->out, "%s, %s, %s, %s, %s\n",
        lore_answer_show_count(cli, lore_answer_int(t, "kernels"), "kernel", "kernels"),
        lore_answer_show_count(cli, lore_answer_int(t, "versions"), "version", "versions"),
        lore_answer_show_count(cli, lore_answer_int(t, "runs"), "run", "runs"),
        lore_answer_show_count(cli, lore_answer_int(t, "hypotheses"), "hypothesis", "hypotheses"),
        lore_answer_show_count(cli, lore_answer_int(t, "insights"), "insight", "insights"));
    if (lore_answer_int(t, "disagreements") > 0)
        lore_buf_printf(&cli->out,
            "%s with a typed outcome that disagrees with the numbers (warplore list --disagrees)\n",
            lore_answer_show_count(
                cli, lore_answer_int(t, "disagreements"), "experiment", "experiments"));
}

static void
print_group(struct lore_cli *cli, const struct lore_json *root, const char *key, const char *title)
{
    const struct lore_print_column columns[] = {
        {title, false, true, false}, {"n", true, false, false}, {"won", true, false, false}};
    struct lore_table t = LORE_TABLE(columns);
    const struct lore_json *rows = lore_json_get(root, key);

    if (!rows || !rows->child)
        return;
    for (const struct lore_json *r = rows->child; r; r = r->next) {
        lore_table_cell(
            cli, &t, lore_answer_text(r, "name") ? lore_answer_text(r, "name") : "not recorded");
        lore_table_cell(cli, &t, lore_answer_text(r, "n"));
        lore_table_cell(cli, &t, lore_answer_text(r, "wins"));
    }
    lore_buf_putc(&cli->out, '\n');
    lore_table_print(cli, &t);
}

static void
print_techniques(struct lore_cli *cli, const struct lore_json *rows)
{
    static const struct lore_print_column columns[] = {{"technique", false, true, false},
        {"tried", true, false, false}, {"won", true, false, false}, {"lost", true, false, false}};
    struct lore_table t = LORE_TABLE(columns);
    static const char *const keys[] = {"name", "tried", "won", "lost"};

    if (!rows || !rows->child)
        return;
    for (const struct lore_json *r = rows->child; r; r = r->next) {
        for (size_t i = 0; i < 4; i++)
            lore_table_cell(cli, &t, lore_answer_text(r, keys[i]));
    }
    lore_buf_putc(&cli->out, '\n');
    lore_table_print(cli, &t);
}

const struct lore_opt lore_stats_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_CHIP,
    LORE_OPT_TECHNIQUE,
    LORE_OPT_LIMIT,
    {NULL, 0, NULL, false, NULL},
};

int
lore_cmd_stats(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    if (args->words.n > 0 && !lore_streq(args->words.v[0], "advice"))
        return lore_cli_say(cli, LORE_EXIT_USAGE, "stats: \"%s\" is not advice", args->words.v[0]);
    if (args->words.n > 0)
        return lore_stats_advice(cli, args);
    for (const struct lore_opt *o = lore_stats_opts; o->name; o++)
        if (lore_args_has(args, o->name))
            return lore_cli_say(cli, LORE_EXIT_USAGE, "--%s: only of stats advice", o->name);
    lore_query_start(&q, "/api/v1/stats");
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    print_totals(cli, lore_json_get(root, "totals"));
    print_alarms(cli, root);
    print_group(cli, root, "by_operator", "operator");
    print_group(cli, root, "by_language", "language");
    print_group(cli, root, "by_chip", "chip");
    print_group(cli, root, "by_bottleneck", "bottleneck");
    print_techniques(cli, lore_json_get(root, "top_techniques"));
    return LORE_EXIT_OK;
}

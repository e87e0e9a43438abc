/* `stats advice`: prints the results of past advice. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

static const struct lore_shown line_columns[] = {
    {"chip", "chip", LORE_AS_TEXT, 0},
    {"technique", "technique", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"list", "list", LORE_AS_TEXT, 0},
    {"served", "served", LORE_AS_TEXT, LORE_RIGHT},
    {"applied", "applied", LORE_AS_TEXT, LORE_RIGHT | LORE_OPTIONAL},
    {"worked", "worked", LORE_AS_TEXT, LORE_RIGHT},
    {"did not", "did_not", LORE_AS_TEXT, LORE_RIGHT},
    {"unsure", "inconclusive", LORE_AS_TEXT, LORE_RIGHT | LORE_OPTIONAL},
    {"hit rate", "hit_rate.value", LORE_AS_PERCENT, LORE_RIGHT},
};
static const struct lore_shown bin_columns[] = {
    {"from", "low", LORE_AS_PERCENT, LORE_RIGHT},
    {"to", "high", LORE_AS_PERCENT, LORE_RIGHT},
    {"predicted", "mean_probability", LORE_AS_PERCENT, LORE_RIGHT},
    {"n", "n", LORE_AS_TEXT, LORE_RIGHT},
    {"worked", "rate", LORE_AS_PERCENT, LORE_RIGHT},
};

/* The title of a list, with a hint at its expected hit rate. */
static const char *
say_list(const char *list)
{
    return lore_streq(list, "avoid")     ? "Avoid (few should work)"
           : lore_streq(list, "untried") ? "Not tried yet"
           : lore_streq(list, "advice")  ? "Worth trying"
                                         : list;
}

static void
print_list(struct lore_cli *cli, const struct lore_json *l, const char *title)
{
    const struct lore_json *rate = lore_json_get(l, "hit_rate");
    double value, low, high;
    const char *text = lore_format(cli->arena,
        "%lld served, %lld opened, %lld applied, %lld dismissed; %lld worked, %lld did not, %lld "
        "inconclusive, %lld open",
        lore_answer_int(l, "served"), lore_answer_int(l, "opened"), lore_answer_int(l, "applied"),
        lore_answer_int(l, "dismissed"), lore_answer_int(l, "worked"),
        lore_answer_int(l, "did_not"), lore_answer_int(l, "inconclusive"),
        lore_answer_int(l, "open"));

    if (lore_answer_number(rate, "value", &value) && lore_answer_number(rate, "low", &low) &&
        lore_answer_number(rate, "high", &high))
        text =
            lore_format(cli->arena, "%s; of those that are decided %.0f %% worked (%.0f to %.0f)",
                text, 100 * value, 100 * low, 100 * high);
    lore_print_wrapped(cli, lore_format(cli->arena, "%s: ", title), 4, text);
}

static void
print_calibration(struct lore_cli *cli, const char *heading, const struct lore_json *c)
{
    const struct lore_json *bins = lore_json_get(c, "bins");
    double brier, reference;

    if (lore_answer_int(c, "n") == 0 || !lore_answer_number(c, "brier", &brier) ||
        !lore_answer_number(c, "reference", &reference))
        return;
    lore_rows_heading(cli, heading);
    LORE_ROWS_PRINT(cli, bin_columns, bins ? bins->child : NULL);
    lore_buf_printf(&cli->out, "Brier %.3f over %lld; always predicting the average: %.3f\n", brier,
        lore_answer_int(c, "n"), reference);
}

static void
print_regret(struct lore_cli *cli, const struct lore_json *r)
{
    double mean, worst;

    if (!lore_answer_number(r, "mean", &mean) || !lore_answer_number(r, "worst", &worst))
        return;
    lore_print_wrapped(cli, "Regret: ", 4,
        lore_format(cli->arena,
            "%.1f %% on average over %s with a tried technique, %.1f %% at worst. Regret is the "
            "part of the best speedup in the same context that the tried technique missed.",
            100 * mean,
            lore_answer_show_count(cli, lore_answer_int(r, "answers"), "answer", "answers"),
            100 * worst));
}

/* "12 proposed, 5 tried; …" of versions to start from. */
static void
print_starts(struct lore_cli *cli, const struct lore_json *s)
{
    long long tried = lore_answer_int(s, "tried"), decided = lore_answer_int(s, "decided");
    double p_fail, stated, came, inside;
    const char *text =
        lore_format(cli->arena, "%lld proposed, %lld tried", lore_answer_int(s, "served"), tried);

    if (lore_answer_int(s, "served") == 0)
        return;
    if (lore_answer_number(s, "p_fail", &p_fail))
        text = lore_format(cli->arena, "%s; %lld of these failed, %.1f were predicted to fail",
            text, lore_answer_int(s, "failed"), p_fail * (double)tried);
    if (lore_answer_number(s, "stated", &stated) && lore_answer_number(s, "came", &came) &&
        lore_answer_number(s, "inside", &inside))
        text = lore_format(cli->arena,
            "%s; the best time is known for %lld: predicted %.1f %% of the best, measured %.1f %%, "
            "%.0f %% of them within the predicted 90 %% interval",
            text, decided, 100 * stated, 100 * came, 100 * inside);
    lore_print_wrapped(cli, "Versions to start from: ", 4, text);
}

static void
print_all(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *lists = lore_json_get(root, "lists");
    const struct lore_json *moves = lore_json_get(root, "moves");
    long long forgotten = lore_answer_int(root, "forgotten"),
              left = lore_answer_int(root, "left_out");

    lore_buf_printf(&cli->out, "%s remembered since %s%s\n\n",
        lore_answer_show_count(cli, lore_answer_int(root, "answers"), "answer", "answers"),
        lore_answer_show_day(cli, lore_answer_text(root, "since")),
        forgotten > 0 ? lore_format(cli->arena, ", %lld forgotten", forgotten) : "");
    for (const struct lore_json *l = lists ? lists->child : NULL; l; l = l->next)
        print_list(cli, l, say_list(lore_answer_text(l, "list")));
    print_starts(cli, lore_json_get(root, "starts"));
    if (lore_answer_int(moves, "served") > 0)
        print_list(cli, moves, "Changes of one parameter");
    print_calibration(cli, "Stated odds and results", lore_json_get(root, "calibration"));
    print_calibration(cli, "Odds of changes of one parameter", lore_json_get(moves, "calibration"));
    print_regret(cli, lore_json_get(root, "regret"));
    lore_buf_putc(&cli->out, '\n');
    LORE_ROWS_PRINT(cli, line_columns, lore_rows_of(root));
    if (left > 0)
        lore_buf_printf(&cli->out, "%lld more: --limit, --chip, --technique\n", left);
}

int
lore_stats_advice(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const params[] = {"operator", "chip", "technique", NULL};
    const char *number = lore_args_get(args, "limit");
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/advice/stats");
    lore_ask_params(cli, args, params, &q);
    lore_query_add(&q, "limit", number ? number : "20");
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const struct lore_json *lists = lore_json_get(root, "lists");
    if ((!lists || !lists->child) && lore_answer_int(lore_json_get(root, "starts"), "served") == 0)
        lore_buf_puts(&cli->out, "no stored advice matches: warplore recommend gives some\n");
    else
        print_all(cli, root);
    return code;
}

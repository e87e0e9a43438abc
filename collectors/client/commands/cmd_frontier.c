/* The frontier of a kernel: the correct versions other than the champion, and how they differ from
 * it. The version closest to the champion's time is first. A search can start from several. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

/* "tile 16 (champion 32)" */
static const char *
show_params(struct lore_cli *cli, const struct lore_json *list)
{
    const char *out = "";

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *name = lore_answer_text(m, "name"), *here = lore_answer_text(m, "here");
        const char *champion = lore_answer_text(m, "champion");

        out = lore_format(cli->arena, "%s%s%s %s (champion %s)", out, *out ? ", " : "",
            name ? name : "?", here ? here : "not given", champion ? champion : "not given");
    }
    return out;
}

static void
print_difference(struct lore_cli *cli, const struct lore_json *row)
{
    const char *params = show_params(cli, lore_json_get(row, "params"));
    const char *more = lore_answer_join(cli, lore_json_get(row, "techniques_added"), ", ");
    const char *less = lore_answer_join(cli, lore_json_get(row, "techniques_missing"), ", ");
    const char *label = lore_answer_text(row, "label");

    if (!*params && !*more && !*less)
        return;
    lore_rows_line(cli, label ? label : lore_answer_text(row, "version"),
        lore_format(cli->arena, "%s%s%s%s%s%s%s", params, *params && (*more || *less) ? "; " : "",
            *more ? "with " : "", more, *more && *less ? "; " : "", *less ? "without " : "", less));
}

static void
print_foot(struct lore_cli *cli, const struct lore_json *root)
{
    static const char *const why[] = {
        "baseline", "hidden", "failed", "not_checked", "not_timed", "timed_elsewhere"};
    const struct lore_json *out = lore_json_get(root, "left_out");
    const char *line = "", *champion = lore_answer_text(root, "champion_label");
    double ns;

    for (size_t i = 0; i < sizeof why / sizeof *why; i++)
        if (lore_answer_int(out, why[i]) > 0)
            line = lore_format(cli->arena, "%s%s%lld %s", line, *line ? ", " : "",
                lore_answer_int(out, why[i]), lore_answer_show_word(cli, why[i]));
    if (champion)
        lore_buf_printf(&cli->out, "champion %s%s%s\n", champion,
            lore_answer_number(root, "champion_time_ns", &ns) ? ", " : "",
            lore_answer_number(root, "champion_time_ns", &ns) ? lore_answer_show_ns(cli, ns) : "");
    if (lore_answer_number(lore_rows_of(root), "delta_from_champion_pct", &ns) && ns < 0)
        lore_buf_puts(&cli->out, "below 0: faster, but stated, where the champion was measured\n");
    if (*line)
        lore_buf_printf(&cli->out, "not listed: %s\n", line);
}

static const struct lore_shown columns[] = {
    {"version", "label|version", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"kind", "kind", LORE_AS_WORD, 0},
    {"time", "time_ns", LORE_AS_NS, LORE_RIGHT},
    {"% slower", "delta_from_champion_pct", LORE_AS_NUMBER, LORE_RIGHT},
    {"mark", "hidden|retracted|disputed|beyond_ceiling", LORE_AS_FLAGS, LORE_OPTIONAL},
    {"id", "version", LORE_AS_TEXT, 0},
};

int
lore_cmd_frontier(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_segment(&q, "frontier");
    lore_query_add(&q, "workload", lore_args_get(args, "workload"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    code = LORE_ROWS_ANSWER(cli, columns, root,
        "no other version passed a check: warplore try CHANGE --samples FILE --checked-against "
        "REF");
    if (cli->json)
        return code;
    for (const struct lore_json *row = lore_rows_of(root); row; row = row->next)
        print_difference(cli, row);
    print_foot(cli, root);
    return code;
}

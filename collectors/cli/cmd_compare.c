/* Two versions side by side, as one asks before taking a change over: time,
 * metrics that moved, techniques, source. */
#include "ask.h"
#include "commands.h"
#include "rows.h"
#include "text.h"

static const struct lore_shown metric_columns[] = {
    {"metric", "name|metric", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"before", "a", LORE_AS_NUMBER, LORE_RIGHT},
    {"after", "b", LORE_AS_NUMBER, LORE_RIGHT},
    {"unit", "unit", LORE_AS_TEXT, LORE_OPTIONAL},
    {"change %", "delta_pct", LORE_AS_NUMBER, LORE_RIGHT},
    {"", "verdict|better|direction", LORE_AS_WORD, 0},
};

/* The list or object at KEY, one line each. */
static void
print_member(struct lore_cli *cli, const char *name, const struct lore_json *m)
{
    if (!m)
        return;
    if (m->type == LORE_J_ARRAY)
        lore_say_line(cli, name, lore_jjoin(cli, m, ", "));
    else if (m->type == LORE_J_OBJECT)
        lore_say_line(cli, name, lore_show_members(cli, m));
    else if (m->type == LORE_J_STRING || m->type == LORE_J_NUMBER)
        lore_say_line(cli, name, m->str);
}

static void
print_time(struct lore_cli *cli, const struct lore_json *time)
{
    double a, b, speedup;

    if (!time || time->type != LORE_J_OBJECT)
        return;
    const char *before =
        lore_jnum(time, "a_ns", &a) || lore_jnum(time, "a", &a) ? lore_show_ns(cli, a) : "?";
    const char *after =
        lore_jnum(time, "b_ns", &b) || lore_jnum(time, "b", &b) ? lore_show_ns(cli, b) : "?";
    const char *line = lore_format(cli->arena, "%s -> %s", before, after);
    if (lore_jnum(time, "speedup", &speedup))
        line = lore_format(cli->arena, "%s, %s", line, lore_show_factor(cli, speedup));
    lore_say_line(cli, "time", line);
}

/* A unified difference keeps its lines; only what would drive the terminal
 * goes. */
static void
print_diff(struct lore_cli *cli, const char *diff)
{
    while (diff && *diff) {
        size_t n = 0;
        while (diff[n] && diff[n] != '\n')
            n++;
        enum lore_style style = *diff == '+' ? LORE_GREEN : LORE_RED;
        const char *line = lore_clean(cli, lore_strndup(cli->arena, diff, n));
        lore_buf_printf(
            &cli->out, "%s\n", *diff == '+' || *diff == '-' ? lore_styled(cli, style, line) : line);
        diff += n + (diff[n] == '\n');
    }
}

int
lore_cmd_compare(struct lore_cli *cli, const struct lore_args *args)
{
    const char *a = args->words.v[0], *b = args->words.v[1];
    struct lore_json *root = NULL;
    struct lore_query q;

    if (!lore_ask_id(cli, a) || !lore_ask_id(cli, b))
        return LORE_EXIT_USAGE;
    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, a);
    lore_query_segment(&q, "compare");
    lore_query_segment(&q, b);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    lore_buf_printf(&cli->out, "%s -> %s\n", a, b);
    print_time(cli, lore_json_get(root, "time"));
    print_member(cli, "techniques", lore_json_get(root, "techniques"));
    print_member(cli, "isa", lore_json_get(root, "isa"));
    const struct lore_json *metrics = lore_json_get(root, "metrics");
    if (metrics && metrics->child) {
        lore_buf_putc(&cli->out, '\n');
        (void)LORE_ROWS_PRINT(cli, metric_columns, metrics->child);
    }
    const struct lore_json *files = lore_json_get(root, "files");
    for (const struct lore_json *f = files ? files->child : NULL; f; f = f->next) {
        lore_say_heading(cli, lore_jtext(f, "file") ? lore_jtext(f, "file") : "?");
        print_diff(cli, lore_jtext(f, "diff"));
    }
    return LORE_EXIT_OK;
}

/* Two versions side by side, for a user who decides whether to take over a change: time, metrics
 * that moved, techniques, source. Words that are not ids are programs: cmd_compare_run.c. */
#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/measured.h"
#include "collectors/client/commands/session_defaults.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

static const struct lore_shown metric_columns[] = {
    {"metric", "name|metric", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"before", "a", LORE_AS_NUMBER, LORE_RIGHT},
    {"after", "b", LORE_AS_NUMBER, LORE_RIGHT},
    {"unit", "unit", LORE_AS_TEXT, LORE_OPTIONAL},
    {"change %", "delta_pct", LORE_AS_NUMBER, LORE_RIGHT},
    {"verdict", "sense", LORE_AS_WORD, 0},
};

static const struct lore_shown value_columns[] = {
    {"parameter", "name", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"before", "a", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"after", "b", LORE_AS_TEXT, LORE_FLEXIBLE},
};

static void
print_time(struct lore_cli *cli, const struct lore_json *time)
{
    double speedup;

    if (!time || time->type != LORE_J_OBJECT) {
        lore_rows_line(cli, "time", "the versions have no times on a common workload and chip");
        return;
    }
    lore_rows_line(cli, "workload", lore_rows_at_text(time, "a.workload.label"));
    const char *line = lore_format(cli->arena, "%s -> %s",
        lore_answer_show_stats(cli, lore_rows_at(time, "a.stats")),
        lore_answer_show_stats(cli, lore_rows_at(time, "b.stats")));
    if (lore_answer_number(time, "speedup", &speedup))
        line = lore_format(cli->arena, "%s: %s", line, lore_answer_show_factor(cli, speedup));
    lore_rows_line(cli, "time", line);
    if (lore_answer_text(time, "not_comparable"))
        lore_rows_line(cli, "",
            lore_format(
                cli->arena, "not comparable: %s", lore_answer_text(time, "not_comparable")));
    if (!lore_answer_true(time, "same_environment"))
        lore_rows_line(cli, "", "measured in different environments");
    if (!lore_answer_true(time, "same_tool"))
        lore_rows_line(cli, "", "measured by different tools");
}

/* "a, b": the techniques of one version, each with its status when it has one. */
static const char *
show_side(struct lore_cli *cli, const struct lore_json *list)
{
    const char *out = "";

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *name = lore_answer_text(m, "name"), *status = lore_answer_text(m, "status");
        if (!name)
            name = lore_answer_text(m, "technique");
        out = lore_format(cli->arena, "%s%s%s%s%s", out, *out ? ", " : "", name ? name : "?",
            status ? " " : "", status ? lore_answer_show_word(cli, status) : "");
    }
    return *out ? out : "none";
}

/* The techniques of A and of B as found in machine code. */
static void
print_sides(struct lore_cli *cli, const char *name, const struct lore_json *both)
{
    const struct lore_json *a = lore_json_get(both, "a"), *b = lore_json_get(both, "b");

    if ((a && a->child) || (b && b->child))
        lore_rows_line(
            cli, name, lore_format(cli->arena, "%s -> %s", show_side(cli, a), show_side(cli, b)));
}

/* The techniques that only one version has, and those of both lines. */
static void
print_techniques(struct lore_cli *cli, const struct lore_json *root)
{
    static const char *const sides[] = {"a", "b"}, *const only[] = {"only_a", "only_b"};
    const struct lore_json *both = lore_json_get(root, "techniques");

    for (int i = 0; i < 2; i++) {
        const char *line = lore_answer_show_line(cli, lore_json_get(both, sides[i]));
        const char *name = lore_answer_label(lore_json_get(root, sides[i]));
        const char *lacks = lore_answer_label(lore_json_get(root, sides[!i]));
        const char *more = lore_answer_join(cli, lore_json_get(both, only[i]), ", ");

        if (*line)
            lore_rows_line(cli, "techniques", lore_format(cli->arena, "%s: %s", name, line));
        if (*more)
            lore_rows_line(cli, "", lore_format(cli->arena, "%s lacks %s", lacks, more));
    }
}

static void
print_values(struct lore_cli *cli, const struct lore_json *list)
{
    if (!list || !list->child)
        return;
    lore_buf_putc(&cli->out, '\n');
    (void)LORE_ROWS_PRINT(cli, value_columns, list->child);
}

/* A unified diff keeps its lines; only control characters are removed. */
static void
print_diff(struct lore_cli *cli, const char *diff)
{
    while (diff && *diff) {
        size_t n = 0;
        while (diff[n] && diff[n] != '\n')
            n++;
        enum lore_style style = *diff == '+' ? LORE_GREEN : LORE_RED;
        const char *line = lore_print_clean(cli, lore_strndup(cli->arena, diff, n));
        lore_buf_printf(&cli->out, "%s\n",
            *diff == '+' || *diff == '-' ? lore_print_styled(cli, style, line) : line);
        diff += n + (diff[n] == '\n');
    }
}

static void
print_files(struct lore_cli *cli, const struct lore_json *files)
{
    for (const struct lore_json *f = files ? files->child : NULL; f; f = f->next) {
        const char *name = lore_answer_text(f, "file"), *why = lore_answer_text(f, "why");
        if (lore_answer_true(f, "same"))
            continue;
        lore_rows_heading(cli, lore_format(cli->arena, "%s (+%lld -%lld)", name ? name : "?",
                                   lore_answer_int(f, "added"), lore_answer_int(f, "removed")));
        print_diff(cli, lore_answer_text(f, "diff"));
        if (why)
            lore_print_wrapped(cli, "", 0, why);
    }
}

static void
print_answer(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *metrics = lore_json_get(root, "metrics");

    lore_buf_printf(&cli->out, "%s -> %s\n",
        lore_print_clean(cli, lore_answer_label(lore_json_get(root, "a"))),
        lore_print_clean(cli, lore_answer_label(lore_json_get(root, "b"))));
    print_time(cli, lore_json_get(root, "time"));
    print_techniques(cli, root);
    print_sides(cli, "machine code", lore_json_get(root, "isa"));
    print_values(cli, lore_json_get(root, "params"));
    print_values(cli, lore_json_get(root, "build"));
    if (metrics && metrics->child) {
        lore_buf_putc(&cli->out, '\n');
        (void)LORE_ROWS_PRINT(cli, metric_columns, metrics->child);
    }
    print_files(cli, lore_json_get(root, "files"));
    const char *without = lore_answer_text(root, "without_source");
    if (without)
        lore_buf_printf(&cli->out, "no source is recorded for %s, so there is no diff\n",
            lore_print_clean(cli, lore_answer_label(lore_json_get(root, without))));
}

static int
compare_versions(struct lore_cli *cli, const struct lore_args *args)
{
    const char *a = args->words.v[0], *b = args->words.v[1];
    struct lore_json *root = NULL;
    struct lore_query q;

    const char *other = !lore_measured_version(a) ? a : !lore_measured_version(b) ? b : NULL;
    if (other && !lore_measured_program(cli, other))
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: neither a version (softmax_cuda:v4, or an id) nor a program", other);
    if (other)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: a program, which is only compared with a program; a version is softmax_cuda:v4, "
            "or an id",
            other);
    for (size_t i = 0; i < 2; i++)
        if (lore_session_label(args->words.v[i]))
            return lore_cli_say(cli, LORE_EXIT_USAGE,
                "%s: of which kernel? KERNEL:%s, or start a session", args->words.v[i],
                args->words.v[i]);
    lore_query_start(&q, "/api/v1/versions");
    lore_query_segment(&q, a);
    lore_query_segment(&q, "compare");
    lore_query_segment(&q, b);
    lore_query_add(&q, "workload", lore_args_get(args, "workload"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    print_answer(cli, root);
    return LORE_EXIT_OK;
}

int
lore_cmd_compare(struct lore_cli *cli, const struct lore_args *args)
{
    if (lore_measured_asked(cli, args))
        return lore_cmd_compare_programs(cli, args);
    if (args->words.n > 2)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "compare: name two versions, or two programs and their arguments");
    return compare_versions(cli, args);
}

/* Shows a sweep: a search of a tuner, as one record. */
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/show_verdicts.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

enum { FASTEST = 5 };

static const char *
show_time(struct lore_cli *cli, const struct lore_json *row, const char *key)
{
    double ns;

    return lore_answer_number(row, key, &ns) ? lore_answer_show_ns(cli, ns) : NULL;
}

static void
print_failures(struct lore_cli *cli, const struct lore_json *list)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *said = lore_answer_text(m, "said");
        lore_rows_line(cli, m == list->child ? "failed" : "",
            lore_format(cli->arena, "%lld %s%s%s", lore_answer_int(m, "n"),
                lore_answer_text(m, "type"), said ? ": " : "",
                said ? lore_print_clean(cli, said) : ""));
    }
}

static void
print_parameters(struct lore_cli *cli, const struct lore_json *list)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *technique = lore_answer_text(m, "technique");
        lore_rows_line(cli, m == list->child ? "parameters" : "",
            lore_format(cli->arena, "%s = %s%s%s%s",
                lore_print_clean(cli, lore_answer_text(m, "name")),
                lore_answer_join(cli, lore_json_get(m, "values"), ", "), technique ? " (" : "",
                technique ? technique : "", technique ? ")" : ""));
    }
}

/* What the fastest configurations say, and the median pair that differs in the technique alone: a
 * technique may help most configurations and not the fastest, or the reverse. */
static const char *
witness_text(struct lore_cli *cli, const struct lore_json *m)
{
    double speedup = 1, median = 0;
    long long pairs = lore_answer_int(m, "pairs");

    lore_answer_number(m, "speedup", &speedup);
    const char *text = lore_format(cli->arena, "%s (%s): best with it %s over the best without",
        lore_answer_text(m, "technique"), lore_print_clean(cli, lore_answer_text(m, "parameter")),
        lore_answer_show_factor(cli, speedup));
    if (!lore_answer_number(m, "median", &median))
        return text;
    return lore_format(cli->arena, "%s; median of %lld pairs that differ in it alone %s%s", text,
        pairs, lore_answer_show_factor(cli, median),
        (speedup > 1 && median < 1)   ? ": it helps the fastest, not most"
        : (speedup < 1 && median > 1) ? ": it helps most, not the fastest"
                                      : "");
}

static void
print_witnesses(struct lore_cli *cli, const struct lore_json *list)
{
    const char *head = "techniques";

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        if (lore_answer_int(m, "pairs") == 0)
            continue; /* of several values, none of which is "without" */
        lore_rows_line(cli, head, witness_text(cli, m));
        head = "";
    }
}

static void
print_fastest(struct lore_cli *cli, const struct lore_json *list)
{
    int n = 0;

    for (const struct lore_json *m = list ? list->child : NULL; m && n < FASTEST;
         m = m->next, n++) {
        const char *version = lore_answer_text(m, "version");
        lore_rows_line(cli, n == 0 ? "fastest" : "",
            lore_format(cli->arena, "%s  %s%s%s", show_time(cli, m, "time_ns"),
                lore_answer_show_members(cli, lore_json_get(m, "params")),
                version ? "  version " : "", version ? version : ""));
    }
}

void
lore_show_sweep(struct lore_cli *cli, const struct lore_json *sweep)
{
    const struct lore_json *summary = lore_json_get(sweep, "summary");

    lore_buf_printf(&cli->out, "sweep %s\n", lore_answer_text(sweep, "id"));
    lore_rows_line(cli, "operator", lore_answer_text(sweep, "operator"));
    lore_rows_line(cli, "kernel",
        lore_format(cli->arena, "%s [%s]",
            lore_print_clean(cli, lore_answer_text(sweep, "kernel_name")),
            lore_answer_text(sweep, "language")));
    lore_rows_line(cli, "chip", lore_answer_text(sweep, "chip"));
    lore_rows_line(cli, "workload", lore_answer_text(sweep, "workload_label"));
    lore_rows_line(cli, "tool", lore_answer_text(sweep, "tool"));
    lore_rows_line(cli, "strategy", lore_answer_text(sweep, "strategy"));
    lore_rows_line(cli, "author", lore_answer_text(sweep, "author"));
    lore_rows_line(
        cli, "searched", lore_answer_show_day(cli, lore_answer_text(sweep, "searched_at")));
    lore_rows_line(cli, "tried",
        lore_format(cli->arena, "%lld configurations, %lld with a time, %lld failed",
            lore_answer_int(summary, "configurations"), lore_answer_int(summary, "timed"),
            lore_answer_int(summary, "failed")));
    lore_rows_line(cli, "best", show_time(cli, summary, "best_ns"));
    lore_rows_line(cli, "median", show_time(cli, summary, "median_ns"));
    lore_rows_line(cli, "same as", lore_answer_text(summary, "same_as"));
    print_failures(cli, lore_json_get(sweep, "failures"));
    print_parameters(cli, lore_json_get(sweep, "parameters"));
    print_witnesses(cli, lore_json_get(sweep, "witnesses"));
    print_fastest(cli, lore_json_get(sweep, "fastest"));
    lore_rows_line(cli, "document", lore_answer_text(sweep, "document"));
}

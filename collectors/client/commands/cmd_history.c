/* One kernel from its baseline to its champion: history (numbers), summary (what each version did,
 * masked ones marked), latest (the highest version that is not masked). All three GET one path. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_history_opts[] = {
    LORE_OPT_WORKLOAD,
    LORE_OPT_CHIP,
    LORE_OPT_UNMASKED_ONLY,
    {NULL, 0, NULL, false, NULL},
};

const struct lore_opt lore_workload_opts[] = {
    LORE_OPT_WORKLOAD,
    LORE_OPT_CHIP,
    {NULL, 0, NULL, false, NULL},
};

static const struct lore_shown history_columns[] = {
    {"version", "version.label|version.tag|version.id", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"time", "time_ns|run.stats.median_ns|run.stats.mean_ns", LORE_AS_NS, LORE_RIGHT},
    {"first", "speedup_vs_first", LORE_AS_FACTOR, LORE_RIGHT},
    {"parent", "speedup_vs_parent", LORE_AS_FACTOR, LORE_RIGHT | LORE_OPTIONAL},
    {"best", "speedup_vs_best_before", LORE_AS_FACTOR, LORE_RIGHT | LORE_OPTIONAL},
    {"outcome", "error_type|experiment.outcome", LORE_AS_OUTCOME, 0},
    {"mark", "champion|baseline|hidden|retracted|disputed|beyond_ceiling", LORE_AS_FLAGS, 0},
    {"id", "version.id", LORE_AS_TEXT, 0},
};

static const struct lore_shown summary_columns[] = {
    {"version", "version.label|version.tag|version.id", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"masked", "hidden", LORE_AS_YES, 0},
    {"time", "time_ns|run.stats.median_ns|run.stats.mean_ns", LORE_AS_NS, LORE_RIGHT},
    {"gain", "speedup_vs_first", LORE_AS_FACTOR, LORE_RIGHT},
    {"correct", "experiment.outcome.correctness|run.correctness", LORE_AS_WORD, 0},
    {"outcome", "error_type|experiment.outcome", LORE_AS_OUTCOME, 0},
    {"bottleneck", "run|.", LORE_AS_LIMITS, LORE_FLEXIBLE | LORE_OPTIONAL},
    {"action", "experiment.techniques|experiment.title|version.summary|version.kind", LORE_AS_NAMES,
        LORE_FLEXIBLE},
};

static int
ask(struct lore_cli *cli, const struct lore_args *args, struct lore_json **root)
{
    struct lore_query q;

    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_segment(&q, "history");
    lore_query_add(&q, "workload", lore_args_get(args, "workload"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    return lore_cli_fetch(cli, &q, false, root);
}

/* Remove the hidden rows from the answer. */
static void
drop_hidden(struct lore_json *root)
{
    struct lore_json *rows = NULL;

    for (struct lore_json *m = root->child; m; m = m->next)
        rows = lore_streq(m->key, "rows") ? m : rows;
    for (struct lore_json **at = rows ? &rows->child : NULL; at && *at;) {
        if (lore_answer_true(*at, "hidden"))
            *at = (*at)->next;
        else
            at = &(*at)->next;
    }
}

static void
print_foot(struct lore_cli *cli, const struct lore_json *root)
{
    const char *workload = lore_answer_text(root, "workload_label");
    size_t hidden = 0;

    for (const struct lore_json *r = lore_rows_of(root); r; r = r->next)
        hidden += lore_answer_true(r, "hidden");
    const char *chip = lore_answer_text(root, "chip"), *method = lore_answer_text(root, "method");
    if (workload)
        lore_print_wrapped(cli, "times on ", 9,
            lore_format(cli->arena, "%s%s%s%s%s", workload, chip ? ", on " : "", chip ? chip : "",
                method ? ", by " : "", method ? method : ""));
    for (const struct lore_json *r = lore_rows_of(root); r; r = r->next) {
        const char *label = lore_rows_at_text(r, "version.label");
        if (lore_answer_text(r, "timed_elsewhere"))
            lore_print_wrapped(cli, "", 2,
                lore_format(cli->arena, "%s has no gain, because its time does not compare: %s",
                    label ? label : lore_rows_at_text(r, "version.id"),
                    lore_answer_text(r, "timed_elsewhere")));
    }
    if (hidden > 0)
        lore_buf_printf(&cli->out,
            "%s hidden from recommendations (warplore list curations says why)\n",
            lore_answer_show_count(cli, (long long)hidden, "version", "versions"));
}

/* "sweep of 4362 configurations on a100: best 810.0 us (tile=64), 3.10x over the first, 212 failed"
 */
static void
print_sweeps(struct lore_cli *cli, const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "sweeps");

    for (const struct lore_json *s = list ? list->child : NULL; s; s = s->next) {
        const struct lore_json *summary = lore_json_get(s, "summary");
        const char *label = lore_answer_text(summary, "best"), *chip = lore_answer_text(s, "chip"),
                   *gain = "", *best = "no time";
        long long failed = lore_answer_int(summary, "failed");
        double ns, median, first;

        if (lore_answer_number(summary, "best_ns", &ns))
            best = lore_format(cli->arena, "best %s%s%s%s", lore_answer_show_ns(cli, ns),
                label ? " (" : "", label ? lore_print_clean(cli, label) : "", label ? ")" : "");
        if (lore_answer_number(s, "speedup_vs_first", &first))
            gain =
                lore_format(cli->arena, ", %s over the first", lore_answer_show_factor(cli, first));
        else if (lore_answer_number(summary, "median_ns", &median))
            gain = lore_format(
                cli->arena, ", %s over the median", lore_answer_show_factor(cli, median / ns));
        lore_print_wrapped(cli, "", 2,
            lore_format(cli->arena, "sweep of %s%s%s: %s%s%s (warplore show %s)",
                lore_answer_show_count(cli, lore_answer_int(summary, "configurations"),
                    "configuration", "configurations"),
                chip ? " on " : "", chip ? chip : "", best, gain,
                failed > 0 ? lore_format(cli->arena, ", %lld failed", failed) : "",
                lore_answer_text(s, "id")));
    }
}

static int
table(
    struct lore_cli *cli, const struct lore_args *args, const struct lore_shown *columns, size_t n)
{
    struct lore_json *root = NULL;
    int code = ask(cli, args, &root);

    if (code != LORE_EXIT_OK)
        return code;
    if (lore_args_has(args, "unmasked-only"))
        drop_hidden(root);
    if (cli->json)
        lore_cli_print_json(cli, root);
    code = lore_rows_answer(cli, columns, n, root, "no versions");
    if (code == LORE_EXIT_OK && !cli->json)
        print_foot(cli, root);
    if (!cli->json)
        print_sweeps(cli, root);
    return code;
}

int
lore_cmd_history(struct lore_cli *cli, const struct lore_args *args)
{
    int code = table(cli, args, history_columns, sizeof history_columns / sizeof *history_columns);

    if (code == LORE_EXIT_OK && !cli->json)
        lore_buf_puts(
            &cli->out, "gains against the first version, the parent, the champion before\n");
    return code;
}

int
lore_cmd_summary(struct lore_cli *cli, const struct lore_args *args)
{
    return table(cli, args, summary_columns, sizeof summary_columns / sizeof *summary_columns);
}

/* Whether work can continue from a version: it is not hidden, no ablation and no library. */
static bool
can_continue(const struct lore_json *row)
{
    const char *kind = lore_rows_at_text(row, "version.kind");

    return !lore_answer_true(row, "hidden") && !lore_streq(kind, "ablation") &&
           !lore_streq(kind, "library");
}

int
lore_cmd_latest(struct lore_cli *cli, const struct lore_args *args)
{
    const struct lore_json *latest = NULL;
    struct lore_json *root = NULL;
    double highest = -1, ordinal;
    int code = ask(cli, args, &root);

    if (code != LORE_EXIT_OK)
        return code;
    for (const struct lore_json *r = lore_rows_of(root); r; r = r->next) {
        if (!can_continue(r))
            continue;
        /* without ordinals the order of the lineage decides */
        if (!lore_answer_number(lore_json_get(r, "version"), "ordinal", &ordinal))
            ordinal = highest;
        if (ordinal >= highest) {
            highest = ordinal;
            latest = r;
        }
    }
    if (!latest)
        return lore_cli_say(cli, LORE_EXIT_NO, "%s: %s", args->words.v[0],
            lore_rows_of(root) ? "every version is masked" : "no versions");
    if (cli->json)
        lore_cli_print_json(cli, lore_json_get(latest, "version"));
    else
        (void)lore_rows_print(cli, history_columns,
            sizeof history_columns / sizeof *history_columns,
            &(struct lore_json){.type = LORE_J_OBJECT, .child = latest->child});
    return LORE_EXIT_OK;
}

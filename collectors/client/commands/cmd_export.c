/* Exports: all submissions unchanged, files of other workflows and tools, a Markdown page, or JSON
 * lines with one experiment each. The Markdown page has totals, a table per operator and language,
 * and the best win of each as a lesson. */
#include <string.h>

#include "collectors/client/ask/fetch.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/report/quantity.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_export_opts[] = {
    LORE_OPT_ALL,
    {"experiences", 0, NULL, false, "experiences.json of kernel-opt-skill"},
    {"experiences-md", 0, NULL, false, "The same experiences as a Markdown page"},
    {"memory", 0, "KERNEL", false, "memory/v<N>.json of one kernel, below the folder PATH"},
    {"state-json", 0, "KERNEL", false, "state.json of cuda-kernel-optimizer, for one kernel"},
    {"t4", 0, "SWEEP", false, "A sweep as a results file of the T4 schema"},
    {"flashinfer", 0, "KERNEL", false, "A kernel as FlashInfer Trace, below the folder PATH"},
    {"bmf", 0, "WHAT", false, "Times of champions or of runs, in Bencher's metric format"},
    {"openmetrics", 0, "WHAT", false, "The same as OpenMetrics text, for Prometheus"},
    LORE_OPT_WORKLOAD,
    LORE_OPT_MARKDOWN,
    {"jsonl", 0, NULL, false, "Every row as one line of JSON, as the service gives it"},
    LORE_OPT_OPERATOR,
    LORE_OPT_LANGUAGE,
    LORE_OPT_CHIP,
    LORE_OPT_BOTTLENECK,
    LORE_OPT_EFFECT,
    {NULL, 0, NULL, false, NULL},
};

static const char *const filters[] = {"operator", "language", "chip", "bottleneck", "effect"};

struct all {
    const struct lore_json **v;
    size_t n, cap, withheld;
};

/* Every experiment that matches and may be passed on, page by page. Hidden ones, the retracted
 * among them, are left out but for JSON lines, where `masked` says so. */
static int
fetch_all(struct lore_cli *cli, const struct lore_args *args, struct all *out)
{
    const char *cursor = NULL;

    do {
        struct lore_json *root = NULL;
        struct lore_query q;
        lore_query_start(&q, "/api/v1/experiments");
        for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
            lore_query_add(&q, filters[i], lore_args_get(args, filters[i]));
        lore_query_add(&q, "limit", "200");
        lore_query_add(&q, "cursor", cursor);
        int code = lore_cli_fetch(cli, &q, false, &root);
        if (code != LORE_EXIT_OK)
            return code;
        const struct lore_json *rows = lore_json_get(root, "rows");
        for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next) {
            if (lore_fetch_bool(r, "withheld"))
                out->withheld++;
            else if (lore_args_has(args, "jsonl") || !lore_fetch_bool(r, "masked"))
                *LORE_PUSH(cli->arena, out->v, out->n, out->cap) = r;
        }
        const char *next = lore_answer_text(root, "next");
        if (next && cursor && strcmp(next, cursor) == 0)
            return lore_cli_say(cli, LORE_EXIT_SERVICE, "the service repeats a page");
        cursor = next;
    } while (cursor);
    return LORE_EXIT_OK;
}

static const char *
effect_of(const struct lore_json *x)
{
    const char *effect = lore_report_effect(lore_json_get(x, "outcome"));
    return effect ? effect : "";
}

static double
speedup_of(const struct lore_json *x)
{
    double v = 0;
    return lore_answer_number(lore_json_get(x, "outcome"), "speedup", &v) ? v : 0;
}

static bool
same_group(const struct lore_json *a, const struct lore_json *b)
{
    return lore_streq(lore_answer_text(a, "operator"), lore_answer_text(b, "operator")) &&
           lore_streq(lore_answer_text(a, "language"), lore_answer_text(b, "language"));
}

/* A table cell: one line, bars escaped. */
static void
put_cell(struct lore_cli *cli, const char *text)
{
    const char *clean = lore_print_clean(cli, text && *text ? text : "—");

    lore_buf_putc(&cli->out, ' ');
    for (; *clean; clean++) {
        if (*clean == '|' || *clean == '\\')
            lore_buf_putc(&cli->out, '\\');
        lore_buf_putc(&cli->out, *clean);
    }
    lore_buf_puts(&cli->out, " |");
}

static void
put_row(struct lore_cli *cli, const struct lore_json *x)
{
    double speedup = speedup_of(x);
    const char *techniques = lore_answer_join(cli, lore_json_get(x, "techniques"), " + ");
    const char *labels = lore_answer_join(cli, lore_json_get(x, "labels"), "+");
    const char *day = lore_answer_text(x, "happened_at");

    lore_buf_putc(&cli->out, '|');
    put_cell(cli, lore_answer_text(x, "id"));
    put_cell(cli, lore_answer_show_day(cli, day));
    put_cell(cli, lore_answer_text(x, "chip"));
    put_cell(cli, lore_answer_text(lore_json_get(x, "workload"), "label"));
    put_cell(cli, lore_streq(lore_rows_at_text(x, "labels_from.source"), "derived")
                      ? lore_format(cli->arena, "%s (derived)", labels)
                      : labels);
    put_cell(cli, speedup > 0 ? lore_answer_show_factor(cli, speedup) : NULL);
    put_cell(cli, *techniques ? techniques : lore_answer_text(x, "title"));
    put_cell(cli, lore_answer_show_outcome(cli, lore_json_get(x, "outcome")));
    put_cell(cli, lore_answer_text(x, "notes"));
    lore_buf_putc(&cli->out, '\n');
}

static void
put_group(struct lore_cli *cli, const struct all *all, size_t first)
{
    const struct lore_json *head = all->v[first];
    size_t won = 0, lost = 0;

    for (size_t i = first; i < all->n; i++) {
        if (!same_group(all->v[i], head))
            continue;
        won += strcmp(effect_of(all->v[i]), "win") == 0;
        lost += strcmp(effect_of(all->v[i]), "loss") == 0;
    }
    lore_buf_printf(&cli->out, "\n## %s [%s] (%zu ✓ / %zu ✗)\n\n",
        lore_answer_text(head, "operator"), lore_answer_text(head, "language"), won, lost);
    lore_buf_puts(&cli->out,
        "| ID | Date | Chip | Workload | Bottleneck | Speedup | Optimization | Outcome | Notes |\n"
        "|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = first; i < all->n; i++) {
        if (same_group(all->v[i], head))
            put_row(cli, all->v[i]);
    }
}

/* The first experiment of its operator and language? */
static bool
is_head(const struct all *all, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (same_group(all->v[i], all->v[at]))
            return false;
    }
    return true;
}

static void
put_lesson(struct lore_cli *cli, const struct all *all, size_t first)
{
    const struct lore_json *best = NULL;

    for (size_t i = first; i < all->n; i++) {
        const struct lore_json *x = all->v[i];
        if (same_group(x, all->v[first]) && strcmp(effect_of(x), "win") == 0 &&
            (!best || speedup_of(x) > speedup_of(best)))
            best = x;
    }
    const char *op = lore_answer_text(all->v[first], "operator");
    const char *language = lore_answer_text(all->v[first], "language");
    if (!best) {
        lore_buf_printf(&cli->out, "- **%s [%s]**: nothing won yet.\n", op, language);
        return;
    }
    const char *lesson = lore_answer_text(best, "lesson");
    const char *techniques = lore_answer_join(cli, lore_json_get(best, "techniques"), " + ");
    lore_buf_printf(&cli->out, "- **%s [%s]**: %s by %s (%s)%s%s\n", op, language,
        lore_answer_show_factor(cli, speedup_of(best)),
        lore_print_clean(cli, *techniques ? techniques : lore_answer_text(best, "title")),
        lore_answer_text(best, "id"), lesson ? ": " : "",
        lesson ? lore_print_clean(cli, lesson) : "");
}

static void
put_markdown(struct lore_cli *cli, const struct all *all)
{
    size_t won = 0, lost = 0, neutral = 0;

    for (size_t i = 0; i < all->n; i++) {
        won += strcmp(effect_of(all->v[i]), "win") == 0;
        lost += strcmp(effect_of(all->v[i]), "loss") == 0;
        neutral += strcmp(effect_of(all->v[i]), "neutral") == 0;
    }
    lore_buf_printf(&cli->out,
        "# Experiences\n\n%zu experiments: %zu won, %zu without gain, %zu lost, %zu without a "
        "verdict.\n",
        all->n, won, neutral, lost, all->n - won - lost - neutral);
    for (size_t i = 0; i < all->n; i++) {
        if (is_head(all, i))
            put_group(cli, all, i);
    }
    if (all->n > 0)
        lore_buf_puts(&cli->out, "\n## Lessons learned\n\n");
    for (size_t i = 0; i < all->n; i++) {
        if (is_head(all, i))
            put_lesson(cli, all, i);
    }
}

/* The filters given, as a query: "operator=gemm&chip=h200". */
static const char *
filter_of(struct lore_cli *cli, const struct lore_args *args)
{
    const char *all = "";

    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        const char *value = lore_args_get(args, filters[i]);
        if (value)
            all = lore_format(cli->arena, "%s%s%s=%s", all, *all ? "&" : "", filters[i],
                lore_fetch_escape(cli->arena, value));
    }
    return all;
}

static int
export_list(struct lore_cli *cli, const struct lore_args *args)
{
    struct all all = {0};
    int code = fetch_all(cli, args, &all);

    if (code != LORE_EXIT_OK)
        return code;
    if (cli->json || lore_args_has(args, "jsonl")) {
        for (size_t i = 0; i < all.n; i++)
            lore_cli_print_json(cli, all.v[i]);
    } else {
        put_markdown(cli, &all);
    }
    if (all.withheld > 0)
        lore_buf_printf(&cli->err,
            "warplore: %zu experiment%s withheld: the licence forbids redistribution\n",
            all.withheld, all.withheld == 1 ? "" : "s");
    return LORE_EXIT_OK;
}

int
lore_cmd_export(struct lore_cli *cli, const struct lore_args *args)
{
    static const char *const forms[] = {"all", "experiences", "experiences-md", "memory",
        "state-json", "t4", "flashinfer", "bmf", "openmetrics", "markdown", "jsonl"};
    const char *path = args->words.n > 0 ? args->words.v[0] : NULL, *form = NULL;
    const char *workload = lore_args_get(args, "workload");

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        if (!lore_args_has(args, forms[i]))
            continue;
        if (form)
            return lore_cli_say(cli, LORE_EXIT_USAGE, "--%s and --%s: choose one", form, forms[i]);
        form = forms[i];
    }
    if (lore_streq(form, "all"))
        return lore_export_all(cli, path);
    if (lore_streq(form, "experiences") || lore_streq(form, "experiences-md"))
        return lore_export_experiences(
            cli, filter_of(cli, args), lore_streq(form, "experiences-md"), path);
    if (lore_streq(form, "state-json"))
        return lore_export_state(cli, lore_args_get(args, "state-json"), workload, path);
    if (lore_streq(form, "t4"))
        return lore_export_t4(cli, lore_args_get(args, "t4"), path);
    if (lore_streq(form, "bmf") || lore_streq(form, "openmetrics"))
        return lore_export_metrics(
            cli, lore_args_get(args, form), lore_streq(form, "bmf"), filter_of(cli, args), path);
    if ((lore_streq(form, "memory") || lore_streq(form, "flashinfer")) && !path)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--%s: name the folder to write into", form);
    if (lore_streq(form, "flashinfer"))
        return lore_export_flashinfer(cli, lore_args_get(args, form), path);
    if (lore_streq(form, "memory"))
        return lore_export_memory(cli, lore_args_get(args, "memory"), workload, path);
    if (path)
        return lore_cli_say(cli, LORE_EXIT_USAGE,
            "%s: this form goes to standard output; the others take a file", path);
    return export_list(cli, args);
}

/* Lists of any noun. One table says, per noun: address, filters it knows, columns, and how a row
 * becomes cells. */
#include <string.h>

#include "commands.h"
#include "print.h"
#include "text.h"

const struct lore_opt lore_list_opts[] = {
    {"kernel", 'k', "OPERATOR", false, NULL, "Only this operator"},
    {"operator", 0, "OPERATOR", false, "kernel", "Another spelling of --kernel"},
    {"family", 0, "FAMILY", false, NULL, "Only this operator family"},
    {"backend", 'b', "LANGUAGE", false, NULL, "Only this language"},
    {"language", 0, "LANGUAGE", false, "backend", "Another spelling of --backend"},
    {"chip", 'c', "CHIP", false, NULL, "Only this chip"},
    {"technique", 'o', "NAME", false, NULL, "Only experiments that used it"},
    {"bottleneck", 0, "LABELS", false, NULL, "Only this bottleneck"},
    {"outcome", 0, "EFFECT", false, NULL, "win, neutral, loss, inconclusive, not_measured"},
    {"effect", 0, "EFFECT", false, "outcome", "Another spelling of --outcome"},
    {"process", 0, "STATE", false, NULL, "clean or broken"},
    {"evidence", 0, "CLASS", false, NULL, "confirmed, measured, imported or claimed"},
    {"kind", 0, "KIND", false, NULL, "Insights: note, technique_card, anti_strategy, …"},
    {"version", 0, "ID", false, NULL, "Only this version"},
    {"words", 0, "TEXT", false, NULL, "Only experiments that mention it"},
    {"disagrees", 0, NULL, false, NULL, "Only where the typed outcome disagrees with the numbers"},
    {"masked", 0, NULL, false, NULL, "Only masked experiments"},
    {"all", 0, NULL, false, NULL, "Chips: also those without facts"},
    {"limit", 'n', "N", false, NULL, "Rows (default 50)"},
    {"cursor", 0, "TEXT", false, NULL, "Where the last page ended"},
    {NULL, 0, NULL, false, NULL, NULL},
};

/* Option -> parameter of the service. */
static const struct {
    const char *option, *param;
} filters[] = {{"kernel", "operator"}, {"family", "family"}, {"backend", "language"},
    {"chip", "chip"}, {"technique", "technique"}, {"bottleneck", "bottleneck"},
    {"outcome", "effect"}, {"process", "process"}, {"evidence", "evidence"}, {"kind", "kind"},
    {"version", "version"}, {"words", "q"}, {"disagrees", "disagrees"}, {"masked", "masked"},
    {"all", "all"}, {"limit", "limit"}, {"cursor", "cursor"}};

const char *
lore_effect_word(const char *outcome)
{
    static const struct {
        const char *typed, *effect;
    } words[] = {{"success", "win"}, {"failure", "loss"}, {"positive", "win"}, {"negative", "loss"},
        {"won", "win"}, {"lost", "loss"}};

    for (size_t i = 0; outcome && i < sizeof words / sizeof *words; i++) {
        if (lore_streqi(outcome, words[i].typed))
            return words[i].effect;
    }
    return outcome;
}

static const char *
or_none(const char *s)
{
    return s ? s : "";
}

static void
experiment_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    const struct lore_json *techniques = lore_json_get(r, "techniques");
    const char *what = lore_jjoin(cli, techniques, " + ");

    lore_table_cell(cli, t, lore_jtext(r, "id"));
    lore_table_cell(cli, t, lore_jtext(r, "operator"));
    lore_table_cell(cli, t, lore_jtext(r, "language"));
    lore_table_cell(cli, t, lore_jtext(r, "chip"));
    lore_table_cell(cli, t, lore_jjoin(cli, lore_json_get(r, "labels"), "+"));
    lore_table_cell(cli, t, lore_show_outcome(cli, lore_json_get(r, "outcome")));
    lore_table_cell(cli, t, lore_jtext(r, "evidence"));
    lore_table_cell(cli, t, *what ? what : lore_jtext(r, "title"));
}

static void
kernel_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    static const char *const keys[] = {
        "id", "operator", "language", "name", "versions", "experiments"};
    for (size_t i = 0; i < 6; i++)
        lore_table_cell(cli, t, lore_jtext(r, keys[i]));
}

static void
run_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    lore_table_cell(cli, t, lore_jtext(r, "id"));
    lore_table_cell(cli, t, lore_jtext(r, "operator"));
    lore_table_cell(cli, t, lore_jtext(r, "language"));
    lore_table_cell(cli, t, lore_jtext(r, "chip"));
    lore_table_cell(cli, t, lore_jtext(lore_json_get(r, "workload"), "label"));
    lore_table_cell(cli, t, lore_show_stats(cli, lore_json_get(r, "stats")));
    lore_table_cell(cli, t, lore_show_word(cli, lore_jtext(r, "correctness")));
}

static void
operator_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    static const char *const keys[] = {"name", "family", "kernels", "experiments", "summary"};
    for (size_t i = 0; i < 5; i++)
        lore_table_cell(cli, t, lore_jtext(r, keys[i]));
}

static void
chip_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    static const char *const keys[] = {
        "name", "title", "vendor", "arch", "isa", "runs", "experiments"};
    for (size_t i = 0; i < 7; i++)
        lore_table_cell(cli, t, lore_jtext(r, keys[i]));
}

static void
technique_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    static const char *const keys[] = {"slug", "axis", "experiments", "wins", "losses", "title"};
    for (size_t i = 0; i < 6; i++)
        lore_table_cell(cli, t, lore_jtext(r, keys[i]));
}

static void
insight_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    const char *scope = or_none(lore_jtext(r, "operator"));
    lore_table_cell(cli, t, lore_jtext(r, "id"));
    lore_table_cell(cli, t, lore_jtext(r, "kind"));
    lore_table_cell(cli, t, *scope ? scope : lore_jtext(r, "family"));
    lore_table_cell(cli, t, lore_jtext(r, "chip"));
    lore_table_cell(cli, t, lore_jtext(r, "title"));
}

static void
submission_row(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r)
{
    lore_table_cell(cli, t, lore_jtext(r, "id"));
    lore_table_cell(cli, t, lore_show_day(cli, lore_jtext(r, "received_at")));
    lore_table_cell(cli, t, lore_jtext(r, "actor"));
    lore_table_cell(cli, t, lore_jtext(lore_json_get(r, "author"), "name"));
    lore_table_cell(cli, t, lore_jtext(r, "bytes"));
}

static const struct lore_column experiment_columns[] = {{"experiment", false, false, false},
    {"operator", false, true, false}, {"language", false, false, false},
    {"chip", false, false, false}, {"bottleneck", false, true, false},
    {"outcome", false, false, false}, {"evidence", false, false, true},
    {"what", false, true, false}};
static const struct lore_column kernel_columns[] = {{"kernel", false, false, false},
    {"operator", false, false, false}, {"language", false, false, false},
    {"name", false, true, false}, {"versions", true, false, false},
    {"experiments", true, false, false}};
static const struct lore_column run_columns[] = {{"run", false, false, false},
    {"operator", false, true, false}, {"language", false, false, false},
    {"chip", false, false, false}, {"workload", false, true, false}, {"time", false, false, false},
    {"correct", false, false, false}};
static const struct lore_column operator_columns[] = {{"operator", false, false, false},
    {"family", false, false, false}, {"kernels", true, false, false},
    {"experiments", true, false, false}, {"summary", false, true, false}};
static const struct lore_column chip_columns[] = {{"chip", false, false, false},
    {"title", false, true, false}, {"vendor", false, false, true}, {"arch", false, false, false},
    {"isa", false, false, false}, {"runs", true, false, false},
    {"experiments", true, false, false}};
static const struct lore_column technique_columns[] = {{"technique", false, false, false},
    {"axis", false, false, false}, {"tried", true, false, false}, {"won", true, false, false},
    {"lost", true, false, false}, {"title", false, true, false}};
static const struct lore_column insight_columns[] = {{"insight", false, false, false},
    {"kind", false, false, false}, {"scope", false, true, false}, {"chip", false, false, false},
    {"title", false, true, false}};
static const struct lore_column submission_columns[] = {{"submission", false, false, false},
    {"received", false, false, false}, {"actor", false, true, false},
    {"author", false, true, false}, {"bytes", true, false, false}};

#define COLUMNS(c) (c), sizeof(c) / sizeof *(c)
static const struct noun {
    const char *name, *path;
    const char *filters; /* parameters the address knows */
    const struct lore_column *columns;
    size_t n_columns;
    void (*row)(struct lore_cli *cli, struct lore_table *t, const struct lore_json *r);
} nouns[] = {
    {"experiments", "/api/v1/experiments",
        " operator family chip language technique bottleneck effect process evidence version q "
        "disagrees masked limit cursor ",
        COLUMNS(experiment_columns), experiment_row},
    {"kernels", "/api/v1/kernels", " operator language limit cursor ", COLUMNS(kernel_columns),
        kernel_row},
    {"runs", "/api/v1/runs", " version chip limit cursor ", COLUMNS(run_columns), run_row},
    {"operators", "/api/v1/operators", " ", COLUMNS(operator_columns), operator_row},
    {"chips", "/api/v1/chips", " all ", COLUMNS(chip_columns), chip_row},
    {"techniques", "/api/v1/techniques", " ", COLUMNS(technique_columns), technique_row},
    {"insights", "/api/v1/insights", " kind operator technique limit cursor ",
        COLUMNS(insight_columns), insight_row},
    {"submissions", "/api/v1/submissions", " limit cursor ", COLUMNS(submission_columns),
        submission_row},
};

static const struct noun *
find_noun(struct lore_cli *cli, const char *name)
{
    const char *names[sizeof nouns / sizeof *nouns];

    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        names[i] = nouns[i].name;
        size_t n = strlen(names[i]);
        if (strcmp(name, names[i]) == 0 ||
            (strlen(name) == n - 1 && strncmp(name, names[i], n - 1) == 0))
            return &nouns[i];
    }
    int near = lore_nearest(name, names, sizeof names / sizeof *names);
    (void)lore_cli_say(cli, LORE_EXIT_USAGE,
        "list: \"%s\" is none of experiments, kernels, runs, operators, chips, techniques, "
        "insights, submissions",
        name);
    if (near >= 0)
        lore_buf_printf(&cli->err, "  hint: did you mean %s?\n", names[near]);
    return NULL;
}

/* False after saying which option this list does not know. */
static bool
add_filters(struct lore_cli *cli, const struct lore_args *args, const struct noun *noun,
    struct lore_query *q)
{
    for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
        const char *value = lore_args_get(args, filters[i].option);
        const char *word = lore_format(cli->arena, " %s ", filters[i].param);
        if (!lore_args_has(args, filters[i].option))
            continue;
        if (!strstr(noun->filters, word)) {
            (void)lore_cli_say(
                cli, LORE_EXIT_USAGE, "--%s: not a filter of %s", filters[i].option, noun->name);
            return false;
        }
        if (strcmp(filters[i].option, "outcome") == 0)
            value = lore_effect_word(value);
        lore_query_add(q, filters[i].param, value ? value : "true");
    }
    return true;
}

static void
print_rows(struct lore_cli *cli, const struct noun *noun, const struct lore_json *root)
{
    struct lore_table t = {.columns = noun->columns, .n_columns = noun->n_columns};
    const struct lore_json *rows = lore_json_get(root, "rows");
    double total = 0;

    for (const struct lore_json *r = rows ? rows->child : NULL; r; r = r->next)
        noun->row(cli, &t, r);
    if (t.n_cells == 0) {
        lore_buf_printf(&cli->out, "no %s\n", noun->name);
        return;
    }
    lore_table_print(cli, &t);
    size_t shown = t.n_cells / t.n_columns;
    if (lore_jnum(root, "total", &total) && (double)shown < total)
        lore_buf_printf(&cli->out, "%zu of %.0f\n", shown, total);
    if (lore_jtext(root, "next"))
        lore_buf_printf(&cli->out, "more: --cursor %s\n", lore_jtext(root, "next"));
}

int
lore_cmd_list(struct lore_cli *cli, const struct lore_args *args)
{
    const struct noun *noun = find_noun(cli, args->words.n > 0 ? args->words.v[0] : "experiments");
    struct lore_json *root = NULL;
    struct lore_query q;

    if (!noun)
        return LORE_EXIT_USAGE;
    lore_query_start(&q, noun->path);
    if (!add_filters(cli, args, noun, &q)) {
        lore_buf_free(&q.path);
        return LORE_EXIT_USAGE;
    }
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    if (!cli->json)
        print_rows(cli, noun, root);
    const struct lore_json *rows = lore_json_get(root, "rows");
    return rows && rows->child ? LORE_EXIT_OK : LORE_EXIT_NO;
}

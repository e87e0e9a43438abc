/* Lists of any noun. One table has, for each noun, its address, filters and columns. */
#include <string.h>

#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/list_csv.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"

const struct lore_opt lore_list_opts[] = {
    {"kernel", 'k', "OPERATOR", false, NULL, "Only this operator"},
    {"operator", 0, "OPERATOR", false, "kernel", "Another spelling of --kernel"},
    {"family", 0, "FAMILY", false, NULL, "Only this operator family"},
    {"backend", 'b', "LANGUAGE", false, NULL, "Only this language"},
    {"language", 0, "LANGUAGE", false, "backend", "Another spelling of --backend"},
    {"project", 'p', "NAME", false, NULL,
        "Kernels, versions, runs, experiments: only this project: team/attention"},
    {"chip", 'c', "CHIP", false, NULL, "Only this chip"},
    {"technique", 'o', "NAME", false, NULL, "Only experiments that used it"},
    {"bottleneck", 0, "LABELS", false, NULL, "Only this bottleneck"},
    {"outcome", 0, "EFFECT", false, NULL,
        "win, neutral (no gain), loss, inconclusive, not_measured"},
    {"effect", 0, "EFFECT", false, "outcome", "Another spelling of --outcome"},
    {"correctness", 0, "STATE", false, NULL, "pass, fail, timeout or not_checked"},
    {"process", 0, "STATE", false, NULL, "clean or broken"},
    {"evidence", 0, "CLASS", false, NULL, "confirmed, measured, imported or claimed"},
    {"error-type", 0, "KIND", false, NULL,
        "Experiments, runs: only this failure: compilation, runtime, accuracy, performance, "
        "timeout, profiling, environment, process"},
    {"kind", 0, "KIND", false, NULL, "Insights: note, technique_card, anti_strategy, …"},
    {"version", 0, "ID", false, NULL, "Only this version"},
    {"workload", 0, "ID", false, NULL, "Only this workload"},
    {"campaign", 0, "ID", false, NULL, "Only this campaign"},
    {"words", 0, "TEXT", false, NULL, "Only experiments that contain these words"},
    {"disagrees", 0, NULL, false, NULL,
        "Only experiments whose author typed an outcome that disagrees with the numbers"},
    {"masked", 0, NULL, false, NULL, "Only masked experiments"},
    {"metric", 0, "NAME", false, NULL, "Specs: only this metric"},
    {"state", 0, "STATE", false, NULL, "Directions: open or closed"},
    {"subject", 0, "ID", false, NULL, "Curations: only about this record"},
    {"action", 0, "WORD", false, NULL, "Curations: mask, retract, merge, comment, …"},
    {"all", 0, NULL, false, NULL, "Chips: also those without runs or experiments"},
    {"csv", 0, NULL, false, NULL, "Experiments: every row as CSV, or one page by --limit"},
    {"limit", 'n', "N", false, NULL, "Rows (default 50)"},
    {"cursor", 0, "TEXT", false, NULL, "The cursor that the last page printed"},
    {NULL, 0, NULL, false, NULL, NULL},
};

/* Option -> parameter of the service. */
static const struct {
    const char *option, *param;
} filters[] = {{"kernel", "operator"}, {"family", "family"}, {"backend", "language"},
    {"project", "project"}, {"chip", "chip"}, {"technique", "technique"},
    {"bottleneck", "bottleneck"}, {"outcome", "effect"}, {"correctness", "correctness"},
    {"workload", "workload"}, {"campaign", "campaign"}, {"process", "process"},
    {"evidence", "evidence"}, {"kind", "kind"}, {"version", "version"},
    {"error-type", "error_type"}, {"words", "q"}, {"disagrees", "disagrees"}, {"masked", "masked"},
    {"metric", "metric"}, {"state", "state"}, {"subject", "subject"}, {"action", "action"},
    {"all", "all"}, {"limit", "limit"}, {"cursor", "cursor"}};

const char *
lore_effect_word(const char *outcome)
{
    static const struct {
        const char *typed, *effect;
    } words[] = {{"success", "win"}, {"failure", "loss"}, {"positive", "win"}, {"negative", "loss"},
        {"won", "win"}, {"lost", "loss"}, {"no gain", "neutral"}, {"no_gain", "neutral"}};

    for (size_t i = 0; outcome && i < sizeof words / sizeof *words; i++) {
        if (lore_streqi(outcome, words[i].typed))
            return words[i].effect;
    }
    return outcome;
}

#define F LORE_FLEXIBLE
#define O LORE_OPTIONAL
#define R LORE_RIGHT
static const struct lore_shown experiment_columns[] = {{"experiment", "id", LORE_AS_TEXT, 0},
    {"operator", "operator", LORE_AS_TEXT, F}, {"language", "language", LORE_AS_TEXT, 0},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"bottleneck", ".", LORE_AS_LIMITS, F},
    {"outcome", ".", LORE_AS_RESULT, 0}, {"evidence", "evidence", LORE_AS_TEXT, O},
    {"what", "techniques|title", LORE_AS_NAMES, F}};
static const struct lore_shown kernel_columns[] = {{"kernel", "id", LORE_AS_TEXT, 0},
    {"operator", "operator", LORE_AS_TEXT, 0}, {"language", "language", LORE_AS_TEXT, 0},
    {"project", "project", LORE_AS_TEXT, F | O}, {"name", "name", LORE_AS_TEXT, F},
    {"versions", "versions", LORE_AS_TEXT, R}, {"experiments", "experiments", LORE_AS_TEXT, R}};
static const struct lore_shown version_columns[] = {{"version", "id", LORE_AS_TEXT, 0},
    {"label", "label|tag", LORE_AS_TEXT, F}, {"kind", "kind", LORE_AS_TEXT, 0},
    {"operator", "operator", LORE_AS_TEXT, F}, {"language", "language", LORE_AS_TEXT, O},
    {"summary", "summary", LORE_AS_TEXT, F}};
static const struct lore_shown run_columns[] = {{"run", "id", LORE_AS_TEXT, 0},
    {"operator", "operator", LORE_AS_TEXT, F}, {"language", "language", LORE_AS_TEXT, 0},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"workload", "workload.label", LORE_AS_TEXT, F},
    {"time", "stats", LORE_AS_STATS, 0}, {"correct", "correctness", LORE_AS_WORD, 0}};
static const struct lore_shown hypothesis_columns[] = {{"hypothesis", "id", LORE_AS_TEXT, 0},
    {"author", "author", LORE_AS_TEXT, F | O}, {"claimed", "claimed_at", LORE_AS_DAY, O},
    {"claim", "claim", LORE_AS_TEXT, F}};
static const struct lore_shown operator_columns[] = {{"operator", "name", LORE_AS_TEXT, 0},
    {"family", "family", LORE_AS_TEXT, 0}, {"kernels", "kernels", LORE_AS_TEXT, R},
    {"experiments", "experiments", LORE_AS_TEXT, R}, {"summary", "summary", LORE_AS_TEXT, F}};
static const struct lore_shown chip_columns[] = {{"chip", "name", LORE_AS_TEXT, 0},
    {"title", "title", LORE_AS_TEXT, F}, {"vendor", "vendor", LORE_AS_TEXT, O},
    {"arch", "arch", LORE_AS_TEXT, 0}, {"isa", "isa", LORE_AS_TEXT, 0},
    {"runs", "runs", LORE_AS_TEXT, R}, {"experiments", "experiments", LORE_AS_TEXT, R}};
static const struct lore_shown technique_columns[] = {{"technique", "slug", LORE_AS_TEXT, 0},
    {"axis", "axis", LORE_AS_TEXT, 0}, {"tried", "experiments", LORE_AS_TEXT, R},
    {"won", "wins", LORE_AS_TEXT, R}, {"lost", "losses", LORE_AS_TEXT, R},
    {"title", "title", LORE_AS_TEXT, F}};
static const struct lore_shown insight_columns[] = {{"insight", "id", LORE_AS_TEXT, 0},
    {"kind", "kind", LORE_AS_TEXT, 0}, {"scope", "operator|family", LORE_AS_TEXT, F},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"review", "review.state", LORE_AS_TEXT, O},
    {"title", "title", LORE_AS_TEXT, F}};
static const struct lore_shown submission_columns[] = {{"submission", "id", LORE_AS_TEXT, 0},
    {"received", "received_at", LORE_AS_DAY, 0}, {"actor", "actor", LORE_AS_TEXT, F},
    {"author", "author.name", LORE_AS_TEXT, F}, {"bytes", "bytes", LORE_AS_TEXT, R}};
static const struct lore_shown spec_columns[] = {{"spec", "id", LORE_AS_TEXT, 0},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"standing", "standing", LORE_AS_WORD, 0},
    {"what", "cite", LORE_AS_TEXT, F}};
static const struct lore_shown document_columns[] = {{"document", "id", LORE_AS_TEXT, 0},
    {"title", "title", LORE_AS_TEXT, F}, {"path", "path", LORE_AS_TEXT, F},
    {"licence", "provenance.licence|licence", LORE_AS_TEXT, O}};
static const struct lore_shown campaign_columns[] = {{"campaign", "id", LORE_AS_TEXT, 0},
    {"label", "label", LORE_AS_TEXT, F}, {"state", "standing.state|state", LORE_AS_TEXT, 0},
    {"arrived", "standing.arrived|arrived", LORE_AS_TEXT, R},
    {"expected", "standing.expected_records|expected_records", LORE_AS_TEXT, R},
    {"missing", "standing.alarm|alarm", LORE_AS_YES, 0}, {"goal", "goal", LORE_AS_TEXT, F}};
static const struct lore_shown direction_columns[] = {{"direction", "id", LORE_AS_TEXT, 0},
    {"rank", "rank", LORE_AS_TEXT, R}, {"state", "standing.state|state", LORE_AS_TEXT, 0},
    {"what", "text", LORE_AS_TEXT, F}};
static const struct lore_shown curation_columns[] = {{"decision", "id", LORE_AS_TEXT, 0},
    {"action", "action", LORE_AS_WORD, 0}, {"state", "state", LORE_AS_TEXT, O},
    {"at", "decided_at|at", LORE_AS_DAY, 0}, {"by", "actor", LORE_AS_TEXT, F},
    {"about", "subjects", LORE_AS_NAMES, F}, {"reason", "reason", LORE_AS_TEXT, F}};
static const struct lore_shown merge_columns[] = {{"merge", "id", LORE_AS_TEXT, 0},
    {"stands for all", "canonical", LORE_AS_TEXT, 0}, {"members", "members", LORE_AS_COUNT, R},
    {"conflict", "conflict", LORE_AS_YES, 0}, {"by", "actor", LORE_AS_TEXT, F | O},
    {"reason", "reason", LORE_AS_TEXT, F}};

#define COLUMNS(c) (c), sizeof(c) / sizeof *(c)
static const struct noun {
    const char *name, *path;
    const char *filters; /* parameters the address knows */
    const struct lore_shown *columns;
    size_t n_columns;
} nouns[] = {
    /* experiments stay first: only they have --csv */
    {"experiments", "/api/v1/experiments",
        " operator family chip language technique bottleneck effect correctness process "
        "evidence version workload campaign error_type q disagrees masked limit cursor ",
        COLUMNS(experiment_columns)},
    {"kernels", "/api/v1/kernels", " operator language limit cursor ", COLUMNS(kernel_columns)},
    {"versions", "/api/v1/versions", " limit cursor ", COLUMNS(version_columns)},
    {"runs", "/api/v1/runs", " version workload chip error_type limit cursor ",
        COLUMNS(run_columns)},
    {"hypotheses", "/api/v1/hypotheses", " version limit cursor ", COLUMNS(hypothesis_columns)},
    {"operators", "/api/v1/operators", " ", COLUMNS(operator_columns)},
    {"chips", "/api/v1/chips", " all ", COLUMNS(chip_columns)},
    {"techniques", "/api/v1/techniques", " ", COLUMNS(technique_columns)},
    {"insights", "/api/v1/insights", " kind operator technique limit cursor ",
        COLUMNS(insight_columns)},
    {"submissions", "/api/v1/submissions", " limit cursor ", COLUMNS(submission_columns)},
    {"specs", "/api/v1/specs", " chip metric limit cursor ", COLUMNS(spec_columns)},
    {"documents", "/api/v1/source-documents", " limit cursor ", COLUMNS(document_columns)},
    {"campaigns", "/api/v1/campaigns", " limit cursor ", COLUMNS(campaign_columns)},
    {"directions", "/api/v1/directions", " state limit cursor ", COLUMNS(direction_columns)},
    {"curations", "/api/v1/curations", " subject action limit cursor ", COLUMNS(curation_columns)},
    {"merges", "/api/v1/merges", " limit cursor ", COLUMNS(merge_columns)},
};

/* Accepts the singular, too: "hypothesis" for "hypotheses". */
static bool
is_noun(const char *plural, const char *name)
{
    size_t n = strlen(plural);

    return strcmp(name, plural) == 0 ||
           (strlen(name) == n - 1 && strncmp(name, plural, n - 1) == 0) ||
           (strcmp(name, "hypothesis") == 0 && strcmp(plural, "hypotheses") == 0) ||
           (strcmp(name, "decisions") == 0 && strcmp(plural, "curations") == 0);
}

static const struct noun *
find_noun(struct lore_cli *cli, const char *name)
{
    const char *names[sizeof nouns / sizeof *nouns];

    for (size_t i = 0; i < sizeof nouns / sizeof *nouns; i++) {
        names[i] = nouns[i].name;
        if (is_noun(names[i], name))
            return &nouns[i];
    }
    int near = lore_nearest(name, names, sizeof names / sizeof *names);
    const char *all = names[0];
    for (size_t i = 1; i < sizeof nouns / sizeof *nouns; i++)
        all = lore_format(cli->arena, "%s, %s", all, names[i]);
    (void)lore_cli_say(cli, LORE_EXIT_USAGE, "list: \"%s\" is none of %s", name, all);
    if (near >= 0)
        lore_buf_printf(&cli->err, "  hint: did you mean %s?\n", names[near]);
    return NULL;
}

/* Prints an error and returns false when the list does not have a filter. */
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
            bool paging =
                lore_streq(filters[i].param, "limit") || lore_streq(filters[i].param, "cursor");
            (void)lore_cli_say(cli, LORE_EXIT_USAGE,
                paging ? "--%s: the list of %s has only one page" : "--%s: not a filter of %s",
                filters[i].option, noun->name);
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
    double total = 0;
    size_t shown = lore_rows_print(cli, noun->columns, noun->n_columns, lore_rows_of(root));

    if (shown == 0) {
        lore_buf_printf(&cli->out, "no %s\n", noun->name);
        return;
    }
    if (lore_answer_number(root, "total", &total) && (double)shown < total)
        lore_buf_printf(&cli->out, "%zu of %.0f\n", shown, total);
    lore_rows_more(cli, root);
}

int
lore_cmd_list_answer(struct lore_cli *cli, const char *name, const struct lore_json *root)
{
    const struct noun *noun = find_noun(cli, name);

    if (noun && !cli->json)
        print_rows(cli, noun, root);
    return lore_rows_of(root) ? LORE_EXIT_OK : LORE_EXIT_NO;
}

static int
list_csv(struct lore_cli *cli, const struct lore_args *args, struct lore_query *q)
{
    bool page = lore_args_has(args, "limit") || lore_args_has(args, "cursor");
    const char *path =
        lore_format(cli->arena, "%s%s", q->path.data, page || q->has_query ? "" : "?q=");

    lore_buf_free(&q->path);
    return lore_list_csv(cli, path, page);
}

int
lore_cmd_list(struct lore_cli *cli, const struct lore_args *args)
{
    const struct noun *noun = find_noun(cli, args->words.n > 0 ? args->words.v[0] : "experiments");
    struct lore_json *root = NULL;
    struct lore_query q;

    bool csv = lore_args_has(args, "csv");

    if (!noun)
        return LORE_EXIT_USAGE;
    if (csv && cli->json)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--csv and --json: choose one");
    if (csv && noun != nouns)
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "--csv: only of experiments, not of %s", noun->name);
    lore_query_start(&q, noun->path);
    if (!add_filters(cli, args, noun, &q)) {
        lore_buf_free(&q.path);
        return LORE_EXIT_USAGE;
    }
    if (csv)
        return list_csv(cli, args, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    return lore_cmd_list_answer(cli, noun->name, root);
}

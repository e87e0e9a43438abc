/* Lists of any noun. One table has, for each noun, its address, filters and columns. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/list_csv.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"

const struct lore_opt lore_list_opts[] = {
    LORE_OPT_OPERATOR,
    LORE_OPT_FAMILY,
    LORE_OPT_LANGUAGE,
    LORE_OPT_PROJECT,
    LORE_OPT_CHIP,
    LORE_OPT_TECHNIQUE,
    LORE_OPT_BOTTLENECK,
    LORE_OPT_EFFECT,
    LORE_OPT_CORRECTNESS,
    {"process", 0, "STATE", false, "clean or broken"},
    LORE_OPT_EVIDENCE,
    LORE_OPT_ERROR_TYPE,
    LORE_OPT_KIND,
    LORE_OPT_VERSION,
    LORE_OPT_WORKLOAD,
    LORE_OPT_CAMPAIGN,
    {"words", 0, "TEXT", false, "Only experiments that contain these words"},
    {"disagrees", 0, NULL, false,
        "Only experiments whose author typed an outcome that disagrees with the numbers"},
    {"masked", 0, NULL, false, "Only masked experiments"},
    LORE_OPT_METRIC,
    LORE_OPT_STATE,
    {"subject", 0, "ID", false, "Curations: only about this record"},
    {"action", 0, "WORD", false, "Curations: mask, retract, merge, comment, …"},
    LORE_OPT_ALL,
    LORE_OPT_KERNEL,
    LORE_OPT_AUTHOR,
    LORE_OPT_SINCE,
    {"until", 0, "TIME", false, "Not after"},
    LORE_OPT_SORT,
    {"fields", 0, "NAMES", false, "Only these members of each row: id,chip,outcome"},
    LORE_OPT_CSV,
    {"jsonl", 0, NULL, false, "Every row as one line of JSON, as the service gives it"},
    LORE_OPT_LIMIT,
    LORE_OPT_CURSOR,
    {NULL, 0, NULL, false, NULL},
};

#define F LORE_FLEXIBLE
#define O LORE_OPTIONAL
#define R LORE_RIGHT
static const struct lore_shown experiment_columns[] = {{"experiment", "id", LORE_AS_TEXT, 0},
    {"operator", "operator", LORE_AS_TEXT, F}, {"language", "language", LORE_AS_TEXT, 0},
    {"chip", "chip", LORE_AS_TEXT, 0}, {"limit was", ".", LORE_AS_LIMITS, F},
    {"outcome", ".", LORE_AS_RESULT, 0}, {"evidence", "evidence", LORE_AS_TEXT, O},
    {"what", "title", LORE_AS_TEXT, F}, {"techniques", "techniques", LORE_AS_NAMES, F | O}};
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
    {"about", "record.operator", LORE_AS_TEXT, O}, {"claim", "claim", LORE_AS_TEXT, F}};
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
static const struct lore_shown unresolved_columns[] = {{"name", "name", LORE_AS_TEXT, 0},
    {"kind", "kind", LORE_AS_TEXT, 0}, {"experiments", "experiments", LORE_AS_TEXT, R},
    {"did you mean", "near", LORE_AS_TEXT, F}};
static const struct lore_shown insight_columns[] = {{"insight", "id", LORE_AS_TEXT, 0},
    {"kind", "kind", LORE_AS_TEXT, 0}, {"scope", "operator|family", LORE_AS_TEXT, F},
    {"chip", "chip|record.arch", LORE_AS_TEXT, 0}, {"review", "state", LORE_AS_TEXT, 0},
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
static const struct lore_shown sweep_columns[] = {{"sweep", "id", LORE_AS_TEXT, 0},
    {"kernel", "kernel_name", LORE_AS_TEXT, F}, {"chip", "chip", LORE_AS_TEXT, 0},
    {"workload", "workload_label", LORE_AS_TEXT, F},
    {"configurations", "summary.configurations", LORE_AS_TEXT, R},
    {"failed", "summary.failed", LORE_AS_TEXT, R}, {"best", "summary.best_ns", LORE_AS_NS, R},
    {"median", "summary.median_ns", LORE_AS_NS, R}, {"tool", "tool", LORE_AS_TEXT, F | O}};
static const struct lore_shown profile_columns[] = {{"profile", "id", LORE_AS_TEXT, 0},
    {"program", "program", LORE_AS_TEXT, F}, {"chip", "chip", LORE_AS_TEXT, 0},
    {"tool", "tool", LORE_AS_TEXT, O}, {"measured", "measured_at", LORE_AS_DAY, O},
    {"processes", "process_count", LORE_AS_TEXT, R}, {"kernels", "kernels", LORE_AS_TEXT, R},
    {"launches", "launches", LORE_AS_TEXT, R}, {"GPU time", "total_ns", LORE_AS_NS, R},
    {"author", "author", LORE_AS_TEXT, F | O}, {"most time in", "busiest", LORE_AS_TEXT, F | O}};
static const struct lore_shown direction_columns[] = {{"direction", "id", LORE_AS_TEXT, 0},
    {"rank", "rank", LORE_AS_TEXT, R}, {"state", "standing.state|state", LORE_AS_TEXT, 0},
    {"what", "text", LORE_AS_TEXT, F}};
static const struct lore_shown curation_columns[] = {{"decision", "id", LORE_AS_TEXT, 0},
    {"action", "action", LORE_AS_WORD, 0}, {"state", "retracted", LORE_AS_UNDONE, 0},
    {"at", "decided_at|at", LORE_AS_DAY, 0}, {"by", "actor", LORE_AS_TEXT, F},
    {"about", "subjects", LORE_AS_NAMES, F}, {"reason", "reason", LORE_AS_TEXT, F}};
static const struct lore_shown merge_columns[] = {{"merge", "id", LORE_AS_TEXT, 0},
    {"stands for all", "canonical", LORE_AS_TEXT, 0}, {"members", "members", LORE_AS_COUNT, R},
    {"conflict", "conflict", LORE_AS_YES, 0}, {"by", "actor", LORE_AS_TEXT, F | O},
    {"reason", "reason", LORE_AS_TEXT, F}};

#define PAGED " author since until sort limit cursor "
#define COLUMNS(c) (c), sizeof(c) / sizeof *(c)
static const struct noun {
    const char *name, *path;
    const char *filters; /* parameters the address knows */
    const struct lore_shown *columns;
    size_t n_columns;
} nouns[] = {
    /* experiments stay first: they are the default, and their --csv has chosen columns */
    {"experiments", "/api/v1/experiments",
        " operator family chip language technique bottleneck effect correctness process "
        "evidence version workload campaign error_type words disagrees masked kernel project" PAGED,
        COLUMNS(experiment_columns)},
    {"kernels", "/api/v1/kernels", " operator language project" PAGED, COLUMNS(kernel_columns)},
    {"versions", "/api/v1/versions", " kernel project" PAGED, COLUMNS(version_columns)},
    {"runs", "/api/v1/runs", " operator kernel version workload chip project error_type" PAGED,
        COLUMNS(run_columns)},
    {"hypotheses", "/api/v1/hypotheses", " version operator" PAGED, COLUMNS(hypothesis_columns)},
    {"operators", "/api/v1/operators", " ", COLUMNS(operator_columns)},
    {"chips", "/api/v1/chips", " all ", COLUMNS(chip_columns)},
    {"techniques", "/api/v1/techniques", " ", COLUMNS(technique_columns)},
    {"unresolved", "/api/v1/unresolved", " ", COLUMNS(unresolved_columns)},
    {"insights", "/api/v1/insights", " kind operator technique chip state" PAGED,
        COLUMNS(insight_columns)},
    {"submissions", "/api/v1/submissions", PAGED, COLUMNS(submission_columns)},
    {"specs", "/api/v1/specs", " chip metric" PAGED, COLUMNS(spec_columns)},
    {"documents", "/api/v1/source-documents", PAGED, COLUMNS(document_columns)},
    {"campaigns", "/api/v1/campaigns", " kernel" PAGED, COLUMNS(campaign_columns)},
    {"sweeps", "/api/v1/sweeps", " operator kernel chip workload" PAGED, COLUMNS(sweep_columns)},
    {"profiles", "/api/v1/profiles", " chip" PAGED, COLUMNS(profile_columns)},
    {"directions", "/api/v1/directions", " kernel state" PAGED, COLUMNS(direction_columns)},
    {"curations", "/api/v1/curations", " subject action" PAGED, COLUMNS(curation_columns)},
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

/* The options that this list takes, for an error: "--operator, --language, --limit". */
static const char *
options_of(struct lore_cli *cli, const struct noun *noun)
{
    const char *all = "";

    for (const struct lore_opt *o = lore_list_opts; o->name; o++) {
        const char *word = lore_format(cli->arena, " %s ", lore_ask_param(cli->arena, o->name));
        if (strstr(noun->filters, word))
            all = lore_format(cli->arena, "%s%s--%s", all, *all ? ", " : "", o->name);
    }
    return *all ? lore_format(cli->arena, "it takes %s", all) : "it takes no filters";
}

/* The columns whose cells are made of several members: the service's name, and a plain one. */
static const struct {
    enum lore_how how;
    const char *column, *plain;
} made[] = {{LORE_AS_STATS, "time_ns", "time"}, {LORE_AS_RESULT, "outcome.speedup", "speedup"},
    {LORE_AS_RESULT, "outcome.effect", "effect"}};

/* The service's name for the title of a column, or for a plain one; other names stay. */
static const char *
sort_of(struct lore_cli *cli, const struct noun *noun, const char *text)
{
    const char *down = *text == '-' ? "-" : "", *name = text + strlen(down);

    for (size_t i = 0; i < noun->n_columns; i++) {
        const struct lore_shown *c = &noun->columns[i];
        bool titled = lore_streq(c->title, name);
        const char *column = titled ? c->path : NULL;
        for (size_t k = sizeof made / sizeof *made; k-- > 0;)
            if (made[k].how == c->how && (titled || lore_streq(made[k].plain, name)))
                column = made[k].column;
        if (column)
            return lore_format(cli->arena, "%s%.*s", down, (int)strcspn(column, "|"), column);
    }
    return text;
}

/* Prints an error and returns false when the list does not have a filter. */
static bool
add_filters(struct lore_cli *cli, const struct lore_args *args, const struct noun *noun,
    struct lore_query *q)
{
    for (const struct lore_opt *o = lore_list_opts; o->name; o++) {
        const char *value = lore_args_get(args, o->name);
        const char *param = lore_ask_param(cli->arena, o->name);
        if (!lore_args_has(args, o->name) || lore_choice("csv|jsonl", o->name))
            continue;
        if (!lore_streq(param, "fields") &&
            !strstr(noun->filters, lore_format(cli->arena, " %s ", param))) {
            (void)lore_cli_say(
                cli, LORE_EXIT_USAGE, "--%s: not a filter of %s", o->name, noun->name);
            lore_buf_printf(&cli->err, "  hint: %s\n", options_of(cli, noun));
            return false;
        }
        if (lore_streq(param, "sort"))
            value = sort_of(cli, noun, value);
        lore_query_add(q, param, value ? value : "true");
    }
    return true;
}

/* NOUN with the columns FIELDS, "id,chip". The rows show what kind of value each one is. */
static const struct noun *
with_fields(
    struct lore_cli *cli, const struct noun *noun, const char *fields, const struct lore_json *root)
{
    struct noun *out = lore_memdup(cli->arena, noun, sizeof *noun);
    struct lore_shown *columns = NULL;
    size_t cap = 0;

    out->n_columns = 0;
    for (size_t n; *fields; fields += n + (fields[n] == ',')) {
        n = strcspn(fields, ",");
        const char *name = lore_strndup(cli->arena, fields, n);
        const struct lore_json *v = NULL;
        for (const struct lore_json *r = lore_rows_of(root); r && !v; r = r->next)
            v = lore_json_get(r, name);
        enum lore_how how = v && v->type == LORE_J_OBJECT  ? LORE_AS_MEMBERS
                            : v && v->type == LORE_J_ARRAY ? LORE_AS_NAMES
                                                           : LORE_AS_TEXT;
        *LORE_PUSH(cli->arena, columns, out->n_columns, cap) =
            (struct lore_shown){name, name, how, F};
    }
    out->columns = columns;
    return out;
}

static void
print_rows(
    struct lore_cli *cli, const struct noun *noun, const char *chip, const struct lore_json *root)
{
    double total = 0;
    size_t shown = lore_rows_print(cli, noun->columns, noun->n_columns, lore_rows_of(root));

    if (shown == 0) {
        lore_buf_printf(&cli->out, "no %s\n", noun->name);
        return;
    }
    if (lore_answer_number(root, "total", &total) && (double)shown < total)
        lore_buf_printf(&cli->out, "%zu of %.0f\n", shown, total);
    if (lore_streq(noun->name, "unresolved"))
        lore_buf_puts(&cli->out, "settle one: warplore alias NAME TECHNIQUE\n");
    lore_rows_variants(cli, chip, lore_rows_of(root));
    lore_rows_more(cli, root);
}

int
lore_cmd_list_answer(struct lore_cli *cli, const char *name, const struct lore_json *root)
{
    const struct noun *noun = find_noun(cli, name);

    if (noun && !cli->json)
        print_rows(cli, noun, NULL, root);
    return noun ? LORE_EXIT_OK : LORE_EXIT_USAGE;
}

/* The rows as CSV or JSON lines. A list without pages has all of its rows in one answer. */
static int
list_out(struct lore_cli *cli, const struct lore_args *args, const struct noun *noun,
    struct lore_query *q)
{
    struct lore_listing l = {.page = lore_args_has(args, "limit") ||
                                     lore_args_has(args, "cursor") ||
                                     !strstr(noun->filters, " cursor "),
        .lines = lore_args_has(args, "jsonl"),
        .experiments = noun == nouns};

    l.path = lore_strdup(cli->arena, q->path.data);
    lore_buf_free(&q->path);
    return lore_list_out(cli, &l);
}

void
lore_cmd_list_hint_family(struct lore_cli *cli, const char *chip)
{
    const struct lore_chip *asked = chip ? lore_chip_find(chip) : NULL;
    const char *dash = asked ? strchr(asked->name, '-') : NULL;
    const struct lore_chip *family =
        dash ? lore_chip_find(lore_strndup(cli->arena, asked->name, (size_t)(dash - asked->name)))
             : NULL;

    if (family && lore_chip_covers(family, asked))
        lore_buf_printf(&cli->out, "what does not say which %s it ran on is listed by -c %s\n",
            family->name, family->name);
}

/* Why a filter may have left nothing: its name is not in the catalogue, or it is a variant. */
static void
hint_unknown(struct lore_cli *cli, const struct lore_args *args, const struct lore_json *root)
{
    const char *op = lore_args_get(args, "operator"), *technique = lore_args_get(args, "technique");
    const char *near[LORE_WORDS_NEAREST], *unknown = NULL;
    size_t n = 0;

    if (lore_rows_of(root))
        return;
    lore_cmd_list_hint_family(cli, lore_args_get(args, "chip"));
    if (op && !lore_operator_find(op))
        n = lore_operators_nearest(unknown = op, near);
    else if (technique && !lore_words_name(technique))
        n = lore_words_nearest(unknown = technique, near);
    if (unknown)
        lore_buf_printf(&cli->out, "\"%s\" is not in the catalogue%s%s%s\n",
            lore_print_clean(cli, unknown), n ? "; did you mean " : "", n ? near[0] : "",
            n ? "?" : "");
}

int
lore_cmd_list(struct lore_cli *cli, const struct lore_args *args)
{
    const struct noun *noun = find_noun(cli, args->words.n > 0 ? args->words.v[0] : "experiments");
    struct lore_json *root = NULL;
    struct lore_query q;

    const char *fields = lore_args_get(args, "fields");
    bool csv = lore_args_has(args, "csv"), lines = lore_args_has(args, "jsonl");

    if (!noun)
        return LORE_EXIT_USAGE;
    if (csv + lines + cli->json > 1)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--csv, --jsonl and --json: choose one");
    if (csv && fields && noun == nouns)
        return lore_cli_say(cli, LORE_EXIT_USAGE, "--csv and --fields: choose one");
    lore_query_start(&q, noun->path);
    if (!add_filters(cli, args, noun, &q)) {
        lore_buf_free(&q.path);
        return LORE_EXIT_USAGE;
    }
    if (csv || lines)
        return list_out(cli, args, noun, &q);
    int code = lore_cli_get(cli, &q, &root);
    if (code == LORE_EXIT_OK && !cli->json)
        print_rows(cli, fields ? with_fields(cli, noun, fields, root) : noun,
            lore_args_get(args, "chip"), root);
    if (code == LORE_EXIT_OK && !cli->json)
        hint_unknown(cli, args, root);
    return code;
}

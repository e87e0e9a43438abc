/* Shows any id: an experiment in full, every other record as its members. Ids of all record types
 * look alike, so the types are tried in turn, the most common first. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/options.h"
#include "collectors/client/commands/profile_text.h"
#include "collectors/client/commands/show_verdicts.h"
#include "collectors/client/report/sheet.h"
#include "collectors/client/screen/rows.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"

#define LONG_LIST 16

const struct lore_opt lore_show_opts[] = {
    LORE_OPT_UNMASKED_ONLY,
    {NULL, 0, NULL, false, NULL},
};

static const struct {
    const char *path, *noun;
} addresses[] = {{"/api/v1/experiments", "experiment"}, {"/api/v1/runs", "run"},
    {"/api/v1/versions", "version"}, {"/api/v1/kernels", "kernel"}, {"/api/v1/insights", "insight"},
    {"/api/v1/sweeps", "sweep"}, {"/api/v1/profiles", "profile"},
    {"/api/v1/hypotheses", "hypothesis"}, {"/api/v1/submissions", "submission"},
    {"/api/v1/environments", "environment"}, {"/api/v1/specs", "spec"},
    {"/api/v1/campaigns", "campaign"}, {"/api/v1/directions", "direction"},
    {"/api/v1/source-documents", "source document"}, {"/api/v1/curations", "decision"},
    {"/api/v1/records", NULL /* the record names its kind */}};

#define SHORT_NS 5e4 /* below this, launch overhead is a large part of the time */

/* Warn about a time so short that it varies by a few microseconds without a cause. */
static void
print_short(struct lore_cli *cli, double ns)
{
    if (ns > 0 && ns < SHORT_NS)
        lore_rows_line(
            cli, "short", "launch overhead matters: differences below a few µs are noise");
}

/* ": a run of it was retracted", where X has no result for that. */
static const char *
show_withdrawn(const struct lore_json *x)
{
    static const char *const sides[] = {"before", "after"};
    const char *effect = lore_answer_text(lore_json_get(x, "outcome"), "effect");

    for (size_t i = 0; lore_streq(effect, "not_measured") && i < 2; i++) {
        const struct lore_json *runs = lore_json_get(x, sides[i]);
        for (const struct lore_json *r = runs ? runs->child : NULL; r; r = r->next)
            if (lore_answer_true(r, "retracted"))
                return i ? ": its run after was retracted" : ": its run before was retracted";
    }
    return "";
}

static void
print_outcome(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *o = lore_json_get(x, "outcome");
    double before, after, low, high;
    const char *rules = lore_answer_join(cli, lore_json_get(o, "rules"), ", ");

    lore_rows_line(cli, "effect",
        lore_format(cli->arena, "%s%s (basis %s, policy %s)",
            lore_answer_show_outcome(cli, o) ? lore_answer_show_outcome(cli, o) : "not derived",
            show_withdrawn(x), lore_answer_text(o, "basis") ? lore_answer_text(o, "basis") : "none",
            lore_answer_text(o, "policy") ? lore_answer_text(o, "policy") : "none"));
    if (lore_answer_number(o, "low", &low) && lore_answer_number(o, "high", &high))
        lore_rows_line(cli, "interval", lore_format(cli->arena, "%.3f-%.3fx (99 %%)", low, high));
    if (lore_answer_number(o, "before_ns", &before))
        lore_rows_line(cli, "before", lore_answer_show_ns(cli, before));
    if (lore_answer_number(o, "after_ns", &after)) {
        lore_rows_line(cli, "after", lore_answer_show_ns(cli, after));
        print_short(cli, after);
    }
    lore_rows_line(
        cli, "correctness", lore_answer_show_word(cli, lore_answer_text(o, "correctness")));
    lore_rows_line(cli, "process",
        *rules ? lore_format(cli->arena, "broken: %s", rules) : lore_answer_text(o, "process"));
    lore_rows_line(cli, "missing",
        lore_sheet_say_words(cli->arena, lore_answer_join(cli, lore_json_get(o, "missing"), ", ")));
    lore_rows_line(cli, "flags", lore_answer_join(cli, lore_json_get(o, "flags"), ", "));
    if (lore_answer_true(o, "disagrees"))
        lore_rows_line(cli, "typed",
            lore_format(cli->arena, "\"%s\", which the numbers do not support",
                lore_answer_text(x, "typed_outcome")));
    else
        lore_rows_line(cli, "typed", lore_answer_text(x, "typed_outcome"));
}

static void
print_runs(struct lore_cli *cli, const char *name, const struct lore_json *runs)
{
    for (const struct lore_json *r = runs ? runs->child : NULL; r; r = r->next) {
        const struct lore_json *stats = lore_json_get(r, "stats");
        lore_rows_line(cli, name,
            lore_format(cli->arena, "%s  %s%s", lore_answer_text(r, "id"),
                lore_answer_show_stats(cli, stats),
                lore_answer_true(r, "retracted") ? ", retracted" : ""));
    }
}

static void
print_masks(struct lore_cli *cli, const struct lore_json *masks)
{
    for (const struct lore_json *m = masks ? masks->child : NULL; m; m = m->next) {
        const char *reason = lore_answer_text(m, "reason"), *actor = lore_answer_text(m, "actor");
        lore_rows_line(cli, lore_answer_true(m, "masked") ? "masked" : "unmasked",
            lore_format(cli->arena, "%s by %s: %s",
                lore_answer_show_day(cli, lore_answer_text(m, "at")), actor ? actor : "?",
                reason ? reason : ""));
    }
}

/* Insights that cite the experiment, with their reviews. */
static void
print_insights(struct lore_cli *cli, const struct lore_json *list)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *id = lore_answer_text(m, "id"), *title = lore_answer_text(m, "title");
        const char *kind = lore_answer_show_word(cli, lore_answer_text(m, "kind"));
        const char *review = lore_answer_text(lore_json_get(m, "review"), "state");

        if (lore_answer_true(m, "retracted"))
            review = "retracted";
        lore_rows_line(cli, m == list->child ? "cited by" : "",
            lore_format(cli->arena, "%s  %s (%s, %s)", id ? id : "?", title ? title : "?",
                kind ? kind : "?", review ? review : "not reviewed"));
    }
}

/* "memory", or "memory (derived: speed-of-light@2 on the run before 01J…)". */
static void
print_bottleneck(struct lore_cli *cli, const struct lore_json *x)
{
    static const char *const bases[][2] = {{"run_before", "the run before"},
        {"stated", "the metrics stated for the version before"},
        {"earlier_run", "an earlier run of the version before"}};
    const struct lore_json *from = lore_json_get(x, "labels_from");
    const char *labels = lore_answer_join(cli, lore_json_get(x, "labels"), "+");
    const char *rule_set = lore_answer_text(from, "rule_set"), *run = lore_answer_text(from, "run");
    const char *basis = NULL;

    for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
        if (lore_streq(lore_answer_text(from, "basis"), bases[i][0]))
            basis = bases[i][1];
    if (rule_set)
        labels = lore_format(cli->arena, "%s (derived: %s on %s%s%s)", labels, rule_set,
            basis ? basis : "metrics", run ? " " : "", run ? run : "");
    lore_rows_line(cli, "bottleneck", labels);
}

static void
print_experiment(struct lore_cli *cli, const struct lore_json *x)
{
    const struct lore_json *p = lore_json_get(lore_json_get(x, "record"), "provenance");
    const struct lore_json *h = lore_json_get(x, "hypothesis_record");
    const char *title = lore_answer_text(x, "title");

    lore_buf_printf(&cli->out, "experiment %s\n", lore_answer_text(x, "id"));
    lore_print_wrapped(cli, "  ", 2, title ? title : "");
    lore_rows_line(cli, "operator", lore_answer_text(x, "operator"));
    lore_rows_line(cli, "kernel",
        lore_format(cli->arena, "%s%s%s [%s]",
            lore_answer_text(x, "project") ? lore_answer_text(x, "project") : "",
            lore_answer_text(x, "project") ? "/" : "",
            lore_answer_text(x, "kernel_name") ? lore_answer_text(x, "kernel_name") : "?",
            lore_answer_text(x, "language") ? lore_answer_text(x, "language") : "?"));
    if (lore_answer_text(x, "copy_of"))
        lore_rows_line(cli, "copy of",
            lore_answer_text(x, "copy_of_project")
                ? lore_format(cli->arena, "%s (project %s)", lore_answer_text(x, "copy_of"),
                      lore_answer_text(x, "copy_of_project"))
                : lore_answer_text(x, "copy_of"));
    lore_rows_line(cli, "chip", lore_answer_text(x, "chip"));
    lore_rows_line(cli, "workload", lore_answer_text(lore_json_get(x, "workload"), "label"));
    print_bottleneck(cli, x);
    lore_rows_line(cli, "techniques", lore_answer_join(cli, lore_json_get(x, "techniques"), ", "));
    print_outcome(cli, x);
    lore_rows_line(cli, "evidence", lore_answer_text(x, "evidence"));
    lore_rows_line(cli, "hypothesis", lore_answer_text(h, "claim"));
    lore_show_hypothesis_verdicts(cli, x);
    lore_show_technique_verdicts(cli, x);
    lore_rows_line(cli, "notes", lore_answer_text(x, "notes"));
    lore_rows_line(cli, "lesson", lore_answer_text(x, "lesson"));
    print_insights(cli, lore_json_get(x, "insights"));
    lore_rows_line(cli, "from", lore_answer_text(x, "from_version"));
    lore_rows_line(cli, "to", lore_answer_text(x, "to_version"));
    print_runs(cli, "run before", lore_json_get(x, "before"));
    print_runs(cli, "run after", lore_json_get(x, "after"));
    if (p)
        lore_rows_line(cli, "source",
            lore_format(cli->arena, "%s %s",
                lore_answer_text(p, "system") ? lore_answer_text(p, "system") : "",
                lore_answer_text(p, "external_id") ? lore_answer_text(p, "external_id") : ""));
    lore_rows_line(cli, "author", lore_answer_text(x, "author"));
    lore_rows_line(cli, "happened", lore_answer_show_day(cli, lore_answer_text(x, "happened_at")));
    lore_rows_line(cli, "document", lore_answer_text(x, "document"));
    print_masks(cli, lore_json_get(x, "masks"));
}

static const char *
show_member(struct lore_cli *cli, const struct lore_json *m)
{
    const char *more = lore_format(cli->arena, "%s (--json shows them)",
        lore_answer_show_count(cli, m->len, "entry", "entries"));

    switch (m->type) {
    case LORE_J_STRING:
    case LORE_J_NUMBER:
        return m->str;
    case LORE_J_BOOL:
        return m->i ? "yes" : strcmp(m->key, "retracted") == 0 ? NULL : "no";
    case LORE_J_OBJECT:
        return m->child && !*lore_answer_show_members(cli, m) ? more
                                                              : lore_answer_show_members(cli, m);
    case LORE_J_ARRAY:
        /* leave out samples, which are for programs; show ids and names */
        if (m->len > LONG_LIST || (m->child && m->child->type == LORE_J_OBJECT))
            return more;
        return lore_answer_join(cli, m, ", ");
    default:
        return NULL;
    }
}

/* Print the members one per line, then those that only the record has. A nested object shows its
 * scalars on one line. */
static void
print_members(struct lore_cli *cli, const char *noun, const struct lore_json *root)
{
    const struct lore_json *record = lore_json_get(root, "record");
    double median;

    lore_buf_printf(&cli->out, "%s %s\n", noun, lore_answer_text(root, "id"));
    for (const struct lore_json *m = root->child; m; m = m->next) {
        if (lore_streq(m->key, "line"))
            lore_rows_line(cli, "techniques", lore_answer_show_line(cli, m));
        else if (strcmp(m->key, "id") != 0 && m != record && strcmp(m->key, "seq") != 0)
            lore_rows_line(cli, lore_answer_show_word(cli, m->key), show_member(cli, m));
    }
    if (lore_answer_number(lore_json_get(root, "stats"), "median_ns", &median))
        print_short(cli, median);
    for (const struct lore_json *m = record ? record->child : NULL; m; m = m->next) {
        if (!lore_json_get(root, m->key))
            lore_rows_line(cli, lore_answer_show_word(cli, m->key), show_member(cli, m));
    }
}

/* What the history says of the version ROOT: its time, its gain, what came of it. */
static void
print_standing(struct lore_cli *cli, const struct lore_json *root)
{
    const char *id = lore_answer_text(root, "id"), *kernel = lore_answer_text(root, "kernel");
    const struct lore_json *row = NULL;
    struct lore_json *history = NULL;
    struct lore_query q;
    double v;

    if (!id || !kernel)
        return;
    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, kernel);
    lore_buf_puts(&q.path, "/history");
    if (lore_ask_quietly(cli, &q, &history))
        row = lore_rows_of(history);
    while (row && !lore_streq(lore_answer_text(lore_json_get(row, "version"), "id"), id))
        row = row->next;
    const struct lore_json *x = lore_json_get(row, "experiment"),
                           *outcome = lore_json_get(x, "outcome");
    if (lore_answer_number(row, "time_ns", &v))
        lore_rows_line(cli, "time", lore_answer_show_ns(cli, v));
    if (lore_answer_number(row, "speedup_vs_first", &v))
        lore_rows_line(cli, "over the first", lore_answer_show_factor(cli, v));
    lore_rows_line(cli, "outcome", lore_answer_show_outcome(cli, outcome));
    lore_rows_line(
        cli, "check", lore_answer_show_word(cli, lore_answer_text(outcome, "correctness")));
    lore_rows_line(cli, "evidence", lore_answer_text(x, "evidence"));
    lore_rows_line(cli, "notes", lore_answer_text(x, "notes"));
    lore_rows_line(cli, "lesson", lore_answer_text(x, "lesson"));
    lore_rows_line(cli, "experiment", lore_answer_text(x, "id"));
    lore_show_machine_code(cli, id);
}

/* The id of the record that NAME means. */
static int
find_record(struct lore_cli *cli, const char *name, const char **id)
{
    const struct lore_operator *op = lore_operator_find(name);
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/records");
    lore_query_segment(&q, name);
    size_t said = cli->err.len;
    int code = lore_cli_fetch(cli, &q, op != NULL, &root);
    *id = lore_answer_text(root, "id");
    if (code == LORE_EXIT_NO && !op) { /* a submission is no record */
        lore_query_start(&q, "/api/v1/submissions");
        lore_query_segment(&q, name);
        if (lore_ask_quietly(cli, &q, &root)) {
            cli->err.len = said;
            *id = lore_answer_text(root, "id");
            return LORE_EXIT_OK;
        }
    }
    if (code == LORE_EXIT_NO && op)
        return lore_cli_say(cli, LORE_EXIT_NO,
            "%s: an operator without kernels; see warplore list -o %s, warplore recommend -o %s",
            name, op->name, op->name);
    return code;
}

int
lore_cmd_show(struct lore_cli *cli, const struct lore_args *args)
{
    const char *id = args->words.v[0];
    int code = LORE_EXIT_OK;

    if (lore_chip_find(id))
        return lore_cmd_chip(cli, args);
    if (lore_technique_find(id))
        return lore_cmd_technique(cli, args);
    if (!lore_ulid_valid(id))
        code = find_record(cli, id, &id);
    if (code != LORE_EXIT_OK)
        return code;
    for (size_t i = 0; i < sizeof addresses / sizeof *addresses; i++) {
        struct lore_json *root = NULL;
        struct lore_query q;
        lore_query_start(&q, addresses[i].path);
        lore_query_segment(&q, id);
        if (i == 0 && lore_args_has(args, "unmasked-only"))
            lore_query_add(&q, "unmasked", "true");
        code = lore_cli_fetch(cli, &q, true, &root);
        if (code == LORE_EXIT_NO && lore_streq(lore_answer_text(root, "code"), "masked"))
            return lore_cli_say(
                cli, code, "%s", lore_print_clean(cli, lore_answer_text(root, "detail")));
        if (code == LORE_EXIT_NO)
            continue;
        if (code != LORE_EXIT_OK)
            return code;
        if (cli->json)
            lore_cli_print_json(cli, root);
        else if (i == 0)
            print_experiment(cli, root);
        else if (lore_streq(addresses[i].noun, "sweep"))
            lore_show_sweep(cli, root);
        else if (lore_streq(addresses[i].noun, "profile"))
            code = lore_profile_show(cli, root);
        else
            print_members(cli,
                addresses[i].noun ? addresses[i].noun
                                  : lore_answer_show_word(
                                        cli, lore_print_clean(cli, lore_answer_text(root, "kind"))),
                root);
        if (!cli->json && lore_streq(addresses[i].noun, "version"))
            print_standing(cli, root);
        if (!cli->json)
            lore_show_decisions(cli, id);
        return code;
    }
    if (cli->json)
        lore_buf_printf(&cli->out,
            "{\"status\":404,\"code\":\"not_found\",\"detail\":\"%s: nothing has this id\"}\n", id);
    return lore_cli_say(cli, LORE_EXIT_NO, "%s: nothing has this id", id);
}

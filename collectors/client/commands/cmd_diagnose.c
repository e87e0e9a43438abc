/* What limits a run: the verdict of each rule set, with the metrics it used and those it lacked;
 * the techniques that these metrics suggest; and how the bottleneck moved over a kernel's
 * versions. */
#include <string.h>

#include "collectors/client/ask/ask.h"
#include "collectors/client/commands/cmd_methods.h"
#include "collectors/client/commands/commands.h"
#include "collectors/client/commands/profile_text.h"
#include "collectors/client/screen/print.h"
#include "collectors/client/screen/rows.h"
#include "collectors/run/adopt.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

#define TOP_STALLS 5
#define MOST_NEEDED 3 /* missing metrics that are named */

/* "dram.pct 71 (> 60), sm.pct 22 (< 60)" */
static const char *
show_values(struct lore_cli *cli, const struct lore_json *values)
{
    const char *out = "";
    double v, threshold;

    for (const struct lore_json *m = values ? values->child : NULL; m; m = m->next) {
        const char *name = lore_answer_text(m, "metric"), *op = lore_answer_text(m, "op");
        if (!name)
            continue;
        const char *is = lore_answer_number(m, "value", &v) ? lore_rows_number(cli, v) : "?";
        const char *part = lore_format(cli->arena, "%s %s", name, is);
        if (op && lore_answer_number(m, "threshold", &threshold))
            part =
                lore_format(cli->arena, "%s (%s %s)", part, op, lore_rows_number(cli, threshold));
        out = lore_format(cli->arena, "%s%s%s", out, *out ? ", " : "", part);
    }
    return out;
}

static void
print_finding(struct lore_cli *cli, const struct lore_json *f)
{
    const char *label = lore_answer_text(f, "label"), *pattern = lore_answer_text(f, "pattern");
    const char *confidence = lore_answer_text(f, "confidence"),
               *evidence = lore_answer_text(f, "evidence");
    const char *values = show_values(cli, lore_json_get(f, "values"));

    lore_print_wrapped(cli, "  - ", 4,
        lore_format(cli->arena, "%s%s%s%s%s%s", label ? label : "", label && pattern ? ", " : "",
            pattern ? lore_answer_show_word(cli, pattern) : "", confidence ? " (" : "",
            confidence ? confidence : "", confidence ? ")" : ""));
    if (evidence && *evidence)
        lore_print_wrapped(cli, "    ", 4, evidence);
    else if (*values)
        lore_print_wrapped(cli, "    ", 4, values);
}

/* Whether only GPUs of another vendor than VENDOR have the metric NAME. */
static bool
is_foreign(const char *name, const char *vendor)
{
    const struct lore_metric_def *def = lore_metric_find(name);

    return vendor && def && *def->vendor && !lore_streq(def->vendor, vendor);
}

struct missing {
    struct missing_metric {
        const char *name;
        double weight; /* patterns that would be looked at with it, shared among their metrics */
    } v[64];
    size_t n, more;           /* more: metrics beyond these */
    size_t patterns, foreign; /* patterns that lack a metric; that no GPU of the vendor has */
};

static void
note_metric(struct missing *m, const char *name, double weight)
{
    size_t i = 0;

    while (i < m->n && !lore_streq(m->v[i].name, name))
        i++;
    if (i == sizeof m->v / sizeof *m->v) {
        m->more++;
        return;
    }
    if (i == m->n)
        m->v[m->n++] = (struct missing_metric){name, 0};
    m->v[i].weight += weight;
}

static void
note_missing(struct missing *m, const struct lore_json *names, const char *vendor)
{
    for (const struct lore_json *s = names ? names->child : NULL; s; s = s->next)
        if (s->type == LORE_J_STRING && is_foreign(s->str, vendor)) {
            m->foreign++;
            return;
        }
    m->patterns++;
    for (const struct lore_json *s = names ? names->child : NULL; s; s = s->next)
        if (s->type == LORE_J_STRING)
            note_metric(m, s->str, 1.0 / (double)names->len);
}

/* The largest weight first; of equals the one that was named first. */
static const char *
take_most_needed(struct missing *m)
{
    size_t best = 0;

    for (size_t i = 1; i < m->n; i++)
        if (m->v[i].weight > m->v[best].weight)
            best = i;
    m->v[best].weight = -1;
    return m->v[best].name;
}

/* Patterns whose metrics the run lacks: how many, and the metrics that would help most. Metrics of
 * another vendor are not missing. */
static void
print_not_evaluated(struct lore_cli *cli, const struct lore_json *list, const char *vendor)
{
    struct missing m = {0};
    const char *names = "";

    for (const struct lore_json *p = list ? list->child : NULL; p; p = p->next)
        note_missing(&m, lore_json_get(p, "missing"), vendor);
    for (size_t i = 0; i < m.n && i < MOST_NEEDED; i++)
        names = lore_format(cli->arena, "%s%s%s", names, i ? ", " : "", take_most_needed(&m));
    if (m.patterns > 0)
        lore_print_wrapped(cli, "  ", 4,
            lore_format(cli->arena, "not evaluated: %s%s",
                lore_answer_show_count(cli, (long long)m.patterns, "pattern", "patterns"),
                m.n == 0 ? ""
                : m.n + m.more <= MOST_NEEDED
                    ? lore_format(cli->arena, "; missing metrics: %s", names)
                    : lore_format(cli->arena, "; of %zu missing metrics these would help most: %s",
                          m.n + m.more, names)));
    if (m.foreign > 0)
        lore_print_wrapped(cli, "  ", 4,
            lore_format(cli->arena, "%s for other vendors' counters",
                lore_answer_show_count(cli, (long long)m.foreign, "pattern is", "patterns are")));
}

/* "memory"; without a label, whether there are weaker signs, or nothing could be looked at. */
static const char *
set_heading(struct lore_cli *cli, const struct lore_json *set)
{
    const char *labels = lore_answer_join(cli, lore_json_get(set, "labels"), "+");
    const char *signals = lore_answer_join(cli, lore_json_get(set, "signals"), "+");
    const struct lore_json *findings = lore_json_get(set, "findings");

    if (*labels)
        return lore_print_clean(cli, labels);
    if (findings && findings->child)
        return *signals
                   ? lore_format(cli->arena, "only weak signs: %s", lore_print_clean(cli, signals))
                   : "only weak signs";
    const struct lore_json *lacking = lore_json_get(set, "not_evaluated");
    return lacking && lacking->child && lore_answer_int(set, "clear") == 0
               ? "nothing could be evaluated"
               : "no finding";
}

static void
print_rule_sets(struct lore_cli *cli, const struct lore_json *sets, const char *vendor)
{
    for (const struct lore_json *s = sets ? sets->child : NULL; s; s = s->next) {
        const struct lore_json *findings = lore_json_get(s, "findings");
        const char *name = lore_answer_text(s, "name");
        lore_buf_printf(&cli->out, "%s  %s\n",
            lore_print_styled(cli, LORE_BOLD, name ? lore_print_clean(cli, name) : "?"),
            set_heading(cli, s));
        for (const struct lore_json *f = findings ? findings->child : NULL; f; f = f->next)
            print_finding(cli, f);
        print_not_evaluated(cli, lore_json_get(s, "not_evaluated"), vendor);
    }
}

/* A list of sentences, or of objects with text or evidence. */
static void
print_sentences(struct lore_cli *cli, const char *title, const struct lore_json *list)
{
    if (!list || list->type != LORE_J_ARRAY || !list->child)
        return;
    lore_rows_heading(cli, title);
    for (const struct lore_json *m = list->child; m; m = m->next) {
        const char *text = m->type == LORE_J_STRING ? m->str : lore_answer_text(m, "text");
        if (!text && lore_answer_text(m, "evidence"))
            text = lore_format(cli->arena, "%s: %s",
                lore_answer_text(m, "label") ? lore_answer_text(m, "label") : "?",
                lore_answer_text(m, "evidence"));
        if (!text)
            text = lore_answer_show_members(cli, m);
        lore_print_wrapped(cli, "  - ", 4, text);
    }
}

/* Possible faults in the run's numbers. "Measured once" holds for nearly all metrics or for
 * none, so it is printed once, with the number of metrics. */
static void
print_lint(struct lore_cli *cli, const struct lore_json *list)
{
    long long once = 0;

    if (!list || !list->child)
        return;
    lore_rows_heading(cli, "Doubtful numbers");
    for (const struct lore_json *m = list->child; m; m = m->next) {
        const char *text = lore_answer_text(m, "text");
        if (lore_streq(lore_answer_text(m, "code"), "single_sample"))
            once++;
        else
            lore_print_wrapped(cli, "  - ", 4, text ? text : lore_answer_show_members(cli, m));
    }
    if (once > 0)
        lore_print_wrapped(cli, "  - ", 4,
            lore_format(cli->arena, "%s measured once (--json names %s)",
                lore_answer_show_count(cli, once, "metric was", "metrics were"),
                once == 1 ? "it" : "them"));
}

/* The gap per axis, 0 at the peak and 1 idle; an unknown gap is printed as UNKNOWN. */
static void
print_gaps(struct lore_cli *cli, const struct lore_json *gaps, const struct lore_json *budget)
{
    static const char *const axes[] = {"compute", "memory", "latency"};
    const char *line = "",
               *unknown = lore_answer_join(cli, lore_json_get(gaps, "unknown_inputs"), ", ");
    double v;

    if (!gaps || gaps->type != LORE_J_OBJECT)
        return;
    for (size_t i = 0; i < 3; i++)
        line = lore_format(cli->arena, "%s%s%s %s", line, i ? ", " : "", axes[i],
            lore_answer_number(gaps, axes[i], &v) ? lore_rows_number(cli, v) : "UNKNOWN");
    lore_rows_heading(cli, "Gaps to peak (0 to 1)");
    lore_rows_line(cli, "gaps", line);
    lore_rows_line(cli, "largest gap", lore_answer_show_word(cli, lore_answer_text(gaps, "bound")));
    lore_rows_line(cli, "unknown", unknown);
    if (budget && budget->type == LORE_J_OBJECT)
        lore_rows_line(cli, "axis budget",
            lore_format(cli->arena, "of three attempts %lld compute, %lld memory, %lld latency",
                lore_answer_int(budget, "compute"), lore_answer_int(budget, "memory"),
                lore_answer_int(budget, "latency")));
}

/* Grouped by unit, largest first; values in different units do not compare, and one without a unit
 * with nothing. */
static void
print_stalls(struct lore_cli *cli, const struct lore_json *list)
{
    size_t shown = 0;
    double v;

    if (!list || !list->child)
        return;
    lore_rows_heading(cli, "Stalls, largest first within a unit");
    for (const struct lore_json *m = list->child; m && shown < TOP_STALLS; m = m->next) {
        if (lore_streq(lore_answer_text(m, "unit"), "unknown"))
            continue;
        shown++;
        const char *reason = lore_answer_show_word(cli, lore_answer_text(m, "reason"));
        const char *metric = lore_answer_text(m, "metric"), *unit = lore_answer_text(m, "unit");

        lore_print_wrapped(cli, "  - ", 4,
            lore_format(cli->arena, "%s: %s %s%s",
                reason   ? reason
                : metric ? metric
                         : "?",
                lore_answer_number(m, "value", &v) ? lore_rows_number(cli, v) : "?",
                unit ? unit : "",
                lore_answer_true(m, "neutral") ? " (ready, not chosen: nothing lost)" : ""));
    }
    if ((size_t)list->len > shown)
        lore_buf_printf(&cli->out, "  %s%zu more (--json has them)\n", shown ? "and " : "",
            (size_t)list->len - shown);
}

/* What the counters amount to, in names that hold for every vendor. */
static void
print_quantities(struct lore_cli *cli, const struct lore_json *list)
{
    const char *line = "";
    double v;

    for (const struct lore_json *q = list ? list->child : NULL; q; q = q->next) {
        const char *name = lore_answer_text(q, "name"), *unit = lore_answer_text(q, "unit");
        if (!name || !lore_answer_number(q, "value", &v) || v == 0)
            continue;
        line = lore_format(cli->arena, "%s%s%s %s%s%s", line, *line ? ", " : "", name,
            lore_rows_number(cli, v), unit && !lore_streq(unit, "ratio") ? " " : "",
            unit && !lore_streq(unit, "ratio") ? unit : "");
    }
    if (!*line)
        return;
    lore_rows_heading(cli, "Quantities that its counters amount to (formulas: --json)");
    lore_print_wrapped(cli, "  ", 2, line);
}

static int
ask_of_profile(struct lore_cli *cli, const char *profile, const char *text, struct lore_json **root)
{
    struct lore_query q;
    size_t line, shape;

    if (!lore_profile_read_line(text, &line, &shape))
        return lore_cli_say(
            cli, LORE_EXIT_USAGE, "%.40s: a line of the profile is expected, 3 or 3.2", text);
    lore_query_start(&q, "/api/v1/profiles");
    lore_query_segment(&q, profile);
    lore_query_segment(&q, "diagnosis");
    lore_query_add(&q, "line", lore_format(cli->arena, "%zu", line));
    lore_query_add(&q, "shape", lore_format(cli->arena, "%zu", shape > 0 ? shape : 1));
    return lore_cli_get(cli, &q, root);
}

/* Say which line of the profile ROOT is diagnosed, and how to ask for another. */
static int
say_first_line(struct lore_cli *cli, const struct lore_json *root)
{
    struct lore_program_profile p;
    struct lore_err err = {0};

    if (lore_profile_read(cli, root, &p, &err) != LORE_OK)
        return lore_cli_error(cli, LORE_EXIT_SERVICE, &err);
    if (p.n_lines == 0)
        return lore_cli_say(cli, LORE_EXIT_NO, "profile %s has no kernels", p.id);
    if (cli->json)
        return LORE_EXIT_OK;
    lore_print_wrapped(cli, "", 2,
        lore_format(cli->arena, "line 1 of %zu of the profile: %s", p.n_lines,
            lore_print_clean(cli, lore_kernel_short_name(cli->arena, p.lines[0].kernel))));
    if (p.n_lines > 1)
        lore_buf_printf(&cli->out,
            "another: warplore diagnose %s 2; warplore profile %s lists them\n", p.id, p.id);
    return LORE_EXIT_OK;
}

static bool
find_quietly(struct lore_cli *cli, const char *prefix, const char *word, struct lore_json **root)
{
    struct lore_query q;

    lore_query_start(&q, prefix);
    lore_query_segment(&q, word);
    return lore_ask_quietly(cli, &q, root);
}

/* Of a run, or of the first line of a profile. */
static int
ask_of_one(struct lore_cli *cli, const char *word, struct lore_json **root)
{
    struct lore_json *found = NULL;

    if (find_quietly(cli, "/api/v1/runs", word, &found) ||
        !find_quietly(cli, "/api/v1/profiles", word, &found))
        return lore_ask_get(cli, "/api/v1/runs", word, "diagnosis", root);
    int code = say_first_line(cli, found);
    return code == LORE_EXIT_OK ? ask_of_profile(cli, word, "1", root) : code;
}

int
lore_cmd_diagnose(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;

    int code = args->words.n > 1 ? ask_of_profile(cli, args->words.v[0], args->words.v[1], &root)
                                 : ask_of_one(cli, args->words.v[0], &root);
    if (code != LORE_EXIT_OK || cli->json)
        return code;
    const char *reason = lore_answer_text(root, "retraction");
    if (lore_answer_true(root, "retracted"))
        lore_print_wrapped(cli, "", 2,
            lore_format(cli->arena, "This run was retracted%s%s: nothing here counts.",
                reason ? ": " : " with its version", reason ? lore_print_clean(cli, reason) : ""));
    const char *declared = lore_answer_join(cli, lore_json_get(root, "declared"), "+");
    if (*declared)
        lore_buf_printf(
            &cli->out, "%s  %s\n", lore_print_styled(cli, LORE_BOLD, "declared"), declared);
    const struct lore_chip *chip = lore_chip_find(lore_answer_text(root, "chip"));
    print_rule_sets(cli, lore_json_get(root, "rule_sets"), chip ? chip->vendor : NULL);
    print_sentences(cli, "Declared, and contradicted by its own metrics",
        lore_json_get(root, "contradictions"));
    print_lint(cli, lore_json_get(root, "lint"));
    print_stalls(cli, lore_json_get(root, "stalls"));
    print_quantities(cli, lore_json_get(root, "quantities"));
    print_gaps(cli, lore_json_get(root, "gaps"), lore_json_get(root, "axis_budget"));
    return LORE_EXIT_OK;
}

static const struct lore_shown trigger_columns[] = {
    {"technique", "technique", LORE_AS_TEXT, 0},
    {"strength", "strength", LORE_AS_NUMBER, LORE_RIGHT},
    {"axis", "axis", LORE_AS_TEXT, LORE_OPTIONAL},
    {"because", "metric", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"is", "value", LORE_AS_NUMBER, LORE_RIGHT},
    {"good", "good", LORE_AS_NUMBER, LORE_RIGHT | LORE_OPTIONAL},
    {"bad", "bad", LORE_AS_NUMBER, LORE_RIGHT | LORE_OPTIONAL},
    {"tried", "tried", LORE_AS_TEXT, LORE_RIGHT},
    {"won", "won", LORE_AS_TEXT, LORE_RIGHT},
    {"chip", "gate.why", LORE_AS_WORD, 0},
    {"not with", "conflicts_with", LORE_AS_NAMES, LORE_FLEXIBLE | LORE_OPTIONAL},
};

/* Techniques that the run gives no evidence for or against, by reason. */
static void
print_without_evidence(struct lore_cli *cli, const struct lore_json *list)
{
    size_t no_metric = 0, other = 0;

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        bool lacks = lore_answer_text(m, "metric");
        no_metric += lacks;
        other += !lacks;
    }
    if (no_metric + other > 0)
        lore_buf_printf(&cli->out,
            "not evaluated: %zu lack a metric, %zu have no trigger (--json names them)\n",
            no_metric, other);
}

/* Techniques whose trigger fires in a version that has them: "memory.vectorized_access (source)".
 */
static void
print_present(struct lore_cli *cli, const struct lore_json *list)
{
    const char *text = "";

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next)
        text = lore_format(cli->arena, "%s%s%s (%s)", text, *text ? ", " : "",
            lore_answer_text(m, "name"), lore_answer_join(cli, lore_json_get(m, "known"), ", "));
    if (*text)
        lore_print_wrapped(cli, "", 0, lore_format(cli->arena, "in the version already: %s", text));
}

int
lore_cmd_triggers(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;

    struct lore_query q;
    lore_query_start(&q, "/api/v1/runs");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_segment(&q, "triggers");
    if (lore_args_has(args, "select"))
        lore_query_add(&q, "select", "true");
    lore_cmd_choice_query(&q, args);
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    code = LORE_ROWS_ANSWER(cli, trigger_columns, root, "its metrics suggest no technique");
    if (!cli->json)
        print_present(cli, lore_json_get(root, "present"));
    if (!cli->json)
        print_without_evidence(cli, lore_json_get(root, "not_evaluated"));
    if (!cli->json && lore_json_get(root, "selection"))
        lore_cmd_print_selection(cli, lore_json_get(root, "selection"));
    return code;
}

static const struct lore_shown drift_columns[] = {
    {"version", "label|version", LORE_AS_TEXT, LORE_FLEXIBLE},
    {"bound", "bound", LORE_AS_WORD, 0},
    {"was", "moved_from", LORE_AS_WORD, 0},
    {"compute gap", "gaps.compute", LORE_AS_NUMBER, LORE_RIGHT},
    {"memory gap", "gaps.memory", LORE_AS_NUMBER, LORE_RIGHT},
    {"latency gap", "gaps.latency", LORE_AS_NUMBER, LORE_RIGHT},
    {"unknown", "gaps.unknown_inputs", LORE_AS_NAMES, LORE_FLEXIBLE},
    {"run", "run", LORE_AS_TEXT, LORE_OPTIONAL},
};

int
lore_cmd_drift(struct lore_cli *cli, const struct lore_args *args)
{
    struct lore_json *root = NULL;
    struct lore_query q;

    lore_query_start(&q, "/api/v1/kernels");
    lore_query_segment(&q, args->words.v[0]);
    lore_query_segment(&q, "drift");
    lore_query_add(&q, "workload", lore_args_get(args, "workload"));
    lore_query_add(&q, "chip", lore_args_get(args, "chip"));
    int code = lore_cli_get(cli, &q, &root);
    if (code != LORE_EXIT_OK)
        return code;
    code = LORE_ROWS_ANSWER(cli, drift_columns, root, "no versions");
    const char *summary = lore_answer_text(root, "summary");
    if (!cli->json && summary && *summary)
        lore_print_wrapped(cli, "", 0, summary);
    return code;
}

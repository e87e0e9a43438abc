/* Versions side by side: environment, times, techniques and decisions. Metrics come from the run
 * that represents a version, else from its experiment's statement. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/quantity.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

/* ---- environment ---- */

static void
put_members(struct lore_sheet *t, const struct lore_story *s, const char *prefix,
    const struct lore_json *object)
{
    for (const struct lore_json *m = object ? object->child : NULL; m; m = m->next) {
        const char *value = m->type == LORE_J_BOOL ? (m->i ? "yes" : "no") : m->str;
        lore_sheet_pair(t,
            lore_format(
                s->fetch->arena, "%s%s", prefix, lore_sheet_say_words(s->fetch->arena, m->key)),
            value, NULL);
    }
}

static void
put_chip(struct lore_sheet *t, const char *name, const char *why)
{
    const struct lore_chip *chip = name ? lore_chip_find(name) : NULL;

    lore_sheet_pair(t, "GPU", chip ? chip->title : name, why);
    lore_sheet_pair(
        t, "Arch", chip ? lore_format(t->arena, "%s (%s)", chip->arch, chip->isa) : NULL, why);
}

/* The step whose conditions a report shows: the baseline when it was timed, else the first
 * timed. */
static const struct lore_story_step *
first_timed(const struct lore_story *s)
{
    if (s->baseline < s->n && s->steps[s->baseline].run)
        return &s->steps[s->baseline];
    for (size_t i = 0; i < s->n; i++)
        if (s->steps[i].run)
            return &s->steps[i];
    return NULL;
}

/* The first check of a step's run that names its reference; NULL: none does. */
static const struct lore_json *
first_check(const struct lore_story *s)
{
    for (size_t i = 0; i < s->n; i++)
        for (size_t k = 0; k < s->steps[i].runs.n + 1; k++) {
            const struct lore_json *run = k == 0 ? s->steps[i].run : s->steps[i].runs.v[k - 1];
            const struct lore_json *check =
                lore_fetch_object(lore_fetch_object(run, "record"), "correctness");
            if (lore_fetch_text(check, "reference"))
                return check;
        }
    return NULL;
}

static void
put_not_comparable(const struct lore_story *s, struct lore_buf *out)
{
    for (size_t i = 0; i < s->n; i++)
        if (s->steps[i].not_comparable)
            lore_buf_printf(out, "\n%s: %s; it has no speedup over the baseline.\n",
                s->steps[i].shown, s->steps[i].not_comparable);
}

void
lore_part_environment(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_story_step *step = first_timed(s);
    const struct lore_json *run = step ? step->run : NULL,
                           *record = lore_fetch_object(run, "record");
    const struct lore_json *check = first_check(s);
    const char *chip = lore_fetch_text(run, "chip"),
               *why = run ? "not recorded" : "no run on this workload";
    struct lore_sheet t;

    lore_buf_puts(out, "## Environment\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    lore_sheet_pair(&t, "Operator", lore_fetch_text(s->kernel, "operator"), NULL);
    lore_sheet_pair(&t, "Kernel", lore_fetch_text(s->kernel, "name"), NULL);
    lore_sheet_pair(&t, "Language", lore_fetch_text(s->kernel, "language"), NULL);
    lore_sheet_pair(&t, "Workload", s->workload, "no version was timed on one");
    put_chip(&t, chip, why);
    lore_sheet_pair(&t, "Tool", lore_fetch_text(run, "tool"), why);
    put_members(&t, s, "Method: ", lore_fetch_object(record, "method"));
    put_members(&t, s, "Hard: ", lore_fetch_object(step ? step->env : NULL, "hard"));
    put_members(&t, s, "Soft: ", lore_fetch_object(step ? step->env : NULL, "soft"));
    lore_sheet_pair(&t, "Reference", lore_fetch_text(check, "reference"), why);
    for (const char *const *k = (const char *const[]){"atol", "rtol", NULL}; *k; k++) {
        double v;
        lore_sheet_pair(&t, lore_format(s->fetch->arena, "Tolerance: %s", *k),
            lore_fetch_number(check, *k, &v) ? lore_format(s->fetch->arena, "%g", v) : NULL, why);
    }
    lore_sheet_end(&t, "Not recorded");
    put_not_comparable(s, out);
}

/* ---- metrics ---- */

struct shown_metric {
    const char *title;
    const char *names[3]; /* canonical, or a vendor's own; the first found is shown */
};
static const struct shown_metric shown_metrics[] = {
    {"Memory Throughput (%)", {"dram_throughput_pct"}},
    {"Compute Throughput (%)", {"sm_throughput_pct", "vector_util_pct"}},
    {"SM Active Cycles (%)", {"sm__cycles_active.avg.pct_of_peak_sustained_elapsed"}},
    {"Achieved Occupancy (%)", {"achieved_occupancy_pct"}},
    {"Active Warps / SM", {"sm__warps_active.avg.per_cycle_active"}},
    {"Registers / Thread", {"registers_per_thread", "vgpr_count"}},
    {"Warp Stall — Long SB", {"stall_long_scoreboard_pct", "stall_long_scoreboard_per_issue"}},
    {"Warp Stall — Short SB", {"stall_short_scoreboard_pct", "stall_short_scoreboard_per_issue"}},
};

/* Values that the service derives from the run's counters; else the counters it would need. */
static bool
derived_quantity(const struct lore_story *s, const struct lore_story_step *step, const char *name,
    double *v, const char **why)
{
    for (const struct lore_json *q = lore_fetch_first(step->diagnosis, "quantities"); q;
         q = q->next) {
        if (!lore_streq(lore_fetch_text(q, "name"), name))
            continue;
        if (lore_fetch_number(q, "value", v))
            return true;
        if (lore_fetch_text(q, "unknown"))
            *why = lore_format(s->fetch->arena, "not collected: %s", lore_fetch_text(q, "unknown"));
    }
    return false;
}

bool
lore_part_number(const struct lore_story *s, const struct lore_story_step *step, const char *name,
    double *v, const char **why)
{
    const struct lore_json *metrics =
        lore_fetch_object(lore_fetch_object(step->run, "record"), "metrics");
    const struct lore_json *build =
        lore_fetch_object(lore_fetch_object(step->version, "record"), "build");

    *why = step->run ? "not collected" : lore_story_no_time(s, step);
    if (derived_quantity(s, step, name, v, why) ||
        lore_quantity(metrics, name, s->fetch->arena, v, why))
        return true;
    if (!step->run && lore_quantity_side(step->x, "after", name, s->fetch->arena, v))
        return true;
    return strcmp(name, "registers_per_thread") == 0 && lore_fetch_number(build, name, v);
}

bool
lore_part_derived(const struct lore_story_step *step, const char *name, double *v)
{
    const struct lore_json *derived = lore_fetch_object(step->run, "derived");

    if (step->not_comparable)
        return false;
    if (strcmp(name, "tflops") == 0)
        return lore_fetch_number(derived, "tflops", v);
    return strcmp(name, "bandwidth_gbps") == 0 && lore_fetch_number(derived, "gbps", v);
}

const char *
lore_part_quantity(const struct lore_story *s, const struct lore_story_step *step,
    const char *canonical, const char **why)
{
    double v;

    if (!lore_part_number(s, step, canonical, &v, why) && !lore_part_derived(step, canonical, &v))
        return NULL;
    const char *text = lore_sheet_say_number(s->fetch->arena, v);
    if (strstr(canonical, "_pct") || strstr(canonical, "pct_of_peak"))
        return lore_format(s->fetch->arena, "%s %%", text);
    if (strstr(canonical, "_per_issue"))
        return lore_format(s->fetch->arena, "%s warps per issue", text);
    return text;
}

static void
put_metric(const struct lore_story *s, struct lore_sheet *t, const struct shown_metric *m,
    const struct lore_story_step *step)
{
    const char *why = NULL, *first_why = NULL, *text = NULL;

    for (size_t i = 0; i < 3 && m->names[i] && !text; i++) {
        text = lore_part_quantity(s, step, m->names[i], &why);
        first_why = first_why ? first_why : why;
    }
    lore_sheet_cell(t, text, first_why);
}

static void
put_divergence(const struct lore_story *s, struct lore_sheet *t, const struct lore_story_step *step)
{
    const char *why = NULL, *text = NULL;
    double all, divergent;

    if (lore_part_number(s, step, "branch_targets", &all, &why) &&
        lore_part_number(s, step, "divergent_branch_targets", &divergent, &why)) {
        if (all > 0)
            text = lore_format(s->fetch->arena, "%s %%",
                lore_sheet_say_number(s->fetch->arena, 100 * divergent / all));
        else
            why = "no branch was executed";
    }
    lore_sheet_cell(t, text, why);
}

/* ---- times ---- */

static const char *
time_text(const struct lore_story *s, const struct lore_story_step *step)
{
    double n = 0, low, high;
    const struct lore_json *stats = lore_fetch_object(step->run, "stats");

    if (step->time_ns <= 0)
        return NULL;
    const char *ms = lore_sheet_say_ms(s->fetch->arena, step->time_ns);
    if (!step->run)
        return lore_format(s->fetch->arena, "%s (stated)", ms);
    if (!lore_fetch_number(stats, "p10_ns", &low) || !lore_fetch_number(stats, "p90_ns", &high) ||
        !lore_fetch_number(stats, "n", &n))
        return lore_format(s->fetch->arena, "%s (no samples)", ms);
    return lore_format(s->fetch->arena, "%s [%s, %s] n=%.0f", ms,
        lore_sheet_say_ms(s->fetch->arena, low), lore_sheet_say_ms(s->fetch->arena, high), n);
}

enum base { BASE_FIRST, BASE_PARENT, BASE_BEST };

static void
put_speedup(const struct lore_story *s, struct lore_sheet *t, const struct lore_story_step *step,
    enum base base)
{
    const char *first = s->baseline < s->n ? s->steps[s->baseline].label : NULL;
    double v = base == BASE_FIRST    ? step->vs_first
               : base == BASE_PARENT ? step->vs_parent
                                     : step->vs_best;
    const char *why = lore_story_no_time(s, step), *text = NULL;

    if (step->not_comparable)
        v = 0;
    else if (base == BASE_FIRST && step->baseline)
        why = "this is the baseline";
    else if (base == BASE_PARENT && !step->parent)
        why = "no parent";
    else if (base == BASE_BEST && step->time_ns > 0 && v <= 0)
        why = "nothing correct was timed before";
    else if (step->time_ns > 0)
        why = base == BASE_FIRST ? "the baseline was not timed on this workload"
                                 : "its parent was not timed on this workload";
    static const char *const unnamed[] = {
        "the baseline", "what its author compared with", "the best before"};
    const char *name = base == BASE_PARENT ? step->parent
                       : base == BASE_BEST
                           ? lore_story_label(s, lore_fetch_text(step->row, "best_before"))
                           : first;
    if (v > 0)
        text = lore_format(s->fetch->arena, "%s vs %s", lore_sheet_say_factor(s->fetch->arena, v),
            name ? name : unnamed[base]);
    lore_sheet_cell(t, text, why);
}

static void
put_times(const struct lore_story *s, struct lore_sheet *t,
    const struct lore_story_step *const *steps, size_t n)
{
    static const char *const names[] = {
        "Speedup (×) vs baseline", "Speedup (×) vs parent", "Speedup (×) vs champion before"};

    lore_sheet_cell(t, "Execution Time (ms), median [p10, p90]", NULL);
    for (size_t i = 0; i < n; i++)
        lore_sheet_cell(t, time_text(s, steps[i]), lore_story_no_time(s, steps[i]));
    for (int b = BASE_FIRST; b <= BASE_BEST; b++) {
        lore_sheet_cell(t, names[b], NULL);
        for (size_t i = 0; i < n; i++)
            put_speedup(s, t, steps[i], (enum base)b);
    }
}

static void
put_metrics(const struct lore_story *s, struct lore_sheet *t,
    const struct lore_story_step *const *steps, size_t n)
{
    lore_sheet_cell(t, "Correctness", NULL);
    for (size_t i = 0; i < n; i++) {
        const char *error = lore_fetch_text(steps[i]->row, "error_type");
        bool ran = !error || lore_streq(error, "accuracy");
        lore_sheet_cell(t, ran ? lore_story_checked(steps[i]) : NULL,
            ran ? "not checked" : lore_report_say_failure(s->fetch->arena, error));
    }
    lore_sheet_cell(t, "Bottleneck", NULL);
    for (size_t i = 0; i < n; i++)
        lore_sheet_cell(t, lore_story_bottleneck(s, steps[i]), "not diagnosed");
    for (size_t m = 0; m < sizeof shown_metrics / sizeof *shown_metrics; m++) {
        lore_sheet_cell(t, shown_metrics[m].title, NULL);
        for (size_t i = 0; i < n; i++)
            put_metric(s, t, &shown_metrics[m], steps[i]);
    }
    lore_sheet_cell(t, "Branch Divergence (%)", NULL);
    for (size_t i = 0; i < n; i++)
        put_divergence(s, t, steps[i]);
}

/* ---- side by side ---- */

/* The steps that tables show as columns; their titles start at TITLES[1]. */
static size_t
columns(const struct lore_story *s, const struct lore_story_step ***steps, const char ***titles)
{
    const struct lore_story_step **v = lore_alloc_array(s->fetch->arena, s->n, sizeof *v);
    const char **names = lore_alloc_array(s->fetch->arena, s->n + 1, sizeof *names);
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        if (!lore_story_shows(&s->steps[i]))
            continue;
        names[n + 1] = lore_format(s->fetch->arena, "%s%s", s->steps[i].shown,
            s->steps[i].baseline   ? s->steps[i].champion ? " (baseline, best)" : " (baseline)"
            : s->steps[i].champion ? " (best)"
                                   : "");
        v[n++] = &s->steps[i];
    }
    *steps = v;
    *titles = names;
    return n;
}

void
lore_part_comparison(const struct lore_story *s, struct lore_buf *out)
{
    const struct lore_story_step **steps;
    const char **titles;
    size_t n = columns(s, &steps, &titles);
    struct lore_sheet t;

    lore_buf_puts(out, "## Version Iteration Comparison\n\n");
    if (n == 0) {
        lore_buf_puts(out, "The kernel has no versions.\n");
        return;
    }
    titles[0] = "Metric";
    lore_sheet_begin(&t, out, s->fetch->arena, titles, n + 1);
    put_times(s, &t, steps, n);
    put_metrics(s, &t, steps, n);
    lore_sheet_end(&t, "Not measured");
}

/* ---- strategies ---- */

const char *
lore_part_techniques(const struct lore_story *s, const struct lore_json *x)
{
    return lore_fetch_list(s->fetch->arena, lore_json_get(x, "techniques"), "name", " + ");
}

static const struct lore_json *
use_of(const struct lore_json *x, const char *technique)
{
    for (const struct lore_json *t = lore_fetch_first(lore_fetch_object(x, "record"), "techniques");
         t; t = t->next)
        if (lore_streq(t->type == LORE_J_STRING ? t->str : lore_fetch_text(t, "name"), technique))
            return t;
    for (const struct lore_json *t = lore_fetch_first(x, "techniques"); t; t = t->next)
        if (lore_streq(lore_fetch_text(t, "name"), technique))
            return t;
    return NULL;
}

static void
put_use(struct lore_sheet *t, const struct lore_story_step *step, const char *technique)
{
    const struct lore_json *use = use_of(step->x, technique);
    const char *status = lore_fetch_text(use, "status");

    if (!step->x && !step->baseline)
        lore_sheet_cell(t, NULL, "no experiment made it");
    else if (!use)
        lore_sheet_cell(t, "✗", NULL);
    else if (status && strcmp(status, "applied") != 0)
        lore_sheet_cell(
            t, lore_format(t->arena, "✗ (%s)", lore_sheet_say_words(t->arena, status)), NULL);
    else
        lore_sheet_cell(t, "✓", NULL);
}

static void
add_once(struct lore_arena *arena, const char ***v, size_t *n, size_t *cap, const char *text)
{
    for (size_t i = 0; i < *n; i++)
        if (strcmp((*v)[i], text) == 0)
            return;
    *LORE_PUSH(arena, *v, *n, *cap) = text;
}

void
lore_part_strategies(const struct lore_story *s, struct lore_buf *out)
{
    const struct lore_story_step **steps;
    const char **titles, **names = NULL;
    size_t n = columns(s, &steps, &titles), n_names = 0, cap = 0;
    struct lore_sheet t;

    for (size_t i = 0; i < n; i++)
        for (const struct lore_json *u = lore_fetch_first(steps[i]->x, "techniques"); u;
             u = u->next)
            if (lore_fetch_text(u, "name"))
                add_once(s->fetch->arena, &names, &n_names, &cap, lore_fetch_text(u, "name"));
    lore_buf_puts(out, "\n## Optimization Strategies per Version\n\n");
    if (n_names == 0) {
        lore_buf_puts(out, "No experiment of this kernel names a technique.\n");
        return;
    }
    titles[0] = "Strategy";
    lore_sheet_begin(&t, out, s->fetch->arena, titles, n + 1);
    for (size_t k = 0; k < n_names; k++) {
        lore_sheet_cell(&t, names[k], NULL);
        for (size_t i = 0; i < n; i++)
            put_use(&t, steps[i], names[k]);
    }
    lore_sheet_end(&t, NULL);
    lore_buf_puts(out, "\n✓: the experiment that made the version applied it. A version keeps the "
                       "techniques of its parents.\n");
}

/* ---- decisions ---- */

const char *
lore_part_outcome(const struct lore_story *s, const struct lore_json *x)
{
    const struct lore_json *o = lore_fetch_object(x, "outcome");
    const char *base = lore_fetch_text(x, "from_version"), *gain = NULL, *text;
    const struct lore_json *claim = lore_fetch_object(lore_fetch_object(x, "record"), "claim");
    struct lore_arena *a = s->fetch->arena;
    double v;

    if (lore_fetch_number(o, "speedup", &v)) {
        const char *name = lore_fetch_text(claim, "base_name");
        if (!name && base)
            name = lore_story_label(s, base);
        if (!name)
            name = lore_fetch_text(claim, "base");
        gain = lore_format(
            a, "%s vs %s", lore_sheet_say_factor(a, v), name ? name : "the version before");
    }
    text = lore_report_say_outcome(a, o, gain);
    if (text && lore_streq(lore_fetch_text(o, "process"), "broken"))
        text = lore_format(a, "%s, rules broken: %s", text,
            lore_fetch_list(a, lore_json_get(o, "rules"), NULL, ", "));
    return text;
}

static bool
has_child(const struct lore_story *s, const struct lore_story_step *step)
{
    for (size_t i = 0; i < s->n; i++)
        if (!s->steps[i].ablation &&
            lore_streq(lore_fetch_text(lore_fetch_first(s->steps[i].version, "parents"), "version"),
                step->id))
            return true;
    return false;
}

/* Where a version stands whose author recorded no decision, as its records show: a decision that
 * nobody wrote down is not made up. */
static const char *
standing_of(const struct lore_story *s, const struct lore_story_step *step)
{
    const char *outcome = lore_part_outcome(s, step->x), *place = "no later version starts from it";
    struct lore_arena *a = s->fetch->arena;

    if (step->champion)
        place = "the best version";
    else if (step->baseline)
        place = "the first version";
    else if (has_child(s, step))
        place = "later versions start from it";
    return outcome ? lore_format(a, "%s; %s", outcome, place) : place;
}

static void
put_decision(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *step)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_json *h = lore_story_hypothesis(step);
    const struct lore_json *rule = lore_fetch_object(step->x, "decision");
    const char *summary = lore_fetch_text(step->version, "summary");
    const char *said = lore_fetch_text(lore_fetch_object(step->x, "record"), "decision");
    struct lore_sheet t;

    lore_buf_printf(out, "\n### %s%s%s\n\n", step->shown, summary ? " — " : "",
        summary ? lore_sheet_line(s->fetch->arena, summary, false) : "");
    if (step->baseline && !step->x) {
        lore_buf_puts(out, "The first version; no experiment made it.\n");
        return;
    }
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    lore_sheet_pair(&t, "Parent",
        step->parent
            ? lore_format(s->fetch->arena, "%s (%s)", step->parent,
                  lore_sheet_say_words(s->fetch->arena, step->edge ? step->edge : "derived_from"))
            : NULL,
        NULL);
    lore_sheet_pair(&t, "Change",
        lore_fetch_text(h, "change") ? lore_fetch_text(h, "change")
                                     : lore_part_techniques(s, step->x),
        NULL);
    lore_sheet_pair(&t, "Why", lore_fetch_text(h, "rationale"), NULL);
    lore_sheet_pair(&t, "Expected", lore_fetch_text(h, "claim"), NULL);
    lore_sheet_pair(&t, "Outcome", said ? lore_part_outcome(s, step->x) : NULL, NULL);
    lore_sheet_pair(&t, "By its own rule",
        rule ? lore_format(s->fetch->arena, "%s%s%s",
                   lore_sheet_say_words(s->fetch->arena, lore_fetch_text(rule, "decision")),
                   lore_fetch_text(rule, "why") ? ": " : "",
                   lore_fetch_text(rule, "why") ? lore_fetch_text(rule, "why") : "")
             : NULL,
        NULL);
    lore_sheet_pair(&t, said ? "Decision" : "Standing, no decision is recorded",
        said ? said : standing_of(s, step), NULL);
    lore_sheet_pair(
        &t, "Lesson", lore_fetch_text(lore_fetch_object(step->x, "record"), "lesson"), NULL);
    lore_sheet_end(&t, NULL);
}

void
lore_part_decisions(const struct lore_story *s, struct lore_buf *out)
{
    lore_buf_puts(out, "\n## Decision rationale per version\n");
    for (size_t i = 0; i < s->n; i++)
        if (lore_story_shows(&s->steps[i]))
            put_decision(s, out, &s->steps[i]);
}

/* One version against its parent: the action, the evidence for it, the numbers of both with their
 * change, correctness, and targets. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/report.h"
#include "service/base/text.h"

static const struct lore_story_step *
find(const struct lore_story *s, const char *version)
{
    const struct lore_story_step *found = NULL;

    for (size_t i = 0; i < s->n; i++) {
        const struct lore_story_step *t = &s->steps[i];
        if (version ? lore_streq(t->id, version) || lore_streqi(t->label, version)
                    : lore_story_shows(t))
            found = t;
    }
    return found;
}

static const struct lore_story_step *
parent_of(const struct lore_story *s, const struct lore_story_step *t)
{
    const char *id = lore_fetch_text(lore_fetch_first(t->version, "parents"), "version");

    for (size_t i = 0; i < s->n; i++)
        if (id && lore_streq(s->steps[i].id, id))
            return &s->steps[i];
    return NULL;
}

static void
put_action(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_json *h = lore_story_hypothesis(v);
    const struct lore_json *record = lore_fetch_object(v->x, "record");
    const char *none = v->x ? "not recorded" : "no experiment made it";
    struct lore_sheet t;

    lore_buf_puts(out, "## Optimization Action\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    lore_sheet_pair(&t, "Version", v->shown, NULL);
    lore_sheet_pair(&t, "Parent", v->parent, v->baseline ? "baseline" : "not recorded");
    lore_sheet_pair(&t, "Category", lore_part_techniques(s, v->x), none);
    lore_sheet_pair(&t, "Action",
        lore_fetch_text(h, "change") ? lore_fetch_text(h, "change")
                                     : lore_fetch_text(v->x, "title"),
        none);
    lore_sheet_pair(
        &t, "Expected impact", lore_fetch_text(h, "claim"), v->x ? "no hypothesis" : none);
    lore_sheet_pair(&t, "Risks", lore_fetch_text(h, "risk"), v->x ? "none was stated" : none);
    lore_sheet_pair(
        &t, "Rollback", lore_fetch_text(h, "rollback"), v->x ? "none was stated" : none);
    lore_sheet_pair(&t, "Outcome", lore_part_outcome(s, v->x), none);
    lore_sheet_pair(&t, "Decision", lore_fetch_text(record, "decision"), none);
    lore_sheet_pair(&t, "Lesson", lore_fetch_text(record, "lesson"), none);
    lore_sheet_end(&t, NULL);
}

static void
put_evidence(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v,
    const struct lore_story_step *parent)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_json *h = lore_story_hypothesis(v);
    const char *labels = parent ? lore_story_bottleneck(s, parent) : NULL;
    struct lore_sheet t;

    lore_buf_puts(out, "\n## Profile Evidence Summary\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    lore_sheet_pair(&t, "Tool", lore_fetch_text(v->run, "tool"), lore_story_no_time(s, v));
    lore_sheet_pair(&t, "Bottleneck of the parent", labels, parent ? "not diagnosed" : "no parent");
    lore_sheet_pair(&t, "Evidence", lore_fetch_text(h, "rationale"), "no hypothesis states one");
    lore_sheet_pair(&t, "Evidence chain", lore_fetch_text(h, "decision_link"), "not recorded");
    lore_sheet_end(&t, "Not recorded");
}

/* A number of parent and version; `why` says why it is not there. */
struct pair {
    bool set[2];
    double v[2];
    const char *why[2];
};

static void
put_pair(const struct lore_story *s, struct lore_sheet *t, const char *name, const struct pair *p)
{
    struct lore_arena *a = s->fetch->arena;
    bool both = p->set[0] && p->set[1] && p->v[0] > 0;

    lore_sheet_cell(t, name, NULL);
    for (int i = 0; i < 2; i++)
        lore_sheet_cell(t, p->set[i] ? lore_sheet_say_number(a, p->v[i]) : NULL, p->why[i]);
    lore_sheet_cell(t, both ? lore_format(a, "%+.2f %%", 100 * (p->v[1] / p->v[0] - 1)) : NULL,
        "needs both numbers");
}

static void
put_numbers(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v,
    const struct lore_story_step *parent)
{
    static const char *const rows[][2] = {{"TFLOPS", "tflops"},
        {"bandwidth (GB/s)", "bandwidth_gbps"},
        {"TFLOPS peak util (%)", "tflops_peak_utilization_pct"},
        {"bandwidth peak util (%)", "bandwidth_peak_utilization_pct"},
        {"DRAM throughput (%)", "dram_throughput_pct"}, {"SM throughput (%)", "sm_throughput_pct"},
        {"achieved occupancy (%)", "achieved_occupancy_pct"},
        {"registers / thread", "registers_per_thread"}};
    const struct lore_story_step *const steps[2] = {parent, v};
    const char *titles[] = {"Metric", parent ? parent->shown : "parent", v->shown, "Change"};
    struct lore_sheet t;
    struct pair p;

    lore_buf_puts(out, "\n## Performance Data\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 4);
    for (size_t k = 0; k <= sizeof rows / sizeof *rows; k++) {
        p = (struct pair){.why = {"no parent", NULL}};
        for (int i = 0; i < 2; i++) {
            if (!steps[i])
                continue;
            p.why[i] = lore_story_no_time(s, steps[i]);
            if (k == 0) {
                p.v[i] = steps[i]->time_ns / 1e3;
                p.set[i] = p.v[i] > 0 && (i == 0 || !v->not_comparable);
            } else {
                p.set[i] = lore_part_number(s, steps[i], rows[k - 1][1], &p.v[i], &p.why[i]) ||
                           lore_part_derived(steps[i], rows[k - 1][1], &p.v[i]);
            }
        }
        put_pair(s, &t, k == 0 ? "latency (us)" : rows[k - 1][0], &p);
    }
    lore_sheet_end(&t, "Not measured");
}

static void
put_correctness(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v)
{
    static const char *const titles[] = {"Field", "Value"};
    const struct lore_json *c =
        lore_fetch_object(lore_fetch_object(v->run, "record"), "correctness");
    const char *why = v->run ? "not recorded" : lore_story_no_time(s, v);
    struct lore_sheet t;

    lore_buf_puts(out, "\n## Correctness\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 2);
    for (const char *const *k = (const char *const[]){"rel_err", "max_abs_err", "mismatches", NULL};
         *k; k++) {
        double n;
        lore_sheet_pair(&t, lore_sheet_say_words(s->fetch->arena, *k),
            lore_fetch_number(c, *k, &n) ? lore_format(s->fetch->arena, "%.4g", n) : NULL, why);
    }
    lore_sheet_pair(&t, "status", lore_story_checked(v), "not checked");
    lore_sheet_end(&t, "Not recorded");
}

/* A target's number with its unit; NULL when it is not a number. */
static const char *
amount(struct lore_arena *arena, const struct lore_json *t, const char *key)
{
    const char *unit = lore_fetch_text(t, "unit");
    double v;

    if (!lore_fetch_number(t, key, &v))
        return NULL;
    return lore_format(
        arena, "%s%s%s", lore_sheet_say_number(arena, v), unit ? " " : "", unit ? unit : "");
}

static void
put_targets(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v)
{
    static const char *const titles[] = {"Metric", "Target", "Current", "Met"};
    const struct lore_json *first = lore_fetch_first(lore_fetch_object(v->x, "record"), "targets");
    struct lore_sheet t;

    lore_buf_puts(out, "\n## ISA Metric Progress\n\n");
    if (!first) {
        lore_buf_puts(out, "No targets were recorded for this version.\n");
        return;
    }
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 4);
    for (const struct lore_json *m = first; m; m = m->next) {
        lore_sheet_cell(&t, lore_fetch_text(m, "metric"), NULL);
        lore_sheet_cell(&t, amount(s->fetch->arena, m, "value"), "not stated as a number");
        lore_sheet_cell(&t, amount(s->fetch->arena, m, "current"), "not measured");
        lore_sheet_cell(&t, lore_fetch_text(m, "met"), "not judged");
    }
    lore_sheet_end(&t, NULL);
}

static void
put_claims(const struct lore_story *s, struct lore_buf *out, const struct lore_story_step *v)
{
    struct lore_sheet t;

    lore_buf_puts(out, "\n## Hypothesis\n\n");
    if (!lore_story_hypothesis(v)) {
        lore_buf_puts(out, "No hypothesis was recorded for this version.\n");
        return;
    }
    lore_part_claims_begin(s, &t, out);
    lore_part_claims_of(s, &t, v);
    lore_sheet_end(&t, NULL);
}

enum lore_status
lore_report_iteration(
    const struct lore_story *story, const char *version, struct lore_buf *out, struct lore_err *err)
{
    const struct lore_story_step *v = find(story, version), *parent;

    if (!v)
        return version
                   ? lore_fail(err, LORE_NOTFOUND, "%s: the kernel has no such version", version)
                   : lore_fail(err, LORE_NOTFOUND, "the kernel has no version to report");
    parent = parent_of(story, v);
    lore_buf_printf(out, "# Iteration report: %s, %s\n\n",
        lore_sheet_line(story->fetch->arena, story->title, false), v->shown);
    if (story->workload)
        lore_buf_printf(out, "Every time is of one workload: %s.\n\n",
            lore_sheet_line(story->fetch->arena, story->workload, false));
    put_action(story, out, v);
    put_evidence(story, out, v, parent);
    put_numbers(story, out, v, parent);
    put_correctness(story, out, v);
    put_targets(story, out, v);
    put_claims(story, out, v);
    return LORE_OK;
}

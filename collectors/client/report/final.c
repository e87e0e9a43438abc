/* The reports, made of parts. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "collectors/client/report/report.h"
#include "service/base/text.h"

static void
put_head(const struct lore_story *s, struct lore_buf *out, const char *what)
{
    lore_buf_printf(out, "# %s: %s\n\n", what, lore_sheet_line(s->fetch->arena, s->title, false));
    lore_buf_printf(out, "Kernel %s: %s.\n", s->kernel_id,
        lore_sheet_line(s->fetch->arena,
            lore_fetch_text(s->kernel, "name") ? lore_fetch_text(s->kernel, "name") : "", false));
    if (s->workload)
        lore_buf_printf(out, "Every time and speedup is of one workload: %s.\n\n",
            lore_sheet_line(s->fetch->arena, s->workload, false));
    else
        lore_buf_puts(out, "No version was timed on a recorded workload.\n\n");
}

enum lore_status
lore_report_final(const struct lore_story *story, struct lore_buf *out, struct lore_err *err)
{
    put_head(story, out, "Final report");
    lore_part_environment(story, out);
    lore_part_specs(story, out);
    lore_buf_putc(out, '\n');
    lore_part_comparison(story, out);
    lore_part_drift(story, out);
    lore_part_strategies(story, out);
    lore_part_decisions(story, out);
    lore_part_hypotheses(story, out);
    lore_part_attributions(story, out);
    lore_part_failures(story, out);
    lore_part_hidden(story, out);
    return lore_part_conclusion(story, out, err);
}

/* ---- notes ---- */

static void
put_history(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {"Version", "From", "What", "Time (ms)", "vs baseline",
        "vs parent", "Correctness", "Outcome"};
    struct lore_arena *a = s->fetch->arena;
    struct lore_sheet t;

    lore_buf_puts(out, "\n## Version history and measured data\n\n");
    if (s->n == 0) {
        lore_buf_puts(out, "The kernel has no versions.\n");
        return;
    }
    lore_sheet_begin(&t, out, a, titles, 8);
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_story_step *v = &s->steps[i];
        const char *why = lore_story_no_time(s, v), *what = lore_fetch_text(v->version, "summary");
        bool ratio = !v->not_comparable && v->vs_first > 0 && s->baseline < s->n;
        lore_sheet_cell(&t,
            v->champion   ? lore_format(a, "**%s** (best)", v->shown)
            : v->ablation ? lore_format(a, "%s (ablation)", v->shown)
                          : v->shown,
            NULL);
        lore_sheet_cell(&t, v->parent, v->baseline ? "baseline" : "no parent recorded");
        lore_sheet_cell(&t, what ? what : lore_part_techniques(s, v->x), NULL);
        lore_sheet_cell(&t, v->time_ns > 0 ? lore_sheet_say_ms(a, v->time_ns) : NULL, why);
        lore_sheet_cell(&t,
            ratio ? lore_format(a, "%s vs %s", lore_sheet_say_factor(a, v->vs_first),
                        s->steps[s->baseline].label)
                  : NULL,
            v->baseline                            ? "this is the baseline"
            : v->not_comparable || v->time_ns <= 0 ? why
                                                   : "the baseline was not timed on this workload");
        lore_sheet_cell(&t,
            v->vs_parent > 0 && v->parent && !v->not_comparable
                ? lore_format(a, "%s vs %s", lore_sheet_say_factor(a, v->vs_parent), v->parent)
                : NULL,
            !v->parent                             ? "no parent"
            : v->not_comparable || v->time_ns <= 0 ? why
                                                   : "its parent was not timed on this workload");
        lore_sheet_cell(&t, lore_story_checked(v), "not checked");
        lore_sheet_cell(&t, lore_part_outcome(s, v->x), "no experiment made it");
    }
    lore_sheet_end(&t, NULL);
}

static void
put_bottlenecks(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {"Version", "Bottleneck", "Memory", "Compute", "Occupancy"};
    static const char *const shown[] = {
        "dram_throughput_pct", "sm_throughput_pct", "achieved_occupancy_pct"};
    struct lore_sheet t;

    lore_buf_puts(out, "## Bottleneck\n\n");
    lore_sheet_begin(&t, out, s->fetch->arena, titles, 5);
    for (size_t i = 0; i < s->n; i++) {
        if (!lore_story_shows(&s->steps[i]))
            continue;
        lore_sheet_cell(&t, s->steps[i].shown, NULL);
        lore_sheet_cell(&t, lore_story_bottleneck(s, &s->steps[i]), "not diagnosed");
        for (size_t k = 0; k < 3; k++) {
            const char *why, *text = lore_part_quantity(s, &s->steps[i], shown[k], &why);
            lore_sheet_cell(&t, text, why);
        }
    }
    lore_sheet_end(&t, "Not measured");
}

enum lore_status
lore_report_notes(const struct lore_story *story, struct lore_buf *out, struct lore_err *err)
{
    put_head(story, out, "Notes");
    put_bottlenecks(story, out);
    lore_part_drift(story, out);
    put_history(story, out);
    lore_part_failures(story, out);
    lore_part_hidden(story, out);
    return lore_part_conclusion(story, out, err);
}

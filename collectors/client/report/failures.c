/* Failed and masked experiments, in the same detail as successful ones. */
#include <string.h>

#include "collectors/client/report/parts.h"
#include "service/base/text.h"
#include "service/wire/effect.h"

static bool
failed(const struct lore_json *x)
{
    const struct lore_json *o = lore_fetch_object(x, "outcome");
    const char *check = lore_fetch_text(o, "correctness");

    const char *effect = lore_fetch_text(o, "effect");

    if (lore_streq(effect, "not_measured") &&
        lore_effect_typed(lore_fetch_text(x, "typed_outcome")) == LORE_X_LOSS)
        return true; /* reported without numbers */
    return lore_streq(effect, "loss") || lore_streq(effect, "neutral") ||
           lore_streq(check, "fail") || lore_streq(check, "timeout");
}

/* The experiment's full form if the story has it, else ROW. */
static const struct lore_json *
whole_of(const struct lore_story *s, const struct lore_json *row)
{
    for (size_t i = 0; i < s->n; i++)
        if (lore_streq(lore_fetch_text(s->steps[i].x, "id"), lore_fetch_text(row, "id")))
            return s->steps[i].x;
    for (size_t i = 0; i < s->other_experiments.n; i++)
        if (lore_streq(
                lore_fetch_text(s->other_experiments.v[i], "id"), lore_fetch_text(row, "id")))
            return s->other_experiments.v[i];
    return row;
}

static void
put_failure(const struct lore_story *s, struct lore_sheet *t, const struct lore_json *row)
{
    const struct lore_json *x = whole_of(s, row);
    const char *made = lore_fetch_text(x, "to_version"), *id = lore_fetch_text(x, "id");
    bool masked = lore_fetch_bool(row, "masked");

    lore_sheet_cell(t, masked ? lore_format(s->fetch->arena, "%s (masked)", id) : id, NULL);
    lore_sheet_cell(t, made ? lore_story_label(s, made) : NULL, "no version was kept");
    lore_sheet_cell(t, lore_part_techniques(s, x), "no technique named");
    lore_sheet_cell(t, lore_fetch_text(lore_fetch_object(x, "workload"), "label"), "not recorded");
    lore_sheet_cell(t, lore_part_outcome(s, x), "no verdict");
    lore_sheet_cell(t,
        lore_fetch_text(x, "lesson") ? lore_fetch_text(x, "lesson") : lore_fetch_text(x, "notes"),
        "no lesson was written");
}

void
lore_part_failures(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {
        "Experiment", "Version", "Technique", "Workload", "Outcome", "Lesson"};
    struct lore_sheet t;
    size_t n = 0;

    lore_buf_puts(out, "\n## Experiments without gain\n\n");
    for (size_t i = 0; i < s->experiments.n; i++) {
        if (!failed(s->experiments.v[i]))
            continue;
        if (n++ == 0)
            lore_sheet_begin(&t, out, s->fetch->arena, titles, 6);
        put_failure(s, &t, s->experiments.v[i]);
    }
    if (n == 0)
        lore_buf_printf(out,
            "None of the %zu experiments of this kernel was without gain or incorrect.\n",
            s->experiments.n);
    else
        lore_sheet_end(&t, NULL);
}

/* ---- hidden ---- */

/* The mask in force: the newest. */
static void
put_mask(const struct lore_story *s, struct lore_sheet *t, const struct lore_json *row)
{
    const struct lore_json *x = whole_of(s, row), *mask = NULL;
    const char *made = lore_fetch_text(row, "to_version");

    for (const struct lore_json *m = lore_fetch_first(x, "masks"); m; m = m->next)
        if (lore_fetch_bool(m, "masked") &&
            (!mask || strcmp(lore_fetch_text(m, "at") ? lore_fetch_text(m, "at") : "",
                          lore_fetch_text(mask, "at") ? lore_fetch_text(mask, "at") : "") > 0))
            mask = m;
    lore_sheet_cell(t, lore_fetch_text(row, "id"), NULL);
    lore_sheet_cell(t, made ? lore_story_label(s, made) : NULL, "no version was kept");
    lore_sheet_cell(t, lore_fetch_text(mask, "reason"), "not recorded");
    lore_sheet_cell(t, lore_fetch_text(mask, "actor"), "not recorded");
    lore_sheet_cell(t, lore_fetch_text(mask, "at"), "not recorded");
}

static size_t
put_masks(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {"Masked experiment", "Version", "Reason", "By", "When"};
    struct lore_sheet t;
    size_t n = 0;

    for (size_t i = 0; i < s->experiments.n; i++) {
        if (!lore_fetch_bool(s->experiments.v[i], "masked"))
            continue;
        if (n++ == 0)
            lore_sheet_begin(&t, out, s->fetch->arena, titles, 5);
        put_mask(s, &t, s->experiments.v[i]);
    }
    if (n > 0)
        lore_sheet_end(&t, NULL);
    return n;
}

static const char *
value_of(struct lore_arena *arena, const struct lore_json *c, const char *key)
{
    const struct lore_json *m = lore_json_get(lore_fetch_object(c, "values"), key);

    return m && m->str ? lore_strdup(arena, m->str) : NULL;
}

static void
put_restarts(const struct lore_story *s, struct lore_buf *out)
{
    static const char *const titles[] = {
        "Restart", "By", "Seed", "Next version", "Hidden versions", "Reason"};
    struct lore_arena *a = s->fetch->arena;
    struct lore_sheet t;

    lore_sheet_begin(&t, out, a, titles, 6);
    for (size_t i = 0; i < s->restarts.n; i++) {
        const struct lore_json *c = s->restarts.v[i];
        const char *hidden = NULL, *next = value_of(a, c, "next_ordinal");
        const struct lore_json *v =
            lore_fetch_first(lore_fetch_object(c, "extra"), "hidden_versions");
        for (; v; v = v->next)
            hidden = hidden ? lore_format(a, "%s, %s", hidden, lore_story_label(s, v->str))
                            : lore_story_label(s, v->str);
        lore_sheet_cell(&t,
            lore_fetch_text(c, "decided_at") ? lore_fetch_text(c, "decided_at")
                                             : lore_fetch_text(c, "at"),
            NULL);
        lore_sheet_cell(&t,
            lore_fetch_text(c, "author") ? lore_fetch_text(c, "author")
                                         : lore_fetch_text(c, "actor"),
            NULL);
        lore_sheet_cell(&t, value_of(a, c, "seed"), NULL);
        lore_sheet_cell(&t, next ? lore_format(a, "v%s", next) : NULL, NULL);
        lore_sheet_cell(&t, hidden, NULL);
        lore_sheet_cell(&t, lore_fetch_text(c, "reason"), NULL);
    }
    lore_sheet_end(&t, NULL);
    lore_buf_putc(out, '\n');
}

void
lore_part_hidden(const struct lore_story *s, struct lore_buf *out)
{
    lore_buf_puts(out, "\n## Partial restarts and masked rows\n\n");
    for (size_t i = 0; i < s->n; i++)
        if (lore_streq(s->steps[i].edge, "restart_from"))
            lore_buf_printf(out, "%s began after a partial restart, from %s.\n\n",
                s->steps[i].shown, s->steps[i].parent);
    if (s->restarts.n > 0)
        put_restarts(s, out);
    if (put_masks(s, out) == 0)
        lore_buf_puts(out, "No experiment of this kernel is masked.\n");
}

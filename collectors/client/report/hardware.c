/* Limits of a kernel: the chip's numbers as citations, and the movement of the bottleneck. A number
 * without a source is printed as unknown, never guessed. */
#include <stdlib.h>
#include <string.h>

#include "collectors/client/report/parts.h"
#include "service/base/text.h"

/* The lines of KEY ("specs", "ceilings", "unknown"), sorted; duplicate lines are left out. */
static void
put_lines(const struct lore_story *s, struct lore_buf *out, const char *key)
{
    const struct lore_json *list = lore_json_get(s->chip, key);
    size_t n = 0, room = list && list->type == LORE_J_ARRAY ? list->len : 0;
    const char **lines = lore_alloc_array(s->fetch->arena, room + 1, sizeof *lines);

    for (const struct lore_json *m = lore_fetch_first(s->chip, key); m; m = m->next)
        if (lore_fetch_text(m, "cite"))
            lines[n++] = lore_sheet_line(s->fetch->arena, lore_fetch_text(m, "cite"), false);
    if (n > 0)
        qsort(lines, n, sizeof *lines, lore_by_text);
    for (size_t i = 0; i < n; i++)
        if (i == 0 || strcmp(lines[i], lines[i - 1]) != 0)
            lore_buf_printf(out, "    %s\n", lines[i]);
}

static void
put_disputes(const struct lore_story *s, struct lore_buf *out)
{
    for (const struct lore_json *d = lore_fetch_first(s->chip, "disputes"); d; d = d->next) {
        const struct lore_json *members = lore_json_get(d, "members");
        const char *metric = lore_fetch_text(d, "metric"), *reason = lore_fetch_text(d, "reason");
        lore_buf_printf(out, "\nDisputed: %s, %u values; %s%s%s.\n",
            lore_sheet_line(s->fetch->arena, metric ? metric : "a metric", false),
            members ? (unsigned)members->len : 0u,
            lore_fetch_text(d, "selected") ? "one was selected" : "none was selected",
            reason ? ": " : "", reason ? lore_sheet_line(s->fetch->arena, reason, false) : "");
    }
}

void
lore_part_specs(const struct lore_story *s, struct lore_buf *out)
{
    const char *name = lore_fetch_text(s->chip, "name");
    bool any = lore_fetch_first(s->chip, "specs") || lore_fetch_first(s->chip, "ceilings") ||
               lore_fetch_first(s->chip, "unknown");

    lore_buf_puts(out, "\n## Hardware Spec\n\n");
    if (!any) {
        lore_buf_printf(
            out, "No hardware number of %s has a source.\n", name ? name : "the kernel's chip");
        return;
    }
    put_lines(s, out, "specs");
    put_lines(s, out, "ceilings");
    put_lines(s, out, "unknown");
    put_disputes(s, out);
}

void
lore_part_drift(const struct lore_story *s, struct lore_buf *out)
{
    struct lore_arena *a = s->fetch->arena;
    const char *drift = lore_fetch_text(s->drift, "summary");

    if (drift)
        lore_buf_printf(
            out, "\nWhere the bottleneck moved: %s.\n", lore_sheet_line(a, drift, false));
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_json *c = lore_fetch_first(s->steps[i].diagnosis, "contradictions");
        for (; c; c = c->next)
            lore_buf_printf(out, "\n%s: declared %s, but %s.\n", s->steps[i].shown,
                lore_fetch_text(c, "label") ? lore_sheet_line(a, lore_fetch_text(c, "label"), false)
                                            : "a label",
                lore_fetch_text(c, "evidence")
                    ? lore_sheet_line(a, lore_fetch_text(c, "evidence"), false)
                    : "its own metrics contradict it");
    }
}

/* The two files of the log, byte for byte as its tool lays them out: JSON with an indent of two and
 * letters unescaped, and the page of `sync` with totals, a table per kernel and backend, and the
 * best of each. One line of the page differs: it says who wrote it. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/client/report/experiences.h"
#include "collectors/client/report/pretty.h"
#include "collectors/client/report/sheet.h"
#include "service/base/text.h"

static const char *const keys[] = {"date", "iteration", "kernel", "backend", "chip", "dims",
    "bottleneck_before", "dominant_stall", "metrics_before", "metrics_after", "optimization",
    "hypothesis", "outcome", "speedup", "notes"};
enum { N_KEYS = sizeof keys / sizeof *keys };

/* ---- JSON ---- */

static bool
is_known(const char *key)
{
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i], key) == 0)
            return true;
    return false;
}

static void
put_entry(struct lore_buf *out, const struct lore_experiences_entry *e)
{
    lore_buf_printf(out, "{\n    \"id\": %" PRId64, e->id);
    for (size_t i = 0; i < N_KEYS; i++) {
        const struct lore_json *m = lore_json_get(e->node, keys[i]);
        if (m)
            lore_pretty_member(out, m, false, 4);
    }
    for (const struct lore_json *m = e->node->child; m; m = m->next)
        if (!is_known(m->key) && strcmp(m->key, "id") != 0)
            lore_pretty_member(out, m, false, 4);
    lore_buf_puts(out, "\n  }");
}

void
lore_experiences_json(const struct lore_entries *entries, struct lore_buf *out)
{
    lore_buf_putc(out, '[');
    for (size_t i = 0; i < entries->n; i++) {
        lore_buf_puts(out, i == 0 ? "\n  " : ",\n  ");
        put_entry(out, &entries->v[i]);
    }
    lore_buf_puts(out, entries->n > 0 ? "\n]" : "]");
}

/* ---- Markdown ---- */

static const char *
text_of(const struct lore_experiences_entry *e, const char *key)
{
    const struct lore_json *m = lore_json_get(e->node, key);

    return m && m->type == LORE_J_STRING ? m->str : "";
}

static const char *
backend_of(const struct lore_experiences_entry *e)
{
    return *text_of(e, "backend") ? text_of(e, "backend") : "cuda";
}

static bool
is(const struct lore_experiences_entry *e, const char *outcome)
{
    return strcmp(text_of(e, "outcome"), outcome) == 0;
}

static double
speedup_of(const struct lore_experiences_entry *e)
{
    double v = 0;

    return lore_fetch_number(e->node, "speedup", &v) ? v : 0;
}

static int
by_group(const void *a, const void *b)
{
    const struct lore_experiences_entry *x = *(const struct lore_experiences_entry *const *)a,
                                        *y = *(const struct lore_experiences_entry *const *)b;
    int order = strcmp(text_of(x, "kernel"), text_of(y, "kernel"));

    if (order == 0)
        order = strcmp(backend_of(x), backend_of(y));
    return order ? order : (x->id > y->id) - (x->id < y->id);
}

static bool
same_group(const struct lore_experiences_entry *a, const struct lore_experiences_entry *b)
{
    return strcmp(text_of(a, "kernel"), text_of(b, "kernel")) == 0 &&
           strcmp(backend_of(a), backend_of(b)) == 0;
}

/* Write a text of the log on one line, without HTML and images, with control characters replaced by
 * spaces. */
static void
put_plain(struct lore_buf *out, const char *s, const char *after)
{
    for (; *s; s++) {
        bool c1 = (unsigned char)s[0] == 0xc2 && (unsigned char)s[1] - 0x80u < 0x20;

        const char *instead = lore_sheet_defused(s);

        s += c1; /* U+0080..U+009F: two bytes */
        if (instead) {
            lore_buf_puts(out, instead);
            continue;
        }
        lore_buf_putc(out, c1 || (unsigned char)*s < ' ' || *s == 0x7f ? ' ' : *s);
    }
    lore_buf_puts(out, after);
}

static void
put_row(struct lore_buf *out, const struct lore_experiences_entry *e)
{
    static const char *const first[] = {"date", "iteration", "chip"};
    const struct lore_json *speedup = lore_json_get(e->node, "speedup");
    double merged = 0;

    lore_buf_printf(out, "| %" PRId64 " | ", e->id);
    for (size_t i = 0; i < 3; i++)
        put_plain(out, text_of(e, first[i]), " | ");
    put_plain(out, backend_of(e), " | ");
    put_plain(out, text_of(e, "bottleneck_before"), " | ");
    if (speedup_of(e) != 0)
        lore_buf_printf(out, "%sx", speedup->str);
    else
        lore_buf_puts(out, "—");
    if (lore_fetch_number(e->node, "merged_count", &merged) && merged > 1)
        lore_buf_printf(out, " (×%.0f)", merged);
    lore_buf_puts(out, " | `");
    put_plain(out, text_of(e, "optimization"), "` | ");
    put_plain(out, is(e, "success") ? "✓" : is(e, "failure") ? "✗" : "~", " | ");
    put_plain(out, text_of(e, "notes"), " |\n");
}

static void
put_group(struct lore_buf *out, const struct lore_experiences_entry *const *e, size_t n)
{
    size_t won = 0, lost = 0;

    for (size_t i = 0; i < n; i++) {
        won += is(e[i], "success");
        lost += is(e[i], "failure");
    }
    lore_buf_puts(out, "## ");
    put_plain(out, text_of(e[0], "kernel"), " [");
    put_plain(out, backend_of(e[0]), "]");
    lore_buf_printf(out, "  (%zu ✓ / %zu ✗)\n\n", won, lost);
    lore_buf_puts(out, "| ID | Date | Iter | Chip | Backend | Bottleneck | Speedup | Optimization "
                       "| Outcome | Notes |\n|---|---|---|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < n; i++)
        put_row(out, e[i]);
    lore_buf_putc(out, '\n');
}

/* The first 60 letters. */
static const char *
cut(struct lore_arena *arena, const char *s)
{
    size_t n = 0;

    for (int letters = 0; s[n]; n++) {
        if (((unsigned char)s[n] & 0xc0) != 0x80 && ++letters > 60)
            break;
    }
    return lore_strndup(arena, s, n);
}

static void
put_lesson(struct lore_arena *arena, struct lore_buf *out,
    const struct lore_experiences_entry *const *e, size_t n)
{
    const struct lore_experiences_entry *best = NULL;

    for (size_t i = 0; i < n; i++)
        if (is(e[i], "success") && (!best || speedup_of(e[i]) > speedup_of(best)))
            best = e[i];
    if (!best)
        return;
    const struct lore_json *speedup = lore_json_get(best->node, "speedup");
    lore_buf_puts(out, "**");
    put_plain(out, text_of(best, "kernel"), "** [");
    put_plain(out, backend_of(best), "]: best optimization `");
    put_plain(out, cut(arena, text_of(best, "optimization")), "` → ");
    put_plain(out, speedup && speedup->type == LORE_J_NUMBER ? speedup->str : "?", "x (");
    put_plain(out, text_of(best, "chip"), ")\n\n");
}

static void
put_totals(const struct lore_entries *entries, struct lore_buf *out)
{
    size_t won = 0, lost = 0, neutral = 0;

    for (size_t i = 0; i < entries->n; i++) {
        won += is(&entries->v[i], "success");
        lost += is(&entries->v[i], "failure");
        neutral += is(&entries->v[i], "neutral");
    }
    lore_buf_printf(out,
        "# Optimization Experience Log\n\n"
        "Written by `warplore export --experiences-md`. Edits here are lost.\n\n"
        "**Total: %zu entries** | Success: %zu | Failure: %zu | Neutral: %zu\n\n---\n\n",
        entries->n, won, lost, neutral);
}

void
lore_experiences_markdown(
    const struct lore_entries *entries, struct lore_arena *arena, struct lore_buf *out)
{
    const struct lore_experiences_entry **e = lore_alloc_array(arena, entries->n + 1, sizeof *e);

    put_totals(entries, out);
    if (entries->n == 0) {
        lore_buf_puts(out, "*(no experiences recorded yet)*\n");
        return;
    }
    for (size_t i = 0; i < entries->n; i++)
        e[i] = &entries->v[i];
    qsort(e, entries->n, sizeof *e, by_group);
    for (int lessons = 0; lessons < 2; lessons++) {
        if (lessons)
            lore_buf_puts(out, "## Lessons learned\n\n");
        for (size_t i = 0, n; i < entries->n; i += n) {
            for (n = 1; i + n < entries->n && same_group(e[i], e[i + n]); n++)
                ;
            if (lessons)
                put_lesson(arena, out, e + i, n);
            else
                put_group(out, e + i, n);
        }
    }
}

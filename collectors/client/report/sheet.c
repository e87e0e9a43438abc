/* Tables and numbers of reports. Only this file writes cells, so that no report can leave one
 * empty. */
#include "collectors/client/report/sheet.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"

#define NOT_RECORDED "not recorded" /* the reason where no other is given */

const char *
lore_sheet_defused(const char *p)
{
    bool letter = (p[1] >= 'a' && p[1] <= 'z') || (p[1] >= 'A' && p[1] <= 'Z');

    if (p[0] == '<' && (letter || p[1] == '/' || p[1] == '!' || p[1] == '?'))
        return "&lt;";
    return p[0] == '!' && p[1] == '[' ? "&#33;" : NULL;
}

/* What a line is for: TEXT is as it is, in a cell of Markdown bars are escaped. */
enum line { TEXT, MARKDOWN, CELL };

static const char *
one_line(struct lore_arena *arena, const char *text, enum line line)
{
    const size_t longest = sizeof "&#33;" - 1;
    size_t n = strlen(text);
    char *out = lore_alloc(arena, longest * n + 1), *to = out;
    bool blank = false;

    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p, after = (unsigned char)p[1];
        bool c1 = c == 0xc2 && after >= 0x80 && after < 0xa0; /* the other control characters */
        const char *instead = line == TEXT ? NULL : lore_sheet_defused(p);
        if (c <= ' ' || c == 0x7f || c1) {
            p += c1;
            blank = to > out;
            continue;
        }
        if (blank)
            *to++ = ' ';
        blank = false;
        if (line == CELL && (c == '|' || (c == '\\' && p[1] == '|')))
            *to++ = '\\';
        if (instead)
            to = stpcpy(to, instead);
        else
            *to++ = *p;
    }
    out = lore_strndup(arena, out, (size_t)(to - out) + 1);
    out[lore_utf8_prefix(out, strlen(out))] =
        '\0'; /* cut the text at the first byte that is not UTF-8 */
    return out;
}

const char *
lore_sheet_line(struct lore_arena *arena, const char *text, bool cell)
{
    return one_line(arena, text, cell ? CELL : MARKDOWN);
}

const char *
lore_sheet_plain(struct lore_arena *arena, const char *text)
{
    return one_line(arena, text, TEXT);
}

const char *
lore_sheet_na(struct lore_arena *arena, const char *why)
{
    return lore_format(arena, "N/A — %s", why && *why ? why : NOT_RECORDED);
}

void
lore_sheet_begin(struct lore_sheet *s, struct lore_buf *out, struct lore_arena *arena,
    const char *const *titles, size_t n)
{
    *s = (struct lore_sheet){.out = out, .arena = arena, .titles = titles, .columns = n};
}

void
lore_sheet_cell(struct lore_sheet *s, const char *text, const char *why)
{
    const char *line = text ? lore_sheet_line(s->arena, text, true) : "";

    *LORE_PUSH(s->arena, s->cells, s->n, s->cap) =
        (struct lore_sheet_cell){*line ? line : NULL, why && *why ? why : NOT_RECORDED};
}

/* Add NAME to a list of names with their reasons: "NAME, NAME (WHY); NAME (WHY". NAME NULL ends
 * it. *last: the reason of the name before; of "not collected: dram__bytes", the first part. */
static const char *
add_missing(
    struct lore_arena *arena, const char *all, const char **last, const char *name, const char *why)
{
    const char *before = *last;

    *last = why ? lore_strndup(arena, why, strcspn(why, ":")) : NULL;
    if (!all)
        return name;
    if (name && lore_streq(before, *last))
        return lore_format(arena, "%s, %s", all, name);
    if (strcmp(before, NOT_RECORDED) != 0)
        all = lore_format(arena, "%s (%s)", all, before);
    return name ? lore_format(arena, "%s; %s", all, name) : all;
}

/* Whether the row or column has no value: its cells are COUNT, STEP apart. */
static bool
is_empty(const struct lore_sheet_cell *first, size_t count, size_t step)
{
    for (size_t i = 0; i < count; i++)
        if (first[i * step].text)
            return false;
    return count > 0;
}

static void
put_row(const struct lore_sheet *s, const struct lore_sheet_cell *row, const bool *left_out)
{
    for (size_t c = 0; c < s->columns; c++)
        if (!left_out[c])
            lore_buf_printf(s->out, "%s %s |", c == 0 ? "|" : "",
                row[c].text ? row[c].text
                            : lore_sheet_line(s->arena, lore_sheet_na(s->arena, row[c].why), true));
    lore_buf_putc(s->out, '\n');
}

static void
put_titles(const struct lore_sheet *s, const bool *left_out)
{
    struct lore_sheet_cell *row = lore_alloc_array(s->arena, s->columns, sizeof *row);

    for (size_t c = 0; c < s->columns; c++)
        row[c].text = lore_sheet_line(s->arena, s->titles[c], true);
    put_row(s, row, left_out);
    lore_buf_putc(s->out, '|');
    for (size_t c = 0; c < s->columns; c++)
        if (!left_out[c])
            lore_buf_puts(s->out, "---|");
    lore_buf_putc(s->out, '\n');
}

void
lore_sheet_end(struct lore_sheet *s, const char *missing)
{
    size_t rows = s->n / s->columns, kept = 0;
    bool *left_out = lore_alloc_array(s->arena, s->columns, sizeof *left_out);
    const char *names = NULL, *why = NULL;

    for (size_t c = 1; c < s->columns && !s->whole; c++) {
        left_out[c] = is_empty(s->cells + c, rows, s->columns);
        if (left_out[c] && s->columns > 2)
            names = add_missing(s->arena, names, &why, s->titles[c], s->cells[c].why);
    }
    for (size_t r = 0; r < rows; r++) {
        const struct lore_sheet_cell *row = s->cells + r * s->columns;
        if (!s->whole && is_empty(row + 1, s->columns - 1, 1)) {
            names = add_missing(s->arena, names, &why, row->text, row[1].why);
            continue;
        }
        if (kept++ == 0)
            put_titles(s, left_out);
        put_row(s, row, left_out);
    }
    if (names && missing)
        lore_buf_printf(s->out, "%s%s: %s.\n", kept ? "\n" : "", missing,
            add_missing(s->arena, names, &why, NULL, NULL));
}

void
lore_sheet_pair(struct lore_sheet *s, const char *name, const char *text, const char *why)
{
    lore_sheet_cell(s, name, NULL);
    lore_sheet_cell(s, text, why);
}

const char *
lore_sheet_say_number(struct lore_arena *arena, double v)
{
    double r = fabs(v) >= 1000 ? round(v) : v;

    if (r == floor(r) && fabs(r) < 1e15)
        return lore_format(arena, "%.0f", r);
    return lore_format(arena, "%.4g", v);
}

const char *
lore_sheet_say_ms(struct lore_arena *arena, double ns)
{
    return lore_format(arena, "%.4g", ns / 1e6);
}

const char *
lore_sheet_say_us(struct lore_arena *arena, double ns)
{
    if (ns < 1e3)
        return lore_format(arena, "%.4g ns", ns);
    if (ns < 1e6)
        return lore_format(arena, "%.4g us", ns / 1e3);
    return lore_format(arena, "%.4g ms", ns / 1e6);
}

const char *
lore_sheet_say_factor(struct lore_arena *arena, double v)
{
    return lore_format(arena, fabs(v - 1) < 0.01 ? "%.3f×" : "%.2f×", v);
}

const char *
lore_sheet_say_words(struct lore_arena *arena, const char *w)
{
    char *out = lore_strdup(arena, w);

    for (char *p = out; p && *p; p++)
        *p = *p == '_' ? ' ' : *p;
    return out;
}

/* Tables and numbers of reports. Only this file writes cells, so that no report can leave one
 * empty. */
#include "collectors/client/report/sheet.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"

const char *
lore_sheet_line(struct lore_arena *arena, const char *text, bool cell)
{
    size_t n = strlen(text);
    char *out = lore_alloc(arena, 2 * n + 1), *to = out;
    bool blank = false;

    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p, after = (unsigned char)p[1];
        bool c1 = c == 0xc2 && after >= 0x80 && after < 0xa0; /* the other control characters */
        if (c <= ' ' || c == 0x7f || c1) {
            p += c1;
            blank = to > out;
            continue;
        }
        if (blank)
            *to++ = ' ';
        blank = false;
        if (cell && (c == '|' || (c == '\\' && p[1] == '|')))
            *to++ = '\\';
        *to++ = *p;
    }
    out = lore_strndup(arena, out, (size_t)(to - out) + 1);
    out[lore_utf8_prefix(out, strlen(out))] =
        '\0'; /* cut the text at the first byte that is not UTF-8 */
    return out;
}

const char *
lore_sheet_na(struct lore_arena *arena, const char *why)
{
    return lore_format(arena, "N/A — %s", why && *why ? why : "not recorded");
}

static void
put(struct lore_sheet *s, const char *text)
{
    lore_buf_printf(s->out, "%s %s |", s->at == 0 ? "|" : "", text);
    if (++s->at == s->columns) {
        lore_buf_putc(s->out, '\n');
        s->at = 0;
    }
}

void
lore_sheet_begin(struct lore_sheet *s, struct lore_buf *out, struct lore_arena *arena,
    const char *const *titles, size_t n)
{
    *s = (struct lore_sheet){.out = out, .arena = arena, .columns = n};
    for (size_t i = 0; i < n; i++)
        put(s, lore_sheet_line(arena, titles[i], true));
    lore_buf_putc(out, '|');
    for (size_t i = 0; i < n; i++)
        lore_buf_puts(out, "---|");
    lore_buf_putc(out, '\n');
}

void
lore_sheet_cell(struct lore_sheet *s, const char *text, const char *why)
{
    const char *line = text ? lore_sheet_line(s->arena, text, true) : "";

    if (!*line)
        line = lore_sheet_line(s->arena, lore_sheet_na(s->arena, why), true);
    put(s, line);
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

/* Tables are laid out in three passes: natural widths; optional columns go, rightmost first, until
 * the line fits; then the flexible columns give up what is still too much, widest first. Cutting
 * never splits a UTF-8 character. */
#include "collectors/client/screen/print.h"

#include <string.h>

#include "service/base/text.h"

#define LEAST_WIDTH 40
#define MIN_FLEXIBLE 8 /* a flexible column keeps at least this many columns */

/* Length of the UTF-8 sequence at S, 0 when it is none. */
static size_t
utf8_len(const char *s)
{
    unsigned char c = (unsigned char)*s;
    size_t n = c < 0x80 ? 1 : (c >> 5) == 6 ? 2 : (c >> 4) == 14 ? 3 : (c >> 3) == 30 ? 4 : 0;

    for (size_t i = 1; i < n; i++) {
        if (((unsigned char)s[i] & 0xC0) != 0x80)
            return 0;
    }
    return n;
}

static size_t
width_of(const char *text, size_t len)
{
    size_t n = 0;

    for (size_t i = 0; i < len; i++)
        n += ((unsigned char)text[i] & 0xC0) != 0x80;
    return n;
}

size_t
lore_print_width(const char *text)
{
    return width_of(text, strlen(text));
}

/* Whether the character is a bidirectional control (U+202A..U+202E, U+2066..U+2069). These change
 * the displayed order of the text that follows. */
static bool
is_bidi_control(const char *text, size_t n)
{
    unsigned char b, c;

    if (n != 3 || (unsigned char)text[0] != 0xE2)
        return false;
    b = (unsigned char)text[1];
    c = (unsigned char)text[2];
    return (b == 0x80 && c >= 0xAA && c <= 0xAE) || (b == 0x81 && c >= 0xA6 && c <= 0xA9);
}

const char *
lore_print_clean(struct lore_cli *cli, const char *text)
{
    if (!text)
        return NULL;
    char *out = lore_alloc(cli->arena, strlen(text) + 1);
    size_t at = 0;
    while (*text) {
        size_t n = utf8_len(text);
        unsigned char c = (unsigned char)text[0];
        /* C0, DEL and the C1 controls (U+0080..U+009F) */
        bool control =
            c < 0x20 || c == 0x7F || (c == 0xC2 && n == 2 && (unsigned char)text[1] < 0xA0);
        if (n == 0 || control || is_bidi_control(text, n)) {
            out[at++] = (c == '\n' || c == '\t' || c == '\r') ? ' ' : '?';
            text += n ? n : 1;
            continue;
        }
        memcpy(out + at, text, n);
        at += n;
        text += n;
    }
    return out;
}

void
lore_table_cell(struct lore_cli *cli, struct lore_table *t, const char *text)
{
    const char *clean = lore_print_clean(cli, text);
    *LORE_PUSH(cli->arena, t->cells, t->n_cells, t->cap_cells) = clean && *clean ? clean : "-";
}

static void
natural_widths(const struct lore_table *t, size_t *widths)
{
    for (size_t c = 0; c < t->n_columns; c++)
        widths[c] = lore_print_width(t->columns[c].title);
    for (size_t i = 0; i < t->n_cells; i++) {
        size_t w = lore_print_width(t->cells[i]);
        if (w > widths[i % t->n_columns])
            widths[i % t->n_columns] = w;
    }
}

static size_t
columns_of(const struct lore_cli *cli)
{
    if (cli->width == 0)
        return SIZE_MAX;
    return cli->width > LEAST_WIDTH ? (size_t)cli->width : LEAST_WIDTH;
}

static size_t
line_width(const struct lore_table *t, const size_t *widths)
{
    size_t total = 0;

    for (size_t c = 0; c < t->n_columns; c++)
        total += widths[c] ? widths[c] + 2 : 0;
    return total - 2;
}

static bool
is_empty(const struct lore_table *t, size_t column)
{
    for (size_t i = column; i < t->n_cells; i += t->n_columns) {
        if (strcmp(t->cells[i], "-") != 0)
            return false;
    }
    return true;
}

/* A width of 0 is a column that is left out: columns that are empty in every row go first. */
static void
drop_columns(const struct lore_table *t, size_t *widths, size_t available)
{
    for (size_t c = t->n_columns; c-- > 1;) {
        if (is_empty(t, c) && line_width(t, widths) > available)
            widths[c] = 0;
    }
    for (size_t c = t->n_columns; c-- > 0;) {
        if (t->columns[c].optional && widths[c] > 0 && line_width(t, widths) > available)
            widths[c] = 0;
    }
}

static void
fit_widths(const struct lore_table *t, size_t *widths, size_t available)
{
    while (line_width(t, widths) > available) {
        size_t widest = t->n_columns;
        for (size_t c = 0; c < t->n_columns; c++) {
            if (t->columns[c].flexible && widths[c] > MIN_FLEXIBLE &&
                (widest == t->n_columns || widths[c] > widths[widest]))
                widest = c;
        }
        if (widest == t->n_columns)
            return;
        widths[widest]--;
    }
}

/* TEXT cut to WIDTH columns, padded to it unless LAST. */
static void
put_cell(struct lore_buf *out, const char *text, size_t width, bool right, bool last)
{
    size_t have = lore_print_width(text);
    size_t pad = have < width ? width - have : 0;

    for (size_t i = 0; right && i < pad; i++)
        lore_buf_putc(out, ' ');
    if (have <= width) {
        lore_buf_puts(out, text);
    } else {
        size_t shown = 0, n;
        const char *p = text;
        for (; shown + 1 < width && (n = utf8_len(p)) > 0; shown++)
            p += n;
        lore_buf_add(out, text, (size_t)(p - text));
        lore_buf_puts(out, "…");
    }
    for (size_t i = 0; !right && !last && i < pad; i++)
        lore_buf_putc(out, ' ');
}

static void
print_line(struct lore_cli *cli, const struct lore_table *t, const char *const *cells,
    const size_t *widths)
{
    size_t last = t->n_columns;
    bool first = true;

    while (last > 0 && widths[last - 1] == 0)
        last--;
    for (size_t c = 0; c < last; c++) {
        if (widths[c] == 0)
            continue;
        if (!first)
            lore_buf_puts(&cli->out, "  ");
        first = false;
        put_cell(&cli->out, cells[c], widths[c], t->columns[c].right, c + 1 == last);
    }
    lore_buf_putc(&cli->out, '\n');
}

void
lore_table_print(struct lore_cli *cli, const struct lore_table *t)
{
    size_t *widths = lore_alloc_array(cli->arena, t->n_columns, sizeof *widths);
    const char **titles = lore_alloc_array(cli->arena, t->n_columns, sizeof *titles);

    natural_widths(t, widths);
    size_t available = columns_of(cli);
    drop_columns(t, widths, available);
    fit_widths(t, widths, available);
    for (size_t c = 0; c < t->n_columns; c++)
        titles[c] = t->columns[c].title;
    if (cli->colour)
        lore_buf_puts(&cli->out, "\033[2m");
    print_line(cli, t, titles, widths);
    if (cli->colour)
        lore_buf_puts(&cli->out, "\033[0m");
    for (size_t i = 0; i + t->n_columns <= t->n_cells; i += t->n_columns)
        print_line(cli, t, t->cells + i, widths);
}

void
lore_print_wrapped(struct lore_cli *cli, const char *first, int indent, const char *text)
{
    const char *p = lore_print_clean(cli, text ? text : "");
    size_t at = lore_print_width(first);
    size_t width = columns_of(cli);
    bool start = true;

    lore_buf_puts(&cli->out, first);
    while (*p) {
        size_t len = strcspn(p, " ");
        size_t columns = width_of(p, len);
        if (len > 0 && !start && at + 1 + columns > width) {
            lore_buf_printf(&cli->out, "\n%*s", indent, "");
            at = (size_t)indent;
            start = true;
        }
        if (len > 0) {
            if (!start) {
                lore_buf_putc(&cli->out, ' ');
                at++;
            }
            lore_buf_add(&cli->out, p, len);
            at += columns;
            start = false;
        }
        p += len;
        p += strspn(p, " ");
    }
    lore_buf_putc(&cli->out, '\n');
}

const char *
lore_print_styled(struct lore_cli *cli, enum lore_style style, const char *text)
{
    static const char *const codes[] = {"1", "2", "32", "31", "33"};

    if (!cli->colour)
        return text;
    return lore_format(cli->arena, "\033[%sm%s\033[0m", codes[style], text);
}

/* Parses the subset of Markdown that workflow reports use. A line is a heading, part of a table, or
 * text. A table starts with a header line with bars and a delimiter row such as "|---|"; it ends at
 * the first line without bars. Every line inside a code fence is text.
 *
 * The delimiter row gives the number of cells of the header. A known header is split as HEADERS
 * says. Other headers are split at every bar. When the number of cells is then wrong, they are
 * split at bars with blanks around them (" | "), so that "Max |Δ|" is one cell. The last attempt
 * splits at bars outside code spans. Rows with too many cells are split again, first with code
 * spans kept whole, then at bars with blanks around them. When neither gives the number of the
 * header, the row keeps all cells. */
#include "collectors/import/markdown.h"

#include <string.h>

#include "service/base/text.h"

#define MAX_CELLS 256
#define MAX_DIGITS 64

struct span {
    const char *s;
    size_t n;
};
struct parser {
    struct lore_arena *arena;
    const char *const *headers;
    struct lore_md *out;
    const char *section;
    struct span *lines;
    size_t n, cap;
    bool fenced;
};

static struct span
trimmed(const char *s, size_t n)
{
    while (n > 0 && strchr(" \t\r", s[0]) && s[0] != '\0')
        s++, n--;
    while (n > 0 && strchr(" \t\r", s[n - 1]) && s[n - 1] != '\0')
        n--;
    return (struct span){s, n};
}

/* The "**" that ends the bold text beginning at S; NULL when S begins none ("2**20"). */
static const char *
bold_end(const char *whole, const char *s)
{
    if ((s > whole && lore_is_word(s[-1])) || s[2] == '\0' || s[2] == ' ')
        return NULL;
    for (const char *p = strstr(s + 2, "**"); p != NULL; p = strstr(p + 1, "**")) {
        if (p[-1] != ' ' && !lore_is_word(p[2]))
            return p;
    }
    return NULL;
}

const char *
lore_md_plain(struct lore_arena *arena, const char *text)
{
    char *out = lore_strdup(arena, text);
    const char *bold_close = NULL;
    size_t n = 0;

    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '`')
            continue;
        if (p[0] == '*' && p[1] == '*') {
            const char *end = bold_close != NULL ? NULL : bold_end(text, p);
            if (p == bold_close || end) {
                bold_close = end;
                p++;
                continue;
            }
        }
        out[n++] = *p;
    }
    out[n] = '\0';
    struct span s = trimmed(out, n);
    return s.n == n ? out : lore_strndup(arena, s.s, s.n);
}

/* ---- rows ---- */

enum split_mode { EVERY_BAR, SPACED_BARS, OUTSIDE_CODE, KNOWN_HEADER };

/* Return whether the bar at S[I] ends a cell. The caller keeps *INSIDE between the calls for one
 * line. */
static bool
is_border(const char *s, size_t n, size_t i, enum split_mode how, bool *inside)
{
    bool left = i == 0 || s[i - 1] == ' ', right = i + 1 == n || s[i + 1] == ' ';

    if (how == KNOWN_HEADER) { /* in " |Δ|" the bar after a blank opens and the next bar closes */
        bool border = !*inside && !(i > 0 && s[i - 1] == ' ');
        *inside = !*inside && !border;
        return border;
    }
    if (i > 0 && s[i - 1] == '\\')
        return false;
    return how == SPACED_BARS ? left && right : !(how == OUTSIDE_CODE && *inside);
}

/* Split LINE into cells and return their number. The first bar is dropped. The last bar is dropped,
 * too, except in a known header, where it may close a cell such as "Mean |Δ|". */
static size_t
split(struct span line, enum split_mode how, struct span *cells)
{
    struct span s = trimmed(line.s, line.n);
    bool inside = false;
    size_t count = 0, start;

    if (s.n > 0 && s.s[0] == '|')
        s = trimmed(s.s + 1, s.n - 1);
    if (s.n > 0 && s.s[s.n - 1] == '|' && how != KNOWN_HEADER && !(s.n > 1 && s.s[s.n - 2] == '\\'))
        s.n--;
    start = 0;
    for (size_t i = 0; i < s.n && count < MAX_CELLS - 1; i++) {
        if (s.s[i] == '`' && how == OUTSIDE_CODE)
            inside = !inside;
        if (s.s[i] != '|' || !is_border(s.s, s.n, i, how, &inside))
            continue;
        cells[count++] = trimmed(s.s + start, i - start);
        start = i + 1;
    }
    cells[count++] = trimmed(s.s + start, s.n - start);
    return count;
}

static const char *
unescaped(struct lore_arena *arena, struct span s)
{
    char *out = lore_alloc(arena, s.n + 1);
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '\\' && i + 1 < s.n && s.s[i + 1] == '|')
            continue;
        out[n++] = s.s[i];
    }
    return lore_md_plain(arena, out);
}

static void
set_row(struct parser *p, struct lore_md_row *row, size_t line, const struct span *cells, size_t n)
{
    row->line = line;
    row->n = n;
    row->cells = lore_alloc_array(p->arena, n + 1, sizeof *row->cells);
    for (size_t i = 0; i < n; i++)
        row->cells[i] = unescaped(p->arena, cells[i]);
}

/* Whether LINE equals the header KNOWN, apart from blanks beside bars and bars at the ends. */
static bool
same_header(const char *known, struct span line)
{
    struct span s = trimmed(line.s, line.n);
    size_t i = 0;

    if (s.n > 0 && s.s[0] == '|')
        s = trimmed(s.s + 1, s.n - 1);
    for (; *known != '\0'; known++) {
        if (*known == ' ' && known[1] == '|')
            continue;
        while (i < s.n && s.s[i] == ' ' && (*known == '|' || (i > 0 && s.s[i - 1] == '|')))
            i++;
        if (i >= s.n || s.s[i] != *known)
            return false;
        i++;
    }
    s = trimmed(s.s + i, s.n - i);
    return s.n == 0 || (s.n == 1 && s.s[0] == '|');
}

static void
set_header(struct parser *p, struct lore_md_table *t, size_t at, size_t expected)
{
    struct span cells[MAX_CELLS];

    for (size_t i = 0; p->headers != NULL && p->headers[i]; i++) {
        if (same_header(p->headers[i], p->lines[at])) {
            struct span known = {p->headers[i], strlen(p->headers[i])};
            size_t n = split(known, KNOWN_HEADER, cells);
            set_row(p, &t->header, at + 1, cells, n);
            return;
        }
    }
    size_t n = split(p->lines[at], EVERY_BAR, cells);
    if (n != expected) {
        const enum split_mode others[] = {SPACED_BARS, OUTSIDE_CODE};
        for (size_t k = 0; k < 2 && n != expected; k++) {
            n = split(p->lines[at], others[k], cells);
        }
        if (n != expected)
            n = split(p->lines[at], EVERY_BAR, cells);
    }
    set_row(p, &t->header, at + 1, cells, n);
}

static void
add_row(struct parser *p, struct lore_md_table *t, size_t at)
{
    struct span cells[MAX_CELLS];
    size_t n = split(p->lines[at], EVERY_BAR, cells);

    if (n > t->header.n) {
        const enum split_mode others[] = {OUTSIDE_CODE, SPACED_BARS};
        for (size_t k = 0; k < 2 && n != t->header.n; k++)
            n = split(p->lines[at], others[k], cells);
        if (n != t->header.n)
            n = split(p->lines[at], EVERY_BAR, cells);
    }
    set_row(p, LORE_PUSH(p->arena, t->rows, t->n, t->cap), at + 1, cells, n);
}

/* The number of cells of a delimiter row such as "|---|:--:|"; 0 when S is not one. */
static size_t
delimiter_cells(struct span s)
{
    struct span cells[MAX_CELLS];
    bool bar = false, dash = false;

    for (size_t i = 0; i < s.n; i++) {
        if (s.s[i] == '\0' || !strchr("-:| \t\r", s.s[i]))
            return 0;
        bar |= s.s[i] == '|';
        dash |= s.s[i] == '-';
    }
    return bar && dash ? split(s, EVERY_BAR, cells) : 0;
}

static bool
has_bar(struct span s)
{
    return s.n > 0 && memchr(s.s, '|', s.n);
}

/* Parse the table that begins at line AT and return its number of lines; 0: no table begins
 * there. */
static size_t
take_table(struct parser *p, size_t at)
{
    size_t expected =
        at + 1 < p->n && has_bar(p->lines[at]) ? delimiter_cells(p->lines[at + 1]) : 0;
    size_t next = at + 2;

    if (expected == 0)
        return 0;
    struct lore_md_table *t =
        LORE_PUSH(p->arena, p->out->tables, p->out->n_tables, p->out->cap_tables);
    t->section = p->section;
    t->line = at + 1;
    set_header(p, t, at, expected);
    for (; next < p->n && has_bar(p->lines[next]); next++)
        add_row(p, t, next);
    return next - at;
}

/* ---- other lines ---- */

/* The text after the bullet of a list item; NULL when S is not a list item. */
static const char *
after_mark(const char *s)
{
    size_t digits = strspn(s, "0123456789");

    if (*s != '\0' && strchr("-*+", *s) && (s[1] == ' ' || s[1] == '\t'))
        return s + 2;
    if (digits > 0 && digits < 4 && (s[digits] == '.' || s[digits] == ')') && s[digits + 1] == ' ')
        return s + digits + 2;
    return NULL;
}

static int
depth_of(struct span line)
{
    size_t columns = 0;

    for (size_t i = 0; i < line.n && (line.s[i] == ' ' || line.s[i] == '\t'); i++)
        columns += line.s[i] == '\t' ? 4 : 1;
    return (int)(columns < 64 ? columns / 2 : 32) + 1;
}

static void
take_heading(struct parser *p, const char *text)
{
    const char *title = text + strspn(text, "#");
    struct span s = trimmed(title, strlen(title));

    while (s.n > 0 && s.s[s.n - 1] == '#')
        s.n--;
    s = trimmed(s.s, s.n);
    p->section = lore_md_plain(p->arena, lore_strndup(p->arena, s.s, s.n));
    if (!p->out->title)
        p->out->title = p->section;
}

static void
take_line(struct parser *p, size_t at)
{
    struct span s = trimmed(p->lines[at].s, p->lines[at].n);

    if (s.n == 0)
        return;
    const char *text = lore_strndup(p->arena, s.s, s.n);
    size_t marks = strspn(text, "#");
    bool fence = lore_starts(text, "```") || lore_starts(text, "~~~");
    const char *item = p->fenced || fence ? NULL : after_mark(text);
    struct lore_md_line *line =
        LORE_PUSH(p->arena, p->out->lines, p->out->n_lines, p->out->cap_lines);
    line->line = at + 1;
    line->bullet = item != NULL ? depth_of(p->lines[at]) : 0;
    line->text = item != NULL ? item + strspn(item, " \t") : text;
    if (!p->fenced && marks > 0 && marks <= 6 && (text[marks] == ' ' || text[marks] == '\0')) {
        line->level = (int)marks;
        take_heading(p, text);
        line->text = p->section;
    }
    line->section = p->section;
    if (fence)
        p->fenced = !p->fenced;
}

void
lore_md_parse(struct lore_arena *arena, const char *text, size_t len, const char *const *headers,
    struct lore_md *out)
{
    struct parser p = {.arena = arena, .headers = headers, .out = out, .section = ""};

    memset(out, 0, sizeof *out);
    for (size_t at = 0; at < len;) {
        const char *end = memchr(text + at, '\n', len - at);
        size_t n = end != NULL ? (size_t)(end - text) - at : len - at;
        struct span *line = LORE_PUSH(arena, p.lines, p.n, p.cap);
        *line = (struct span){text + at, strnlen(text + at, n)};
        at += n + 1;
    }
    for (size_t at = 0; at < p.n;) {
        size_t table = p.fenced ? 0 : take_table(&p, at);
        if (table == 0)
            take_line(&p, at);
        at += table > 0 ? table : 1;
    }
}

const struct lore_md_table *
lore_md_find(const struct lore_md *md, const char *section, const char *first)
{
    for (size_t i = 0; i < md->n_tables; i++) {
        const struct lore_md_table *t = &md->tables[i];
        if ((!section || lore_streqi(t->section, section)) &&
            (!first || lore_streqi(t->header.cells[0], first)))
            return t;
    }
    return NULL;
}

/* ---- numbers ---- */

static bool
digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Copy the digits at S without the commas between groups of three. Return the end in S; NULL when
 * there are too many digits. */
static const char *
copy_digits(const char *s, char *out, size_t *n)
{
    while (digit(*s) || (*s == ',' && *n > 0 && digit(out[*n - 1]) && digit(s[1]) && digit(s[2]) &&
                            digit(s[3]) && !digit(s[4]))) {
        if (*n >= MAX_DIGITS - 8)
            return NULL;
        if (*s != ',')
            out[(*n)++] = *s;
        s++;
    }
    return s;
}

static const char *
copy_exponent(const char *s, char *out, size_t *n)
{
    size_t sign = s[0] != '\0' && (s[1] == '+' || s[1] == '-');
    size_t digits = (s[0] == 'e' || s[0] == 'E') ? strspn(s + 1 + sign, "0123456789") : 0;

    if (digits == 0 || digits > 3)
        return s;
    memcpy(out + *n, s, 1 + sign + digits);
    *n += 1 + sign + digits;
    return s + 1 + sign + digits;
}

static int
significant(const char *s)
{
    int n = 0;

    for (; digit(*s) || *s == '.' || *s == '-'; s++) {
        if (digit(*s) && (n > 0 || *s != '0'))
            n++;
    }
    return n;
}

bool
lore_md_number(const char *text, double *value, const char **rest, int *digits)
{
    char out[MAX_DIGITS + 8];
    size_t n = 0;
    bool minus = false;

    if (!text)
        return false;
    text += strspn(text, " \t*`~");
    if (lore_starts(text, "≈"))
        text += strlen("≈") + strspn(text + strlen("≈"), " ");
    if (lore_starts(text, "−") || *text == '-') {
        minus = true;
        text += *text == '-' ? 1 : strlen("−");
    } else if (*text == '+') {
        text++;
    }
    if (!digit(*text) && !(*text == '.' && digit(text[1])))
        return false;
    if (minus)
        out[n++] = '-';
    if (*text == '.')
        out[n++] = '0';
    text = copy_digits(text, out, &n);
    if (text && *text == '.' && digit(text[1])) {
        out[n++] = '.';
        text = copy_digits(text + 1, out, &n);
    }
    if (!text)
        return false;
    text = copy_exponent(text, out, &n);
    out[n] = '\0';
    if (lore_parse_f64(out, "number", value, NULL) != LORE_OK)
        return false;
    if (rest != NULL)
        *rest = text;
    if (digits != NULL)
        *digits = significant(out);
    return true;
}

/* The reader of CSV and its relatives. A cell is quoted when it begins with a quote, and the quote
 * that ends it stands before a separator or the end of a line; else its quotes are text. So a stray
 * quote costs nothing, and no file is read twice for one. In TSV a quoted cell stays in its line,
 * because agents and scripts write quotes as text there. */
#include <string.h>

#include "collectors/import/rows_source.h"
#include "service/base/text.h"

struct cell {
    size_t at, len; /* behind the window's position */
    bool quoted;
};
struct csv {
    char separator;
    struct cell *cells;
    size_t n, cap;
    size_t whole;       /* length of the record with its line breaks */
    const char **names; /* of the header, as written */
};

static bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static void
add_cell(struct lore_rows *r, struct csv *c, size_t at, size_t end, bool quoted)
{
    const char *s = lore_window_bytes(&r->source->window);

    while (!quoted && at < end && is_blank(s[at]))
        at++;
    while (!quoted && end > at && is_blank(s[end - 1]))
        end--;
    *LORE_PUSH(lore_import_kept(r->in), c->cells, c->n, c->cap) =
        (struct cell){at, end - at, quoted};
}

/* The offset of the quote that closes the cell whose quote is at AT, 0: none. *after is where its
 * separator stands or the record ends. *N, the length of the record, grows by lines as needed. */
static size_t
closing_quote(struct lore_rows *r, struct csv *c, size_t at, size_t *n, size_t *after)
{
    struct lore_window *w = &r->source->window;
    size_t i = at + 1, length = *n, whole = c->whole;

    for (;;) {
        const char *s = lore_window_bytes(w);
        const char *quote = i < length ? memchr(s + i, '"', length - i) : NULL;
        if (!quote) {
            size_t before = i = whole;
            if (c->separator == '\t' || !lore_window_line(w, before, &length, &whole) ||
                whole == before)
                return 0;
            continue;
        }
        size_t q = (size_t)(quote - s), next = q + 1;
        if (next < length && s[next] == '"') {
            i = next + 1;
            continue;
        }
        while (next < length && s[next] == ' ')
            next++;
        if (next < length && s[next] != c->separator)
            return 0;
        *n = length;
        c->whole = whole;
        *after = next;
        return q;
    }
}

/* Find the cells of the record of N bytes at the position. */
static bool
split(struct lore_rows *r, struct csv *c, size_t n)
{
    for (size_t at = 0, next = 0; c->n <= LORE_ROWS_COLUMNS; at = next + 1) {
        const char *s = lore_window_bytes(&r->source->window);
        size_t end = at < n && s[at] == '"' ? closing_quote(r, c, at, &n, &next) : 0;
        if (end > 0) {
            add_cell(r, c, at + 1, end, true);
        } else {
            s = lore_window_bytes(&r->source->window);
            const char *separator = at < n ? memchr(s + at, c->separator, n - at) : NULL;
            next = separator ? (size_t)(separator - s) : n;
            add_cell(r, c, at, next, false);
        }
        if (next >= n)
            return true;
    }
    return false;
}

/* The text of a cell of RECORD, in place: doubled quotes become one. */
static const char *
text_of(char *record, const struct cell *c, size_t *len)
{
    char *s = record + c->at;
    size_t n = 0;

    *len = c->len;
    if (!c->quoted || !memchr(s, '"', c->len))
        return s;
    for (size_t i = 0; i < c->len; i++) {
        s[n++] = s[i];
        i += s[i] == '"';
    }
    *len = n;
    return s;
}

/* Whether the record is the header again. */
static bool
is_header(struct lore_rows *r, const struct csv *c)
{
    if (c->n != r->n_columns)
        return false;
    for (size_t i = c->n > 1; i < c->n; i++) { /* the first may be numbered: "[1]:transA" */
        const char *s = lore_window_bytes(&r->source->window) + c->cells[i].at;
        if (strncmp(s, c->names[i], c->cells[i].len) != 0 || c->names[i][c->cells[i].len] != '\0')
            return false;
    }
    return true;
}

/* Find the next record that is not empty. *N is the length of its first line. */
static enum lore_rows_step
find_record(struct lore_rows *r, struct csv *c, size_t *n)
{
    struct lore_window *w = &r->source->window;

    for (;;) {
        r->line = w->line;
        if (!lore_window_line(w, 0, n, &c->whole))
            return lore_rows_refuse(r, r->line, "a line of %zu bytes; the longest one may have %zu",
                lore_window_pass_line(w), LORE_WINDOW_MAX);
        if (c->whole == 0)
            return LORE_ROWS_END;
        const char *s = lore_window_bytes(w);
        size_t blank = 0;
        while (blank < *n && (is_blank(s[blank]) || s[blank] == '\0'))
            blank++;
        if (blank < *n)
            return LORE_ROWS_READ;
        lore_window_pass(w, c->whole);
    }
}

static enum lore_rows_step
step_csv(struct lore_rows *r)
{
    struct lore_window *w = &r->source->window;
    struct csv *c = r->source->state;
    enum lore_rows_step step;
    size_t n;

    do {
        step = find_record(r, c, &n);
        if (step != LORE_ROWS_READ)
            return step;
        c->n = 0;
        if (!split(r, c, n)) {
            lore_window_pass(w, c->whole);
            return lore_rows_refuse(r, r->line, "more than %d cells", LORE_ROWS_COLUMNS);
        }
        step = is_header(r, c) ? LORE_ROWS_REFUSED : LORE_ROWS_READ;
        struct lore_json *o = step == LORE_ROWS_READ ? lore_rows_object(r, c->n) : NULL;
        char *record = w->buf.data + w->pos;
        lore_window_pass(w, c->whole); /* before text_of changes the bytes; they stay in place */
        for (size_t i = 0, len; o && i < c->n; i++) {
            const char *s = text_of(record, &c->cells[i], &len);
            lore_rows_cell(r, o, len > 0 ? lore_rows_column(r, i) : NULL, s, len);
        }
        r->row = o;
    } while (step == LORE_ROWS_REFUSED);
    return step;
}

/* ---- the header ---- */

/* How well SEPARATOR splits the line of N bytes: its cells; 0 when none of them is HEADER. */
static size_t
score(struct lore_rows *r, struct csv *c, char separator, const char *header, size_t n)
{
    size_t whole = c->whole;
    bool found = !header;

    c->separator = separator;
    c->n = 0;
    bool ok = split(r, c, n);
    c->whole = whole;
    for (size_t i = 0; i < c->n && !found; i++)
        found = c->cells[i].len == strlen(header) &&
                memcmp(lore_window_bytes(&r->source->window) + c->cells[i].at, header,
                    c->cells[i].len) == 0;
    return ok && found ? c->n : 0;
}

static void
take_header(struct lore_rows *r, struct csv *c, size_t n)
{
    struct lore_window *w = &r->source->window;

    c->n = 0;
    (void)split(r, c, n);
    c->names = lore_alloc_array(lore_import_kept(r->in), c->n, sizeof *c->names);
    for (size_t i = 0, len; i < c->n; i++) {
        const char *s = text_of(w->buf.data + w->pos, &c->cells[i], &len);
        c->names[i] = lore_strndup(lore_import_kept(r->in), s, len);
    }
    lore_rows_name(r, c->names, c->n);
    lore_window_pass(w, c->whole);
}

static bool
find_header(struct lore_rows *r, struct csv *c, char separator, const char *header)
{
    struct lore_window *w = &r->source->window;
    const char *all = separator ? (const char[]){separator, '\0'} : ",\t;|";
    size_t n;

    while (find_record(r, c, &n) == LORE_ROWS_READ) {
        size_t best = 0;
        char with = all[0];
        bool maybe = !header || memmem(lore_window_bytes(w), n, header, strlen(header));
        for (const char *s = all; maybe && *s; s++) {
            size_t cells = score(r, c, *s, header, n);
            if (cells > best) {
                best = cells;
                with = *s;
            }
        }
        c->separator = with;
        if (best > 0) {
            take_header(r, c, n);
            return true;
        }
        lore_import_note(r->in, LORE_IL_EXTRA, "%s line %zu: before the header, not read: %.*s",
            r->in->at->path, r->line, (int)(n < 120 ? n : 120), lore_window_bytes(w));
        lore_window_pass(w, c->whole);
    }
    return false;
}

enum lore_status
lore_rows_csv(struct lore_import *in, char separator, const char *header, struct lore_rows *r,
    struct lore_err *err)
{
    if (lore_rows_begin(in, step_csv, r, err) != LORE_OK)
        return LORE_INVALID;
    struct csv *c = r->source->state = lore_alloc(lore_import_kept(in), sizeof *c);
    r->cells = true;
    if (!find_header(r, c, separator, header))
        return header ? lore_fail(err, LORE_INVALID, "no line has the column \"%s\"", header)
                      : lore_fail(err, LORE_INVALID, "no line with columns");
    return LORE_OK;
}

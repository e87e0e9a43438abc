/* The reader of the items of one list or object of a JSON document. It finds where each value ends
 * by its brackets and strings only, and parses one item at a time with the strict parser, so an
 * item with an error costs that item. A first pass collects the document around the items, the
 * head, because its members may stand behind them; it is parsed like any other document. A path of
 * "" needs no first pass. A document that ends in the middle is read as far as it goes. */
#include <stdio.h>
#include <string.h>

#include "collectors/import/rows_source.h"
#include "service/base/text.h"

enum { PARTS = 16 };
#define HEAD_MAX ((size_t)8 << 20)

struct json {
    const char *parts[PARTS]; /* of the path */
    size_t n;
    char open;       /* '[' or '{': of the items */
    size_t at;       /* bytes passed */
    size_t items_at; /* where the items begin */
    struct lore_buf head;
    struct lore_window *w;
    bool cut;      /* the document ended before it was complete */
    bool too_long; /* the head is over its ceiling */
    bool done;     /* the items have ended */
};

/* ---- bytes ---- */

static int
peek(struct json *j)
{
    for (;;) {
        int c = lore_window_at(j->w, 0);
        if (c != ' ' && c != '\t' && c != '\n' && c != '\r')
            return c;
        j->w->line += c == '\n';
        j->w->pos++;
        j->at++;
    }
}

/* Move on by N bytes; KEEP: they belong to the head. */
static void
pass(struct json *j, size_t n, bool keep)
{
    if (keep && j->head.len + n <= HEAD_MAX)
        lore_buf_add(&j->head, lore_window_bytes(j->w), n);
    else if (keep)
        j->too_long = true;
    lore_window_pass(j->w, n);
    j->at += n;
}

struct scan {
    size_t depth, n; /* N bytes belong to the value */
    bool string, escaped, ended;
};

/* What ends a run of bytes that a scan need not look at: within a string, and between brackets. */
static const bool string_signs[256] = {['"'] = true, ['\\'] = true};
static const bool signs[256] = {
    ['"'] = true, ['{'] = true, ['['] = true, ['}'] = true, [']'] = true};

/* Look at the bytes of the window behind those that belong to the value. */
static void
scan(struct scan *v, const char *s, size_t have)
{
    while (v->n < have && !v->ended) {
        const bool *ends = v->string ? string_signs : signs;
        bool open = v->depth > 0 || v->string;
        const char *p = s + v->n, *end = open && !v->escaped ? s + have : p;
        while (p < end && !ends[(unsigned char)*p])
            p++;
        v->n = (size_t)(p - s);
        if (v->n == have)
            return;
        char c = s[v->n];
        if (v->string) {
            v->string = v->escaped || c != '"';
            v->escaped = !v->escaped && c == '\\';
        } else if (c == '"') {
            v->string = true;
        } else if (v->depth == 0 && strchr(",]}:\n \t\r", c)) {
            v->ended = true;
            return;
        } else if (c == '{' || c == '[') {
            v->depth++;
        } else if (c == '}' || c == ']') {
            v->depth--;
        }
        v->n++;
        v->ended = open && v->depth == 0 && !v->string;
    }
}

/* Find the end of the value at the position: its length, at most that of the window. *SKIPPED is
 * the length of a longer one, of which all but the last bytes have been passed over. False: the
 * document ends before the value. */
static bool
find_end(struct json *j, bool keep, size_t *length, size_t *skipped)
{
    struct scan v = {.depth = 0};

    *skipped = 0;
    for (;;) {
        scan(&v, lore_window_bytes(j->w), j->w->buf.len - j->w->pos);
        if (v.ended || (!lore_window_more(j->w) && j->w->ended))
            break;
        if (j->w->buf.len - j->w->pos >= LORE_WINDOW_MAX) {
            *skipped += v.n;
            pass(j, v.n, keep);
            v.n = 0;
        }
    }
    *length = v.n;
    return v.ended || (v.n > 0 && v.depth == 0 && !v.string);
}

static void
pass_value(struct json *j, bool keep)
{
    size_t length, skipped;

    if (peek(j) < 0)
        return;
    j->cut |= !find_end(j, keep, &length, &skipped);
    pass(j, length > 0 || skipped > 0 ? length : 1, keep); /* a stray sign: the parser says so */
}

/* ---- the first pass ---- */

/* Whether the key at the position is part DEPTH of the path. Escapes are not read: a path has none.
 */
static bool
is_part(struct json *j, size_t depth)
{
    const char *part = depth < j->n ? j->parts[depth] : NULL;
    size_t n = part ? strlen(part) : 0;

    if (!part || lore_window_at(j->w, n + 1) != '"')
        return false;
    return memcmp(lore_window_bytes(j->w) + 1, part, n) == 0;
}

/* Pass over the items, from their open bracket to the closing one. */
static void
pass_items(struct json *j)
{
    pass(j, 1, true);
    while (!j->cut) {
        int c = peek(j);
        if (c == ']' || c == '}') {
            pass(j, 1, true);
            return;
        }
        j->cut |= c < 0;
        pass_value(j, false);
    }
}

/* The document ended: drop the comma behind the last complete member and close what is open. */
static void
close_head(struct json *j, char bracket)
{
    while (j->head.len > 0 && j->head.data[j->head.len - 1] == ',')
        j->head.len--;
    lore_buf_putc(&j->head, bracket);
}

/* Collect the head from the value at the position on; DEPTH parts of the path lead to it. Return
 * whether the items are in it. */
static bool
collect(struct json *j, size_t depth)
{
    int c = peek(j);
    bool found = false;

    if (depth == j->n && (c == '[' || c == '{')) {
        j->open = (char)c;
        j->items_at = j->at;
        pass_items(j);
        if (j->cut)
            close_head(j, c == '[' ? ']' : '}');
        return true;
    }
    if (depth == j->n || c != '{') {
        pass_value(j, true);
        return false;
    }
    pass(j, 1, true);
    while ((c = peek(j)) >= 0 && c != '}') {
        if (c != '"') {
            pass_value(j, true);
            continue;
        }
        bool on_path = !found && is_part(j, depth);
        pass_value(j, true);
        if (peek(j) == ':')
            pass(j, 1, true);
        if (on_path)
            found = collect(j, depth + 1);
        else
            pass_value(j, true);
    }
    j->cut |= c < 0;
    if (j->cut)
        close_head(j, '}');
    else
        pass(j, 1, true);
    return found;
}

static enum lore_status
find_items(struct lore_rows *r, struct json *j, const char *path, struct lore_err *err)
{
    struct lore_arena *arena = lore_import_kept(r->in);
    struct lore_json *head = NULL;
    bool found = collect(j, 0), more = !j->cut && peek(j) >= 0;

    if (j->too_long)
        return lore_fail(
            err, LORE_INVALID, "more than %zu bytes around the items of \"%s\"", HEAD_MAX, path);
    if (!found)
        return lore_fail(err, LORE_INVALID, "no list or object at \"%s\"", path);
    if (more)
        return lore_fail(err, LORE_INVALID, "line %zu: text behind the document", j->w->line);
    if (lore_json_parse(lore_strndup(arena, j->head.data, j->head.len), j->head.len, NULL, arena,
            &head, err) != LORE_OK)
        return LORE_INVALID;
    r->head = head;
    r->unfinished = j->cut;
    if (lore_window_rewind(j->w, err) != LORE_OK)
        return LORE_INVALID;
    for (j->at = 0; j->at < j->items_at;)
        if (lore_window_at(j->w, 0) >= 0) {
            size_t have = j->w->buf.len - j->w->pos, left = j->items_at - j->at;
            pass(j, have < left ? have : left, false);
        }
    return LORE_OK;
}

/* ---- items ---- */

static enum lore_rows_step
end_of_items(struct lore_rows *r, struct json *j)
{
    int c = peek(j);

    j->done = true;
    if (c < 0) {
        r->unfinished = true;
        return LORE_ROWS_END;
    }
    if (c != (j->open == '[' ? ']' : '}'))
        return lore_rows_refuse(r, j->w->line, "the items end with %c", c);
    pass(j, 1, false);
    if (j->n == 0 && peek(j) >= 0)
        return lore_rows_refuse(r, j->w->line, "text behind the document");
    return LORE_ROWS_END;
}

/* Read the value at the position into *out. */
static enum lore_rows_step
read_value(struct lore_rows *r, struct json *j, struct lore_json **out)
{
    size_t length, skipped, line = r->line;
    bool whole = find_end(j, false, &length, &skipped), ok;

    if (!whole) {
        pass(j, length, false);
        return lore_rows_refuse(r, line, "the document ends within this item");
    }
    if (skipped > 0) {
        pass(j, length, false);
        return lore_rows_refuse(r, line, "an item of %zu bytes; the longest one may have %zu",
            skipped + length, LORE_WINDOW_MAX);
    }
    if (length == 0) {
        int c = lore_window_at(j->w, 0);
        pass(j, 1, false);
        return lore_rows_refuse(r, line, "expected a value, not %c", c);
    }
    ok = lore_rows_parse(r, lore_window_bytes(j->w), length, line, out);
    pass(j, length, false);
    return ok ? LORE_ROWS_READ : LORE_ROWS_REFUSED;
}

static enum lore_rows_step
step_json(struct lore_rows *r)
{
    struct json *j = r->source->state;
    struct lore_json *key = NULL, *value = NULL;
    enum lore_rows_step step;

    if (j->done)
        return LORE_ROWS_END;
    while (peek(j) == ',')
        pass(j, 1, false);
    int c = peek(j);
    r->line = j->w->line;
    if (c < 0 || c == ']' || c == '}')
        return end_of_items(r, j);
    if (j->open == '{') {
        step = read_value(r, j, &key);
        if (step != LORE_ROWS_READ)
            return step;
        if (key->type != LORE_J_STRING || peek(j) != ':')
            return lore_rows_refuse(r, r->line, "expected \"NAME\":");
        pass(j, 1, false);
        if (peek(j) < 0)
            return lore_rows_refuse(r, r->line, "the document ends within this item");
    }
    step = read_value(r, j, &value);
    if (step != LORE_ROWS_READ)
        return step;
    if (r->source->items && key) {
        value->key = key->str;
        value->key_len = key->len;
    }
    r->row = r->source->items ? value : lore_rows_wrap(r, key, value);
    return step;
}

static bool
split_path(struct lore_arena *arena, const char *path, struct json *j)
{
    for (const char *p = path; *p; j->n++) {
        size_t n = strcspn(p, ".");
        if (j->n == PARTS || n == 0)
            return false;
        j->parts[j->n] = lore_strndup(arena, p, n);
        p += n + (p[n] == '.');
    }
    return true;
}

enum lore_status
lore_rows_json(struct lore_import *in, const char *path, struct lore_rows *r, struct lore_err *err)
{
    if (lore_rows_begin(in, step_json, r, err) != LORE_OK)
        return LORE_INVALID;
    struct json *j = r->source->state = lore_alloc(lore_import_kept(in), sizeof *j);
    j->w = &r->source->window;
    if (!split_path(lore_import_kept(in), path, j))
        return lore_fail(err, LORE_INVALID, "\"%s\" is no path of at most %d names", path, PARTS);
    if (j->n > 0) {
        enum lore_status status = find_items(r, j, path, err);
        lore_buf_free(&j->head);
        if (status != LORE_OK)
            return status;
    }
    int c = peek(j);
    if (c != '[' && c != '{')
        return lore_fail(err, LORE_INVALID, "the document is no list or object");
    j->open = (char)c;
    pass(j, 1, false);
    if (j->n == 0) {
        struct lore_json *head = lore_alloc(lore_import_kept(in), sizeof *head);
        head->type = c == '[' ? LORE_J_ARRAY : LORE_J_OBJECT;
        r->head = head;
    }
    return LORE_OK;
}

static enum lore_rows_step
step_tree(struct lore_rows *r)
{
    const struct lore_json *next = r->source->state;

    r->row = next;
    r->source->state = next ? (void *)next->next : NULL;
    return next ? LORE_ROWS_READ : LORE_ROWS_END;
}

/* The node at PATH below ROOT; NULL: there is none. */
static const struct lore_json *
node_at(const struct lore_json *root, const char *path)
{
    char name[64];

    for (size_t n; root && *path; path += n + (path[n] == '.')) {
        n = strcspn(path, ".");
        (void)snprintf(name, sizeof name, "%.*s", (int)n, path);
        root = lore_json_get(root, name);
    }
    return root;
}

enum lore_status
lore_rows_items(struct lore_import *in, const char *path, struct lore_rows *r, struct lore_err *err)
{
    const struct lore_json *root = lore_import_json(in->at), *list = node_at(root, path);

    if (!in->at || !in->at->whole) {
        enum lore_status status = lore_rows_json(in, path, r, err);
        if (r->source)
            r->source->items = true;
        return status;
    }
    *r = (struct lore_rows){.in = in, .head = root};
    if (!list || (list->type != LORE_J_ARRAY && list->type != LORE_J_OBJECT))
        return lore_fail(err, LORE_INVALID, "no list or object at \"%s\"", path);
    r->source = lore_alloc(lore_import_kept(in), sizeof *r->source);
    r->source->step = step_tree;
    r->source->state = list->child;
    return LORE_OK;
}

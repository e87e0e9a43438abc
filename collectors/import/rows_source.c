/* What all readers of rows share. */
#include "collectors/import/rows_source.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "collectors/import/index.h"
#include "service/base/text.h"

enum lore_status
lore_rows_begin(struct lore_import *in, enum lore_rows_step (*step)(struct lore_rows *),
    struct lore_rows *r, struct lore_err *err)
{
    struct lore_feed feed;

    *r = (struct lore_rows){.in = in};
    if (lore_feed_open(in, &feed, err) != LORE_OK)
        return LORE_INVALID;
    r->source = lore_alloc(lore_import_kept(in), sizeof *r->source);
    r->source->step = step;
    lore_window_open(&r->source->window, &feed);
    return LORE_OK;
}

void
lore_rows_close(struct lore_rows *r)
{
    if (!r->source)
        return;
    lore_window_close(&r->source->window);
    lore_arena_free(&r->source->arena);
    r->source = NULL;
    r->row = NULL;
    r->in->line = 0;
}

bool
lore_rows_next(struct lore_rows *r)
{
    struct lore_rows_source *s = r->source;
    enum lore_rows_step step;

    r->row = NULL;
    if (!s)
        return false;
    do {
        lore_arena_reset(&s->arena);
        step = s->step(r);
        r->n += step != LORE_ROWS_END;
    } while (step == LORE_ROWS_REFUSED);
    if (step == LORE_ROWS_END && s->window.err.status != LORE_OK) {
        (void)lore_rows_refuse(r, s->window.line, "the rest cannot be read: %s", s->window.err.msg);
        s->window.err.status = LORE_OK;
    }
    r->in->line = step == LORE_ROWS_READ ? r->line : 0;
    return step == LORE_ROWS_READ;
}

enum lore_rows_step
lore_rows_refuse(struct lore_rows *r, size_t line, const char *fmt, ...)
{
    char why[400];
    va_list ap;

    va_start(ap, fmt);
    (void)vsnprintf(why, sizeof why, fmt, ap);
    va_end(ap);
    r->in->records++;
    lore_import_refuse_line(r->in, line, "%s", why);
    return LORE_ROWS_REFUSED;
}

bool
lore_rows_parse(
    struct lore_rows *r, const char *text, size_t len, size_t line, struct lore_json **out)
{
    struct lore_err err = {.status = LORE_OK};

    struct lore_arena *arena = r->source->items ? r->in->arena : &r->source->arena;
    if (lore_json_parse(text, len, NULL, arena, out, &err) == LORE_OK)
        return true;
    (void)lore_rows_refuse(r, line, "%s", err.msg);
    return false;
}

static void
adopt(struct lore_json *object, struct lore_json *member, const char *key)
{
    member->key = key;
    member->key_len = (uint32_t)strlen(key);
    member->parent = object;
    member->index = object->len++;
}

const struct lore_json *
lore_rows_wrap(struct lore_rows *r, const struct lore_json *key, struct lore_json *value)
{
    struct lore_json *o = lore_alloc(&r->source->arena, sizeof *o);

    if (!key && value->type == LORE_J_OBJECT)
        return value;
    o->type = LORE_J_OBJECT;
    o->child = value;
    if (key) {
        struct lore_json *k = lore_memdup(&r->source->arena, key, sizeof *key);
        adopt(o, k, "key");
        k->next = value;
        o->child = k;
    }
    adopt(o, value, "value");
    return o;
}

/* ---- cells of text formats ---- */

struct lore_json *
lore_rows_object(struct lore_rows *r, size_t cells)
{
    struct lore_json *o = lore_alloc_array(&r->source->arena, cells + 1, sizeof *o);

    o->type = LORE_J_OBJECT;
    return o;
}

/* The LEN bytes at TEXT as UTF-8: bytes of other encodings are read as Latin-1, U+0000 as a blank.
 */
static const char *
as_utf8(struct lore_rows *r, const char *text, size_t len)
{
    if (lore_utf8_valid(text, len) && !memchr(text, '\0', len))
        return lore_strndup(&r->source->arena, text, len);
    char *out = lore_alloc(&r->source->arena, 2 * len + 1);
    size_t n = 0;
    for (size_t i = 0; i < len; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x80)
            out[n++] = (char)(0xc0 | c >> 6);
        out[n++] = c == 0 ? ' ' : c >= 0x80 ? (char)(0x80 | (c & 0x3f)) : (char)c;
    }
    lore_import_note(
        r->in, LORE_IL_DOUBTS, "%s line %zu: not UTF-8; read as Latin-1", r->in->at->path, r->line);
    return out;
}

void
lore_rows_cell(
    struct lore_rows *r, struct lore_json *object, const char *key, const char *text, size_t len)
{
    if (len == 0)
        return;
    struct lore_json *cell = object + 1 + object->len;
    cell->str = as_utf8(r, text, len);
    size_t n = strlen(cell->str);
    if (!lore_json_is_number(cell->str, n) || !lore_json_number(cell->str, n, cell)) {
        cell->type = LORE_J_STRING;
        cell->len = (uint32_t)n;
    }
    if (object->len == 0)
        object->child = cell;
    else
        cell[-1].next = cell;
    adopt(object, cell, key);
}

void
lore_rows_name(struct lore_rows *r, const char *const *names, size_t n)
{
    const char **out = lore_alloc_array(lore_import_kept(r->in), n + 1, sizeof *out);
    struct lore_index seen = {.n = 0};

    for (size_t i = 0; i < n; i++) {
        const char *name = as_utf8(r, names[i], strlen(names[i]));
        if (!*name)
            name = lore_format(lore_import_kept(r->in), "column_%zu", i + 1);
        size_t *times = lore_index_at(lore_import_kept(r->in), &seen, name);
        while (*times > 0) {
            const char *other = lore_format(lore_import_kept(r->in), "%s_%zu", name, (*times)++);
            size_t *taken = lore_index_at(lore_import_kept(r->in), &seen, other);
            if (*taken == 0) {
                name = other;
                times = taken;
            } else {
                times = lore_index_at(lore_import_kept(r->in), &seen, name);
            }
        }
        *times = 1;
        out[i] = lore_strdup(lore_import_kept(r->in), name);
    }
    r->columns = out;
    r->n_columns = n;
}

const char *
lore_rows_column(struct lore_rows *r, size_t at)
{
    return at < r->n_columns ? r->columns[at]
                             : lore_format(&r->source->arena, "column_%zu", at + 1);
}

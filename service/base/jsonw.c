/* The JSON writer. Each piece reserves room once, for its separator, indentation and text. These
 * mistakes are refused: a key outside an object, a member without a key, text that is not UTF-8,
 * NaN, infinity, and an open document at the end. After the first mistake nothing more is written,
 * and lore_jsonw_end reports it. */
#include "service/base/jsonw.h"

#include <math.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/decimal.h"
#include "service/base/text.h"

enum mistake { NONE, BAD_ORDER, BAD_UTF8, BAD_NUMBER, TOO_DEEP };

#define INDENT 2 /* spaces per level of pretty text */

void
lore_jsonw_begin(struct lore_jsonw *w, struct lore_buf *out, bool pretty)
{
    *w = (struct lore_jsonw){.out = out, .pretty = pretty};
}

void
lore_jsonw_only(struct lore_jsonw *w, unsigned level, const char *const *names, size_t n)
{
    w->only = names;
    w->n_only = n;
    w->only_at = level;
}

enum lore_status
lore_jsonw_end(struct lore_jsonw *w, struct lore_err *err)
{
    bool open = w->depth > 0 || !w->begun;

    if (w->bad == BAD_UTF8)
        return lore_fail_at(
            err, LORE_INVALID, "invalid_utf8", "", "JSON output: text is not UTF-8");
    if (w->bad == BAD_NUMBER)
        return lore_fail_at(err, LORE_INVALID, "invalid_number", "",
            "JSON output: NaN and infinity have no JSON form");
    if (w->bad == TOO_DEEP)
        return lore_fail_at(err, LORE_INVALID, "too_deep", "", "JSON output: nested too deeply");
    if (w->bad != NONE || open)
        return lore_fail(err, LORE_INVALID, "JSON output: keys and values do not fit together");
    return lore_buf_status(w->out, "the answer", err);
}

/* ---- separators and indentation ---- */

static uint64_t
level_bit(const struct lore_jsonw *w)
{
    return (uint64_t)1 << (w->depth - 1) % 64;
}

static bool
in_object(const struct lore_jsonw *w)
{
    return w->depth > 0 && (w->objects[(w->depth - 1) / 64] & level_bit(w)) != 0;
}

/* Remove the member that was written last, if it is not among those of lore_jsonw_only. */
static void
remove_unlisted(struct lore_jsonw *w)
{
    if (!w->cutting || w->depth != w->only_at)
        return;
    w->cutting = false;
    if (!w->out->data)
        return;
    w->out->len = w->cut_at;
    w->out->data[w->cut_at] = '\0';
    if (!w->cut_filled)
        w->filled[(w->depth - 1) / 64] &= ~level_bit(w);
}

/* A member KEY begins: remember where, if it is to be removed. */
static void
note_unlisted(struct lore_jsonw *w, const char *key, size_t n)
{
    if (!w->only || w->depth != w->only_at)
        return;
    for (size_t i = 0; i < w->n_only; i++)
        if (strlen(w->only[i]) == n && memcmp(w->only[i], key, n) == 0)
            return;
    w->cutting = true;
    w->cut_at = w->out->len;
    w->cut_filled = (w->filled[(w->depth - 1) / 64] & level_bit(w)) != 0;
}

/* Write the separator and indentation before a piece of N bytes. Returns the position of the piece,
 * or NULL without room. */
static char *
begin_piece(struct lore_jsonw *w, bool after_key, size_t n)
{
    size_t indent = w->pretty && !after_key ? (size_t)w->depth * INDENT : 0;
    bool first = false;
    char *to;

    if (!after_key) {
        first = w->depth == 0 || (w->filled[(w->depth - 1) / 64] & level_bit(w)) == 0;
        if (w->depth > 0)
            w->filled[(w->depth - 1) / 64] |= level_bit(w);
    }
    to = lore_buf_reserve(w->out, n + indent + (first ? 0 : w->pretty ? 2 : 1));
    if (!to)
        return NULL;
    if (!first)
        *to++ = after_key ? ':' : ',';
    if (!first && w->pretty)
        *to++ = after_key ? ' ' : '\n';
    if (indent > 0)
        memset(to, ' ', indent);
    return to + indent;
}

static void
end_piece(struct lore_jsonw *w, char *end)
{
    w->out->len = (size_t)(end - w->out->data);
    *end = '\0';
    if (w->pretty && w->depth == 0)
        lore_buf_putc(w->out, '\n');
}

static void
put_bytes(struct lore_jsonw *w, bool after_key, const char *text, size_t n)
{
    char *to = begin_piece(w, after_key, n);

    if (!to)
        return;
    memcpy(to, text, n);
    end_piece(w, to + n);
}

/* Whether a value may come here; in an object, only after a key. *AFTER_KEY: a key came before. */
static bool
value_fits(struct lore_jsonw *w, bool *after_key)
{
    *after_key = w->keyed;
    if (w->bad == NONE && (in_object(w) ? !w->keyed : w->depth == 0 && w->begun))
        w->bad = BAD_ORDER;
    w->keyed = false;
    w->begun = true;
    return w->bad == NONE;
}

/* ---- objects and arrays ---- */

static void
enter(struct lore_jsonw *w, bool object)
{
    bool after_key;
    char *to;

    if (!value_fits(w, &after_key))
        return;
    if (w->depth + 1 >= sizeof w->objects * 8) {
        w->bad = TOO_DEEP;
        return;
    }
    to = begin_piece(w, after_key, w->pretty ? 2 : 1);
    w->depth++;
    w->filled[(w->depth - 1) / 64] &= ~level_bit(w);
    if (object)
        w->objects[(w->depth - 1) / 64] |= level_bit(w);
    else
        w->objects[(w->depth - 1) / 64] &= ~level_bit(w);
    if (!to)
        return;
    *to++ = object ? '{' : '[';
    if (w->pretty)
        *to++ = '\n';
    end_piece(w, to);
}

static void
leave(struct lore_jsonw *w, bool object)
{
    size_t indent;
    char *to;

    if (w->bad == NONE && (w->depth == 0 || in_object(w) != object || w->keyed))
        w->bad = BAD_ORDER;
    if (w->bad != NONE)
        return;
    remove_unlisted(w);
    w->depth--;
    indent = w->pretty ? (size_t)w->depth * INDENT : 0;
    to = lore_buf_reserve(w->out, indent + (w->pretty ? 2 : 1));
    if (!to)
        return;
    if (w->pretty)
        *to++ = '\n';
    memset(to, ' ', indent);
    to += indent;
    *to++ = object ? '}' : ']';
    end_piece(w, to);
}

void
lore_w_obj(struct lore_jsonw *w)
{
    enter(w, true);
}

void
lore_w_obj_end(struct lore_jsonw *w)
{
    leave(w, true);
}

void
lore_w_arr(struct lore_jsonw *w)
{
    enter(w, false);
}

void
lore_w_arr_end(struct lore_jsonw *w)
{
    leave(w, false);
}

/* ---- text ---- */

static bool
is_plain(unsigned char c)
{
    return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

/* The letter after the backslash. 'u': four hexadecimal digits follow. 0: no escape is needed. */
static char
escape_of(unsigned char c)
{
    switch (c) {
    case '"':
    case '\\':
        return (char)c;
    case '\b':
        return 'b';
    case '\f':
        return 'f';
    case '\n':
        return 'n';
    case '\r':
        return 'r';
    case '\t':
        return 't';
    default:
        return c < ' ' ? 'u' : 0;
    }
}

static size_t
escaped_size(const char *s, size_t n)
{
    size_t size = n;

    for (size_t i = 0; i < n; i++) {
        char e = escape_of((unsigned char)s[i]);
        size += e == 0 ? 0 : e == 'u' ? 5 : 1;
    }
    return size;
}

static char *
escape(char *to, const char *s, size_t n)
{
    static const char hex[] = "0123456789ABCDEF";

    for (size_t i = 0; i < n; i++) {
        unsigned char c = (unsigned char)s[i];
        char e = escape_of(c);
        if (e == 0) {
            *to++ = (char)c;
            continue;
        }
        *to++ = '\\';
        *to++ = e;
        if (e == 'u') {
            memcpy(to, "00", 2);
            to[2] = hex[c >> 4];
            to[3] = hex[c & 15];
            to += 4;
        }
    }
    return to;
}

/* The number of bytes at the start of S that need no escape. It tests eight bytes at a time. */
static size_t
plain_bytes(const char *s, size_t n)
{
    const uint64_t ones = UINT64_C(0x0101010101010101), tops = ones << 7;
    size_t i = 0;

    for (; i + 8 <= n; i += 8) {
        uint64_t b, quote, slash;
        memcpy(&b, s + i, sizeof b);
        quote = b ^ ones * '"';
        slash = b ^ ones * '\\';
        if (((b | (b - ones * ' ') | ((quote - ones) & ~quote) | ((slash - ones) & ~slash)) &
                tops) != 0)
            break;
    }
    while (i < n && is_plain((unsigned char)s[i]))
        i++;
    return i;
}

static void
put_string(struct lore_jsonw *w, bool after_key, const char *s, size_t n)
{
    size_t plain = plain_bytes(s, n), size;
    char *to;

    if (plain < n && !lore_utf8_valid(s + plain, n - plain)) {
        w->bad = BAD_UTF8;
        return;
    }
    size = n;
    if (plain < n)
        size = plain + escaped_size(s + plain, n - plain);
    to = begin_piece(w, after_key, size + 2);
    if (!to)
        return;
    *to++ = '"';
    memcpy(to, s, plain);
    to += plain;
    if (plain < n)
        to = escape(to, s + plain, n - plain);
    *to++ = '"';
    end_piece(w, to);
}

static void
put_key(struct lore_jsonw *w, const char *key, size_t n)
{
    if (w->bad == NONE && (!in_object(w) || w->keyed))
        w->bad = BAD_ORDER;
    if (w->bad != NONE)
        return;
    remove_unlisted(w);
    note_unlisted(w, key, n);
    w->keyed = true;
    put_string(w, false, key, n);
}

void
lore_w_key(struct lore_jsonw *w, const char *key)
{
    put_key(w, key, strlen(key));
}

void
lore_w_str(struct lore_jsonw *w, const char *s)
{
    if (!s)
        lore_w_null(w);
    else
        lore_w_strn(w, s, strlen(s));
}

void
lore_w_strn(struct lore_jsonw *w, const char *s, size_t n)
{
    bool after_key;

    if (value_fits(w, &after_key))
        put_string(w, after_key, s, n);
}

/* ---- other values ---- */

static void
put_verbatim(struct lore_jsonw *w, const char *text, size_t n)
{
    bool after_key;

    if (value_fits(w, &after_key))
        put_bytes(w, after_key, text, n);
}

void
lore_w_i64(struct lore_jsonw *w, int64_t v)
{
    char text[24];

    put_verbatim(w, text, lore_decimal_i64(v, text));
}

void
lore_w_f64(struct lore_jsonw *w, double v)
{
    char text[32];
    bool after_key;

    if (isfinite(v)) {
        size_t n = lore_f64_text(v, text);
        put_verbatim(w, text, n);
    } else if (value_fits(w, &after_key)) {
        w->bad = BAD_NUMBER;
    }
}

void
lore_w_bool(struct lore_jsonw *w, bool v)
{
    put_verbatim(w, v ? "true" : "false", v ? 4 : 5);
}

void
lore_w_null(struct lore_jsonw *w)
{
    put_verbatim(w, "null", 4);
}

/* Recursion is as deep as the parser allowed. */
void
lore_w_node(struct lore_jsonw *w, const struct lore_json *node)
{
    const struct lore_json *m;

    if (!node || node->type == LORE_J_NULL) {
        lore_w_null(w);
    } else if (node->type == LORE_J_BOOL) {
        lore_w_bool(w, node->i != 0);
    } else if (node->type == LORE_J_NUMBER) {
        put_verbatim(w, node->str, strlen(node->str));
    } else if (node->type == LORE_J_STRING) {
        lore_w_strn(w, node->str, node->len);
    } else if (node->type == LORE_J_ARRAY) {
        lore_w_arr(w);
        for (m = node->child; m != NULL; m = m->next)
            lore_w_node(w, m);
        lore_w_arr_end(w);
    } else {
        lore_w_obj(w);
        for (m = node->child; m != NULL; m = m->next) {
            put_key(w, m->key, m->key_len);
            lore_w_node(w, m);
        }
        lore_w_obj_end(w);
    }
}

void
lore_w_raw(struct lore_jsonw *w, const char *json)
{
    if (!json || *json == '\0')
        lore_w_null(w);
    else
        put_verbatim(w, json, strlen(json));
}

void
lore_w_kstr(struct lore_jsonw *w, const char *key, const char *s)
{
    lore_w_key(w, key);
    lore_w_str(w, s);
}

void
lore_w_kstr_opt(struct lore_jsonw *w, const char *key, const char *s)
{
    if (s && *s != '\0')
        lore_w_kstr(w, key, s);
}

void
lore_w_ki64(struct lore_jsonw *w, const char *key, int64_t v)
{
    lore_w_key(w, key);
    lore_w_i64(w, v);
}

void
lore_w_kf64(struct lore_jsonw *w, const char *key, double v)
{
    lore_w_key(w, key);
    lore_w_f64(w, v);
}

void
lore_w_kbool(struct lore_jsonw *w, const char *key, bool v)
{
    lore_w_key(w, key);
    lore_w_bool(w, v);
}

void
lore_w_ktime(struct lore_jsonw *w, const char *key, int64_t us)
{
    char text[LORE_TIME_SIZE];

    lore_time_format(us, text);
    lore_w_kstr(w, key, text);
}

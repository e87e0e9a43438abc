/* JSON text through yajl's generator into a lore_buf. yajl places commas and indentation; what it
 * would let pass is refused here: a key where no key belongs, a value without one, text that is
 * not UTF-8, a number that is none, a document left open. After the first mistake nothing more
 * is written, and lore_jsonw_end reports it. */
#include "jsonw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <yajl/yajl_gen.h>

#include "clock.h"
#include "text.h"
#include "yajlmem.h"

/* Mistakes yajl has no code for; its own are positive. */
enum { BAD_ORDER = -1, BAD_UTF8 = -2 };

static void
print(void *ctx, const char *s, size_t n)
{
    lore_buf_add(ctx, s, n);
}

void
lore_jsonw_begin(struct lore_jsonw *w, struct lore_buf *out, bool pretty)
{
    memset(w, 0, sizeof *w);
    w->out = out;
    w->gen = yajl_gen_alloc(&lore_yajl_memory);
    (void)yajl_gen_config(w->gen, yajl_gen_print_callback, print, (void *)out);
    (void)yajl_gen_config(w->gen, yajl_gen_beautify, pretty ? 1 : 0);
    (void)yajl_gen_config(w->gen, yajl_gen_indent_string, "  ");
}

enum lore_status
lore_jsonw_end(struct lore_jsonw *w, struct lore_err *err)
{
    bool open = w->depth > 0 || !w->begun;

    yajl_gen_free(w->gen);
    w->gen = NULL;
    if (w->bad == BAD_UTF8 || w->bad == yajl_gen_invalid_string)
        return lore_fail_at(err, LORE_INVALID, "invalid_utf8", "", "JSON out: text is not UTF-8");
    if (w->bad == yajl_gen_invalid_number)
        return lore_fail_at(err, LORE_INVALID, "invalid_number", "",
            "JSON out: NaN and infinity have no JSON form");
    if (w->bad == yajl_max_depth_exceeded)
        return lore_fail_at(err, LORE_INVALID, "too_deep", "", "JSON out: nested too deeply");
    if (w->bad != 0 || open)
        return lore_fail(err, LORE_INVALID, "JSON out: keys and values do not fit together");
    return lore_buf_status(w->out, "the answer", err);
}

static bool
in_object(const struct lore_jsonw *w)
{
    unsigned level = w->depth - 1;

    return w->depth > 0 && (w->objects[level / 64] >> level % 64 & 1) != 0;
}

/* May a value come here? Within an object only right after its key. */
static bool
value_fits(struct lore_jsonw *w)
{
    if (w->bad == 0 && (in_object(w) ? !w->keyed : w->depth == 0 && w->begun))
        w->bad = BAD_ORDER;
    w->keyed = false;
    w->begun = true;
    return w->bad == 0;
}

static void
check(struct lore_jsonw *w, yajl_gen_status st)
{
    if (w->bad == 0 && st != yajl_gen_status_ok)
        w->bad = (int)st;
}

/* Enter an object or array; yajl's own stack is what bounds the depth. */
static void
enter(struct lore_jsonw *w, bool object)
{
    unsigned level = w->depth;

    if (level + 1 >= sizeof w->objects * 8) {
        w->bad = yajl_max_depth_exceeded;
        return;
    }
    if (object)
        w->objects[level / 64] |= (uint64_t)1 << level % 64;
    else
        w->objects[level / 64] &= ~((uint64_t)1 << level % 64);
    w->depth++;
    check(w, object ? yajl_gen_map_open(w->gen) : yajl_gen_array_open(w->gen));
}

static void
leave(struct lore_jsonw *w, bool object)
{
    if (w->bad == 0 && (w->depth == 0 || in_object(w) != object || w->keyed))
        w->bad = BAD_ORDER;
    if (w->bad != 0)
        return;
    w->depth--;
    check(w, object ? yajl_gen_map_close(w->gen) : yajl_gen_array_close(w->gen));
}

void
lore_w_obj(struct lore_jsonw *w)
{
    if (value_fits(w))
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
    if (value_fits(w))
        enter(w, false);
}

void
lore_w_arr_end(struct lore_jsonw *w)
{
    leave(w, false);
}

static void
put_string(struct lore_jsonw *w, const char *s, size_t n)
{
    if (!lore_utf8_valid(s, n))
        w->bad = BAD_UTF8;
    else
        check(w, yajl_gen_string(w->gen, (const unsigned char *)s, n));
}

static void
put_key(struct lore_jsonw *w, const char *key, size_t n)
{
    if (w->bad == 0 && (!in_object(w) || w->keyed))
        w->bad = BAD_ORDER;
    if (w->bad != 0)
        return;
    w->keyed = true;
    put_string(w, key, n);
}

void
lore_w_key(struct lore_jsonw *w, const char *key)
{
    put_key(w, key, strlen(key));
}

void
lore_w_str(struct lore_jsonw *w, const char *s)
{
    if (s == NULL)
        lore_w_null(w);
    else
        lore_w_strn(w, s, strlen(s));
}

void
lore_w_strn(struct lore_jsonw *w, const char *s, size_t n)
{
    if (value_fits(w))
        put_string(w, s, n);
}

/* yajl_gen_number copies the bytes it is given, with comma and indentation before them. */
static void
put_verbatim(struct lore_jsonw *w, const char *text, size_t n)
{
    if (value_fits(w))
        check(w, yajl_gen_number(w->gen, text, n));
}

void
lore_w_i64(struct lore_jsonw *w, int64_t v)
{
    if (value_fits(w))
        check(w, yajl_gen_integer(w->gen, v));
}

void
lore_w_f64(struct lore_jsonw *w, double v)
{
    char text[32];

    if (!isfinite(v)) {
        if (value_fits(w))
            w->bad = yajl_gen_invalid_number;
        return;
    }
    lore_f64_text(v, text);
    put_verbatim(w, text, strlen(text));
}

void
lore_w_bool(struct lore_jsonw *w, bool v)
{
    if (value_fits(w))
        check(w, yajl_gen_bool(w->gen, v));
}

void
lore_w_null(struct lore_jsonw *w)
{
    if (value_fits(w))
        check(w, yajl_gen_null(w->gen));
}

/* Recursion is as deep as the parser allowed. */
void
lore_w_node(struct lore_jsonw *w, const struct lore_json *node)
{
    const struct lore_json *m;

    if (node == NULL || node->type == LORE_J_NULL) {
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
    if (json == NULL || *json == '\0')
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
    if (s != NULL && *s != '\0')
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

/* An id is derived from the record's content, not from the place or time of reading, so that a
 * second import finds the same record. The text before the first '|' is the namespace of the id. */
#include "service/wire/build.h"
#include <math.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/catalogue/words.h"
#include "service/wire/fields.h"

const char *
lore_build_id(struct lore_arena *arena, int64_t ms, const char *fmt, ...)
{
    char *out = lore_alloc(arena, LORE_ULID_SIZE);
    va_list ap;

    va_start(ap, fmt);
    int n = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    char *seed = lore_alloc(arena, (size_t)n + 1);
    va_start(ap, fmt);
    (void)vsnprintf(seed, (size_t)n + 1, fmt, ap);
    va_end(ap);
    lore_ulid_derive(ms, seed, (size_t)n, out);
    return out;
}

const char *
lore_build_new_id(struct lore_arena *arena)
{
    char *out = lore_alloc(arena, LORE_ULID_SIZE);
    lore_ulid_new(out);
    return out;
}

const char *
lore_build_of_project(struct lore_arena *arena, const struct lore_submission *doc)
{
    return doc->project ? lore_format(arena, "|project|%s", doc->project) : "";
}

const char *
lore_build_kernel(struct lore_arena *arena, struct lore_submission *doc, const char *op,
    enum lore_language language, const char *name)
{
    const char *id = lore_build_id(arena, 0, "kernel|%s|%s|%s%s", op, lore_language_name(language),
        name, lore_build_of_project(arena, doc));

    for (size_t i = 0; i < doc->n_kernels; i++) {
        if (strcmp(doc->kernels[i].id, id) == 0)
            return id;
    }
    struct lore_kernel *k = LORE_PUSH(arena, doc->kernels, doc->n_kernels, doc->cap_kernels);
    k->id = id;
    k->project = doc->project;
    k->op = op;
    k->language = language;
    k->name = name;
    return id;
}

/* Finish W and copy the text in B to the arena. NULL when W failed. */
static const char *
finish(struct lore_arena *arena, struct lore_jsonw *w, struct lore_buf *b)
{
    const char *out = NULL;

    if (lore_jsonw_end(w, NULL) == LORE_OK)
        out = lore_strndup(arena, b->data, b->len);
    lore_buf_free(b);
    return out;
}

const char *
lore_build_json_text(struct lore_arena *arena, const char *s)
{
    LORE_BUF b = {.max = 8u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &b, false);
    lore_w_str(&w, s);
    return finish(arena, &w, &b);
}

static bool
is_path(const char *s)
{
    bool rooted = s[0] == '/' || lore_starts(s, "~/") || lore_starts(s, "file:///");
    bool drive = s[0] && s[1] == ':' && (s[2] == '\\' || s[2] == '/');

    return (rooted || drive) && !strpbrk(s, "\n\t") && s[1] != '\0';
}

static void
write_stripped(struct lore_jsonw *w, const struct lore_json *node, size_t *stripped)
{
    if (node->type == LORE_J_OBJECT || node->type == LORE_J_ARRAY) {
        bool object = node->type == LORE_J_OBJECT;
        if (object)
            lore_w_obj(w);
        else
            lore_w_arr(w);
        for (const struct lore_json *m = node->child; m; m = m->next) {
            if (object)
                lore_w_key(w, m->key);
            write_stripped(w, m, stripped);
        }
        if (object)
            lore_w_obj_end(w);
        else
            lore_w_arr_end(w);
    } else if (node->type == LORE_J_STRING && is_path(node->str)) {
        lore_w_str(w, lore_build_basename(node->str));
        if (stripped)
            ++*stripped;
    } else {
        lore_w_node(w, node);
    }
}

const char *
lore_build_verbatim(
    struct lore_arena *arena, const struct lore_json *node, const char *skip, size_t *stripped)
{
    LORE_BUF b = {.max = 8u << 20};
    struct lore_jsonw w;

    lore_jsonw_begin(&w, &b, false);
    if (skip && node->type == LORE_J_OBJECT) {
        lore_w_obj(&w);
        for (const struct lore_json *m = node->child; m; m = m->next) {
            if (strcmp(m->key, skip) == 0)
                continue;
            lore_w_key(&w, m->key);
            write_stripped(&w, m, stripped);
        }
        lore_w_obj_end(&w);
    } else {
        write_stripped(&w, node, stripped);
    }
    return finish(arena, &w, &b);
}

const char *
lore_build_basename(const char *path)
{
    const char *out = path;

    for (const char *p = path; *p; p++) {
        if ((*p == '/' || *p == '\\') && p[1])
            out = p + 1;
    }
    return out;
}

void
lore_build_text(struct lore_arena *arena, struct lore_texts *list, const char *text)
{
    *LORE_PUSH(arena, list->v, list->n, list->cap) = text;
}

bool
lore_build_labels(struct lore_arena *arena, struct lore_diagnosis *out, const char *text)
{
    bool unknown = false;

    if (!text || !*text)
        return true;
    uint32_t labels = lore_labels_parse(text, &unknown);
    out->raw_label = text;
    for (int l = 0; l < LORE_L_COUNT; l++) {
        if (labels & (UINT32_C(1) << l))
            lore_build_text(arena, &out->labels, lore_label_name((enum lore_label)l));
    }
    return !unknown;
}

void
lore_build_metric(struct lore_arena *arena, struct lore_metrics *list, const char *name,
    const char *unit, double value)
{
    struct lore_metric *m = LORE_PUSH(arena, list->v, list->n, list->cap);
    m->name = name;
    m->unit = unit;
    m->value = value;
}

const char *
lore_build_scalar(struct lore_arena *arena, const char *value)
{
    struct lore_json *node = NULL;

    if (lore_json_parse(value, strlen(value), NULL, arena, &node, NULL) == LORE_OK &&
        (node->type == LORE_J_NUMBER || node->type == LORE_J_BOOL))
        return value;
    return lore_build_json_text(arena, value);
}

static char *
trimmed(struct lore_arena *arena, const char *s, size_t n)
{
    while (n > 0 && strchr(" \t", s[0]))
        s++, n--;
    while (n > 0 && strchr(" \t", s[n - 1]))
        n--;
    return lore_strndup(arena, s, n);
}

/* "tile-size=16, unroll=4" */
static void
take_params(struct lore_arena *arena, struct lore_kvs *out, const char *s, size_t n)
{
    while (n > 0) {
        const char *comma = memchr(s, ',', n);
        size_t len = comma ? (size_t)(comma - s) : n;
        const char *equals = memchr(s, '=', len);
        if (equals) {
            const char *key = trimmed(arena, s, (size_t)(equals - s));
            const char *value = trimmed(arena, equals + 1, len - (size_t)(equals - s) - 1);
            value = lore_build_scalar(arena, value);
            if (*key && value && !lore_kvs_get(out, key))
                lore_kvs_set(arena, out, key, value);
        }
        s += len + (comma ? 1 : 0);
        n -= len + (comma ? 1 : 0);
    }
}

void
lore_build_technique(struct lore_arena *arena, struct lore_experiment *e, const char *text)
{
    if (!text || !*text)
        return;
    const char *open = strchr(text, '{');
    const char *close = open ? strrchr(open, '}') : NULL;
    const char *name = trimmed(arena, text, open ? (size_t)(open - text) : strlen(text));
    if (!*name)
        name = text;
    struct lore_use *u = LORE_PUSH(arena, e->techniques, e->n_techniques, e->cap_techniques);
    u->name = name;
    u->raw = text;
    if (close)
        take_params(arena, &u->params, open + 1, (size_t)(close - open) - 1);
}

void
lore_build_words(struct lore_arena *arena, struct lore_experiment *x, const char *text)
{
    struct lore_words found;

    lore_words_resolve(text, arena, &found);
    for (size_t i = 0; i < found.n && i < LORE_MAX_TECHNIQUES; i++) {
        const struct lore_word_hit *hit = &found.v[i];
        struct lore_use *u = LORE_PUSH(arena, x->techniques, x->n_techniques, x->cap_techniques);

        u->name = hit->slug;
        u->raw = text;
        u->status = hit->negated ? "not_applied" : NULL;
        for (size_t k = 0; k < hit->n_params; k++)
            lore_kvs_set(arena, &u->params, hit->params[k].name,
                lore_build_scalar(arena, hit->params[k].to ? hit->params[k].to : ""));
    }
    if (found.n == 0)
        lore_build_technique(arena, x, text);
}

void
lore_build_title(struct lore_arena *arena, struct lore_experiment *x, const char *claim)
{
    const size_t limit = 120;

    if (!claim || x->title || x->n_techniques > 0)
        return;
    size_t n = strcspn(claim, "\r\n");
    if (n == 0)
        return;
    if (n > limit)
        x->title = lore_format(arena, "%.*s…", (int)lore_utf8_prefix(claim, limit), claim);
    else
        x->title = lore_strndup(arena, claim, n);
}

double
lore_build_ns(double ms)
{
    double ns = ms * 1e6, whole = round(ns);

    /* a double has 15 decimal digits; a smaller difference is rounding error of the product */
    return fabs(ns - whole) <= 1e-15 * whole * 4 ? whole : ns;
}

enum lore_status
lore_build_encode(const struct lore_submission *doc, struct lore_buf *out, struct lore_err *err)
{
    struct lore_submission stating = *doc;
    struct lore_jsonw w;

    if (doc->n_kernels == 0 && doc->project && *doc->project && !doc->stated_project)
        stating.stated_project = doc->project;
    lore_jsonw_begin(&w, out, false);
    lore_wire_encode(&w, &stating);
    return lore_jsonw_end(&w, err);
}

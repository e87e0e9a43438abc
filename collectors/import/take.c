/* A hash table holds the addresses of the nodes that were read, because the shared JSON tree must
 * not change. A mark on a container covers everything below it. */
#include "collectors/import/take.h"

#include <math.h>
#include <string.h>

#include "service/base/jsonw.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static size_t
slot_of(const struct lore_take *t, const struct lore_json *node)
{
    uint64_t h = (uint64_t)(uintptr_t)node * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(h >> 20) & (t->cap - 1);

    while (t->slots[at] && t->slots[at] != node)
        at = (at + 1) & (t->cap - 1);
    return at;
}

bool
lore_take_marked(const struct lore_take *t, const struct lore_json *node)
{
    return t->n > 0 && t->slots[slot_of(t, node)] == node;
}

static void
grow(struct lore_take *t)
{
    struct lore_take old = *t;

    t->cap = old.cap ? old.cap * 2 : 256;
    t->slots = lore_alloc_array(lore_import_kept(t->in), t->cap, sizeof(const struct lore_json *));
    for (size_t i = 0; i < old.cap; i++) {
        if (old.slots[i])
            t->slots[slot_of(t, old.slots[i])] = old.slots[i];
    }
}

void
lore_take_mark(struct lore_take *t, const struct lore_json *node)
{
    if (!node)
        return;
    if (2 * (t->n + 1) > t->cap)
        grow(t);
    size_t at = slot_of(t, node);
    if (!t->slots[at]) {
        t->slots[at] = node;
        t->n++;
    }
}

void
lore_take_clear(struct lore_take *t)
{
    if (t->n > 0)
        memset(t->slots, 0, t->cap * sizeof *t->slots);
    t->n = 0;
}

/* Member KEY; a JSON null is marked as read and counts as absent. */
static const struct lore_json *
member(struct lore_take *t, const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    if (m && m->type == LORE_J_NULL) {
        lore_take_mark(t, m);
        return NULL;
    }
    return m;
}

static bool
is_placeholder(const char *s)
{
    size_t n = strlen(s);
    return n > 2 && s[0] == '<' && s[n - 1] == '>';
}

bool
lore_take_text(struct lore_take *t, const struct lore_json *object, const char *key, size_t max_len,
    const char **out)
{
    const struct lore_json *m = member(t, object, key);

    bool is_text = m && (m->type == LORE_J_STRING || (t->cells && m->type == LORE_J_NUMBER));

    if (!is_text || strlen(m->str) > max_len || is_placeholder(m->str))
        return false;
    lore_take_mark(t, m);
    if (m->str[0] == '\0')
        return false;
    *out = lore_strdup(t->in->arena, m->str);
    return true;
}

bool
lore_take_f64(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out)
{
    const struct lore_json *m = member(t, object, key);

    if (!m || m->type != LORE_J_NUMBER || !isfinite(m->f))
        return false;
    lore_take_mark(t, m);
    *out = (struct lore_f64){true, m->f};
    return true;
}

bool
lore_take_amount(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_f64 *out)
{
    const struct lore_json *m = member(t, object, key);

    return m && m->type == LORE_J_NUMBER && m->f >= 0 && lore_take_f64(t, object, key, out);
}

bool
lore_take_count(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_i64 *out)
{
    const struct lore_json *m = member(t, object, key);

    if (!m || m->type != LORE_J_NUMBER || !m->is_int || m->i < 0 || m->i > 1000000000)
        return false;
    lore_take_mark(t, m);
    *out = (struct lore_i64){true, m->i};
    return true;
}

bool
lore_take_bool(struct lore_take *t, const struct lore_json *object, const char *key, bool *out)
{
    const struct lore_json *m = member(t, object, key);

    if (!m || m->type != LORE_J_BOOL)
        return false;
    lore_take_mark(t, m);
    *out = m->i != 0;
    return true;
}

/* The text of scalar M without quotes; an absolute path is cut to its file name. */
static const char *
cut_text(struct lore_take *t, const struct lore_json *m)
{
    size_t stripped = 0;
    const char *json = lore_build_verbatim(t->in->arena, m, NULL, &stripped);

    return json ? lore_strdup(t->in->arena, stripped ? lore_build_basename(m->str) : m->str) : NULL;
}

bool
lore_take_path(
    struct lore_take *t, const struct lore_json *object, const char *key, const char **out)
{
    const char *text = NULL;

    if (!lore_take_text(t, object, key, LORE_TAKE_LINE, &text))
        return false;
    *out = cut_text(t, lore_json_get(object, key));
    return *out;
}

bool
lore_take_kv(
    struct lore_take *t, const struct lore_json *object, const char *key, struct lore_kvs *kvs)
{
    const struct lore_json *m = member(t, object, key);

    if (!m || m->type == LORE_J_ARRAY || m->type == LORE_J_OBJECT || m->len > LORE_TAKE_TEXT ||
        strlen(key) > LORE_TAKE_NAME || !*key)
        return false;
    if (m->type == LORE_J_NUMBER && strlen(m->str) > LORE_TAKE_NAME)
        return false;
    if (m->type == LORE_J_STRING && (m->str[0] == '\0' || is_placeholder(m->str)))
        return false;
    const char *json = lore_build_verbatim(t->in->arena, m, NULL, NULL);
    if (!json || lore_kvs_get(kvs, key))
        return false;
    lore_take_mark(t, m);
    lore_kvs_set(t->in->arena, kvs, lore_strdup(t->in->arena, key), json);
    return true;
}

bool
lore_take_ns(struct lore_take *t, const struct lore_json *object, const char *key, double unit,
    struct lore_f64 *out)
{
    const struct lore_json *m = member(t, object, key);

    /* 2^53 ns is the longest duration of the submission format */
    if (!m || m->type != LORE_J_NUMBER || m->f < 0 || m->f * unit > 9007199254740992.0)
        return false;
    lore_take_mark(t, m);
    *out = (struct lore_f64){true, lore_build_ns(m->f * (unit / 1e6))};
    return true;
}

/* ---- members that were not read ---- */

static bool
has_unread(const struct lore_take *t, const struct lore_json *node)
{
    if (lore_take_marked(t, node))
        return false;
    if (!node->child)
        return true;
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (has_unread(t, m))
            return true;
    }
    return false;
}

static bool
is_unread(const struct lore_take *t, const struct lore_json *node)
{
    if (lore_take_marked(t, node))
        return false;
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (!is_unread(t, m))
            return false;
    }
    return true;
}

/* Whether a map reads PATH, or the member at its end, and stores other words for it. */
static bool
is_mapped(const struct lore_take *t, const char *path)
{
    size_t n = strlen(path);

    for (size_t i = 0; i < t->mapped.n; i++) {
        size_t len = strlen(t->mapped.v[i]);
        if (len <= n && strcmp(path + n - len, t->mapped.v[i]) == 0 &&
            (len == n || path[n - len - 1] == '.'))
            return true;
    }
    return false;
}

/* List the path of NODE without list positions, so that all items of a list give one line. */
static void
list_path(struct lore_take *t, const struct lore_json *node, const char *what)
{
    char path[160], no_indices[160];
    size_t n = 0;

    lore_json_path(node, path, sizeof path);
    for (const char *p = path; *p; p++) {
        no_indices[n++] = *p;
        if (*p == '[')
            p += strspn(p + 1, "0123456789");
    }
    no_indices[n] = '\0';
    lore_import_note(t->in, LORE_IL_EXTRA, "%s: %s: %s; kept in extra", what, no_indices,
        is_mapped(t, no_indices) ? "read by the map, its own words" : "no such field");
}

static void
write_rest(
    struct lore_take *t, struct lore_jsonw *w, const struct lore_json *node, const char *what)
{
    if (!node->child || is_unread(t, node)) {
        list_path(t, node, what);
        lore_w_raw(w, lore_build_verbatim(t->in->arena, node, NULL, NULL));
        return;
    }
    lore_w_obj(w);
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (!has_unread(t, m))
            continue;
        lore_w_key(w, m->key ? m->key : lore_format(t->in->arena, "%u", m->index));
        write_rest(t, w, m, what);
    }
    lore_w_obj_end(w);
}

static const char *
finish(struct lore_arena *arena, struct lore_jsonw *w, struct lore_buf *b)
{
    const char *out =
        lore_jsonw_end(w, NULL) == LORE_OK ? lore_strndup(arena, b->data, b->len) : NULL;
    lore_buf_free(b);
    return out;
}

const char *
lore_take_rest(struct lore_take *t, const struct lore_json *node, const char *what)
{
    struct lore_buf b = {.max = 8u << 20};
    struct lore_jsonw w;

    if (!node || !has_unread(t, node))
        return NULL;
    lore_jsonw_begin(&w, &b, false);
    write_rest(t, &w, node, what);
    return finish(t->in->arena, &w, &b);
}

const char *
lore_take_extra(struct lore_arena *arena, const struct lore_named *parts, size_t n)
{
    struct lore_buf b = {.max = 32u << 20};
    struct lore_jsonw w;
    bool any = false;

    for (size_t i = 0; i < n; i++)
        any |= parts[i].json != NULL;
    if (!any)
        return NULL;
    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < n; i++) {
        if (!parts[i].json)
            continue;
        lore_w_key(&w, parts[i].name);
        lore_w_raw(&w, parts[i].json);
    }
    lore_w_obj_end(&w);
    return finish(arena, &w, &b);
}

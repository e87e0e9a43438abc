/* Reading a parsed tree: members, paths, typed getters. Nothing here allocates or changes the tree.
 * Looking a member up walks the object's members: documents have tens, not thousands. */
#include "service/base/json.h"

#include <stdio.h>
#include <string.h>

static const char *const type_names[] = {
    [LORE_J_NULL] = "null",
    [LORE_J_BOOL] = "boolean",
    [LORE_J_NUMBER] = "number",
    [LORE_J_STRING] = "string",
    [LORE_J_ARRAY] = "array",
    [LORE_J_OBJECT] = "object",
};

const char *
lore_json_type_name(enum lore_json_type type)
{
    return type_names[type];
}

const struct lore_json *
lore_json_get(const struct lore_json *node, const char *key)
{
    const struct lore_json *m;
    size_t n = strlen(key);

    if (!node || node->type != LORE_J_OBJECT)
        return NULL;
    for (m = node->child; m != NULL; m = m->next)
        if (m->key_len == n && memcmp(m->key, key, n) == 0)
            return m;
    return NULL;
}

struct path {
    char *out;
    size_t size, len;
    bool cut;
};

/* Append a part completely or not at all, so that a path is cut between its parts. */
static void
put(struct path *p, const char *s, size_t n)
{
    if (p->cut || p->size - p->len <= n) {
        p->cut = true;
        return;
    }
    memcpy(p->out + p->len, s, n);
    p->len += n;
    p->out[p->len] = '\0';
}

static bool
is_plain(const char *key, size_t n)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";

    return n > 0 && strspn(key, plain) == n;
}

/* A key that is no plain word: ["memory.vectorized_access"]. */
static void
put_quoted(struct path *p, const char *key, size_t n)
{
    char part[96] = "[\"";
    size_t len = 2, i;

    for (i = 0; i < n && len < sizeof part - 16; i++) {
        unsigned char c = (unsigned char)key[i];

        if (c == '"' || c == '\\')
            part[len++] = '\\';
        if (c < 0x20 || c == 0x7f)
            len += (size_t)snprintf(part + len, 7, "\\u%04x", (unsigned)c);
        else
            part[len++] = (char)c;
    }
    while (i < n && ((unsigned char)key[i] & 0xc0) == 0x80)
        part[len++] = key[i++]; /* do not cut inside a character */
    if (i < n) {
        memcpy(part + len, "\xe2\x80\xa6", 3);
        len += 3;
    }
    memcpy(part + len, "\"]", 2);
    put(p, part, len + 2);
}

static void
put_part(struct path *p, const struct lore_json *node)
{
    char index[16];

    if (!node->key) {
        put(p, index, (size_t)snprintf(index, sizeof index, "[%u]", node->index));
    } else if (is_plain(node->key, node->key_len) && node->key_len < 64) {
        put(p, ".", p->len > 0);
        put(p, node->key, node->key_len);
    } else {
        put_quoted(p, node->key, node->key_len);
    }
}

/* Depth is what the parser allowed, so recursion is bounded. */
static void
put_from_root(struct path *p, const struct lore_json *node)
{
    if (!node->parent)
        return;
    put_from_root(p, node->parent);
    put_part(p, node);
}

void
lore_json_path(const struct lore_json *node, char *out, size_t size)
{
    static const char more[] = "\xe2\x80\xa6";
    struct path p = {out, size, 0, false};

    if (size == 0)
        return;
    out[0] = '\0';
    if (size < sizeof more + 1)
        return;
    p.size -= sizeof more; /* reserved for the ellipsis of a cut path */
    if (node)
        put_from_root(&p, node);
    if (p.cut)
        memcpy(out + p.len, more, sizeof more);
    else if (p.len == 0)
        memcpy(out, "$", 2);
}

/* Member KEY when it has the wanted type; NULL with *st LORE_OK when absent or null. */
static const struct lore_json *
typed(const struct lore_json *object, const char *key, enum lore_json_type type,
    enum lore_status *st, struct lore_err *err)
{
    const struct lore_json *m = lore_json_get(object, key);
    char path[160];

    *st = LORE_OK;
    if (!m || m->type == LORE_J_NULL)
        return NULL;
    if (m->type == type)
        return m;
    lore_json_path(m, path, sizeof path);
    *st = lore_fail_at(err, LORE_INVALID, "wrong_type", path, "%s: expected %s, got %s", path,
        type_names[type], type_names[m->type]);
    return NULL;
}

enum lore_status
lore_json_text(
    const struct lore_json *object, const char *key, const char **out, struct lore_err *err)
{
    enum lore_status status;
    const struct lore_json *m = typed(object, key, LORE_J_STRING, &status, err);

    if (m != NULL)
        *out = m->str;
    return status;
}

enum lore_status
lore_json_f64(const struct lore_json *object, const char *key, double *out, struct lore_err *err)
{
    enum lore_status status;
    const struct lore_json *m = typed(object, key, LORE_J_NUMBER, &status, err);

    if (m != NULL)
        *out = m->f;
    return status;
}

enum lore_status
lore_json_i64(const struct lore_json *object, const char *key, int64_t *out, struct lore_err *err)
{
    enum lore_status status;
    const struct lore_json *m = typed(object, key, LORE_J_NUMBER, &status, err);
    char path[160];

    if (!m)
        return status;
    if (!m->is_int) {
        lore_json_path(m, path, sizeof path);
        return lore_fail_at(err, LORE_INVALID, "wrong_type", path,
            "%s: expected an integer, got %.40s", path, m->str);
    }
    *out = m->i;
    return LORE_OK;
}

enum lore_status
lore_json_bool(const struct lore_json *object, const char *key, bool *out, struct lore_err *err)
{
    enum lore_status status;
    const struct lore_json *m = typed(object, key, LORE_J_BOOL, &status, err);

    if (m != NULL)
        *out = m->i != 0;
    return status;
}

/* Reads answers. A list is read to its last page; a service that returns the same cursor twice
 * is an error, not an endless loop. */
#include "collectors/client/ask/fetch.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "service/base/text.h"

enum lore_status
lore_fetch_one(const struct lore_fetch *fetch, const char *path, const struct lore_json **out,
    struct lore_err *err)
{
    const struct lore_json *root = NULL;
    enum lore_status status = fetch->get(fetch->ctx, path, &root, err);

    if (status == LORE_NOTFOUND)
        return LORE_OK;
    if (status == LORE_OK)
        *out = root;
    return status;
}

enum lore_status
lore_fetch_all(const struct lore_fetch *fetch, const char *path, struct lore_fetched *out,
    struct lore_err *err)
{
    const char *cursor = NULL, *first = strchr(path, '?') ? "&" : "?";

    do {
        const struct lore_json *root = NULL;
        const char *page = cursor ? lore_format(fetch->arena, "%s%slimit=200&cursor=%s", path,
                                        first, lore_fetch_escape(fetch->arena, cursor))
                                  : lore_format(fetch->arena, "%s%slimit=200", path, first);
        enum lore_status status = lore_fetch_one(fetch, page, &root, err);
        if (status != LORE_OK)
            return status;
        for (const struct lore_json *r = lore_fetch_first(root, "rows"); r; r = r->next)
            *LORE_PUSH(fetch->arena, out->v, out->n, out->cap) = r;
        const char *next = lore_fetch_text(root, "next");
        if (next && cursor && strcmp(next, cursor) == 0)
            return lore_fail(err, LORE_CORRUPT, "%s: the service repeats a page", path);
        cursor = next;
    } while (cursor);
    return LORE_OK;
}

const char *
lore_fetch_escape(struct lore_arena *arena, const char *text)
{
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~";
    char *out = lore_alloc(arena, 3 * strlen(text) + 1), *to = out;

    for (; *text; text++) {
        if (strchr(plain, *text))
            *to++ = *text;
        else
            to += snprintf(to, 4, "%%%02X", (unsigned char)*text);
    }
    return out;
}

void
lore_fetch_note(const struct lore_fetch *fetch, const char *fmt, ...)
{
    char line[1024];
    va_list ap;

    if (!fetch->notes)
        return;
    va_start(ap, fmt);
    (void)vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    lore_buf_printf(fetch->notes, "warplore: %s\n", line);
}

const char *
lore_fetch_text(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_STRING && *m->str ? m->str : NULL;
}

bool
lore_fetch_number(const struct lore_json *object, const char *key, double *out)
{
    const struct lore_json *m = lore_json_get(object, key);

    if (!m || m->type != LORE_J_NUMBER)
        return false;
    *out = m->f;
    return true;
}

bool
lore_fetch_bool(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_BOOL && m->i == 1;
}

const struct lore_json *
lore_fetch_first(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_ARRAY ? m->child : NULL;
}

const struct lore_json *
lore_fetch_object(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_OBJECT ? m : NULL;
}

const char *
lore_fetch_list(
    struct lore_arena *arena, const struct lore_json *list, const char *member, const char *between)
{
    const char *all = NULL;

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *one = member && m->type == LORE_J_OBJECT ? lore_fetch_text(m, member)
                          : m->type == LORE_J_STRING         ? m->str
                                                             : NULL;
        if (one && *one)
            all = all ? lore_format(arena, "%s%s%s", all, between, one) : one;
    }
    return all;
}

const char *
lore_fetch_stated_labels(struct lore_arena *arena, const struct lore_json *x)
{
    bool derived =
        lore_streq(lore_fetch_text(lore_fetch_object(x, "labels_from"), "source"), "derived");

    return derived ? NULL : lore_fetch_list(arena, lore_json_get(x, "labels"), NULL, "+");
}

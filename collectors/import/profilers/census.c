#include "collectors/import/profilers/census.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/index.h"
#include "service/base/jsonw.h"
#include "service/base/text.h"

enum { NAMES = 20000, NAME = 1000, SHOWN = 500, TEXT_MAX = 2 << 20 };

struct counted {
    const char *group, *name;
    int64_t n, ns;
    bool timed;
};
struct lore_census {
    struct lore_arena *arena;
    struct lore_index at;
    struct counted *v;
    size_t n, cap;
};

struct lore_census *
lore_census_begin(struct lore_arena *arena)
{
    struct lore_census *t = lore_alloc(arena, sizeof *t);

    t->arena = arena;
    return t;
}

static int64_t
plus(int64_t a, int64_t b)
{
    int64_t sum;

    return __builtin_add_overflow(a, b, &sum) ? INT64_MAX : sum;
}

void
lore_census_add(struct lore_census *t, const char *group, const char *name, int64_t n, int64_t ns)
{
    char key[NAME + 256];
    size_t len = lore_utf8_prefix(name, strnlen(name, NAME));
    int groups = (int)strnlen(group, 200);

    (void)snprintf(key, sizeof key, "%.*s|%.*s", groups, group, (int)len, name);
    if (t->n >= NAMES && !lore_index_find(&t->at, key))
        (void)snprintf(key, sizeof key, "%.*s|(other)", groups, group);
    if (t->n >= 2 * NAMES && !lore_index_find(&t->at, key))
        return;
    size_t *at = lore_index_at(t->arena, &t->at, key);
    if (*at == 0) {
        const char *bar = lore_strdup(t->arena, key);
        *LORE_PUSH(t->arena, t->v, t->n, t->cap) = (struct counted){
            .group = lore_strndup(t->arena, key, (size_t)groups), .name = bar + groups + 1};
        *at = t->n;
    }
    struct counted *c = &t->v[*at - 1];
    c->n = plus(c->n, n);
    if (ns >= 0) {
        c->ns = plus(c->ns, ns);
        c->timed = true;
    }
}

static int
by_group(const void *a, const void *b)
{
    const struct counted *x = a, *y = b;
    int c = strcmp(x->group, y->group);

    if (c == 0 && x->ns != y->ns)
        c = x->ns > y->ns ? -1 : 1;
    if (c == 0 && x->n != y->n)
        c = x->n > y->n ? -1 : 1;
    return c ? c : strcmp(x->name, y->name);
}

const char *
lore_census_json(struct lore_census *t, struct lore_arena *arena)
{
    LORE_BUF text = {.max = TEXT_MAX};
    struct lore_jsonw w;
    size_t shown = 0;

    if (t->n == 0)
        return NULL;
    qsort(t->v, t->n, sizeof *t->v, by_group);
    t->at = (struct lore_index){0}; /* its places are no longer right */
    lore_jsonw_begin(&w, &text, false);
    lore_w_obj(&w);
    for (size_t i = 0; i < t->n; i++) {
        const struct counted *c = &t->v[i];
        bool first = i == 0 || !lore_streq(c->group, t->v[i - 1].group),
             last = i + 1 == t->n || !lore_streq(c->group, t->v[i + 1].group);
        if (first) {
            lore_w_key(&w, c->group);
            lore_w_arr(&w);
            shown = 0;
        }
        if (shown++ < SHOWN) {
            lore_w_obj(&w);
            lore_w_kstr(&w, "name", c->name);
            lore_w_ki64(&w, "count", c->n);
            if (c->timed)
                lore_w_ki64(&w, "total_ns", c->ns);
            lore_w_obj_end(&w);
        }
        if (last)
            lore_w_arr_end(&w);
    }
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, NULL) == LORE_OK ? lore_strndup(arena, text.data, text.len) : NULL;
}

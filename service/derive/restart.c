/* The plan of a partial restart. The half is of all visible versions, including the baseline and
 * the best, which are never hidden themselves. */
#include "service/derive/restart.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/text.h"
#include "service/stats/random.h"

static int
by_ordinal(const void *a, const void *b)
{
    const struct lore_restart_version *x = *(const struct lore_restart_version *const *)a;
    const struct lore_restart_version *y = *(const struct lore_restart_version *const *)b;

    if (x->ordinal.set != y->ordinal.set)
        return x->ordinal.set ? -1 : 1;
    if (x->ordinal.set && x->ordinal.v != y->ordinal.v)
        return x->ordinal.v < y->ordinal.v ? -1 : 1;
    return strcmp(x->id, y->id);
}

static bool
is_protected(const struct lore_restart_version *v)
{
    return v->is_best || v->kind == LORE_V_BASELINE || (v->ordinal.set && v->ordinal.v == 0);
}

static enum lore_status
check(const struct lore_restart_version *versions, size_t n, struct lore_arena *arena,
    struct lore_err *err)
{
    const char **ids = lore_alloc_array(arena, n, sizeof *ids);

    for (size_t i = 0; i < n; i++) {
        if (!versions[i].id || !*versions[i].id)
            return lore_fail(err, LORE_INVALID, "versions[%zu].id: missing", i);
        if (versions[i].ordinal.set && versions[i].ordinal.v == INT64_MAX)
            return lore_fail(err, LORE_INVALID, "versions[%zu].ordinal: too large", i);
        ids[i] = versions[i].id;
    }
    qsort(ids, n, sizeof *ids, lore_by_text);
    for (size_t i = 1; i < n; i++) {
        if (strcmp(ids[i - 1], ids[i]) == 0)
            return lore_fail(err, LORE_INVALID, "versions: %s is named twice", ids[i]);
    }
    return LORE_OK;
}

static int64_t
next_ordinal(const struct lore_restart_version *versions, size_t n)
{
    bool any = false;
    int64_t max = 0;

    for (size_t i = 0; i < n; i++) {
        if (versions[i].ordinal.set && (!any || versions[i].ordinal.v > max)) {
            max = versions[i].ordinal.v;
            any = true;
        }
    }
    return any ? max + 1 : 0;
}

static void
shuffle(const struct lore_restart_version **v, size_t n, uint64_t seed)
{
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)lore_random_below(&seed, i);
        const struct lore_restart_version *swap = v[i - 1];
        v[i - 1] = v[j];
        v[j] = swap;
    }
}

static const char **
ids_of(const struct lore_restart_version **v, size_t n, struct lore_arena *arena)
{
    const char **ids = lore_alloc_array(arena, n, sizeof *ids);

    qsort(v, n, sizeof *v, by_ordinal);
    for (size_t i = 0; i < n; i++)
        ids[i] = v[i]->id;
    return ids;
}

enum lore_status
lore_restart_plan(const struct lore_restart_version *versions, size_t n, uint64_t seed,
    struct lore_arena *arena, struct lore_restart *out, struct lore_err *err)
{
    const struct lore_restart_version **may_hide = lore_alloc_array(arena, n, sizeof *may_hide);
    const struct lore_restart_version **visible = lore_alloc_array(arena, n, sizeof *visible);
    size_t n_may = 0, n_visible = 0;
    enum lore_status status = check(versions, n, arena, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < n; i++) {
        if (versions[i].masked)
            continue;
        if (is_protected(&versions[i]))
            visible[n_visible++] = &versions[i];
        else
            may_hide[n_may++] = &versions[i];
    }
    size_t half = (n_visible + n_may) / 2, hide = half < n_may ? half : n_may;
    if (hide == 0)
        return lore_fail(err, LORE_CONFLICT,
            "nothing can be hidden: %zu visible, of them %zu baseline or best", n_visible + n_may,
            n_visible);
    qsort(may_hide, n_may, sizeof *may_hide, by_ordinal);
    shuffle(may_hide, n_may, seed);
    for (size_t i = hide; i < n_may; i++)
        visible[n_visible++] = may_hide[i];
    *out = (struct lore_restart){.n_hidden = hide,
        .n_visible = n_visible,
        .hidden = ids_of(may_hide, hide, arena),
        .visible = ids_of(visible, n_visible, arena),
        .next_ordinal = next_ordinal(versions, n)};
    return LORE_OK;
}

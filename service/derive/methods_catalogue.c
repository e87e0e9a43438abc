/* The catalogue's ranked methods, rewritten as the registry that selection works on. Pairs that the
 * catalogue marks as same, coupled or exclusive are all coupled here, so that only one of them is
 * selected. */
#include "service/derive/method_registry.h"

#include <string.h>

#include "service/catalogue/technique_info.h"
#include "service/derive/methods.h"

struct lore_method_ids
lore_methods_features(struct lore_arena *arena, const char *list)
{
    const char **v = NULL;
    size_t n = 0, cap = 0;

    while (list && *list) {
        size_t len = strcspn(list, ",");
        if (len > 0)
            *LORE_PUSH(arena, v, n, cap) = lore_strndup(arena, list, len);
        list += len + (list[len] != '\0');
    }
    return (struct lore_method_ids){v, n};
}

static struct lore_method_row
row_of(const struct lore_ranked_method *m, struct lore_arena *arena)
{
    struct lore_method_ids features = lore_methods_features(arena, m->features);

    return (struct lore_method_row){.id = m->id,
        .axis = lore_axis_find(m->axis),
        .priority = m->priority,
        .min_arch = m->min_sm,
        .features = features.v,
        .n_features = features.n,
        .trigger_metric = m->trigger.metric,
        .trigger_canonical = m->trigger.canonical,
        .good = {m->trigger.bounds, m->trigger.good},
        .bad = {m->trigger.bounds, m->trigger.bad},
        .trigger_direction = m->trigger.direction};
}

void
lore_methods_catalogue(struct lore_arena *arena, struct lore_method_registry *out)
{
    size_t n, n_pairs, kept = 0;
    const struct lore_ranked_method *methods = lore_methods(&n);
    const struct lore_pair_row *pairs = lore_technique_pairs(&n_pairs);
    struct lore_method_row *rows = lore_alloc_array(arena, n, sizeof *rows);
    struct lore_method_coupling *coupled = lore_alloc_array(arena, n_pairs, sizeof *coupled);

    for (size_t i = 0; i < n; i++)
        rows[i] = row_of(&methods[i], arena);
    for (size_t i = 0; i < n_pairs; i++) {
        if (pairs[i].kind != LORE_PAIR_FREE && lore_method_find(pairs[i].a) &&
            lore_method_find(pairs[i].b))
            coupled[kept++] = (struct lore_method_coupling){pairs[i].a, pairs[i].b};
    }
    *out = (struct lore_method_registry){rows, n, coupled, kept};
}

/* The writer's cache of names in the database, so that storing a run does not query its version,
 * its workload and forty metric names again. It is a hash table per connection. It is cleared when
 * a transaction or savepoint is rolled back, because its rows may be gone, and before a transaction
 * when it is half full (lore_name_cache_trim). A pointer into it is valid until the next of these.
 *
 * Only immutable facts may be cached here. */
#include <stdio.h>
#include <string.h>

#include "db/name_cache.h"
#include "service/base/fnv.h"
#include "service/base/xalloc.h"

#define SLOTS (1u << 17)
#define FULL (SLOTS / 2)        /* entries, about 10 MiB */
#define CROWDED (SLOTS / 8 * 7) /* beyond this a name is not cached */

static uint64_t
hash_of(char kind, const char *key)
{
    uint64_t h = lore_fnv_text(LORE_FNV ^ (unsigned char)kind, key);

    return h ^ (h >> 32);
}

static struct lore_name **
place(struct lore_name_cache *names, char kind, const char *key)
{
    uint64_t i = hash_of(kind, key);

    for (;; i++) {
        struct lore_name **slot = &names->slot[i % SLOTS];

        if (*slot == NULL || ((*slot)->key[0] == kind && strcmp((*slot)->key + 1, key) == 0))
            return slot;
    }
}

const struct lore_name *
lore_name_cache_find(struct lore_name_cache *names, char kind, const char *key)
{
    return names->n == 0 ? NULL : *place(names, kind, key);
}

const struct lore_name *
lore_name_cache_add(struct lore_name_cache *names, char kind, const char *key, int64_t n,
    const char *a, const char *b)
{
    struct lore_name **slot, *name;

    if (!names->slot)
        names->slot = lore_xalloc(SLOTS * sizeof *names->slot);
    name = lore_alloc(&names->arena, sizeof *name);
    name->key = lore_format(&names->arena, "%c%s", kind, key);
    name->n = n;
    name->a = lore_strdup(&names->arena, a);
    name->b = lore_strdup(&names->arena, b);
    slot = place(names, kind, key);
    if (*slot || names->n < CROWDED) {
        names->n += *slot == NULL;
        *slot = name;
    }
    return name;
}

void
lore_name_cache_clear(struct lore_name_cache *names)
{
    if (names->n > 0)
        memset(names->slot, 0, SLOTS * sizeof *names->slot);
    memset(names->metrics, 0, sizeof names->metrics);
    memset(names->metric_ids, 0, sizeof names->metric_ids);
    names->n = names->n_metric_names = 0;
    lore_arena_free(&names->arena);
}

void
lore_name_cache_trim(struct lore_name_cache *names)
{
    if (names->n + names->n_metric_names >= FULL)
        lore_name_cache_clear(names);
}

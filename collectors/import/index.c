/* Open addressing with linear probing over FNV-1a. The keys come from the user's own files and
 * the table is freed with the import, so collisions chosen by an attacker are no concern. */
#include "collectors/import/index.h"

#include <stdint.h>
#include <string.h>

#include "service/base/fnv.h"

static uint64_t
hash(const char *key)
{
    uint64_t h = lore_fnv_text(LORE_FNV, key);

    return h ^ (h >> 29);
}

static struct lore_index_slot *
find(const struct lore_index *index, const char *key)
{
    size_t at = (size_t)hash(key) & (index->cap - 1);

    while (index->slots[at].key && strcmp(index->slots[at].key, key) != 0)
        at = (at + 1) & (index->cap - 1);
    return &index->slots[at];
}

static void
grow(struct lore_arena *arena, struct lore_index *index)
{
    struct lore_index bigger = {.n = index->n, .cap = index->cap ? index->cap * 2 : 64};

    bigger.slots = lore_alloc_array(arena, bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < index->cap; i++) {
        if (index->slots[i].key)
            *find(&bigger, index->slots[i].key) = index->slots[i];
    }
    *index = bigger;
}

size_t *
lore_index_at(struct lore_arena *arena, struct lore_index *index, const char *key)
{
    if (index->n * 2 >= index->cap)
        grow(arena, index);
    struct lore_index_slot *slot = find(index, key);
    if (!slot->key) {
        slot->key = lore_strdup(arena, key);
        index->n++;
    }
    return &slot->value;
}

size_t *
lore_index_find(const struct lore_index *index, const char *key)
{
    struct lore_index_slot *slot = index->cap > 0 ? find(index, key) : NULL;

    return slot && slot->key ? &slot->value : NULL;
}

/* The memory of the model of moves: blocks of an arena, which its arrays and tables give back when
 * they grow. */
#include "service/moves/moves_tables.h"

#include <string.h>

struct lore_moves *
lore_moves_new(struct lore_arena *arena)
{
    struct lore_moves *m = lore_alloc(arena, sizeof *m);

    m->arena = arena;
    lore_moves_numbers_default(&m->num);
    return m;
}

static size_t
log2_of(size_t bytes)
{
    size_t k = 4;

    while (((size_t)1 << k) < bytes)
        k++;
    return k;
}

void *
lore_moves_block(struct lore_moves *m, size_t bytes)
{
    size_t k = log2_of(bytes);
    void **block = m->block[k];

    if (!block)
        return lore_alloc(m->arena, (size_t)1 << k);
    m->block[k] = *block;
    memset(block, 0, (size_t)1 << k);
    return block;
}

void
lore_moves_give(struct lore_moves *m, void *block, size_t bytes)
{
    size_t k = log2_of(bytes);

    *(void **)block = m->block[k];
    m->block[k] = block;
}

void *
lore_moves_grow(struct lore_moves *m, void *old, size_t *cap, size_t size)
{
    size_t bytes = *cap * size, more = bytes ? 2 * bytes : 4 * size;
    void *grown = lore_moves_block(m, more);

    if (bytes > 0) {
        memcpy(grown, old, bytes);
        lore_moves_give(m, old, bytes);
    }
    *cap = more / size;
    return grown;
}

void
lore_moves_grow_slots(struct lore_moves *m, uint32_t **slot, uint32_t *n)
{
    size_t cap = *n;

    *slot = lore_moves_grow(m, *slot, &cap, sizeof **slot);
    memset(*slot, 0, cap * sizeof **slot);
    *n = (uint32_t)cap;
}

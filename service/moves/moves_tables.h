/* The memory of the model of moves, and where a key goes in its hash tables. Private to moves/. */
#ifndef LORE_MOVES_MOVES_TABLES_H
#define LORE_MOVES_MOVES_TABLES_H

#include "service/base/fnv.h"
#include "service/moves/moves_model.h"

/* Memory: blocks whose size is a power of two, given back for others to use. Growing doubles. */
void *lore_moves_block(struct lore_moves *m, size_t bytes); /* zeroed */
void lore_moves_give(struct lore_moves *m, void *block, size_t bytes);
void *lore_moves_grow(struct lore_moves *m, void *old, size_t *cap, size_t size);
/* Another table of slots, twice as large and empty. */
void lore_moves_grow_slots(struct lore_moves *m, uint32_t **slot, uint32_t *n);

static inline uint64_t
lore_moves_mixed(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}
static inline uint64_t
lore_moves_text_key(const char *text, uint64_t seed)
{
    return lore_moves_mixed(lore_fnv_text(seed, text));
}
/* The slot of a table of N (a power of two) where KEY starts. */
static inline uint32_t
lore_moves_slot(uint64_t key, uint32_t n)
{
    return (uint32_t)(lore_moves_mixed(key) & (n - 1));
}

#endif

/* 64-bit keys numbered as they come: what rows have in common is stored once, and named by its
 * number. Private to recommend/. */
#ifndef LORE_RECOMMEND_KEYS_H
#define LORE_RECOMMEND_KEYS_H

#include <stddef.h>
#include <stdint.h>

#define LORE_NO_KEY UINT32_MAX

/* Numbers count up from 0. Open addressing. Zeroed is valid. */
struct lore_keys {
    uint64_t *key; /* by number */
    uint32_t n, cap;
    uint32_t *slots, n_slots; /* number + 1, 0: free */
};
/* The number of KEY, given when it is new; find: LORE_NO_KEY when it is. */
uint32_t lore_keys_add(struct lore_keys *k, uint64_t key);
uint32_t lore_keys_find(const struct lore_keys *k, uint64_t key);
void lore_keys_free(struct lore_keys *k);
size_t lore_keys_bytes(const struct lore_keys *k);
/* An array of elements of SIZE bytes, so that there is a place for the N-th; new ones are zeroed.
 */
void *lore_keys_room(void *array, uint32_t n, uint32_t *cap, size_t size);
/* Two numbers as a key, and back. */
static inline uint64_t
lore_pair(uint32_t high, uint32_t low)
{
    return (uint64_t)high << 32 | low;
}
static inline uint32_t
lore_pair_high(uint64_t pair)
{
    return (uint32_t)(pair >> 32);
}
static inline uint32_t
lore_pair_low(uint64_t pair)
{
    return (uint32_t)pair;
}

#endif

/* Numbers for what rows have in common: 64-bit keys that are numbered as they come, and contexts as
 * such keys. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_KEYS_H
#define LORE_RECOMMEND_EVIDENCE_KEYS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LORE_NO_KEY UINT32_MAX

/* Keys as numbers that count up from 0: open addressing, key by number. Zeroed is valid. */
struct lore_keys {
    uint64_t *key;
    uint32_t n, cap;
    uint32_t *slots, n_slots; /* number + 1, 0: free */
};
/* The number of KEY, given when it is new; find: LORE_NO_KEY when it is. */
uint32_t lore_keys_add(struct lore_keys *k, uint64_t key);
uint32_t lore_keys_find(const struct lore_keys *k, uint64_t key);
void lore_keys_free(struct lore_keys *k);
size_t lore_keys_bytes(const struct lore_keys *k);
/* The next capacity of an array of N elements that is full: an eighth more, to hold little that is
 * not used. */
uint32_t lore_evidence_roomier(uint32_t n);
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

/* Where an experiment was made and how it is known: what decides whether it is looked at and what
 * it weighs, but for its operator and its shape. */
struct lore_context {
    uint16_t chip; /* as in a row */
    uint8_t language, evidence;
    bool process_broken, masked, step;
    bool said;       /* nothing but a failure that somebody reported */
    uint8_t year;    /* as lore_evidence_year has it */
    uint32_t labels; /* at most 24 bits */
};
uint64_t lore_context_key(struct lore_context c);
struct lore_context lore_context_of(uint64_t key);
/* Number 0 is of no context: no question takes what is there. */
#define LORE_NO_CONTEXT UINT64_MAX
/* The part of a context that decides where its rows are counted: all but language, labels and year,
 * and whether it is only said. */
uint32_t lore_evidence_place_of(uint64_t context_key);
enum { LORE_PLACE_FLAGS = 256 }; /* its lower half: fewer than these */
static inline uint32_t
lore_place_chip(uint32_t place)
{
    return place >> 16;
}

#endif

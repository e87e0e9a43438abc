/* Numbers for what rows have in common: 64-bit keys that are numbered as they come, and contexts
 * and outcomes as such keys. Private to recommend/. */
#ifndef LORE_EVIDENCE_KEYS_H
#define LORE_EVIDENCE_KEYS_H

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
uint32_t lore_roomier(uint32_t n);
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

/* Where an experiment was made and how it is known: what decides its weight, but for its operator
 * and its shape. */
struct lore_context {
    uint16_t chip; /* as in a row */
    uint8_t language, evidence, process_broken;
    uint8_t year;    /* as lore_evidence_year has it */
    uint32_t labels; /* at most 24 bits */
};
uint64_t lore_context_key(struct lore_context c);
struct lore_context lore_context_of(uint64_t key);

/* What came of it, for one technique. */
struct lore_row_outcome {
    uint8_t effect, correctness, share, siblings;
    bool said_lost, masked, first, measured; /* measured: it has a speedup */
    bool step, labels_derived;
    bool gone; /* no row is here any more */
};
uint64_t lore_outcome_key(struct lore_row_outcome o);
struct lore_row_outcome lore_outcome_of(uint64_t key);
/* The class of an outcome: the outcome that stands for all that count alike. Whether a check passed
 * or was not made makes no difference to a sum, nor does whose row it is; siblings do, but as a
 * factor. */
struct lore_row_outcome lore_outcome_class(struct lore_row_outcome o);

#endif

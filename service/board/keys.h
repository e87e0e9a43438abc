/* A hash table that maps keys of four numbers to dense ids, which count up from 0 (keys.c). Private
 * to board/. A zeroed table is valid. */
#ifndef LORE_BOARD_KEYS_H
#define LORE_BOARD_KEYS_H

#include <stdint.h>

struct board_key {
    uint32_t part[4];
};
struct board_key_slot {
    uint32_t id, hash; /* id + 1; 0: free */
};
struct board_keys {
    struct board_key *v; /* the id is the index */
    uint32_t n, cap;
    struct board_key_slot *slots; /* open addressing */
    uint32_t n_slots;
};
uint32_t lore_board_key_id(struct board_keys *t, struct board_key key);
void lore_board_keys_free(struct board_keys *t);

#endif

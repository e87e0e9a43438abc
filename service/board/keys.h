/* Four small numbers as one: equal fours get the same id, ids count up from 0 (keys.c). Private to
 * board/. A zeroed table is valid. */
#ifndef LORE_BOARD_KEYS_H
#define LORE_BOARD_KEYS_H

#include <stdint.h>

struct key {
    uint32_t part[4];
};
struct key_slot {
    uint32_t id, hash; /* id + 1; 0: free */
};
struct keys {
    struct key *v; /* by id */
    uint32_t n, cap;
    struct key_slot *slots; /* open addressing */
    uint32_t n_slots;
};
uint32_t key_id(struct keys *t, struct key key);
void keys_free(struct keys *t);

#endif

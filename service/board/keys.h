/* Four small numbers as one: equal fours get the same id, ids count up from 0 (keys.c). Private to
 * board/. A zeroed table is valid. */
#ifndef LORE_BOARD_KEYS_H
#define LORE_BOARD_KEYS_H

#include <stdint.h>

struct key {
    uint32_t part[4];
};
struct keys {
    struct key *v; /* by id */
    uint32_t n, cap;
    uint32_t *slots, n_slots; /* open addressing; id + 1, 0: free */
};
uint32_t key_id(struct keys *t, struct key key);
void keys_free(struct keys *t);

#endif

/* A hash table with open addressing (keys.h). At most half of its slots are used, which keeps probe
 * sequences short. */
#include "service/board/keys.h"

#include <string.h>

#include "service/base/xalloc.h"

enum { FIRST_SLOTS = 256 };

static uint32_t
hash_of(const struct board_key *key)
{
    uint64_t a = (uint64_t)key->part[0] << 32 | key->part[1];
    uint64_t b = (uint64_t)key->part[2] << 32 | key->part[3];

    a = (a + 1) * UINT64_C(0x9e3779b97f4a7c15);
    b = (a ^ a >> 32 ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(b >> 32);
}

static void
widen(struct board_keys *t)
{
    struct board_key_slot *old = t->slots;
    uint32_t n_old = t->n_slots;

    t->n_slots = n_old == 0 ? FIRST_SLOTS : n_old * 2;
    t->slots = lore_xalloc(t->n_slots * sizeof *t->slots);
    for (uint32_t k = 0; k < n_old; k++) {
        uint32_t i = old[k].hash & (t->n_slots - 1);
        if (old[k].id == 0)
            continue;
        while (t->slots[i].id != 0)
            i = (i + 1) & (t->n_slots - 1);
        t->slots[i] = old[k];
    }
    lore_xfree(old);
}

uint32_t
lore_board_key_id(struct board_keys *t, struct board_key key)
{
    uint32_t hash = hash_of(&key);

    if (2 * (uint64_t)t->n >= t->n_slots)
        widen(t);
    uint32_t i = hash & (t->n_slots - 1);
    for (; t->slots[i].id != 0; i = (i + 1) & (t->n_slots - 1))
        if (t->slots[i].hash == hash && memcmp(&t->v[t->slots[i].id - 1], &key, sizeof key) == 0)
            return t->slots[i].id - 1;
    if (t->n == t->cap) {
        t->cap = t->cap == 0 ? 64 : t->cap * 2;
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    t->v[t->n] = key;
    t->slots[i] = (struct board_key_slot){++t->n, hash};
    return t->n - 1;
}

void
lore_board_keys_free(struct board_keys *t)
{
    lore_xfree(t->v);
    lore_xfree(t->slots);
    *t = (struct board_keys){0};
}

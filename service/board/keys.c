/* The table of keys.h. At most half of the slots are used, so a probe is short. */
#include "keys.h"

#include <string.h>

#include "xalloc.h"

enum { FIRST_SLOTS = 256 };

static uint32_t
slot_of(const struct keys *t, const struct key *key)
{
    uint64_t a = (uint64_t)key->part[0] << 32 | key->part[1];
    uint64_t b = (uint64_t)key->part[2] << 32 | key->part[3];

    a = (a + 1) * UINT64_C(0x9e3779b97f4a7c15);
    b = (a ^ a >> 32 ^ b) * UINT64_C(0xbf58476d1ce4e5b9);
    uint32_t i = (uint32_t)(b >> 32) & (t->n_slots - 1);
    while (t->slots[i] != 0 && memcmp(&t->v[t->slots[i] - 1], key, sizeof *key) != 0)
        i = (i + 1) & (t->n_slots - 1);
    return i;
}

static void
widen(struct keys *t)
{
    t->n_slots = t->n_slots == 0 ? FIRST_SLOTS : t->n_slots * 2;
    lore_xfree(t->slots);
    t->slots = lore_xalloc(t->n_slots * sizeof *t->slots);
    for (uint32_t id = 0; id < t->n; id++)
        t->slots[slot_of(t, &t->v[id])] = id + 1;
}

uint32_t
key_id(struct keys *t, struct key key)
{
    if (2 * (uint64_t)t->n >= t->n_slots)
        widen(t);
    uint32_t slot = slot_of(t, &key);
    if (t->slots[slot] != 0)
        return t->slots[slot] - 1;
    if (t->n == t->cap) {
        t->cap = t->cap == 0 ? 64 : t->cap * 2;
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    t->v[t->n] = key;
    t->slots[slot] = ++t->n;
    return t->n - 1;
}

void
keys_free(struct keys *t)
{
    lore_xfree(t->v);
    lore_xfree(t->slots);
    *t = (struct keys){0};
}

#include "service/recommend/keys.h"

#include <string.h>

#include "service/base/xalloc.h"

enum { FIRST_SLOTS = 16 };

void *
lore_keys_room(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    uint32_t old = *cap;

    if (n < old)
        return array;
    *cap = n + n / 8 + 4;
    array = lore_xrealloc(array, *cap * size);
    memset((char *)array + old * size, 0, (*cap - old) * size);
    return array;
}

static uint32_t
mixed(uint64_t key)
{
    key *= 0x9e3779b97f4a7c15u;
    key ^= key >> 32;
    return (uint32_t)((key * 0xd6e8feb86659fd93u) >> 32);
}

static uint32_t
slot_of(const struct lore_keys *k, uint64_t key)
{
    uint32_t i = (uint32_t)((uint64_t)mixed(key) * k->n_slots >> 32);

    while (k->slots[i] != 0 && k->key[k->slots[i] - 1] != key)
        i = i + 1 < k->n_slots ? i + 1 : 0;
    return i;
}

static void
widen(struct lore_keys *k)
{
    k->n_slots = k->n_slots == 0 ? FIRST_SLOTS : k->n_slots + k->n_slots / 2;
    lore_xfree(k->slots);
    k->slots = lore_xcalloc(k->n_slots, sizeof *k->slots);
    for (uint32_t id = 0; id < k->n; id++)
        k->slots[slot_of(k, k->key[id])] = id + 1;
}

uint32_t
lore_keys_add(struct lore_keys *k, uint64_t key)
{
    if (4 * (uint64_t)k->n >= 3 * (uint64_t)k->n_slots)
        widen(k);
    uint32_t i = slot_of(k, key);
    if (k->slots[i] != 0)
        return k->slots[i] - 1;
    k->key = lore_keys_room(k->key, k->n, &k->cap, sizeof *k->key);
    k->key[k->n] = key;
    k->slots[i] = ++k->n;
    return k->n - 1;
}

uint32_t
lore_keys_find(const struct lore_keys *k, uint64_t key)
{
    uint32_t entry = k->n > 0 ? k->slots[slot_of(k, key)] : 0;

    return entry != 0 ? entry - 1 : LORE_NO_KEY;
}

void
lore_keys_free(struct lore_keys *k)
{
    lore_xfree(k->key);
    lore_xfree(k->slots);
    *k = (struct lore_keys){0};
}

size_t
lore_keys_bytes(const struct lore_keys *k)
{
    return k->cap * sizeof *k->key + k->n_slots * sizeof *k->slots;
}

/* Keys by number (evidence_keys.h). Contexts, of which there are a few thousand, fit into 64 bits,
 * so their keys are what they say. */
#include "service/recommend/evidence_keys.h"

#include "service/base/xalloc.h"
#include "service/catalogue/catalogue.h"

enum { FIRST_SLOTS = 16 };

uint32_t
lore_evidence_roomier(uint32_t n)
{
    return n + n / 8 + 8;
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
    if (k->n == k->cap) {
        k->cap = lore_evidence_roomier(k->n);
        k->key = lore_xrealloc(k->key, k->cap * sizeof *k->key);
    }
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

/* ---- contexts as keys ---- */

_Static_assert(LORE_L_COUNT <= 24, "the labels of a context have 24 bits of its key");

uint64_t
lore_context_key(struct lore_context c)
{
    return (uint64_t)c.year << 56 | (uint64_t)(c.labels & 0xffffff) << 32 | (uint64_t)c.chip << 16 |
           (uint64_t)c.language << 8 | (uint64_t)(c.evidence & 0xf) << 4 | (uint64_t)c.said << 3 |
           (uint64_t)c.step << 2 | (uint64_t)c.masked << 1 | (uint64_t)c.process_broken;
}

struct lore_context
lore_context_of(uint64_t key)
{
    return (struct lore_context){
        .year = (uint8_t)(key >> 56),
        .labels = key >> 32 & 0xffffff,
        .chip = (uint16_t)(key >> 16),
        .language = (uint8_t)(key >> 8),
        .evidence = key >> 4 & 0xf,
        .said = key >> 3 & 1,
        .step = key >> 2 & 1,
        .masked = key >> 1 & 1,
        .process_broken = key & 1,
    };
}

uint32_t
lore_evidence_place_of(uint64_t context_key)
{
    const uint32_t left_out = 0xff00 | 1u << 3; /* language, and whether it is only said */

    return (uint32_t)context_key & ~left_out;
}

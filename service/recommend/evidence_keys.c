/* Keys by number (evidence_keys.h). Contexts and outcomes fit into 64 bits, so their keys are what
 * they say. There are a few thousand of the one and a few hundred of the other. */
#include "evidence_keys.h"

#include "evidence.h"
#include "xalloc.h"

enum { FIRST_SLOTS = 64 };

uint32_t
lore_roomier(uint32_t n)
{
    return n + n / 8 + 16;
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
        k->cap = lore_roomier(k->n);
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

/* ---- outcomes and contexts as keys ---- */

uint64_t
lore_outcome_key(struct lore_row_outcome o)
{
    return (uint64_t)o.gone << 34 | (uint64_t)o.labels_derived << 33 | (uint64_t)o.step << 32 |
           (uint64_t)o.siblings << 24 | (uint64_t)o.effect << 16 | (uint64_t)o.correctness << 8 |
           (uint64_t)o.share << 4 | (uint64_t)o.said_lost << 3 | (uint64_t)o.masked << 2 |
           (uint64_t)o.first << 1 | (uint64_t)o.measured;
}

struct lore_row_outcome
lore_outcome_of(uint64_t key)
{
    return (struct lore_row_outcome){
        .siblings = (uint8_t)(key >> 24),
        .effect = (uint8_t)(key >> 16),
        .correctness = (uint8_t)(key >> 8),
        .share = key >> 4 & 0xf,
        .said_lost = key >> 3 & 1,
        .masked = key >> 2 & 1,
        .first = key >> 1 & 1,
        .measured = key & 1,
        .step = key >> 32 & 1,
        .labels_derived = key >> 33 & 1,
        .gone = key >> 34 & 1,
    };
}

struct lore_row_outcome
lore_outcome_class(struct lore_row_outcome o)
{
    bool wrong = o.correctness == LORE_C_FAIL || o.correctness == LORE_C_TIMEOUT;
    bool gained = !wrong && (o.effect == LORE_X_WIN || o.effect == LORE_X_NEUTRAL);

    return (struct lore_row_outcome){.effect = o.effect,
        .correctness = wrong ? LORE_C_FAIL : LORE_C_PASS,
        .share = gained ? o.share : LORE_SHARE_OPEN,
        .siblings = 1,
        .said_lost = o.said_lost && o.effect == LORE_X_NOT_MEASURED,
        .masked = o.masked,
        .first = true,
        .measured = o.measured,
        .step = o.step};
}

_Static_assert(LORE_L_COUNT <= 24, "the labels of a context have 24 bits of its key");

uint64_t
lore_context_key(struct lore_context c)
{
    return (uint64_t)c.year << 56 | (uint64_t)(c.labels & 0xffffff) << 32 | (uint64_t)c.chip << 16 |
           (uint64_t)c.language << 8 | (uint64_t)c.evidence << 4 | c.process_broken;
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
        .process_broken = key & 0xf,
    };
}

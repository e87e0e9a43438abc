/* The table of intern.h: an open-addressed array of ids with their hashes. Texts are packed in
 * chunks that never move; chunks double, because a table may live for one small commit only. At
 * most half of the slots are used, so a probe is short; a slot of another text is recognised by its
 * hash. Reading the text would often be a cache miss in a table of millions. */
#include "service/base/intern.h"

#include <string.h>

#include "service/base/xalloc.h"

enum { FIRST_BYTES = 512, CHUNK_BYTES = 64 << 10, FIRST_SLOTS = 64, FIRST_NAMES = 32 };

struct lore_intern_slot {
    uint32_t id; /* + 1; 0: free */
    uint32_t hash;
};
struct lore_intern_chunk {
    struct lore_intern_chunk *next;
    size_t used, size;
    char data[];
};

static uint64_t
mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return h ^ (h >> 32);
}

/* Eight bytes at a time. */
static uint32_t
hash_text(const struct lore_intern *t, const char *s, size_t len)
{
    uint64_t h = t->seed ^ len, word = 0;

    for (; len >= sizeof word; s += sizeof word, len -= sizeof word) {
        memcpy(&word, s, sizeof word);
        h = mix(h, word);
    }
    word = 0;
    memcpy(&word, s, len);
    h = mix(h, word);
    return (uint32_t)h;
}

/* The slot that holds S, or the free slot where it belongs. */
static uint32_t
probe(const struct lore_intern *t, const char *s, uint32_t hash)
{
    uint32_t mask = t->n_slots - 1;
    uint32_t i = hash & mask;

    for (; t->slots[i].id != 0; i = (i + 1) & mask)
        if (t->slots[i].hash == hash && strcmp(t->names[t->slots[i].id - 1], s) == 0)
            break;
    return i;
}

static void
widen(struct lore_intern *t)
{
    struct lore_intern_slot *old = t->slots;
    uint32_t n_old = t->n_slots, n = n_old == 0 ? FIRST_SLOTS : n_old * 2;

    if (n_old == 0)
        t->seed = (uint32_t)((uintptr_t)t >> 4) * 2654435761u;
    t->slots = lore_xalloc(n * sizeof *t->slots);
    t->bytes += (n - n_old) * sizeof *t->slots;
    t->n_slots = n;
    for (uint32_t k = 0; k < n_old; k++) {
        uint32_t i = old[k].hash & (n - 1);
        if (old[k].id == 0)
            continue;
        while (t->slots[i].id != 0)
            i = (i + 1) & (n - 1);
        t->slots[i] = old[k];
    }
    lore_xfree(old);
}

static const char *
copy_text(struct lore_intern *t, const char *s, size_t len)
{
    struct lore_intern_chunk *c = t->chunk;

    if (!c || c->size - c->used < len + 1) {
        size_t size = !c ? FIRST_BYTES : c->size < CHUNK_BYTES ? 2 * c->size : CHUNK_BYTES;

        if (size < len + 1)
            size = len + 1;
        c = lore_xrealloc(NULL, sizeof *c + size);
        c->used = 0;
        c->size = size;
        c->next = t->chunk;
        t->chunk = c;
        t->bytes += sizeof *c + size;
    }
    char *out = c->data + c->used;
    memcpy(out, s, len + 1);
    c->used += len + 1;
    return out;
}

uint32_t
lore_intern(struct lore_intern *t, const char *s)
{
    if (!s)
        return LORE_INTERN_NONE;
    if (2 * (uint64_t)t->n >= t->n_slots)
        widen(t);
    size_t len = strlen(s);
    uint32_t hash = hash_text(t, s, len);
    struct lore_intern_slot *slot = &t->slots[probe(t, s, hash)];
    if (slot->id != 0)
        return slot->id - 1;
    if (t->n == t->cap) {
        uint32_t cap = t->cap == 0 ? FIRST_NAMES : t->cap * 2;
        t->names = lore_xrealloc(t->names, cap * sizeof *t->names);
        t->bytes += (cap - t->cap) * sizeof *t->names;
        t->cap = cap;
    }
    t->names[t->n] = copy_text(t, s, len);
    *slot = (struct lore_intern_slot){++t->n, hash};
    return t->n - 1;
}

uint32_t
lore_intern_find(const struct lore_intern *t, const char *s)
{
    if (!s || t->n_slots == 0)
        return LORE_INTERN_NONE;
    uint32_t id = t->slots[probe(t, s, hash_text(t, s, strlen(s)))].id;
    return id == 0 ? LORE_INTERN_NONE : id - 1;
}

const char *
lore_intern_text(const struct lore_intern *t, uint32_t id)
{
    return id < t->n ? t->names[id] : NULL;
}

void
lore_intern_free(struct lore_intern *t)
{
    while (t->chunk) {
        struct lore_intern_chunk *next = t->chunk->next;
        lore_xfree(t->chunk);
        t->chunk = next;
    }
    lore_xfree(t->names);
    lore_xfree(t->slots);
    *t = (struct lore_intern){0};
}

/* The table of intern.h: FNV-1a hashes in an open-addressed array of ids, texts packed in chunks
 * that never move. At most half of the slots are used, so a probe is short. */
#include "intern.h"

#include <string.h>

#include "xalloc.h"

enum { CHUNK_BYTES = 64 << 10, FIRST_SLOTS = 256 };

struct lore_intern_name {
    const char *text;
    uint32_t hash;
};
struct lore_intern_chunk {
    struct lore_intern_chunk *next;
    size_t used, size;
    char data[];
};

static uint32_t
hash_text(const struct lore_intern *t, const char *s, size_t *len)
{
    uint32_t h = 2166136261u ^ t->seed;
    const char *p = s;

    for (; *p != '\0'; p++)
        h = (h ^ (unsigned char)*p) * 16777619u;
    *len = (size_t)(p - s);
    return h ^ (h >> 15);
}

/* The slot that holds S, or the free slot where it belongs. */
static uint32_t
probe(const struct lore_intern *t, const char *s, uint32_t hash)
{
    uint32_t mask = t->n_slots - 1;
    uint32_t i = hash & mask;

    for (; t->slots[i] != 0; i = (i + 1) & mask) {
        const struct lore_intern_name *name = &t->names[t->slots[i] - 1];
        if (name->hash == hash && strcmp(name->text, s) == 0)
            break;
    }
    return i;
}

static void
widen(struct lore_intern *t)
{
    uint32_t n = t->n_slots == 0 ? FIRST_SLOTS : t->n_slots * 2;

    if (t->n_slots == 0)
        t->seed = (uint32_t)((uintptr_t)t >> 4) * 2654435761u;
    lore_xfree(t->slots);
    t->slots = lore_xalloc(n * sizeof *t->slots);
    t->bytes += (n - t->n_slots) * sizeof *t->slots;
    t->n_slots = n;
    for (uint32_t id = 0; id < t->n; id++) {
        uint32_t i = t->names[id].hash & (n - 1);
        while (t->slots[i] != 0)
            i = (i + 1) & (n - 1);
        t->slots[i] = id + 1;
    }
}

static const char *
keep(struct lore_intern *t, const char *s, size_t len)
{
    struct lore_intern_chunk *c = t->chunk;

    if (c == NULL || c->size - c->used < len + 1) {
        size_t size = len + 1 > CHUNK_BYTES ? len + 1 : CHUNK_BYTES;
        c = lore_xalloc(sizeof *c + size);
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
    size_t len;

    if (s == NULL)
        return LORE_INTERN_NONE;
    if (2 * (uint64_t)t->n >= t->n_slots)
        widen(t);
    uint32_t hash = hash_text(t, s, &len);
    uint32_t slot = probe(t, s, hash);
    if (t->slots[slot] != 0)
        return t->slots[slot] - 1;
    if (t->n == t->cap) {
        uint32_t cap = t->cap == 0 ? 64 : t->cap * 2;
        t->names = lore_xrealloc(t->names, cap * sizeof *t->names);
        t->bytes += (cap - t->cap) * sizeof *t->names;
        t->cap = cap;
    }
    t->names[t->n] = (struct lore_intern_name){.text = keep(t, s, len), .hash = hash};
    t->slots[slot] = ++t->n;
    return t->n - 1;
}

uint32_t
lore_intern_find(const struct lore_intern *t, const char *s)
{
    size_t len;

    if (s == NULL || t->n_slots == 0)
        return LORE_INTERN_NONE;
    uint32_t id = t->slots[probe(t, s, hash_text(t, s, &len))];
    return id == 0 ? LORE_INTERN_NONE : id - 1;
}

const char *
lore_intern_text(const struct lore_intern *t, uint32_t id)
{
    return id < t->n ? t->names[id].text : NULL;
}

void
lore_intern_free(struct lore_intern *t)
{
    while (t->chunk != NULL) {
        struct lore_intern_chunk *next = t->chunk->next;
        lore_xfree(t->chunk);
        t->chunk = next;
    }
    lore_xfree(t->names);
    lore_xfree(t->slots);
    *t = (struct lore_intern){0};
}

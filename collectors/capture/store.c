/* A hash table with open addressing over mapped pages. Keys are copied into chunks of 1 MiB and
 * stay where they are; the table doubles and gives its old pages back. */
#include "collectors/capture/store.h"

#include <string.h>
#include <sys/mman.h>

enum { CHUNK = 1 << 20, FIRST_SLOTS = 1024, TEXTS = 64 << 10 };

struct lore_store_slot {
    uint64_t hash;
    const unsigned char *key;
    uint32_t n, id; /* id 0: free */
};

void *
lore_store_pages(size_t n)
{
    void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    return p == MAP_FAILED ? NULL : p;
}

static uint64_t
mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15u;
    return h ^ (h >> 32);
}

static uint64_t
hash_of(const unsigned char *p, size_t n)
{
    uint64_t h = n, word;

    for (; n >= 8; p += 8, n -= 8) {
        memcpy(&word, p, 8);
        h = mix(h, word);
    }
    word = 0;
    memcpy(&word, p, n);
    return mix(h, word);
}

/* The slot of the key, or the free slot for it. */
static struct lore_store_slot *
probe(struct lore_store_slot *slots, size_t cap, uint64_t hash, const void *p, size_t n)
{
    size_t at = hash & (cap - 1);

    while (slots[at].id != 0) {
        if (slots[at].hash == hash && slots[at].n == n && memcmp(slots[at].key, p, n) == 0)
            break;
        at = (at + 1) & (cap - 1);
    }
    return &slots[at];
}

static bool
grow(struct lore_store *s)
{
    size_t cap = s->cap ? s->cap * 2 : FIRST_SLOTS;
    size_t bytes = cap * sizeof *s->slots;
    struct lore_store_slot *slots;

    if (s->taken + bytes > LORE_STORE_CEILING || !(slots = lore_store_pages(bytes)))
        return false;
    for (size_t i = 0; i < s->cap; i++)
        if (s->slots[i].id != 0)
            *probe(slots, cap, s->slots[i].hash, s->slots[i].key, s->slots[i].n) = s->slots[i];
    if (s->slots)
        munmap(s->slots, s->cap * sizeof *s->slots);
    s->taken += bytes - s->cap * sizeof *s->slots;
    s->slots = slots;
    s->cap = cap;
    return true;
}

static unsigned char *
copy_key(struct lore_store *s, const void *p, size_t n)
{
    size_t need = n > CHUNK ? n : CHUNK;
    unsigned char *at;

    if (!s->chunk || n > s->left) {
        if (s->taken + need > LORE_STORE_CEILING || !(at = lore_store_pages(need)))
            return NULL;
        s->chunk = at;
        s->left = need;
        s->taken += need;
    }
    at = s->chunk;
    memcpy(at, p, n);
    s->chunk += n;
    s->left -= n;
    return at;
}

uint32_t
lore_store_id(struct lore_store *s, const void *p, size_t n, bool *fresh)
{
    uint64_t hash = hash_of(p, n);
    struct lore_store_slot *slot;
    const unsigned char *key;

    *fresh = false;
    if (n > LORE_STORE_CEILING)
        return 0;
    slot = s->cap ? probe(s->slots, s->cap, hash, p, n) : NULL;
    if (slot && slot->id != 0)
        return slot->id;
    /* at most three quarters full */
    if ((size_t)s->n * 4 >= s->cap * 3) {
        if (!grow(s))
            return 0;
        slot = probe(s->slots, s->cap, hash, p, n);
    }
    if (!(key = copy_key(s, p, n)))
        return 0;
    *slot = (struct lore_store_slot){.hash = hash, .key = key, .n = (uint32_t)n, .id = ++s->n};
    *fresh = true;
    return slot->id;
}

char *
lore_store_text(const char *s, size_t n)
{
    static char *block;
    static size_t left;
    size_t need = n + 1;
    char *out;

    if (need > left) {
        size_t size = need > TEXTS ? need : TEXTS;

        if (!(block = lore_store_pages(size)))
            return left = 0, NULL;
        left = size;
    }
    out = block;
    memcpy(out, s, n);
    block += need;
    left -= need;
    return out;
}

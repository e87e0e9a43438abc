/* Open addressing over the first eight bytes of BLAKE2b. With 1.5 million records, two of them
 * have one hash with a probability of 7e-8; the report would then name a refused record. */
#include "collectors/import/seen.h"

#include <string.h>

#include "service/base/hash.h"

static uint64_t
short_hash(const void *p, size_t n)
{
    unsigned char digest[LORE_HASH_BYTES];
    uint64_t out;

    lore_hash(p, n, digest);
    memcpy(&out, digest, sizeof out);
    return out > 0 ? out : 1;
}

static struct lore_seen_slot *
find(const struct lore_seen *s, uint64_t key)
{
    size_t at = (size_t)key & (s->cap - 1);

    while (s->slots[at].key != 0 && s->slots[at].key != key)
        at = (at + 1) & (s->cap - 1);
    return &s->slots[at];
}

/* Four times the slots: the arena keeps the old ones, a third of the new. */
static void
grow(struct lore_arena *arena, struct lore_seen *s)
{
    struct lore_seen bigger = {.n = s->n, .cap = s->cap > 0 ? s->cap * 4 : 2048};

    bigger.slots = lore_alloc_array(arena, bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < s->cap; i++) {
        if (s->slots[i].key != 0)
            *find(&bigger, s->slots[i].key) = s->slots[i];
    }
    *s = bigger;
}

/* The slot of KEY; a new one has the key 0 and is for the caller to fill. */
static struct lore_seen_slot *
slot_of(struct lore_arena *arena, struct lore_seen *s, uint64_t key)
{
    if (s->n * 4 >= s->cap * 3 && s->n < LORE_SEEN_MAX)
        grow(arena, s);
    return find(s, key);
}

static void
fill(struct lore_seen *s, struct lore_seen_slot *slot, uint64_t key, uint64_t content)
{
    if (s->n == LORE_SEEN_MAX)
        return;
    *slot = (struct lore_seen_slot){key, content};
    s->n++;
}

enum lore_seen_as
lore_seen_add(
    struct lore_arena *arena, struct lore_seen *s, const char *key, const void *content, size_t len)
{
    uint64_t hash = short_hash(key, strlen(key)), of_content = short_hash(content, len);
    struct lore_seen_slot *slot = slot_of(arena, s, hash);

    if (slot->key != 0)
        return slot->content == of_content ? LORE_SEEN_SAME : LORE_SEEN_OTHER;
    fill(s, slot, hash, of_content);
    return LORE_SEEN_NEW;
}

uint64_t
lore_seen_count(struct lore_arena *arena, struct lore_seen *s, const char *key)
{
    uint64_t hash = short_hash(key, strlen(key));
    struct lore_seen_slot *slot = slot_of(arena, s, hash);

    if (slot->key != 0)
        return slot->content++;
    fill(s, slot, hash, 1);
    return 0;
}

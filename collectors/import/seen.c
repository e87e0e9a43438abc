/* Open addressing over the first eight bytes of BLAKE2b. With three million records, two of them
 * have one hash with a probability of 3e-7; the report would then name a refused record. */
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
    struct lore_seen bigger = {.n = s->n, .cap = s->cap > 0 ? s->cap * 4 : 1024};

    bigger.slots = lore_alloc_array(arena, bigger.cap, sizeof *bigger.slots);
    for (size_t i = 0; i < s->cap; i++) {
        if (s->slots[i].key != 0)
            *find(&bigger, s->slots[i].key) = s->slots[i];
    }
    *s = bigger;
}

enum lore_seen_as
lore_seen_add(
    struct lore_arena *arena, struct lore_seen *s, const char *key, const void *content, size_t len)
{
    struct lore_seen_slot new = {short_hash(key, strlen(key)), short_hash(content, len)};

    if (s->n * 4 >= s->cap * 3 && s->n < LORE_SEEN_MAX)
        grow(arena, s);
    struct lore_seen_slot *slot = find(s, new.key);
    if (slot->key != 0)
        return slot->content == new.content ? LORE_SEEN_SAME : LORE_SEEN_OTHER;
    if (s->n < LORE_SEEN_MAX) {
        *slot = new;
        s->n++;
    }
    return LORE_SEEN_NEW;
}

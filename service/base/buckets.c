/* Token buckets as one number for each key (GCRA): the time at which the bucket will be full again.
 * A key that hashes to a full set of WAYS slots takes the slot of the bucket that is full first.
 * The hash has a secret key, so a client cannot aim at the slot of another one. */
#include "service/base/buckets.h"

#include <pthread.h>
#include <sodium.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/xalloc.h"

#define SETS 1024
#define WAYS 8
#define MINUTE_US INT64_C(60000000)

struct slot {
    uint64_t key; /* 0: empty */
    int64_t full_ns;
};

struct lore_buckets {
    pthread_mutex_t lock;
    int64_t token_ns, burst_ns; /* the time that makes one token; a bucket's */
    unsigned char secret[crypto_shorthash_KEYBYTES];
    struct slot slots[SETS][WAYS];
};

struct lore_buckets *
lore_buckets_new(int64_t per_minute)
{
    struct lore_buckets *b = lore_xalloc(sizeof *b);

    pthread_mutex_init(&b->lock, NULL);
    randombytes_buf(b->secret, sizeof b->secret);
    b->burst_ns = MINUTE_US * 1000;
    b->token_ns = per_minute > 0 ? b->burst_ns / per_minute : 0;
    return b;
}

void
lore_buckets_free(struct lore_buckets *b)
{
    if (!b)
        return;
    pthread_mutex_destroy(&b->lock);
    lore_xfree(b);
}

/* The slot of KEY, new or known. Called with the lock held. */
static struct slot *
slot_of(struct lore_buckets *b, const char *key)
{
    unsigned char hash[crypto_shorthash_BYTES];
    struct slot *set, *least;
    uint64_t h;

    crypto_shorthash(hash, (const unsigned char *)key, strlen(key), b->secret);
    memcpy(&h, hash, sizeof h);
    h |= h == 0;
    least = set = b->slots[h % SETS];
    for (int i = 0; i < WAYS; i++) {
        if (set[i].key == h)
            return &set[i];
        if (set[i].full_ns < least->full_ns)
            least = &set[i];
    }
    *least = (struct slot){.key = h};
    return least;
}

int64_t
lore_buckets_take_at(struct lore_buckets *b, const char *key, int64_t now_us)
{
    int64_t now_ns = now_us * 1000, over_ns;
    struct slot *s;

    if (b->token_ns == 0)
        return 0;
    LORE_LOCKED(&b->lock);
    s = slot_of(b, key);
    if (s->full_ns < now_ns)
        s->full_ns = now_ns;
    over_ns = s->full_ns + b->token_ns - now_ns - b->burst_ns;
    if (over_ns > 0)
        return over_ns / 1000 + 1;
    s->full_ns += b->token_ns;
    return 0;
}

int64_t
lore_buckets_take(struct lore_buckets *b, const char *key)
{
    return lore_buckets_take_at(b, key, lore_ticks_us());
}

void
lore_buckets_give(struct lore_buckets *b, const char *key)
{
    if (b->token_ns == 0)
        return;
    LORE_LOCKED(&b->lock);
    slot_of(b, key)->full_ns -= b->token_ns;
}

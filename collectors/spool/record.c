/* Writes and checks records, and finds the next record after damage. The search continues at the
 * next "WSP1", even inside the payload that a valid head claims, because lost bytes shift later
 * records into it. The search takes linear time, because a payload is hashed only if its head has
 * the right checksum. Only this spool writes such heads, and its records do not overlap. */
#include "collectors/spool/spool_record.h"

#include <sodium.h>
#include <string.h>

#include "collectors/spool/spool.h"

enum {
    AT_LENGTH = 4,
    AT_SEQ = 8,
    AT_ADDED = 16,
    AT_HEAD_SUM = 24,
    AT_SUM = 32,
    HEAD_SUM_BYTES = crypto_shorthash_BYTES,
    SUM_BYTES = 16,
};
_Static_assert(
    AT_HEAD_SUM + HEAD_SUM_BYTES == AT_SUM && AT_SUM + SUM_BYTES == LORE_SPOOL_HEAD, "layout");

static const unsigned char magic[4] = {'W', 'S', 'P', '1'};

static void
put(unsigned char *to, uint64_t v, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        to[i] = (unsigned char)(v >> (8 * i));
}

static uint64_t
get(const unsigned char *from, size_t bytes)
{
    uint64_t v = 0;

    for (size_t i = bytes; i > 0; i--)
        v = v << 8 | from[i - 1];
    return v;
}

static void
head_sum(const unsigned char *key, const unsigned char *head, unsigned char out[HEAD_SUM_BYTES])
{
    _Static_assert(
        crypto_shorthash_KEYBYTES <= LORE_SPOOL_KEY, "the head uses the start of the key");
    crypto_shorthash(out, head, AT_HEAD_SUM, key);
}

static void
whole_sum(const unsigned char *key, const unsigned char *head, const unsigned char *payload,
    size_t n, unsigned char out[SUM_BYTES])
{
    crypto_generichash_state state;

    crypto_generichash_init(&state, key, LORE_SPOOL_KEY, SUM_BYTES);
    crypto_generichash_update(&state, head, AT_SUM);
    crypto_generichash_update(&state, payload, n);
    crypto_generichash_final(&state, out, SUM_BYTES);
}

void
lore_spool_head(const unsigned char key[LORE_SPOOL_KEY], const struct lore_spool_record *r,
    unsigned char head[LORE_SPOOL_HEAD])
{
    memcpy(head, magic, sizeof magic);
    put(head + AT_LENGTH, r->n, 4);
    put(head + AT_SEQ, r->seq, 8);
    put(head + AT_ADDED, (uint64_t)r->added_us, 8);
    head_sum(key, head, head + AT_HEAD_SUM);
    whole_sum(key, head, r->payload, r->n, head + AT_SUM);
}

bool
lore_spool_record_at(const unsigned char key[LORE_SPOOL_KEY], const unsigned char *p, size_t n,
    struct lore_spool_record *out)
{
    unsigned char sum[SUM_BYTES];
    size_t length;

    if (n < LORE_SPOOL_HEAD || memcmp(p, magic, sizeof magic) != 0)
        return false;
    length = (size_t)get(p + AT_LENGTH, 4);
    if (length > LORE_SPOOL_RECORD_MAX || length > n - LORE_SPOOL_HEAD)
        return false;
    head_sum(key, p, sum);
    if (memcmp(sum, p + AT_HEAD_SUM, HEAD_SUM_BYTES) != 0)
        return false;
    whole_sum(key, p, p + LORE_SPOOL_HEAD, length, sum);
    if (memcmp(sum, p + AT_SUM, SUM_BYTES) != 0)
        return false;
    *out = (struct lore_spool_record){.seq = get(p + AT_SEQ, 8),
        .added_us = (int64_t)get(p + AT_ADDED, 8),
        .payload = p + LORE_SPOOL_HEAD,
        .n = length};
    return true;
}

void
lore_spool_next(const unsigned char key[LORE_SPOOL_KEY], const unsigned char *p, size_t n,
    size_t at, struct lore_spool_step *out)
{
    struct lore_spool_record unused;
    size_t end = at;

    *out = (struct lore_spool_step){.at = at};
    if (lore_spool_record_at(key, p + at, n - at, &out->record)) {
        out->whole = true;
        out->n = LORE_SPOOL_HEAD + out->record.n;
        return;
    }
    do {
        const unsigned char *found = memmem(p + end + 1, n - end - 1, magic, sizeof magic);
        end = found ? (size_t)(found - p) : n;
    } while (end < n && !lore_spool_record_at(key, p + end, n - end, &unused));
    out->n = end - at;
}

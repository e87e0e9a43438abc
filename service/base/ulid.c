/* ULIDs. Within one process ids only grow: in the same millisecond, or when the wall clock steps
 * back, the last id's random part is counted up by one instead of drawn again. Ids are not secrets:
 * a client that knows one can guess its neighbour. */
#include "service/base/ulid.h"

#include <pthread.h>
#include <sodium.h>
#include <string.h>

#include "service/base/clock.h"
#include "service/base/hash.h"

enum { RANDOM_BYTES = 10 };

static const char alphabet[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
static const int64_t last_ms = ((int64_t)1 << 48) - 1;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t prev_ms; /* guarded by lock, like prev_random */
static unsigned char prev_random[RANDOM_BYTES];

/* 10 characters of time, 16 of randomness: 5 bits each, most significant first. */
static void
encode(int64_t ms, const unsigned char random[RANDOM_BYTES], char out[LORE_ULID_SIZE])
{
    unsigned bits = 0, acc = 0;
    int i, n = 10;

    for (i = 9; i >= 0; i--, ms >>= 5)
        out[i] = alphabet[ms & 31];
    for (i = 0; i < RANDOM_BYTES; i++) {
        acc = (acc << 8 | random[i]) & 0xffff;
        for (bits += 8; bits >= 5; bits -= 5)
            out[n++] = alphabet[acc >> (bits - 5) & 31];
    }
    out[n] = '\0';
}

/* Add one; false when every byte was 0xff. */
static bool
increment(unsigned char random[RANDOM_BYTES])
{
    for (int i = RANDOM_BYTES - 1; i >= 0; i--)
        if (++random[i] != 0)
            return true;
    return false;
}

void
lore_ulid_new(char out[LORE_ULID_SIZE])
{
    int64_t ms = lore_now_us() / 1000;

    pthread_mutex_lock(&lock);
    if (ms > prev_ms) {
        prev_ms = ms;
        randombytes_buf(prev_random, sizeof prev_random);
    } else if (!increment(prev_random)) {
        prev_ms++;
        randombytes_buf(prev_random, sizeof prev_random);
    }
    encode(prev_ms, prev_random, out);
    pthread_mutex_unlock(&lock);
}

void
lore_ulid_derive(int64_t ms, const void *seed, size_t n, char out[LORE_ULID_SIZE])
{
    unsigned char digest[LORE_HASH_BYTES];

    lore_hash(seed, n, digest);
    encode(ms < 0 ? 0 : ms > last_ms ? last_ms : ms, digest, out);
}

bool
lore_ulid_valid(const char *s)
{
    size_t i;

    if (!s || s[0] < '0' || s[0] > '7')
        return false;
    for (i = 0; i < LORE_ULID_SIZE - 1; i++)
        if (s[i] == '\0' || !strchr(alphabet, s[i]))
            return false;
    return s[i] == '\0';
}

int64_t
lore_ulid_ms(const char *s)
{
    int64_t ms = 0;

    for (int i = 0; i < 10; i++)
        ms = ms << 5 | (strchr(alphabet, s[i]) - alphabet);
    return ms;
}

/* The first character has three bits, the others five each. */
bool
lore_ulid_pack(const char *s, unsigned char out[LORE_ULID_BYTES])
{
    unsigned char packed[LORE_ULID_BYTES];
    unsigned acc = 0, bits = 0;
    size_t n = 0;

    if (!s || s[0] < '0' || s[0] > '7')
        return false;
    for (size_t i = 0; i < LORE_ULID_SIZE - 1; i++) {
        const char *at = s[i] != '\0' ? strchr(alphabet, s[i]) : NULL;

        if (!at)
            return false;
        acc = (acc << 5 | (unsigned)(at - alphabet)) & 0xffff;
        bits += i == 0 ? 3 : 5;
        if (bits >= 8) {
            bits -= 8;
            packed[n++] = (unsigned char)(acc >> bits);
        }
    }
    if (s[LORE_ULID_SIZE - 1] != '\0')
        return false;
    memcpy(out, packed, sizeof packed);
    return true;
}

void
lore_ulid_unpack(const unsigned char in[LORE_ULID_BYTES], char out[LORE_ULID_SIZE])
{
    unsigned acc = 0, bits = 2; /* two padding bits before the first byte */
    size_t n = 0;

    for (size_t i = 0; i < LORE_ULID_BYTES; i++) {
        acc = (acc << 8 | in[i]) & 0xffff;
        for (bits += 8; bits >= 5; bits -= 5)
            out[n++] = alphabet[acc >> (bits - 5) & 31];
    }
    out[n] = '\0';
}

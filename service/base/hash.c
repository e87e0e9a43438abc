/* BLAKE2b-256 by libsodium, and lower-case hex. Stored blobs, documents, tokens and environments
 * are identified by this hash, so another algorithm would be another database format. Short-lived
 * contents have a tag instead: SipHash with a key of this process. */
#include "service/base/hash.h"

#include <sodium.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static unsigned char tag_key[crypto_shorthash_siphashx24_KEYBYTES];

void
lore_hash_init(void)
{
    static bool keyed;

    if (sodium_init() < 0) {
        fputs("libsodium: no usable source of randomness\n", stderr);
        abort();
    }
    if (!keyed)
        randombytes_buf(tag_key, sizeof tag_key);
    keyed = true;
}

void
lore_hash(const void *p, size_t n, unsigned char out[LORE_HASH_BYTES])
{
    static const unsigned char none[1];

    /* cannot fail: the output length is in range and there is no key */
    (void)crypto_generichash(out, LORE_HASH_BYTES, n > 0 ? p : none, n, NULL, 0);
}

void
lore_hash_hex(const void *p, size_t n, char out[LORE_HASH_HEX])
{
    unsigned char digest[LORE_HASH_BYTES];

    lore_hash(p, n, digest);
    lore_hex(digest, sizeof digest, out);
}

_Static_assert(sizeof(crypto_generichash_state) <= sizeof(struct lore_hasher), "room for it");

void
lore_hash_begin(struct lore_hasher *h)
{
    (void)crypto_generichash_init((void *)h->state, NULL, 0, LORE_HASH_BYTES);
}

void
lore_hash_add(struct lore_hasher *h, const void *p, size_t n)
{
    if (n > 0)
        (void)crypto_generichash_update((void *)h->state, p, n);
}

void
lore_hash_end(struct lore_hasher *h, unsigned char out[LORE_HASH_BYTES])
{
    (void)crypto_generichash_final((void *)h->state, out, LORE_HASH_BYTES);
}

void
lore_hash_tag(const void *p, size_t n, char out[LORE_HASH_TAG])
{
    static const unsigned char none[1];
    unsigned char tag[crypto_shorthash_siphashx24_BYTES];

    (void)crypto_shorthash_siphashx24(tag, n > 0 ? p : none, n, tag_key);
    lore_hex(tag, sizeof tag, out);
}

void
lore_hex(const unsigned char *p, size_t n, char *out)
{
    static const char digits[] = "0123456789abcdef";

    for (size_t i = 0; i < n; i++) {
        out[2 * i] = digits[p[i] >> 4];
        out[2 * i + 1] = digits[p[i] & 15];
    }
    out[2 * n] = '\0';
}

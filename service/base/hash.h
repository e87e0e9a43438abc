/* BLAKE2b-256 (libsodium), the one content hash of Warplore. Call lore_hash_init once per program.
 */
#ifndef LORE_BASE_HASH_H
#define LORE_BASE_HASH_H

#include <stddef.h>

#define LORE_HASH_BYTES 32
#define LORE_HASH_HEX 65 /* with the NUL */

void lore_hash_init(void); /* sodium_init; aborts when the system has no randomness */
void lore_hash(const void *p, size_t n, unsigned char out[LORE_HASH_BYTES]);
void lore_hash_hex(const void *p, size_t n, char out[LORE_HASH_HEX]);
/* The same hash of bytes that come in pieces. */
struct lore_hasher {
    _Alignas(64) unsigned char state[384];
};
void lore_hash_begin(struct lore_hasher *h);
void lore_hash_add(struct lore_hasher *h, const void *p, size_t n);
void lore_hash_end(struct lore_hasher *h, unsigned char out[LORE_HASH_BYTES]);
/* A tag of 32 hexadecimal digits that identifies contents within this process, in a fifth of the
 * time of lore_hash. Never store it: lore_hash_init chooses a new key for each process. */
#define LORE_HASH_TAG 33 /* with the NUL */
void lore_hash_tag(const void *p, size_t n, char out[LORE_HASH_TAG]);
void lore_hex(const unsigned char *p, size_t n, char *out); /* out: 2n + 1 bytes, lower case */

#endif

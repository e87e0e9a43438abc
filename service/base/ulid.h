/* ULIDs: 26 characters of Crockford base32, 48 bits of milliseconds then 80 random bits, so ids
 * sort by time. Upper case is canonical. */
#ifndef LORE_BASE_ULID_H
#define LORE_BASE_ULID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LORE_ULID_SIZE 27 /* with the NUL */
#define LORE_ULID_BYTES 16

/* A new id, greater than every earlier one of this process. Thread-safe. */
void lore_ulid_new(char out[LORE_ULID_SIZE]);
/* The same id for the same (MS, SEED): importers use it so that importing twice is a duplicate. */
void lore_ulid_derive(int64_t ms, const void *seed, size_t n, char out[LORE_ULID_SIZE]);
bool lore_ulid_valid(const char *s);
/* Milliseconds since 1970 of a valid id. */
int64_t lore_ulid_ms(const char *s);
/* Convert an id to its 128 bits, which sort like the id. Returns false when S is no valid id.
 * lore_ulid_unpack converts them back. */
bool lore_ulid_pack(const char *s, unsigned char out[LORE_ULID_BYTES]);
void lore_ulid_unpack(const unsigned char in[LORE_ULID_BYTES], char out[LORE_ULID_SIZE]);

#endif

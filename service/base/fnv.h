/* 64-bit FNV-1a, for hash tables and for random draws that are the same in every process. It must
 * never change, because stored slugs end in it. A client that chooses the bytes can make hashes
 * collide, so equal hashes must not be taken for equal texts.
 *
 * Start from LORE_FNV, or from another number for another draw. To append bytes, start from the
 * hash of the bytes before. */
#ifndef LORE_BASE_FNV_H
#define LORE_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define LORE_FNV UINT64_C(0xcbf29ce484222325) /* the hash of no bytes */

static inline uint64_t
lore_fnv_byte(uint64_t h, unsigned char byte)
{
    return (h ^ byte) * UINT64_C(0x100000001b3);
}

static inline uint64_t
lore_fnv_bytes(uint64_t h, const void *p, size_t n)
{
    for (const unsigned char *at = p; n > 0; n--)
        h = lore_fnv_byte(h, *at++);
    return h;
}

/* Add TEXT without its NUL. A NULL adds nothing. */
static inline uint64_t
lore_fnv_text(uint64_t h, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        h = lore_fnv_byte(h, (unsigned char)*text);
    return h;
}

#endif

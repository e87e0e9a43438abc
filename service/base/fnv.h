/* FNV-1a of 64 bits: where a text goes in a table, and draws that are the same in every process.
 * The same everywhere and for ever: slugs that are stored end in it. Fast and short; whoever
 * chooses the bytes can make them collide, so nothing may rest on two texts differing in it.
 *
 * Start from LORE_FNV, or from another number for another draw; a hash so far is a start too. */
#ifndef LORE_BASE_FNV_H
#define LORE_BASE_FNV_H

#include <stddef.h>
#include <stdint.h>

#define LORE_FNV UINT64_C(0xcbf29ce484222325) /* of nothing */

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

/* Of TEXT to its end; NULL is as empty. */
static inline uint64_t
lore_fnv_text(uint64_t h, const char *text)
{
    for (; text != NULL && *text != '\0'; text++)
        h = lore_fnv_byte(h, (unsigned char)*text);
    return h;
}

#endif

/* What a channel has said once and refers to by id: byte strings to ids, in mapped memory of its
 * own, because a guest must not enter its host's allocator. */
#ifndef LORE_CAPTURE_STORE_H
#define LORE_CAPTURE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LORE_STORE_CEILING = 64 << 20 }; /* bytes of one store: then ids run out */

struct lore_store { /* zeroed is empty */
    struct lore_store_slot *slots;
    size_t cap; /* slots, a power of two */
    uint32_t n; /* ids given, from 1 */
    unsigned char *chunk;
    size_t left, taken; /* left in the chunk; mapped in all */
};
/* The id of the N bytes at P: the same bytes, the same id. *fresh says that it is new. 0: no
 * memory. Not thread-safe. */
uint32_t lore_store_id(struct lore_store *s, const void *p, size_t n, bool *fresh);
/* Zeroed pages, NULL when there are none; never freed but by munmap. */
void *lore_store_pages(size_t n);

#endif

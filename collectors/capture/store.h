/* A table from byte strings to ids, for names and shapes that a channel writes only once. It uses
 * its own mapped memory, because a capture library must not call the host's allocator. */
#ifndef LORE_CAPTURE_STORE_H
#define LORE_CAPTURE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LORE_STORE_CEILING = 64 << 20 }; /* bytes of one store; then there are no new ids */

struct lore_store { /* a zeroed one is empty */
    struct lore_store_slot *slots;
    size_t cap; /* slots, a power of two */
    uint32_t n; /* ids given, from 1 */
    unsigned char *chunk;
    size_t left, taken; /* bytes left in the chunk; bytes mapped in total */
};
/* The id of the N bytes at P; equal bytes have equal ids. *fresh: the id is new. 0: no memory. Not
 * thread-safe. */
uint32_t lore_store_id(struct lore_store *s, const void *p, size_t n, bool *fresh);
/* Copy the N bytes at S, with a NUL, for the life of the process; NULL: no memory. Not thread-safe.
 */
char *lore_store_text(const char *s, size_t n);
/* Map zeroed pages; NULL on failure. Free them with munmap. */
void *lore_store_pages(size_t n);

#endif

/* Heap allocation that never returns NULL. When memory runs out it calls lore_nomem (status.h), so
 * only programs that may stop link it. Memory of one request belongs in an arena. */
#ifndef LORE_BASE_XALLOC_H
#define LORE_BASE_XALLOC_H

#include <stddef.h>

void *lore_xalloc(size_t size);               /* zeroed; 0 bytes is a valid pointer too */
void *lore_xrealloc(void *p, size_t size);    /* NULL allocates; new bytes are not zeroed */
void *lore_xcalloc(size_t n, size_t size);    /* zeroed array, overflow checked */
char *lore_xstrdup(const char *s);            /* NULL gives NULL */
char *lore_xstrndup(const char *s, size_t n); /* adds the NUL */
void lore_xfree(void *p);                     /* NULL is fine */

#endif

/* The only caller of malloc in the service. A failed allocation ends the program through
 * lore_nomem. Inputs are bounded before they reach this file, so a failure means that the host has
 * no memory left. The service may stop then, because its acknowledged writes are on disk. Not for
 * capture libraries, which must survive a failed allocation. */
#include "service/base/xalloc.h"

#include <stdlib.h>
#include <string.h>

#include "service/base/status.h"

void *
lore_xalloc(size_t size)
{
    return lore_xcalloc(1, size);
}

void *
lore_xcalloc(size_t n, size_t size)
{
    void *p = calloc(n > 0 ? n : 1, size > 0 ? size : 1);

    if (!p)
        lore_nomem("heap", size > 0 && n > (size_t)-1 / size ? (size_t)-1 : n * size);
    return p;
}

void *
lore_xrealloc(void *p, size_t size)
{
    void *q = realloc(p, size > 0 ? size : 1);

    if (!q)
        lore_nomem("heap", size);
    return q;
}

char *
lore_xstrdup(const char *s)
{
    return !s ? NULL : lore_xstrndup(s, strlen(s));
}

char *
lore_xstrndup(const char *s, size_t n)
{
    char *copy = lore_xrealloc(NULL, n + 1);

    memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

void
lore_xfree(void *p)
{
    free(p);
}

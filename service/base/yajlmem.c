/* yajl's allocator on top of xalloc: see yajlmem.h. */
#include "service/base/yajlmem.h"

#include "service/base/xalloc.h"

static void *
allocate(void *ctx, size_t n)
{
    (void)ctx;
    return lore_xrealloc(NULL, n);
}

static void *
reallocate(void *ctx, void *p, size_t n)
{
    (void)ctx;
    return lore_xrealloc(p, n);
}

static void
release(void *ctx, void *p)
{
    (void)ctx;
    lore_xfree(p);
}

yajl_alloc_funcs lore_yajl_memory = {allocate, reallocate, release, NULL};

/* yajl's allocator on top of xalloc: see yajlmem.h. */
#include "service/base/yajlmem.h"

#include "service/base/xalloc.h"

static void *
give(void *ctx, size_t n)
{
    (void)ctx;
    return lore_xrealloc(NULL, n);
}

static void *
regive(void *ctx, void *p, size_t n)
{
    (void)ctx;
    return lore_xrealloc(p, n);
}

static void
take_back(void *ctx, void *p)
{
    (void)ctx;
    lore_xfree(p);
}

yajl_alloc_funcs lore_yajl_memory = {give, regive, take_back, NULL};

/* The allocator for yajl's parsers. yajl does not check its allocations, so they end the program
 * rather than fail. */
#ifndef LORE_BASE_YAJLMEM_H
#define LORE_BASE_YAJLMEM_H

#include <yajl/yajl_common.h>

/* Not const, because yajl's parameter is not; yajl does not write to it. */
extern yajl_alloc_funcs lore_yajl_memory;

#endif

/* Activity buffers: they go to CUPTI empty and come back full. */
#ifndef LORE_CUPTI_POOL_H
#define LORE_CUPTI_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    LORE_POOL_BYTES = 256 << 10, /* of one buffer: about a thousand launches */
    LORE_POOL_BUFFERS = 256,     /* at most; each launching thread holds one or two */
};
/* A zeroed buffer of LORE_POOL_BYTES; NULL when there is none left. */
uint8_t *lore_pool_get(void);
bool lore_pool_has(const uint8_t *buffer);
/* Zeroes BUFFER, which lore_pool_get gave, and takes it back. */
void lore_pool_put(uint8_t *buffer);
/* Number of buffers that CUPTI holds. */
size_t lore_pool_out(void);

#endif

/* A stack of free buffers under a small lock. Buffers are zeroed when they return on CUPTI's own
 * thread, so that the program's threads do not pay for it. They come from the C library's allocator
 * and not from mapped pages: a profiler that takes CUPTI over receives our outstanding buffers and
 * may free() them. Allocating is safe here, because CUPTI requests buffers only where it allocates
 * itself. */
#include "collectors/cupti/pool.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint8_t *all[LORE_POOL_BUFFERS], *spare[LORE_POOL_BUFFERS];
static size_t n_all, n_spare;

static uint8_t *
make_one(void)
{
    void *p = aligned_alloc(4096, LORE_POOL_BYTES);

    if (p)
        memset(p, 0, LORE_POOL_BYTES);
    return p;
}

uint8_t *
lore_pool_get(void)
{
    uint8_t *buffer = NULL;
    bool make;

    pthread_mutex_lock(&lock);
    if (n_spare > 0)
        buffer = spare[--n_spare];
    make = !buffer && n_all < LORE_POOL_BUFFERS;
    pthread_mutex_unlock(&lock);
    if (!make || !(buffer = make_one()))
        return buffer;
    pthread_mutex_lock(&lock);
    make = n_all < LORE_POOL_BUFFERS;
    if (make)
        all[n_all++] = buffer;
    pthread_mutex_unlock(&lock);
    if (make)
        return buffer;
    free(buffer);
    return NULL;
}

bool
lore_pool_has(const uint8_t *buffer)
{
    bool found = false;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < n_all && !found; i++)
        found = all[i] == buffer;
    pthread_mutex_unlock(&lock);
    return found;
}

void
lore_pool_put(uint8_t *buffer)
{
    memset(buffer, 0, LORE_POOL_BYTES);
    pthread_mutex_lock(&lock);
    spare[n_spare++] = buffer;
    pthread_mutex_unlock(&lock);
}

size_t
lore_pool_out(void)
{
    size_t n;

    pthread_mutex_lock(&lock);
    n = n_all - n_spare;
    pthread_mutex_unlock(&lock);
    return n;
}

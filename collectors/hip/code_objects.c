/* An object lies in memory, which the program may free after it was loaded, or in a file, where its
 * URI says at which offset. So it is copied while it is being loaded. */
#include "collectors/hip/code_objects.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/capture/sink.h"
#include "collectors/capture/store.h"

enum { TOTAL_MAX = 64 << 20, PIECE = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct lore_store known; /* by URI */
static uint64_t total;
static struct lore_sink sink; /* too large for the stack of a thread of the program */
static char path[PATH_MAX];

/* The number after KEY ("&size=") in a URI; 0 when there is none. */
static uint64_t
number_in(const char *uri, const char *key)
{
    const char *at = strstr(uri, key);

    return at ? strtoull(at + strlen(key), NULL, 0) : 0;
}

static bool
write_file(int fd, uint64_t offset, uint64_t n)
{
    char piece[PIECE];

    while (n > 0) {
        ssize_t got = pread(fd, piece, n < PIECE ? (size_t)n : PIECE, (off_t)offset);
        if (got <= 0 || !lore_sink_write(&sink, piece, (size_t)got))
            return false;
        offset += (uint64_t)got;
        n -= (uint64_t)got;
    }
    return true;
}

/* Under the lock. */
static void
keep(const char *dir, const struct lore_rocp_code_object *o, uint32_t id, uint64_t bytes)
{
    bool whole;

    snprintf(path, sizeof path, "%s/%ld-%u.co", dir, (long)getpid(), id);
    if (!lore_sink_open(&sink, path))
        return;
    if (o->storage == LORE_ROCP_STORAGE_MEMORY)
        whole = lore_sink_write(&sink, (const void *)(uintptr_t)o->memory, (size_t)bytes);
    else
        whole = write_file(o->file, number_in(o->uri, "offset="), bytes);
    lore_sink_close(&sink);
    if (!whole)
        unlink(path);
}

void
lore_code_objects_keep(const char *dir, const struct lore_rocp_code_object *o)
{
    bool memory = o->storage == LORE_ROCP_STORAGE_MEMORY, fresh = false;
    uint64_t bytes;
    uint32_t id;

    if (!o->uri || (!memory && o->storage != LORE_ROCP_STORAGE_FILE))
        return;
    bytes = memory ? o->memory_bytes : number_in(o->uri, "size=");
    pthread_mutex_lock(&lock);
    id = lore_store_id(&known, o->uri, strlen(o->uri), &fresh);
    if (fresh && id != 0 && bytes > 0 && bytes <= TOTAL_MAX - total) {
        total += bytes;
        keep(dir, o, id, bytes);
    }
    pthread_mutex_unlock(&lock);
}

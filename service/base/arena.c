/* Chunks in a list, newest first; an allocation bumps the newest chunk or gets a new one. Chunks
 * double from 16 KiB to 1 MiB, so a small request costs one malloc and a big one few. An allocation
 * larger than a quarter of a chunk gets its own chunk behind the newest one, which stays in use.
 * Not thread-safe: one arena belongs to one request. */
#include "service/base/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "service/base/guard.h"
#include "service/base/xalloc.h"

enum { ALIGN = 16, FIRST_CHUNK = 16 << 10, LAST_CHUNK = 1 << 20 };

struct lore_arena_chunk {
    struct lore_arena_chunk *next;
    size_t size, used;
    alignas(ALIGN) unsigned char data[];
};

static const size_t default_limit = (size_t)512 << 20;

static _Thread_local size_t emptied; /* see lore_arena_emptied */

static struct lore_arena_chunk *
new_chunk(size_t size)
{
    struct lore_arena_chunk *c = lore_xrealloc(NULL, sizeof *c + size);

    c->next = NULL;
    c->size = size;
    c->used = 0;
    return c;
}

/* A chunk with room for SIZE bytes, linked in. */
static struct lore_arena_chunk *
chunk_for(struct lore_arena *a, size_t size)
{
    struct lore_arena_chunk *head = a->head, *c;
    size_t next = !head ? FIRST_CHUNK : head->size * 2;

    if (head && head->size - head->used >= size)
        return head;
    if (next > LAST_CHUNK)
        next = LAST_CHUNK;
    if (head && size > next / 4) {
        c = new_chunk(size);
        c->next = head->next;
        head->next = c;
        return c;
    }
    c = new_chunk(size > next ? size : next);
    c->next = head;
    a->head = c;
    return c;
}

size_t
lore_arena_limit(const struct lore_arena *a)
{
    return a->limit > 0 ? a->limit : default_limit;
}

size_t
lore_arena_room(const struct lore_arena *a)
{
    size_t limit = lore_arena_limit(a);
    size_t guard = a->kept ? 0 : lore_guard_limit();

    if (guard > 0 && guard < limit)
        limit = guard;
    return a->used < limit ? limit - a->used : 0;
}

static _Noreturn void
full(const struct lore_arena *a, size_t size)
{
    if (a->kept)
        lore_nomem("arena over its ceiling", size);
    lore_guard_end("arena over its ceiling", size);
}

/* SIZE bytes, not zeroed. */
static void *
take(struct lore_arena *a, size_t size)
{
    size_t room = lore_arena_room(a), whole = size == 0 ? ALIGN : size;
    struct lore_arena_chunk *c;
    void *p;

    if (whole <= room) /* else the sum may overflow */
        whole = (whole + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (whole > room)
        full(a, size);
    c = chunk_for(a, whole);
    p = c->data + c->used;
    c->used += whole;
    a->used += whole;
    return p;
}

void *
lore_alloc(struct lore_arena *a, size_t size)
{
    return memset(take(a, size), 0, size);
}

void *
lore_alloc_array(struct lore_arena *a, size_t n, size_t size)
{
    if (size > 0 && n > SIZE_MAX / size)
        full(a, SIZE_MAX);
    return lore_alloc(a, n * size);
}

char *
lore_strdup(struct lore_arena *a, const char *s)
{
    return !s ? NULL : lore_strndup(a, s, strlen(s));
}

char *
lore_strndup(struct lore_arena *a, const char *s, size_t n)
{
    char *copy;

    if (n == SIZE_MAX)
        full(a, n);
    copy = take(a, n + 1);
    if (n > 0)
        memcpy(copy, s, n);
    copy[n] = '\0';
    return copy;
}

void *
lore_memdup(struct lore_arena *a, const void *p, size_t n)
{
    void *copy = take(a, n);

    if (n > 0)
        memcpy(copy, p, n);
    return copy;
}

char *
lore_format(struct lore_arena *a, const char *fmt, ...)
{
    char small[256], *out;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (n < 0)
        lore_nomem("formatting", 0);
    if ((size_t)n < sizeof small)
        return lore_strndup(a, small, (size_t)n);
    out = take(a, (size_t)n + 1);
    va_start(args, fmt);
    vsnprintf(out, (size_t)n + 1, fmt, args);
    va_end(args);
    return out;
}

void *
lore_grow(struct lore_arena *a, const void *arr, size_t n, size_t *cap, size_t size)
{
    size_t more = *cap > 0 ? *cap * 2 : 8;
    unsigned char *bigger;

    if (more < *cap)
        full(a, SIZE_MAX);
    bigger = lore_alloc_array(a, more, size);
    if (n > 0)
        memcpy(bigger, arr, n * size);
    *cap = more;
    return bigger;
}

static void
free_list(struct lore_arena_chunk *c)
{
    struct lore_arena_chunk *next;

    for (; c != NULL; c = next) {
        next = c->next;
        lore_xfree(c);
    }
}

void
lore_arena_free(struct lore_arena *a)
{
    emptied += a->used;
    free_list(a->head);
    a->head = NULL;
    a->used = 0;
}

size_t
lore_arena_emptied(void)
{
    return emptied;
}

/* Keep the newest chunk for the next request: chunks double, so it is usually the largest. A chunk
 * that was made for a single huge allocation is freed. */
void
lore_arena_reset(struct lore_arena *a)
{
    struct lore_arena_chunk *keep = a->head;

    emptied += a->used;
    if (keep && keep->size <= LAST_CHUNK) {
        free_list(keep->next);
        keep->next = NULL;
        keep->used = 0;
    } else {
        free_list(keep);
        a->head = NULL;
    }
    a->used = 0;
}

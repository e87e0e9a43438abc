/* Request-lifetime memory: allocate freely, free once. A zeroed arena is valid. Allocation never
 * returns NULL. An allocation past the ceiling ends the guarded work (guard.h). Without a guard
 * it ends the program. When the heap is exhausted, the program ends, too. */
#ifndef LORE_BASE_ARENA_H
#define LORE_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

struct lore_arena_chunk;
struct lore_arena {
    struct lore_arena_chunk *head;
    size_t used;  /* bytes handed out */
    size_t limit; /* 0: 512 MiB; the limit of a guard holds too */
    bool kept;    /* the arena outlives the guarded work, so guards do not limit it */
};
/* An arena that is freed when the block ends. */
#define LORE_SCRATCH __attribute__((cleanup(lore_arena_free))) struct lore_arena

void *lore_alloc(struct lore_arena *a, size_t size); /* zeroed, aligned for any type */
void *lore_alloc_array(struct lore_arena *a, size_t n, size_t size);
char *lore_strdup(struct lore_arena *a, const char *s);            /* NULL gives NULL */
char *lore_strndup(struct lore_arena *a, const char *s, size_t n); /* adds the NUL */
void *lore_memdup(struct lore_arena *a, const void *p, size_t n);
char *lore_format(struct lore_arena *a, const char *fmt, ...) LORE_PRINTF(2, 3);
size_t lore_arena_limit(const struct lore_arena *a); /* the ceiling in bytes */
/* Bytes left below the ceiling and the guard's limit. */
size_t lore_arena_room(const struct lore_arena *a);
void lore_arena_free(struct lore_arena *a); /* empties it; keeps its ceiling */
void
lore_arena_reset(struct lore_arena *a); /* keeps a chunk of at most 1 MiB for the next request */
/* Bytes that the arenas of this thread had handed out when they were emptied, since the thread
 * began. Tests of costs read it. */
size_t lore_arena_emptied(void);

/* Grow an arena array: ARR (pointer lvalue), N (count lvalue), CAP (capacity lvalue); yields a
 * pointer to a new zeroed last element. The old array is left to the arena. */
#define LORE_PUSH(a, arr, n, cap)                                                                  \
    (((n) == (cap) ? (void)((arr) = lore_grow((a), (arr), (n), &(cap), sizeof *(arr))) : (void)0), \
        &(arr)[(n)++])
void *lore_grow(struct lore_arena *a, const void *arr, size_t n, size_t *cap, size_t size);

#endif

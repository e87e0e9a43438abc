/* End a piece of work, not the program, when it needs more memory than it may have.
 *
 * An arena never returns NULL, and thousands of callers rely on it. When an arena is full inside
 * lore_guarded, the thread unwinds to there, as a cancelled thread does: every frame on the way
 * runs its cleanup attributes (the code is compiled with -fexceptions). lore_guarded then returns
 * LORE_TOOBIG. Memory stays bounded whatever the work does, and no caller checks for a full arena.
 * Handing out a reserve instead would only move the ceiling: no reserve is enough for a loop.
 *
 * The price is a rule. Whatever a frame holds across an allocation has a cleanup attribute: a
 * statement (LORE_STMT), a lock (LORE_LOCKED), an arena (LORE_SCRATCH), a buffer (LORE_BUF), a view
 * of the indexes (LORE_INDEXES_VIEW). State that outlives the work is on the heap or in an arena
 * that is `kept`. When one of these is full, the program ends instead of unwinding. A callback of
 * a library must not fill an arena, because the library's frames have no cleanups. So the JSON
 * parser stops yajl before its arena is full (json.c). tests/unit/api/test_over_memory.c drives
 * every route into the ceiling. */
#ifndef LORE_BASE_GUARD_H
#define LORE_BASE_GUARD_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

typedef enum lore_status lore_guarded_fn(void *ctx, struct lore_err *err);
/* Run WORK and return its status; LORE_TOOBIG, code over_memory, when an arena passed LIMIT bytes
 * (0: none) or its own ceiling. Guards nest; each belongs to its thread. */
enum lore_status
lore_guarded(size_t limit, lore_guarded_fn *work, void *ctx, struct lore_err *err) LORE_MUST;
/* The limit of this thread's innermost guard; 0: there is no guard. A thread that works for another
 * thread takes over its limit. */
size_t lore_guard_limit(void);
/* Unwind to the innermost guard; without one, lore_nomem. */
_Noreturn void lore_guard_end(const char *what, size_t bytes);

void lore_unlock(pthread_mutex_t **held);
/* Hold MUTEX, a pointer, until the block ends. */
#define LORE_LOCKED(mutex)                                                                         \
    __attribute__((cleanup(lore_unlock))) pthread_mutex_t *held = (mutex);                         \
    pthread_mutex_lock(held)

#endif

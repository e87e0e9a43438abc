/* The position of this node in the journal, guarded by a lock, with a condition for those who wait
 * for an entry. */
#include "service/journal/applied.h"

#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/xalloc.h"
#include "service/journal/journal.h"

struct lore_applied {
    pthread_mutex_t lock;
    pthread_cond_t moved;
    struct lore_applied_state state;
    struct lore_journal *journal;
};

struct lore_applied *
lore_applied_new(struct lore_journal *j)
{
    struct lore_applied *a = lore_xalloc(sizeof *a);
    pthread_condattr_t attr;

    a->journal = j;
    pthread_mutex_init(&a->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&a->moved, &attr);
    pthread_condattr_destroy(&attr);
    return a;
}

void
lore_applied_free(struct lore_applied *a)
{
    if (!a)
        return;
    pthread_cond_destroy(&a->moved);
    pthread_mutex_destroy(&a->lock);
    lore_xfree(a);
}

void
lore_applied_set(struct lore_applied *a, int64_t seq)
{
    LORE_LOCKED(&a->lock);

    a->state.seq = seq;
    if (seq > a->state.head)
        a->state.head = seq;
    a->state.seen_us = lore_ticks_us();
    pthread_cond_broadcast(&a->moved);
}

void
lore_applied_saw(struct lore_applied *a, int64_t head)
{
    LORE_LOCKED(&a->lock);

    if (head > a->state.head)
        a->state.head = head;
    a->state.seen_us = lore_ticks_us();
}

void
lore_applied_get(struct lore_applied *a, struct lore_applied_state *out)
{
    LORE_LOCKED(&a->lock);

    *out = a->state;
    out->lag_ms = a->journal ? lore_journal_lag_ms(a->journal) : 0;
    out->synced = a->journal ? lore_journal_synced(a->journal, out->seq) : out->seq;
}

bool
lore_applied_wait(struct lore_applied *a, int64_t seq, int ms)
{
    struct timespec until;
    LORE_LOCKED(&a->lock);

    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += ms / 1000;
    until.tv_nsec += ms % 1000 * 1000000L;
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    while (a->state.seq < seq)
        if (pthread_cond_timedwait(&a->moved, &a->lock, &until) == ETIMEDOUT)
            break;
    return a->state.seq >= seq;
}

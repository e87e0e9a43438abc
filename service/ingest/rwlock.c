/* A fair read-write lock: a thread that cannot have the lock now waits in a queue. A pthread rwlock
 * prefers readers or writers, and under constant load the other side starves. */
#include "service/ingest/rwlock.h"

#include <errno.h>
#include <semaphore.h>

#include "service/base/clock.h"

/* A series of small changes keeps the lock this long while readers wait. */
#define KEEP_US 2000

struct lore_rwlock_waiter {
    struct lore_rwlock_waiter *next;
    sem_t woken;
    bool exclusive;
};

void
lore_rwlock_init(struct lore_rwlock *t)
{
    *t = (struct lore_rwlock){0};
    pthread_mutex_init(&t->lock, NULL);
}

void
lore_rwlock_destroy(struct lore_rwlock *t)
{
    pthread_mutex_destroy(&t->lock);
}

/* Take the lock for reading or a change if it is free, with the mutex held. */
static bool
try_lock(struct lore_rwlock *t, bool exclusive)
{
    if (t->changing || (exclusive && t->readers > 0))
        return false;
    t->changing = exclusive;
    t->readers += !exclusive;
    return true;
}

static void
wait_for_lock(struct lore_rwlock *t, bool exclusive)
{
    struct lore_rwlock_waiter self = {.exclusive = exclusive};
    bool waits;

    pthread_mutex_lock(&t->lock);
    waits = t->first != NULL || !try_lock(t, exclusive);
    if (waits) {
        sem_init(&self.woken, 0, 0);
        *(t->first ? &t->last->next : &t->first) = &self;
        t->last = &self;
    }
    pthread_mutex_unlock(&t->lock);
    if (!waits)
        return;
    while (sem_wait(&self.woken) != 0 && errno == EINTR)
        ;
    sem_destroy(&self.woken);
}

void
lore_rwlock_read(struct lore_rwlock *t)
{
    wait_for_lock(t, false);
}

void
lore_rwlock_write(struct lore_rwlock *t)
{
    wait_for_lock(t, true);
}

/* The first waiter of that kind, or NULL. */
static struct lore_rwlock_waiter *
first_of(const struct lore_rwlock *t, bool exclusive)
{
    struct lore_rwlock_waiter *w = t->first;

    while (w && w->exclusive != exclusive)
        w = w->next;
    return w;
}

static void
leave_queue(struct lore_rwlock *t, struct lore_rwlock_waiter *w)
{
    struct lore_rwlock_waiter *before = NULL, *at = t->first;

    for (; at != w; at = at->next)
        before = at;
    *(before ? &before->next : &t->first) = w->next;
    if (t->last == w)
        t->last = before;
}

/* Give the lock to the next waiter, if it can have it now, or return NULL. The caller removes it
 * from the queue. */
static struct lore_rwlock_waiter *
admit_next(struct lore_rwlock *t)
{
    struct lore_rwlock_waiter *change = first_of(t, true), *reader = first_of(t, false);
    struct lore_rwlock_waiter *w = !change || (t->readers_next && reader) ? reader : change;

    return w && try_lock(t, w->exclusive) ? w : NULL;
}

/* A waiter must not be touched after it was woken: it lives on the stack of its thread. */
void
lore_rwlock_unlock(struct lore_rwlock *t)
{
    struct lore_rwlock_waiter *w;

    pthread_mutex_lock(&t->lock);
    t->readers_next = t->changing;
    if (t->changing)
        t->changing = false;
    else
        t->readers--;
    while ((w = admit_next(t))) {
        leave_queue(t, w);
        sem_post(&w->woken);
    }
    t->readers_next = false;
    pthread_mutex_unlock(&t->lock);
}

void
lore_write_batch_next(struct lore_write_batch *t)
{
    if (!t->lock || (t->held && lore_ticks_us() - t->since_us < KEEP_US))
        return;
    lore_write_batch_end(t);
    lore_rwlock_write(t->lock);
    t->held = true;
    t->since_us = lore_ticks_us();
}

void
lore_write_batch_end(struct lore_write_batch *t)
{
    if (t->held)
        lore_rwlock_unlock(t->lock);
    t->held = false;
}

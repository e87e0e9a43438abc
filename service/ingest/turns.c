/* A queue in front of a lock (turns.h). pthread's lock prefers readers or writers; either starves
 * the other when both come all the time. */
#include "turns.h"

#include <errno.h>
#include <semaphore.h>
#include <unistd.h>

#include "clock.h"

/* Readers wait this long for somebody who makes many changes. */
#define KEEP_US 2000

struct lore_turns_waiter {
    struct lore_turns_waiter *next;
    sem_t turn;
    bool changes;
};

void
lore_turns_init(struct lore_turns *t)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    *t = (struct lore_turns){.most = processors > 2 ? (unsigned)processors : 2};
    pthread_mutex_init(&t->lock, NULL);
}

void
lore_turns_destroy(struct lore_turns *t)
{
    pthread_mutex_destroy(&t->lock);
}

/* Under the lock: take a turn of that sort, if it is to be had now. */
static bool
begin(struct lore_turns *t, bool changes)
{
    if (t->changing || (changes ? t->readers > 0 : t->readers == t->most))
        return false;
    t->changing = changes;
    t->readers += !changes;
    return true;
}

static void
come(struct lore_turns *t, bool changes)
{
    struct lore_turns_waiter self = {.changes = changes};
    bool waits;

    pthread_mutex_lock(&t->lock);
    waits = t->first != NULL || !begin(t, changes);
    if (waits) {
        sem_init(&self.turn, 0, 0);
        *(t->first != NULL ? &t->last->next : &t->first) = &self;
        t->last = &self;
    }
    pthread_mutex_unlock(&t->lock);
    if (!waits)
        return;
    while (sem_wait(&self.turn) != 0 && errno == EINTR)
        ;
    sem_destroy(&self.turn);
}

void
lore_turns_read(struct lore_turns *t)
{
    come(t, false);
}

void
lore_turns_change(struct lore_turns *t)
{
    come(t, true);
}

/* A waiter is gone the moment it is told. */
void
lore_turns_leave(struct lore_turns *t)
{
    pthread_mutex_lock(&t->lock);
    if (t->changing)
        t->changing = false;
    else
        t->readers--;
    while (t->first != NULL && begin(t, t->first->changes)) {
        struct lore_turns_waiter *w = t->first;
        t->first = w->next;
        sem_post(&w->turn);
    }
    pthread_mutex_unlock(&t->lock);
}

void
lore_turn_keep(struct lore_turn *t)
{
    if (t->turns == NULL || (t->had && lore_ticks_us() - t->since_us < KEEP_US))
        return;
    lore_turn_end(t);
    lore_turns_change(t->turns);
    t->had = true;
    t->since_us = lore_ticks_us();
}

void
lore_turn_end(struct lore_turn *t)
{
    if (t->had)
        lore_turns_leave(t->turns);
    t->had = false;
}

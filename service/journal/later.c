/* The thread begins a sync at half the lag, which leaves the other half for the sync itself. When a
 * disk needs longer, the writer waits, so the lag holds whatever the disk does. */
#include "service/journal/later.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/guard.h"
#include "service/base/log.h"
#include "service/base/xalloc.h"

struct lore_later {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int64_t lag_us;
    int fd;
    int64_t written, synced;
    int64_t since_us;   /* ticks: when the first unsynced entry was written */
    int64_t syncing_to; /* a sync up to this entry runs; 0: none does */
    int64_t next_us;    /* since_us of what is written during it; 0: nothing */
    bool failed, stop;
};

/* Wait for a change, at most until the time UNTIL_US (ticks; 0: no limit). */
static void
wait_until(struct lore_later *l, int64_t until_us)
{
    struct timespec t;
    int64_t left = until_us - lore_ticks_us();

    if (until_us == 0) {
        pthread_cond_wait(&l->changed, &l->lock);
        return;
    }
    clock_gettime(CLOCK_MONOTONIC, &t);
    left = left > 0 ? left : 0;
    t.tv_sec += left / 1000000 + (t.tv_nsec + left % 1000000 * 1000) / 1000000000;
    t.tv_nsec = (t.tv_nsec + left % 1000000 * 1000) % 1000000000;
    (void)pthread_cond_timedwait(&l->changed, &l->lock, &t);
}

/* Sync up to the last entry. The writer can go on meanwhile. */
static void
sync_now(struct lore_later *l)
{
    int fd = l->fd;
    bool ok;

    l->syncing_to = l->written;
    l->next_us = 0;
    pthread_mutex_unlock(&l->lock);
    ok = fdatasync(fd) == 0;
    if (!ok)
        lore_log(LORE_ERROR, "journal_unsynced", "error", strerror(errno), NULL);
    pthread_mutex_lock(&l->lock);
    if (ok) {
        l->synced = l->syncing_to;
        l->since_us = l->next_us;
    }
    l->failed |= !ok; /* a second sync may report a false success */
    l->syncing_to = 0;
    pthread_cond_broadcast(&l->changed);
}

static void *
run(void *arg)
{
    struct lore_later *l = arg;

    pthread_mutex_lock(&l->lock);
    while (!l->stop) {
        int64_t due = l->since_us + l->lag_us / 2;
        bool idle = l->written == l->synced || l->failed || l->syncing_to != 0;

        if (idle || lore_ticks_us() < due)
            wait_until(l, idle ? 0 : due);
        else
            sync_now(l);
    }
    pthread_mutex_unlock(&l->lock);
    return NULL;
}

struct lore_later *
lore_later_start(int64_t lag_ms, int64_t seq)
{
    struct lore_later *l = lore_xalloc(sizeof *l);
    pthread_condattr_t attr;

    l->lag_us = lag_ms * 1000;
    l->written = l->synced = seq;
    pthread_mutex_init(&l->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&l->changed, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&l->thread, NULL, run, l) == 0)
        return l;
    lore_xfree(l);
    return NULL;
}

bool
lore_later_wrote(struct lore_later *l, int fd, int64_t seq)
{
    LORE_LOCKED(&l->lock);
    int64_t now = lore_ticks_us();

    l->fd = fd;
    if (l->syncing_to != 0 && l->next_us == 0)
        l->next_us = now;
    else if (l->written == l->synced)
        l->since_us = now;
    l->written = seq;
    pthread_cond_broadcast(&l->changed);
    while (!l->failed && l->written > l->synced && lore_ticks_us() > l->since_us + l->lag_us)
        wait_until(l, 0);
    return !l->failed;
}

bool
lore_later_flush(struct lore_later *l)
{
    LORE_LOCKED(&l->lock);

    while (!l->failed && l->written > l->synced)
        if (l->syncing_to != 0)
            wait_until(l, 0);
        else
            sync_now(l);
    return !l->failed;
}

void
lore_later_stop(struct lore_later *l)
{
    if (!l)
        return;
    pthread_mutex_lock(&l->lock);
    l->stop = true;
    pthread_cond_broadcast(&l->changed);
    pthread_mutex_unlock(&l->lock);
    pthread_join(l->thread, NULL);
    pthread_cond_destroy(&l->changed);
    pthread_mutex_destroy(&l->lock);
    lore_xfree(l);
}

int64_t
lore_later_synced(struct lore_later *l)
{
    LORE_LOCKED(&l->lock);

    return l->synced;
}

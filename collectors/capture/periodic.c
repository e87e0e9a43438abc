/* One thread, its lock and its wake-up. The lock is never held while COLLECT runs. */
#include "collectors/capture/periodic.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>

enum {
    BUSY_MS = 20,    /* period while something comes */
    IDLE_MS = 100,   /* while nothing comes the period doubles until it exceeds this */
    STACK = 1 << 20, /* the vendor's parsing runs on it */
    STOP_S = 5,
};

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake;
    pthread_t thread;
    bool (*collect)(void);
    bool runs, stop;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
deadline(struct timespec *t, long ms)
{
    clock_gettime(CLOCK_MONOTONIC, t);
    t->tv_nsec += (ms % 1000) * 1000000;
    t->tv_sec += ms / 1000 + t->tv_nsec / 1000000000;
    t->tv_nsec %= 1000000000;
}

/* Wait MS milliseconds. False: the thread must stop. */
static bool
sleep_ms(long ms)
{
    struct timespec until;
    bool stop;

    deadline(&until, ms);
    pthread_mutex_lock(&self.lock);
    while (!self.stop && pthread_cond_timedwait(&self.wake, &self.lock, &until) != ETIMEDOUT)
        ;
    stop = self.stop;
    pthread_mutex_unlock(&self.lock);
    return !stop;
}

static void *
run(void *arg)
{
    long ms = BUSY_MS;

    (void)arg;
    while (sleep_ms(ms)) {
        if (self.collect())
            ms = BUSY_MS;
        else if (ms < IDLE_MS)
            ms *= 2;
    }
    return NULL;
}

void
lore_periodic_start(bool (*collect)(void))
{
    pthread_condattr_t clock;
    pthread_attr_t attr;
    sigset_t all, before;

    self.collect = collect;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&self.wake, &clock);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, STACK);
    /* blocked, so that the program's handlers run on its own threads */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &before);
    self.runs = pthread_create(&self.thread, &attr, run, NULL) == 0;
    sigprocmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attr);
}

void
lore_periodic_stop(void)
{
    struct timespec until;

    if (!self.runs)
        return;
    pthread_mutex_lock(&self.lock);
    self.stop = true;
    pthread_cond_signal(&self.wake);
    pthread_mutex_unlock(&self.lock);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += STOP_S;
    pthread_timedjoin_np(self.thread, NULL, &until);
    self.runs = false;
}

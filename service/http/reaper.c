/* One thread looks four times a second for connections past their deadline and shuts them down; the
 * worker that waits on one wakes with an end of file. The library does not tell us its sockets, so
 * the socket is found among our descriptors by the address of its peer, which is unique while the
 * connection is open, and it stays open while its slot is armed: slots change under the lock. */
#include "reaper.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "clock.h"
#include "xalloc.h"

#define LOOK_MS 250

struct watch {
    int64_t deadline; /* ticks; 0: free */
    int port;
    char addr[INET6_ADDRSTRLEN];
    bool both, cut;
};

struct lore_reaper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop;
    void (*on_cut)(void *ctx);
    void *ctx;
    int n;
    struct watch *slots;
};

static bool
is_peer(int fd, const struct watch *w)
{
    struct sockaddr_storage ss;
    socklen_t len = sizeof ss;
    char text[INET6_ADDRSTRLEN] = "";
    int port = 0;

    if (getpeername(fd, (struct sockaddr *)&ss, &len) != 0)
        return false;
    if (ss.ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)&ss;
        port = ntohs(in->sin_port);
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
    } else if (ss.ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&ss;
        port = ntohs(in6->sin6_port);
        inet_ntop(AF_INET6, &in6->sin6_addr, text, sizeof text);
    }
    return port == w->port && strcmp(text, w->addr) == 0;
}

static void
cut(struct lore_reaper *r, struct watch *w)
{
    DIR *dir = opendir("/proc/self/fd");
    const struct dirent *e;

    w->cut = true;
    while (dir != NULL && (e = readdir(dir)) != NULL) {
        int fd = (int)strtol(e->d_name, NULL, 10);
        if (fd > 2 && is_peer(fd, w)) {
            shutdown(fd, w->both ? SHUT_RDWR : SHUT_RD);
            r->on_cut(r->ctx);
            break;
        }
    }
    if (dir != NULL)
        closedir(dir);
}

static void *
run(void *arg)
{
    struct lore_reaper *r = arg;
    struct timespec at;

    pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        int64_t now = lore_ticks_us();
        for (int i = 0; i < r->n; i++)
            if (r->slots[i].deadline != 0 && !r->slots[i].cut && now > r->slots[i].deadline)
                cut(r, &r->slots[i]);
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_nsec += LOOK_MS * 1000000L;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&r->wake, &r->lock, &at);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

struct lore_reaper *
lore_reaper_start(int slots, void (*on_cut)(void *ctx), void *ctx)
{
    struct lore_reaper *r = lore_xalloc(sizeof *r);
    pthread_condattr_t attr;

    r->slots = lore_xalloc((size_t)slots * sizeof *r->slots);
    r->n = slots;
    r->on_cut = on_cut;
    r->ctx = ctx;
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&r->thread, NULL, run, r) != 0) {
        lore_xfree(r->slots);
        lore_xfree(r);
        return NULL;
    }
    return r;
}

void
lore_reaper_stop(struct lore_reaper *r)
{
    if (r == NULL)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->wake);
    pthread_mutex_destroy(&r->lock);
    lore_xfree(r->slots);
    lore_xfree(r);
}

int
lore_reaper_arm(struct lore_reaper *r, const char *addr, int port, int ms)
{
    int64_t deadline = lore_ticks_us() + (int64_t)ms * 1000;
    int slot = -1;

    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->n && slot < 0; i++)
        if (r->slots[i].deadline == 0)
            slot = i;
    if (slot >= 0) {
        struct watch *w = &r->slots[slot];
        memset(w, 0, sizeof *w);
        w->deadline = deadline;
        w->port = port;
        strncat(w->addr, addr, sizeof w->addr - 1);
    }
    pthread_mutex_unlock(&r->lock);
    return slot;
}

void
lore_reaper_rearm(struct lore_reaper *r, int slot, int ms, bool both)
{
    if (slot < 0)
        return;
    pthread_mutex_lock(&r->lock);
    r->slots[slot].deadline = lore_ticks_us() + (int64_t)ms * 1000;
    r->slots[slot].both = both;
    r->slots[slot].cut = false;
    pthread_mutex_unlock(&r->lock);
}

void
lore_reaper_disarm(struct lore_reaper *r, int slot)
{
    if (slot < 0)
        return;
    pthread_mutex_lock(&r->lock);
    r->slots[slot].deadline = 0;
    pthread_mutex_unlock(&r->lock);
}

/* One thread checks four times a second for connections past their deadline and shuts them down. A
 * worker that reads from one then sees the end of the file. The library does not expose its
 * sockets. So the reaper finds a socket among our descriptors by the address of its peer, which is
 * unique while the connection is open. The server disarms the slot before it closes the
 * connection, and slots change under the lock only. So a connection whose slot is armed is open.
 *
 * A connection gets a slot with its first complete request: the library gives us the address of
 * its peer only then. So when threads run short, the reaper looks at all connections to our port.
 * It cuts those that have no slot and had no bytes to read for CROWDED_WAIT_MS. (A request that
 * waits in the library's queue has unread bytes.) */
#include "service/http/reaper.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>

#include "service/base/clock.h"
#include "service/base/xalloc.h"
#include "service/http/sockets.h"

#define LOOK_MS 250
/* When more than three quarters of the threads are taken: how often the thread checks, and how long
 * a connection may be silent. Clients usually send their request right after connecting. */
#define CROWDED_LOOK_MS 50
#define CROWDED_WAIT_MS 200
/* Connections with a higher descriptor are not cut before their first request. */
#define SILENT_MAX 4096

struct watch {
    enum lore_phase phase;   /* 0: free */
    int64_t since, deadline; /* ticks */
    int port;
    char addr[INET6_ADDRSTRLEN];
    bool cut;
};

/* A connection without a slot that had nothing to read, by descriptor. */
struct silent {
    int64_t look, since; /* number of the last check that saw it; ticks of the first */
    int port;
};

struct lore_reaper {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    bool stop;
    void (*on_cut)(void *ctx, enum lore_phase phase);
    void *ctx;
    int n, taken, port; /* threads; threads in use; the port of the server, 0: not known yet */
    struct watch *slots;
    struct silent *silent; /* by descriptor */
    int64_t look, now;
    bool all; /* lore_reaper_cut_idle is running */
};

static bool
is_crowded(const struct lore_reaper *r)
{
    return r->taken * 4 > r->n * 3;
}

/* The address and port of FD's peer. False when FD is no connected socket. */
static bool
peer_of(int fd, char addr[INET6_ADDRSTRLEN], int *port)
{
    struct sockaddr_storage ss;
    socklen_t len = sizeof ss;

    if (getpeername(fd, (struct sockaddr *)&ss, &len) != 0)
        return false;
    if (ss.ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)&ss;
        *port = ntohs(in->sin_port);
        return inet_ntop(AF_INET, &in->sin_addr, addr, INET6_ADDRSTRLEN);
    }
    if (ss.ss_family == AF_INET6) {
        const struct sockaddr_in6 *in6 = (const struct sockaddr_in6 *)&ss;
        *port = ntohs(in6->sin6_port);
        return inet_ntop(AF_INET6, &in6->sin6_addr, addr, INET6_ADDRSTRLEN);
    }
    return false;
}

static struct watch *
watch_of(struct lore_reaper *r, const char *addr, int port)
{
    for (int i = 0; i < r->n; i++)
        if (r->slots[i].phase != 0 && r->slots[i].port == port &&
            strcmp(r->slots[i].addr, addr) == 0)
            return &r->slots[i];
    return NULL;
}

static bool
is_ours(const struct lore_reaper *r, int fd)
{
    struct sockaddr_in at = {0};
    socklen_t len = sizeof at;

    return getsockname(fd, (struct sockaddr *)&at, &len) == 0 && at.sin_family == AF_INET &&
           ntohs(at.sin_port) == r->port;
}

/* Has FD, which has no slot, been silent for too long? Its peer's PORT distinguishes it from an
 * earlier connection with the same descriptor. */
static bool
is_silent(struct lore_reaper *r, int fd, int port)
{
    struct silent *s = &r->silent[fd];
    int unread = 0;
    bool again = s->look == r->look - 1 && s->port == port;

    if (ioctl(fd, FIONREAD, &unread) != 0 || unread > 0)
        return false;
    s->look = r->look;
    s->port = port;
    if (!again)
        s->since = r->now;
    if (r->now - s->since <= CROWDED_WAIT_MS * 1000)
        return false;
    s->since = INT64_MAX; /* cut once: its thread takes a moment to close it */
    return true;
}

static bool
is_due(const struct lore_reaper *r, const struct watch *w)
{
    if (w->phase == 0 || w->cut)
        return false;
    if (w->phase == LORE_PHASE_IDLE)
        return r->all;
    if (w->phase == LORE_PHASE_LINGERING &&
        (r->all || (is_crowded(r) && r->now > w->since + CROWDED_WAIT_MS * 1000)))
        return true;
    return r->now > w->deadline;
}

/* Cut FD if it is a connection past its deadline. */
static void
cut_one(int fd, void *ctx)
{
    struct lore_reaper *r = ctx;
    struct watch *w;
    char addr[INET6_ADDRSTRLEN] = "";
    int port = 0;

    if (!peer_of(fd, addr, &port))
        return;
    w = watch_of(r, addr, port);
    if (w ? !is_due(r, w)
          : fd >= SILENT_MAX || !is_ours(r, fd) || !(r->all || is_silent(r, fd, port)))
        return;
    /* Count first: a client that sees the connection end must find it in the counters. */
    if (w)
        w->cut = true;
    r->on_cut(r->ctx, w != NULL ? w->phase : 0);
    shutdown(fd, w != NULL && w->phase == LORE_PHASE_READING ? SHUT_RD : SHUT_RDWR);
}

/* Called with the lock held. */
static void
cut_due(struct lore_reaper *r)
{
    bool any = r->all || is_crowded(r);

    r->now = lore_ticks_us();
    r->look++;
    for (int i = 0; i < r->n && !any; i++)
        any = is_due(r, &r->slots[i]);
    if (any)
        lore_sockets_each(cut_one, r);
}

static void *
run(void *arg)
{
    struct lore_reaper *r = arg;
    struct timespec at;

    pthread_mutex_lock(&r->lock);
    while (!r->stop) {
        cut_due(r);
        clock_gettime(CLOCK_MONOTONIC, &at);
        at.tv_nsec += (is_crowded(r) ? CROWDED_LOOK_MS : LOOK_MS) * 1000000L;
        at.tv_sec += at.tv_nsec / 1000000000;
        at.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&r->wake, &r->lock, &at);
    }
    pthread_mutex_unlock(&r->lock);
    return NULL;
}

struct lore_reaper *
lore_reaper_start(int threads, void (*on_cut)(void *ctx, enum lore_phase phase), void *ctx)
{
    struct lore_reaper *r = lore_xalloc(sizeof *r);
    pthread_condattr_t attr;

    r->slots = lore_xalloc((size_t)threads * sizeof *r->slots);
    r->silent = lore_xalloc(SILENT_MAX * sizeof *r->silent);
    r->n = threads;
    r->on_cut = on_cut;
    r->ctx = ctx;
    pthread_mutex_init(&r->lock, NULL);
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&r->wake, &attr);
    pthread_condattr_destroy(&attr);
    if (pthread_create(&r->thread, NULL, run, r) != 0) {
        lore_xfree(r->slots);
        lore_xfree(r->silent);
        lore_xfree(r);
        return NULL;
    }
    return r;
}

void
lore_reaper_stop(struct lore_reaper *r)
{
    if (!r)
        return;
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    pthread_cond_destroy(&r->wake);
    pthread_mutex_destroy(&r->lock);
    lore_xfree(r->slots);
    lore_xfree(r->silent);
    lore_xfree(r);
}

void
lore_reaper_set_port(struct lore_reaper *r, int port)
{
    pthread_mutex_lock(&r->lock);
    r->port = port;
    pthread_mutex_unlock(&r->lock);
}

void
lore_reaper_take_thread(struct lore_reaper *r)
{
    bool before;

    pthread_mutex_lock(&r->lock);
    before = is_crowded(r);
    r->taken++;
    if (!before && is_crowded(r))
        pthread_cond_signal(&r->wake);
    pthread_mutex_unlock(&r->lock);
}

void
lore_reaper_free_thread(struct lore_reaper *r)
{
    pthread_mutex_lock(&r->lock);
    r->taken--;
    pthread_mutex_unlock(&r->lock);
}

bool
lore_reaper_is_crowded(struct lore_reaper *r)
{
    bool yes;

    pthread_mutex_lock(&r->lock);
    yes = is_crowded(r);
    pthread_mutex_unlock(&r->lock);
    return yes;
}

static void
enter(struct watch *w, int ms, enum lore_phase phase)
{
    w->phase = phase;
    w->since = lore_ticks_us();
    w->deadline = w->since + (int64_t)ms * 1000;
    w->cut = false;
}

int
lore_reaper_arm(struct lore_reaper *r, const char *addr, int port, int ms)
{
    int slot = -1;

    pthread_mutex_lock(&r->lock);
    for (int i = 0; i < r->n && slot < 0; i++)
        if (r->slots[i].phase == 0)
            slot = i;
    if (slot >= 0) {
        struct watch *w = &r->slots[slot];
        memset(w, 0, sizeof *w);
        enter(w, ms, LORE_PHASE_READING);
        w->port = port;
        strncat(w->addr, addr, sizeof w->addr - 1);
    }
    pthread_mutex_unlock(&r->lock);
    return slot;
}

void
lore_reaper_rearm(struct lore_reaper *r, int slot, int ms, enum lore_phase phase)
{
    if (slot < 0)
        return;
    pthread_mutex_lock(&r->lock);
    enter(&r->slots[slot], ms, phase);
    pthread_mutex_unlock(&r->lock);
}

void
lore_reaper_disarm(struct lore_reaper *r, int slot)
{
    if (slot < 0)
        return;
    pthread_mutex_lock(&r->lock);
    r->slots[slot].phase = 0;
    pthread_mutex_unlock(&r->lock);
}

void
lore_reaper_cut_idle(struct lore_reaper *r)
{
    pthread_mutex_lock(&r->lock);
    r->all = true;
    cut_due(r);
    r->all = false;
    pthread_mutex_unlock(&r->lock);
}

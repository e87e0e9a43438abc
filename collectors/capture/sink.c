/* Writes from inside the watched program (the host). The host may close our descriptor and reuse
 * its number, have a file size limit whose signal kills, or cancel our thread. So each write checks
 * that the descriptor is still our file, blocks SIGXFSZ and disables cancellation. */
#include "collectors/capture/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Above the descriptor numbers that programs choose by hand or close in a loop. */
enum { HIGH_FD = 600 };

/* fstat(), whose own symbol is newer than the oldest glibc that we load into. */
static int
look_at(int fd, struct stat *st)
{
    return (int)syscall(SYS_fstat, fd, st);
}

static int
move_high(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, HIGH_FD);
    struct rlimit limit;

    /* under a small limit take the highest free number, so that the host's next open() returns its
     * usual one */
    if (high < 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur <= HIGH_FD)
        for (int at = (int)limit.rlim_cur - 1; high < 0 && at > fd; at--)
            high = fcntl(fd, F_DUPFD_CLOEXEC, at);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

bool
lore_sink_open(struct lore_sink *s, const char *path)
{
    struct stat st;
    int fd;

    if (snprintf(s->path, sizeof s->path, "%s", path) >= (int)sizeof s->path) {
        errno = ENAMETOOLONG;
        return false;
    }
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0)
        return false;
    if (look_at(fd, &st) != 0) {
        close(fd);
        return false;
    }
    s->dev = st.st_dev;
    s->ino = st.st_ino;
    s->pid = getpid();
    s->fd = move_high(fd);
    return true;
}

static bool
is_ours(const struct lore_sink *s, int fd, off_t *size)
{
    struct stat st;

    if (fd < 0 || look_at(fd, &st) != 0 || st.st_dev != s->dev || st.st_ino != s->ino)
        return false;
    *size = st.st_size;
    return true;
}

/* Check the descriptor, and open the file again if the host has closed it. */
static bool
ready(struct lore_sink *s, off_t *size)
{
    int fd;

    if (is_ours(s, s->fd, size))
        return true;
    s->fd = -1; /* do not close it: the number belongs to the host now */
    fd = open(s->path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW);
    if (fd < 0)
        return false;
    if (!is_ours(s, fd, size)) {
        close(fd);
        return false;
    }
    s->fd = move_high(fd);
    return true;
}

static bool
append(struct lore_sink *s, const char *p, size_t n)
{
    off_t before;
    ssize_t did;

    if (!ready(s, &before))
        return false;
    while (n > 0) {
        did = write(s->fd, p, n);
        if (did < 0 && errno == EINTR)
            continue;
        if (did <= 0) {
            while (ftruncate(s->fd, before) != 0 && errno == EINTR)
                ;
            return false;
        }
        p += did;
        n -= (size_t)did;
    }
    return true;
}

bool
lore_sink_write(struct lore_sink *s, const void *p, size_t n)
{
    const struct timespec now = {0};
    sigset_t limit, before, pending;
    int saved_errno = errno, cancel;
    bool was_pending, ok;

    if (getpid() != s->pid)
        return false;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    sigemptyset(&limit);
    sigaddset(&limit, SIGXFSZ);
    sigpending(&pending);
    was_pending = sigismember(&pending, SIGXFSZ) == 1;
    sigprocmask(SIG_BLOCK, &limit, &before);
    ok = append(s, p, n);
    if (!ok && !was_pending)
        sigtimedwait(&limit, NULL, &now); /* consume the signal that our write raised */
    sigprocmask(SIG_SETMASK, &before, NULL);
    pthread_setcancelstate(cancel, NULL);
    errno = saved_errno;
    return ok;
}

void
lore_sink_close(struct lore_sink *s)
{
    off_t size;

    if (is_ours(s, s->fd, &size))
        close(s->fd);
    s->fd = -1;
}

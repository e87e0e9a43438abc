/* A library to preload: makes reads of chosen files fail with EIO, as a bad disk does.
 *
 *   READ_FAULTS   a file that says which: "TEXT SKIP COUNT". Reads of files whose path has TEXT
 * fail, after SKIP of them, COUNT times (0: always). It may change at any time; while it is missing
 * or empty, nothing fails. Each failure adds a byte to READ_FAULTS.failed. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define REAL(name, type, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (!real)                                                                                     \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void
note_failure(const char *control)
{
    char path[PATH_MAX];
    int fd;

    snprintf(path, sizeof path, "%s.failed", control);
    fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd >= 0 && write(fd, ".", 1) != 1)
        abort();
    close(fd);
}

/* Whether this read fails, with the lock held. */
static bool
is_chosen(int fd, const char *control)
{
    static char last[256];
    static long seen;
    char rule[256] = "", text[128], link[64], path[PATH_MAX];
    long skip = 0, count = 0;
    int in = open(control, O_RDONLY | O_CLOEXEC);
    long n = in < 0 ? 0 : syscall(SYS_read, in, rule, sizeof rule - 1);

    if (in >= 0)
        close(in);
    if (n <= 0 || sscanf(rule, "%127s %ld %ld", text, &skip, &count) != 3)
        return false;
    if (strcmp(rule, last) != 0) {
        strcpy(last, rule);
        seen = 0;
    }
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    n = readlink(link, path, sizeof path - 1);
    if (n <= 0)
        return false;
    path[n] = '\0';
    if (!strstr(path, text))
        return false;
    seen++;
    return seen > skip && (count == 0 || seen <= skip + count);
}

static bool
fails(int fd)
{
    const char *control = getenv("READ_FAULTS");
    bool chosen;

    if (!control)
        return false;
    pthread_mutex_lock(&lock);
    chosen = is_chosen(fd, control);
    if (chosen)
        note_failure(control);
    pthread_mutex_unlock(&lock);
    if (chosen)
        errno = EIO;
    return chosen;
}

ssize_t
read(int fd, void *p, size_t n)
{
    REAL(read, ssize_t, int, void *, size_t);
    return fails(fd) ? -1 : real(fd, p, n);
}

ssize_t
pread64(int fd, void *p, size_t n, off64_t at)
{
    REAL(pread64, ssize_t, int, void *, size_t, off64_t);
    return fails(fd) ? -1 : real(fd, p, n, at);
}

ssize_t
pread(int fd, void *p, size_t n, off_t at)
{
    return pread64(fd, p, n, at);
}

/* What read and pread are in optimized builds. */
ssize_t __read_chk(int fd, void *p, size_t n, size_t room);
ssize_t
__read_chk(int fd, void *p, size_t n, size_t room)
{
    (void)room;
    return read(fd, p, n);
}

ssize_t __pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room);
ssize_t
__pread64_chk(int fd, void *p, size_t n, off64_t at, size_t room)
{
    (void)room;
    return pread64(fd, p, n, at);
}

ssize_t __pread_chk(int fd, void *p, size_t n, off_t at, size_t room);
ssize_t
__pread_chk(int fd, void *p, size_t n, off_t at, size_t room)
{
    (void)room;
    return pread64(fd, p, n, at);
}

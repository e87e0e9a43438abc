/* A library to preload: writes down what a process does to the files of one directory tree, so that
 * power_cuts.py can make any state that a power cut could have left. What reaches the disk only
 * through memory maps (-shm) is not recorded; it is made again after a crash.
 *
 *   RECORD_DIR   the tree; RECORD_TO   the log, which is appended to
 *
 * A record is: kind (1 byte), size of the path (2), offset (8), size of the data (4), path, data.
 * Kinds: w write, t truncate (offset: size), s sync, c create, d delete, r rename (data: new path),
 * m make a directory, a acknowledged (data: what the process printed; offset: when, in us). */
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static int log_fd = -1;

#define REAL(name, type, ...)                                                                      \
    static type (*real)(__VA_ARGS__);                                                              \
    if (!real)                                                                                     \
    *(void **)&real = dlsym(RTLD_NEXT, #name)

static ssize_t
raw_write(int fd, const void *p, size_t n)
{
    REAL(write, ssize_t, int, const void *, size_t);
    return real(fd, p, n);
}

__attribute__((constructor)) static void
begin(void)
{
    const char *dir = getenv("RECORD_DIR"), *to = getenv("RECORD_TO");

    if (dir && to && realpath(dir, root))
        log_fd = open(to, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void
record(char kind, const char *path, uint64_t offset, const void *data, size_t n)
{
    uint16_t len = (uint16_t)strlen(path);
    uint32_t size = (uint32_t)n;
    char *all = malloc(15 + len + n), *p = all;

    *p++ = kind;
    memcpy(p, &len, 2);
    memcpy(p + 2, &offset, 8);
    memcpy(p + 10, &size, 4);
    memcpy(p + 14, path, len);
    if (n > 0)
        memcpy(p + 14 + len, data, n);
    if (raw_write(log_fd, all, 15 + len + n) != (ssize_t)(15 + len + n))
        abort();
    free(all);
}

/* The path of PATH within the tree; NULL: it is elsewhere, or nothing is recorded. */
static const char *
inside(const char *path, char out[PATH_MAX])
{
    char name[PATH_MAX], *slash;
    size_t n = strlen(root);

    if (log_fd < 0 || snprintf(name, sizeof name, "%s", path) >= PATH_MAX)
        return NULL;
    slash = strrchr(name, '/');
    if (!slash)
        return NULL;
    *slash = '\0';
    if (!realpath(name[0] ? name : "/", out))
        return NULL;
    strcat(out, "/");
    strcat(out, slash + 1);
    return strncmp(out, root, n) == 0 && out[n] == '/' ? out + n + 1 : NULL;
}

static const char *
of_fd(int fd, char out[PATH_MAX])
{
    char link[64];
    ssize_t len;
    size_t n = strlen(root);

    if (log_fd < 0 || fd == log_fd)
        return NULL;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    len = readlink(link, out, PATH_MAX - 1);
    if (len < 0)
        return NULL;
    out[len] = '\0';
    if (strcmp(out, root) == 0)
        return ".";
    if (strstr(out, "-shm"))
        return NULL;
    return strncmp(out, root, n) == 0 && out[n] == '/' ? out + n + 1 : NULL;
}

#define BOTH(does, notes)                                                                          \
    do {                                                                                           \
        char at[PATH_MAX];                                                                         \
        const char *path;                                                                          \
        pthread_mutex_lock(&lock);                                                                 \
        result = (does);                                                                           \
        if (result >= 0)                                                                           \
            notes;                                                                                 \
        pthread_mutex_unlock(&lock);                                                               \
    } while (0)

ssize_t
write(int fd, const void *p, size_t n)
{
    ssize_t result;

    BOTH(raw_write(fd, p, n), {
        if ((path = of_fd(fd, at)))
            record('w', path, (uint64_t)(lseek(fd, 0, SEEK_CUR) - result), p, (size_t)result);
    });
    return result;
}

ssize_t
pwrite64(int fd, const void *p, size_t n, off64_t offset)
{
    REAL(pwrite64, ssize_t, int, const void *, size_t, off64_t);
    ssize_t result;

    BOTH(real(fd, p, n, offset), {
        if ((path = of_fd(fd, at)))
            record('w', path, (uint64_t)offset, p, (size_t)result);
    });
    return result;
}

ssize_t
pwrite(int fd, const void *p, size_t n, off_t offset)
{
    return pwrite64(fd, p, n, offset);
}

int
ftruncate64(int fd, off64_t size)
{
    REAL(ftruncate64, int, int, off64_t);
    int result;

    BOTH(real(fd, size), {
        if ((path = of_fd(fd, at)))
            record('t', path, (uint64_t)size, "", 0);
    });
    return result;
}

int
ftruncate(int fd, off_t size)
{
    return ftruncate64(fd, size);
}

/* What was written before the call is on disk after it, not what comes while it runs: the record is
 * made first. */
static int
sync_fd(int fd, int (*real)(int))
{
    char at[PATH_MAX];
    const char *path;
    int result;

    pthread_mutex_lock(&lock);
    result = real(fd);
    if (result == 0 && (path = of_fd(fd, at)))
        record('s', path, 0, "", 0);
    pthread_mutex_unlock(&lock);
    return result;
}

int
fsync(int fd)
{
    REAL(fsync, int, int);
    return sync_fd(fd, real);
}

int
fdatasync(int fd)
{
    REAL(fdatasync, int, int);
    return sync_fd(fd, real);
}

int
unlink(const char *name)
{
    REAL(unlink, int, const char *);
    int result;

    BOTH(real(name), {
        if ((path = inside(name, at)))
            record('d', path, 0, "", 0);
    });
    return result;
}

int
rename(const char *from, const char *to)
{
    REAL(rename, int, const char *, const char *);
    int result;

    BOTH(real(from, to), {
        char other[PATH_MAX];
        const char *new_path = inside(to, other);

        if ((path = inside(from, at)) && new_path)
            record('r', path, 0, new_path, strlen(new_path));
    });
    return result;
}

int
mkdir(const char *name, mode_t mode)
{
    REAL(mkdir, int, const char *, mode_t);
    int result;

    BOTH(real(name, mode), {
        if ((path = inside(name, at)))
            record('m', path, 0, "", 0);
    });
    return result;
}

static int
open_any(int (*real)(const char *, int, ...), const char *name, int flags, mode_t mode)
{
    struct stat before;
    bool was = stat(name, &before) == 0;
    int result;

    BOTH(real(name, flags, mode), {
        if ((flags & O_CREAT) && !was && !strstr(name, "-shm") && (path = inside(name, at)))
            record('c', path, 0, "", 0);
        else if ((flags & O_TRUNC) && was && (path = inside(name, at)))
            record('t', path, 0, "", 0);
    });
    return result;
}

int
open64(const char *name, int flags, ...)
{
    REAL(open64, int, const char *, int, ...);
    va_list ap;
    mode_t mode;

    va_start(ap, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return open_any(real, name, flags, mode);
}

int
open(const char *name, int flags, ...)
{
    REAL(open, int, const char *, int, ...);
    va_list ap;
    mode_t mode;

    va_start(ap, flags);
    mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
    va_end(ap);
    return open_any(real, name, flags, mode);
}

int
mkostemp64(char *name, int flags)
{
    REAL(mkostemp64, int, char *, int);
    int result;

    BOTH(real(name, flags), {
        if ((path = inside(name, at)))
            record('c', path, 0, "", 0);
    });
    return result;
}

int
mkostemp(char *name, int flags)
{
    return mkostemp64(name, flags);
}

static uint64_t
now_us(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static int
say(const char *fmt, va_list ap)
{
    char text[4096];
    int n = vsnprintf(text, sizeof text, fmt, ap);

    pthread_mutex_lock(&lock);
    if (log_fd >= 0)
        record('a', "", now_us(), text, strlen(text));
    pthread_mutex_unlock(&lock);
    fputs(text, stdout);
    return n;
}

int
printf(const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = say(fmt, ap);
    va_end(ap);
    return n;
}

/* What printf is in optimized builds. */
int __printf_chk(int flag, const char *fmt, ...);
int
__printf_chk(int flag, const char *fmt, ...)
{
    va_list ap;
    int n;

    (void)flag;
    va_start(ap, fmt);
    n = say(fmt, ap);
    va_end(ap);
    return n;
}

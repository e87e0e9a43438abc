/* The spool's directory: opening it, its key, its locks, its files. Names are resolved from the
 * open directory and never through a symbolic link. A lost or damaged key makes every record
 * unverifiable. Then the old segments are set aside unchanged and a new key is made, so that new
 * records can be added. */
#include "collectors/spool/spool_index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/hash.h"
#include "service/base/xalloc.h"

enum {
    KEY_SUM = 16,
    KEY_FILE = LORE_SPOOL_KEY + KEY_SUM,
    /* longer than any segment or compacted done log */
    LONGEST = LORE_SEGMENT_BYTES + LORE_SPOOL_RECORD_MAX,
};
#define DEFAULT_MAX (1ull << 30)
#define DEFAULT_SENT (256ull << 20)
#define DEFAULT_FREE ((uint64_t)LORE_SPOOL_FREE_MIB << 20)

int
lore_store_open(const struct lore_spool *s, const char *name, int flags)
{
    return openat(s->dir, name, flags | O_CLOEXEC | O_NOFOLLOW, 0600);
}

enum lore_status
lore_store_fail(const struct lore_spool *s, const char *name, struct lore_err *err)
{
    int why = errno;
    const char *slash = *name ? "/" : "";

    if (why == ENOSPC || why == EDQUOT || why == EFBIG)
        return lore_fail_at(err, LORE_TOOBIG, "spool_full", "", "%s%s%s: %s; nothing was dropped",
            s->path, slash, name, strerror(why));
    return lore_fail(err, LORE_IO, "%s%s%s: %s", s->path, slash, name, strerror(why));
}

bool
lore_store_lock(int fd, int how)
{
    while (flock(fd, how) != 0) {
        if (errno != EINTR)
            return false;
    }
    return true;
}

bool
lore_store_write(int fd, const void *p, size_t n, size_t at)
{
    const char *from = p;

    while (n > 0) {
        ssize_t done = pwrite(fd, from, n, (off_t)at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        from += done;
        at += (size_t)done;
        n -= (size_t)done;
    }
    return true;
}

unsigned char *
lore_store_read(int fd, size_t at, size_t n, bool holes)
{
    enum { SECTOR = 4096 };
    unsigned char *bytes = lore_xalloc(n + 1);
    size_t got = 0;

    while (got < n) {
        ssize_t k = pread(fd, bytes + got, n - got, (off_t)(at + got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k < 0 && errno == EIO && holes) {
            size_t skip = SECTOR - (at + got) % SECTOR;
            k = (ssize_t)(skip < n - got ? skip : n - got);
            memset(bytes + got, 0, (size_t)k);
        }
        if (k == 0)
            errno = ENODATA;
        if (k <= 0) {
            lore_xfree(bytes);
            return NULL;
        }
        got += (size_t)k;
    }
    return bytes;
}

static int
open_sub(const struct lore_spool *s, const char *sub)
{
    if (!*sub)
        return fcntl(s->dir, F_DUPFD_CLOEXEC, 0);
    if (mkdirat(s->dir, sub, 0700) == 0 && fsync(s->dir) != 0)
        return -1;
    return openat(s->dir, sub, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

enum lore_status
lore_store_put(const struct lore_spool *s, const char *sub, const char *name, const void *p,
    size_t n, struct lore_err *err)
{
    char temporary[96];
    int dir = open_sub(s, sub), fd = -1;
    bool ok;

    snprintf(temporary, sizeof temporary, "%s.new", name);
    if (dir >= 0)
        fd = openat(dir, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    ok = fd >= 0 && lore_store_write(fd, p, n, 0) && fsync(fd) == 0 &&
         renameat(dir, temporary, dir, name) == 0 && fsync(dir) == 0;
    enum lore_status status = ok ? LORE_OK : lore_store_fail(s, name, err);
    if (!ok && fd >= 0)
        (void)unlinkat(dir, temporary, 0);
    if (fd >= 0)
        close(fd);
    if (dir >= 0)
        close(dir);
    return status;
}

void
lore_store_name(uint64_t first, char out[LORE_SEGMENT_NAME])
{
    snprintf(out, LORE_SEGMENT_NAME, "%016" PRIx64 ".wsp", first);
}

static bool
segment_number(const char *name, uint64_t *first)
{
    if (strspn(name, "0123456789abcdef") != 16 || strcmp(name + 16, ".wsp") != 0)
        return false;
    *first = strtoull(name, NULL, 16);
    return true;
}

static int
by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Open a directory stream over SUB; NULL on failure. */
static DIR *
entries_of(const struct lore_spool *s, const char *sub)
{
    int fd = openat(s->dir, *sub ? sub : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    DIR *d = fd < 0 ? NULL : fdopendir(fd);

    if (!d && fd >= 0)
        close(fd);
    return d;
}

enum lore_status
lore_store_list(const struct lore_spool *s, uint64_t **out, size_t *n, struct lore_err *err)
{
    uint64_t *numbers = NULL, first;
    size_t count = 0, cap = 0;
    DIR *d = entries_of(s, "");

    if (!d)
        return lore_store_fail(s, "", err);
    for (const struct dirent *e; (e = readdir(d));) {
        if (!segment_number(e->d_name, &first))
            continue;
        if (count == cap) {
            cap = cap ? 2 * cap : 64;
            numbers = lore_xrealloc(numbers, cap * sizeof *numbers);
        }
        numbers[count++] = first;
    }
    closedir(d);
    if (count > 0)
        qsort(numbers, count, sizeof *numbers, by_number);
    *out = numbers;
    *n = count;
    return LORE_OK;
}

void
lore_store_count(const struct lore_spool *s, const char *sub, uint64_t *files, uint64_t *bytes)
{
    DIR *d = entries_of(s, sub);
    struct stat sb;

    *files = *bytes = 0;
    if (!d)
        return;
    for (const struct dirent *e; (e = readdir(d));) {
        if (fstatat(dirfd(d), e->d_name, &sb, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(sb.st_mode))
            continue;
        *files += 1;
        *bytes += (uint64_t)sb.st_size;
    }
    closedir(d);
}

static bool
read_key(struct lore_spool *s)
{
    unsigned char file[KEY_FILE + 1], sum[LORE_HASH_BYTES];
    int fd = lore_store_open(s, "key", O_RDONLY);
    ssize_t n = fd < 0 ? -1 : read(fd, file, sizeof file);

    if (fd >= 0)
        close(fd);
    if (n != KEY_FILE)
        return false;
    lore_hash(file, LORE_SPOOL_KEY, sum);
    if (memcmp(sum, file + LORE_SPOOL_KEY, KEY_SUM) != 0)
        return false;
    memcpy(s->key, file, LORE_SPOOL_KEY);
    return true;
}

static enum lore_status
set_segments_aside(const struct lore_spool *s, struct lore_err *err)
{
    char name[LORE_SEGMENT_NAME];
    uint64_t *numbers = NULL;
    size_t n = 0;
    enum lore_status status = lore_store_list(s, &numbers, &n, err);
    int to = status == LORE_OK && n > 0 ? open_sub(s, "damaged") : -1;

    if (status == LORE_OK && n > 0 && to < 0)
        status = lore_store_fail(s, "damaged", err);
    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        lore_store_name(numbers[i], name);
        if (renameat(s->dir, name, to, name) != 0)
            status = lore_store_fail(s, name, err);
    }
    if (to >= 0 && (fsync(to) != 0 || fsync(s->dir) != 0) && status == LORE_OK)
        status = lore_store_fail(s, "damaged", err);
    if (to >= 0)
        close(to);
    lore_xfree(numbers);
    return status;
}

/* Called under the writers' lock, so that two processes that open a new spool agree on its key. */
static enum lore_status
ensure_key(struct lore_spool *s, struct lore_err *err)
{
    unsigned char file[KEY_FILE], sum[LORE_HASH_BYTES];
    uint64_t *numbers = NULL;
    size_t n = 0;
    enum lore_status status;

    if (read_key(s))
        return LORE_OK;
    status = lore_store_list(s, &numbers, &n, err);
    /* skip the numbers that unreadable segments may have used */
    s->next = n > 0 ? numbers[n - 1] + LORE_SPOOL_JUMP : 1;
    lore_xfree(numbers);
    if (status == LORE_OK)
        status = set_segments_aside(s, err);
    randombytes_buf(file, LORE_SPOOL_KEY);
    lore_hash(file, LORE_SPOOL_KEY, sum);
    memcpy(file + LORE_SPOOL_KEY, sum, KEY_SUM);
    if (status == LORE_OK)
        status = lore_store_put(s, "", "key", file, sizeof file, err);
    if (status == LORE_OK)
        memcpy(s->key, file, LORE_SPOOL_KEY);
    sodium_memzero(file, sizeof file);
    return status != LORE_OK || n == 0 ? status : lore_add_tail_roll(s, err);
}

/* Truncate NAME to LONGEST when a damaged file system reports more than we ever write. What remains
 * fits into memory, and the scan treats its invalid bytes as damage. */
static void
truncate_overlong(const struct lore_spool *s, const char *name)
{
    struct stat sb;
    int fd = -1;

    if (fstatat(s->dir, name, &sb, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(sb.st_mode) &&
        sb.st_size > LONGEST)
        fd = lore_store_open(s, name, O_WRONLY);
    if (fd < 0)
        return;
    (void)!ftruncate(fd, LONGEST);
    close(fd);
}

static enum lore_status
truncate_all(const struct lore_spool *s, struct lore_err *err)
{
    char name[LORE_SEGMENT_NAME];
    uint64_t *numbers = NULL;
    size_t n = 0;
    enum lore_status status = lore_store_list(s, &numbers, &n, err);

    for (size_t i = 0; i < n && status == LORE_OK; i++) {
        lore_store_name(numbers[i], name);
        truncate_overlong(s, name);
    }
    truncate_overlong(s, "done");
    lore_xfree(numbers);
    return status;
}

static enum lore_status
open_dir(struct lore_spool *s, const char *dir, struct lore_err *err)
{
    struct stat sb;
    enum lore_status status = lore_mkdirs(dir, 0700, err);

    if (status != LORE_OK)
        return status;
    s->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (s->dir < 0 || fstat(s->dir, &sb) != 0)
        return lore_store_fail(s, "", err);
    if (sb.st_uid != geteuid())
        return lore_fail(err, LORE_FORBIDDEN, "%s: belongs to another user", dir);
    if ((sb.st_mode & 077) != 0 && fchmod(s->dir, 0700) != 0)
        return lore_store_fail(s, "", err);
    s->lock = lore_store_open(s, "lock", O_RDWR | O_CREAT);
    if (s->lock < 0)
        return lore_store_fail(s, "lock", err);
    if (!lore_store_lock(s->lock, LOCK_EX))
        return lore_store_fail(s, "lock", err);
    status = truncate_all(s, err);
    if (status == LORE_OK)
        status = ensure_key(s, err);
    (void)lore_store_lock(s->lock, LOCK_UN);
    return status == LORE_OK ? lore_done_load(s, err) : status;
}

enum lore_status
lore_spool_open(const char *dir, const struct lore_spool_limits *limits, struct lore_spool **out,
    struct lore_err *err)
{
    struct lore_spool *s = lore_xalloc(sizeof *s);

    snprintf(s->path, sizeof s->path, "%s", dir);
    s->dir = s->lock = s->drain = s->log = s->tail = -1;
    if (limits)
        s->limits = *limits;
    if (s->limits.max_bytes == 0)
        s->limits.max_bytes = DEFAULT_MAX;
    if (s->limits.sent_bytes == 0)
        s->limits.sent_bytes = DEFAULT_SENT;
    if (s->limits.free_bytes == 0)
        s->limits.free_bytes = DEFAULT_FREE;
    enum lore_status status = open_dir(s, dir, err);
    if (status != LORE_OK) {
        lore_spool_close(s);
        return status;
    }
    *out = s;
    return LORE_OK;
}

void
lore_spool_close(struct lore_spool *s)
{
    if (!s)
        return;
    const int fds[] = {s->tail, s->log, s->drain, s->lock, s->dir};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (fds[i] >= 0)
            close(fds[i]);
    }
    lore_index_drop(s);
    lore_xfree(s->done);
    sodium_memzero(s->key, sizeof s->key);
    lore_xfree(s);
}

/* Segments whose records were all delivered move to DIR/sent, so that they can be sent again when
 * the service loses them. DIR/sent is bounded: the oldest segments go first. */
#include "collectors/spool/spool_index.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/xalloc.h"

#define DAY_US (INT64_C(86400) * 1000000)

struct kept {
    char name[LORE_SEGMENT_NAME];
    uint64_t bytes;
    int64_t sent_us;
};

static int
open_sent(const struct lore_spool *s)
{
    return openat(s->dir, "sent", O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static int
by_name(const void *a, const void *b)
{
    return strcmp(((const struct kept *)a)->name, ((const struct kept *)b)->name);
}

/* The segments in the folder FD, the oldest first; free *OUT with lore_xfree. */
static size_t
list_kept(int fd, struct kept **out)
{
    int own = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
    DIR *d = own < 0 ? NULL : fdopendir(own);
    size_t n = 0, cap = 0;
    struct stat sb;

    *out = NULL;
    if (!d && own >= 0)
        close(own);
    if (!d)
        return 0;
    rewinddir(d);
    for (const struct dirent *e; (e = readdir(d));) {
        if (strlen(e->d_name) != 20 || strcmp(e->d_name + 16, ".wsp") != 0 ||
            fstatat(fd, e->d_name, &sb, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(sb.st_mode))
            continue;
        if (n == cap) {
            cap = cap ? 2 * cap : 64;
            *out = lore_xrealloc(*out, cap * sizeof **out);
        }
        (*out)[n] = (struct kept){.bytes = (uint64_t)sb.st_size,
            .sent_us = (int64_t)sb.st_mtim.tv_sec * 1000000 + sb.st_mtim.tv_nsec / 1000};
        memcpy((*out)[n++].name, e->d_name, 21);
    }
    closedir(d);
    if (n > 0)
        qsort(*out, n, sizeof **out, by_name);
    return n;
}

/* Remove the segments that were delivered before BEFORE_US, and the oldest while all have more than
 * MOST bytes. */
static void
prune(const struct lore_spool *s, int64_t before_us, uint64_t most)
{
    int fd = open_sent(s);
    struct kept *v;
    size_t n = list_kept(fd, &v);
    uint64_t bytes = 0;

    for (size_t i = 0; i < n; i++)
        bytes += v[i].bytes;
    for (size_t i = 0; i < n; i++) {
        if (v[i].sent_us >= before_us && bytes <= most)
            continue;
        bytes -= v[i].bytes;
        (void)unlinkat(fd, v[i].name, 0);
    }
    lore_xfree(v);
    if (fd >= 0)
        close(fd);
}

bool
lore_sent_keep(const struct lore_spool *s, const char *name)
{
    const struct timespec now[2] = {{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_NOW}};
    int fd;
    bool ok;

    if (mkdirat(s->dir, "sent", 0700) != 0 && errno != EEXIST)
        return false;
    fd = open_sent(s);
    /* its age counts from now on */
    ok = fd >= 0 && utimensat(s->dir, name, now, AT_SYMLINK_NOFOLLOW) == 0 &&
         renameat(s->dir, name, fd, name) == 0;
    if (fd >= 0)
        close(fd);
    if (ok)
        prune(s, INT64_MIN, s->limits.sent_bytes);
    return ok;
}

void
lore_sent_drop(const struct lore_spool *s)
{
    prune(s, INT64_MAX, 0);
}

void
lore_spool_prune(struct lore_spool *s, int days)
{
    prune(s, lore_now_us() - days * DAY_US, s->limits.sent_bytes);
}

/* Move every kept segment back, under the writers' lock. */
static enum lore_status
bring_back(struct lore_spool *s, struct lore_err *err)
{
    int fd = open_sent(s);
    struct kept *v;
    size_t n = list_kept(fd, &v);
    enum lore_status status = LORE_OK;

    if (!lore_store_lock(s->lock, LOCK_EX))
        status = lore_store_fail(s, "lock", err);
    for (size_t i = 0; i < n && status == LORE_OK; i++)
        if (renameat(fd, v[i].name, s->dir, v[i].name) != 0)
            status = lore_store_fail(s, v[i].name, err);
    if (status == LORE_OK && fsync(s->dir) != 0)
        status = lore_store_fail(s, "", err);
    (void)lore_store_lock(s->lock, LOCK_UN);
    lore_xfree(v);
    if (fd >= 0)
        close(fd);
    return status;
}

static int
by_value(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

/* Let the records of G wait; those in EXCEPT are finished, whatever the log says. */
static void
wait_again(struct lore_segment *g, const uint64_t *except, size_t n)
{
    g->left = 0;
    for (size_t i = 0; i < g->n; i++) {
        struct lore_spool_entry *e = &g->entries[i];
        bool finished = n > 0 && bsearch(&e->seq, except, n, sizeof *except, by_value);

        e->done = finished;
        g->left += !finished;
    }
}

static uint64_t
count_waiting(const struct lore_spool *s)
{
    uint64_t n = 0;

    for (size_t i = 0; i < s->n; i++)
        n += s->segments[i].left;
    return n;
}

enum lore_status
lore_spool_again(
    struct lore_spool *s, const uint64_t *except, size_t n, uint64_t *again, struct lore_err *err)
{
    uint64_t before;
    enum lore_status status =
        s->owned ? lore_index_refresh(s, err)
                 : lore_fail(err, LORE_INVALID, "%s: lore_spool_lock_drain comes first", s->path);

    before = count_waiting(s);
    if (status == LORE_OK)
        status = bring_back(s, err);
    if (status == LORE_OK)
        status = lore_done_load(s, err);
    if (status == LORE_OK) {
        lore_index_drop(s);
        status = lore_index_refresh(s, err);
    }
    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < s->n; i++)
        wait_again(&s->segments[i], except, n);
    *again = count_waiting(s) > before ? count_waiting(s) - before : 0;
    return lore_done_rewrite(s, err);
}

/* The journal as files of a directory: segments of about 64 MiB, named by the seq of their first
 * entry. An append is on disk (fdatasync) when it returns, or within the lag after that (later.c).
 *
 * After a crash the end of the last segment may be torn. Each entry says which ones were on disk
 * before it was written. So a bad record is a torn end when no later record says that it was on
 * disk, and it is cut. Otherwise it is damage and nothing is changed. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/file.h"
#include "service/base/log.h"
#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/journal/backend.h"
#include "service/journal/later.h"

#define SEGMENT_BYTES ((off_t)64 << 20)
/* A segment grows by one group after it is full. */
#define READ_MAX ((size_t)2 << 30)
#define NAME "%020" PRId64 ".journal"
#define NAME_LENGTH 28

struct directory {
    char *path;
    int lock, file;               /* the segment that grows; -1: none yet */
    off_t size;                   /* of that segment */
    char mark[LORE_SEGMENT_MARK]; /* of that segment */
    struct lore_journal_head head;
    bool broken;              /* a sync failed: nothing is known about the end of the file */
    struct lore_later *later; /* NULL: an append waits for the disk */
    struct {
        int64_t first, seq;
        off_t at;
    } read; /* behind the entry SEQ of the segment FIRST: where reading goes on */
};

static enum lore_status
system_error(const char *path, struct lore_err *err)
{
    return lore_fail(err, LORE_IO, "%s: %s", path, strerror(errno));
}

static enum lore_status
sync_directory(const char *path, struct lore_err *err)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = fd >= 0 && fsync(fd) == 0;

    if (fd >= 0)
        close(fd);
    return ok ? LORE_OK : system_error(path, err);
}

/* ---- the list of segments ---- */

struct segments {
    int64_t *first;
    size_t n, cap;
};

static void
free_segments(struct segments *s)
{
    lore_xfree(s->first);
}
#define SEGMENTS __attribute__((cleanup(free_segments))) struct segments

static int
by_first(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static enum lore_status
list_segments(const char *path, struct segments *out, struct lore_err *err)
{
    DIR *d = opendir(path);
    int why;

    if (!d)
        return system_error(path, err);
    for (const struct dirent *e; errno = 0, (e = readdir(d)) != NULL;) {
        const char *name = e->d_name;

        if (strlen(name) != NAME_LENGTH || strcmp(name + 20, ".journal") != 0 ||
            strspn(name, "0123456789") != 20)
            continue;
        if (out->n == out->cap) {
            out->cap = out->cap ? 2 * out->cap : 64;
            out->first = lore_xrealloc(out->first, out->cap * sizeof *out->first);
        }
        out->first[out->n++] = strtoll(name, NULL, 10);
    }
    why = errno; /* a list that ends too early would look like an older journal */
    closedir(d);
    if (why != 0) {
        errno = why;
        return system_error(path, err);
    }
    if (out->n > 1)
        qsort(out->first, out->n, sizeof *out->first, by_first);
    return LORE_OK;
}

static void
segment_path(const struct directory *d, int64_t first, char out[], size_t size)
{
    snprintf(out, size, "%s/" NAME, d->path, first);
}

/* ---- opening ---- */

static enum lore_status
cut(struct directory *d, const char *path, const struct lore_segment_scan *s, struct lore_err *err)
{
    char bytes[24], seq[24];

    if (s->damaged) {
        enum lore_status status = lore_fail_at(err, LORE_CORRUPT, "journal_damaged", "journal",
            "%.120s: journal entry %" PRId64 " is damaged, and later entries follow it", path,
            s->seq + 1);
        lore_err_hint(err, "put a copy of the file in its place");
        return status;
    }
    if (!s->torn)
        return LORE_OK;
    snprintf(bytes, sizeof bytes, "%" PRId64, (int64_t)d->size - (int64_t)s->end);
    snprintf(seq, sizeof seq, "%" PRId64, s->seq);
    lore_log(LORE_WARN, "journal_cut", "file", path, "after_entry", seq, "bytes", bytes, NULL);
    if (ftruncate(d->file, (off_t)s->end) != 0 || fsync(d->file) != 0)
        return system_error(path, err);
    d->size = (off_t)s->end;
    return LORE_OK;
}

static enum lore_status
open_segment(struct directory *d, int64_t first, struct lore_segment_scan *s, struct lore_err *err)
{
    LORE_BUF text = {.max = READ_MAX};
    char path[4096];
    enum lore_status status;

    segment_path(d, first, path, sizeof path);
    if ((status = lore_file_read(path, &text, err)) != LORE_OK)
        return status;
    d->file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    if (d->file < 0)
        return system_error(path, err);
    d->size = (off_t)text.len;
    lore_segment_scan(text.data ? text.data : "", text.len, first, s);
    if (text.len >= LORE_SEGMENT_HEAD)
        memcpy(d->mark, text.data + LORE_SEGMENT_NAME, sizeof d->mark);
    return cut(d, path, s, err);
}

static enum lore_status
remove_segment(struct directory *d, int64_t first, struct lore_err *err)
{
    char path[4096];

    segment_path(d, first, path, sizeof path);
    close(d->file);
    d->file = -1;
    return unlink(path) == 0 ? sync_directory(d->path, err) : system_error(path, err);
}

/* Find the end of the journal. A segment whose first group was torn holds nothing after the cut. */
static enum lore_status
find_end(struct directory *d, struct lore_err *err)
{
    SEGMENTS list = {0};
    enum lore_status status = list_segments(d->path, &list, err);

    while (status == LORE_OK && list.n > 0) {
        int64_t first = list.first[--list.n];
        struct lore_segment_scan s;

        status = open_segment(d, first, &s, err);
        if (status == LORE_OK && s.seq >= first) {
            /* what a killed process wrote may not be on the disk yet */
            if (fdatasync(d->file) != 0)
                return system_error(d->path, err);
            d->head.seq = s.seq;
            memcpy(d->head.hash, s.hash, sizeof s.hash);
            return LORE_OK;
        }
        if (status == LORE_OK)
            status = remove_segment(d, first, err);
    }
    return status;
}

static void
close_directory(void *self)
{
    struct directory *d = self;

    if (d->later)
        (void)lore_later_flush(d->later);
    lore_later_stop(d->later);
    if (d->file >= 0)
        close(d->file);
    if (d->lock >= 0)
        close(d->lock);
    lore_xfree(d->path);
    lore_xfree(d);
}

static enum lore_status
closed_to_us(const char *path, struct lore_err *err)
{
    enum lore_status status = lore_fail_at(err, LORE_IO, "unwritable", "journal",
        "journal: cannot write to %.150s: %s", path, strerror(errno));

    lore_err_hint(err, "give the directory to the user that runs warplored (chown, chmod 700), or"
                       " name another one with --journal");
    return status;
}

static enum lore_status
take_lock(struct directory *d, struct lore_err *err)
{
    char path[4096];

    if (snprintf(path, sizeof path, "%s/lock", d->path) >= (int)sizeof path - NAME_LENGTH)
        return lore_fail(err, LORE_INVALID, "%s: path too long", d->path);
    d->lock = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (d->lock < 0)
        return closed_to_us(d->path, err);
    if (flock(d->lock, LOCK_EX | LOCK_NB) != 0)
        return lore_fail_at(err, LORE_BUSY, "journal_busy", "journal",
            "%s: another process writes to this journal", d->path);
    return LORE_OK;
}

static enum lore_status
check_begun(const char *where, struct lore_err *err)
{
    SEGMENTS list = {0};
    enum lore_status status = list_segments(where, &list, err);

    if (status == LORE_IO && errno == ENOENT)
        return lore_fail_at(
            err, LORE_INVALID, "journal_empty", "journal", "journal: %.160s does not exist", where);
    if (status == LORE_OK && list.n == 0)
        return lore_fail_at(
            err, LORE_INVALID, "journal_empty", "journal", "journal: %.160s is empty", where);
    return status;
}

static enum lore_status
open_directory(const char *where, void **out, struct lore_err *err)
{
    struct directory *d = lore_xalloc(sizeof *d);
    enum lore_status status;

    d->lock = d->file = -1;
    d->path = lore_xstrdup(where);
    status = lore_mkdirs(where, 0700, NULL) == LORE_OK ? LORE_OK : closed_to_us(where, err);
    if (status == LORE_OK)
        status = take_lock(d, err);
    if (status == LORE_OK)
        status = find_end(d, err);
    if (status != LORE_OK)
        close_directory(d);
    else
        *out = d;
    return status;
}

/* ---- appending ---- */

static bool
write_all(int fd, const char *p, size_t n, off_t at)
{
    while (n > 0) {
        ssize_t k = pwrite(fd, p, n, at);

        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        p += k;
        n -= (size_t)k;
        at += k;
    }
    return true;
}

static enum lore_status
next_segment(struct directory *d, int64_t first, struct lore_err *err)
{
    char path[4096], head[LORE_SEGMENT_HEAD];
    int fd;

    if (d->later && !lore_later_flush(d->later)) {
        d->broken = true;
        return LORE_IO;
    }
    segment_path(d, first, path, sizeof path);
    fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return system_error(path, err);
    randombytes_buf(d->mark, sizeof d->mark);
    lore_segment_head(d->mark, head);
    if (d->file >= 0)
        close(d->file);
    d->file = fd;
    d->size = 0;
    if (!write_all(fd, head, sizeof head, 0) || fdatasync(fd) != 0)
        return system_error(path, err);
    d->size = sizeof head;
    return sync_directory(d->path, err);
}

/* The reply to the client names no file; the log does. */
static enum lore_status
unwritable(struct directory *d, struct lore_err *err)
{
    int why = errno;
    bool full = why == ENOSPC || why == EDQUOT;

    if (!d->broken) {
        lore_log(
            LORE_ERROR, "journal_unwritable", "directory", d->path, "error", strerror(why), NULL);
        if (d->file >= 0 && ftruncate(d->file, d->size) != 0)
            d->broken = true;
    }
    return lore_fail_at(err, LORE_BUSY, full ? "journal_full" : "journal_unavailable", "",
        "the journal cannot be written: %s",
        d->broken ? "it failed before; the service must be started again" : strerror(why));
}

/* The entries up to SEQ were written. */
static bool
make_durable(struct directory *d, int64_t seq)
{
    if (!d->later)
        return fdatasync(d->file) == 0;
    errno = EIO; /* the thread that syncs has logged it */
    return lore_later_wrote(d->later, d->file, seq);
}

static enum lore_status
append(void *self, const struct lore_journal_head *head, const struct lore_journal_entry *entries,
    size_t n, struct lore_err *err)
{
    struct directory *d = self;
    LORE_BUF text = {.max = READ_MAX};

    if (d->broken)
        return unwritable(d, err);
    if (head->seq != d->head.seq || memcmp(head->hash, d->head.hash, sizeof head->hash) != 0)
        return lore_fail_at(err, LORE_CONFLICT, "journal_moved", "",
            "the journal ends with entry %" PRId64 ", not %" PRId64, d->head.seq, head->seq);
    if ((d->file < 0 || d->size < LORE_SEGMENT_HEAD || d->size >= SEGMENT_BYTES) &&
        next_segment(d, entries[0].seq, err) != LORE_OK)
        return unwritable(d, err);
    for (size_t i = 0; i < n; i++)
        lore_journal_entry_write(&entries[i], d->mark, &text);
    if (lore_buf_status(&text, "the group of journal entries", err) != LORE_OK)
        return LORE_TOOBIG;
    if (!write_all(d->file, text.data, text.len, d->size))
        return unwritable(d, err);
    if (!make_durable(d, entries[n - 1].seq)) {
        enum lore_status status = unwritable(d, err);

        d->broken = true; /* a second sync may report a false success */
        return status;
    }
    d->size += (off_t)text.len;
    d->head.seq = entries[n - 1].seq;
    memcpy(d->head.hash, entries[n - 1].hash, sizeof d->head.hash);
    return LORE_OK;
}

static enum lore_status
flush(void *self, struct lore_err *err)
{
    struct directory *d = self;

    if (!d->later || lore_later_flush(d->later))
        return LORE_OK;
    errno = EIO;
    return unwritable(d, err);
}

static enum lore_status
set_lag(void *self, int64_t ms, struct lore_err *err)
{
    struct directory *d = self;

    d->later = lore_later_start(ms, d->head.seq);
    return d->later ? LORE_OK : lore_fail(err, LORE_IO, "cannot start the thread that syncs");
}

static int64_t
synced(void *self)
{
    return lore_later_synced(((const struct directory *)self)->later);
}

/* ---- reading ---- */

static enum lore_status
read_head(void *self, struct lore_journal_head *out, struct lore_err *err)
{
    (void)err;
    *out = ((const struct directory *)self)->head;
    return LORE_OK;
}

struct reading {
    const struct lore_journal_part *part;
    lore_journal_fn *fn;
    void *ctx;
    size_t n;
    int64_t last;
};

static bool
is_enough(const struct reading *r)
{
    return r->part->most > 0 && r->n >= r->part->most;
}

/* The bytes of a segment from its offset FROM on, behind its head, which gives the mark. */
static enum lore_status
read_bytes(const char *path, off_t from, char mark[LORE_SEGMENT_MARK], struct lore_buf *out,
    struct lore_err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    bool ok = fd >= 0 && pread(fd, mark, LORE_SEGMENT_MARK, LORE_SEGMENT_NAME) >= 0;
    off_t end = ok ? lseek(fd, 0, SEEK_END) : -1;
    char *to = end > from ? lore_buf_reserve(out, (size_t)(end - from)) : NULL;

    ok = ok && end >= 0;
    for (ssize_t n = 1; ok && to && out->len < (size_t)(end - from) && n > 0;) {
        n = pread(fd, to + out->len, (size_t)(end - from) - out->len, from + (off_t)out->len);
        ok = n >= 0 || errno == EINTR;
        if (n > 0)
            out->len += (size_t)n;
        n = n < 0 ? 1 : n;
    }
    enum lore_status status = ok ? lore_buf_status(out, "a segment", err) : system_error(path, err);
    if (fd >= 0)
        close(fd);
    return status;
}

static enum lore_status
read_segment(struct directory *d, int64_t first, struct reading *r, struct lore_err *err)
{
    LORE_BUF text = {.max = READ_MAX};
    char path[4096], mark[LORE_SEGMENT_MARK];
    struct lore_journal_entry e;
    enum lore_status status;

    if (d->read.first != first || d->read.seq > r->part->after.seq) {
        d->read.first = first;
        d->read.seq = first - 1;
        d->read.at = LORE_SEGMENT_HEAD;
    }
    segment_path(d, first, path, sizeof path);
    status = read_bytes(path, d->read.at, mark, &text, err);
    for (size_t at = 0, n; status == LORE_OK && at < text.len && !is_enough(r); at += n) {
        n = lore_journal_entry_read(text.data + at, text.len - at, mark, &e);
        if (n == 0)
            return lore_fail_at(err, LORE_CORRUPT, "journal_damaged", "journal",
                "%.120s: journal entry %" PRId64 " is damaged", path, d->read.seq + 1);
        if (e.seq > r->part->after.seq) {
            r->n++;
            status = r->fn(r->ctx, &e, err);
        }
        if (status == LORE_OK) {
            d->read.seq = r->last = e.seq;
            d->read.at += (off_t)n;
        }
    }
    return status;
}

static enum lore_status
read_directory(void *self, const struct lore_journal_part *part, lore_journal_fn *fn, void *ctx,
    struct lore_err *err)
{
    struct directory *d = self;
    struct reading r = {part, fn, ctx, 0, part->after.seq};
    SEGMENTS list = {0};
    enum lore_status status = list_segments(d->path, &list, err);

    for (size_t i = 0; status == LORE_OK && i < list.n && !is_enough(&r); i++) {
        if (i + 1 < list.n && list.first[i + 1] <= part->after.seq + 1)
            continue;
        status = read_segment(d, list.first[i], &r, err);
    }
    if (status == LORE_OK && !is_enough(&r) && r.last < d->head.seq)
        return lore_fail_at(err, LORE_CORRUPT, "journal_damaged", "journal",
            "%.120s: journal entries %" PRId64 " to %" PRId64 " are gone", d->path, r.last + 1,
            d->head.seq);
    return status;
}

/* Nobody else writes here. */
static enum lore_status
wait_directory(void *self, int64_t seq, int ms, int64_t *head, struct lore_err *err)
{
    (void)self;
    (void)err;
    poll(NULL, 0, ms);
    *head = seq;
    return LORE_OK;
}

const struct lore_journal_backend lore_journal_directory = {.check_begun = check_begun,
    .open = open_directory,
    .close = close_directory,
    .head = read_head,
    .append = append,
    .read = read_directory,
    .wait = wait_directory,
    .set_lag = set_lag,
    .flush = flush,
    .synced = synced};

/* Adds a record: take the writers' lock, find the end of the newest segment, append and sync. Each
 * process remembers the last end it found and scans the bytes that others added since. So the next
 * number is right even after a crash during a write. After damaged bytes a new segment begins, so
 * that no record follows damage. */
#include "collectors/spool/spool_store.h"

#include <fcntl.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/xalloc.h"

/* Scan the bytes from tail_end to SIZE, which other processes added. */
static enum lore_status
scan_tail(struct lore_spool *s, size_t size, struct lore_err *err)
{
    size_t n = size - s->tail_end, at = 0;
    unsigned char *bytes = lore_store_read(s->tail, s->tail_end, n, true);
    struct lore_spool_step step;

    if (!bytes)
        return lore_store_fail(s, "the newest segment", err);
    for (; at < n; at += step.n) {
        lore_spool_next(s->key, bytes, n, at, &step);
        s->tail_bad = s->tail_bad || !step.whole;
        if (step.whole && step.record.seq >= s->next)
            s->next = step.record.seq + 1;
    }
    lore_xfree(bytes);
    s->used_bytes += n;
    s->tail_end = size;
    return LORE_OK;
}

static void
close_tail(struct lore_spool *s)
{
    if (s->tail >= 0)
        close(s->tail);
    s->tail = -1;
    s->tail_end = 0;
    s->tail_bad = false;
}

static bool
tail_is_newest(const struct lore_spool *s, struct stat *sb)
{
    uint64_t hint = 0;

    return s->tail >= 0 && pread(s->lock, &hint, sizeof hint, 0) == (ssize_t)sizeof hint &&
           hint == s->tail_first && fstat(s->tail, sb) == 0 && sb->st_nlink > 0 &&
           (size_t)sb->st_size >= s->tail_end;
}

static void
count_bytes(struct lore_spool *s)
{
    static const char *const folders[] = {"", "dead", "damaged"};
    uint64_t files, bytes;

    s->used_bytes = 0;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
        lore_store_count(s, folders[i], &files, &bytes);
        s->used_bytes += bytes;
    }
}

static enum lore_status
open_newest(struct lore_spool *s, struct stat *sb, bool *none, struct lore_err *err)
{
    char name[LORE_SEGMENT_NAME];
    uint64_t *numbers = NULL;
    size_t n = 0;
    enum lore_status status = lore_store_list(s, &numbers, &n, err);

    close_tail(s);
    *none = n == 0;
    if (status == LORE_OK && n > 0) {
        s->tail_first = numbers[n - 1];
        lore_store_name(s->tail_first, name);
        s->tail = lore_store_open(s, name, O_RDWR);
        if (s->tail < 0 || fstat(s->tail, sb) != 0)
            status = lore_store_fail(s, name, err);
    }
    lore_xfree(numbers);
    count_bytes(s);
    return status;
}

enum lore_status
lore_add_tail_find(struct lore_spool *s, struct lore_err *err)
{
    struct stat sb;
    bool none = false;
    enum lore_status status = LORE_OK;

    if (!tail_is_newest(s, &sb))
        status = open_newest(s, &sb, &none, err);
    if (status != LORE_OK)
        return status;
    if (s->next <= s->high)
        s->next = s->high + 1;
    if (none)
        return lore_add_tail_roll(s, err);
    if (s->next < s->tail_first)
        s->next = s->tail_first;
    if ((size_t)sb.st_size > s->tail_end)
        status = scan_tail(s, (size_t)sb.st_size, err);
    if (status == LORE_OK && s->tail_bad) {
        s->next += LORE_SPOOL_JUMP;
        status = lore_add_tail_roll(s, err);
    }
    return status;
}

enum lore_status
lore_add_tail_roll(struct lore_spool *s, struct lore_err *err)
{
    char name[LORE_SEGMENT_NAME];

    close_tail(s);
    lore_store_name(s->next, name);
    s->tail = lore_store_open(s, name, O_RDWR | O_CREAT | O_EXCL);
    if (s->tail < 0 || fsync(s->dir) != 0) {
        enum lore_status status = lore_store_fail(s, name, err);
        close_tail(s);
        return status;
    }
    s->tail_first = s->next;
    /* only a hint: a process that cannot read it looks at the directory */
    (void)lore_store_write(s->lock, &s->tail_first, sizeof s->tail_first, 0);
    count_bytes(s);
    return LORE_OK;
}

static enum lore_status
check_room(struct lore_spool *s, size_t need, struct lore_err *err)
{
    struct statvfs fs;
    uint64_t free_bytes;

    if (s->used_bytes + need > s->limits.max_bytes)
        count_bytes(s);
    if (s->used_bytes + need > s->limits.max_bytes) {
        enum lore_status status = lore_fail_at(err, LORE_TOOBIG, "spool_full", "",
            "%s: full, %llu MiB of at most %llu; nothing was dropped", s->path,
            (unsigned long long)(s->used_bytes >> 20),
            (unsigned long long)(s->limits.max_bytes >> 20));
        lore_err_hint(err, "warplore agent run --once delivers; agent status says what is wrong");
        return status;
    }
    if (fstatvfs(s->dir, &fs) != 0)
        return LORE_OK;
    free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    if (free_bytes < s->limits.free_bytes + need) {
        lore_sent_drop(s); /* what was delivered gives way to what was not */
        if (fstatvfs(s->dir, &fs) == 0)
            free_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
    }
    if (free_bytes < s->limits.free_bytes + need) {
        enum lore_status status = lore_fail_at(err, LORE_TOOBIG, "spool_full", "",
            "%s: the disk has %llu MiB left and %llu MiB are kept free; nothing was dropped",
            s->path, (unsigned long long)(free_bytes >> 20),
            (unsigned long long)(s->limits.free_bytes >> 20));
        lore_err_hint(err, "make room, or choose another folder by WARPLORE_STATE");
        return status;
    }
    return LORE_OK;
}

static enum lore_status
write_record(struct lore_spool *s, const struct lore_buf *record, struct lore_err *err)
{
    if (lore_store_write(s->tail, record->data, record->len, s->tail_end) &&
        fdatasync(s->tail) == 0) {
        s->tail_end += record->len;
        s->used_bytes += record->len;
        return LORE_OK;
    }
    enum lore_status status = lore_store_fail(s, "the newest segment", err);
    /* after a failed sync the content on disk is unknown: the next record starts a new segment */
    s->tail_bad = ftruncate(s->tail, (off_t)s->tail_end) != 0 || status != LORE_TOOBIG;
    return status;
}

/* The caller holds the writers' lock. */
static enum lore_status
add(struct lore_spool *s, lore_spool_fill fill, void *ctx, struct lore_buf *b, uint64_t *seq,
    struct lore_err *err)
{
    struct lore_spool_record r = {.added_us = lore_now_us()};
    enum lore_status status = lore_add_tail_find(s, err);

    if (status != LORE_OK)
        return status;
    r.seq = s->next;
    memset(lore_buf_reserve(b, LORE_SPOOL_HEAD), 0, LORE_SPOOL_HEAD);
    b->len = LORE_SPOOL_HEAD;
    status = fill(ctx, r.seq, b, err);
    if (status == LORE_OK)
        status = lore_buf_status(b, "a record for the spool", err);
    if (status == LORE_OK && b->len == LORE_SPOOL_HEAD)
        status = lore_fail(err, LORE_INVALID, "%s: an empty record", s->path);
    if (status == LORE_OK)
        status = check_room(s, b->len, err);
    /* roll before the number is used up, because it names the new segment */
    if (status == LORE_OK && s->tail_end > 0 && s->tail_end + b->len > LORE_SEGMENT_BYTES)
        status = lore_add_tail_roll(s, err);
    if (status != LORE_OK)
        return status;
    /* the number is used up even when writing fails: part of the record may be on disk */
    s->next++;
    r.payload = (const unsigned char *)b->data + LORE_SPOOL_HEAD;
    r.n = b->len - LORE_SPOOL_HEAD;
    lore_spool_head(s->key, &r, (unsigned char *)b->data);
    status = write_record(s, b, err);
    if (status == LORE_OK && seq)
        *seq = r.seq;
    return status;
}

enum lore_status
lore_spool_add_built(
    struct lore_spool *s, lore_spool_fill fill, void *ctx, uint64_t *seq, struct lore_err *err)
{
    struct lore_buf b = {.max = LORE_SPOOL_HEAD + LORE_SPOOL_RECORD_MAX};
    enum lore_status status;

    if (!lore_store_lock(s->lock, LOCK_EX))
        return lore_store_fail(s, "lock", err);
    status = add(s, fill, ctx, &b, seq, err);
    (void)lore_store_lock(s->lock, LOCK_UN);
    lore_buf_free(&b);
    return status;
}

struct bytes {
    const void *p;
    size_t n;
};

static enum lore_status
fill_bytes(void *ctx, uint64_t seq, struct lore_buf *payload, struct lore_err *err)
{
    const struct bytes *b = ctx;

    (void)seq;
    lore_buf_add(payload, b->p, b->n);
    return lore_buf_status(payload, "a record for the spool", err);
}

enum lore_status
lore_spool_add(
    struct lore_spool *s, const void *payload, size_t n, uint64_t *seq, struct lore_err *err)
{
    struct bytes b = {payload, n};

    return lore_spool_add_built(s, fill_bytes, &b, seq, err);
}

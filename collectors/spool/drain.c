/* Lists waiting records in order and marks them finished in the done log. A segment goes to
 * DIR/sent when all its records are finished. The newest segment goes only above KEEP_BYTES; an
 * empty one replaces it, whose name preserves the next number. */
#include "collectors/spool/spool_index.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KEEP_BYTES = 64 << 10 };

enum lore_status
lore_spool_lock_drain(struct lore_spool *s, struct lore_err *err)
{
    if (s->owned)
        return LORE_OK;
    if (s->drain < 0)
        s->drain = lore_store_open(s, "drain", O_RDWR | O_CREAT);
    if (s->drain < 0)
        return lore_store_fail(s, "drain", err);
    if (!lore_store_lock(s->drain, LOCK_EX | LOCK_NB)) {
        if (errno == EWOULDBLOCK)
            return lore_fail(err, LORE_BUSY, "%s: another process is draining it", s->path);
        return lore_store_fail(s, "drain", err);
    }
    s->log = lore_store_open(s, "done", O_RDWR | O_CREAT);
    if (s->log < 0 || fsync(s->dir) != 0)
        return lore_store_fail(s, "done", err);
    lore_index_drop(s);
    enum lore_status status = lore_done_load(s, err);
    s->owned = status == LORE_OK;
    return status;
}

static enum lore_status
must_own(const struct lore_spool *s, struct lore_err *err)
{
    return s->owned
               ? LORE_OK
               : lore_fail(err, LORE_INVALID, "%s: lore_spool_lock_drain comes first", s->path);
}

/* Remove segment AT if none of its bytes is needed. The caller holds the writers' lock. */
static bool
remove_segment(struct lore_spool *s, size_t at)
{
    struct lore_segment *g = &s->segments[at];
    char name[LORE_SEGMENT_NAME];
    struct stat sb;

    lore_store_name(g->first, name);
    if (fstatat(s->dir, name, &sb, AT_SYMLINK_NOFOLLOW) != 0 || (size_t)sb.st_size > g->scanned)
        return false;
    if (at + 1 == s->n) {
        if (g->scanned < KEEP_BYTES || lore_add_tail_find(s, NULL) != LORE_OK)
            return false;
        if (s->tail_first == g->first && lore_add_tail_roll(s, NULL) != LORE_OK)
            return false;
    }
    return lore_sent_keep(s, name) || unlinkat(s->dir, name, 0) == 0;
}

static void
remove_finished(struct lore_spool *s)
{
    bool removed = false;

    for (size_t i = 0; i < s->n;) {
        struct lore_segment *g = &s->segments[i];
        bool gone = false;

        if (g->left == 0 && lore_index_save(s, g) && lore_store_lock(s->lock, LOCK_EX)) {
            gone = remove_segment(s, i);
            (void)lore_store_lock(s->lock, LOCK_UN);
        }
        if (gone)
            lore_index_forget(s, i);
        else
            i++;
        removed = removed || gone;
    }
    if (removed)
        lore_done_compact(s);
}

/* Read the whole record of E into ARENA and check it again, because the disk may have changed since
 * it was indexed. */
static bool
read_entry(const struct lore_spool *s, int fd, const struct lore_spool_entry *e,
    struct lore_arena *arena, struct lore_spool_record *out)
{
    unsigned char *bytes = lore_alloc(arena, e->n);
    size_t got = 0;

    while (fd >= 0 && got < e->n) {
        ssize_t k = pread(fd, bytes + got, e->n - got, (off_t)(e->at + got));
        if (k < 0 && errno == EINTR)
            continue;
        if (k <= 0)
            return false;
        got += (size_t)k;
    }
    return got == e->n && lore_spool_record_at(s->key, bytes, e->n, out) && out->seq == e->seq;
}

static void
drop_damaged(struct lore_segment *g, struct lore_spool_entry *e)
{
    size_t at = (size_t)(e - g->entries);

    lore_index_damaged(g, e->at, e->n);
    g->left -= e->done ? 0 : 1;
    g->n--;
    memmove(e, e + 1, (g->n - at) * sizeof *e);
}

struct peek {
    struct lore_spool_item *items;
    size_t n, max, bytes, max_bytes;
    bool full;
};

static void
peek_segment(struct lore_spool *s, struct lore_segment *g, struct lore_arena *arena, struct peek *p)
{
    char name[LORE_SEGMENT_NAME];

    lore_store_name(g->first, name);
    int fd = lore_store_open(s, name, O_RDONLY);
    for (size_t k = 0; k < g->n && !p->full;) {
        struct lore_spool_entry *e = &g->entries[k];
        struct lore_spool_record r;
        size_t n = e->n - LORE_SPOOL_HEAD;

        p->full = !e->done && (p->n == p->max || (p->n > 0 && n > p->max_bytes - p->bytes));
        if (e->done || p->full) {
            k++;
            continue;
        }
        if (!read_entry(s, fd, e, arena, &r)) {
            drop_damaged(g, e);
            continue;
        }
        p->items[p->n++] = (struct lore_spool_item){r.seq, r.added_us, r.payload, r.n};
        p->bytes = n < p->max_bytes - p->bytes ? p->bytes + n : p->max_bytes;
        k++;
    }
    if (fd >= 0)
        close(fd);
}

enum lore_status
lore_spool_peek(struct lore_spool *s, struct lore_spool_limit limit, struct lore_arena *arena,
    struct lore_spool_item **items, size_t *n, struct lore_err *err)
{
    struct peek p = {.max = limit.items, .max_bytes = limit.bytes};
    enum lore_status status = must_own(s, err);

    if (status == LORE_OK)
        status = lore_index_refresh(s, err);
    if (status != LORE_OK)
        return status;
    remove_finished(s);
    p.items = lore_alloc_array(arena, p.max > 0 ? p.max : 1, sizeof *p.items);
    for (size_t i = 0; i < s->n && !p.full; i++) {
        if (s->segments[i].left > 0)
            peek_segment(s, &s->segments[i], arena, &p);
    }
    /* Log the highest number before sending: the segments may be damaged before the receipt
     * arrives, and no number may be used twice. If the log cannot be written, only the segments
     * preserve the number. */
    if (p.n > 0 && p.items[p.n - 1].seq > s->high &&
        lore_done_append(s, 'h', &p.items[p.n - 1].seq, 1, NULL) != LORE_OK)
        s->high = p.items[p.n - 1].seq;
    *items = p.items;
    *n = p.n;
    return LORE_OK;
}

enum lore_status
lore_spool_done(struct lore_spool *s, const uint64_t *seqs, size_t n, struct lore_err *err)
{
    enum lore_status status = must_own(s, err);
    struct lore_segment *g;

    if (status != LORE_OK || n == 0)
        return status;
    status = lore_done_append(s, 'd', seqs, n, err);
    /* Continue even if the log failed. This process must not send the records again, and removing
     * segments frees space on a full disk. */
    for (size_t i = 0; i < n; i++) {
        struct lore_spool_entry *e = lore_spool_index_find(s, seqs[i], &g);
        if (e && !e->done) {
            e->done = true;
            g->left--;
        }
    }
    remove_finished(s);
    return status;
}

enum lore_status
lore_spool_set_aside(struct lore_spool *s, uint64_t seq, const char *why, struct lore_err *err)
{
    char name[64];
    struct lore_arena arena = {0};
    struct lore_spool_record r;
    struct lore_segment *g = NULL;
    enum lore_status status = must_own(s, err);
    struct lore_spool_entry *e = status == LORE_OK ? lore_spool_index_find(s, seq, &g) : NULL;

    if (status != LORE_OK)
        return status;
    if (!e || e->done)
        return lore_fail(err, LORE_NOTFOUND, "%s: no record %" PRIu64 " waits", s->path, seq);
    lore_store_name(g->first, name);
    int fd = lore_store_open(s, name, O_RDONLY);
    if (!read_entry(s, fd, e, &arena, &r)) {
        drop_damaged(g, e);
        status = lore_fail(err, LORE_CORRUPT, "%s: record %" PRIu64 " is damaged", s->path, seq);
    }
    if (fd >= 0)
        close(fd);
    snprintf(name, sizeof name, "%" PRIu64 ".why", seq);
    if (status == LORE_OK)
        status = lore_store_put(s, "dead", name, why, strlen(why), err);
    snprintf(name, sizeof name, "%" PRIu64 ".json", seq);
    if (status == LORE_OK)
        status = lore_store_put(s, "dead", name, r.payload, r.n, err);
    lore_arena_free(&arena);
    return status == LORE_OK ? lore_spool_done(s, &seq, 1, err) : status;
}

enum lore_status
lore_spool_stats(struct lore_spool *s, struct lore_spool_stats *out, struct lore_err *err)
{
    struct lore_spool_stats t = {0};
    enum lore_status status = LORE_OK;
    uint64_t bytes;

    if (!s->owned) {
        lore_index_drop(s);
        status = lore_done_load(s, err);
    }
    if (status == LORE_OK)
        status = lore_index_refresh(s, err);
    if (status != LORE_OK)
        return status;
    t.next_seq = s->high >= s->next ? s->high + 1 : s->next;
    for (size_t i = 0; i < s->n; i++) {
        const struct lore_segment *g = &s->segments[i];
        if (t.next_seq < g->first)
            t.next_seq = g->first;
        for (size_t k = 0; k < g->n; k++) {
            const struct lore_spool_entry *e = &g->entries[k];
            if (t.next_seq <= e->seq)
                t.next_seq = e->seq + 1;
            if (e->done)
                continue;
            t.waiting++;
            t.waiting_bytes += e->n - LORE_SPOOL_HEAD;
            if (t.oldest_us == 0 || e->added_us < t.oldest_us)
                t.oldest_us = e->added_us;
        }
    }
    lore_store_count(s, "dead", &t.dead, &bytes);
    t.dead /= 2; /* a record and its reason */
    lore_store_count(s, "damaged", &t.damaged, &bytes);
    t.damaged += lore_index_unsaved(s);
    *out = t;
    return LORE_OK;
}

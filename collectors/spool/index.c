/* The drainer's index of the segments: the position of each whole record and whether it is
 * finished. Each byte is scanned once. The newest segment is scanned under the writers' lock, so
 * that a half-written record is not taken for damage. */
#include "collectors/spool/spool_index.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/xalloc.h"

static void
free_segment(struct lore_segment *g)
{
    lore_xfree(g->entries);
    lore_xfree(g->spans);
}

void
lore_index_drop(struct lore_spool *s)
{
    for (size_t i = 0; i < s->n; i++)
        free_segment(&s->segments[i]);
    lore_xfree(s->segments);
    s->segments = NULL;
    s->n = s->cap = 0;
}

void
lore_index_forget(struct lore_spool *s, size_t segment)
{
    free_segment(&s->segments[segment]);
    s->n--;
    memmove(
        s->segments + segment, s->segments + segment + 1, (s->n - segment) * sizeof *s->segments);
}

/* The first entry that is not below SEQ. */
static size_t
entry_from(const struct lore_segment *g, uint64_t seq)
{
    size_t low = 0, high = g->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (g->entries[mid].seq < seq)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

struct lore_spool_entry *
lore_spool_index_find(const struct lore_spool *s, uint64_t seq, struct lore_segment **segment)
{
    for (size_t i = 0; i < s->n; i++) {
        struct lore_segment *g = &s->segments[i];
        size_t at = entry_from(g, seq);
        if (at < g->n && g->entries[at].seq == seq) {
            *segment = g;
            return &g->entries[at];
        }
    }
    return NULL;
}

/* Ignore a record that is already indexed: a faulty disk can write a valid copy over another
 * record. */
static void
insert(const struct lore_spool *s, struct lore_segment *g, const struct lore_spool_entry *e)
{
    size_t at = entry_from(g, e->seq);

    if (at < g->n && g->entries[at].seq == e->seq)
        return;
    if (g->n == g->cap) {
        g->cap = g->cap ? 2 * g->cap : 64;
        g->entries = lore_xrealloc(g->entries, g->cap * sizeof *g->entries);
    }
    memmove(g->entries + at + 1, g->entries + at, (g->n - at) * sizeof *g->entries);
    g->entries[at] = *e;
    g->entries[at].done = lore_done_has(s, e->seq);
    g->n++;
    g->left += g->entries[at].done ? 0 : 1;
}

void
lore_index_damaged(struct lore_segment *g, size_t at, size_t n)
{
    if (g->n_spans == g->cap_spans) {
        g->cap_spans = g->cap_spans ? 2 * g->cap_spans : 8;
        g->spans = lore_xrealloc(g->spans, g->cap_spans * sizeof *g->spans);
    }
    g->spans[g->n_spans++] = (struct lore_span){.at = at, .n = n};
}

static void
span_name(const struct lore_segment *g, const struct lore_span *p, char out[80])
{
    snprintf(out, 80, "%016" PRIx64 "-%zu-%zu", g->first, p->at, p->n);
}

static void
save_span(const struct lore_spool *s, const struct lore_segment *g, struct lore_span *p, int fd)
{
    unsigned char *bytes = lore_store_read(fd, p->at, p->n, true);
    char name[80];

    span_name(g, p, name);
    /* bytes that no longer exist cannot be saved */
    p->saved =
        bytes ? lore_store_put(s, "damaged", name, bytes, p->n, NULL) == LORE_OK : errno == ENODATA;
    lore_xfree(bytes);
}

bool
lore_index_save(const struct lore_spool *s, struct lore_segment *g)
{
    char name[LORE_SEGMENT_NAME];
    bool all = true;
    int fd = -1;

    for (size_t i = 0; i < g->n_spans; i++) {
        if (g->spans[i].saved)
            continue;
        if (fd < 0) {
            lore_store_name(g->first, name);
            fd = lore_store_open(s, name, O_RDONLY);
        }
        if (fd >= 0)
            save_span(s, g, &g->spans[i], fd);
        all = all && g->spans[i].saved;
    }
    if (fd >= 0)
        close(fd);
    return all;
}

size_t
lore_index_unsaved(const struct lore_spool *s)
{
    char name[96] = "damaged/";
    struct stat sb;
    size_t n = 0;

    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->segments[i].n_spans; k++) {
            span_name(&s->segments[i], &s->segments[i].spans[k], name + strlen("damaged/"));
            n += fstatat(s->dir, name, &sb, AT_SYMLINK_NOFOLLOW) != 0;
        }
    }
    return n;
}

static void
scan_bytes(const struct lore_spool *s, struct lore_segment *g, const unsigned char *bytes, size_t n)
{
    struct lore_spool_step step;

    for (size_t at = 0; at < n; at += step.n) {
        lore_spool_next(s->key, bytes, n, at, &step);
        if (!step.whole) {
            lore_index_damaged(g, g->scanned + at, step.n);
            continue;
        }
        struct lore_spool_entry e = {.seq = step.record.seq,
            .added_us = step.record.added_us,
            .at = g->scanned + at,
            .n = step.n};
        insert(s, g, &e);
    }
}

static enum lore_status
scan_segment(const struct lore_spool *s, struct lore_segment *g, struct lore_err *err)
{
    char name[LORE_SEGMENT_NAME];
    unsigned char *bytes = NULL;
    enum lore_status status = LORE_OK;
    size_t n = 0;
    struct stat sb;

    lore_store_name(g->first, name);
    int fd = lore_store_open(s, name, O_RDONLY);
    if (fd < 0 && errno == ENOENT)
        return LORE_OK; /* removed by the draining process */
    if (fd < 0 || fstat(fd, &sb) != 0) {
        status = lore_store_fail(s, name, err);
    } else if ((size_t)sb.st_size > g->scanned) {
        n = (size_t)sb.st_size - g->scanned;
        bytes = lore_store_read(fd, g->scanned, n, true);
        status = bytes ? LORE_OK : lore_store_fail(s, name, err);
    }
    if (fd >= 0)
        close(fd);
    if (bytes)
        scan_bytes(s, g, bytes, n);
    lore_xfree(bytes);
    if (status != LORE_OK)
        return status;
    g->scanned += n;
    if (s->owned)
        (void)lore_index_save(s, g);
    return LORE_OK;
}

/* Make the index hold exactly the segments NUMBERS[N], both ascending. */
static void
match_segments(struct lore_spool *s, const uint64_t *numbers, size_t n)
{
    size_t i = 0;

    for (size_t k = 0; k < n; k++) {
        while (i < s->n && s->segments[i].first < numbers[k])
            lore_index_forget(s, i);
        if (i == s->n || s->segments[i].first != numbers[k]) {
            if (s->n == s->cap) {
                s->cap = s->cap ? 2 * s->cap : 16;
                s->segments = lore_xrealloc(s->segments, s->cap * sizeof *s->segments);
            }
            memmove(s->segments + i + 1, s->segments + i, (s->n - i) * sizeof *s->segments);
            s->segments[i] = (struct lore_segment){.first = numbers[k]};
            s->n++;
        }
        i++;
    }
    while (s->n > i)
        lore_index_forget(s, i);
}

enum lore_status
lore_index_refresh(struct lore_spool *s, struct lore_err *err)
{
    uint64_t *numbers = NULL;
    size_t n = 0;

    if (!lore_store_lock(s->lock, LOCK_EX))
        return lore_store_fail(s, "lock", err);
    enum lore_status status = lore_store_list(s, &numbers, &n, err);
    if (status == LORE_OK) {
        match_segments(s, numbers, n);
        if (s->n > 0)
            status = scan_segment(s, &s->segments[s->n - 1], err);
    }
    (void)lore_store_lock(s->lock, LOCK_UN);
    lore_xfree(numbers);
    for (size_t i = 0; i + 1 < s->n && status == LORE_OK; i++)
        status = scan_segment(s, &s->segments[i], err);
    return status;
}

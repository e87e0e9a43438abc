/* The heads of the frames are followed through the file, and only the ties' contents are read: a
 * program without ranges has none. */
#include "collectors/run/trace_ties.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service/base/xalloc.h"

/* Read N bytes at OFFSET; false: they are not there. */
static bool
bytes_at(const struct lore_trace_bytes *from, uint64_t offset, void *out, size_t n)
{
    size_t got = 0;

    if (offset > from->size || n > from->size - offset)
        return false;
    if (from->p) {
        memcpy(out, from->p + offset, n);
        return true;
    }
    while (got < n) {
        ssize_t part = pread(from->fd, (char *)out + got, n - got, (off_t)(offset + got));
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        got += (size_t)part;
    }
    return true;
}

static bool
make_room(struct lore_trace_ties *t, size_t n)
{
    size_t cap = t->cap ? t->cap : 1024;

    if (n > LORE_TRACE_MOST_TIES - t->n)
        return false;
    while (cap < t->n + n)
        cap *= 2;
    if (cap != t->cap)
        t->v = lore_xrealloc(t->v, cap * sizeof *t->v);
    t->cap = cap;
    return true;
}

static int
by_call(const void *a, const void *b)
{
    const struct lore_cap_tie *x = a, *y = b;

    return (x->call > y->call) - (x->call < y->call);
}

static void
sort(struct lore_trace_ties *t)
{
    bool sorted = true;

    for (size_t i = 1; i < t->n && sorted; i++)
        sorted = t->v[i - 1].call <= t->v[i].call;
    if (!sorted) /* threads' records come in buffers of their own */
        qsort(t->v, t->n, sizeof *t->v, by_call);
}

void
lore_trace_ties_read(const struct lore_trace_bytes *from, struct lore_trace_ties *out)
{
    struct lore_cap_head h;
    uint64_t at = 0;

    memset(out, 0, sizeof *out);
    while (bytes_at(from, at, &h, sizeof h) && h.magic == LORE_CAP_MAGIC &&
           h.bytes <= LORE_CAP_FRAME_MAX) {
        size_t n = h.kind == LORE_CAP_TIES ? h.bytes / sizeof *out->v : 0;
        if (n > 0 && !make_room(out, n))
            out->left_out += n;
        else if (n > 0 && bytes_at(from, at + sizeof h, out->v + out->n, n * sizeof *out->v))
            out->n += n;
        at += sizeof h + ((h.bytes + 7) & ~(uint64_t)7);
    }
    sort(out);
}

void
lore_trace_ties_free(struct lore_trace_ties *t)
{
    lore_xfree(t->v);
    memset(t, 0, sizeof *t);
}

uint32_t
lore_trace_ties_find(const struct lore_trace_ties *t, uint32_t call)
{
    size_t low = 0, high = t->n;

    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (t->v[mid].call < call)
            low = mid + 1;
        else
            high = mid;
    }
    return low < t->n && t->v[low].call == call ? t->v[low].range : 0;
}

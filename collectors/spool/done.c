/* The drainer's log of delivered records. An entry has 16 bytes: u64 seq and a keyed SipHash over
 * kind and seq; it is appended and synced. A damaged entry is skipped; its record is sent again and
 * the service answers "duplicate". Entries are needed only while their segment exists, so the log
 * is compacted from time to time. */
#include "collectors/spool/spool_index.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/base/xalloc.h"

enum { ENTRY = 16, COMPACT_FROM = 2048 };

static void
encode(const struct lore_spool *s, char kind, uint64_t seq, unsigned char out[ENTRY])
{
    unsigned char hashed[9] = {(unsigned char)kind};

    for (size_t i = 0; i < 8; i++)
        out[i] = hashed[i + 1] = (unsigned char)(seq >> (8 * i));
    crypto_shorthash(out + 8, hashed, sizeof hashed, s->key);
}

/* The kind of the entry, or 0. */
static char
decode(const struct lore_spool *s, const unsigned char *p, uint64_t *seq)
{
    unsigned char want[ENTRY];

    *seq = 0;
    for (size_t i = 8; i > 0; i--)
        *seq = *seq << 8 | p[i - 1];
    for (const char *kind = "dh"; *kind; kind++) {
        encode(s, *kind, *seq, want);
        if (memcmp(want, p, ENTRY) == 0)
            return *kind;
    }
    return 0;
}

static int
by_seq(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

bool
lore_done_has(const struct lore_spool *s, uint64_t seq)
{
    return s->n_done > 0 && bsearch(&seq, s->done, s->n_done, sizeof seq, by_seq);
}

static void
read_entries(struct lore_spool *s, const unsigned char *bytes, size_t n)
{
    uint64_t seq;

    for (size_t at = 0; at + ENTRY <= n; at += ENTRY) {
        char kind = decode(s, bytes + at, &seq);
        if (kind && seq > s->high)
            s->high = seq;
        if (kind != 'd')
            continue;
        if (s->n_done == s->cap_done) {
            s->cap_done = s->cap_done ? 2 * s->cap_done : 1024;
            s->done = lore_xrealloc(s->done, s->cap_done * sizeof *s->done);
        }
        s->done[s->n_done++] = seq;
    }
    if (s->n_done > 0)
        qsort(s->done, s->n_done, sizeof *s->done, by_seq);
}

enum lore_status
lore_done_load(struct lore_spool *s, struct lore_err *err)
{
    int fd = lore_store_open(s, "done", O_RDONLY);
    unsigned char *bytes = NULL;
    struct stat sb;

    s->n_done = s->log_end = 0;
    if (fd < 0 && errno == ENOENT)
        return LORE_OK;
    if (fd >= 0 && fstat(fd, &sb) == 0)
        bytes = lore_store_read(fd, 0, (size_t)sb.st_size, true);
    enum lore_status status = bytes ? LORE_OK : lore_store_fail(s, "done", err);
    if (fd >= 0)
        close(fd);
    if (status == LORE_OK) {
        read_entries(s, bytes, (size_t)sb.st_size);
        s->log_end = (size_t)sb.st_size / ENTRY * ENTRY;
    }
    lore_xfree(bytes);
    return status;
}

enum lore_status
lore_done_append(
    struct lore_spool *s, char kind, const uint64_t *seqs, size_t n, struct lore_err *err)
{
    unsigned char *bytes = lore_xalloc(n * ENTRY + 1);
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < n; i++) {
        encode(s, kind, seqs[i], bytes + i * ENTRY);
        if (seqs[i] > s->high)
            s->high = seqs[i];
    }
    if (lore_store_write(s->log, bytes, n * ENTRY, s->log_end) && fdatasync(s->log) == 0)
        s->log_end += n * ENTRY;
    else
        status = lore_store_fail(s, "done", err);
    lore_xfree(bytes);
    return status;
}

/* Encode the highest number, then the entries of existing segments. Free *OUT with lore_xfree. */
static size_t
needed(const struct lore_spool *s, unsigned char **out)
{
    size_t n = 1;

    for (size_t i = 0; i < s->n; i++)
        n += s->segments[i].n - s->segments[i].left;
    *out = lore_xalloc(n * ENTRY);
    encode(s, 'h', s->high, *out);
    n = 1;
    for (size_t i = 0; i < s->n; i++) {
        for (size_t k = 0; k < s->segments[i].n; k++) {
            if (s->segments[i].entries[k].done)
                encode(s, 'd', s->segments[i].entries[k].seq, *out + n++ * ENTRY);
        }
    }
    return n;
}

enum lore_status
lore_done_rewrite(struct lore_spool *s, struct lore_err *err)
{
    unsigned char *bytes;
    size_t n = needed(s, &bytes);
    enum lore_status status = lore_store_put(s, "", "done", bytes, n * ENTRY, err);
    int fd = status == LORE_OK ? lore_store_open(s, "done", O_RDWR) : -1;

    if (fd >= 0) {
        close(s->log);
        s->log = fd;
        s->log_end = n * ENTRY;
    } else if (status == LORE_OK) {
        status = lore_store_fail(s, "done", err);
    }
    lore_xfree(bytes);
    return status;
}

void
lore_done_compact(struct lore_spool *s)
{
    size_t n = 1;

    if (s->log_end < COMPACT_FROM * ENTRY)
        return;
    for (size_t i = 0; i < s->n; i++)
        n += s->segments[i].n - s->segments[i].left;
    /* the removal of segments must be on disk before their entries are dropped */
    if (n * ENTRY * 2 < s->log_end && fsync(s->dir) == 0)
        (void)!lore_done_rewrite(s, NULL);
}

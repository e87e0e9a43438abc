// uses: journal
/* Any bytes as a segment: the scan ends within them, and a record that is read has the hash that it
 * states. Then the same bytes choose what is damaged in a segment of good groups: only the last
 * group may be cut, and no entry is found that was not written. */
#include <stdlib.h>
#include <string.h>

#include "service/journal/entry.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

enum { GROUPS = 6, EACH = 2, ENTRIES = GROUPS * EACH };

struct good {
    struct lore_buf bytes;
    size_t ends[ENTRIES + 1];
    unsigned char hash[ENTRIES + 1][LORE_HASH_BYTES];
};

static void
make(struct good *g)
{
    char mark[LORE_SEGMENT_MARK] = "a mark of a test", head[LORE_SEGMENT_HEAD];

    lore_segment_head(mark, head);
    lore_buf_add(&g->bytes, head, sizeof head);
    g->ends[0] = g->bytes.len;
    for (int i = 0; i < ENTRIES; i++) {
        struct lore_journal_entry e = {.seq = i + 1,
            .first = i / EACH * EACH + 1,
            .kind = "document",
            .actor = "ann",
            .owner = "",
            .node = "a",
            .body = "some bytes of a body",
            .len = (size_t)i};

        memcpy(e.previous, g->hash[i], sizeof e.previous);
        lore_journal_entry_seal(&e);
        memcpy(g->hash[i + 1], e.hash, sizeof e.hash);
        lore_journal_entry_write(&e, mark, &g->bytes);
        g->ends[i + 1] = g->bytes.len;
    }
}

/* Three bytes of the input change one byte of the segment; the last two cut it. */
static size_t
spoil(struct lore_buf *copy, const unsigned char *data, size_t size, size_t *first_bad)
{
    size_t n = copy->len;

    *first_bad = n;
    for (; size >= 5; data += 3, size -= 3) {
        size_t at = ((size_t)data[0] << 8 | data[1]) % copy->len;

        if (data[2] != 0 && at < *first_bad)
            *first_bad = at;
        copy->data[at] ^= (char)data[2];
    }
    return size >= 2 ? n - ((size_t)data[0] << 8 | data[1]) % n : n;
}

static void
check_spoiled(const unsigned char *data, size_t size)
{
    struct good g = {0};
    struct lore_segment_scan s;
    LORE_BUF copy = {0};
    size_t bad, n;
    int whole = 0;

    make(&g);
    lore_buf_add(&copy, g.bytes.data, g.bytes.len);
    n = spoil(&copy, data, size, &bad);
    while (whole < ENTRIES && g.ends[whole + 1] <= n &&
           memcmp(copy.data, g.bytes.data, g.ends[whole + 1]) == 0)
        whole++;
    lore_segment_scan(copy.data, n, 1, &s);
    if (n >= LORE_SEGMENT_HEAD && memcmp(copy.data, g.bytes.data, LORE_SEGMENT_HEAD) == 0) {
        if (s.seq != whole || memcmp(s.hash, g.hash[whole], whole ? sizeof s.hash : 0) != 0 ||
            s.end != g.ends[whole] || s.torn != (n > s.end))
            abort();
        /* a whole entry of a later group follows */
        for (int i = whole + 1; i < ENTRIES; i++)
            if (g.ends[i + 1] <= n && i / EACH * EACH > whole && !s.damaged &&
                memcmp(copy.data + g.ends[i], g.bytes.data + g.ends[i],
                    g.ends[i + 1] - g.ends[i]) == 0)
                abort();
    } else if (n > LORE_SEGMENT_HEAD && !s.damaged) {
        abort();
    }
    lore_buf_free(&g.bytes);
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_segment_scan s;
    struct lore_journal_entry e, again;
    size_t n;

    lore_segment_scan((const char *)data, size, 1, &s);
    if (s.end > size)
        abort();
    if (size > LORE_SEGMENT_MARK) {
        n = lore_journal_entry_read((const char *)data, size, (const char *)data, &e);
        again = e;
        if (n > size)
            abort();
        if (n > 0) {
            lore_journal_entry_seal(&again);
            if (memcmp(again.hash, e.hash, sizeof e.hash) != 0)
                abort();
        }
    }
    check_spoiled(data, size);
    return 0;
}

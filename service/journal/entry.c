/* The form of an entry: what its hash covers, and its record in a segment file. Reading checks
 * every length against the bytes that are there, because a segment may be damaged anywhere. */
#include "service/journal/entry.h"

#include <inttypes.h>
#include <string.h>

#define HEADER_MAX 4096
#define NUMBERS 25                                          /* bytes: three numbers and the flag */
#define FRAME (LORE_SEGMENT_MARK + 4 + 8 + LORE_HASH_BYTES) /* bytes before the header */

static void
add_number(struct lore_buf *out, uint64_t v, int bytes)
{
    for (int i = 0; i < bytes; i++)
        lore_buf_putc(out, (char)(v >> 8 * i & 0xff));
}

static uint64_t
number(const char *p, int bytes)
{
    uint64_t v = 0;

    for (int i = bytes - 1; i >= 0; i--)
        v = v << 8 | (unsigned char)p[i];
    return v;
}

void
lore_journal_entry_header(const struct lore_journal_entry *e, struct lore_buf *out)
{
    const char *const texts[] = {e->kind, e->actor, e->owner, e->node};

    add_number(out, (uint64_t)e->seq, 8);
    add_number(out, (uint64_t)e->first, 8);
    add_number(out, (uint64_t)e->at_us, 8);
    lore_buf_putc(out, e->curator ? 1 : 0);
    for (size_t i = 0; i < 4; i++)
        lore_buf_add(out, texts[i] ? texts[i] : "", texts[i] ? strlen(texts[i]) + 1 : 1);
}

static void
hash_of(const struct lore_journal_entry *e, const char *header, size_t n, unsigned char out[])
{
    static const char name[] = "warplore-journal-v1";
    struct lore_hasher h;

    lore_hash_begin(&h);
    lore_hash_add(&h, name, sizeof name);
    lore_hash_add(&h, e->previous, sizeof e->previous);
    lore_hash_add(&h, header, n);
    lore_hash_add(&h, e->body, e->len);
    lore_hash_end(&h, out);
}

void
lore_journal_entry_seal(struct lore_journal_entry *e)
{
    LORE_BUF header = {.max = HEADER_MAX};

    lore_journal_entry_header(e, &header);
    hash_of(e, header.data, header.len, e->hash);
}

enum lore_status
lore_journal_entry_follows(const struct lore_journal_entry *e, int64_t seq,
    const unsigned char hash[LORE_HASH_BYTES], struct lore_err *err)
{
    struct lore_journal_entry again = *e;

    lore_journal_entry_seal(&again);
    if (e->seq != seq + 1 || memcmp(e->previous, hash, LORE_HASH_BYTES) != 0)
        return lore_fail_at(err, LORE_CORRUPT, "journal_broken", "",
            "journal entry %" PRId64 " does not follow entry %" PRId64, e->seq, seq);
    if (memcmp(again.hash, e->hash, LORE_HASH_BYTES) != 0)
        return lore_fail_at(err, LORE_CORRUPT, "journal_damaged", "",
            "journal entry %" PRId64 " is damaged: its hash does not fit", e->seq);
    return LORE_OK;
}

void
lore_journal_entry_write(
    const struct lore_journal_entry *e, const char mark[LORE_SEGMENT_MARK], struct lore_buf *out)
{
    LORE_BUF header = {.max = HEADER_MAX};

    lore_journal_entry_header(e, &header);
    lore_buf_add(out, mark, LORE_SEGMENT_MARK);
    add_number(out, header.len, 4);
    add_number(out, e->len, 8);
    lore_buf_add(out, e->previous, sizeof e->previous);
    lore_buf_add(out, header.data, header.len);
    lore_buf_add(out, e->body, e->len);
    lore_buf_add(out, e->hash, sizeof e->hash);
}

/* Point the texts of E into the N bytes at P; false unless they are exactly four. */
static bool
read_texts(const char *p, size_t n, struct lore_journal_entry *e)
{
    const char **const texts[] = {&e->kind, &e->actor, &e->owner, &e->node};

    for (size_t i = 0; i < 4; i++) {
        const char *end = n > 0 ? memchr(p, '\0', n) : NULL;

        if (!end)
            return false;
        *texts[i] = p;
        n -= (size_t)(end - p) + 1;
        p = end + 1;
    }
    return n == 0;
}

size_t
lore_journal_entry_read(
    const char *p, size_t n, const char mark[LORE_SEGMENT_MARK], struct lore_journal_entry *out)
{
    struct lore_journal_entry e = {0};
    unsigned char hash[LORE_HASH_BYTES];
    uint64_t header, body;

    if (n < FRAME || memcmp(p, mark, LORE_SEGMENT_MARK) != 0)
        return 0;
    header = number(p + LORE_SEGMENT_MARK, 4);
    body = number(p + LORE_SEGMENT_MARK + 4, 8);
    if (header < NUMBERS || header > HEADER_MAX || body > LORE_ENTRY_BODY_MAX ||
        n < FRAME + header + body + LORE_HASH_BYTES)
        return 0;
    memcpy(e.previous, p + LORE_SEGMENT_MARK + 12, LORE_HASH_BYTES);
    p += FRAME;
    e.seq = (int64_t)number(p, 8);
    e.first = (int64_t)number(p + 8, 8);
    e.at_us = (int64_t)number(p + 16, 8);
    e.curator = p[24] == 1;
    if (!read_texts(p + NUMBERS, header - NUMBERS, &e))
        return 0;
    e.body = p + header;
    e.len = body;
    hash_of(&e, p, header, hash);
    memcpy(e.hash, p + header + body, LORE_HASH_BYTES);
    if (memcmp(hash, e.hash, LORE_HASH_BYTES) != 0)
        return 0;
    *out = e;
    return FRAME + header + body + LORE_HASH_BYTES;
}

/* Whether a record of a group after entry SEQ begins within the N bytes at P. */
static bool
has_later_group(const char *p, size_t n, const char mark[LORE_SEGMENT_MARK], int64_t seq)
{
    const char *end = p + n;
    struct lore_journal_entry e;

    for (; (p = memmem(p, (size_t)(end - p), mark, LORE_SEGMENT_MARK)) != NULL; p++)
        if (lore_journal_entry_read(p, (size_t)(end - p), mark, &e) > 0 && e.first > seq + 1)
            return true;
    return false;
}

void
lore_segment_head(const char mark[LORE_SEGMENT_MARK], char out[LORE_SEGMENT_HEAD])
{
    const size_t n = LORE_SEGMENT_NAME + LORE_SEGMENT_MARK;

    memcpy(out, "warplore-journal", LORE_SEGMENT_NAME);
    memcpy(out + LORE_SEGMENT_NAME, mark, LORE_SEGMENT_MARK);
    lore_hash(out, n, (unsigned char *)out + n);
}

void
lore_segment_scan(const char *text, size_t len, int64_t first, struct lore_segment_scan *out)
{
    const char *mark = text + LORE_SEGMENT_NAME;
    char head[LORE_SEGMENT_HEAD];
    struct lore_journal_entry e;

    *out = (struct lore_segment_scan){.seq = first - 1, .end = LORE_SEGMENT_HEAD};
    if (len >= LORE_SEGMENT_HEAD)
        lore_segment_head(mark, head);
    if (len < LORE_SEGMENT_HEAD || memcmp(text, head, sizeof head) != 0) {
        /* the head is on disk before the first record is written */
        out->torn = true;
        out->damaged = len > LORE_SEGMENT_HEAD;
        out->end = 0;
        return;
    }
    for (size_t n; out->end < len; out->end += n) {
        n = lore_journal_entry_read(text + out->end, len - out->end, mark, &e);
        if (n == 0 || e.seq != out->seq + 1)
            break;
        out->seq = e.seq;
        memcpy(out->hash, e.hash, sizeof e.hash);
    }
    out->torn = out->end < len;
    out->damaged = out->torn && has_later_group(text + out->end, len - out->end, mark, out->seq);
}

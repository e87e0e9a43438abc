/* One entry of the journal and its form on disk (entry.c). The hash of an entry covers the hash of
 * the entry before it, so entries cannot be edited, removed or reordered unnoticed. */
#ifndef LORE_JOURNAL_ENTRY_H
#define LORE_JOURNAL_ENTRY_H

#include <stdint.h>

#include "service/base/buf.h"
#include "service/base/hash.h"

/* Bytes of a body: a packed submission needs less, other bodies are small. */
#define LORE_ENTRY_BODY_MAX ((size_t)64 << 20)

struct lore_journal_entry {
    int64_t seq, first; /* 1, 2, 3 …; the entries before FIRST were durable before this one */
    int64_t at_us;      /* when it was acknowledged, by the clock of the node */
    unsigned char previous[LORE_HASH_BYTES], hash[LORE_HASH_BYTES];
    const char *kind, *actor, *owner, *node; /* "" for none */
    bool curator;                            /* the actor may decide about all records */
    const void *body;
    size_t len;
};

/* The last entry: its seq and hash. 0 and zeroes for an empty journal. */
struct lore_journal_head {
    int64_t seq;
    unsigned char hash[LORE_HASH_BYTES];
};
/* What a reader of entries does with each, and which it reads: those behind AFTER, at most MOST (0:
 * all). */
typedef enum lore_status
lore_journal_fn(void *ctx, const struct lore_journal_entry *e, struct lore_err *err);
struct lore_journal_part {
    struct lore_journal_head after;
    size_t most;
};

/* The bytes that the hash covers beside the previous hash and the body: seq, first and at_us as
 * little-endian 64 bit, a byte for curator, then kind, actor, owner and node, each with its NUL. */
void lore_journal_entry_header(const struct lore_journal_entry *e, struct lore_buf *out);
/* Set the hash of E from its other members. */
void lore_journal_entry_seal(struct lore_journal_entry *e);
/* LORE_CORRUPT naming the seq unless E has its right hash and follows SEQ and HASH. */
enum lore_status lore_journal_entry_follows(const struct lore_journal_entry *e, int64_t seq,
    const unsigned char hash[LORE_HASH_BYTES], struct lore_err *err) LORE_MUST;

/* A segment file begins with a name, a random mark and the hash of both. The mark begins every
 * record of the file. A sender cannot guess it, so no submission can look like a record. */
#define LORE_SEGMENT_NAME 16
#define LORE_SEGMENT_MARK 16
#define LORE_SEGMENT_HEAD (LORE_SEGMENT_NAME + LORE_SEGMENT_MARK + LORE_HASH_BYTES)
void lore_segment_head(const char mark[LORE_SEGMENT_MARK], char out[LORE_SEGMENT_HEAD]);
/* Append E as a record: MARK, bytes of the header (32 bit), bytes of the body (64 bit), previous,
 * header, body, hash. */
void lore_journal_entry_write(
    const struct lore_journal_entry *e, const char mark[LORE_SEGMENT_MARK], struct lore_buf *out);
/* Read the record at P, of which N bytes are there. The texts and the body of *out point into P.
 * Returns the bytes of the record; 0: no whole record with a right hash is there. */
size_t lore_journal_entry_read(
    const char *p, size_t n, const char mark[LORE_SEGMENT_MARK], struct lore_journal_entry *out);

/* What the LEN bytes of a segment file hold that should begin with the entry FIRST. */
struct lore_segment_scan {
    int64_t seq; /* the last whole entry; FIRST - 1: there is none */
    unsigned char hash[LORE_HASH_BYTES];
    size_t end;   /* offset behind it */
    bool torn;    /* bytes follow that are no whole group; they were not acknowledged */
    bool damaged; /* a later group follows the bad bytes, or the head of the file is bad */
};
void lore_segment_scan(const char *text, size_t len, int64_t first, struct lore_segment_scan *out);

#endif

/* Reads the content of a file from its beginning, unpacked, without holding all of it. A reader
 * looks at the unread bytes [at, at + n), asks for more behind them, and skips what it has read. A
 * file in memory is there as a whole from the start, so one reader serves both. */
#ifndef LORE_IMPORT_STREAM_H
#define LORE_IMPORT_STREAM_H

#include <stdbool.h>

#include "collectors/import/bytes.h"

/* The most unread bytes that a stream holds: the longest record of a file. A document of an export
 * has at most 48 MiB. */
#define LORE_STREAM_WINDOW ((size_t)64 << 20)

struct lore_stream {
    const char *at; /* the unread bytes; a NUL follows them. Valid until the next call */
    size_t n;
    bool ended;          /* the unread bytes are the last ones */
    uint64_t offset;     /* position of `at` in the content */
    struct lore_err err; /* why reading stopped; status LORE_OK: it did not stop */
    void (*tick)(void *context, uint64_t raw); /* told about RAW bytes more; NULL: nobody is */
    void *context;
    struct lore_stream_state *state; /* private */
};
/* Open the bytes FROM, which must outlive S. PACKED: they are one compressed file. */
enum lore_status lore_stream_open(struct lore_stream *s, const struct lore_bytes *from, bool packed,
    struct lore_err *err) LORE_MUST;
/* Read more bytes behind the unread ones, which may move. False at the end, after a failure
 * (s->err) and when LORE_STREAM_WINDOW bytes are unread (LORE_TOOBIG). */
bool lore_stream_more(struct lore_stream *s);
/* Pass over the first N of the unread bytes. */
void lore_stream_skip(struct lore_stream *s, size_t n);
/* The next line, without its line break and passed over: *LEN bytes at *LINE, valid until the next
 * call. False at the end or after a failure. */
bool lore_stream_line(struct lore_stream *s, const char **line, size_t *len);
void lore_stream_close(struct lore_stream *s); /* a zeroed stream is fine */

#endif

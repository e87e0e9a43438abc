/* The part of a stream that a reader looks at: from its position up to as far as it has looked. A
 * reader finds the end of a record at some offset, uses the bytes in place, and moves on. */
#ifndef LORE_IMPORT_WINDOW_H
#define LORE_IMPORT_WINDOW_H

#include "collectors/import/feed.h"
#include "service/base/buf.h"

/* Longest record. The window grows to this size only for a file that has such records. */
#define LORE_WINDOW_MAX ((size_t)16 << 20)
#define LORE_WINDOW_DOCUMENT                                                                       \
    ((size_t)64 << 20) /* a line with a document of LORE_WIRE_MAX_BYTES                            \
                        */

struct lore_window {
    struct lore_feed feed;
    struct lore_buf buf;
    size_t max;          /* longest record; a reader may set another after opening */
    size_t pos;          /* where the window begins in buf */
    size_t line;         /* line of the position, from 1 */
    bool ended;          /* the stream has no more bytes */
    struct lore_err err; /* why the stream ended; status LORE_OK: at its end */
    bool begun;          /* the first piece was read */
    bool wide, swapped;  /* UTF-16, big-endian */
    char odd;            /* first byte of a UTF-16 unit that a piece cut */
    bool has_odd;
};

/* Read S from its first byte: S belongs to the window. A byte order mark is passed over, and text
 * in UTF-16 becomes UTF-8. */
void lore_window_open(struct lore_window *w, const struct lore_feed *s);
void lore_window_close(struct lore_window *w);
enum lore_status lore_window_rewind(struct lore_window *w, struct lore_err *err) LORE_MUST;
/* Read more. False at the end, and when the window has w->max bytes. */
bool lore_window_more(struct lore_window *w);
/* The byte OFFSET bytes behind the position; -1: there is none, see `ended`. */
static inline int
lore_window_at(struct lore_window *w, size_t offset)
{
    while (w->pos + offset >= w->buf.len)
        if (!lore_window_more(w))
            return -1;
    return (unsigned char)w->buf.data[w->pos + offset];
}
static inline const char *
lore_window_bytes(const struct lore_window *w)
{
    return w->buf.data + w->pos;
}
/* Move on by N bytes that have been looked at, and count their lines. */
void lore_window_pass(struct lore_window *w, size_t n);
/* The length without "\n" or "\r\n" of the line at the position, looking from FROM on; *whole is
 * the length with it. False: the line is longer than the window. At the end of the stream a line of
 * 0 bytes, *whole 0. */
bool lore_window_line(struct lore_window *w, size_t from, size_t *n, size_t *whole);
/* The next line, which is passed over: *N bytes at *TEXT, valid until the next call, and its
 * number. False at the end and after a failure (w->err). Of a line that is longer than the window,
 * *N is w->max and there is no text. */
bool lore_window_next_line(struct lore_window *w, const char **text, size_t *n, size_t *line);
/* Pass over the rest of a line that is longer than the window; return its length. */
size_t lore_window_pass_line(struct lore_window *w);

#endif

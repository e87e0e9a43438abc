/* A source of bytes: the content of a file, unpacked, whatever its size and wherever it lies.
 * Readers of rows and lines see only this, through a window (window.h). */
#ifndef LORE_IMPORT_FEED_H
#define LORE_IMPORT_FEED_H

#include "collectors/import/import.h"

struct lore_feed {
    /* Point *bytes to the next bytes, valid until the next call; *n is 0 at the end. LORE_IO,
     * LORE_INVALID, LORE_TOOBIG: they cannot be read; the message says why, without the name of the
     * file. */
    enum lore_status (*next)(
        struct lore_feed *s, const char **bytes, size_t *n, struct lore_err *err);
    /* Start again at the first byte. */
    enum lore_status (*rewind)(struct lore_feed *s, struct lore_err *err);
    void (*close)(struct lore_feed *s); /* NULL: nothing to close */
    void *source;                       /* what the functions read */
    const char *text;                   /* of a text in memory */
    size_t len, at;
    struct lore_import *in; /* is told how much was read; NULL: nobody is */
};

/* The LEN bytes of TEXT, which must outlive the feed. */
struct lore_feed lore_feed_text(const char *text, size_t len);
/* The bytes FROM, unpacked when they are a PACKED file. */
enum lore_status lore_feed_bytes(const struct lore_bytes *from, bool packed, struct lore_feed *out,
    struct lore_err *err) LORE_MUST;
/* The current file of IN: a copy of in->feed, its text when it is whole, else its bytes. */
enum lore_status
lore_feed_open(struct lore_import *in, struct lore_feed *out, struct lore_err *err) LORE_MUST;
void lore_feed_close(struct lore_feed *s); /* a zeroed feed is fine */

#endif

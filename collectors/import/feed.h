/* A source of bytes: the text of a file in memory, and whatever else can hand out its bytes in
 * order, twice: a file on the disk, a member of an archive. Readers of rows see only this. */
#ifndef LORE_IMPORT_FEED_H
#define LORE_IMPORT_FEED_H

#include "collectors/import/import.h"

struct lore_feed {
    /* Point *bytes to the next bytes, valid until the next call; *n is 0 at the end. LORE_IO,
     * LORE_CORRUPT: they cannot be read; the message says why, without the name of the file. */
    enum lore_status (*next)(
        struct lore_feed *s, const char **bytes, size_t *n, struct lore_err *err);
    /* Start again at the first byte. */
    enum lore_status (*rewind)(struct lore_feed *s, struct lore_err *err);
    void (*close)(struct lore_feed *s); /* NULL: nothing to close */
    void *source;                       /* what the functions read */
    const char *text;                   /* of a text in memory */
    size_t len, at;
};

/* The LEN bytes of TEXT, which must outlive the stream. */
struct lore_feed lore_feed_text(const char *text, size_t len);
/* The bytes of the current file of IN: a copy of in->feed, else its text. */
enum lore_status
lore_feed_open(const struct lore_import *in, struct lore_feed *out, struct lore_err *err) LORE_MUST;
void lore_feed_close(struct lore_feed *s);

#endif

/* Feeds over texts in memory, and over files and parts of files: see feed.h. */
#include "collectors/import/feed.h"

#include <string.h>
#include <unistd.h>

#include "collectors/import/unpack.h"
#include "service/base/xalloc.h"

/* Pieces of a text stay in the cache, because a caller copies them. */
enum { PIECE = 64 << 10, BLOCK = 256 << 10 };

static enum lore_status
next_of_text(struct lore_feed *s, const char **bytes, size_t *n, struct lore_err *err)
{
    (void)err;
    *bytes = s->text + s->at;
    *n = s->len - s->at < PIECE ? s->len - s->at : PIECE;
    s->at += *n;
    return LORE_OK;
}

static enum lore_status
rewind_text(struct lore_feed *s, struct lore_err *err)
{
    (void)err;
    s->at = 0;
    return LORE_OK;
}

struct lore_feed
lore_feed_text(const char *text, size_t len)
{
    return (struct lore_feed){
        .next = next_of_text, .rewind = rewind_text, .text = text, .len = len};
}

/* ---- files ---- */

struct file {
    struct lore_bytes from;
    bool opened, packed;
    uint64_t next;
    struct lore_unpacking *unpack; /* of a packed file */
    char block[BLOCK];
};

static enum lore_status
next_of_file(struct lore_feed *s, const char **bytes, size_t *n, struct lore_err *err)
{
    struct file *f = s->source;
    uint64_t before = f->unpack ? lore_unpack_raw(f->unpack) : f->next;
    enum lore_status status = f->unpack
                                  ? lore_unpack_read(f->unpack, f->block, BLOCK, n, err)
                                  : lore_bytes_read(&f->from, f->next, f->block, BLOCK, n, err);

    f->next += *n;
    *bytes = f->block;
    if (s->in && s->in->tick)
        s->in->tick(s->in, (f->unpack ? lore_unpack_raw(f->unpack) : f->next) - before);
    return status;
}

static enum lore_status
rewind_file(struct lore_feed *s, struct lore_err *err)
{
    struct file *f = s->source;

    f->next = 0;
    if (!f->packed)
        return LORE_OK;
    lore_unpack_close(f->unpack);
    f->unpack = NULL;
    enum lore_status status = lore_unpack_open(&f->from, false, &f->unpack, err);
    return status == LORE_OK ? lore_unpack_next(f->unpack, NULL, err) : status;
}

static void
close_file(struct lore_feed *s)
{
    struct file *f = s->source;

    lore_unpack_close(f->unpack);
    if (f->opened)
        (void)close(f->from.fd);
    lore_xfree(f);
}

enum lore_status
lore_feed_bytes(
    const struct lore_bytes *from, bool packed, struct lore_feed *out, struct lore_err *err)
{
    struct file *f = lore_xalloc(sizeof *f);

    f->from = *from;
    f->packed = packed;
    *out = (struct lore_feed){
        .next = next_of_file, .rewind = rewind_file, .close = close_file, .source = f};
    enum lore_status status = lore_bytes_open(&f->from, err);
    f->opened = status == LORE_OK && from->disk;
    if (status == LORE_OK)
        status = rewind_file(out, err);
    if (status != LORE_OK)
        lore_feed_close(out);
    return status;
}

enum lore_status
lore_feed_open(struct lore_import *in, struct lore_feed *out, struct lore_err *err)
{
    if (in->feed) {
        *out = *in->feed;
        return out->rewind(out, err);
    }
    if (!in->at || !in->text)
        return lore_fail(err, LORE_INVALID, "no file is open");
    if (in->at->whole || in->at->len > 0) {
        *out = lore_feed_text(in->text, in->at->len);
        return LORE_OK;
    }
    enum lore_status status = lore_feed_bytes(&in->at->from, in->at->packed, out, err);
    out->in = in;
    return status;
}

void
lore_feed_close(struct lore_feed *s)
{
    if (s->close)
        s->close(s);
    *s = (struct lore_feed){.len = 0};
}

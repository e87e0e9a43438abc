/* Feeds over texts in memory: see feed.h. */
#include "collectors/import/feed.h"

#include <string.h>

/* one piece; a caller copies it, so it should stay in the cache */
enum { PIECE = 64 << 10 };

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

enum lore_status
lore_feed_open(const struct lore_import *in, struct lore_feed *out, struct lore_err *err)
{
    if (in->feed) {
        *out = *in->feed;
        return out->rewind(out, err);
    }
    if (!in->at || !in->text)
        return lore_fail(err, LORE_INVALID, "no file is open");
    *out = lore_feed_text(in->text, in->at->len);
    return LORE_OK;
}

void
lore_feed_close(struct lore_feed *s)
{
    if (s->close)
        s->close(s);
    *s = (struct lore_feed){.len = 0};
}

/* A window over the bytes of a file: unread bytes move to the start of the buffer when there is no
 * room behind them, and the buffer doubles when a record does not fit. */
#include "collectors/import/stream.h"

#include <string.h>
#include <unistd.h>

#include "collectors/import/unpack.h"
#include "service/base/xalloc.h"

enum { BLOCK = 256 << 10 };

struct lore_stream_state {
    struct lore_bytes from;
    int fd; /* opened by this stream; -1: none */
    uint64_t next;
    struct lore_unpacking *unpack;
    char *buffer;
    size_t cap; /* without the NUL */
    char no_bytes[1];
};

enum lore_status
lore_stream_open(
    struct lore_stream *s, const struct lore_bytes *from, bool packed, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    *s = (struct lore_stream){.state = lore_xalloc(sizeof *s->state)};
    s->state->from = *from;
    s->state->fd = -1;
    s->at = s->state->no_bytes;
    if (from->disk) {
        status = lore_bytes_open(&s->state->from, err);
        s->state->fd = status == LORE_OK ? s->state->from.fd : -1;
    }
    if (status == LORE_OK && packed) {
        status = lore_unpack_open(&s->state->from, false, &s->state->unpack, err);
        if (status == LORE_OK)
            status = lore_unpack_next(s->state->unpack, NULL, err);
    } else if (status == LORE_OK && from->memory) {
        s->at = from->memory;
        s->n = (size_t)from->size;
        s->ended = true;
    }
    if (status != LORE_OK)
        lore_stream_close(s);
    return status;
}

/* Make room for a block behind the unread bytes. */
static bool
make_room(struct lore_stream *s)
{
    struct lore_stream_state *t = s->state;

    if (s->n > 0 && s->at != t->buffer)
        memmove(t->buffer, s->at, s->n);
    if (t->cap < s->n + BLOCK) {
        if (s->n >= LORE_STREAM_WINDOW) {
            (void)lore_fail(
                &s->err, LORE_TOOBIG, "a record is longer than %zu MiB", LORE_STREAM_WINDOW >> 20);
            return false;
        }
        t->cap = s->n + s->n / 2 + BLOCK;
        t->buffer = lore_xrealloc(t->buffer, t->cap + 1);
    }
    s->at = t->buffer;
    return true;
}

bool
lore_stream_more(struct lore_stream *s)
{
    struct lore_stream_state *t = s->state;
    size_t got = 0;

    if (!t || s->ended || s->err.status != LORE_OK || !make_room(s))
        return false;
    char *to = t->buffer + s->n;
    size_t room = t->cap - s->n;
    uint64_t before = t->unpack ? lore_unpack_raw(t->unpack) : t->next;
    enum lore_status status = t->unpack
                                  ? lore_unpack_read(t->unpack, to, room, &got, &s->err)
                                  : lore_bytes_read(&t->from, t->next, to, room, &got, &s->err);
    t->next += got;
    if (s->tick)
        s->tick(s->context, (t->unpack ? lore_unpack_raw(t->unpack) : t->next) - before);
    s->n += got;
    to[got] = '\0';
    s->ended = status == LORE_OK && got == 0;
    return status == LORE_OK && got > 0;
}

void
lore_stream_skip(struct lore_stream *s, size_t n)
{
    s->at += n;
    s->n -= n;
    s->offset += n;
}

bool
lore_stream_line(struct lore_stream *s, const char **line, size_t *len)
{
    size_t seen = 0;
    const char *end;

    while (!(end = s->n > seen ? memchr(s->at + seen, '\n', s->n - seen) : NULL)) {
        seen = s->n;
        if (!lore_stream_more(s))
            break;
    }
    if (s->err.status != LORE_OK || (!end && s->n == 0))
        return false;
    *line = s->at;
    *len = end ? (size_t)(end - s->at) : s->n;
    lore_stream_skip(s, *len + (end != NULL));
    if (*len > 0 && (*line)[*len - 1] == '\r')
        --*len;
    return true;
}

void
lore_stream_close(struct lore_stream *s)
{
    struct lore_stream_state *t = s->state;

    if (!t)
        return;
    lore_unpack_close(t->unpack);
    if (t->fd >= 0)
        (void)close(t->fd);
    lore_xfree(t->buffer);
    lore_xfree(t);
    s->state = NULL;
}

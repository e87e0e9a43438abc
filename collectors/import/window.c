/* The window: bytes before the position are dropped when more are read, so memory is bounded by the
 * longest record and one piece of the stream. */
#include "collectors/import/window.h"

#include <string.h>

void
lore_window_open(struct lore_window *w, const struct lore_feed *s)
{
    *w = (struct lore_window){
        .feed = *s, .line = 1, .max = LORE_WINDOW_MAX, .buf.max = 2 * LORE_WINDOW_DOCUMENT};
    (void)lore_buf_reserve(&w->buf, 1); /* so that `data` is never NULL */
}

void
lore_window_close(struct lore_window *w)
{
    lore_feed_close(&w->feed);
    lore_buf_free(&w->buf);
    *w = (struct lore_window){.ended = true};
}

enum lore_status
lore_window_rewind(struct lore_window *w, struct lore_err *err)
{
    lore_buf_reset(&w->buf);
    w->pos = 0;
    w->line = 1;
    w->ended = w->begun = w->wide = w->has_odd = false;
    w->err = (struct lore_err){.status = LORE_OK};
    return w->feed.rewind(&w->feed, err);
}

static void
add_code(struct lore_buf *b, unsigned c)
{
    char out[3];

    if (c < 0x80) {
        lore_buf_putc(b, (char)c);
        return;
    }
    if (c < 0x800) {
        out[0] = (char)(0xc0 | c >> 6);
        out[1] = (char)(0x80 | (c & 0x3f));
        lore_buf_add(b, out, 2);
        return;
    }
    out[0] = (char)(0xe0 | c >> 12); /* half a surrogate pair stays ill-formed, as it was */
    out[1] = (char)(0x80 | (c >> 6 & 0x3f));
    out[2] = (char)(0x80 | (c & 0x3f));
    lore_buf_add(b, out, 3);
}

/* Characters outside the basic plane are written as two ill-formed halves by add_code, so a pair is
 * joined here: the half that came before is taken back. */
static void
add_unit(struct lore_buf *b, unsigned c)
{
    const unsigned char *d = (const unsigned char *)b->data + b->len - 3;

    if (c >= 0xdc00 && c < 0xe000 && b->len >= 3 && d[0] == 0xed && d[1] >= 0xa0 && d[1] < 0xb0) {
        unsigned high = 0xd000u | (d[1] & 0x3fu) << 6 | (d[2] & 0x3fu);
        unsigned whole = 0x10000 + ((high - 0xd800) << 10) + (c - 0xdc00);
        char out[4] = {(char)(0xf0 | whole >> 18), (char)(0x80 | (whole >> 12 & 0x3f)),
            (char)(0x80 | (whole >> 6 & 0x3f)), (char)(0x80 | (whole & 0x3f))};
        b->len -= 3;
        lore_buf_add(b, out, 4);
        return;
    }
    add_code(b, c);
}

static void
add_wide(struct lore_window *w, const char *s, size_t n)
{
    size_t i = 0;

    while (i < n) {
        char first = w->has_odd ? w->odd : s[i++];
        w->has_odd = i >= n;
        w->odd = first;
        if (w->has_odd)
            return;
        unsigned a = (unsigned char)first, b = (unsigned char)s[i++];
        add_unit(&w->buf, w->swapped ? a << 8 | b : b << 8 | a);
    }
}

/* Append the next piece to the buffer. False at the end. */
static bool
add_piece(struct lore_window *w)
{
    const char *s = NULL;
    size_t n = 0;

    if (w->feed.next(&w->feed, &s, &n, &w->err) != LORE_OK)
        n = 0;
    w->ended = n == 0;
    if (w->wide)
        add_wide(w, s, n);
    else
        lore_buf_add(&w->buf, s, n);
    return !w->ended;
}

/* Read the first bytes, and pass over a byte order mark. */
static void
begin(struct lore_window *w)
{
    while (w->buf.len < 3 && add_piece(w))
        ;
    char *s = w->buf.data;
    size_t n = w->buf.len;
    w->begun = true;
    if (n >= 3 && memcmp(s, "\xef\xbb\xbf", 3) == 0)
        w->pos = 3;
    if (n < 2 || (memcmp(s, "\xff\xfe", 2) != 0 && memcmp(s, "\xfe\xff", 2) != 0))
        return;
    w->wide = true;
    w->swapped = s[0] == '\xfe';
    struct lore_buf raw = w->buf;
    w->buf = (struct lore_buf){.max = raw.max};
    (void)lore_buf_reserve(&w->buf, 1);
    add_wide(w, raw.data + 2, n - 2);
    lore_buf_free(&raw);
}

bool
lore_window_more(struct lore_window *w)
{
    size_t kept = w->buf.len - w->pos;

    if (w->ended || kept >= w->max)
        return false;
    if (!w->begun) {
        begin(w);
        return w->buf.len > w->pos || !w->ended;
    }
    if (w->pos > 0 && kept > 0)
        memmove(w->buf.data, w->buf.data + w->pos, kept);
    w->buf.len = kept;
    w->pos = 0;
    return add_piece(w);
}

void
lore_window_pass(struct lore_window *w, size_t n)
{
    const char *s = w->buf.data + w->pos, *end = s + n;

    while (n > 0 && (s = memchr(s, '\n', (size_t)(end - s))) != NULL) {
        w->line++;
        s++;
    }
    w->pos += n;
}

bool
lore_window_line(struct lore_window *w, size_t from, size_t *n, size_t *whole)
{
    for (;;) {
        size_t have = w->buf.len - w->pos;
        const char *s = w->buf.data + w->pos;
        const char *end = have > from ? memchr(s + from, '\n', have - from) : NULL;
        if (end || (w->ended && have > 0)) {
            *n = end ? (size_t)(end - s) : have;
            *whole = *n + (end != NULL);
            if (*n > 0 && s[*n - 1] == '\r')
                --*n;
            return true;
        }
        from = have > from ? have : from;
        if (lore_window_more(w))
            continue;
        if (!w->ended)
            return false;
        if (w->buf.len == w->pos) {
            *n = *whole = 0;
            return true;
        }
    }
}

size_t
lore_window_pass_line(struct lore_window *w)
{
    size_t length = 0;

    for (;;) {
        size_t have = w->buf.len - w->pos;
        const char *s = w->buf.data + w->pos;
        const char *end = have > 0 ? memchr(s, '\n', have) : NULL;
        size_t n = end ? (size_t)(end - s) + 1 : have;
        lore_window_pass(w, n);
        length += n;
        if (end || !lore_window_more(w))
            return length;
    }
}

bool
lore_window_next_line(struct lore_window *w, const char **text, size_t *n, size_t *line)
{
    size_t whole = 0;

    *line = w->line;
    if (!lore_window_line(w, 0, n, &whole)) {
        *n = w->max;
        *text = "";
        (void)lore_window_pass_line(w);
        return true;
    }
    *text = lore_window_bytes(w);
    lore_window_pass(w, whole);
    return whole > 0;
}

/* A byte buffer that doubles up to its ceiling. `over` is sticky: after one append was dropped, all
 * later ones are dropped, so the buffer always holds a prefix of the full text. Memory comes from
 * the heap, not an arena: replies are written from other threads. */
#include "service/base/buf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "service/base/xalloc.h"

static const size_t default_max = (size_t)64 << 20;

size_t
lore_buf_max(const struct lore_buf *b)
{
    return b->max > 0 ? b->max : default_max;
}

char *
lore_buf_reserve(struct lore_buf *b, size_t n)
{
    size_t max = lore_buf_max(b), cap = b->cap;

    if (b->over || n > max || b->len > max - n) {
        b->over = true;
        return NULL;
    }
    if (!b->data || b->len + n + 1 > cap) {
        cap = cap > 0 ? cap * 2 : 256;
        if (cap < b->len + n + 1)
            cap = b->len + n + 1;
        if (cap > max + 1)
            cap = max + 1;
        b->data = lore_xrealloc(b->data, cap);
        b->cap = cap;
        b->data[b->len] = '\0';
    }
    return b->data + b->len;
}

void
lore_buf_add(struct lore_buf *b, const void *p, size_t n)
{
    char *to = lore_buf_reserve(b, n);

    if (!to)
        return;
    if (n > 0)
        memcpy(to, p, n);
    b->len += n;
    b->data[b->len] = '\0';
}

void
lore_buf_puts(struct lore_buf *b, const char *s)
{
    lore_buf_add(b, s, strlen(s));
}

void
lore_buf_putc(struct lore_buf *b, char c)
{
    if (b->over || b->len + 1 >= b->cap) {
        lore_buf_add(b, &c, 1);
        return;
    }
    b->data[b->len++] = c;
    b->data[b->len] = '\0';
}

void
lore_buf_printf(struct lore_buf *b, const char *fmt, ...)
{
    char small[256], *to;
    va_list args;
    int n;

    va_start(args, fmt);
    n = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    if (n < 0) {
        b->over = true;
        return;
    }
    if ((size_t)n < sizeof small) {
        lore_buf_add(b, small, (size_t)n);
        return;
    }
    to = lore_buf_reserve(b, (size_t)n);
    if (!to)
        return;
    va_start(args, fmt);
    vsnprintf(to, (size_t)n + 1, fmt, args);
    va_end(args);
    b->len += (size_t)n;
}

void
lore_buf_reset(struct lore_buf *b)
{
    b->len = 0;
    b->over = false;
    if (b->data)
        b->data[0] = '\0';
}

void
lore_buf_free(struct lore_buf *b)
{
    lore_xfree(b->data);
    memset(b, 0, sizeof *b);
}

enum lore_status
lore_buf_status(const struct lore_buf *b, const char *what, struct lore_err *err)
{
    if (!b->over)
        return LORE_OK;
    return lore_fail(err, LORE_TOOBIG, "%s: larger than %zu bytes", what, lore_buf_max(b));
}

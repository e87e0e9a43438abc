/* key=value lines on standard error. A line is built in a fixed buffer and leaves in one write(2),
 * so lines of different threads do not mix and logging never allocates; a longer line is cut and
 * ends in "…". Values cannot forge lines or move a terminal's cursor: control characters and bytes
 * that are not UTF-8 are written as escapes. */
#include "service/base/log.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "service/base/clock.h"
#include "service/base/text.h"

struct line {
    char text[4096];
    size_t len;
    bool full;
};

static const char *const names[] = {"debug", "info", "warn", "error"};
static const char cut[] = "\xe2\x80\xa6";
static _Atomic int least = LORE_INFO;

void
lore_log_level(enum lore_log_level level)
{
    atomic_store(&least, (int)level);
}

/* Append N bytes completely or not at all. Room for the ellipsis and the newline stays free. */
static void
put(struct line *l, const char *p, size_t n)
{
    if (l->full || n > sizeof l->text - sizeof cut - 1 - l->len) {
        l->full = true;
        return;
    }
    memcpy(l->text + l->len, p, n);
    l->len += n;
}

/* Bytes of the printable character at S, 0 when it must be escaped. */
static size_t
printable(const char *s, size_t n)
{
    unsigned char c = (unsigned char)s[0];
    size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;

    if (c < 0x20 || c == 0x7f || len > n || !lore_utf8_valid(s, len))
        return 0;
    if (c == 0xc2 && (unsigned char)s[1] < 0xa0)
        return 0; /* U+0080 to U+009F are control characters too */
    return len;
}

static void
put_escape(struct line *l, char c)
{
    char text[8];

    if (c == '"' || c == '\\')
        snprintf(text, sizeof text, "\\%c", c);
    else if (c == '\n')
        snprintf(text, sizeof text, "\\n");
    else if (c == '\t')
        snprintf(text, sizeof text, "\\t");
    else if (c == '\r')
        snprintf(text, sizeof text, "\\r");
    else
        snprintf(text, sizeof text, "\\x%02x", (unsigned)(unsigned char)c);
    put(l, text, strlen(text));
}

static bool
needs_quotes(const char *s, size_t n)
{
    size_t i, len;

    if (n == 0)
        return true;
    for (i = 0; i < n; i += len) {
        len = printable(s + i, n - i);
        if (len == 0 || strchr(" =\"\\", s[i]))
            return true;
    }
    return false;
}

/* Character by character, so that a value too long for the line is cut, not dropped. */
static void
put_value(struct line *l, const char *s)
{
    size_t n = strlen(s), i, len;
    bool quotes = needs_quotes(s, n);

    if (quotes)
        put(l, "\"", 1);
    for (i = 0; i < n && !l->full; i += len) {
        len = printable(s + i, n - i);
        if (len == 0 || s[i] == '"' || s[i] == '\\') {
            put_escape(l, s[i]);
            len = 1;
        } else {
            put(l, s + i, len);
        }
    }
    if (quotes)
        put(l, "\"", 1);
}

static void
put_pair(struct line *l, const char *key, const char *value)
{
    if (l->len > 0)
        put(l, " ", 1);
    put(l, key, strlen(key));
    put(l, "=", 1);
    put_value(l, value);
}

static void
send_line(struct line *l)
{
    ssize_t n;

    if (l->full) {
        memcpy(l->text + l->len, cut, sizeof cut - 1);
        l->len += sizeof cut - 1;
    }
    l->text[l->len++] = '\n';
    do
        n = write(STDERR_FILENO, l->text, l->len);
    while (n < 0 && errno == EINTR);
    (void)n; /* there is no better place to complain */
}

void
lore_log(enum lore_log_level level, const char *event, ...)
{
    struct line l;
    char now[LORE_TIME_SIZE];
    const char *key, *value;
    va_list args;

    if ((int)level < atomic_load(&least))
        return;
    l.len = 0;
    l.full = false;
    lore_time_format(lore_now_us(), now);
    put_pair(&l, "time", now);
    put_pair(&l, "level", names[level]);
    put_pair(&l, "event", event);
    va_start(args, event);
    while ((key = va_arg(args, const char *))) {
        value = va_arg(args, const char *);
        if (value)
            put_pair(&l, key, value);
    }
    va_end(args);
    send_line(&l);
}

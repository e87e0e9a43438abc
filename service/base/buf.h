/* A growing byte buffer with a ceiling. Appending past the ceiling sets `over` and drops the bytes;
 * check once at the end with lore_buf_status. Always NUL-terminated when data != NULL. */
#ifndef LORE_BASE_BUF_H
#define LORE_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/status.h"

struct lore_buf {
    char *data;
    size_t len, cap;
    size_t max; /* ceiling in bytes; 0 means 64 MiB */
    bool over;
};
/* A buffer that is freed when the block ends. */
#define LORE_BUF __attribute__((cleanup(lore_buf_free))) struct lore_buf

void lore_buf_add(struct lore_buf *b, const void *p, size_t n);
void lore_buf_puts(struct lore_buf *b, const char *s);
void lore_buf_putc(struct lore_buf *b, char c);
void lore_buf_printf(struct lore_buf *b, const char *fmt, ...) LORE_PRINTF(2, 3);
/* Make room for N more bytes at data + len, for callers that write there and add to len themselves.
 * Past the ceiling it sets `over` and returns NULL. The next call invalidates the pointer. */
char *lore_buf_reserve(struct lore_buf *b, size_t n);
size_t lore_buf_max(const struct lore_buf *b); /* the ceiling in force */
void lore_buf_reset(struct lore_buf *b);       /* empty, keeps memory and ceiling */
void lore_buf_free(struct lore_buf *b);
/* LORE_TOOBIG naming WHAT when the ceiling was passed. */
enum lore_status
lore_buf_status(const struct lore_buf *b, const char *what, struct lore_err *err) LORE_MUST;

#endif

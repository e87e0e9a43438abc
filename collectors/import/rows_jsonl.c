/* The reader of JSON lines: one value a line. */
#include "collectors/import/rows_source.h"

static bool
is_blank(const char *s, size_t n)
{
    while (n > 0 && (s[n - 1] == ' ' || s[n - 1] == '\t' || s[n - 1] == '\r'))
        n--;
    return n == 0;
}

static enum lore_rows_step
step_jsonl(struct lore_rows *r)
{
    struct lore_window *w = &r->source->window;
    struct lore_json *value = NULL;
    size_t n, whole;

    for (;;) {
        r->line = w->line;
        if (!lore_window_line(w, 0, &n, &whole)) {
            size_t length = lore_window_pass_line(w);
            return lore_rows_refuse(r, r->line, "a line of %zu bytes; the longest one may have %zu",
                length, LORE_WINDOW_MAX);
        }
        const char *text = lore_window_bytes(w);
        lore_window_pass(w, whole);
        if (whole == 0)
            return LORE_ROWS_END;
        if (is_blank(text, n))
            continue;
        if (!lore_rows_parse(r, text, n, r->line, &value))
            return LORE_ROWS_REFUSED;
        r->row = lore_rows_wrap(r, NULL, value);
        return LORE_ROWS_READ;
    }
}

enum lore_status
lore_rows_jsonl(struct lore_import *in, struct lore_rows *r, struct lore_err *err)
{
    return lore_rows_begin(in, step_jsonl, r, err);
}

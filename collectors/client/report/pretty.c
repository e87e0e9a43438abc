/* JSON as other systems' tools write it: an indent of two, ": " after keys, letters unescaped,
 * numbers as they were. No newline at the end. */
#include "collectors/client/report/pretty.h"

#include <string.h>

static void
put_string(struct lore_buf *out, const char *s, size_t n)
{
    static const char letters[] = "\"\\\b\f\n\r\t", *const to = "\"\\bfnrt";

    lore_buf_putc(out, '"');
    for (size_t i = 0; i < n; i++) {
        const char *at = s[i] ? strchr(letters, s[i]) : NULL;
        if (at)
            lore_buf_printf(out, "\\%c", to[at - letters]);
        else if ((unsigned char)s[i] < 0x20)
            lore_buf_printf(out, "\\u%04x", (unsigned)(unsigned char)s[i]);
        else
            lore_buf_putc(out, s[i]);
    }
    lore_buf_putc(out, '"');
}

static void
line(struct lore_buf *out, bool first, int indent)
{
    lore_buf_puts(out, first ? "\n" : ",\n");
    for (int i = 0; i < indent; i++)
        lore_buf_putc(out, ' ');
}

void
lore_pretty_member(struct lore_buf *out, const struct lore_json *m, bool first, int indent)
{
    line(out, first, indent);
    if (m->key) {
        put_string(out, m->key, strlen(m->key));
        lore_buf_puts(out, ": ");
    }
    lore_pretty(out, m, indent);
}

static void
put_children(struct lore_buf *out, const struct lore_json *v, int indent)
{
    char open = v->type == LORE_J_ARRAY ? '[' : '{';

    lore_buf_putc(out, open);
    for (const struct lore_json *m = v->child; m; m = m->next)
        lore_pretty_member(out, m, m == v->child, indent + 2);
    if (v->child) {
        lore_buf_putc(out, '\n');
        for (int i = 0; i < indent; i++)
            lore_buf_putc(out, ' ');
    }
    lore_buf_putc(out, open == '[' ? ']' : '}');
}

void
lore_pretty(struct lore_buf *out, const struct lore_json *v, int indent)
{
    switch (v->type) {
    case LORE_J_NULL:
        lore_buf_puts(out, "null");
        return;
    case LORE_J_BOOL:
        lore_buf_puts(out, v->i ? "true" : "false");
        return;
    case LORE_J_NUMBER:
        lore_buf_puts(out, v->str);
        return;
    case LORE_J_STRING:
        put_string(out, v->str, v->len);
        return;
    case LORE_J_ARRAY:
    case LORE_J_OBJECT:
        put_children(out, v, indent);
        return;
    }
}

/* Values are written as they are: no escaping, because wiki texts are Markdown themselves, and no
 * rounding. Text of several lines becomes a separate block. */
#include "collectors/import/prose.h"

#include <string.h>

#include "service/base/text.h"

static bool
is_empty(const struct lore_json *node)
{
    if (!node || node->type == LORE_J_NULL)
        return true;
    if (node->type == LORE_J_STRING)
        return node->len == 0;
    if (node->type != LORE_J_ARRAY && node->type != LORE_J_OBJECT)
        return false;
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (!is_empty(m))
            return false;
    }
    return true;
}

static const char *
scalar(const struct lore_json *node)
{
    if (node->type == LORE_J_BOOL)
        return node->i ? "yes" : "no";
    return node->type == LORE_J_NULL ? "null" : node->str;
}

static bool
is_scalar(const struct lore_json *node)
{
    return node->type != LORE_J_ARRAY && node->type != LORE_J_OBJECT;
}

static void
indent(struct lore_buf *out, int depth)
{
    for (int i = 0; i < depth; i++)
        lore_buf_puts(out, "  ");
}

/* Append TEXT and indent its later lines below their bullet. */
static void
add_indented(struct lore_buf *out, const char *text, int depth)
{
    while (*text) {
        size_t n = strcspn(text, "\n");
        lore_buf_add(out, text, n);
        text += n;
        if (*text == '\n') {
            lore_buf_putc(out, '\n');
            text++;
            if (*text && *text != '\n')
                indent(out, depth);
        }
    }
}

static void add_members(struct lore_buf *out, const struct lore_json *first, int depth);

/* Append the text after a bullet: the value, or the first member of an object on the same line and
 * the others below. */
static void
add_value(struct lore_buf *out, const struct lore_json *node, int depth)
{
    const struct lore_json *m = node;

    if (node->type == LORE_J_OBJECT && !node->key) {
        for (m = node->child; is_empty(m); m = m->next)
            ;
        lore_buf_printf(out, "%s: ", m->key);
    }
    if (is_scalar(m)) {
        add_indented(out, scalar(m), depth + 1);
        lore_buf_putc(out, '\n');
    } else {
        lore_buf_putc(out, '\n');
        add_members(out, m->child, depth + 1);
    }
    if (m != node)
        add_members(out, m->next, depth + 1);
}

static void
add_members(struct lore_buf *out, const struct lore_json *first, int depth)
{
    for (const struct lore_json *m = first; m; m = m->next) {
        if (is_empty(m))
            continue;
        indent(out, depth);
        lore_buf_puts(out, "- ");
        if (m->key)
            lore_buf_printf(out, "%s: ", m->key);
        add_value(out, m, depth);
    }
}

bool
lore_prose_add(struct lore_buf *out, const char *title, const struct lore_json *node)
{
    if (is_empty(node))
        return false;
    if (out->len > 0)
        lore_buf_puts(out, out->data[out->len - 1] == '\n' ? "\n" : "\n\n");
    if (is_scalar(node)) {
        const char *text = scalar(node);
        bool block = strchr(text, '\n') || strncmp(text, "- ", 2) == 0 || *text == '`';
        lore_buf_printf(out, "**%s.**%s%s\n", title, block ? "\n\n" : " ", text);
    } else {
        lore_buf_printf(out, "**%s**\n\n", title);
        add_members(out, node->child, 0);
    }
    return true;
}

const char *
lore_prose_title(struct lore_arena *arena, const char *key)
{
    char *title = lore_strdup(arena, key);

    for (char *p = title; *p; p++) {
        if (*p == '_')
            *p = ' ';
    }
    if (*title >= 'a' && *title <= 'z')
        *title = (char)(*title - 'a' + 'A');
    return title;
}

const char *
lore_prose_cut(struct lore_arena *arena, const char *text, size_t most)
{
    size_t n = strlen(text);

    if (n <= most)
        return text;
    n = lore_utf8_prefix(text, most - 3);
    return lore_format(arena, "%.*s…", (int)n, text);
}

/* Finds the line of a JSON node in its file, for messages about one record. The JSON tree stores no
 * offsets, so the text is scanned again along the node's path. The scanner is simple because the
 * text is known to be valid JSON. */
#include <string.h>

#include "collectors/import/import.h"

static const char *
skip_space(const char *p)
{
    return p + strspn(p, " \t\r\n");
}

static const char *
skip_string(const char *p)
{
    for (p++; *p && *p != '"'; p++) {
        if (*p == '\\' && p[1])
            p++;
    }
    return *p ? p + 1 : p;
}

/* Return the position after one value. */
static const char *
skip_value(const char *p)
{
    size_t depth = 0;

    do {
        p = skip_space(p);
        if (*p == '"') {
            p = skip_string(p);
        } else if (*p == '{' || *p == '[') {
            depth++;
            p++;
        } else if (*p == '}' || *p == ']') {
            depth--;
            p++;
        } else if (*p == ',' || *p == ':') {
            p++;
        } else {
            size_t n = strcspn(p, " \t\r\n,:]}[{\"");
            p += n;
        }
    } while (depth > 0 && *p);
    return p;
}

/* The start of child INDEX of the collection at P. */
static const char *
child_at(const char *p, bool object, uint32_t index)
{
    p = skip_space(p) + 1;
    for (uint32_t i = 0; *p; i++) {
        const char *start = skip_space(p);
        p = start;
        if (object)
            p = skip_space(skip_string(p)) + 1;
        if (i == index)
            return object ? start : skip_space(p);
        p = skip_space(skip_value(p));
        if (*p)
            p++;
    }
    return p;
}

/* The start of NODE in TEXT; for a member of an object the start of its key, because people look
 * for the key. */
static const char *
start_of(const char *text, const struct lore_json *node)
{
    if (!node->parent)
        return skip_space(text);
    bool object = node->parent->type == LORE_J_OBJECT;
    const char *p = start_of(text, node->parent);
    if (node->parent->key && node->parent->parent && *p == '"')
        p = skip_space(skip_space(skip_string(p)) + 1);
    return child_at(p, object, node->index);
}

size_t
lore_json_line(const char *text, const struct lore_json *node)
{
    const char *at = start_of(text, node);
    size_t line = 1;

    for (const char *p = text; p < at; p++)
        line += *p == '\n';
    return line;
}

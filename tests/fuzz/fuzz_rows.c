// uses: import
/* Any bytes through each reader of rows. The first line says which: "csv , HEADER", "jsonl",
 * "json PATH", "markdown". Rows read from pieces of three bytes are those of the whole text, and
 * every row is JSON. */
#include <stdlib.h>
#include <string.h>

#include "tests/unit/import_rows.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool
choose(struct lore_arena *arena, const char *line, struct rows_case *c)
{
    c->reader = lore_strndup(arena, line, strcspn(line, " "));
    const char *rest = line + strlen(c->reader) + (line[strlen(c->reader)] == ' ');
    if (strcmp(c->reader, "csv") == 0) {
        c->separator = *rest && strchr(",\t;|", *rest) ? *rest++ : '\0';
        c->header = *rest == ' ' && rest[1] ? rest + 1 : NULL;
        return true;
    }
    c->path = rest;
    return strcmp(c->reader, "jsonl") == 0 || strcmp(c->reader, "json") == 0 ||
           strcmp(c->reader, "markdown") == 0;
}

static char *
rows_of(struct rows_case *c, size_t piece, const char *text, size_t len)
{
    struct lore_arena arena = {0};
    struct lore_buf out = {.max = 64u << 20};
    struct lore_import in;
    struct lore_err err = {0};

    c->piece = piece;
    if (rows_read(&arena, c, text, len, &in, &out, &err) != LORE_OK)
        lore_buf_printf(&out, "%s", err.msg);
    if (in.refused > in.records || strstr(out.data ? out.data : "", "too long"))
        abort();
    lore_arena_free(&arena);
    return out.data;
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    const char *text = (const char *)data;
    const char *end = size > 0 ? memchr(text, '\n', size) : NULL;
    struct rows_case c = {.reader = NULL};

    if (!end || size > (64u << 10))
        return 0;
    if (choose(&arena, lore_strndup(&arena, text, (size_t)(end - text)), &c)) {
        size_t len = size - (size_t)(end + 1 - text);
        char *one = rows_of(&c, 0, end + 1, len), *two = rows_of(&c, 3, end + 1, len);
        if (!one != !two || (one && strcmp(one, two) != 0))
            abort();
        free(one);
        free(two);
    }
    lore_arena_free(&arena);
    return 0;
}

/* What the fuzz targets of importers that read several files share: the input is cut at lines "@@
 * path", and what follows is that file. The unit is the root, or the first file. An answer or an
 * error; what comes out is a document that parses, says the same again, and loses no entry. */
#ifndef LORE_TESTS_FUZZ_IMPORT_TREE_H
#define LORE_TESTS_FUZZ_IMPORT_TREE_H

#include <stdlib.h>
#include <string.h>

#include "collectors/import/import.h"
#include "collectors/import/tree.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/wire.h"

#define FUZZ_FILES 48

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static bool
is_mark(const char *at, const char *end)
{
    return end - at > 3 && memcmp(at, "@@ ", 3) == 0;
}

/* The start of the next line after AT; END when there is none. */
static const char *
next_line(const char *at, const char *end)
{
    const char *line = memchr(at, '\n', (size_t)(end - at));
    return line ? line + 1 : end;
}

static void
cut(struct lore_arena *arena, struct lore_import_tree *t, const char *at, size_t len)
{
    const char *end = at + len, *path = "README.md";

    while (at < end && t->n < FUZZ_FILES) {
        const char *body = at;
        if (is_mark(at, end)) {
            body = next_line(at, end);
            path = lore_strndup(arena, at + 3, strcspn(at + 3, "\n"));
        }
        at = body;
        while (at < end && !is_mark(at, end))
            at = next_line(at, end);
        bool known = false;
        for (size_t i = 0; i < t->n; i++)
            known |= strcmp(t->files[i].path, path) == 0;
        /* names that are no text never get into a tree */
        if (*path && !known && strlen(path) < 200 && lore_utf8_valid(path, strlen(path)))
            (void)lore_tree_add(arena, t, path, body, (size_t)(at - body));
    }
    lore_tree_sort(t);
}

/* The document of the input, NULL without one. */
static const char *
document(
    const struct lore_importer *importer, struct lore_arena *arena, const char *text, size_t len)
{
    struct lore_import_tree *t = lore_alloc(arena, sizeof *t);
    struct lore_submission *doc = lore_alloc(arena, sizeof *doc);
    struct lore_buf body = {.max = 64u << 20};
    const char *out = NULL;

    t->name = "tree";
    cut(arena, t, text, len);
    if (t->n == 0)
        return NULL;
    const char *unit = importer->directory ? "" : t->files[0].path;
    struct lore_import in = {.arena = arena, .tree = t, .unit = unit, .doc = doc};
    if (!importer->directory)
        lore_import_open(&in, &t->files[0]);
    if (!importer->detect(t, unit) || importer->read(&in, NULL) != LORE_OK)
        return NULL;
    if (in.refused > in.records)
        abort();
    doc->format = LORE_WIRE_VERSION;
    doc->id = lore_build_id(arena, 0, "fuzz");
    doc->author.name = "fuzz";
    if (lore_build_encode(doc, &body, NULL) == LORE_OK)
        out = lore_strndup(arena, body.data, body.len);
    else if (!body.over)
        abort(); /* text that is not UTF-8, or extra that is no JSON */
    lore_buf_free(&body);
    return out;
}

static int
fuzz_import_tree(const char *name, const unsigned char *data, size_t size)
{
    const struct lore_importer *importer = lore_importer_find(name);
    struct lore_arena arena = {0};

    if (!importer)
        abort();
    if (size < (256u << 10)) {
        const char *text = lore_strndup(&arena, (const char *)data, size);
        const char *one = document(importer, &arena, text, size);
        const char *two = document(importer, &arena, text, size);
        struct lore_submission again;
        struct lore_json *root = NULL;
        if ((!one) != (!two) || (one && strcmp(one, two) != 0))
            abort();
        if (one &&
            lore_json_parse(one, strlen(one), &lore_wire_limits, &arena, &root, NULL) != LORE_OK)
            abort();
        /* what a field's range refuses is an answer too */
        if (one)
            (void)!lore_wire_decode(root, &arena, &again, NULL);
    }
    lore_arena_free(&arena);
    return 0;
}

#endif

// uses: import
/* Any bytes as a tree of files, each a path and its text, both ended by NUL: every importer is
 * asked for every folder and file. Whatever is recognised gives documents that the service's
 * decoder reads or refuses by its limits, none longer than a document may be. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/intake.h"
#include "collectors/import/tree.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

static void
add_files(
    struct lore_arena *arena, struct lore_import_tree *t, const unsigned char *data, size_t size)
{
    while (size > 0 && t->n < 64) {
        const unsigned char *end = memchr(data, 0, size);
        if (!end)
            return;
        const char *path = lore_strndup(arena, (const char *)data, (size_t)(end - data));
        size -= (size_t)(end - data) + 1;
        data = end + 1;
        end = memchr(data, 0, size);
        size_t n = end ? (size_t)(end - data) : size;
        /* the names that a tree can hold: no file twice, none that is a folder as well, none odd */
        if (*path && *path != '/' && !lore_tree_bad_name(path) && !lore_tree_file(t, "", path))
            (void)lore_tree_add(arena, t, path, (const char *)data, n);
        lore_tree_sort(t);
        size -= n + (end ? 1 : 0);
        data += n + (end ? 1 : 0);
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena arena = {0};
    struct lore_import_tree tree = {.name = "fuzz"};
    struct lore_intake k;

    if (size > (64u << 10))
        return 0;
    lore_intake_begin(&k, &arena);
    add_files(&arena, &tree, data, size);
    if (lore_intake_tree(&k, &tree, NULL) == LORE_OK) {
        for (size_t i = 0; i < k.n_formats; i++) {
            const struct lore_intake_format *f = k.formats[i];
            if (f->in.refused > f->in.records)
                abort();
            for (size_t d = 0; d < f->n; d++) {
                struct lore_submission again;
                struct lore_json *root = NULL;
                const struct lore_intake_document *doc = &f->documents[d];
                if (doc->len > LORE_WIRE_MAX_BYTES)
                    abort();
                if (lore_json_parse(doc->body, doc->len, &lore_wire_limits, &arena, &root, NULL) ==
                    LORE_OK)
                    (void)!lore_wire_decode(root, &arena, &again, NULL);
                else if (strcmp(f->importer->name, "warplore") != 0)
                    abort();
            }
        }
    }
    lore_arena_free(&arena);
    return 0;
}

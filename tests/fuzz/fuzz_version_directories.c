// uses: import
/* Any bytes as a tree of version directories. The input is cut at lines "@@ path"; what follows is
 * that file. An answer or an error; whatever comes out is a document that the service reads, and an
 * import again says the same. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/intake.h"
#include "collectors/import/tree.h"

int LLVMFuzzerTestOneInput(const unsigned char *data, size_t size);

/* Files of TEXT, at most 64. */
static void
cut(struct lore_arena *arena, struct lore_import_tree *t, const char *text, size_t len)
{
    const char *end = text + len, *at = text;

    while (at < end && t->n < 64) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        line = line != NULL ? line : end;
        bool named = line - at > 3 && line - at < 80 && memcmp(at, "@@ ", 3) == 0;
        const char *path =
            named ? lore_strndup(arena, at + 3, (size_t)(line - at) - 3) : "v0/hypothesis.txt";
        const char *body = named && line < end ? line + 1 : named ? end : at, *next = body;
        while (next < end && !(next[0] == '@' && end - next > 3 && memcmp(next, "@@ ", 3) == 0 &&
                                 (next == text || next[-1] == '\n') && next > at))
            next++;
        if (*path != '\0')
            (void)lore_tree_add(arena, t, path, body, (size_t)(next - body));
        at = next > at ? next : end;
    }
    lore_tree_sort(t);
}

static void
import_into(struct lore_intake *k, struct lore_arena *arena, const char *text, size_t len)
{
    struct lore_import_tree *t = lore_alloc(arena, sizeof *t);

    t->name = "case";
    cut(arena, t, text, len);
    lore_intake_begin(k, arena);
    k->forced = lore_importer_find("version-directories");
    (void)!lore_intake_tree(k, t, NULL);
}

static void
check_documents(const struct lore_intake *k, struct lore_arena *arena)
{
    for (size_t i = 0; i < k->n_formats; i++) {
        const struct lore_intake_format *f = k->formats[i];
        for (size_t d = 0; d < f->n; d++) {
            struct lore_submission again;
            struct lore_json *root = NULL;
            if (lore_json_parse(f->documents[d].body, f->documents[d].len, &lore_wire_limits, arena,
                    &root, NULL) != LORE_OK ||
                lore_wire_decode(root, arena, &again, NULL) != LORE_OK)
                abort();
        }
    }
}

int
LLVMFuzzerTestOneInput(const unsigned char *data, size_t size)
{
    struct lore_arena first = {0}, second = {0};
    struct lore_intake a, b;

    if (size > (64u << 10))
        return 0;
    import_into(&a, &first, (const char *)data, size);
    check_documents(&a, &first);
    if (size % 16 != 0) { /* the second import costs as much as all the rest */
        lore_arena_free(&first);
        return 0;
    }
    import_into(&b, &second, (const char *)data, size);
    if (a.n_formats != b.n_formats ||
        (a.n_formats > 0 && a.formats[0]->n > 0 &&
            strcmp(a.formats[0]->documents[0].body, b.formats[0]->documents[0].body) != 0))
        abort();
    lore_arena_free(&first);
    lore_arena_free(&second);
    return 0;
}

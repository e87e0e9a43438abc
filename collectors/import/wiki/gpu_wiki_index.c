/* The index repeats members of every record. It is not imported; the importer only compares it with
 * the records that are present and reports differences. */
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/wiki/gpu_wiki.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* The record in the tree for PATH of the index. Paths in the index start at an unknown parent
 * folder, so every suffix of PATH is tried. */
static const struct lore_import_file *
file_of(struct lore_import *in, const char *path)
{
    char *dir = lore_strdup(in->arena, in->unit);

    for (;;) {
        char *slash = strrchr(dir, '/');
        *(slash ? slash : dir) = '\0';
        for (const char *p = path; p; p = strchr(p, '/') ? strchr(p, '/') + 1 : NULL) {
            const struct lore_import_file *f = lore_tree_file(in->tree, dir, p);
            if (f && lore_import_json(f) && lore_json_get(lore_import_json(f), "id"))
                return f;
        }
        if (!*dir)
            return NULL;
    }
}

static bool
same_value(const struct lore_json *a, const struct lore_json *b)
{
    unsigned char x[LORE_HASH_BYTES], y[LORE_HASH_BYTES];

    if (!a || !b)
        return a == b;
    lore_json_digest(a, x);
    lore_json_digest(b, y);
    return memcmp(x, y, sizeof x) == 0;
}

static const struct lore_json *
member_at(const struct lore_json *node, const char *a, const char *b, const char *c)
{
    node = lore_json_get(node, a);
    node = b ? lore_json_get(node, b) : node;
    return c ? lore_json_get(node, c) : node;
}

static void
compare(struct lore_import *in, const struct lore_json *entry, const struct lore_json *record)
{
    static const struct {
        const char *key, *path[3];
    } members[] = {
        {"id", {"id", NULL, NULL}},
        {"type", {"type", NULL, NULL}},
        {"level", {"level", NULL, NULL}},
        {"status", {"status", NULL, NULL}},
        {"episode_key", {"episode_key", NULL, NULL}},
        {"retrieval", {"retrieval", NULL, NULL}},
        {"worth_score", {"worth", "rank", "score"}},
        {"tier", {"worth", "rank", "tier"}},
        {"gain_pct", {"worth", "gain", "pct"}},
        {"page_path", {"evidence", "raw", "page_path"}},
        {"vendor", {"identity", "vendor", NULL}},
        {"arch", {"identity", "arch", NULL}},
        {"product", {"identity", "product", NULL}},
        {"sm_arch", {"identity", "sm_arch", NULL}},
        {"evidence_class", {"provenance", "evidence_class", NULL}},
    };
    const char *id = lore_wiki_text(entry, "id");

    for (size_t i = 0; i < sizeof members / sizeof *members; i++) {
        const struct lore_json *a = lore_json_get(entry, members[i].key);
        const struct lore_json *b =
            member_at(record, members[i].path[0], members[i].path[1], members[i].path[2]);
        if (a && !same_value(a, b))
            lore_import_note(in, LORE_IL_CONFLICTS, "%s: the index has another %s", id ? id : "?",
                members[i].key);
    }
}

/* Records below the index's folder that it does not list. */
static void
find_unlisted(struct lore_import *in, struct lore_index *listed)
{
    const char *schema = lore_wiki_text(lore_import_json(in->at), "schema");
    const char *slash = strrchr(in->unit, '/');
    const char *dir = slash ? lore_strndup(in->arena, in->unit, (size_t)(slash - in->unit)) : "";
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(in->tree, dir, f))) {
        const char *id = lore_wiki_text(lore_import_json(f), "id");
        if (!id || !lore_streq(lore_wiki_text(lore_import_json(f), "schema"), schema))
            continue;
        if (*lore_index_at(in->arena, listed, id) == 0)
            lore_import_note(in, LORE_IL_CONFLICTS, "%s: not in the index", id);
    }
}

void
lore_wiki_check_index(struct lore_import *in)
{
    const struct lore_json *records = lore_json_get(lore_import_json(in->at), "records");
    struct lore_index listed = {0};
    size_t found = 0, n = 0;
    int64_t count = -1;

    for (const struct lore_json *e = records->child; e; e = e->next) {
        const char *id = lore_wiki_text(e, "id"), *path = lore_wiki_text(e, "path");
        const struct lore_import_file *f = path ? file_of(in, path) : NULL;
        n++;
        if (id)
            *lore_index_at(in->arena, &listed, id) = 1;
        found += f != NULL;
        if (f)
            compare(in, e, lore_import_json(f));
    }
    if (lore_json_i64(lore_import_json(in->at), "count", &count, NULL) == LORE_OK && count >= 0 &&
        (size_t)count != n)
        lore_import_note(in, LORE_IL_CONFLICTS, "%s: says %lld records and lists %zu", in->unit,
            (long long)count, n);
    if (found < n)
        lore_import_note(in, LORE_IL_CONFLICTS,
            "%s: %zu of %zu listed records are not among the files", in->unit, n - found, n);
    find_unlisted(in, &listed);
    lore_import_note(in, LORE_IL_EXTRA,
        "%s: index of %zu records; compared with the records and kept as a file, not imported",
        in->unit, n);
}

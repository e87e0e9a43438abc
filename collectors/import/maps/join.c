/* Documents that rows refer to by name: JSON files of the folder that is imported. They are parsed
 * once, when the first row asks for one. */
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/maps/value.h"

enum { DOCUMENT_MAX = 2 << 20 };

struct lore_map_joined {
    struct lore_import *in;
    const struct lore_map *map;
    bool read;
    const struct lore_json **documents;
    size_t n, cap;
    struct lore_index by_name; /* "join|name" -> index into documents + 1 */
};

struct lore_map_joined *
lore_map_joined_new(struct lore_import *in, const struct lore_map *map)
{
    struct lore_map_joined *j =
        map->n_joins > 0 ? lore_alloc(lore_import_kept(in), sizeof *j) : NULL;

    if (j) {
        j->in = in;
        j->map = map;
    }
    return j;
}

static void
add(struct lore_map_joined *j, const struct lore_json *root)
{
    struct lore_arena *arena = lore_import_kept(j->in);

    for (size_t i = 0; i < j->map->n_joins; i++) {
        const struct lore_map_join *join = &j->map->joins[i];
        const struct lore_json *name = lore_json_get(root, join->by);
        bool fits = name && name->type == LORE_J_STRING;
        for (size_t m = 0; m < join->has.n; m++)
            fits = fits && lore_json_get(root, join->has.v[m]);
        if (!fits)
            continue;
        size_t *at =
            lore_index_at(arena, &j->by_name, lore_format(arena, "%s|%s", join->name, name->str));
        if (*at > 0)
            continue; /* the first one counts */
        *at = j->n + 1;
        *LORE_PUSH(arena, j->documents, j->n, j->cap) = root;
    }
}

static void
read_documents(struct lore_map_joined *j)
{
    struct lore_import_file *f = NULL;

    j->read = true;
    while ((f = lore_tree_next_path(j->in->tree, "", f)) != NULL) {
        if (f != j->in->at && !f->packed && f->from.size <= DOCUMENT_MAX &&
            lore_tree_open(j->in->tree, f) && lore_import_json(f) &&
            lore_import_json(f)->type == LORE_J_OBJECT)
            add(j, lore_import_json(f));
    }
}

const struct lore_json *
lore_map_joined_node(const struct lore_map_row *r, const char *ref)
{
    struct lore_map_joined *j = r->joined;
    size_t n = strcspn(ref, ".");

    if (!j)
        return NULL;
    if (!j->read)
        read_documents(j);
    for (size_t i = 0; i < j->map->n_joins; i++) {
        const struct lore_map_join *join = &j->map->joins[i];
        if (strlen(join->name) != n || strncmp(join->name, ref, n) != 0)
            continue;
        const struct lore_json *on = *join->on == '+' ? NULL : lore_map_node(r, join->on);
        if (!on || on->type != LORE_J_STRING)
            return NULL;
        size_t at = *lore_index_at(lore_import_kept(j->in), &j->by_name,
            lore_format(r->arena, "%s|%s", join->name, on->str));
        return at > 0 && ref[n] == '.' ? lore_map_member(j->documents[at - 1], ref + n + 1) : NULL;
    }
    return NULL;
}

/* Breadth-first search of the lineage graph (ancestry.h). C code reads the edges of each version
 * once. A recursive query drops only rows that are equal in every column, depth and edge included,
 * so it would read the edges of a version again for each path. */
#include "db/ancestry.h"
#include "db/internal.h"
#include "service/base/text.h"

#define OTHER "coalesce(v.label, v.tag), v.kernel, v.kind, v.ordinal FROM fact_lineage l"

struct walk {
    struct lore_db *db;
    struct lore_arena *arena;
    struct lore_kin_list found;
    size_t cap;
    const char **visited; /* versions in the order of the search */
    int64_t *depth;
    size_t n_visited, cap_visited, cap_depth;
};

static void
visit(struct walk *w, const char *version, int64_t depth)
{
    size_t n = w->n_visited;

    for (size_t i = 0; i < w->n_visited; i++)
        if (lore_streq(w->visited[i], version))
            return;
    *LORE_PUSH(w->arena, w->visited, w->n_visited, w->cap_visited) = version;
    *LORE_PUSH(w->arena, w->depth, n, w->cap_depth) = depth;
}

static enum lore_status
step(struct walk *w, const char *from, int64_t depth, bool up, struct lore_err *err)
{
    LORE_STMT q = up ? lore_sql(w->db, "SELECT l.parent, l.kind, " OTHER
                                       " JOIN fact_version v ON v.id = l.parent WHERE l.child = $1"
                                       " ORDER BY l.position")
                     : lore_sql(w->db, "SELECT l.child, l.kind, " OTHER
                                       " JOIN fact_version v ON v.id = l.child WHERE l.parent = $1"
                                       " ORDER BY v.seq");

    lore_bind_text(&q, 1, from);
    while (!w->found.cut && lore_row(&q)) {
        struct lore_kin kin = {.version = lore_col_text(&q, 0, w->arena),
            .via = from,
            .edge = lore_col_text(&q, 1, w->arena),
            .label = lore_col_text(&q, 2, w->arena),
            .kernel = lore_col_text(&q, 3, w->arena),
            .kind = lore_col_text(&q, 4, w->arena),
            .ordinal = lore_col_opt_i64(&q, 5),
            .depth = depth};

        w->found.cut = w->found.n == w->found.limit;
        if (w->found.cut)
            break;
        *LORE_PUSH(w->arena, w->found.rows, w->found.n, w->cap) = kin;
        visit(w, kin.version, depth);
    }
    return lore_done(&q, err);
}

enum lore_status
lore_db_list_kin(struct lore_db *db, const char *version, bool up, struct lore_arena *a,
    struct lore_kin_list *out, struct lore_err *err)
{
    struct walk w = {.db = db, .arena = a, .found = {.limit = out->limit}};
    enum lore_status status = LORE_OK;

    visit(&w, lore_strdup(a, version), 0);
    for (size_t i = 0; status == LORE_OK && i < w.n_visited && !w.found.cut; i++)
        status = step(&w, w.visited[i], w.depth[i] + 1, up, err);
    if (status == LORE_OK)
        *out = w.found;
    return status;
}

/* Lines of techniques from stored records (line.h). */
#include "service/api/line.h"

#include "db/line.h"
#include "db/memo.h"
#include "db/store.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

static void
write_known(struct lore_jsonw *w, const char *key, const void *row)
{
    static const char *const names[] = {
        "tag", "source", "parameter", "summary", "isa", "kept", "log", "ancestor"};
    unsigned known = ((const struct lore_line_row *)row)->known;

    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (known >> i & 1)
            lore_w_str(w, names[i]);
    lore_w_arr_end(w);
}

#define ROW struct lore_line_row
static const struct lore_object_member technique[] = {
    {"!name", AT(name)},
    {"!version", AT(version), "ulid", "the version that brought it in"},
    {"label", AT(label)},
    {"experiment", AT(experiment), "ulid"},
    {"out_version", AT(out_version), "ulid", "the version that took it out again"},
    {"out_label", AT(out_label)},
    {"out_experiment", AT(out_experiment), "ulid"},
    {"!known", WRITTEN(write_known), "[text",
        "how: tag of an experiment, source, parameter, summary; isa: and verified in the machine "
        "code; kept: an experiment kept it; log: perhaps, for an earlier attempt of the log gained "
        "with it; ancestor: the source of an ancestor shows it, and the version has none"},
};
const struct lore_object lore_line_technique_object = LORE_OBJECT("LineTechnique", technique);
#undef ROW

static struct lore_line_version *
find(struct lore_line_version *v, size_t n, const char *id)
{
    for (size_t i = 0; i < n; i++)
        if (lore_streq(v[i].id, id))
            return &v[i];
    return NULL;
}

/* Add PARENT to the N parents V, which grow in ARENA. */
static void
add_parent(struct lore_arena *arena, const struct lore_parent **v, size_t *n, struct lore_parent p)
{
    struct lore_parent *grown = lore_alloc_array(arena, *n + 1, sizeof *grown);

    for (size_t i = 0; i < *n; i++)
        grown[i] = (*v)[i];
    grown[(*n)++] = p;
    *v = grown;
}

static void
add_edges(struct lore_line_version *v, size_t n, const struct lore_line_facts *facts,
    struct lore_arena *arena)
{
    for (size_t i = 0; i < facts->n_edges; i++) {
        const struct lore_line_edge_row *e = &facts->edges[i];
        struct lore_line_version *child = find(v, n, e->child);
        bool loose = e->kind == LORE_E_NONE;

        if (child)
            add_parent(arena, loose ? &child->compared : &child->parents,
                loose ? &child->n_compared : &child->n_parents,
                (struct lore_parent){e->parent, e->kind});
    }
}

static enum lore_status
make(struct lore_db *db, const void *version, struct lore_arena *arena, const void **out, bool *own,
    struct lore_err *err)
{
    const struct lore_version *root = version;
    struct lore_line_facts facts;
    enum lore_status status = lore_db_get_line(db, root->id, arena, &facts, err);

    if (status != LORE_OK)
        return status;
    size_t n = facts.n_versions;
    struct lore_line_version *v = lore_alloc_array(arena, n + 1, sizeof *v);
    struct lore_line *lines = lore_alloc_array(arena, n + 1, sizeof *lines);
    for (size_t i = 0; i < n; i++) {
        v[i] = (struct lore_line_version){.id = facts.versions[i].id,
            .label = facts.versions[i].label,
            .ablation = facts.versions[i].kind == LORE_V_ABLATION,
            .shown = facts.versions[i].shown};
        *own |= !lore_streq(facts.versions[i].kernel, root->kernel);
    }
    add_edges(v, n, &facts, arena);
    for (size_t i = 0; i < facts.n_uses; i++) {
        const struct lore_line_use_row *u = &facts.uses[i];
        struct lore_line_version *of = find(v, n, u->version);

        if (of)
            *LORE_PUSH(arena, of->uses, of->n_uses, of->cap_uses) = (struct lore_line_use){
                u->kept || u->not_applied ? lore_technique_slug(arena, u->technique) : u->technique,
                u->raw, u->experiment, !u->experiment, u->not_applied, u->verified, u->kept,
                u->gained};
    }
    lore_lines(v, n, arena, lines);
    const struct lore_line_version *at = find(v, n, root->id);
    *out = at ? &lines[at - v] : lore_alloc(arena, sizeof *lines);
    return LORE_OK;
}

enum lore_status
lore_line_load(struct lore_db *db, const struct lore_version *v, struct lore_arena *arena,
    struct lore_line *out, struct lore_err *err)
{
    const struct lore_memo_key key = {
        LORE_MEMO_KERNEL, v->kernel, lore_format(arena, "line %s", v->id), make, v};
    const void *found = NULL;
    enum lore_status status = lore_memo_get(db, &key, arena, &found, err);

    if (status == LORE_OK)
        *out = *(const struct lore_line *)found;
    return status;
}

enum lore_status
lore_line_load_id(struct lore_db *db, const char *version, struct lore_arena *arena,
    struct lore_line *out, struct lore_err *err)
{
    struct lore_version_row head;
    enum lore_status status = lore_db_get_version_head(db, version, arena, &head, err);

    return status == LORE_OK ? lore_line_load(db, &head.v, arena, out, err) : status;
}

struct lore_line_rows
lore_line_rows(const struct lore_line *line, struct lore_arena *arena)
{
    struct lore_line_rows out = {lore_alloc_array(arena, line->n + 1, sizeof *out.v), line->n};

    for (size_t i = 0; i < line->n; i++) {
        const struct lore_line_technique *t = line->v[i];

        out.v[i] = (struct lore_line_row){t->name, t->in->id, t->in->label, t->in_experiment,
            t->out ? t->out->id : NULL, t->out ? t->out->label : NULL, t->out_experiment, t->known};
    }
    return out;
}

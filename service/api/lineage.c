/* GET /api/v1/versions/{id}/lineage: ancestors and descendants of a version, across kernels,
 * because a translation may derive from another kernel's version. And the techniques of a line, for
 * the answers about one kernel. */
#include "db/ancestry.h"
#include "service/api/api_knowledge.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

enum { KIN_MAX = 500 /* edges each way */ };

#define KIN(via_name)                                                                              \
    {"!version", AT(version), "ulid"}, {"!edge", AT(edge), NULL, "derived_from, ablation_of, …"},  \
        {via_name, AT(via), "ulid", "adjacent version, closer to the requested one"},              \
        {"!depth", AT(depth)}, {"label", AT(label)}, {"!kernel", AT(kernel), "ulid"},              \
        {"!kind", AT(kind)},                                                                       \
    {                                                                                              \
        "ordinal", AT(ordinal)                                                                     \
    }
#define ROW struct lore_kin
static const struct lore_object_member ancestor[] = {KIN("!child")};
static const struct lore_object_member descendant[] = {KIN("!parent")};
static const struct lore_object lore_ancestor_object = LORE_OBJECT("Ancestor", ancestor);
static const struct lore_object lore_descendant_object = LORE_OBJECT("Descendant", descendant);
#undef ROW

struct lineage {
    struct lore_version_row v;
    struct lore_kin_list up, down;
};
#define ROW struct lineage
static const struct lore_object_member lineage[] = {
    {"!version", AT(v.v.id), "ulid"},
    {"!kernel", AT(v.v.kernel), "ulid"},
    {"!ancestors", LIST(up.rows, up.n, lore_ancestor_object)},
    {"!ancestors_cut", AT(up.cut), NULL, "there are more"},
    {"!descendants", LIST(down.rows, down.n, lore_descendant_object)},
    {"!descendants_cut", AT(down.cut), NULL, "there are more"},
};
const struct lore_object lore_lineage_object = LORE_OBJECT("Lineage", lineage);
#undef ROW

enum lore_status
lore_api_lineage(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    const char *id = req->vars[0];
    struct lineage x = {.up.limit = KIN_MAX, .down.limit = KIN_MAX};
    enum lore_status status = lore_db_get_version(req->db, id, req->arena, &x.v, err);

    if (status == LORE_OK)
        status = lore_db_list_kin(req->db, id, true, req->arena, &x.up, err);
    if (status == LORE_OK)
        status = lore_db_list_kin(req->db, id, false, req->arena, &x.down, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_lineage_object, &x, err) : status;
}

uint32_t
lore_history_stated_labels(const struct lore_history *h, const char *version)
{
    uint32_t labels = 0;

    for (size_t i = 0; i < h->line.n; i++)
        for (size_t k = 0; k < h->entries[i].n_made; k++) {
            const struct lore_experiment_row *e = h->entries[i].made[k];
            const struct lore_texts *stated = &e->e.bottleneck.labels;

            for (size_t l = 0; l < stated->n && !e->masked; l++)
                if (lore_streq(e->e.from_version, version))
                    labels |= lore_labels_parse(stated->v[l], NULL);
        }
    return labels;
}

static double
gain_of(const struct lore_experiment_row *e)
{
    return e->outcome.gain.set ? e->outcome.gain.v : e->outcome.speedup.v;
}

/* The parents of T; without any, the versions that its experiments started from. */
static void
add_parents(
    const struct lore_history_version *t, struct lore_arena *arena, struct lore_line_version *out)
{
    const struct lore_version *v = &t->version->v;
    struct lore_parent *made[2] = {0};
    size_t n[2] = {0}, cap[2] = {0};

    out->parents = v->parents;
    out->n_parents = v->n_parents;
    if (v->n_parents > 0 || v->kind == LORE_V_BASELINE)
        return;
    for (size_t k = t->n_made; k-- > 0;) {
        const struct lore_experiment *e = &t->made[k]->e;
        bool loose = e->claim.base == LORE_BASE_PREVIOUS;

        if (e->from_version && e->claim.base != LORE_BASE_LIBRARY)
            *LORE_PUSH(arena, made[loose], n[loose], cap[loose]) =
                (struct lore_parent){e->from_version, LORE_E_DERIVED_FROM};
    }
    out->parents = made[0];
    out->n_parents = n[0];
    out->compared = made[1];
    out->n_compared = n[1];
}

static void
add_uses(
    const struct lore_experiment_row *row, struct lore_arena *arena, struct lore_line_version *out)
{
    const struct lore_experiment *e = &row->e;

    for (size_t u = 0; u < e->n_techniques; u++)
        *LORE_PUSH(arena, out->uses, out->n_uses, out->cap_uses) =
            (struct lore_line_use){.technique = e->techniques[u].name,
                .raw = e->techniques[u].raw,
                .experiment = e->id,
                .gained = gain_of(row) > 1};
}

struct lore_line *
lore_history_lines(const struct lore_history *h, struct lore_arena *arena)
{
    struct lore_line_version *v = lore_alloc_array(arena, h->line.n + 1, sizeof *v);
    struct lore_line *lines = lore_alloc_array(arena, h->line.n + 1, sizeof *lines);

    for (size_t i = 0; i < h->line.n; i++) {
        const struct lore_history_version *t = &h->entries[i];
        const struct lore_version *of = &t->version->v;

        v[i] = (struct lore_line_version){
            .id = of->id, .label = of->label, .ablation = of->kind == LORE_V_ABLATION};
        add_parents(t, arena, &v[i]);
        for (size_t k = 0; k < h->n_left_out; k++)
            if (lore_streq(h->left_out[k].version, of->id))
                *LORE_PUSH(arena, v[i].uses, v[i].n_uses, v[i].cap_uses) =
                    (struct lore_line_use){.technique = h->left_out[k].technique, .left_out = true};
        for (size_t k = t->n_made; k-- > 0;) /* oldest first */
            add_uses(t->made[k], arena, &v[i]);
    }
    lore_lines(v, h->line.n, arena, lines);
    return lines;
}

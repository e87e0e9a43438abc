/* GET /api/v1/versions/{id}/lineage: ancestors and descendants of a version, across kernels,
 * because a translation may derive from another kernel's version. */
#include "db/ancestry.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"

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

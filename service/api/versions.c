/* GET /api/v1/versions and /versions/{id}: nodes of the lineage graph with their files. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/line.h"
#include "service/api/objects.h"
#include "service/api/params.h"

static const char *
edge_name(enum lore_edge_kind kind)
{
    return lore_edge_kind_name(kind == LORE_E_NONE ? LORE_E_DERIVED_FROM : kind);
}

#define ROW struct lore_parent
static const struct lore_object_member parent[] = {
    {"!version", AT(version), "ulid"},
    {"!kind", NAMED(kind, edge_name)},
};
static const struct lore_object lore_parent_object = LORE_OBJECT("Parent", parent);
#undef ROW

#define ROW struct lore_source_row
static const struct lore_object_member file[] = {
    {"!file", AT(file)},
    {"!blob", AT(blob), NULL, "its hash; GET /api/v1/blobs/{hash} returns the bytes"},
    {"!bytes", AT(bytes)},
};
static const struct lore_object lore_file_object = LORE_OBJECT("File", file);
#undef ROW

struct whole {
    struct lore_version_row v;
    struct lore_line_rows line;
};
#define ROW struct lore_version_row
static const struct lore_object_member version[] = {
    {"!id", AT(v.id), "ulid"},
    {"!kernel", AT(v.kernel), "ulid"},
    {"kernel_name", AT(kernel_name)},
    {"operator", AT(op)},
    {"language", AT(language)},
    {"project", AT(project)},
    {"!kind", NAMED(v.kind, lore_version_kind_name),
        "baseline|candidate|branch|ablation|revert|library"},
    {"ordinal", AT(v.ordinal)},
    {"tag", AT(v.tag)},
    {"label", AT(v.label)},
    {"summary", AT(v.summary)},
    {"!parents", LIST(v.parents, v.n_parents, lore_parent_object)},
    {"!files", LIST(files, n_files, lore_file_object)},
    {"created_at", TIME(created_us)},
    {"received_at", TIME(received_us)},
    {"!seq", AT(seq)},
};
const struct lore_object lore_version_object = LORE_OBJECT("Version", version);

static const struct lore_object_member listed[] = {
    {"", MEMBERS_HERE(lore_version_object)},
    {"document", AT(document), "ulid"},
};
const struct lore_object lore_version_row_object = LORE_OBJECT("VersionRow", listed);

#undef ROW

#define ROW struct whole
static const struct lore_object_member full[] = {
    {"", MEMBERS(v, lore_version_object)},
    {"!record", RECORD(v.v, LORE_K_VERSION, v.rest)},
    {"document", AT(v.document), "ulid"},
    {"!line", LIST(line.v, line.n, lore_line_technique_object), NULL,
        "the techniques of all its ancestors and its own"},
};
const struct lore_object lore_version_full_object = LORE_OBJECT("VersionFull", full);
#undef ROW

LORE_LIST_HANDLER(lore_api_versions, versions, version, lore_version_row_object)

enum lore_status
lore_api_version(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct whole x = {0};
    struct lore_line line;
    enum lore_status status = lore_db_get_version(req->db, req->vars[0], req->arena, &x.v, err);

    if (status == LORE_OK)
        status = lore_line_load(req->db, &x.v.v, req->arena, &line, err);
    if (status != LORE_OK)
        return status;
    x.line = lore_line_rows(&line, req->arena);
    return lore_reply_object(resp, &lore_version_full_object, &x, err);
}

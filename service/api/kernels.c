/* GET /api/v1/kernels and /kernels/{id}: a list of kernels, and one kernel with its versions. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"

#define VERSIONS_SHOWN 1000 /* of one kernel; GET /versions lists all, in pages */

#define ROW struct lore_kernel_row
static const struct lore_object_member kernel[] = {
    {"!id", AT(k.id), "ulid"},
    {"!operator", AT(k.op)},
    {"family", AT(family)},
    {"!name", AT(k.name)},
    {"!language", NAMED(k.language, lore_language_name)},
    {"project", AT(k.project)},
    {"origin", AT(k.origin), NULL, "where the code lives"},
    {"!experiments", AT(n_experiments)},
    {"received_at", TIME(received_us)},
    {"!seq", AT(seq)},
};
static const struct lore_object lore_kernel_object = LORE_OBJECT("", kernel);

static const struct lore_object_member listed[] = {
    {"", MEMBERS_HERE(lore_kernel_object)},
    {"!versions", AT(n_versions), NULL, "how many"},
};
const struct lore_object lore_kernel_row_object = LORE_OBJECT("KernelRow", listed);
#undef ROW

struct kernel_full {
    struct lore_kernel_row k;
    struct lore_version_row *versions;
    size_t n;
};
#define ROW struct kernel_full
static const struct lore_object_member full[] = {
    {"", MEMBERS(k, lore_kernel_object)},
    {"!versions", LIST(versions, n, lore_version_object)},
    {"!record", RECORD(k.k, LORE_K_KERNEL, k.rest)},
    {"document", AT(k.document), "ulid"},
};
const struct lore_object lore_kernel_full_object = LORE_OBJECT("Kernel", full);
#undef ROW

LORE_LIST_HANDLER(lore_api_kernels, kernels, kernel, lore_kernel_row_object)

enum lore_status
lore_api_kernel(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_list_filter of = {.kernel = req->vars[0], .page.limit = VERSIONS_SHOWN};
    struct kernel_full f = {0};
    enum lore_status status = lore_db_get_kernel(req->db, req->vars[0], req->arena, &f.k, err);

    if (status == LORE_OK)
        status = lore_db_list_versions(req->db, &of, req->arena, &f.versions, &f.n, err);
    return status == LORE_OK ? lore_reply_object(resp, &lore_kernel_full_object, &f, err) : status;
}

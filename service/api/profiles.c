/* Profiles: GET /api/v1/profiles lists programs by what they spent; GET /api/v1/profiles/{id} adds
 * the kernels. The samples of a kernel are in the record only (GET /api/v1/records/{id}). */
#include "db/knowledge.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"

#define ROW struct lore_profile_row
static const struct lore_object_member profile[] = {
    {"", FIELDS(r, LORE_K_PROFILE)},
    {"!process_count", AT(process_count)},
    {"busiest", AT(busiest), NULL, "the kernel with the most time"},
    STORED(),
};
const struct lore_object lore_profile_object = LORE_OBJECT("Profile", profile);
#undef ROW

LORE_LIST_HANDLER(lore_api_profiles, profiles, profile, lore_profile_object)

enum lore_status
lore_api_profile(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_profile_row row = {0};
    enum lore_status status = lore_db_get_profile(req->db, req->vars[0], req->arena, &row, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; i < row.r.n_lines; i++)
        for (size_t k = 0; k < row.r.lines[i].n_shapes; k++)
            row.r.lines[i].shapes[k].n_samples = 0;
    return lore_reply_object(resp, &lore_profile_object, &row, err);
}

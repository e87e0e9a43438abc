/* `unmasked=true` on one experiment: a caller that must not see hidden experiments gets an error
 * with the reason. */
#include <string.h>

#include "db/standing.h"
#include "db/store.h"
#include "service/api/params.h"
#include "service/api/present.h"

static enum lore_status
fail_masked(
    const char *id, const char *what, const char *why, const char *who, struct lore_err *err)
{
    enum lore_status status = lore_fail_at(err, LORE_NOTFOUND, "masked", "",
        "experiment %.26s is %s%s%.60s%s%.400s", id, what, who != NULL ? " by " : "",
        who != NULL ? who : "", why != NULL ? ": " : "", why != NULL ? why : "");

    lore_err_hint(err, "without unmasked=true it is shown, with every decision about it");
    return status;
}

enum lore_status
lore_params_require_visible(struct lore_req *req, const char *id, struct lore_err *err)
{
    struct lore_mask_row *masks = NULL;
    struct lore_standing standing = {0};
    const char *why = NULL, *merge = NULL, *canonical = NULL;
    size_t n = 0;
    enum lore_status status = LORE_OK;

    if (lore_arg_bool(req, "unmasked", false))
        status = lore_db_get_hidden_why(req->db, id, &why, err);
    if (status != LORE_OK || !why)
        return status;
    if (strcmp(why, "masked") == 0) {
        status = lore_db_list_masks(req->db, id, req->arena, &masks, &n, err);
        if (status == LORE_OK)
            status = fail_masked(
                id, "masked", n > 0 ? masks[0].reason : NULL, n > 0 ? masks[0].actor : NULL, err);
    } else if (strcmp(why, "merged") == 0) {
        status = lore_db_get_merge(req->db, id, req->arena, &merge, &canonical, err);
        if (status == LORE_OK)
            status = fail_masked(id, "merged into another", canonical, NULL, err);
    } else if (strcmp(why, "copy") == 0) {
        status = fail_masked(id, "a copy of another one", NULL, NULL, err);
    } else if (strcmp(why, "beyond_ceiling") == 0) {
        status = lore_db_get_standing(req->db, id, req->arena, &standing, err);
        if (status == LORE_OK)
            status = fail_masked(id, "beyond its chip", standing.beyond, NULL, err);
    } else {
        status = lore_db_get_standing(req->db, id, req->arena, &standing, err);
        if (status == LORE_OK)
            status = fail_masked(id, "retracted (itself or the version that it made)",
                standing.retraction, NULL, err);
    }
    return status;
}

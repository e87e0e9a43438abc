/* GET /api/v1/environments, /environments/{id} and /environments/{a}/compare/{b}: environments of
 * runs. Hard fields, which make times incomparable, are separate from soft ones. */
#include "db/ancestry.h"
#include "service/api/api.h"
#include "service/api/api_knowledge.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

#define ROW struct lore_environment_row
static const struct lore_object_member environment[] = {
    {"!id", AT(e.id), "ulid"},
    {"chip", AT(e.chip)},
    {"!hard", AT(e.hard), NULL, "fields that make times incomparable when they differ"},
    {"!soft", AT(e.soft), NULL, "fields that are only shown"},
    {"!hard_hash", AT(hard_hash)},
    {"!soft_hash", AT(soft_hash)},
    {"captured_at", TIME(captured_us)},
    {"received_at", TIME(received_us)},
    {"!record", RECORD(e, LORE_K_ENVIRONMENT, rest)},
    {"document", AT(document), "ulid"},
    {"!seq", AT(seq)},
};
const struct lore_object lore_environment_object = LORE_OBJECT("Environment", environment);
#undef ROW

LORE_GET_HANDLER(lore_api_environment, environment, lore_environment_object)
LORE_LIST_HANDLER(lore_api_environments, environments, environment, lore_environment_object)

#define ROW struct lore_difference
static const struct lore_object_member difference[] = {
    {"!name", AT(name)},
    {"a", RAW(a), "any"},
    {"b", RAW(b), "any"},
};
const struct lore_object lore_compared_value_object = LORE_OBJECT("ComparedValue", difference);
#undef ROW

struct compared {
    struct lore_environment_row a, b;
    bool comparable;
    struct lore_differences hard, soft;
};
#define ROW struct compared
static const struct lore_object_member compared[] = {
    {"!a", OBJECT(a, lore_environment_object)},
    {"!b", OBJECT(b, lore_environment_object)},
    {"!comparable", AT(comparable), NULL, "times taken in the two may be compared"},
    {"!hard", LIST(hard.v, hard.n, lore_compared_value_object)},
    {"!soft", LIST(soft.v, soft.n, lore_compared_value_object)},
};
const struct lore_object lore_compared_environments_object =
    LORE_OBJECT("ComparedEnvironments", compared);
#undef ROW

enum lore_status
lore_api_environments_compare(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct compared x = {0};
    enum lore_status status = lore_db_get_environment(req->db, req->vars[0], req->arena, &x.a, err);

    if (status == LORE_OK)
        status = lore_db_get_environment(req->db, req->vars[1], req->arena, &x.b, err);
    if (status != LORE_OK)
        return status;
    x.comparable = lore_streq(x.a.hard_hash, x.b.hard_hash) &&
                   (!x.a.e.chip || !x.b.e.chip || lore_streq(x.a.e.chip, x.b.e.chip));
    x.hard = lore_present_differences(req->arena, &x.a.e.hard, &x.b.e.hard);
    x.soft = lore_present_differences(req->arena, &x.a.e.soft, &x.b.e.soft);
    return lore_reply_object(resp, &lore_compared_environments_object, &x, err);
}

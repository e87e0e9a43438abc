/* Objects of the interface, as a table (openapi.h): runs, experiments and what answers about them.
 * docs/api.md says the same in prose. */
#include "service/api/openapi.h"

#define EFFECT "win|neutral|loss|inconclusive|not_measured"
#define CHECK "pass|fail|timeout|not_checked"
#define EVIDENCE "confirmed|measured|imported|claimed"

const struct lore_openapi_member lore_openapi_members[] = {
    {"Problem", "!type", "text"},
    {"Problem", "!title", "text"},
    {"Problem", "!status", "integer"},
    {"Problem", "!code", "text"},
    {"Problem", "!detail", "text"},
    {"Problem", "path", "text"},
    {"Problem", "hint", "text"},
    {"Problem", "!request_id", "text"},
    {"EnrolRequest", "!code", "text"},
    {"EnrolRequest", "!public_key", "text"},
    {"EnrolRequest", "!label", "text"},
    {"MaskRequest", "!masked", "boolean"},
    {"MaskRequest", "!reason", "text"},
    {"MaskRequest", "id", "ulid"},
    {NULL, NULL, NULL},
};

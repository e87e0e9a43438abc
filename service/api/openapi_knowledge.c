/* Objects of the interface, as a table (openapi.h): what is known beside runs and experiments, what
 * is worked out when asked, decisions. docs/api.md says the same in prose. */
#include "service/api/openapi.h"

const struct lore_openapi_member lore_openapi_knowledge[] = {
    {"ReasonRequest", "!reason", "text"},
    {"ReasonRequest", "id", "ulid"},
    {"ReviewRequest", "!reason", "text"},
    {"ReviewRequest", "id", "ulid"},
    {"ReviewRequest", "!state", "draft|reviewed|rejected"},
    {"AmendRequest", "!reason", "text"},
    {"AmendRequest", "id", "ulid"},
    {"AmendRequest", "iterations", "integer"},
    {"AmendRequest", "expected_records", "integer"},
    {"CloseRequest", "!reason", "text"},
    {"CloseRequest", "id", "ulid"},
    {"CloseRequest", "stop_reason", "text"},
    {"CloseRequest", "retrospective", "text"},
    {"RestartRequest", "!reason", "text"},
    {"RestartRequest", "id", "ulid"},
    {"RestartRequest", "seed", "any"},
    {"RestartRequest", "dry_run", "boolean"},
    {"MergeRequest", "!reason", "text"},
    {"MergeRequest", "id", "ulid"},
    {"MergeRequest", "!members", "[ulid"},
    {"MergeRequest", "canonical", "ulid"},
    {"MergeRequest", "dry_run", "boolean"},
    {NULL, NULL, NULL},
};

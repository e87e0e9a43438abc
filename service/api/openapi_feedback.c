/* Objects of the interface, as a table (openapi.h): what was advised and what came of it. */
#include "service/api/openapi.h"

#define EVENTS "opened|applied|dismissed"

const struct lore_openapi_member lore_openapi_feedback[] = {
    {"AdviceEventRequest", "!event", EVENTS},
    {"AdviceEventRequest", "technique", "text"},
    {"AdviceEventRequest", "note", "text"},
    {NULL, NULL, NULL},
};

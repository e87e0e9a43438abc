/* Objects of the interface, as a table (openapi.h): what was advised and what came of it. */
#include "openapi.h"

#define TALLY(o)                                                                                   \
    {o, "!served", "integer"}, {o, "!opened", "integer"}, {o, "!applied", "integer"},              \
        {o, "!dismissed", "integer"}, {o, "!worked", "integer"}, {o, "!did_not", "integer"},       \
        {o, "!inconclusive", "integer"}, {o, "!open", "integer"},                                  \
    {                                                                                              \
        o, "!hit_rate", "#HitRate?"                                                                \
    }
#define CAME "open|inconclusive|did_not|worked"
#define EVENTS "opened|applied|dismissed"

const struct lore_openapi_member lore_openapi_feedback[] = {
    {"AdviceEventRequest", "!event", EVENTS},
    {"AdviceEventRequest", "technique", "text"},
    {"AdviceEventRequest", "note", "text"},
    {"AdviceEvent", "!id", "ulid"},
    {"AdviceEvent", "!event", EVENTS},
    {"AdviceEvent", "technique", "text"},
    {"AdviceEvent", "!at", "time"},
    {"ServedOutcome", "!experiment", "ulid"},
    {"ServedOutcome", "!how", "named|applied|context"},
    {"ServedOutcome", "!effect", "text"},
    {"ServedOutcome", "speedup", "number"},
    {"ServedOutcome", "!came", CAME},
    {"ServedOutcome", "!hidden", "boolean"},
    {"ServedItem", "!list", "text"},
    {"ServedItem", "!rank", "integer"},
    {"ServedItem", "!technique", "text"},
    {"ServedItem", "p_win", "number"},
    {"ServedItem", "gain", "number"},
    {"ServedItem", "said", EVENTS},
    {"ServedItem", "!came", CAME},
    {"ServedItem", "!outcomes", "[#ServedOutcome"},
    {"ServedEvent", "!event", EVENTS},
    {"ServedEvent", "technique", "text"},
    {"ServedEvent", "note", "text"},
    {"ServedEvent", "!actor", "text"},
    {"ServedEvent", "!at", "time"},
    {"ServedAdvice", "!id", "ulid"},
    {"ServedAdvice", "!served_at", "time"},
    {"ServedAdvice", "!until", "time"},
    {"ServedAdvice", "!caller", "text"},
    {"ServedAdvice", "!question", "object"},
    {"ServedAdvice", "!items", "[#ServedItem"},
    {"ServedAdvice", "!events", "[#ServedEvent"},
    {"HitRate", "!value", "number"},
    {"HitRate", "!low", "number"},
    {"HitRate", "!high", "number"},
    {"AdviceOfList", "!list", "text"},
    TALLY("AdviceOfList"),
    {"AdviceLine", "chip", "text"},
    {"AdviceLine", "!technique", "text"},
    {"AdviceLine", "!list", "text"},
    TALLY("AdviceLine"),
    {"AdviceRegret", "!answers", "integer"},
    {"AdviceRegret", "mean", "number"},
    {"AdviceRegret", "worst", "number"},
    {"AdviceStatistics", "!answers", "integer"},
    {"AdviceStatistics", "!forgotten", "integer"},
    {"AdviceStatistics", "since", "time"},
    {"AdviceStatistics", "!lists", "[#AdviceOfList"},
    {"AdviceStatistics", "!rows", "[#AdviceLine"},
    {"AdviceStatistics", "!left_out", "integer"},
    {"AdviceStatistics", "!calibration", "#Calibration"},
    {"AdviceStatistics", "!regret", "#AdviceRegret"},
    {NULL, NULL, NULL},
};

/* GET /api/v1/hypotheses and /hypotheses/{id}: claims made before the run. */
#include "db/store.h"
#include "service/api/api.h"
#include "service/api/objects.h"
#include "service/api/params.h"

#define ROW struct lore_hypothesis_row
static const struct lore_object_member hypothesis[] = {
    {"!id", AT(h.id), "ulid"},
    {"from_version", AT(h.from_version), "ulid"},
    {"to_version", AT(h.to_version), "ulid"},
    {"!claim", AT(h.claim)},
    {"author", AT(h.author)},
    {"claimed_at", TIME(claimed_us)},
    {"received_at", TIME(received_us)},
    {"!record", RECORD(h, LORE_K_HYPOTHESIS, rest)},
    {"document", AT(document), "ulid"},
    {"!seq", AT(seq)},
};
const struct lore_object lore_hypothesis_object = LORE_KEYED_OBJECT("Hypothesis", hypothesis, h.id);
#undef ROW

LORE_LIST_HANDLER(lore_api_hypotheses, hypotheses, hypothesis, lore_hypothesis_object)
LORE_GET_HANDLER(lore_api_hypothesis, hypothesis, lore_hypothesis_object)

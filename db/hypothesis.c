/* Hypotheses: claims made before the run. */
#include "db/internal.h"
#include "db/kinds.h"

#define SELECT                                                                                     \
    "SELECT h.seq, d.received_us, h.claimed_us, h.claimed_us, h.id, h.from_version, "              \
    "h.to_version, h.claim,"                                                                       \
    " h.author, h.rest, d.id FROM fact_hypothesis h JOIN fact_document d ON d.seq = h.document"

#define ROW struct lore_hypothesis_row
static const struct lore_row_member members[] = {AT(seq), AT(received_us), AT(claimed_us),
    AT_TIME(h.claimed_at), AT(h.id), AT(h.from_version), AT(h.to_version), AT(h.claim),
    AT(h.author), AT(rest), AT(document)};
const struct lore_row_shape lore_hypothesis_rows = {LORE_MEMBERS(members), .noun = "hypothesis",
    LORE_RECORD(LORE_K_HYPOTHESIS, LORE_DECODE_WHOLE, h), .author = offsetof(ROW, h.author),
    .happened = offsetof(ROW, claimed_us), .get = LORE_LITERAL(SELECT " WHERE h.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($version IS NULL OR h.from_version = $version"
                                " OR h.to_version = $version)" LORE_PAGE("h"))};

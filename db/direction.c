/* Directions: worth trying, and not tried yet. One is open until a curation closes it. */
#include "db/internal.h"
#include "db/kinds.h"

#define SELECT                                                                                     \
    "SELECT t.rest, t.seq, d.received_us, d.id, d.actor, x.reason, x.reason FROM fact_direction t" \
    " JOIN fact_document d ON d.seq = t.document"                                                  \
    " LEFT JOIN fact_curation x ON x.seq = " LORE_LAST_CURATION("t", "'close'")

#define ROW struct lore_direction_row
static const struct lore_row_member members[] = {
    LORE_KNOWN_MEMBERS, AT(close_reason), AT_THERE(closed)};
const struct lore_row_shape lore_direction_rows = {LORE_MEMBERS(members), .noun = "direction",
    LORE_RECORD(LORE_K_DIRECTION, LORE_DECODE_LISTS, r),
    .get = LORE_LITERAL(SELECT " WHERE t.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE ($kernel IS NULL OR t.kernel = $kernel)"
                                " AND ($state IS NULL OR CASE WHEN x.seq IS NULL THEN 'open'"
                                " ELSE 'closed' END = $state)" LORE_PAGE("t"))};

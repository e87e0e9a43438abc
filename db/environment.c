/* Environments: what surrounded a run. Equal hard hash: measurements may be compared. */
#include "db/internal.h"
#include "db/kinds.h"

LORE_KIND_BEFORE(environment)
{
    const struct lore_environment *r = record;
    char *hard = lore_alloc(c->arena, 33), *soft = lore_alloc(c->arena, 33);

    (void)err;
    lore_kvs_hash(&r->hard, hard);
    lore_kvs_hash(&r->soft, soft);
    made->text[0] = hard;
    made->text[1] = soft;
    return LORE_OK;
}

#define SELECT                                                                                     \
    "SELECT e.seq, e.hard_hash, e.soft_hash, e.captured_us, e.rest, d.id, d.received_us"           \
    " FROM fact_environment e JOIN fact_document d ON d.seq = e.document"

#define ROW struct lore_environment_row
static const struct lore_row_member members[] = {AT(seq), AT(hard_hash), AT(soft_hash),
    AT(captured_us), AT(rest), AT(document), AT(received_us)};
const struct lore_row_shape lore_environment_rows = {LORE_MEMBERS(members), .noun = "environment",
    LORE_RECORD(LORE_K_ENVIRONMENT, LORE_DECODE_LISTS, e), .happened = offsetof(ROW, captured_us),
    .get = LORE_LITERAL(SELECT " WHERE e.id = $1"),
    .list = LORE_LITERAL(SELECT " WHERE " LORE_CHIP_COVERED("e.chip") LORE_PAGE("e"))};

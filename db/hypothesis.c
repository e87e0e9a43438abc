/* Hypotheses: claims made before the run. */
#include "db/internal.h"
#include "db/kinds.h"
#include "db/lesson.h"
#include "service/catalogue/catalogue.h"

LORE_KIND_BEFORE(hypothesis)
{
    const struct lore_hypothesis *r = record;

    (void)err;
    made->text[0] = r->op ? lore_operator_name(c->arena, r->op) : NULL;
    return LORE_OK;
}

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
                                " OR h.to_version = $version) AND ($op IS NULL OR "
                                "h.operator = $op OR EXISTS (SELECT 1"
                                " FROM fact_version v JOIN fact_kernel k ON k.id = v.kernel"
                                " WHERE v.id = coalesce(h.to_version, h.from_version)"
                                " AND k.operator = $op))" LORE_PAGE("h"))};
#undef ROW

#define ROW struct lore_noted_idea
static const struct lore_row_member noted_members[] = {AT(id), AT(claim), AT(technique), AT(chip)};
static const struct lore_row_shape noted_rows = {LORE_MEMBERS(noted_members)};
#undef ROW

enum lore_status
lore_db_list_noted(struct lore_db *db, const char *op, struct lore_arena *a,
    struct lore_noted_idea **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT h.id, h.claim, json_extract(h.rest, '$.technique'), json_extract(h.rest, '$.chip')"
        " FROM fact_hypothesis h WHERE h.operator = $1 AND h.from_version IS NULL"
        " AND h.to_version IS NULL AND" LORE_NOT_RETRACTED("h") " ORDER BY h.seq DESC LIMIT $2");

    lore_bind_text(&q, 1, op);
    lore_bind_i64(&q, 2, LORE_NOTED_MAX);
    return lore_db_collect(&q, &noted_rows, a, out, n, err);
}

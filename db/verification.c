/* Verifications: whether the compiled code of a version shows a technique. A late
 * verification may change the verdicts on the techniques of earlier experiments. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/kinds.h"

LORE_KIND_BEFORE(verification)
{
    const struct lore_verification *r = record;

    return lore_name_technique(c, r->technique, NULL, &made->text[0], err);
}

enum lore_status
lore_verification_affects(
    const struct lore_put_ctx *c, const char *verification, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "SELECT e.id FROM fact_verification v JOIN fact_experiment_technique t"
        " ON t.technique = v.technique JOIN fact_experiment e ON e.seq = t.experiment"
        " AND e.to_version = v.version WHERE v.id = $1 ORDER BY e.seq");
    enum lore_status status = LORE_OK;

    if (!c->effects)
        return LORE_OK;
    lore_bind_text(&q, 1, verification);
    while (status == LORE_OK && lore_row(&q))
        status = lore_db_note_judged(c, lore_col_text(&q, 0, c->arena), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

LORE_KIND_AFTER(verification)
{
    const struct lore_verification *r = record;

    (void)made, (void)seq;
    return lore_verification_affects(c, r->id, err);
}

#define ROW struct lore_verification_row
static const struct lore_row_member members[] = {LORE_KNOWN_MEMBERS};
const struct lore_row_shape lore_verification_rows = {LORE_MEMBERS(members), .noun = "verification",
    LORE_RECORD(LORE_K_VERIFICATION, LORE_DECODE_LISTS, r),
    .get = LORE_LITERAL(LORE_KNOWN("fact_verification") " WHERE t.id = $1"),
    .list = LORE_LITERAL(LORE_KNOWN(
        "fact_verification") " WHERE ($version IS NULL OR t.version = $version)"
                             " AND ($technique IS NULL OR t.technique = $technique)" LORE_PAGE(
                                 "t"))};

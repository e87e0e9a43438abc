/* Attributions: the part of an experiment's gain that ablation gives to one technique. */
#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/internal.h"
#include "db/kinds.h"

LORE_KIND_BEFORE(attribution)
{
    const struct lore_attribution *r = record;

    return lore_name_technique(c, r->technique, NULL, &made->text[0], err);
}

LORE_KIND_AFTER(attribution)
{
    const struct lore_attribution *r = record;
    LORE_STMT q = lore_sql(c->db, "SELECT kernel FROM fact_version WHERE id = $1");
    enum lore_status status;

    (void)made, (void)seq;
    lore_bind_text(&q, 1, r->ablated_version);
    if (lore_row(&q))
        lore_cache_invalidate(c->db, 'K', lore_col_text(&q, 0, NULL));
    status = lore_done(&q, err);
    return status == LORE_OK && c->effects ? lore_db_note_judged(c, r->experiment, err) : status;
}

#define SELECT                                                                                     \
    "SELECT t.seq, t.rest, x.retraction FROM fact_attribution t"                                   \
    " LEFT JOIN drv_curated x ON x.record = t.id"

#define ROW struct lore_attribution_row
static const struct lore_row_member members[] = {AT(seq), AT(rest), AT_THERE(retracted)};
const struct lore_row_shape lore_attribution_rows = {LORE_MEMBERS(members), .noun = "attribution",
    .kind = LORE_K_ATTRIBUTION, .decode = LORE_DECODE_LISTS, .record = offsetof(ROW, a),
    .rest = offsetof(ROW, rest), .get = LORE_LITERAL(SELECT " WHERE t.id = $1")};

enum lore_status
lore_db_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_attribution_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE t.experiment = $1 ORDER BY t.seq");

    lore_bind_text(&q, 1, experiment);
    return lore_db_collect(&q, &lore_attribution_rows, a, out, n, err);
}

enum lore_status
lore_db_contributes(struct lore_db *db, const char *experiment, const char *technique, bool *out,
    struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT EXISTS (SELECT 1 FROM fact_experiment f CROSS JOIN fact_experiment e"
                     " CROSS JOIN fact_attribution t WHERE f.id = $1 AND e.kernel = f.kernel"
                     " AND t.experiment = e.id AND t.technique = $2 AND t.contributed = 'yes'"
                     " AND" LORE_NOT_RETRACTED("t") ")");

    lore_bind_text(&q, 1, experiment);
    lore_bind_text(&q, 2, technique);
    *out = lore_row(&q) && lore_col_i64(&q, 0) != 0;
    return lore_done(&q, err);
}

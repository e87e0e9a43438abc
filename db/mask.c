/* Masks: the events that hide an experiment from recommendations or show it again, with actor and
 * reason. The last event is in force; nothing is deleted. */
#include <inttypes.h>

#include "db/curated.h"
#include "db/experiment_facets.h"
#include "db/internal.h"
#include "db/read.h"
#include "db/rows.h"

static enum lore_status
seq_of(struct lore_db *db, const char *experiment, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq FROM fact_experiment WHERE id = $1");

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

enum lore_status
lore_mask_put(struct lore_db *db, const char *experiment, const struct lore_mask_row *mask,
    int64_t curation, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_mask (experiment, masked, reason, actor, at_us,"
                               " curation) VALUES ($1, $2, $3, $4, $5, $6)");
    enum lore_status status;
    int64_t seq = 0;

    status = seq_of(db, experiment, &seq, err);
    if (status != LORE_OK)
        return status;
    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, mask->masked);
    lore_bind_text(&q, 3, mask->reason != NULL ? mask->reason : "");
    lore_bind_text(&q, 4, mask->actor);
    lore_bind_i64(&q, 5, mask->at_us);
    if (curation != 0)
        lore_bind_i64(&q, 6, curation);
    else
        lore_bind_null(&q, 6);
    status = lore_done(&q, err);
    return status == LORE_OK ? lore_experiment_facets_put(db, seq, err) : status;
}

#define ROW struct lore_mask_row
static const struct lore_row_member members[] = {AT(masked), AT(reason), AT(actor), AT(at_us)};
static const struct lore_row_shape shape = {LORE_MEMBERS(members)};

enum lore_status
lore_db_list_masks(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_mask_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT m.masked, m.reason, m.actor, m.at_us FROM fact_mask m"
                               " JOIN fact_experiment e ON e.seq = m.experiment"
                               " WHERE e.id = $1 ORDER BY m.seq DESC");

    lore_bind_text(&q, 1, experiment);
    return lore_db_collect(&q, &shape, a, out, n, err);
}

/* Masks: the events that hide an experiment from recommendations or show it again, with actor and
 * reason. The last event is in force; nothing is deleted. */
#include <inttypes.h>

#include "db/curated.h"
#include "db/filter.h"
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
lore_mask_put(struct lore_db *db, const char *experiment, bool masked, const char *reason,
    const char *actor, int64_t now_us, int64_t curation, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO fact_mask (experiment, masked, reason, actor, at_us,"
                               " curation) VALUES ($1, $2, $3, $4, $5, $6)");
    enum lore_status status;
    int64_t seq = 0;

    status = seq_of(db, experiment, &seq, err);
    if (status != LORE_OK)
        return status;
    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, masked);
    lore_bind_text(&q, 3, reason != NULL ? reason : "");
    lore_bind_text(&q, 4, actor);
    lore_bind_i64(&q, 5, now_us);
    if (curation != 0)
        lore_bind_i64(&q, 6, curation);
    else
        lore_bind_null(&q, 6);
    status = lore_done(&q, err);
    return status == LORE_OK ? lore_filter_put(db, seq, err) : status;
}

enum lore_status
lore_db_list_masks(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_mask_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT m.masked, m.reason, m.actor, m.at_us FROM fact_mask m"
                               " JOIN fact_experiment e ON e.seq = m.experiment"
                               " WHERE e.id = $1 ORDER BY m.seq DESC");
    struct lore_mask_row *rows = NULL;
    size_t count = 0, cap = 0;

    lore_bind_text(&q, 1, experiment);
    while (lore_row(&q)) {
        struct lore_mask_row *r = LORE_PUSH(a, rows, count, cap);

        r->masked = lore_col_i64(&q, 0) != 0;
        r->reason = lore_col_text(&q, 1, a);
        r->actor = lore_col_text(&q, 2, a);
        r->at_us = lore_col_i64(&q, 3);
    }
    return lore_db_rows(&q, rows, count, out, n, err);
}

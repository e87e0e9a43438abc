/* The narrow row of an experiment in drv_experiment: what lists filter and count by. One statement
 * makes it from facts and the verdict in force, for a new verdict, a mask and a rebuild alike, so
 * it cannot say anything that they do not.
 *
 * An experiment without a verdict has no row and is in no list. */
#include "internal.h"

enum lore_status
lore_filter_put(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_experiment (seq, operator, language, chip, labels, evidence, effect,"
        " correctness, process, speedup, disagrees, masked)"
        " SELECT e.seq, k.operator, k.language, e.chip, e.labels, e.evidence, o.effect,"
        " o.correctness, o.process, o.speedup, o.disagrees, coalesce((SELECT m.masked"
        " FROM fact_mask m WHERE m.experiment = e.seq ORDER BY m.seq DESC LIMIT 1), 0)"
        " FROM fact_experiment e JOIN fact_kernel k ON k.id = e.kernel"
        " JOIN drv_outcome o ON o.experiment = e.seq AND o.superseded_us IS NULL"
        " WHERE e.seq = $1 ON CONFLICT (seq) DO UPDATE SET effect = excluded.effect,"
        " correctness = excluded.correctness, process = excluded.process,"
        " speedup = excluded.speedup, disagrees = excluded.disagrees, masked = excluded.masked");

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}

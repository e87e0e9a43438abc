/* The narrow row of an experiment in drv_experiment, by which lists filter and count. One function
 * makes it from facts and the verdict in force, for a new verdict, a mask and a rebuild alike, so
 * it always agrees with them.
 *
 * The column `masked` marks hidden experiments: a copy (2), else masked, retracted, merged into
 * another, or ending in a retracted version (1). Only this file decides it.
 *
 * An experiment without a verdict has no row and is in no list.
 *
 * INSERT … SELECT is avoided: SQLite guards it with a statement journal, and ending one scans all
 * pages that the document's savepoint has changed. */
#include "db/experiment_facets.h"
#include "db/cache.h"
#include "db/internal.h"
#include "db/standing.h"

enum lore_status
lore_experiment_facets_write(struct lore_db *db, struct lore_stmt *from, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_experiment (seq, operator, language, chip, labels, evidence, effect,"
        " correctness, process, speedup, disagrees, masked, disputes)"
        " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)"
        " ON CONFLICT (seq) DO UPDATE SET labels = excluded.labels, effect = excluded.effect,"
        " correctness = excluded.correctness, process = excluded.process,"
        " speedup = excluded.speedup, disagrees = excluded.disagrees, masked = excluded.masked,"
        " disputes = excluded.disputes");

    lore_bind_i64(&q, 1, lore_col_i64(from, 0));
    for (int i = 1; i <= 8; i++)
        lore_bind_text(&q, i + 1, lore_col_text(from, i, NULL));
    lore_bind_opt_f64(&q, 10, lore_col_opt_f64(from, 9));
    lore_bind_i64(&q, 11, lore_col_i64(from, 10));
    lore_bind_i64(&q, 12, lore_col_i64(from, 11));
    lore_bind_i64(&q, 13, lore_col_i64(from, 12));
    lore_cache_invalidate(db, 'K', lore_col_text(from, 13, NULL));
    return lore_done(&q, err);
}

enum lore_status
lore_experiment_facets_put(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT from =
        lore_sql(db, "SELECT" LORE_FACET_COLUMNS " FROM" LORE_FACET_TABLES " WHERE e.seq = $1");
    enum lore_status status = LORE_OK;

    lore_bind_i64(&from, 1, experiment);
    if (lore_row(&from))
        status = lore_experiment_facets_write(db, &from, err);
    return status == LORE_OK ? lore_done(&from, err) : status;
}

enum lore_status
lore_db_get_hidden_why(
    struct lore_db *db, const char *experiment, const char **why, struct lore_err *err)
{
    static const char *const whys[] = {
        NULL, "retracted", "masked", "merged", "copy", "beyond_ceiling"};
    LORE_STMT q =
        lore_sql(db, "SELECT CASE WHEN EXISTS (SELECT 1 FROM drv_curated c WHERE c.record IN"
                     " (e.id, e.to_version) AND c.retraction IS NOT NULL) THEN 1"
                     " WHEN coalesce((SELECT m.masked FROM fact_mask m WHERE m.experiment = e.seq"
                     " ORDER BY m.seq DESC LIMIT 1), 0) = 1 THEN 2"
                     " WHEN EXISTS (SELECT 1 FROM drv_curated c WHERE c.record = e.id"
                     " AND c.merge IS NOT NULL AND c.canonical <> e.id) THEN 3"
                     " WHEN" LORE_IS_COPY(
                         "e.id") " THEN 4"
                                 " WHEN EXISTS (SELECT 1 FROM drv_curated c WHERE c.record = e.id"
                                 " AND c.beyond IS NOT NULL) THEN 5 ELSE 0 END FROM "
                                 "fact_experiment e WHERE e.id = $1");
    int64_t found = 0;
    enum lore_status status;

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    found = lore_col_i64(&q, 0);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        *why = whys[found];
    return status;
}

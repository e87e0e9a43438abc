/* The rows by which lists of experiments are filtered (experiment_facets.c). For the files of this
 * folder. */
#ifndef LORE_DB_EXPERIMENT_FACETS_H
#define LORE_DB_EXPERIMENT_FACETS_H

#include <stdint.h>

#include "db/shared_sql.h"
#include "service/base/status.h"

struct lore_db;
struct lore_stmt;
/* Write the row of drv_experiment for EXPERIMENT (seq) from its facts and its verdict in force.
 * Without a verdict there is no row. */
enum lore_status
lore_experiment_facets_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* The same from a row of a SELECT that begins with these columns of these tables. */
#define LORE_FACET_COLUMNS                                                                         \
    " e.seq, k.operator, k.language, e.chip, coalesce(b.labels, e.labels), e.evidence, o.effect,"  \
    " o.correctness, o.process, coalesce(o.gain, o.speedup), o.disagrees, CASE WHEN" LORE_IS_COPY( \
        "e.id") " THEN 2 WHEN coalesce((SELECT"                                                    \
                " m.masked FROM fact_mask m WHERE m.experiment = e.seq ORDER BY m.seq DESC"        \
                " LIMIT 1), 0) = 1 OR EXISTS (SELECT 1 FROM drv_curated c WHERE c.record = e.id"   \
                " AND (" LORE_ASIDE(                                                               \
                    "c") " OR c.merge IS NOT NULL AND c.canonical <> e.id))"                       \
                         " OR EXISTS (SELECT 1 FROM drv_curated y WHERE y.record = e.to_version"   \
                         " AND y.retraction IS NOT NULL) THEN 1 ELSE 0 END,"                       \
                         " o.correctness IN ('fail', 'timeout') AND" LORE_OF_OTHERS(               \
                             "e", "e.to_version") ", e.kernel"
enum { LORE_FACETS = 14 }; /* columns */
#define LORE_FACET_TABLES                                                                          \
    " fact_experiment e JOIN fact_kernel k ON k.id = e.kernel"                                     \
    " JOIN drv_outcome o ON o.experiment = e.seq AND o.superseded_us IS NULL"                      \
    " LEFT JOIN drv_bottleneck b ON b.experiment = e.seq"
enum lore_status lore_experiment_facets_write(
    struct lore_db *db, struct lore_stmt *from, struct lore_err *err) LORE_MUST;

#endif

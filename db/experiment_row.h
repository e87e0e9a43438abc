/* The columns of a list row of experiments and of verdicts, and the parts of a row in other tables
 * (experiment_row.c, outcome.c). For the files of this folder. */
#ifndef LORE_DB_EXPERIMENT_ROW_H
#define LORE_DB_EXPERIMENT_ROW_H

#include "db/workload.h"

#define LORE_OUTCOME_COLUMNS                                                                       \
    "o.policy, o.effect, o.correctness, o.process, o.rules, o.basis, o.speedup, o.low, o.high,"    \
    " o.before_ns, o.after_ns, o.disagrees, o.at_us, o.superseded_us, o.flags"
void lore_outcome_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_outcome_row *out);

#define LORE_EXPERIMENT_SELECT                                                                     \
    "SELECT e.seq, e.id, e.kernel, e.hypothesis, e.from_version, e.to_version, e.chip, e.title,"   \
    " e.labels, e.raw_label, e.evidence, e.claimed_before_ns, e.claimed_after_ns,"                 \
    " e.claimed_speedup, e.claimed_low, e.claimed_high, e.base, e.base_name, e.typed_outcome,"     \
    " e.correctness, e.violations, e.notes, e.lesson, e.author, e.happened_us, e.rest,"            \
    " k.operator, p.family, k.name, k.language, x.masked, d.id, "                                  \
    "d.received_us, g.document, " LORE_WORKLOAD_COLUMNS ", " LORE_OUTCOME_COLUMNS                  \
    ", b.labels, b.rule_set, b.basis, b.run, e.metrics_before, e.metrics_after"                    \
    " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"                               \
    " JOIN fact_kernel k ON k.id = e.kernel JOIN cat_operator p ON p.name = k.operator"            \
    " JOIN fact_document d ON d.seq = e.document"                                                  \
    " LEFT JOIN drv_withheld g ON g.document = e.document"                                         \
    " LEFT JOIN drv_bottleneck b ON b.experiment = e.seq"                                          \
    " LEFT JOIN fact_workload w ON w.id = e.workload"                                              \
    " LEFT JOIN drv_outcome o ON o.experiment = e.seq AND o.superseded_us IS NULL"
/* Read a row of LORE_EXPERIMENT_SELECT. Afterwards *col is the column of e.metrics_before. */
void lore_experiment_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_experiment_row *out);
enum lore_status lore_experiment_uses(struct lore_db *db, int64_t seq, struct lore_arena *a,
    struct lore_experiment *e, struct lore_err *err) LORE_MUST;

#endif

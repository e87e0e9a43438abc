/* The columns of queries for experiments and for outcomes, and a function that reads the techniques
 * of an experiment (experiment_row.c, outcome.c). For the files of this folder. */
#ifndef LORE_DB_EXPERIMENT_ROW_H
#define LORE_DB_EXPERIMENT_ROW_H

#include "db/shared_sql.h"
#include "db/workload.h"

#define LORE_OUTCOME_COLUMNS                                                                       \
    "o.policy, o.effect, o.correctness, o.process, o.rules, o.basis, o.speedup, o.low, o.high,"    \
    " o.before_ns, o.after_ns, o.disagrees, o.at_us, o.superseded_us, o.flags, o.gain,"            \
    " CASE WHEN o.effect = 'not_measured' THEN (SELECT r.error_type FROM fact_experiment_run a"    \
    " JOIN fact_run r ON r.id = a.run WHERE a.experiment = o.experiment"                           \
    " AND r.error_type IS NOT NULL LIMIT 1) END"
/* The members of those columns; OF: the prefix of a member in the row, `outcome.` say. */
#define LORE_OUTCOME_MEMBERS(of)                                                                   \
    AT(of policy), AT(of effect), AT(of correctness), AT(of process), AT(of rules), AT(of basis),  \
        AT(of speedup), AT(of low), AT(of high), AT(of before_ns), AT(of after_ns),                \
        AT(of disagrees), AT(of at_us), AT(of superseded_us), AT(of flags), AT(of gain),           \
        AT(of error_type)

#define LORE_EXPERIMENT_SELECT                                                                     \
    "SELECT " LORE_EXPERIMENT_COPY                                                                 \
    ", e.seq, e.id, e.kernel, e.hypothesis, e.from_version, e.to_version, e.chip, e.title,"        \
    " e.labels, e.raw_label, e.evidence, e.claimed_before_ns, e.claimed_after_ns,"                 \
    " e.claimed_speedup, e.claimed_low, e.claimed_high, e.base, e.base, e.base_name,"              \
    " e.typed_outcome, e.correctness, e.notes, e.lesson, e.author, e.happened_us, e.happened_us,"  \
    " e.rest, k.operator, p.family, k.name, k.language, k.project, x.masked, x.disputes, d.id, "   \
    "d.received_us,"                                                                               \
    " g.document, " LORE_WORKLOAD_COLUMNS ", " LORE_OUTCOME_COLUMNS                                \
    ", b.labels, b.rule_set, b.basis, b.run, e.violations, e.metrics_before, e.metrics_after"      \
    " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"                               \
    " JOIN fact_kernel k ON k.id = e.kernel JOIN cat_operator p ON p.name = k.operator"            \
    " JOIN fact_document d ON d.seq = e.document"                                                  \
    " LEFT JOIN drv_withheld g ON g.document = e.document"                                         \
    " LEFT JOIN drv_bottleneck b ON b.experiment = e.seq"                                          \
    " LEFT JOIN fact_workload w ON w.id = e.workload"                                              \
    " LEFT JOIN drv_outcome o ON o.experiment = e.seq AND o.superseded_us IS NULL"
/* lore_experiment_rows (kinds.h) reads the rows of LORE_EXPERIMENT_SELECT. */
enum lore_status lore_experiment_uses(struct lore_db *db, int64_t seq, struct lore_arena *a,
    struct lore_experiment *e, struct lore_err *err) LORE_MUST;

#endif

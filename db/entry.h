/* The narrow rows from which the in-memory indexes load (entry.c). For the files of this folder,
 * inside a transaction. */
#ifndef LORE_DB_ENTRY_H
#define LORE_DB_ENTRY_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
struct lore_run;
/* Add the row of RUN (seq); call it once per run. FROM: the record with what was computed of it
 * before; NULL: its times are computed, and its bottlenecks are those that it states. */
enum lore_status lore_run_entry_put(
    struct lore_db *db, int64_t run, const struct lore_run *from, struct lore_err *err) LORE_MUST;
/* Write the rows of EXPERIMENT (seq) here and in drv_experiment (experiment_facets.h), or update
 * what a verdict changes in them. Call it after its verdict, the verdicts on its techniques and its
 * bottleneck are stored. */
enum lore_status
lore_experiment_rows_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* Rebuild every row: of runs, before verdicts are derived; of experiments, after them. */
enum lore_status lore_run_entries_all(struct lore_db *db, struct lore_err *err) LORE_MUST;
enum lore_status lore_experiment_entries_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif

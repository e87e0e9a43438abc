/* The narrow rows that the memory is read from (entry.c). For the files of this folder, inside a
 * transaction. */
#ifndef LORE_DB_ENTRY_H
#define LORE_DB_ENTRY_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* The row of RUN (seq), once. */
enum lore_status
lore_run_entry_put(struct lore_db *db, int64_t run, struct lore_err *err) LORE_MUST;
/* The row of EXPERIMENT (seq) in place of the one before: after its verdict, the verdicts on its
 * techniques and its bottleneck. */
enum lore_status
lore_experiment_entry_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;
/* All of them again. */
enum lore_status lore_entries_all(struct lore_db *db, struct lore_err *err) LORE_MUST;

#endif

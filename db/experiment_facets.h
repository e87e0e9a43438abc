/* The rows by which lists of experiments are filtered (experiment_facets.c). For the files of this
 * folder. */
#ifndef LORE_DB_EXPERIMENT_FACETS_H
#define LORE_DB_EXPERIMENT_FACETS_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* Write the row of drv_experiment for EXPERIMENT (seq) from its facts and its verdict in force.
 * Without a verdict there is no row. */
enum lore_status
lore_experiment_facets_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;

#endif

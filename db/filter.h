/* The rows by which lists of experiments are filtered (filter.c). For the files of this folder. */
#ifndef LORE_DB_FILTER_H
#define LORE_DB_FILTER_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* Write the row of drv_experiment for EXPERIMENT (seq) from its facts and its verdict in force.
 * Without a verdict there is no row. */
enum lore_status
lore_filter_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;

#endif

/* What lists of experiments are filtered by (filter.c). For the files of this folder. */
#ifndef LORE_DB_FILTER_H
#define LORE_DB_FILTER_H

#include <stdint.h>

#include "service/base/status.h"

struct lore_db;
/* Make the row of drv_experiment that EXPERIMENT (seq) has by its facts and its verdict in
 * force; none without a verdict. */
enum lore_status
lore_filter_put(struct lore_db *db, int64_t experiment, struct lore_err *err) LORE_MUST;

#endif

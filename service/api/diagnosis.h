/* Bottleneck labels of a run. */
#ifndef LORE_API_DIAGNOSIS_H
#define LORE_API_DIAGNOSIS_H

#include "db/rows.h"

struct lore_db;
/* Bottleneck labels of a run: derived from its metrics by the rule sets, else declared; 0: none. */
enum lore_status lore_diagnosis_labels(struct lore_db *db, const struct lore_run_row *run,
    struct lore_arena *arena, uint32_t *labels, struct lore_err *err) LORE_MUST;

#endif

/* What both diagnosis and drift show of one profile. */
#ifndef LORE_API_DIAGNOSIS_H
#define LORE_API_DIAGNOSIS_H

#include "db/rows.h"
#include "service/base/jsonw.h"
#include "service/derive/gaps.h"

struct lore_db;
/* A gaps object; what is not known is left out, and its inputs are named. */
void lore_present_gaps(struct lore_jsonw *w, const struct lore_gaps *g);
/* `"axis_budget": {…}`; null when a gap is not known. */
void lore_present_budget_of(struct lore_jsonw *w, const struct lore_gaps *g);
/* What limits a run: what the rule sets say of its metrics, else what is declared; 0: nothing. */
enum lore_status lore_diagnosis_labels(struct lore_db *db, const struct lore_run_row *run,
    struct lore_arena *arena, uint32_t *labels, struct lore_err *err) LORE_MUST;

#endif

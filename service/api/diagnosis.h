/* What both diagnosis and drift show of one profile. */
#ifndef LORE_API_DIAGNOSIS_H
#define LORE_API_DIAGNOSIS_H

#include "gaps.h"
#include "jsonw.h"

/* A gaps object; what is not known is left out, and its inputs are named. */
void lore_present_gaps(struct lore_jsonw *w, const struct lore_gaps *g);
/* `"axis_budget": {…}`; null when a gap is not known. */
void lore_present_budget_of(struct lore_jsonw *w, const struct lore_gaps *g);

#endif

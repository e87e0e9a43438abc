/* On how many workloads a technique was tried on an operator, kept with each row, so that nobody
 * has to look at the rows for it. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_WORKLOADS_H
#define LORE_RECOMMEND_EVIDENCE_WORKLOADS_H

#include "service/recommend/evidence_inner.h"

/* A row of WORKLOAD, of context C, is on S now. */
void lore_workload_enter(struct lore_evidence_index *ix, struct lore_row_group *s,
    uint32_t workload, const struct lore_graded *c);
/* Whether a row counts for its workload. */
bool lore_workload_counts(const struct lore_evidence_index *ix, uint32_t row, uint32_t *workload);
/* One that did is not on S any more, or does not count any more. */
void
lore_workload_leave(struct lore_evidence_index *ix, struct lore_row_group *s, uint32_t workload);
/* Whether they are all there is on S that a question takes: HERE, on its operator. */
bool lore_workloads_totals(
    const struct lore_evidence_index *ix, const struct lore_row_group *s, bool here);

#endif

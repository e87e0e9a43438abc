/* On how many workloads a technique was tried on an operator, kept with each row, so that nobody
 * has to look at the rows for it. Private to recommend/. */
#ifndef LORE_RECOMMEND_EVIDENCE_WORKLOADS_H
#define LORE_RECOMMEND_EVIDENCE_WORKLOADS_H

#include <stdbool.h>
#include <stdint.h>

/* Of a shelf: the workloads of its rows that are neither masked nor steps, by their numbers on the
 * operator. Zeroed is valid. */
struct lore_tried_on {
    uint64_t *bits;
    uint32_t words, n;
    uint32_t
        again;  /* the bits would take more than the rows: until there are so many rows; else 0 */
    bool steps; /* there are steps, which are not among them */
};
struct lore_workload_at { /* per name */
    uint32_t op, number;  /* the first operator that it was with, + 1, and its number there */
};
struct lore_evidence_index;
struct lore_shelf;
struct lore_graded;
/* A row of WORKLOAD, of context C, is on S now. */
void lore_workload_enter(struct lore_evidence_index *ix, struct lore_shelf *s, uint32_t workload,
    const struct lore_graded *c);
/* Whether a row counts for its workload. */
bool lore_workload_counts(const struct lore_evidence_index *ix, uint32_t row, uint32_t *workload);
/* One that did is not on S any more, or does not count any more. */
void lore_workload_leave(struct lore_evidence_index *ix, struct lore_shelf *s, uint32_t workload);
/* Whether they are all there is on S that a question takes: HERE, on its operator. */
bool
lore_workloads_kept(const struct lore_evidence_index *ix, const struct lore_shelf *s, bool here);

#endif

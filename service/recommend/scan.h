/* The pass over the evidence for one question: sums per technique and level, and the rows that bear
 * most. Private to recommend/; recommend.c turns the sums into an answer. */
#ifndef LORE_RECOMMEND_SCAN_H
#define LORE_RECOMMEND_SCAN_H

#include "service/recommend/scan_state.h"

void lore_scan_run(struct lore_scan *s, const struct lore_evidence_index *ix,
    const struct lore_question *q, struct lore_arena *arena);
/* What is known of a technique; NULL: nobody tried it. */
const struct lore_tried *lore_tried_of(const struct lore_scan *s, const char *technique);
/* Put columns of the K-th chunk of a group, if it has that many, on their way. */
enum { LORE_WORKLOADS = 1, LORE_KINDS = 2, LORE_LOGS = 4 };
void lore_chunk_call(
    const struct lore_scan *s, const struct lore_row_group *group, uint32_t k, unsigned columns);
/* The K-th chunk, while those of the one behind it are put on their way. */
const struct lore_chunk *lore_chunk_at(
    const struct lore_scan *s, const struct lore_row_group *group, uint32_t k, unsigned columns);
/* A row that bears so much may be one of the most similar; all that may be, after the sums. */
void lore_scan_offer(struct lore_scan *s, uint32_t row, float bearing);
void lore_scan_similar(struct lore_scan *s);
/* A row that bears so much, to be ranked. */
struct lore_ranked lore_ranked(const struct lore_scan *s, uint32_t row, float bearing);

#endif

/* "What worked for similar kernels on this chip and bottleneck?" Pure: an evidence index and a
 * question in, an answer in ARENA out. docs/recommend.md holds the model: hierarchical shrinkage
 * (everything -> technique -> operator family -> operator -> alike shapes), every level a
 * Beta-Binomial with the level above as its prior; each experiment weighs by how far it travelled
 * (chip), whether its bottleneck and language match, and its evidence class. All weights and priors
 * are in one table (lore_recommend_model) that the answer can print. */
#ifndef LORE_RECOMMEND_RECOMMEND_H
#define LORE_RECOMMEND_RECOMMEND_H

#include "service/recommend/question.h"

void lore_recommend(const struct lore_evidence_index *ix, const struct lore_question *q,
    struct lore_arena *arena, struct lore_answer *out);

#endif

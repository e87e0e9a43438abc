/* What only the rows of a listed technique can tell: medians, the worst result, the shapes, the
 * operators by name. Private to recommend/. */
#ifndef LORE_RECOMMEND_COLLECT_H
#define LORE_RECOMMEND_COLLECT_H

#include "service/recommend/lists.h"
#include "service/recommend/words.h"

struct lore_cites { /* of one listed technique */
    struct lore_words_seen seen;
    uint32_t worst, worst_seq; /* a row; LORE_NO_ROW: none was measured */
    float worst_log;
    size_t workloads;
    struct lore_top top; /* of all its rows */
    bool sampled;        /* the median is of a part of its rows, and workloads, where not kept */
};
/* A look at the rows of T. */
void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out);
/* Whose a gain is; there is no question when there is none. */
enum lore_share lore_share_of(const struct lore_evidence_row *row);

#endif

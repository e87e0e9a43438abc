/* Which list a technique belongs to, and in which order it is told. Private to recommend/. */
#ifndef LORE_RECOMMEND_LISTS_H
#define LORE_RECOMMEND_LISTS_H

#include "service/recommend/estimate.h"

struct lore_candidate {
    const struct lore_tried *tried;     /* NULL: no evidence at all */
    const struct lore_technique *known; /* untried only */
    const char *slug;
    struct lore_estimate e;
    /* What orders advice: what trying it is expected to bring, discounted by how far that
     * travelled. */
    double worth, p_steps, worth_steps; /* steps: in whole ones of the model's */
};
struct lore_candidates {
    struct lore_candidate *v;
    size_t n, cap;
};
struct lore_lists {
    struct lore_candidates advice, avoid, untried, there; /* there: the version has them */
};
/* At most LIMIT of each, in order. */
void lore_lists_fill(const struct lore_scan *s, size_t limit, struct lore_lists *out);

#endif

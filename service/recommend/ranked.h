/* Rows in the order in which they are cited: most bearing first, then the larger effect, then the
 * newer. Private to recommend/. */
#ifndef LORE_RECOMMEND_RANKED_H
#define LORE_RECOMMEND_RANKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lore_ranked { /* a row that may be cited, and how much it bears */
    uint32_t row, seq;
    float bearing, effect; /* effect: |ln speedup|, 0 when there is none */
};
/* Whether A stands before B. */
static inline bool
lore_tells_more(struct lore_ranked a, struct lore_ranked b)
{
    if (a.bearing != b.bearing)
        return a.bearing > b.bearing;
    return a.effect != b.effect ? a.effect > b.effect : a.seq > b.seq;
}
/* Keep the CAP best of what is offered. */
static inline void
lore_rank(struct lore_ranked *list, size_t *n, size_t cap, struct lore_ranked next)
{
    size_t i = *n;

    if (*n == cap && !lore_tells_more(next, list[cap - 1]))
        return;
    if (*n < cap)
        ++*n;
    else
        i--;
    for (; i > 0 && lore_tells_more(next, list[i - 1]); i--)
        list[i] = list[i - 1];
    list[i] = next;
}

#endif

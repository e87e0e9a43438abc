/* Which list a technique belongs to, and in which order it is told. Private to recommend/. */
#ifndef LORE_RECOMMEND_LISTS_H
#define LORE_RECOMMEND_LISTS_H

#include "service/recommend/scan.h"

/* The posterior of the last level. */
struct lore_estimate {
    double a, b, p;                    /* p_win: Beta(a, b) and its mean */
    double gain, nu, spread;           /* ln speedup, Student t: mean, degrees of freedom, scale */
    double base, at[LORE_LEVEL_COUNT]; /* p before any evidence on it, and after each level */
    double kappa;                      /* experiments that the prior of the last level counts for */
};
/* The ln speedup GAIN where the chip allows a speedup of AT_MOST (0: not known): small gains stay,
 * large ones approach the limit, the order stays. */
double lore_estimate_within(double gain, double at_most);
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
    struct lore_candidates advice, avoid, untried;
};
/* Of one technique, by its slug; one that nobody tried has the prior of its level. */
struct lore_estimate lore_estimate_of(const struct lore_scan *s, const char *technique);
/* At most LIMIT of each, in order. */
void lore_lists_fill(const struct lore_scan *s, size_t limit, struct lore_lists *out);

#endif

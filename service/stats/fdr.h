/* Correction for many comparisons: of a hundred tests at 1 %, one errs on average. The false
 * discovery rate is the expected share of false ones among the reported differences. Pure. */
#ifndef LORE_STATS_FDR_H
#define LORE_STATS_FDR_H

#include <stddef.h>

#include "service/base/arena.h"

enum lore_fdr {
    /* Benjamini and Hochberg (1995): holds for comparisons that are independent or that tend to err
     * together (positive regression dependence), for example of many versions with one baseline. */
    LORE_FDR_POSITIVE,
    /* Benjamini and Yekutieli (2001): holds for any dependence, for example of all pairs of
     * versions; stricter by 1 + 1/2 + … + 1/n. */
    LORE_FDR_ANY,
};
/* OUT[i]: the adjusted p (q-value) of comparison i of N. Call all comparisons with OUT[i] <= rate
 * differences. P[i] is within 0..1; equal p give equal adjusted p. */
void lore_fdr_adjust(
    const double *p, size_t n, enum lore_fdr assume, struct lore_arena *arena, double *out);
/* An upper bound: a larger p among N comparisons has an adjusted p above RATE. Such p may be
 * replaced by 1: the same comparisons are then called differences. */
double lore_fdr_limit(size_t n, enum lore_fdr assume, double rate);

#endif

/* Many comparisons at once: of a hundred that each err once in a hundred, one errs. The false
 * discovery rate is the share of false ones among those that are called differences. Pure. */
#ifndef LORE_STATS_FDR_H
#define LORE_STATS_FDR_H

#include <stddef.h>

#include "service/base/arena.h"

enum lore_fdr {
    /* Benjamini and Hochberg (1995): holds for comparisons that are independent or that tend to err
     * together (positive regression dependence), as of many versions with one shared baseline. */
    LORE_FDR_POSITIVE,
    /* Benjamini and Yekutieli (2001): holds however they depend, as of all pairs of versions;
     * stricter by 1 + 1/2 + … + 1/n. */
    LORE_FDR_ANY,
};
/* OUT[i]: the lowest rate at which comparison i is still called a difference; call all with OUT[i]
 * <= rate. P[i] within 0..1, of N comparisons; equal p give equal rates. */
void lore_fdr_adjust(
    const double *p, size_t n, enum lore_fdr assume, struct lore_arena *arena, double *out);
/* No larger p among N comparisons is worth RATE or less, and which of them are larger by how much
 * changes nothing about those that are. */
double lore_fdr_limit(size_t n, enum lore_fdr assume, double rate);

#endif

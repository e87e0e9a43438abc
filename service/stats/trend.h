/* Does a series drift? Samples in the order they were taken, of any unit. Pure. */
#ifndef LORE_STATS_TREND_H
#define LORE_STATS_TREND_H

#include <stdbool.h>

#include "service/base/arena.h"

enum {
    LORE_TREND_LEAST = 8,   /* fewer values show no trend */
    LORE_TREND_BLOCKS = 64, /* longer series are first cut into so many blocks, by their medians */
};
#define LORE_TREND_P 0.01
struct lore_trend {
    size_t n;      /* values, or blocks, that were ranked; 0: too few, nothing below is known */
    double change; /* from the first to the last, in the series' unit (Theil-Sen) */
    double p;      /* two-sided; Mann-Kendall, less sure where neighbours resemble each other */
    bool drifts;   /* p < LORE_TREND_P */
};
void lore_trend(const double *v, size_t n, struct lore_arena *arena, struct lore_trend *out);
/* |change| when V drifts, 0 when not, which costs a tenth of the whole. */
double lore_trend_reach(const double *v, size_t n, struct lore_arena *arena);
double
lore_trend_median(const double *v, size_t n, struct lore_arena *arena); /* N >= 1, any order */
/* Correlation of neighbours after outliers were pulled in; 0 when the values do not vary. */
double lore_trend_neighbours(const double *v, size_t n, struct lore_arena *arena);
/* How far one value lies from the middle: 1.4826 times the median absolute deviation, which is the
 * standard deviation of normal values and cares little about outliers; the plain standard deviation
 * where more than half of the values are equal. */
double lore_trend_spread(const double *v, size_t n, struct lore_arena *arena);

#endif

/* Does a series drift? Samples in the order they were taken, of any unit. Pure. */
#ifndef LORE_STATS_TREND_H
#define LORE_STATS_TREND_H

#include <stdbool.h>

#include "service/base/arena.h"

enum {
    LORE_TREND_LEAST = 8,   /* fewer values show no trend */
    LORE_TREND_BLOCKS = 64, /* a longer series becomes the medians of so many blocks */
};
#define LORE_TREND_P 0.01
struct lore_trend {
    size_t n;      /* values, or blocks, that were ranked; 0: too few, nothing below is known */
    double change; /* from the first to the last, in the series' unit (Theil-Sen) */
    double p;      /* two-sided; Mann-Kendall, corrected for autocorrelation */
    bool drifts;   /* p < LORE_TREND_P */
};
void lore_trend(const double *v, size_t n, struct lore_arena *arena, struct lore_trend *out);
/* |change| when V drifts, else 0. Without drift it takes a tenth of the time of lore_trend. */
double lore_trend_reach(const double *v, size_t n, struct lore_arena *arena);
double
lore_trend_median(const double *v, size_t n, struct lore_arena *arena); /* N >= 1, any order */
/* The correlation of successive values, with outliers clamped; 0 when the values do not vary. */
double lore_trend_autocorrelation(const double *v, size_t n, struct lore_arena *arena);
/* A robust standard deviation: 1.4826 times the median absolute deviation. It is the plain standard
 * deviation when more than half of the values are equal. */
double lore_trend_spread(const double *v, size_t n, struct lore_arena *arena);

#endif

/* Percentiles, moments and the interval of the median of a set of samples. Pure: copies are sorted
 * inside the arena, the input keeps its order. compare.h compares two sets. */
#ifndef LORE_STATS_STATS_H
#define LORE_STATS_STATS_H

#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/stats/select.h"

/* Of N >= 1 sorted values, P in 0..1; linear between order statistics. */
double lore_stats_percentile(const double *v, size_t n, double p);

struct lore_stats {
    size_t n;
    double median, p10, p90, min, max, mean, std;
};
/* N 0 gives zeroes. */
void lore_stats(const int64_t *samples, size_t n, struct lore_arena *arena, struct lore_stats *out);
/* The median alone, at a third of that cost; 0 for none. */
double lore_stats_median_ns(const int64_t *samples, size_t n, struct lore_arena *arena);
/* A duration that stands for WEIGHT launches, of which only some were kept. */
struct lore_stats_weighed {
    int64_t ns;
    double weight;
};
/* The median of N >= 1 durations, each counted by its weight. Sorts V. */
double lore_stats_weighed_median_ns(struct lore_stats_weighed *v, size_t n);
/* Order-statistic 95 % interval of the median. n < 6 gives min and max. */
void lore_stats_median_interval(
    const int64_t *samples, size_t n, struct lore_arena *arena, double *low, double *high);

#endif

/* Order and percentiles of doubles (stats.c); statistics of samples are in outcome.h. */
#ifndef LORE_STATS_H
#define LORE_STATS_H

#include <stddef.h>

/* For qsort of int64_t, and of double without NaN. */
int lore_by_i64(const void *a, const void *b);
int lore_by_f64(const void *a, const void *b);
/* Of N >= 1 sorted values, P in 0..1; linear between order statistics. */
double lore_percentile(const double *v, size_t n, double p);

#endif

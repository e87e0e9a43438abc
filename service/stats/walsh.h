/* The median of a symmetric distribution with an interval that assumes nothing else. It uses the
 * Walsh averages (all means of two values) and the exact distribution of Wilcoxon's signed ranks.
 * Pure. */
#ifndef LORE_STATS_WALSH_H
#define LORE_STATS_WALSH_H

#include <stdbool.h>

#include "service/base/arena.h"

enum { LORE_WALSH_MAX = 1024 }; /* values; their averages take n (n + 1) / 2 doubles */

struct lore_walsh {
    double middle;    /* Hodges-Lehmann: the median of the averages */
    double low, high; /* the ends, when `bounded` */
    bool bounded;     /* false: too few values for an interval at this level */
};
/* Of 1 <= N <= LORE_WALSH_MAX values. The interval covers the median with probability 1 - ALPHA at
 * least, for independent values of a symmetric distribution. */
void lore_walsh_interval(
    const double *v, size_t n, double alpha, struct lore_arena *arena, struct lore_walsh *out);
/* The fewest values that give an interval at ALPHA: 2 / 2^n <= ALPHA. */
size_t lore_walsh_least(double alpha);
/* The quantile of the standard normal distribution, 0 < P < 1 (error < 1e-8). */
double lore_walsh_normal_quantile(double p);

#endif

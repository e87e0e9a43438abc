/* The level of one program's times and its uncertainty, near the change of programs: the moment
 * when a measurement switches from one program to the other. This file separates noise,
 * autocorrelation, warm-up, steps and drift. The samples are in the order they were taken.
 * sequential.h compares two programs. Pure.
 *
 * Samples of one process share its clock and resemble their neighbours. Drift moves the level
 * itself, and more samples do not predict it. `wander` is the range of the level beyond the range
 * that noise explains. A clear step (a clock that changes its state and stays) divides the series
 * into pieces; the piece next to the change of programs is the one that can be compared. */
#ifndef LORE_STATS_LEVEL_H
#define LORE_STATS_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/stats/trend.h"

enum {
    LORE_LEVEL_BLOCKS = 64, /* a longer series becomes the medians of so many blocks */
    LORE_LEVEL_LEAST = 4,   /* samples of a piece: fewer show no wander */
};
/* The drift to allow between two pieces, as a multiple of the wander within a piece. A linear drift
 * moves by exactly the wander from one middle to the next. The other 0.5 allows for curvature. */
#define LORE_LEVEL_CARRY 1.5
struct lore_level {
    const double *v; /* the piece that counts, n samples or blocks; in the input or the arena */
    size_t n;
    size_t warmup;     /* samples at the start that were slow and are left out, an eighth at most */
    double warmup_off; /* how far the first of them lies above the middle; 0: none */
    size_t steps;      /* number of steps cut off; the largest has the size `step` */
    double step;
    double first, last; /* of the whole series, or of its blocks when it was cut into blocks */
    double middle;      /* the median of the piece */
    double noise;      /* standard deviation of one sample, from successive differences of the whole
                          series */
    double neighbours; /* correlation of successive samples */
    double widened;    /* factor that widens an interval for it; 1: none */
    double wander;     /* range of the running level beyond noise, or of the trend; 0: no drift */
};
enum lore_level_end { /* where the other program ran: after the last sample, before the first, or
                         anywhere. BETWEEN: steps are not cut off but count as wander */
    LORE_LEVEL_LAST,
    LORE_LEVEL_FIRST,
    LORE_LEVEL_BETWEEN
};
/* For N >= 1 finite values. Callers pass logarithms of times, so that differences are ratios. */
void lore_level(const double *v, size_t n, enum lore_level_end end, struct lore_arena *arena,
    struct lore_level *out);
/* A 95 % interval of the median of N >= 2 times in the order taken. It is the interval of order
 * statistics (stats.h), widened for autocorrelation and by LORE_LEVEL_CARRY times the wander, as in
 * sequential.h. Times below 1 ns count as 1 ns. */
void lore_level_interval(
    const int64_t *samples_ns, size_t n, struct lore_arena *arena, double *low, double *high);
/* The times of one run as lists and boards show them, from N samples in order. */
struct lore_level_times {
    double median, p10, p90;
    double low, high; /* lore_level_interval; with N < 2: 0 */
};
void lore_level_times(
    const int64_t *samples_ns, size_t n, struct lore_arena *arena, struct lore_level_times *out);
/* The error and the jump of each cut of a series in two. */
struct lore_cuts {
    /* [k]: the sum of the absolute deviations of the first k values and of the others, each from
     * their own median */
    double error[2 * LORE_LEVEL_BLOCKS + 1];
    /* [k]: the median of the others minus that of the first k; 0 < k */
    double jump[2 * LORE_LEVEL_BLOCKS + 1];
};
/* Of 1 <= N <= 2 LORE_LEVEL_BLOCKS values; error[0] is that of one median for all. */
void lore_level_cuts(const double *v, size_t n, struct lore_cuts *out);

#endif

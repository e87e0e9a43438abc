/* Where one program's times lie next to the moment the programs change, from samples in the order
 * they were taken, and how far that can be trusted: noise, autocorrelation, warm-up, steps and
 * drift are told apart. What compares two programs is in sequential.h. Pure.
 *
 * Samples of one process share its clock and resemble their neighbours. Drift moves the level
 * itself, and no number of samples tells where it goes next; its reach beyond what noise explains
 * is stated as `wander`. A clear step (a clock that changes its state and stays) divides the series
 * into pieces; the piece next to the change of programs is the one that can be compared. */
#ifndef LORE_STATS_LEVEL_H
#define LORE_STATS_LEVEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"
#include "service/stats/trend.h"

enum {
    LORE_LEVEL_BLOCKS = 64, /* longer series are cut into so many blocks, by their medians */
    LORE_LEVEL_LEAST = 4,   /* samples of a piece: fewer show no wander */
};
/* How much of the wander within a piece may lie between it and another. A straight drift carries
 * exactly what it moved within a piece from one middle to the next; the other half is for one that
 * bends. */
#define LORE_LEVEL_CARRY 1.5
struct lore_level {
    const double *v; /* the piece that counts, in the arena; n samples or blocks */
    size_t n;
    size_t warmup;     /* samples at the start that were slow and are left out, an eighth at most */
    double warmup_off; /* how far the first of them lies above the middle; 0: none */
    size_t steps;      /* cut off, of the largest size `step` */
    double step;
    double first, last; /* of all values, where they were cut into blocks of the blocks */
    double middle;      /* the median of the piece */
    double noise;       /* of one sample, from its step to the next, over the whole series */
    double neighbours;  /* correlation of successive samples */
    double widened;     /* what an interval is to be widened by for it; 1: nothing */
    double wander;      /* reach of the running level beyond noise, or of the trend; 0: it stays */
};
enum lore_level_end { /* where the other program is; between: before, after or among these samples,
                         so that steps are not cut off but stay as wander */
    LORE_LEVEL_LAST,
    LORE_LEVEL_FIRST,
    LORE_LEVEL_BETWEEN
};
/* Of N >= 1 finite values, logarithms of times by intention: then everything is a ratio. */
void lore_level(const double *v, size_t n, enum lore_level_end joint, struct lore_arena *arena,
    struct lore_level *out);
/* An interval of the median of N >= 2 times, in the order taken, that knows of drift: the one of
 * order statistics (stats.h, 95 %), widened for neighbours that are alike, and by one and a half
 * times the wander, as a comparison would be (sequential.h). Times below 1 ns count as 1 ns. */
void lore_level_interval(
    const int64_t *samples_ns, size_t n, struct lore_arena *arena, double *low, double *high);
/* What each way to cut a series in two leaves of it. */
struct lore_cuts {
    double error[2 * LORE_LEVEL_BLOCKS + 1]; /* [k]: the absolute error when each of the first k and
                                                of the others is described by its median */
    double jump[2 * LORE_LEVEL_BLOCKS + 1]; /* [k]: from the first's median to the others'; 0 < k */
};
/* Of 1 <= N <= 2 LORE_LEVEL_BLOCKS values; error[0] is that of one median for all. */
void lore_level_cuts(const double *v, size_t n, struct lore_cuts *out);

#endif

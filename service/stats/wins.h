/* Counts the wins that remain after a correction for the number of attempts. Of a hundred attempts
 * that change nothing, some look like a gain, and those get reported. Pure. */
#ifndef LORE_STATS_WINS_H
#define LORE_STATS_WINS_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

#define LORE_WINS_RATE 0.05 /* false discovery rate of the wins that remain */

struct lore_wins_attempt {
    bool won;         /* by its own verdict */
    double ratio;     /* before / after; 0: not known */
    double low, high; /* its interval; 0: none */
};
struct lore_wins {
    size_t attempts, won;
    size_t tested; /* attempts with an interval; only these are corrected and can remain */
    size_t stay;   /* wins among them that are significant at LORE_WINS_RATE */
};
/* The intervals are of confidence CONFIDENCE. Attempts that build on each other are dependent, so
 * LORE_FDR_ANY controls the rate. */
void lore_wins(const struct lore_wins_attempt *v, size_t n, double confidence,
    struct lore_arena *arena, struct lore_wins *out);

#endif

/* How many of many wins would be wins if nothing but chance had to be beaten? Of a hundred attempts
 * that change nothing some look like a gain, and they are the ones that are told. Pure. */
#ifndef LORE_STATS_WINS_H
#define LORE_STATS_WINS_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

#define LORE_WINS_RATE 0.05 /* of false ones among the wins that stay */

struct lore_wins_attempt {
    bool won;         /* by its own verdict */
    double ratio;     /* before / after; 0: not known */
    double low, high; /* its interval; 0: none */
};
struct lore_wins {
    size_t attempts, won;
    size_t tested; /* attempts with an interval: what the rate is over */
    size_t stay;   /* wins among them whose gain is still one at LORE_WINS_RATE */
};
/* The intervals are of confidence CONFIDENCE. Attempts that start from each other's results err
 * together or against each other, so the rate holds for any dependence (LORE_FDR_ANY). */
void lore_wins(const struct lore_wins_attempt *v, size_t n, double confidence,
    struct lore_arena *arena, struct lore_wins *out);

#endif

/* Asking the model of moves which configurations to measure next. */
#ifndef LORE_MOVES_MOVES_START_H
#define LORE_MOVES_MOVES_START_H

#include "service/moves/moves.h"

struct lore_moves_start {
    uint32_t state;
    double fraction, low, high; /* of the optimum, best time / its time; 90 % */
    double p_fail;
};
struct lore_moves_wanted {
    const char *op;
    uint32_t chip;
    size_t limit;
    bool (*has)(const void *ctx, uint32_t state); /* only these; NULL: any that is known */
    const void *ctx;
    size_t n; /* how many there are */
};
/* The configurations of OP to measure next on CHIP, best first, at most LIMIT, each chosen for what
 * it adds to the ones before it and to what was measured on CHIP; none that failed on a chip of the
 * same vendor. Returns how many. */
size_t lore_moves_starts(const struct lore_moves *m, const struct lore_moves_wanted *wanted,
    struct lore_arena *arena, struct lore_moves_start *out);

#endif

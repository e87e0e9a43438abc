/* Moves of a place to learn from. Private to moves/. */
#ifndef LORE_MOVES_MOVES_SAMPLE_H
#define LORE_MOVES_MOVES_SAMPLE_H

#include <math.h>

#include "service/moves/moves_cells.h"

struct moves_sample {
    const struct moves_cell *cell;
    uint32_t from, param, to; /* state; value of the parameter moved to */
    float y;                  /* ln speedup; NAN: failed */
};
struct moves_samples {
    const struct lore_moves *m;
    struct lore_arena *arena;
    struct moves_sample *v;
    size_t n, cap;
};
/* Add about N moves of C, which has some: all that were tried from any states, */
void
lore_moves_sample_any(struct moves_samples *s, const struct moves_cell *c, size_t n, uint64_t seed);
/* or from those that someone comes by who tries moves at random and keeps what is 2 % faster. */
void
lore_moves_sample_way(struct moves_samples *s, const struct moves_cell *c, size_t n, uint64_t seed);
/* The share that gains of about N moves of the latter kind, each counted once. */
double lore_moves_rate_way(
    const struct lore_moves *m, const struct moves_cell *c, size_t n, uint64_t seed);
static inline bool
lore_moves_gained(float y)
{
    return !isnan(y) && (double)y > MOVES_GAIN;
}

#endif

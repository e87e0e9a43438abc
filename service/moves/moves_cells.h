/* What was measured of one operator on one place, and finding it. Private to moves/. */
#ifndef LORE_MOVES_MOVES_CELLS_H
#define LORE_MOVES_MOVES_CELLS_H

#include "service/moves/moves_model.h"

#define MOVES_GAIN 0.04879016416943205 /* ln 1.05: what counts as a gain */
enum { MOVES_TOPS = 128 };

struct moves_time {
    uint32_t state; /* + 1 */
    float time;     /* < 0: failed */
};
struct moves_cell {        /* one operator on one place */
    uint32_t op, chip, at; /* at: which of the operator's cells */
    struct moves_time *time;
    size_t n_times, cap_times;
    float best;
    uint32_t *top; /* the fastest states, fastest first, at most MOVES_TOPS */
    size_t n_top;
};

/* NULL when there is none. */
struct moves_cell *lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip);
/* 0: not measured; < 0: failed. */
float lore_moves_time_at(const struct moves_cell *c, uint32_t at);
/* ln(best / time) on C of the state that ID is there: NAN unknown, -INFINITY failed. */
double lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id);

#endif

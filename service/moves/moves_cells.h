/* What was measured of one operator on one place, and finding it. Private to moves/. */
#ifndef LORE_MOVES_MOVES_CELLS_H
#define LORE_MOVES_MOVES_CELLS_H

#include "service/moves/moves_model.h"

#define MOVES_GAIN 0.04879016416943205 /* ln 1.05: what counts as a gain */
#define MOVES_CLAMP 2.0                /* |ln speedup| beyond it says no more */
enum { MOVES_TOPS = 128 };

struct moves_entry {
    uint32_t state; /* the one at the lower value; the other differs from it in the parameter */
    float y;        /* ln speedup from lower to higher; +-INFINITY: the higher, the lower failed */
};
struct moves_bucket { /* moves between two values of a parameter, by state */
    uint32_t param, low, high, next;
    struct moves_entry *entry;
    size_t n, cap;
};
struct moves_rate {
    double won, n;
};
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
    struct moves_bucket *bucket;
    size_t n_buckets, cap_buckets;
    uint32_t *index, n_index;                     /* bucket + 1 by parameter and values */
    uint32_t first[LORE_MOVES_PARAMS];            /* bucket + 1 */
    struct moves_rate rate[LORE_MOVES_PARAMS][2]; /* [up] */
    struct moves_rate all;
    size_t n_moves;
    double squares, soft_squares, n_ran; /* of y, of soft(y), both ways counted once */
    struct moves_seen *seen;             /* per cell of the operator: of this one's moves from it */
    size_t n_seen, n_seen_of;            /* cells; moves there were when they were compared */
    struct moves_seen rough;             /* its moves told from each other */
    bool told;                           /* something since the last index */
};

/* NULL when there is none. */
struct moves_cell *lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip);
/* 0: not measured; < 0: failed. */
float lore_moves_time_at(const struct moves_cell *c, uint32_t at);
/* The moves of C between two values of a parameter, NULL: none; and where one of them is, or would
 * be. */
const struct moves_bucket *
lore_moves_bucket(const struct moves_cell *c, size_t param, uint32_t low, uint32_t high);
size_t lore_moves_entry_find(const struct moves_bucket *b, uint32_t at);
/* ln(best / time) on C of the state that ID is there: NAN unknown, -INFINITY failed. */
double lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id);

#endif

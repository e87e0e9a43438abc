/* What the model of moves keeps. Private to recommend/; what works on it: moves_mix.h. */
#ifndef LORE_MOVES_INNER_H
#define LORE_MOVES_INNER_H

#include "moves.h"

#define MOVES_GAIN 0.04879016416943205 /* ln 1.05: what counts as a gain */
#define MOVES_CLAMP 2.0                /* |ln speedup| beyond it says no more */
enum { MOVES_CHIPS = 64, MOVES_FEATURES = 12, MOVES_FACTS = 8, MOVES_CHIP_FACTS = 6 };

struct moves_state {
    uint32_t op, hash_next;
    float coord[LORE_MOVES_PARAMS];    /* as told; NAN: this parameter is not in it */
    float resolved[LORE_MOVES_PARAMS]; /* absent ones filled in; what distances use */
};
struct moves_param {
    const char *name;
    bool symbolic;
    float absent_as; /* the value that a configuration without it behaves like; NAN: unknown */
};
struct moves_op {
    const char *name;
    struct moves_param param[LORE_MOVES_PARAMS];
    size_t n_params;
    uint32_t *states; /* ids */
    size_t n_states, cap_states;
};
struct moves_raw {
    uint32_t from, to;
    float y; /* ln speedup; NAN: failed */
    uint8_t param;
};
struct moves_lane { /* the moves of one operator, chip and parameter; the way back included */
    uint32_t *from, *to;
    float *y;
    size_t n;
};
struct moves_rate {
    double won, n;
};
struct moves_seen { /* one chip's moves told from another's: squared errors / spread */
    double sum, n;
};
struct moves_cell {    /* one operator on one chip */
    uint32_t op, chip; /* chip: the place */
    struct moves_raw *raw;
    size_t n_raw, cap_raw, n_indexed;
    float *time, best; /* per state id, 0: not measured, < 0: failed; the least */
    size_t n_time, n_measured;
    struct moves_lane lane[LORE_MOVES_PARAMS];
    struct moves_rate rate[LORE_MOVES_PARAMS][2]; /* [up] */
    struct moves_rate all;
    double spread, soft_spread; /* mean of y^2, of soft(y)^2 */
    struct moves_seen *seen;    /* per chip, of this cell's moves predicted from that chip's */
    size_t n_seen_of;           /* moves indexed when they were last compared */
};
struct moves_numbers { /* all that is learned */
    double width;      /* of the kernel, in octaves */
    double gamma;      /* sharpness of the weights of chips */
    double nu;         /* variance of one move's worth of local evidence, in units of spread */
    double fact[MOVES_FACTS], fact_df;
    double stack[MOVES_FEATURES];
    double mean[2];         /* expected y from (1, mu) */
    double low[3], high[3]; /* quantiles of the scaled residual, per third of the scale */
    double cut[2];          /* limits of those thirds */
    double base;            /* rate of gains over operators */
    double start_v; /* variance of ln fraction of the best of one chip on another, per loss */
    bool learned;
};
struct lore_moves {
    struct lore_arena *arena;
    struct moves_state *state;
    uint32_t *buckets;
    size_t n_states, cap_states, n_buckets;
    struct moves_op *op;
    size_t n_ops, cap_ops, n_chips, n_cells, cap_cells;
    struct lore_moves_chip chip[MOVES_CHIPS];
    struct moves_cell **cell;
    struct moves_numbers num;
};

#endif

/* What the model of moves keeps. Private to recommend/; what works on it: moves_states.h,
 * moves_trust.h, moves_mix.h. */
#ifndef LORE_MOVES_INNER_H
#define LORE_MOVES_INNER_H

#include "moves.h"

#define MOVES_GAIN 0.04879016416943205 /* ln 1.05: what counts as a gain */
#define MOVES_CLAMP 2.0                /* |ln speedup| beyond it says no more */
#define MOVES_ROUGH 0.5                /* of an operator of which nothing is known */
enum { MOVES_SOURCES = 64, MOVES_FEATURES = 11, MOVES_FACTS = 8, MOVES_CHIP_FACTS = 6 };
enum { MOVES_TOPS = 128, MOVES_BLOCKS = 48 };
/* Numbers of a field of starts (moves_field.c): what a mean lacks, variances, a width in octaves, a
 * ratio, and whether the other places are its mean. */
enum {
    START_LACK,
    START_SHIFT,
    START_WORLDS,
    START_SLOPE,
    START_TREND,
    START_LOCAL,
    START_WIDTH,
    START_NOISE,
    START_DEEP,
    START_BELIEF,
    STARTS
};

struct moves_names { /* texts by number */
    const char **text;
    size_t n, cap;
    uint32_t *slot, n_slots; /* number + 1, open addressing; 0: free */
};
struct moves_place { /* a place by numbers; NONE: nothing else is of that chip, on that workload */
    uint32_t who, work;
    double size;
};
struct moves_state {
    uint32_t op, at; /* its place among the operator's states */
    uint32_t hash, hash_next;
};
struct moves_param { /* values have indices; 0 is "not in it" */
    const char *name;
    bool symbolic;
    size_t n_absent, n_values, cap_values;
    uint64_t *key; /* of a value: a number's bits or a text's hash */
    float *coord;  /* numbers on a log scale; [0]: what absence is taken for */
    uint32_t *index, n_index;
    uint32_t stands; /* the value that a configuration without it behaves like; 0: unknown */
    uint32_t *value; /* per state of the operator */
    size_t n_value;
};
struct moves_seen { /* moves told from others: squared errors / spread */
    double sum, n;
};
struct moves_seat { /* what is asked of all cells of an operator, side by side */
    struct moves_place at;
    uint32_t chip, n_times;
    float best;
};
struct moves_op {
    const char *name;
    struct moves_param param[LORE_MOVES_PARAMS];
    size_t n_params;
    uint32_t stands;  /* bit P: what lacks parameter P behaves like one of its values */
    uint32_t *states; /* ids */
    size_t n_states, cap_states;
    struct moves_cell **cell;
    struct moves_seat *seat; /* per cell */
    size_t n_cells, cap_cells, n_seats, cap_seats;
    uint32_t *cell_index;    /* cells + 1 by chip, open addressing; 0: free */
    size_t n_cell_index;     /* a power of two, more than twice as many as cells; 0: none yet */
    size_t n_times;          /* of all its cells */
    size_t n_resolved;       /* states and times there were when absences were learned */
    struct moves_seen rough; /* of all its cells */
};
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
struct moves_numbers { /* all that is learned */
    double width;      /* of the kernel, in octaves */
    double gamma;      /* sharpness of the weights of chips */
    double nu;         /* variance of one move's worth of local evidence, in units of spread */
    double own;        /* what a place's own moves around leave untold, in units of spread */
    double fact[MOVES_FACTS], fact_df;
    double stack[MOVES_FEATURES];
    double mean[2];         /* expected y from (1, mu) */
    double low[3], high[3]; /* quantiles of the scaled residual, per third of the scale */
    double cut[2];          /* limits of those thirds */
    double base;            /* rate of gains over operators */
    double start[STARTS], blank[STARTS]; /* of starts: what the other places and own results say;
                                          * without the other places */
    double start_alike;                  /* probability that the other places count */
};
struct lore_moves {
    struct lore_arena *arena;
    void *block[MOVES_BLOCKS]; /* free ones, by the log2 of their bytes */
    struct moves_state *state;
    uint32_t *buckets, n_buckets;
    size_t n_states, cap_states;
    struct moves_op *op;
    size_t n_ops, cap_ops;
    struct moves_names ops; /* numbers are places in op */
    struct lore_moves_chip *chip;
    struct moves_place *place; /* per chip */
    size_t n_chips, cap_chips, n_places, cap_places;
    uint32_t *chip_index, n_chip_index; /* place + 1 by name and workload */
    struct moves_names chips, works;    /* chips with their facts, workloads */
    struct lore_moves_chip *who;        /* per name of chips: the facts, without a workload */
    size_t n_who, cap_who;
    const struct lore_moves_chip *guest; /* the place after the last one; NULL: none */
    struct moves_cell **told;            /* cells that were told something since the last index */
    size_t n_told, cap_told;
    struct moves_numbers num;
};

#endif

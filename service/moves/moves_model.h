/* What the model of moves keeps: configurations and operators, and with them places, cells
 * (moves_cells.h) and numbers. Private to moves/. */
#ifndef LORE_MOVES_MOVES_MODEL_H
#define LORE_MOVES_MOVES_MODEL_H

#include "service/moves/moves.h"
#include "service/moves/moves_numbers.h"

enum { MOVES_BLOCKS = 48 };
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
    uint32_t *cell_index;  /* cells + 1 by chip, open addressing; 0: free */
    uint32_t n_cell_index; /* a power of two, more than twice as many as cells; 0: none yet */
    size_t n_times;        /* of all its cells */
    size_t n_resolved;     /* states and times there were when absences were learned */
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
    struct moves_numbers num;
};

#endif

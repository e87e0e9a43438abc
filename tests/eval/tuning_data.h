/* Exhaustively tuned spaces as ground truth: every configuration of a kernel with its time on a
 * chip, from sweeps. Used by eval_moves. */
#ifndef LORE_TESTS_EVAL_TUNING_DATA_H
#define LORE_TESTS_EVAL_TUNING_DATA_H

#include "service/base/buf.h"
#include "service/moves/moves.h"

enum { TUNING_PARAMS = LORE_MOVES_PARAMS, TUNING_VALUES = 256, TUNING_CELLS = 128 };

struct tuning_param {
    const char *name;
    bool symbolic;                   /* some value is a text */
    const char *text[TUNING_VALUES]; /* NULL: a number */
    double value[TUNING_VALUES];     /* ascending; texts come last, in order */
    size_t n;
};
struct tuning_state {
    uint8_t at[TUNING_PARAMS]; /* index of the value */
    double time;               /* 0: failed */
};
struct tuning_move {
    uint32_t to;
    uint8_t param, up;
};
struct tuning_cell { /* one kernel on one chip */
    const char *kernel, *file;
    const char *problem;         /* "4096x4096"; NULL: not said */
    const char *since;           /* the first time stamp in the file; NULL: none */
    struct lore_moves_chip chip; /* its workload: where files of the kernel have several problems */
    struct tuning_param param[TUNING_PARAMS];
    size_t n_params;
    struct tuning_state *state; /* no two alike */
    size_t n;
    struct tuning_move *move; /* of state i: move[first[i]] .. move[first[i + 1]] */
    size_t *first;
    uint32_t *slot; /* state + 1, by hash of the values' indices */
    size_t n_slots;
    char print[33]; /* of the sweep */
    double best;    /* above 0: a cell where nothing ran is left out */
};
struct tuning {
    struct lore_arena arena;
    struct tuning_cell *cell;
    size_t n;
    struct lore_buf notes; /* a line for all that was left out */
};
/* The sweeps of every tuning file below FOLDER in order of name, their moves made: to the next
 * value of a parameter, or with ALL to any other. What is over the limits above is left out and
 * noted. LORE_NOTFOUND when there is no folder or no sweep; LORE_INVALID, LORE_TOOBIG name a file.
 */
enum lore_status
tuning_load(const char *folder, bool all, struct tuning *out, struct lore_err *err) LORE_MUST;
void tuning_free(struct tuning *t);
/* ln speedup of a move; -INFINITY when it fails. */
double tuning_effect(const struct tuning_cell *c, size_t from, size_t to);
/* The state with these values, SIZE_MAX: there is none. AT beyond the parameters must be 0. */
size_t tuning_find(const struct tuning_cell *c, const uint8_t at[TUNING_PARAMS]);
/* The index of value V of A among those of B; -1: it is not there. */
int tuning_value_in(const struct tuning_param *a, size_t v, const struct tuning_param *b);
/* The id in M of a state. */
uint32_t tuning_state_id(const struct tuning_cell *c, size_t state, struct lore_moves *m);
#endif

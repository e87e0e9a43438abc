/* Exhaustively tuned spaces as ground truth: every configuration of a kernel with its time on a
 * chip, from Kernel Tuner cache files. Used by eval_moves. */
#ifndef TUNING_DATA_H
#define TUNING_DATA_H

#include "moves.h"

enum { TUNING_PARAMS = 16, TUNING_VALUES = 64, TUNING_CELLS = 64 };

struct tuning_param {
    const char *name;
    bool symbolic;
    const char *text[TUNING_VALUES];
    double value[TUNING_VALUES]; /* ascending when numeric */
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
    struct lore_moves_chip chip;
    struct tuning_param param[TUNING_PARAMS];
    size_t n_params;
    struct tuning_state *state;
    size_t n;
    struct tuning_move *move; /* of state i: move[first[i]] .. move[first[i + 1]] */
    size_t *first;
    double best;
};
struct tuning {
    struct lore_arena arena;
    struct tuning_cell *cell;
    size_t n;
};
/* Every `<kernel>_<chip>.json.gz` of FOLDER in order of name, its moves made: to the next value of
 * a parameter, or with ALL to any other. LORE_NOTFOUND when there is no folder or no file. */
enum lore_status
tuning_load(const char *folder, bool all, struct tuning *out, struct lore_err *err) LORE_MUST;
/* ln speedup of a move; -INFINITY when it fails. */
double tuning_effect(const struct tuning_cell *c, size_t from, size_t to);

#endif

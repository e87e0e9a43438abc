/* What a method may know before it is asked: the cells it trains on, as experiences, the memory of
 * moves made of them, and the simple baselines. Used by eval_moves. */
#ifndef LORE_TESTS_EVAL_TUNING_WORLD_H
#define LORE_TESTS_EVAL_TUNING_WORLD_H

#include "tests/eval/tuning_data.h"
#include "tests/eval/tuning_score.h"

struct tuning_tried { /* one experience */
    uint32_t from, to;
    uint8_t param, up;
};
struct tuning_count {
    double won, n;
};
struct tuning_log { /* the experiences of one cell */
    struct tuning_tried *v;
    size_t n, cap;
    bool complete;                /* every state was timed; both ways of every move that it has */
    struct tuning_count *counted; /* [2 * param + up]; NULL: not counted */
};
/* Every move of a cell, or of a cell with more than MOST a fixed sample of about so many, another
 * one for each SALT. */
void tuning_log_all(const struct tuning_cell *c, size_t most, uint64_t salt,
    struct lore_arena *arena, struct tuning_log *out);
/* A simulated engineer adds N experiences: random starts, untried moves at random, kept when 2 %
 * faster, at most 30 attempts from one start. None where there is no move at all. */
void tuning_log_walk(const struct tuning_cell *c, size_t n, uint64_t *seed,
    struct lore_arena *arena, struct tuning_log *out);

struct tuning_world {
    struct lore_arena arena;
    const struct tuning *data;
    const struct tuning_log *log; /* per cell */
    bool train[TUNING_CELLS];
    struct lore_moves *memory;
    uint32_t *id[TUNING_CELLS]; /* ids of states, by cell; the target's are known, its times not */
};
/* Memory with the training cells, learned. */
void tuning_world_make(struct tuning_world *w);
/* Tell the memory experiences FROM..TO of the target cell's LOG. */
void tuning_world_tell(
    struct tuning_world *w, size_t cell, const struct tuning_log *log, size_t from, size_t to);

enum tuning_method { T_RANDOM, T_GLOBAL, T_OPERATOR, T_SEED, T_MODEL, T_METHODS };
extern const char *const tuning_methods[T_METHODS];
/* Probability of a gain per parameter and direction of CELL, [param][up], and what orders them. */
struct tuning_table {
    double p[TUNING_PARAMS][2], rank[TUNING_PARAMS][2];
};
/* OWN: experiences on the target that are known besides, may be NULL. */
void tuning_baseline(const struct tuning_world *w, size_t cell, const struct tuning_log *own,
    enum tuning_method method, struct tuning_table *out);

#endif

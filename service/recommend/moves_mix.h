/* What the files of the model of moves share. Private to recommend/. */
#ifndef LORE_MOVES_MIX_H
#define LORE_MOVES_MIX_H

#include "moves_local.h"

/* Memory: blocks whose size is a power of two, given back for others to use. Growing doubles. */
void *lore_moves_block(struct lore_moves *m, size_t bytes); /* zeroed */
void lore_moves_give(struct lore_moves *m, void *block, size_t bytes);
void *lore_moves_grow(struct lore_moves *m, void *old, size_t *cap, size_t size);

uint64_t lore_moves_text_key(const char *text, uint64_t seed);
static inline uint64_t
lore_moves_mixed(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}
/* The slot of a table of N (a power of two) where KEY starts. */
static inline uint32_t
lore_moves_slot(uint64_t key, uint32_t n)
{
    return (uint32_t)(lore_moves_mixed(key) & (n - 1));
}

/* States are told by their id in m or by their place among their operator's states (`at`). */
static inline uint32_t
lore_moves_value(const struct moves_op *op, size_t param, uint32_t at)
{
    return at < op->param[param].n_value ? op->param[param].value[at] : 0;
}
/* Whether going from value A to B is upwards; absence is below everything. */
static inline bool
lore_moves_up(const struct moves_op *op, size_t param, uint32_t a, uint32_t b)
{
    const struct moves_param *p = &op->param[param];

    return p->symbolic || a == 0 || b == 0 ? b > a : p->coord[b] > p->coord[a];
}
/* y as far as it matters for "is it a gain": linear around nothing, level from 30 % on, so that few
 * large effects do not decide how alike two chips are. */
static inline double
lore_moves_soft(double y)
{
    return y / __builtin_sqrt(1 + y * y / (0.15 * 0.15));
}
uint32_t lore_moves_op(struct lore_moves *m, const char *name);
/* NONE when unknown. */
uint32_t lore_moves_op_find(const struct lore_moves *m, const char *name);
uint32_t lore_moves_work_find(const struct lore_moves *m, const char *workload);
uint32_t lore_moves_place_find(const struct lore_moves *m, const char *chip, const char *workload);
/* M with a place more, whose id is m->n_chips: what is asked about need not be in the memory, and a
 * reader may not write there. */
struct lore_moves *lore_moves_with_place(
    const struct lore_moves *m, const struct lore_moves_chip *place, struct lore_arena *arena);
void lore_moves_identify(const struct lore_moves *m, uint32_t place, struct moves_place *out);
/* What is known of a place. */
static inline const struct lore_moves_chip *
lore_moves_place(const struct lore_moves *m, uint32_t id)
{
    return id < m->n_chips ? &m->chip[id] : m->guest;
}
/* NULL when there is none. */
struct moves_cell *lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip);
/* The state like ID with parameter PARAM at VALUE; NONE when unknown. */
uint32_t
lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, uint32_t value);
struct moves_change {
    size_t param;
    uint32_t value;
};
uint32_t lore_moves_state_two(
    const struct lore_moves *m, uint32_t id, struct moves_change a, struct moves_change b);
/* States that are ID but for parameters that one of the two lacks and that stand for what the other
 * has: the K-th of MOVES_LIKES ways to write it, NONE where there is no such state. */
enum { MOVES_LIKES = LORE_MOVES_PARAMS + 2 };
uint32_t lore_moves_like(const struct lore_moves *m, uint32_t id, size_t k);
/* Ways worth asking for: none in an operator of which no absence is understood. */
static inline size_t
lore_moves_likes(const struct lore_moves *m, uint32_t id)
{
    return m->op[m->state[id].op].stands != 0 ? MOVES_LIKES : 0;
}
/* The one parameter in which two states of one operator differ, else NONE. */
uint32_t lore_moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b);
/* 0: not measured; < 0: failed. */
float lore_moves_time_at(const struct moves_cell *c, uint32_t at);
/* The moves of C between two values of a parameter, NULL: none; and where one of them is, or would
 * be. */
const struct moves_bucket *
lore_moves_bucket(const struct moves_cell *c, size_t param, uint32_t low, uint32_t high);
size_t lore_moves_entry_find(const struct moves_bucket *b, uint32_t at);
/* Learn what missing parameters stand for, when there is reason to. */
void lore_moves_resolve(const struct lore_moves *m, struct moves_op *op);

/* How well places stand for each other: facts of a pair, and the share of the variance of y that is
 * lost between them. */
void lore_moves_pair_facts(
    const struct lore_moves_chip *a, const struct lore_moves_chip *b, double *facts);
double lore_moves_pair_loss(const double *fact, const double *weights, double rough);
/* The same by parts: chips, and workloads of these sizes that differ. */
void lore_moves_work_facts(double a, double b, double *facts);
double lore_moves_chip_loss(const double *fact, const double *weights);
double lore_moves_work_loss(const double *fact, const double *weights);
static inline double
lore_moves_sum_loss(double chip, double work, double rough)
{
    return __builtin_fmin(__builtin_fmax((chip + work) * rough, 0.01), 2.0);
}
enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b);
/* Measure how rough a cell is; and how rough OP is without cell EXCEPT (may be NULL), as a multiple
 * of MOVES_ROUGH. */
void lore_moves_roughen(struct lore_moves *m, struct moves_cell *c);
double lore_moves_rough(const struct moves_op *op, const struct moves_cell *except);
/* Compare the cell's own moves with what the other places say of them, when it has grown. */
void lore_moves_meet(struct lore_moves *m, struct moves_cell *c);
/* Who asks: a place, and what the places of an operator lose on their way there. */
enum { MOVES_KEPT = 64 };
struct moves_asked {
    const struct lore_moves *m;
    const struct moves_op *op;
    const struct moves_cell *own; /* NULL: nothing of the operator there */
    struct moves_place at;
    const struct lore_moves_chip *place;
    double rough; /* 1, or lore_moves_rough */
    uint32_t target;
    struct {
        uint32_t who; /* + 1 */
        double loss;
    } chip[MOVES_KEPT]; /* losses between chips, as they were needed */
};
void
lore_moves_ask(const struct lore_moves *m, uint32_t op, uint32_t target, struct moves_asked *out);
/* Loss of the operator's cell CELL, with own results weighed in when there are any. */
double lore_moves_loss(struct moves_asked *a, size_t cell);

/* ln(best / time) on C of the state that ID is there: NAN unknown, -INFINITY failed. */
double lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id);

struct moves_source { /* a cell that may speak to a question */
    const struct moves_cell *cell;
    double loss; /* share of variance lost on the way, 0: the place itself */
    enum lore_moves_reach reach;
    double fraction; /* ln fraction of the optimum of the state asked about there; NAN: unknown */
};
/* Those of OP for questions on TARGET, the nearest MOVES_SOURCES when there are more. ROUGH: that
 * of the operator when moves are asked about, 1 for times, which it says nothing of. */
size_t lore_moves_sources(const struct lore_moves *m, uint32_t op, uint32_t target, double rough,
    struct moves_source *out);
struct moves_word { /* one source's word on one move */
    struct moves_local local;
    double loss, rate_won, rate_n, fraction;
    enum lore_moves_reach reach;
};
struct moves_mix {
    double mu, scale, effective; /* ln speedup and its predictive deviation */
    double rate, x[MOVES_FEATURES];
    double fail;
    enum lore_moves_reach reach;
};
struct moves_level {
    double spread, soft, base; /* mean y^2, mean soft(y)^2, rate of gains */
};
/* Of an operator over its cells without EXCEPT (may be NULL). */
void lore_moves_level(const struct lore_moves *m, const struct moves_op *op,
    const struct moves_cell *except, struct moves_level *out);
void lore_moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out);

/* Numbers that make sense before any were learned. */
void lore_moves_numbers_default(struct moves_numbers *out);
/* Learn those that starts rest on; the weights of facts come first. */
void lore_moves_fit_starts(struct lore_moves *m);

/* Solve the N x N system A x = B, A symmetric and positive definite (destroyed). */
void lore_moves_solve(double *a, double *b, size_t n);
/* Logistic regression with a ridge towards the weights W comes with; out: the weights. */
void lore_moves_logistic(const double *x, const uint8_t *y, const double *weight, size_t n,
    size_t k, double ridge, double *w, struct lore_arena *arena);
double lore_moves_sigmoid(double x);
double lore_moves_logit(double p);
double lore_moves_normal(double z); /* cumulative */

#endif

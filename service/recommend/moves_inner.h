/* What the files of the model of moves share. Private to recommend/. */
#ifndef LORE_MOVES_INNER_H
#define LORE_MOVES_INNER_H

#include "moves.h"

#define MOVES_GAIN 0.04879016416943205 /* ln 1.05: what counts as a gain */
#define MOVES_CLAMP 2.0                /* |ln speedup| beyond it says no more */
enum { MOVES_CHIPS = 64, MOVES_FEATURES = 12, MOVES_FACTS = 6 };

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
struct moves_seen { /* how one chip's moves were met by another's: squared errors / spread */
    double sum, n;
};
struct moves_cell { /* one operator on one chip */
    uint32_t op, chip;
    struct moves_raw *raw;
    size_t n_raw, cap_raw, n_indexed;
    float *time; /* per state id; 0: not measured, < 0: failed */
    size_t n_time, n_measured;
    float best; /* least time */
    struct moves_lane lane[LORE_MOVES_PARAMS];
    struct moves_rate rate[LORE_MOVES_PARAMS][2]; /* [up] */
    struct moves_rate all;
    double spread, soft_spread; /* mean of y^2, of soft(y)^2 */
    struct moves_seen *seen;    /* per chip, of this cell's moves predicted from that chip's */
    size_t n_seen_of;           /* moves indexed when they were last compared */
};
/* What one cell says of one move. */
struct moves_local {
    float w, mean, soft, fail; /* sum of kernel weights, means of y and soft(y), failures' share */
};
struct moves_numbers { /* all that is learned */
    double width;      /* of the kernel, in octaves */
    double gamma;      /* sharpness of the weights of chips */
    double nu;         /* variance of one move's worth of local evidence, in units of spread */
    double fact[MOVES_FACTS], fact_df;
    double stack[MOVES_FEATURES];
    double mean[4];         /* expected y from (1, mu, rate, fail) */
    double low[3], high[3]; /* quantiles of the scaled residual, per third of the scale */
    double cut[2];          /* limits of those thirds */
    double base;            /* rate of gains over operators */
    double start_v; /* variance of ln fraction of the best of one chip on another, per loss */
    bool learned;
};
struct lore_moves {
    struct lore_arena *arena;
    struct moves_state *state;
    size_t n_states, cap_states;
    uint32_t *buckets;
    size_t n_buckets;
    struct moves_op *op;
    size_t n_ops, cap_ops;
    struct lore_moves_chip chip[MOVES_CHIPS];
    size_t n_chips;
    struct moves_cell **cell;
    size_t n_cells, cap_cells;
    struct moves_numbers num;
};
/* y as far as it matters for "is it a gain": linear around nothing, level from 30 % on, so that few
 * large effects do not decide how alike two chips are. */
double moves_soft(double y);
/* NONE when unknown. */
uint32_t moves_op_find(const struct lore_moves *m, const char *name);
/* NULL when there is none. */
struct moves_cell *moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip);
/* The state like ID with parameter PARAM at VALUE (as told), other parameters that ID lacks filled
 * in where that is what it takes; NONE when unknown. */
uint32_t moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, float value);
/* The one parameter in which two states of one operator differ, else NONE. */
uint32_t moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b);
/* What C says of FROM -> TO in PARAM under a kernel of WIDTH octaves. */
struct moves_local moves_local(const struct lore_moves *m, const struct moves_cell *c,
    uint32_t from, uint32_t to, size_t param, double width);
/* How well chips stand for each other: facts of a pair, and the learned log of the share of the
 * variance of y that is lost between them. */
void
moves_pair_facts(const struct lore_moves_chip *a, const struct lore_moves_chip *b, double *facts);
double moves_pair_loss(const double *fact, const double *weights);
enum lore_moves_reach moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b);

/* ln(best / time) on C of the state that ID is there: NAN unknown, -INFINITY failed. */
double moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id);

/* One source's word on one move, ready to be combined. */
struct moves_word {
    struct moves_local local;
    double loss; /* share of variance lost on the way, 0: the chip itself */
    double rate_won, rate_n;
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
void moves_level(const struct lore_moves *m, uint32_t op, const struct moves_cell *except,
    struct moves_level *out);
void moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out);

/* The words of every cell of FROM's operator on the move, for a question about CHIP; without the
 * cells of chip EXCEPT (NONE: none left out). FACTOR: weights of facts. Returns their number, at
 * most MOVES_CHIPS. */
size_t moves_words(const struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    uint32_t except, struct moves_word *out);
/* Compare each cell's own moves with what the other chips say of them. */
void moves_meet(struct lore_moves *m);
/* Loss of SOURCE for questions on TARGET, with own results weighed in when there are any. */
double moves_loss(const struct lore_moves *m, const struct moves_cell *own, uint32_t target,
    const struct moves_cell *source);

/* Solve the N x N system A x = B, A symmetric and positive definite (destroyed). */
void moves_solve(double *a, double *b, size_t n);
/* Logistic regression with a ridge towards PRIOR: weights in and out. */
void moves_logistic(const double *x, const uint8_t *y, const double *weight, size_t n, size_t k,
    double ridge, double *w, struct lore_arena *arena);
double moves_sigmoid(double x);
double moves_logit(double p);
double moves_normal(double z); /* cumulative */

#endif

/* What the files of the model of moves share. Private to recommend/. */
#ifndef LORE_MOVES_MIX_H
#define LORE_MOVES_MIX_H

#include "moves_inner.h"

/* What one cell says of one move. */
struct moves_local {
    float w, mean, soft, fail; /* sum of kernel weights, means of y and soft(y), failures' share */
};
/* y as far as it matters for "is it a gain": linear around nothing, level from 30 % on, so that few
 * large effects do not decide how alike two chips are. */
double lore_moves_soft(double y);
/* NONE when unknown. */
uint32_t lore_moves_op_find(const struct lore_moves *m, const char *name);
/* NULL when there is none. */
struct moves_cell *lore_moves_cell_find(const struct lore_moves *m, uint32_t op, uint32_t chip);
/* The state like ID with parameter PARAM at VALUE (as told), other parameters that ID lacks filled
 * in where that is what it takes; NONE when unknown. */
uint32_t lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, float value);
/* The one parameter in which two states of one operator differ, else NONE. */
uint32_t lore_moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b);
/* What C says of FROM -> TO in PARAM under a kernel of WIDTH octaves. */
struct moves_local lore_moves_local(const struct lore_moves *m, const struct moves_cell *c,
    uint32_t from, uint32_t to, size_t param, double width);
/* How well chips stand for each other: facts of a pair, and the learned log of the share of the
 * variance of y that is lost between them. */
void lore_moves_pair_facts(
    const struct lore_moves_chip *a, const struct lore_moves_chip *b, double *facts);
double lore_moves_pair_loss(const double *fact, const double *weights);
enum lore_moves_reach
lore_moves_reach(const struct lore_moves_chip *a, const struct lore_moves_chip *b);

/* ln(best / time) on C of the state that ID is there: NAN unknown, -INFINITY failed. */
double lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id);

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
void lore_moves_level(const struct lore_moves *m, uint32_t op, const struct moves_cell *except,
    struct moves_level *out);
void lore_moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out);

/* The words of every cell of FROM's operator on the move, for a question about CHIP; without the
 * cells of chip EXCEPT (NONE: none left out). Returns their number, at most
 * MOVES_CHIPS. */
size_t lore_moves_words(const struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    uint32_t except, struct moves_word *out);
/* Compare each cell's own moves with what the other chips say of them. */
void lore_moves_meet(struct lore_moves *m);
/* Loss of SOURCE for questions on TARGET, with own results weighed in when there are any. */
double lore_moves_loss(const struct lore_moves *m, const struct moves_cell *own, uint32_t target,
    const struct moves_cell *source);

/* Numbers that make sense before any were learned. */
void lore_moves_numbers_default(struct moves_numbers *out);

/* Solve the N x N system A x = B, A symmetric and positive definite (destroyed). */
void lore_moves_solve(double *a, double *b, size_t n);
/* Logistic regression with a ridge towards the weights W comes with; out: the weights. */
void lore_moves_logistic(const double *x, const uint8_t *y, const double *weight, size_t n,
    size_t k, double ridge, double *w, struct lore_arena *arena);
double lore_moves_sigmoid(double x);
double lore_moves_logit(double p);
double lore_moves_normal(double z); /* cumulative */

#endif

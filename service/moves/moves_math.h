/* The little numerics that the model of moves needs. Its offered functions serve the
 * learner of service/recommend too. */
#ifndef LORE_MOVES_MOVES_MATH_H
#define LORE_MOVES_MOVES_MATH_H

#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

struct lore_moves_observed { /* N outcomes with K features each */
    const double *x;         /* features, one outcome after the other */
    const uint8_t *y;        /* 0 or 1 */
    const double *weight;    /* per outcome */
    size_t n, k;
};
/* Logistic regression with a ridge towards the weights that W comes with. W: the K weights. */
void lore_moves_logistic(
    const struct lore_moves_observed *o, double ridge, double *w, struct lore_arena *arena);
double lore_moves_sigmoid(double x);
double lore_moves_logit(double p);
double lore_moves_normal(double z); /* cumulative */
double lore_moves_density(double z);
/* Expected value of a normal variable with that mean and deviation, cut off below 0. */
double lore_moves_positive(double mean, double deviation);

#endif

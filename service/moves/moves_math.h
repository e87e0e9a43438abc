/* The little numerics that the model of moves needs. Its offered functions serve the
 * learner of service/recommend too. */
#ifndef LORE_MOVES_MOVES_MATH_H
#define LORE_MOVES_MOVES_MATH_H

#include <stddef.h>
#include <stdint.h>

#include "service/base/arena.h"

/* y as far as it matters for "is it a gain": linear around nothing, level from 30 % on, so that few
 * large effects do not decide how alike two chips are. */
static inline double
lore_moves_soft(double y)
{
    return y / __builtin_sqrt(1 + y * y / (0.15 * 0.15));
}
/* Solve the N x N system A x = B, A symmetric and positive definite (destroyed). */
void lore_moves_solve(double *a, double *b, size_t n);
/* Logistic regression with a ridge towards the weights W comes with; out: the weights. */
void lore_moves_logistic(const double *x, const uint8_t *y, const double *weight, size_t n,
    size_t k, double ridge, double *w, struct lore_arena *arena);
double lore_moves_sigmoid(double x);
double lore_moves_logit(double p);
double lore_moves_normal(double z); /* cumulative */

#endif

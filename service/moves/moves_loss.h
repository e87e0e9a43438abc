/* How much of the variance of effects is lost between two places, estimated from the facts of the
 * pair. Private to moves/. */
#ifndef LORE_MOVES_MOVES_LOSS_H
#define LORE_MOVES_MOVES_LOSS_H

#include "service/moves/moves.h"

/* Facts of a pair, and the share of the variance of y that is lost between them. */
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

#endif

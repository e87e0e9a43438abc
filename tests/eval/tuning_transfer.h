/* Tuning transfer: what a chip never seen is offered to start from, and how close that comes to its
 * optimum. Used by eval_moves. */
#ifndef LORE_TESTS_EVAL_TUNING_TRANSFER_H
#define LORE_TESTS_EVAL_TUNING_TRANSFER_H

#include "tests/eval/tuning_world.h"

enum { T_BUDGETS = 4 };
extern const int tuning_budgets[T_BUDGETS];
struct tuning_transfer { /* fractions of the optimum after so many proposals */
    double model[T_BUDGETS], copy[T_BUDGETS], random[T_BUDGETS];
    double covered; /* share of realised fractions within their 90 % interval */
    size_t proposals, failed;
};
/* W: trained without the cell's chip; it is told the results, so nothing else should use it after.
 */
void tuning_transfer(struct tuning_world *w, size_t cell, struct tuning_transfer *out);
/* "Will fail" said of moves of a cell by a memory that was trained without it. */
struct tuning_failures {
    double said, right, failed, asked; /* moves: said to fail, of those failing; failing; asked */
};
void tuning_failures(const struct tuning_world *w, size_t cell, struct tuning_failures *out);

#endif

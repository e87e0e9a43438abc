/* How far one place can be trusted to speak for another. Private to moves/. */
#ifndef LORE_MOVES_MOVES_TRUST_H
#define LORE_MOVES_MOVES_TRUST_H

#include "service/moves/moves_model.h"
#include "service/moves/moves_predict.h"

#define MOVES_ROUGH 0.5 /* of an operator of which nothing is known */
enum { MOVES_SOURCES = 64 };

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

#endif

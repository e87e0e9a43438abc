/* The places whose moves are evidence for a question, with the variance that is lost from each.
 * Private to moves/. */
#ifndef LORE_MOVES_MOVES_SOURCES_H
#define LORE_MOVES_MOVES_SOURCES_H

#include "service/moves/moves_model.h"

enum { MOVES_SOURCES = 64 };

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

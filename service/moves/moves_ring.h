/* The state and the move of a question, and the neighbouring moves. Private to moves/. */
#ifndef LORE_MOVES_MOVES_RING_H
#define LORE_MOVES_MOVES_RING_H

#include "service/moves/moves_model.h"

/* A state that is asked about: its squared distances to all states of its operator, NULL where
 * there are too many. */
struct moves_look {
    const struct moves_op *op;
    uint32_t at;
    float *d;
};
/* The move from a state that is looked at to a value of PARAM: itself first, unless there is no
 * such state, then, in a large operator, those beside it with their squared distances. */
enum { MOVES_BESIDE = 48, MOVES_RING = 1 + MOVES_BESIDE + 16 };
struct moves_ring {
    size_t param, n;
    uint32_t to_value;
    uint32_t from[MOVES_RING], to[MOVES_RING]; /* places of states */
    float d[MOVES_RING];
};
void lore_moves_ring(const struct lore_moves *m, const struct moves_look *look, size_t param,
    uint32_t to, struct moves_ring *out);
/* Whether an operator has so many states that not all are looked at. */
bool lore_moves_large(const struct moves_op *op);
/* Squared distance of two values of a parameter: octaves, or 0 and 1. */
float lore_moves_gap(const struct moves_param *p, uint32_t a, uint32_t b);
void lore_moves_look(
    const struct lore_moves *m, uint32_t state, struct lore_arena *arena, struct moves_look *out);

#endif

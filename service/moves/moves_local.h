/* What one place says of one move: looking at a state, asking about a move from it, and the word.
 * Private to moves/. */
#ifndef LORE_MOVES_MOVES_LOCAL_H
#define LORE_MOVES_MOVES_LOCAL_H

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
/* The effect of a move by the times of its two states on C; NAN: it fails. False: not known. */
bool lore_moves_told(const struct moves_cell *c, uint32_t from, uint32_t to, float *y);
void lore_moves_look(
    const struct lore_moves *m, uint32_t state, struct lore_arena *arena, struct moves_look *out);
/* What one cell says of one move: the sum of kernel weights, means of y and soft(y), failures'
 * share. And in the wide neighbourhood: the sum, mean of soft(y), share of gains. */
struct moves_local {
    float w, mean, soft, fail;
    float wide_w, wide_soft, wide_won;
};
/* What C says of the move asked about, under a kernel of WIDTH octaves. */
struct moves_local lore_moves_local(const struct moves_cell *c, const struct moves_look *look,
    const struct moves_ring *ring, double width);
/* Whether this very move was tried there; its effect, NAN: it failed. */
bool lore_moves_exact(const struct moves_op *op, const struct moves_cell *c, size_t param,
    uint32_t from, uint32_t to, float *y);

#endif

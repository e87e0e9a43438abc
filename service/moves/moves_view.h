/* An operator's configurations as seen from a place: moves_view.c. Private to moves/. */
#ifndef LORE_MOVES_MOVES_VIEW_H
#define LORE_MOVES_MOVES_VIEW_H

#include "service/moves/moves_cells.h"

enum { MOVES_SOURCES = 64 };
struct moves_world { /* another place with times of the operator */
    const struct moves_cell *cell;
    double loss, weight; /* weights sum to 1 */
    bool vendor;         /* the asked chip's */
};
struct moves_view { /* an operator as seen from a place */
    const struct lore_moves *m;
    const struct moves_op *op;
    struct moves_world world[MOVES_SOURCES];
    size_t n_worlds, stride;         /* floats per point */
    double loss;                     /* of the nearest world */
    uint32_t symbolic;               /* parameters whose values are texts, by bit */
    float mean[LORE_MOVES_PARAMS];   /* of a parameter's values, */
    float spread[LORE_MOVES_PARAMS]; /* and 1 / their variance; 0: they are all the same */
};
/* How OP looks from CHIP, whose own results are not looked at; the nearest places. */
void
lore_moves_view(const struct lore_moves *m, uint32_t op, uint32_t chip, struct moves_view *out);

struct moves_point { /* a configuration in a view */
    uint32_t id, at; /* at: its place among the operator's states */
    float blend;     /* weighted mean of ln fraction over the worlds; NAN: no world knows */
    float fail;      /* weight of the worlds where it failed, of those that tried it */
    bool barred;     /* it failed on a chip of the vendor's */
    uint64_t tried;  /* worlds that say something of it, by bit; in the end those where it ran */
    float *apart;    /* per world: what it says beside the blend; then the coordinates */
};
_Static_assert(MOVES_SOURCES <= 64, "a bit for each world");
/* N points of which no world said anything yet. Then what each says is told, ln fraction or
 * -INFINITY for a failure, _end when that is all, and _stands has the coordinates filled in. */
struct moves_point *lore_moves_points(
    const struct moves_view *v, const uint32_t *id, size_t n, struct lore_arena *arena);
static inline void
lore_moves_point_says(struct moves_point *p, size_t world, float ln)
{
    p->tried |= (uint64_t)1 << world;
    p->apart[world] = ln;
}
void lore_moves_point_end(const struct moves_view *v, struct moves_point *p);
void lore_moves_point_stands(const struct moves_view *v, struct moves_point *p);
/* One, with all that the worlds know of it. */
void lore_moves_point(
    const struct moves_view *v, uint32_t id, struct lore_arena *arena, struct moves_point *out);

#endif

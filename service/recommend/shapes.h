/* How alike the workloads of one operator are: dims in octaves, dtype, layout and texts as symbols.
 * Evidence from a like shape bears more on a question than evidence from any other one, and a shape
 * that was never measured still has neighbours. Pure; ids are the caller's. */
#ifndef LORE_RECOMMEND_SHAPES_H
#define LORE_RECOMMEND_SHAPES_H

#include "service/wire/wire.h"

enum { LORE_SHAPE_DIMS = 24 }; /* dims of one operator that are told apart */

struct lore_shape { /* a workload's dims as recorded; NULL: not known */
    const struct lore_kvs *dims;
    const char *dtype, *layout;
};
struct lore_shapes;
struct lore_shapes *lore_shapes_new(void);
void lore_shapes_free(struct lore_shapes *s);
/* WORKLOAD of operator OP; again: ignored. Texts are copied. */
void lore_shapes_add(
    struct lore_shapes *s, uint32_t op, uint32_t workload, const struct lore_shape *shape);
struct lore_shape_near {
    uint32_t workload;
    float alike; /* in (0, 1]; 1: the same */
};
/* The workloads of OP that are alike enough to ASKED to bear on it, most alike first, in ARENA.
 * WIDTH: the kernel's, in octaves. Returns how many. */
size_t lore_shapes_near(const struct lore_shapes *s, uint32_t op, const struct lore_shape *asked,
    double width, struct lore_arena *arena, struct lore_shape_near **out);
/* Heap bytes held. */
size_t lore_shapes_bytes(const struct lore_shapes *s);

#endif

/* Operators and places by name. Private to moves/. */
#ifndef LORE_MOVES_MOVES_PLACES_H
#define LORE_MOVES_MOVES_PLACES_H

#include "service/moves/moves_model.h"

uint32_t lore_moves_op(struct lore_moves *m, const char *name);
/* NONE when unknown. */
uint32_t lore_moves_op_find(const struct lore_moves *m, const char *name);
uint32_t lore_moves_work_find(const struct lore_moves *m, const char *workload);
uint32_t lore_moves_place_find(const struct lore_moves *m, const char *chip, const char *workload);
/* M with a place more, whose id is m->n_chips: what is asked about need not be in the memory, and a
 * reader may not write there. */
struct lore_moves *lore_moves_with_place(
    const struct lore_moves *m, const struct lore_moves_chip *place, struct lore_arena *arena);
/* What is known of a place. */
static inline const struct lore_moves_chip *
lore_moves_place(const struct lore_moves *m, uint32_t id)
{
    return id < m->n_chips ? &m->chip[id] : m->guest;
}

#endif

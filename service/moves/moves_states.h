/* How states are kept and found. Private to moves/. */
#ifndef LORE_MOVES_MOVES_STATES_H
#define LORE_MOVES_MOVES_STATES_H

#include "service/moves/moves_model.h"

/* States are told by their id in m or by their place among their operator's states (`at`). */
static inline uint32_t
lore_moves_value(const struct moves_op *op, size_t param, uint32_t at)
{
    return at < op->param[param].n_value ? op->param[param].value[at] : 0;
}
/* The state like ID with parameter PARAM at VALUE; NONE when unknown. */
uint32_t
lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, uint32_t value);
struct moves_change {
    size_t param;
    uint32_t value;
};
uint32_t lore_moves_state_changed(
    const struct lore_moves *m, uint32_t id, const struct moves_change *change, size_t n);
/* States that are ID but for parameters that one of the two lacks and that stand for what the other
 * has: the K-th of MOVES_LIKES ways to write it, NONE where there is no such state. */
enum { MOVES_LIKES = LORE_MOVES_PARAMS + 2 };
uint32_t lore_moves_like(const struct lore_moves *m, uint32_t id, size_t k);
/* Ways worth asking for: none in an operator of which no absence is understood. */
static inline size_t
lore_moves_likes(const struct lore_moves *m, uint32_t id)
{
    return m->op[m->state[id].op].stands != 0 ? MOVES_LIKES : 0;
}
/* The one parameter in which two states of one operator differ, else NONE. */
uint32_t lore_moves_differ(const struct lore_moves *m, uint32_t a, uint32_t b);

#endif

/* How states are kept and found, and the memory of it all. Private to moves/. */
#ifndef LORE_MOVES_MOVES_STATES_H
#define LORE_MOVES_MOVES_STATES_H

#include "service/base/fnv.h"
#include "service/moves/moves_inner.h"

/* Memory: blocks whose size is a power of two, given back for others to use. Growing doubles. */
void *lore_moves_block(struct lore_moves *m, size_t bytes); /* zeroed */
void lore_moves_give(struct lore_moves *m, void *block, size_t bytes);
void *lore_moves_grow(struct lore_moves *m, void *old, size_t *cap, size_t size);

static inline uint64_t
lore_moves_mixed(uint64_t h)
{
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
}
static inline uint64_t
lore_moves_text_key(const char *text, uint64_t seed)
{
    return lore_moves_mixed(lore_fnv_text(seed, text));
}
/* The slot of a table of N (a power of two) where KEY starts. */
static inline uint32_t
lore_moves_slot(uint64_t key, uint32_t n)
{
    return (uint32_t)(lore_moves_mixed(key) & (n - 1));
}

/* States are told by their id in m or by their place among their operator's states (`at`). */
static inline uint32_t
lore_moves_value(const struct moves_op *op, size_t param, uint32_t at)
{
    return at < op->param[param].n_value ? op->param[param].value[at] : 0;
}
/* Whether going from value A to B is upwards; absence is below everything. */
static inline bool
lore_moves_up(const struct moves_op *op, size_t param, uint32_t a, uint32_t b)
{
    const struct moves_param *p = &op->param[param];

    return p->symbolic || a == 0 || b == 0 ? b > a : p->coord[b] > p->coord[a];
}
/* The state like ID with parameter PARAM at VALUE; NONE when unknown. */
uint32_t
lore_moves_state_with(const struct lore_moves *m, uint32_t id, size_t param, uint32_t value);
struct moves_change {
    size_t param;
    uint32_t value;
};
uint32_t lore_moves_state_two(
    const struct lore_moves *m, uint32_t id, struct moves_change a, struct moves_change b);
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
/* Learn what missing parameters stand for, when there is reason to. */
void lore_moves_resolve(const struct lore_moves *m, struct moves_op *op);

#endif

/* A move asked about, and the moves beside it: the same change from states that are one other
 * change away, and changes of the parameter between values close to those asked about.
 *
 * In a large space the moves around a state are found by their names: a few dozen of them, however
 * many the operator has. What they do at a place is read from the times there, so a place that
 * knows both states of a move knows the move, whoever compared them. In a small one, where few
 * states have a neighbour that was measured, all moves are looked at instead (moves_local.c). */
#include "service/moves/moves_ring.h"

#include <math.h>

#include "service/moves/moves_states.h"

enum {
    LARGE = 16384, /* states of an operator: looking at all of more costs more than it tells */
    SHIFTS = MOVES_RING - MOVES_BESIDE - 1 /* moves between other values of the parameter */
};
/* Squared octaves: what is further away says next to nothing (moves_local.c). */
#define REACH 4.0f

struct nearest { /* at most MOST, nearest first */
    struct {
        uint32_t a, b;
        float d;
    } v[MOVES_BESIDE];
    size_t n, most;
};

bool
lore_moves_large(const struct moves_op *op)
{
    return op->n_states > LARGE;
}

float
lore_moves_gap(const struct moves_param *p, uint32_t a, uint32_t b)
{
    if (p->symbolic) {
        a = a == 0 ? p->stands : a;
        b = b == 0 ? p->stands : b;
        return a == b ? 0.0f : 1.0f;
    }
    float d = p->coord[a] - p->coord[b];
    return d * d;
}

static bool
is_near(const struct nearest *list, float d)
{
    return d <= REACH && (list->n < list->most || d < list->v[list->n - 1].d);
}

/* Of one that is near. */
static void
insert(struct nearest *list, uint32_t a, uint32_t b, float d)
{
    size_t i = list->n < list->most ? list->n++ : list->n - 1;

    for (; i > 0 && list->v[i - 1].d > d; i--)
        list->v[i] = list->v[i - 1];
    list->v[i].a = a;
    list->v[i].b = b;
    list->v[i].d = d;
}

static void
push(const struct lore_moves *m, struct moves_ring *out, uint32_t from, uint32_t to, float d)
{
    if (out->n == MOVES_RING || from == LORE_MOVES_NONE || to == LORE_MOVES_NONE)
        return;
    out->from[out->n] = m->state[from].at;
    out->to[out->n] = m->state[to].at;
    out->d[out->n++] = d;
}

/* From states one other change away. */
static void
add_beside(const struct lore_moves *m, const struct moves_look *look, struct moves_ring *out)
{
    const struct moves_op *op = look->op;
    struct nearest near = {.most = MOVES_BESIDE};

    for (size_t q = 0; q < op->n_params; q++) {
        uint32_t mine = lore_moves_value(op, q, look->at);
        for (uint32_t v = 1; q != out->param && v < op->param[q].n_values; v++) {
            float d = lore_moves_gap(&op->param[q], v, mine);
            uint32_t id = LORE_MOVES_NONE;
            if (v != mine && is_near(&near, d))
                id = lore_moves_state_with(m, op->states[look->at], q, v);
            if (id != LORE_MOVES_NONE)
                insert(&near, id, 0, d);
        }
    }
    for (size_t i = 0; i < near.n; i++)
        push(m, out, near.v[i].a, lore_moves_state_with(m, near.v[i].a, out->param, out->to_value),
            near.v[i].d);
}

/* From and to other values of the parameter itself, the same way. */
static void
add_shifted(const struct lore_moves *m, const struct moves_look *look, struct moves_ring *out)
{
    const struct moves_op *op = look->op;
    const struct moves_param *p = &op->param[out->param];
    uint32_t id = op->states[look->at], from = lore_moves_value(op, out->param, look->at);
    bool up = lore_moves_up(op, out->param, from, out->to_value);
    struct nearest near = {.most = SHIFTS};

    for (uint32_t a = 1; !p->symbolic && a < p->n_values; a++) {
        float start = 2 * lore_moves_gap(p, a, from);
        for (uint32_t b = 1; is_near(&near, start) && b < p->n_values; b++) {
            float d = start + 2 * lore_moves_gap(p, b, out->to_value);
            if (d > 0 && is_near(&near, d) && a != b && lore_moves_up(op, out->param, a, b) == up)
                insert(&near, a, b, d);
        }
    }
    for (size_t i = 0; i < near.n; i++) {
        uint32_t a = near.v[i].a, b = near.v[i].b;
        push(m, out, a == from ? id : lore_moves_state_with(m, id, out->param, a),
            b == from ? id : lore_moves_state_with(m, id, out->param, b), near.v[i].d);
    }
}

void
lore_moves_ring(const struct lore_moves *m, const struct moves_look *look, size_t param,
    uint32_t to, struct moves_ring *out)
{
    uint32_t id = look->op->states[look->at];

    *out = (struct moves_ring){.param = param, .to_value = to};
    push(m, out, id, lore_moves_state_with(m, id, param, to), 0);
    if (!lore_moves_large(look->op))
        return;
    add_beside(m, look, out);
    add_shifted(m, look, out);
}

static void
add_column(
    const struct moves_op *op, size_t param, uint32_t mine, float *d, struct lore_arena *arena)
{
    const struct moves_param *p = &op->param[param];
    float *table = lore_alloc_array(arena, p->n_values, sizeof *table);
    size_t n = p->n_value < op->n_states ? p->n_value : op->n_states;

    for (uint32_t v = 0; v < p->n_values; v++)
        table[v] = lore_moves_gap(p, v, mine);
    for (size_t i = 0; i < n; i++)
        d[i] += table[p->value[i]];
    for (size_t i = n; i < op->n_states && table[0] > 0; i++)
        d[i] += table[0];
}

void
lore_moves_look(
    const struct lore_moves *m, uint32_t state, struct lore_arena *arena, struct moves_look *out)
{
    const struct moves_state *s = &m->state[state];
    const struct moves_op *op = &m->op[s->op];

    *out = (struct moves_look){.op = op, .at = s->at};
    if (lore_moves_large(op))
        return;
    out->d = lore_alloc_array(arena, op->n_states, sizeof *out->d);
    for (size_t p = 0; p < op->n_params; p++)
        add_column(op, p, lore_moves_value(op, p, s->at), out->d, arena);
}

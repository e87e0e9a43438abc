/* Prepares the moves that were added for forecasts: it finds the values that stand for absent
 * parameters, and how well the moves of other places forecast those of each place. */
#include <math.h>
#include <string.h>

#include "service/moves/moves_absent.h"
#include "service/moves/moves_cells.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_rough.h"
#include "service/moves/moves_states.h"

enum {
    SAMPLE = 200,
    SMALL = 64,
    MET = 256 /* of an operator's places those that are compared move by move; of a library's
                 operator on thousands of shapes the others are judged by facts alone */
};
#define NEAR 0.2 /* octaves: how far a move may be to stand for the one compared */

/* The entry of B whose state is AT or like it; the number of entries when there is none. */
static size_t
entry_like(const struct lore_moves *m, const struct moves_op *op, const struct moves_bucket *b,
    uint32_t at)
{
    size_t i = lore_moves_entry_find(b, at);

    if (i < b->n && b->entry[i].state == at)
        return i;
    for (size_t k = 0; k < lore_moves_likes(m, op->states[at]); k++) {
        uint32_t id = lore_moves_like(m, op->states[at], k);
        if (id == LORE_MOVES_NONE)
            continue;
        uint32_t other = m->state[id].at;
        i = lore_moves_entry_find(b, other);
        if (i < b->n && b->entry[i].state == other)
            return i;
    }
    return b->n;
}

/* What OTHER says of a move of C: itself, or where it tried little, what is around. */
static bool
compare(const struct lore_moves *m, const struct moves_cell *other, const struct moves_bucket *b,
    const struct moves_entry *e, double *soft)
{
    const struct moves_bucket *o = lore_moves_bucket(other, b->param, b->low, b->high);
    const struct moves_op *op = &m->op[other->op];
    double w = 0, sum = 0;

    if (!o)
        return false;
    size_t i = entry_like(m, op, o, e->state);
    if (i < o->n) {
        *soft = isinf(o->entry[i].y) ? NAN : lore_moves_soft((double)o->entry[i].y);
        return isfinite(*soft);
    }
    for (i = 0; o->n <= SMALL && i < o->n; i++) {
        if (isinf(o->entry[i].y))
            continue;
        double d = lore_moves_distance(op, o->entry[i].state, e->state, INFINITY);
        double k = pow(1 + d / (NEAR * NEAR), -3);
        w += k;
        sum += k * lore_moves_soft((double)o->entry[i].y);
    }
    *soft = sum / fmax(w, 1e-9);
    return w > 0.5;
}

/* Compare the cell's own moves with what the other places say of them, when it has grown. */
static void
meet(struct lore_moves *m, struct moves_cell *c)
{
    const struct moves_op *op = &m->op[c->op];
    double spread = fmax(c->n_ran > 0 ? c->soft_squares / c->n_ran : 0, 1e-5);
    size_t every = c->n_moves / SAMPLE + 1, k = 0;

    if (c->n_moves == c->n_seen_of || (c->n_seen_of > SAMPLE && 4 * c->n_moves < 5 * c->n_seen_of))
        return;
    size_t met = op->n_cells < MET ? op->n_cells : MET;
    if (c->n_seen < met) {
        c->n_seen = 2 * met < MET ? 2 * met : MET;
        c->seen = lore_alloc_array(m->arena, c->n_seen, sizeof *c->seen);
    }
    memset(c->seen, 0, c->n_seen * sizeof *c->seen);
    for (size_t i = 0; i < c->n_buckets; i++) {
        const struct moves_bucket *b = &c->bucket[i];
        for (size_t e = 0; e < b->n; e++, k++) {
            for (size_t j = 0; k % every == 0 && !isinf(b->entry[e].y) && j < met; j++) {
                double soft;
                if (op->cell[j] == c || !compare(m, op->cell[j], b, &b->entry[e], &soft))
                    continue;
                double error = lore_moves_soft((double)b->entry[e].y) - soft;
                c->seen[j].sum += error * error / spread;
                c->seen[j].n += 1;
            }
        }
    }
    c->n_seen_of = c->n_moves;
    lore_moves_roughen(m, c);
}

void
lore_moves_index(struct lore_moves *m)
{
    for (size_t i = 0; i < m->n_ops; i++)
        lore_moves_resolve(m, &m->op[i]);
    for (size_t i = 0; i < m->n_told; i++) {
        meet(m, m->told[i]);
        m->told[i]->told = false;
    }
    m->n_told = 0;
}

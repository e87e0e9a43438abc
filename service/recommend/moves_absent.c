/* What a configuration that lacks a parameter behaves like: one of the parameter's values, where
 * times of configurations that are otherwise the same say so (an older program without the switch
 * is the newer one with the switch off). Learned when an operator's states have grown by half,
 * from a bounded number of them. */
#include <math.h>

#include "moves_mix.h"
#include "random.h"

enum { LOOKS = 400, PAIRS = 64, VALUES = 32, LEAST = 20 };

/* How far the times of configurations without PARAM are on X from those with it at VALUE on Y, when
 * both are otherwise the same: the variance of the log ratio. */
static bool
unlike(const struct lore_moves *m, const struct moves_op *op, size_t param, uint32_t value,
    const struct moves_cell *x, const struct moves_cell *y, double *out)
{
    double s = 0, ss = 0, k = 0;
    uint64_t seed = 3;

    for (size_t i = 0; i < op->n_states && i < LOOKS; i++) {
        uint32_t at =
            (uint32_t)(op->n_states <= LOOKS ? i : lore_random_below(&seed, op->n_states));
        float a = lore_moves_value(op, param, at) == 0 ? lore_moves_time_at(x, at) : 0;
        if (!(a > 0))
            continue;
        uint32_t other = lore_moves_state_with(m, op->states[at], param, value);
        for (size_t p = 0; other == LORE_MOVES_NONE && p < op->n_params; p++) {
            /* another parameter may be missing on one side only */
            uint32_t with = lore_moves_state_with(m, op->states[at], p, op->param[p].stands);
            if (p != param && with != LORE_MOVES_NONE)
                other = lore_moves_state_with(m, with, param, value);
        }
        float b = other == LORE_MOVES_NONE ? 0 : lore_moves_time_at(y, m->state[other].at);
        if (!(b > 0))
            continue;
        double d = log((double)a / (double)b);
        s += d;
        ss += d * d;
        k++;
    }
    *out = k > 0 ? ss / k - s / k * (s / k) : 0;
    return k >= LEAST;
}

static uint32_t
learn(const struct lore_moves *m, const struct moves_op *op, size_t param)
{
    const struct moves_param *p = &op->param[param];
    double least = INFINITY;
    uint32_t best = 0;

    if (p->n_values == 2)
        return 1; /* what has it has this */
    for (uint32_t v = 1; v < p->n_values && v <= VALUES; v++) {
        double total = 0, n = 0, d;
        size_t pairs = op->n_cells * op->n_cells;
        for (size_t i = 0; i < pairs && n < PAIRS; i++) {
            if (!unlike(m, op, param, v, op->cell[i / op->n_cells], op->cell[i % op->n_cells], &d))
                continue;
            total += d;
            n++;
        }
        if (n > 0 && total / n < least) {
            least = total / n;
            best = v;
        }
    }
    return best;
}

void
lore_moves_resolve(const struct lore_moves *m, struct moves_op *op)
{
    if (2 * op->n_states < 3 * op->n_resolved)
        return;
    op->n_resolved = op->n_states;
    for (int pass = 0; pass < 2; pass++) /* what one stands for can hang on another */
        for (size_t i = 0; i < op->n_params; i++)
            if (op->param[i].n_absent > 0 && op->param[i].n_absent < op->n_states)
                op->param[i].stands = learn(m, op, i);
    for (size_t i = 0; i < op->n_params; i++) {
        struct moves_param *p = &op->param[i];
        double sum = 0;
        for (size_t v = 1; v < p->n_values; v++)
            sum += (double)p->coord[v];
        p->coord[0] = p->stands ? p->coord[p->stands]
                                : (float)(p->n_values > 1 ? sum / (double)(p->n_values - 1) : 0);
    }
}

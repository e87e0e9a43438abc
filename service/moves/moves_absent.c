/* What a configuration that lacks a parameter behaves like: one of the parameter's values, where
 * times of configurations that are otherwise the same say so (an older program without the switch
 * is the newer one with the switch off). Learned when what is known of an operator has grown by a
 * quarter, from a bounded number of states. */
#include <math.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_states.h"
#include "service/stats/random.h"

enum { LOOKS = 6000, TWINS = 300, PAIRS = 64, TRIED = 1024, VALUES = 32, LEAST = 20 };

struct twins { /* states without the parameter, and those that have it and are otherwise the same */
    uint32_t without[TWINS], with[TWINS];
    size_t n;
};

/* The state like ID with PARAM at VALUE, where it takes that also with what another missing
 * parameter stands for. */
static uint32_t
twin(const struct lore_moves *m, const struct moves_op *op, uint32_t id, size_t param,
    uint32_t value)
{
    uint32_t found = lore_moves_state_with(m, id, param, value);

    for (size_t p = 0; found == LORE_MOVES_NONE && p < op->n_params; p++) {
        if (p == param || lore_moves_value(op, p, m->state[id].at) != 0 || !op->param[p].stands)
            continue;
        const struct moves_change both[] = {{param, value}, {p, op->param[p].stands}};
        found = lore_moves_state_changed(m, id, both, 2);
    }
    return found;
}

static void
find_twins(const struct lore_moves *m, const struct moves_op *op, size_t param, uint32_t value,
    struct twins *out)
{
    uint64_t seed = 3;
    bool all = op->n_states <= LOOKS;

    out->n = 0;
    for (size_t i = 0; i < (all ? op->n_states : LOOKS) && out->n < TWINS; i++) {
        uint32_t at = (uint32_t)(all ? i : lore_random_below(&seed, op->n_states));
        if (lore_moves_value(op, param, at) != 0)
            continue;
        uint32_t other = twin(m, op, op->states[at], param, value);
        if (other == LORE_MOVES_NONE)
            continue;
        out->without[out->n] = at;
        out->with[out->n++] = m->state[other].at;
    }
}

/* How far the times without the parameter are on X from those with it on Y: the variance of the log
 * ratio, for what is the same for all is the chips'. */
static bool
unlike(const struct twins *t, const struct moves_cell *x, const struct moves_cell *y, double *out)
{
    double s = 0, ss = 0, k = 0;

    for (size_t i = 0; i < t->n; i++) {
        float a = lore_moves_time_at(x, t->without[i]), b = lore_moves_time_at(y, t->with[i]);
        if (!(a > 0) || !(b > 0))
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
    struct twins twins;

    if (p->n_values == 2)
        return 1; /* what has it has this */
    for (uint32_t v = 1; v < p->n_values && v <= VALUES; v++) {
        double total = 0, n = 0, d;
        find_twins(m, op, param, v, &twins);
        size_t pairs = op->n_cells * op->n_cells; /* of places: an operator may have thousands */
        for (size_t i = 0; twins.n >= LEAST && i < pairs && i < TRIED && n < PAIRS; i++) {
            if (!unlike(&twins, op->cell[i / op->n_cells], op->cell[i % op->n_cells], &d))
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

static void
resolve(const struct lore_moves *m, struct moves_op *op)
{
    size_t told = op->n_states + op->n_times;

    if (told < op->n_resolved + op->n_resolved / 4)
        return;
    op->n_resolved = told;
    for (int pass = 0; pass < 2; pass++) /* what one stands for can hang on another */
        for (size_t i = 0; i < op->n_params; i++)
            if (op->param[i].n_absent > 0 && op->param[i].n_absent < op->n_states)
                op->param[i].stands = learn(m, op, i);
    op->stands = 0;
    for (size_t i = 0; i < op->n_params; i++) {
        struct moves_param *p = &op->param[i];
        double sum = 0;
        op->stands |= p->stands != 0 ? (uint32_t)1 << i : 0;
        for (size_t v = 1; v < p->n_values; v++)
            sum += (double)p->coord[v];
        p->coord[0] = p->stands ? p->coord[p->stands]
                                : (float)(p->n_values > 1 ? sum / (double)(p->n_values - 1) : 0);
    }
}

void
lore_moves_index(struct lore_moves *m)
{
    for (size_t i = 0; i < m->n_ops; i++)
        resolve(m, &m->op[i]);
}

/* Changes of one parameter that are worth a try on a chip (start.h): every known configuration that
 * differs from a version in one parameter, with what the model of moves says of the step. What
 * failed on a chip of the same vendor is not proposed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "start_inner.h"

/* What keeps a step's odds from being certain, in moves. */
#define LEAST_EVIDENCE 2.0

double
lore_start_hope(double mean, double deviation)
{
    double d, density;

    if (!(deviation > 1e-9))
        return fmax(0, mean);
    d = mean / deviation;
    density = exp(-d * d / 2) / sqrt(2 * acos(-1));
    return mean * lore_moves_normal(d) + deviation * density;
}

struct step {
    uint32_t to;
    size_t param;
    struct lore_moves_forecast f;
    double expected;
};

static int
by_expected(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    if (x->expected != y->expected)
        return x->expected > y->expected ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static bool
failed_near(const struct lore_start_place *p, uint32_t op, uint32_t state)
{
    const struct lore_moves *m = p->model;

    for (uint32_t i = 0; i < m->n_chips; i++) {
        const struct moves_cell *c = lore_moves_cell_find(m, op, i);
        if (c == NULL || lore_moves_reach(&m->chip[p->at], &m->chip[i]) == LORE_MOVES_OTHER_VENDOR)
            continue;
        if (isinf(lore_moves_fraction(m, c, state)))
            return true;
    }
    return false;
}

/* Where one parameter leads to, from STATE. */
static size_t
steps_of(const struct lore_start_place *p, uint32_t state, bool new, struct lore_arena *arena,
    struct step **out)
{
    const struct lore_moves *m = p->model;
    const struct moves_op *op = &m->op[m->state[state].op];
    struct step *v = NULL;
    size_t n = 0, cap = 0;

    for (size_t i = 0; i < op->n_states; i++) {
        uint32_t to = op->states[i], param = lore_moves_differ(m, state, to);
        if (param == LORE_MOVES_NONE || op->param[param].name[0] == ' ' ||
            (new &&lore_trials_time(p->trials, to, p->at) != 0) ||
            failed_near(p, m->state[state].op, to))
            continue;
        *LORE_PUSH(arena, v, n, cap) = (struct step){.to = to, .param = param};
    }
    *out = v;
    return n;
}

static void
forecast(const struct lore_start_place *p, uint32_t from, struct step *v, size_t n,
    struct lore_arena *arena)
{
    uint32_t *to = lore_alloc_array(arena, n + 1, sizeof *to);
    struct lore_moves_forecast *f = lore_alloc_array(arena, n + 1, sizeof *f);

    for (size_t i = 0; i < n; i++)
        to[i] = v[i].to;
    lore_moves_predict(p->model, p->at, from, to, n, f);
    for (size_t i = 0; i < n; i++) {
        v[i].f = f[i];
        v[i].expected =
            (1 - f[i].p_fail) * lore_start_hope(f[i].expected, (f[i].high - f[i].low) / 3.29);
    }
}

static struct lore_interval
odds(const struct lore_moves_forecast *f)
{
    double n = f->effective + LEAST_EVIDENCE, p = fmin(0.999, fmax(0.001, f->p_gain));

    return (struct lore_interval){f->p_gain,
        fmin(f->p_gain, lore_beta_quantile(p * n, (1 - p) * n, 0.05)),
        fmax(f->p_gain, lore_beta_quantile(p * n, (1 - p) * n, 0.95))};
}

size_t
lore_start_moves(const struct lore_start_place *p, const char *version, bool new, size_t limit,
    struct lore_arena *arena, struct lore_start_move **out)
{
    uint32_t from = lore_trials_state(p->trials, version);
    const struct moves_op *op;
    struct lore_start_move *v;
    struct step *steps;
    size_t n;

    if (from == LORE_MOVES_NONE || p->model->state[from].op != lore_moves_op_find(p->model, p->op))
        return 0;
    op = &p->model->op[p->model->state[from].op];
    n = steps_of(p, from, new, arena, &steps);
    if (n == 0)
        return 0;
    forecast(p, from, steps, n, arena);
    qsort(steps, n, sizeof *steps, by_expected);
    n = n < limit ? n : limit;
    v = lore_alloc_array(arena, n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++) {
        const char *name = op->param[steps[i].param].name;
        const char *called = lore_trials_technique(p->trials, p->op, steps[i].param);
        const struct lore_moves_forecast *f = &steps[i].f;

        v[i] = (struct lore_start_move){
            .technique = lore_strdup(arena, called != NULL ? called : name),
            .parameter = lore_strdup(arena, name),
            .to_version = lore_trials_version_of(p->trials, steps[i].to, version, arena),
            .p_win = odds(f),
            .gain = {f->expected, f->low, f->high},
            .p_fail = f->p_fail,
            .effective = f->effective,
            .reach = f->reach,
            .abstains = f->abstains,
            .expected = steps[i].expected};
    }
    *out = v;
    return n;
}

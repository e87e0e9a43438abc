/* Changes of one parameter that are worth a try on a chip (start.h): every known configuration that
 * differs from a version in one parameter, with what the model of moves says of the step. What
 * failed on a chip of the same vendor is not proposed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_kin.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_predict.h"
#include "service/moves/moves_states.h"
#include "service/moves/start_versions.h"
#include "service/moves/trials_tables.h"
#include "service/stats/beta.h"

/* What keeps a step's odds from being certain, in moves. */
#define LEAST_EVIDENCE 2.0

struct step {
    uint32_t to;
    size_t param;
    struct lore_moves_forecast f;
    double expected, promise;
};

/* What is likely to gain comes first; of equal ones what gains more. */
#define BY_GAIN 0.05

static int
by_promise(const void *a, const void *b)
{
    const struct step *x = a, *y = b;

    if (x->promise != y->promise)
        return x->promise > y->promise ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* Whether what STATE is there failed where RUN ran, on a chip of the vendor's. */
static bool
failed_where(const struct lore_start_place *p, uint32_t run, uint32_t state)
{
    const struct lore_moves *m = p->model;
    const struct lore_trials *t = p->trials;
    const struct lore_moves_chip *here = lore_moves_place(m, p->at);

    for (uint32_t i = lore_trials_first_spot(t, run); i != TRIAL_END; i = t->spot[i].next) {
        uint32_t place = t->spot[i].place;
        const struct moves_cell *c = lore_moves_cell_find(m, m->state[run].op, place);
        if (c && lore_moves_reach(here, &m->chip[place]) != LORE_MOVES_OTHER_VENDOR &&
            isinf(lore_moves_fraction(m, c, state)))
            return true;
    }
    return false;
}

static bool
failed_near(const struct lore_start_place *p, uint32_t state)
{
    bool failed = failed_where(p, state, state);

    for (size_t k = 0; !failed && k < lore_moves_likes(p->model, state); k++) {
        uint32_t like = lore_moves_like(p->model, state, k);
        failed = like != LORE_MOVES_NONE && failed_where(p, like, state);
    }
    return failed;
}

struct steps {
    const struct lore_start_place *p;
    uint32_t from;
    bool new;
    struct step *v;
    size_t n, cap;
};

static void
add_step(struct steps *s, uint32_t to, size_t param, struct lore_arena *arena)
{
    const struct lore_start_place *p = s->p;

    if (p->model->op[p->model->state[to].op].param[param].name[0] == ' ' ||
        (s->new &&lore_trials_time(p->trials, to, p->at, NULL) != 0) ||
        !lore_trials_speaks(p->trials, to, p->languages) || failed_near(p, to))
        return;
    *LORE_PUSH(arena, s->v, s->n, s->cap) = (struct step){.to = to, .param = param};
}

/* Where one parameter leads to: by its values, or where there are more values than configurations,
 * by those. */
static void
find_steps(struct steps *s, struct lore_arena *arena)
{
    const struct lore_moves *m = s->p->model;
    const struct moves_op *op = &m->op[m->state[s->from].op];
    size_t values = 0;

    for (size_t p = 0; p < op->n_params; p++)
        values += op->param[p].name[0] != ' ' ? op->param[p].n_values : 0;
    for (size_t i = 0; values > op->n_states && i < op->n_states; i++) {
        uint32_t param = lore_moves_differ(m, s->from, op->states[i]);
        if (param != LORE_MOVES_NONE)
            add_step(s, op->states[i], param, arena);
    }
    for (size_t p = 0; values <= op->n_states && p < op->n_params; p++) {
        uint32_t have = lore_moves_value(op, p, m->state[s->from].at);
        for (uint32_t v = 0; op->param[p].name[0] != ' ' && v < op->param[p].n_values; v++) {
            uint32_t to = v != have ? lore_moves_state_with(m, s->from, p, v) : LORE_MOVES_NONE;
            if (to != LORE_MOVES_NONE)
                add_step(s, to, p, arena);
        }
    }
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
            (1 - f[i].p_fail) * lore_moves_positive(f[i].expected, (f[i].high - f[i].low) / 3.29);
        v[i].promise = f[i].p_gain + BY_GAIN * f[i].expected;
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

/* Fill in where STEP of OP leads, like version LIKE (may be NULL). */
static struct lore_start_move
move_of(const struct lore_start_place *p, const struct step *step, const char *like,
    struct lore_arena *arena)
{
    const struct moves_op *op = &p->model->op[p->model->state[step->to].op];
    const char *name = op->param[step->param].name;
    const char *called = lore_trials_technique(p->trials, p->op, step->param);
    const struct lore_moves_forecast *f = &step->f;
    struct lore_start_move m = {.technique = lore_strdup(arena, called != NULL ? called : name),
        .parameter = lore_strdup(arena, name),
        .state = step->to,
        .to_version = lore_trials_version_of(p->trials, step->to, like, p->languages, arena),
        .p_win = odds(f),
        .gain = {f->expected, f->low, f->high},
        .p_fail = f->p_fail,
        .effective = f->effective,
        .reach = f->reach,
        .abstains = f->abstains,
        .expected = step->expected};

    if (!m.to_version)
        (void)lore_trials_in_sweep(p->trials, step->to, arena, &m.config);
    return m;
}

size_t
lore_start_moves_of(const struct lore_start_place *p, const struct lore_moves_asked *a,
    struct lore_arena *arena, struct lore_start_move **out)
{
    uint32_t from = a->from;
    struct steps found = {.p = p, .from = from, .new = a->new};

    if (from == LORE_MOVES_NONE || p->model->state[from].op != lore_moves_op_find(p->model, p->op))
        return 0;
    find_steps(&found, arena);
    if (found.n == 0)
        return 0;
    struct step *steps = found.v;
    forecast(p, from, steps, found.n, arena);
    qsort(steps, found.n, sizeof *steps, by_promise);
    size_t n = found.n < a->limit ? found.n : a->limit;
    struct lore_start_move *v = lore_alloc_array(arena, n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = move_of(p, &steps[i], a->like, arena);
    *out = v;
    return n;
}

size_t
lore_start_moves(const struct lore_start_place *p, const char *version, bool new, size_t limit,
    struct lore_arena *arena, struct lore_start_move **out)
{
    const struct lore_moves_asked a = {lore_trials_state(p->trials, version), version, new, limit};

    return lore_start_moves_of(p, &a, arena, out);
}

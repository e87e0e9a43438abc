/* Experiments that change one parameter: what their authors call the change (the same parameter of
 * the same operator is the same technique), and times that no run says. */
#include <string.h>

#include "service/base/text.h"
#include "service/moves/moves_cells.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_states.h"
#include "service/moves/trials.h"
#include "service/moves/trials_runs.h"

struct pair { /* two configurations that differ in parameter PARAM of the model */
    uint32_t from, to, param, place;
};

/* False: no move between known configurations. */
static bool
pair_of(struct lore_trials *t, const struct lore_trial_move *m, struct pair *out)
{
    const struct trial_version *from = lore_trials_find(t, m->from),
                               *to = lore_trials_find(t, m->to);

    if (!from || !to || !m->chip || from->state == LORE_MOVES_NONE || to->state == LORE_MOVES_NONE)
        return false;
    *out = (struct pair){.from = from->state, .to = to->state};
    out->param = lore_moves_differ(t->moves, out->from, out->to);
    if (out->param == LORE_MOVES_NONE)
        return false;
    out->place = lore_trials_place_of(t, m->chip, m->workload, m->size);
    return out->place != LORE_MOVES_NONE;
}

/* Whether STATE has a time in PLACE that no run says. */
static bool
is_lent(const struct lore_trials *t, uint32_t state, uint32_t place)
{
    const struct moves_cell *c = lore_moves_cell_find(t->moves, t->moves->state[state].op, place);

    return c && lore_moves_time_at(c, t->moves->state[state].at) != 0 &&
           lore_trials_time(t, state, place, NULL) == 0;
}

bool
lore_trials_told(struct lore_trials *t, const struct lore_trial_move *m)
{
    struct pair p;

    return pair_of(t, m, &p) && (is_lent(t, p.from, p.place) || is_lent(t, p.to, p.place));
}

static uint32_t *
called(struct lore_trials *t, uint32_t op, size_t param)
{
    size_t i = (size_t)op * LORE_MOVES_PARAMS + param;

    t->called = lore_trials_room(t->called, i, &t->cap_called, sizeof *t->called, 0);
    return &t->called[i];
}

/* A switch that goes off is called by the parameter's own name, and that says less than the
 * technique that it switches on. */
void
lore_trials_call(
    struct lore_trials *t, const char *op, const char *parameter, const char *technique)
{
    uint32_t o = lore_moves_op_find(t->moves, op);
    size_t p = 0;

    while (o != LORE_MOVES_NONE && p < t->moves->op[o].n_params &&
           !lore_streq(t->moves->op[o].param[p].name, parameter))
        p++;
    if (o == LORE_MOVES_NONE || p == t->moves->op[o].n_params)
        return;
    uint32_t *at = called(t, lore_intern(&t->names, op), p);
    if (*at == 0 || !lore_streq(technique, parameter))
        *at = lore_intern(&t->names, technique) + 1;
}

bool
lore_trials_move(struct lore_trials *t, const struct lore_trial_move *m)
{
    struct pair p;

    if (!pair_of(t, m, &p))
        return false;
    const struct moves_op *op = &t->moves->op[t->moves->state[p.to].op];
    if (m->technique)
        lore_trials_call(t, op->name, op->param[p.param].name, m->technique);
    return lore_moves_tried(t->moves, p.place, p.from, p.to, m->log_speedup, m->failed);
}

const char *
lore_trials_technique(const struct lore_trials *t, const char *op, size_t param)
{
    uint32_t id = lore_intern_find(&t->names, op);
    size_t i = (size_t)id * LORE_MOVES_PARAMS + param;

    if (id == LORE_INTERN_NONE || i >= t->cap_called || t->called[i] == 0)
        return NULL;
    return lore_intern_text(&t->names, t->called[i] - 1);
}

void
lore_trials_index(struct lore_trials *t)
{
    lore_moves_index(t->moves);
}

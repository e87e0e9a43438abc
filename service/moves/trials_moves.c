/* Experiments that change one parameter, on their way into the model, and what their authors call
 * the change: the same parameter of the same operator, moved the same way, is the same technique.
 * Of a move a fingerprint is kept with its evidence class, so that what somebody claims never
 * replaces what was measured. */
#include <string.h>

#include "service/base/text.h"
#include "service/base/xalloc.h"
#include "service/moves/moves_states.h"
#include "service/moves/moves_tables.h"
#include "service/moves/trials.h"
#include "service/moves/trials_runs.h"

#define CLASS_BITS ((uint64_t)7)

/* The place of a move in the table of those told: its class is in the last bits. */
static struct trial_told *
told_at(const struct lore_trials *t, uint64_t print)
{
    size_t i = print >> 3 & (t->told_slots - 1);

    while (t->told[i].print != 0 && (t->told[i].print & ~CLASS_BITS) != print)
        i = (i + 1) & (t->told_slots - 1);
    return &t->told[i];
}

static void
grow_told(struct lore_trials *t)
{
    struct trial_told *old = t->told;
    size_t n = t->told_slots;

    if (t->n_told * 3 < n * 2)
        return;
    t->told_slots = n ? n * 2 : 1024;
    t->told = lore_xcalloc(t->told_slots, sizeof *t->told);
    for (size_t i = 0; i < n; i++)
        if (old[i].print != 0)
            *told_at(t, old[i].print & ~CLASS_BITS) = old[i];
    lore_xfree(old);
}

/* False: no move between known configurations. */
static bool
pair_of(struct lore_trials *t, const struct lore_trial_move *m, struct trial_pair *out)
{
    const struct trial_version *from = lore_trials_find(t, m->from),
                               *to = lore_trials_find(t, m->to);

    if (!from || !to || !m->chip || from->state == LORE_MOVES_NONE || to->state == LORE_MOVES_NONE)
        return false;
    *out = (struct trial_pair){.from = from->state, .to = to->state, .op = to->op};
    out->param = lore_moves_differ(t->moves, out->from, out->to);
    if (out->param == LORE_MOVES_NONE)
        return false;
    out->place = lore_trials_place_of(t, m->chip, m->workload, m->size);
    return out->place != LORE_MOVES_NONE;
}

/* One pair of configurations, whichever way it was measured. */
static uint64_t
print_of(const struct trial_pair *p)
{
    uint32_t a = p->from, b = p->to;
    uint64_t print =
        lore_moves_mixed(
            lore_moves_mixed((uint64_t)(a < b ? a : b) << 32 | (a < b ? b : a)) ^ p->place) &
        ~CLASS_BITS;

    return print != 0 ? print : CLASS_BITS + 1;
}

/* Whether M replaces what was told of its pair; then it is noted. */
static bool
takes_place(struct lore_trials *t, uint64_t print, const struct lore_trial_move *m)
{
    grow_told(t);
    struct trial_told *at = told_at(t, print);
    uint64_t told = at->print & CLASS_BITS;
    if (at->print != 0 &&
        (told < m->evidence || (told == m->evidence && at->seq > (uint32_t)m->seq)))
        return false;
    t->n_told += at->print == 0;
    *at = (struct trial_told){print | m->evidence, (uint32_t)m->seq};
    return true;
}

bool
lore_trials_told(struct lore_trials *t, const struct lore_trial_move *m)
{
    struct trial_pair p;

    if (t->told_slots == 0 || !pair_of(t, m, &p))
        return false;
    const struct trial_told *at = told_at(t, print_of(&p));
    return at->print != 0 && at->seq == (uint32_t)m->seq;
}

/* What the change of PARAM is called: a switch that goes off is called by the parameter's own name,
 * and that says less than the technique that it switches on. */
static void
call(struct lore_trials *t, const struct trial_pair *p, const char *technique)
{
    size_t i = (size_t)p->op * LORE_MOVES_PARAMS + p->param;
    const char *name = t->moves->op[t->moves->state[p->to].op].param[p->param].name;

    t->called = lore_trials_room(t->called, i, &t->cap_called, sizeof *t->called, 0);
    if (t->called[i] == 0 || !lore_streq(technique, name))
        t->called[i] = lore_intern(&t->names, technique) + 1;
}

bool
lore_trials_tell(struct lore_trials *t, const struct trial_pair *p, const struct lore_trial_move *m)
{
    if (m->technique)
        call(t, p, m->technique);
    if (!takes_place(t, print_of(p), m))
        return false;
    return lore_moves_tried(t->moves, p->place, p->from, p->to, m->log_speedup, m->failed);
}

bool
lore_trials_move(struct lore_trials *t, const struct lore_trial_move *m)
{
    struct trial_pair p;

    return pair_of(t, m, &p) && lore_trials_tell(t, &p, m);
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

size_t
lore_trials_moves(const struct lore_trials *t)
{
    return t->n_told;
}

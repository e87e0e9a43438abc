/* Kinds of workloads: their data type and layout. What was written for another kind is no start, so
 * each question asks of configurations whether they have a result on its kind, and how many have.
 * Both are counted as runs come: a configuration has a bit per kind it ran on, one for those beyond
 * the first KINDS, and one for workloads of which no kind is known, which go with any. */
#include "service/moves/trials_kinds.h"

#include <string.h>

#include "service/base/xalloc.h"
#include "service/moves/moves_places.h"

#define OTHER ((uint64_t)1 << TRIAL_KINDS)
#define UNKNOWN (OTHER << 1)

/* ---- as runs come ---- */

/* STATE's bits gain BIT. */
static void
gain(struct trial_kinds *k, uint32_t op, uint32_t state, uint64_t bit)
{
    k->mask = lore_trials_room(k->mask, state, &k->cap_mask, sizeof *k->mask, 0);
    k->tally = lore_trials_room(k->tally, op, &k->cap_tally, sizeof *k->tally, 0);
    struct trial_tally *tally = &k->tally[op];
    uint64_t was = k->mask[state], left = was & (OTHER - 1);

    k->mask[state] |= bit;
    tally->any += was == 0;
    if ((was & (bit | UNKNOWN)) != 0 || bit == OTHER)
        return;
    if (bit != UNKNOWN) {
        tally->of[__builtin_ctzll(bit)]++;
        return;
    }
    tally->unknown++;
    for (; left != 0; left &= left - 1) /* counted with all kinds now */
        tally->of[__builtin_ctzll(left)]--;
}

void
lore_trials_kind_joins(struct lore_trials *t, uint32_t state, uint32_t place)
{
    struct trial_place_kind *p = &t->kinds.place[place];
    uint64_t bit = p->kind == 0             ? UNKNOWN
                   : p->kind <= TRIAL_KINDS ? (uint64_t)1 << (p->kind - 1)
                                            : OTHER;

    p->joined = true;
    gain(&t->kinds, t->moves->state[state].op, state, bit);
}

static void
count_again(struct lore_trials *t)
{
    struct trial_kinds *k = &t->kinds;

    if (k->cap_mask > 0)
        memset(k->mask, 0, k->cap_mask * sizeof *k->mask);
    if (k->cap_tally > 0)
        memset(k->tally, 0, k->cap_tally * sizeof *k->tally);
    for (size_t i = 0; i < t->n_spots; i++)
        lore_trials_kind_joins(t, t->spot[i].state, t->spot[i].place);
}

void
lore_trials_kind_is(struct lore_trials *t, uint32_t place, const char *kind)
{
    struct trial_kinds *k = &t->kinds;
    uint32_t work = t->moves->place[place].work, id;

    k->place = lore_trials_room(k->place, place, &k->cap_place, sizeof *k->place, 0);
    if (!kind)
        return;
    id = lore_intern(&k->names, kind) + 1;
    k->work = lore_trials_room(k->work, work, &k->cap_work, sizeof *k->work, 0);
    k->work[work] = id;
    if (k->place[place].kind == id)
        return;
    k->place[place].kind = id;
    if (k->place[place].joined) /* it was told without */
        count_again(t);
}

/* ---- looking ---- */

uint32_t
lore_trials_kind_find(const struct lore_trials *t, const char *kind)
{
    return kind ? lore_intern_find(&t->kinds.names, kind) : TRIAL_ANY_KIND;
}

bool
lore_trials_kind_goes(const struct lore_trials *t, uint32_t place, uint32_t kind)
{
    uint32_t have = place < t->kinds.cap_place ? t->kinds.place[place].kind : 0;

    return kind == TRIAL_ANY_KIND || have == 0 || have - 1 == kind;
}

bool
lore_trials_of_kind(const struct lore_trials *t, uint32_t state, uint32_t kind)
{
    uint64_t mask = state < t->kinds.cap_mask ? t->kinds.mask[state] : 0;

    if (kind == TRIAL_ANY_KIND || (mask & UNKNOWN) != 0)
        return mask != 0;
    if (kind < TRIAL_KINDS)
        return (mask >> kind & 1) != 0;
    if (kind == LORE_INTERN_NONE || (mask & OTHER) == 0)
        return false;
    for (uint32_t i = lore_trials_first_spot(t, state); i != TRIAL_END; i = t->spot[i].next)
        if (lore_trials_kind_goes(t, t->spot[i].place, kind))
            return true;
    return false;
}

size_t
lore_trials_count(const struct lore_trials *t, uint32_t op, uint32_t kind)
{
    const struct moves_op *o = &t->moves->op[op];
    size_t n = 0;

    if (op >= t->kinds.cap_tally)
        return 0;
    const struct trial_tally *tally = &t->kinds.tally[op];
    if (kind == TRIAL_ANY_KIND)
        return tally->any;
    if (kind < TRIAL_KINDS)
        return tally->unknown + tally->of[kind];
    if (kind == LORE_INTERN_NONE)
        return tally->unknown;
    for (size_t i = 0; i < o->n_states; i++)
        n += lore_trials_of_kind(t, o->states[i], kind);
    return n;
}

const char *
lore_trials_work_kind(const struct lore_trials *t, const char *workload)
{
    uint32_t work = workload != NULL ? lore_moves_work_find(t->moves, workload) : LORE_MOVES_NONE;

    return work < t->kinds.cap_work && t->kinds.work[work] != 0
               ? lore_intern_text(&t->kinds.names, t->kinds.work[work] - 1)
               : NULL;
}

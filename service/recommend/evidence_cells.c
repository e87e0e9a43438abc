/* Cells (evidence_cells.h): rows that every question weighs alike, but for their share of the
 * credit, which is a factor. So what a question adds up is kept per cell, with each row that comes
 * or changes: a question costs as much as there are cells, however many rows. */
#include "service/recommend/evidence_cells.h"

#include <math.h>
#include <string.h>

#include "service/base/xalloc.h"

enum { FEW = 8, FIRST_SLOTS = 16 }; /* FEW: entries that are found without slots */
#define NO_ENTRY UINT32_MAX

static uint32_t
first_slot(uint32_t number, uint32_t n_slots)
{
    uint64_t key = number * 0x9e3779b97f4a7c15u;

    key = (key ^ key >> 32) * 0xd6e8feb86659fd93u;
    return (uint32_t)((key >> 32) * n_slots >> 32);
}

static uint32_t
roomier(uint32_t n)
{
    return n < FEW ? 2 * n + 1 : n + n / 8 + 1;
}

/* Whether N entries need more slots: at most three quarters of them are used. */
static bool
too_full(uint32_t n, uint32_t n_slots)
{
    return n_slots == 0 ? n >= FEW : 4 * (uint64_t)n >= 3 * (uint64_t)n_slots;
}

static uint32_t
more_slots(uint32_t n_slots)
{
    return n_slots == 0 ? FIRST_SLOTS : n_slots + n_slots / 2;
}

/* ---- counts ---- */

static uint32_t
count_slot(const struct lore_cell_counts *t, uint32_t place)
{
    uint32_t i = first_slot(place, t->n_slots);

    while (t->slots[i] != 0 && t->v[t->slots[i] - 1].place != place)
        i = i + 1 < t->n_slots ? i + 1 : 0;
    return i;
}

static void
widen_counts(struct lore_cell_counts *t)
{
    t->n_slots = more_slots(t->n_slots);
    lore_xfree(t->slots);
    t->slots = lore_xcalloc(t->n_slots, sizeof *t->slots);
    for (uint32_t i = 0; i < t->n; i++)
        t->slots[count_slot(t, t->v[i].place)] = i + 1;
}

/* Of a place, made when it is new. Valid until the next is made. */
static struct lore_cell_count *
count_of(struct lore_cell_counts *t, uint32_t place)
{
    uint32_t slot = 0;

    if (too_full(t->n, t->n_slots))
        widen_counts(t);
    for (uint32_t i = 0; i < t->n && t->n_slots == 0; i++)
        if (t->v[i].place == place)
            return &t->v[i];
    if (t->n_slots > 0) {
        slot = count_slot(t, place);
        if (t->slots[slot] != 0)
            return &t->v[t->slots[slot] - 1];
        t->slots[slot] = t->n + 1;
    }
    if (t->n == t->cap) {
        t->cap = roomier(t->n);
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    t->v[t->n] = (struct lore_cell_count){.place = place};
    return &t->v[t->n++];
}

void
lore_count(uint32_t n[LORE_NS], const struct lore_judged *j, uint32_t by)
{
    n[j->effect] += by;
    n[LORE_N_JUDGED] += j->counts ? by : 0;
    n[LORE_N_OWN] += j->own ? by : 0;
    n[LORE_N_LOST] += j->lost ? by : 0;
    n[LORE_N_INERT] += j->inert ? by : 0;
    n[LORE_N_ABSENT] += j->absent ? by : 0;
    n[LORE_N_SAID] += j->said ? by : 0;
    n[LORE_N_WRONG] += j->wrong ? by : 0;
}

/* BY is 1, or -1 in arithmetic without a sign. */
static void
count(struct lore_cell_counts *t, const struct lore_entering *in, uint32_t by)
{
    lore_count(count_of(t, in->place)->n, &in->judged, by);
}

/* ---- cells, and rows alone: an entry is the number of the one, or of the other and a bit ---- */

static uint32_t
entry_of(uint32_t i, bool alone)
{
    return i << 1 | alone;
}

static uint32_t
context_at(const struct lore_cells *t, uint32_t entry)
{
    return (entry & 1) != 0 ? t->singletons[entry >> 1].context : t->v[entry >> 1].context;
}

static uint32_t
cell_slot(const struct lore_cells *t, uint32_t context)
{
    uint32_t i = first_slot(context, t->n_slots);

    while (t->slots[i] != 0 && context_at(t, t->slots[i] - 1) != context)
        i = i + 1 < t->n_slots ? i + 1 : 0;
    return i;
}

static void
refer_to(struct lore_cells *t, uint32_t entry)
{
    if (t->n_slots > 0)
        t->slots[cell_slot(t, context_at(t, entry))] = entry + 1;
}

static void
widen_cells(struct lore_cells *t)
{
    t->n_slots = more_slots(t->n_slots);
    lore_xfree(t->slots);
    t->slots = lore_xcalloc(t->n_slots, sizeof *t->slots);
    for (uint32_t i = 0; i < t->n; i++)
        refer_to(t, entry_of(i, false));
    for (uint32_t i = 0; i < t->n_singletons; i++)
        refer_to(t, entry_of(i, true));
}

/* The entry of a context; NO_ENTRY: there is none. */
static uint32_t
find(struct lore_cells *t, uint32_t context)
{
    if (too_full(t->n + t->n_singletons, t->n_slots))
        widen_cells(t);
    if (t->n_slots > 0)
        return t->slots[cell_slot(t, context)] - 1; /* 0 wraps to NO_ENTRY */
    for (uint32_t i = 0; i < t->n; i++)
        if (t->v[i].context == context)
            return entry_of(i, false);
    for (uint32_t i = 0; i < t->n_singletons; i++)
        if (t->singletons[i].context == context)
            return entry_of(i, true);
    return NO_ENTRY;
}

void
lore_sums_add(double sum[LORE_SUMS], const struct lore_entering *in, double by)
{
    struct lore_judged j = in->judged;
    double share = by * in->share, x = j.has_x ? lore_clamped(in->log, in->clamp) : 0;

    sum[LORE_SUM_JUDGED] += j.counts ? share : 0;
    sum[LORE_SUM_WON] += j.own ? share : 0;
    sum[LORE_SUM_GAINS] += j.gains ? share : 0;
    sum[LORE_SUM_X] += share * x;
    sum[LORE_SUM_XX] += share * x * x;
}

static void
put(struct lore_cell *c, const struct lore_entering *in)
{
    float *most = &c->most[in->judged.own];
    float effect = isnan(in->log) ? 0 : fabsf(in->log);

    if (c->n++ == 0)
        c->most[0] = c->most[1] = -1;
    *most = effect > *most ? effect : *most;
    lore_sums_add(c->sum, in, 1);
}

static void
put_alone(struct lore_cells *t, const struct lore_entering *in)
{
    if (t->n_singletons == t->cap_singletons) {
        t->cap_singletons = roomier(t->n_singletons);
        t->singletons = lore_xrealloc(t->singletons, t->cap_singletons * sizeof *t->singletons);
    }
    t->singletons[t->n_singletons] = (struct lore_singleton){in->context, in->outcome, in->log};
    refer_to(t, entry_of(t->n_singletons++, true));
}

struct lore_entering
lore_singleton_entering(
    const struct lore_singleton *c, const struct lore_keys *outcomes, float clamp)
{
    struct lore_row_outcome o = lore_outcome_of(outcomes->key[c->outcome]);

    return (struct lore_entering){.context = c->context,
        .outcome = c->outcome,
        .outcomes = outcomes,
        .judged = lore_judge(o),
        .log = c->log,
        .clamp = clamp,
        .share = 1.0 / o.siblings};
}

/* The I-th of the rows alone gets a cell. */
static struct lore_cell *
cell_instead(struct lore_cells *t, uint32_t i, const struct lore_entering *like)
{
    struct lore_entering first =
        lore_singleton_entering(&t->singletons[i], like->outcomes, like->clamp);

    if (t->n == t->cap) {
        t->cap = roomier(t->n);
        t->v = lore_xrealloc(t->v, t->cap * sizeof *t->v);
    }
    struct lore_cell *c = &t->v[t->n];
    *c = (struct lore_cell){.context = like->context};
    put(c, &first);
    refer_to(t, entry_of(t->n++, false));
    t->singletons[i] = t->singletons[--t->n_singletons];
    return c;
}

void
lore_cells_put(struct lore_cells *t, const struct lore_entering *in)
{
    uint32_t entry = find(t, in->context), i = entry >> 1;

    count(&t->counts, in, 1);
    if (entry == NO_ENTRY) {
        put_alone(t, in);
    } else if ((entry & 1) == 0) {
        put(&t->v[i], in);
    } else if (t->singletons[i].outcome == LORE_NO_OUTCOME) {
        t->singletons[i] = (struct lore_singleton){in->context, in->outcome, in->log};
    } else {
        put(cell_instead(t, i, in), in);
        if (i < t->n_singletons)
            refer_to(t, entry_of(i, true));
    }
}

void
lore_cells_take(struct lore_cells *t, const struct lore_entering *in)
{
    uint32_t entry = find(t, in->context), i = entry >> 1;

    count(&t->counts, in, UINT32_MAX);
    if ((entry & 1) != 0) {
        t->singletons[i] = (struct lore_singleton){in->context, LORE_NO_OUTCOME, NAN};
    } else if (t->v[i].n == 1) {
        t->v[i] = (struct lore_cell){.context = in->context, .most = {-1, -1}};
    } else {
        t->v[i].n--;
        lore_sums_add(t->v[i].sum, in, -1);
    }
}

void
lore_cells_share(
    struct lore_cells *t, const struct lore_entering *was, const struct lore_entering *in)
{
    uint32_t entry = find(t, in->context), i = entry >> 1;

    if ((entry & 1) != 0) {
        t->singletons[i].outcome = in->outcome;
        return;
    }
    if (t->v[i].n == 1)
        memset(t->v[i].sum, 0, sizeof t->v[i].sum);
    else
        lore_sums_add(t->v[i].sum, was, -1);
    lore_sums_add(t->v[i].sum, in, 1);
}

/* ---- as a whole ---- */

void
lore_cells_free(struct lore_cells *t)
{
    lore_xfree(t->v);
    lore_xfree(t->singletons);
    lore_xfree(t->slots);
    lore_xfree(t->counts.v);
    lore_xfree(t->counts.slots);
    *t = (struct lore_cells){0};
}

size_t
lore_cells_bytes(const struct lore_cells *t)
{
    return t->cap * sizeof *t->v + t->cap_singletons * sizeof *t->singletons +
           t->n_slots * sizeof *t->slots + t->counts.cap * sizeof *t->counts.v +
           t->counts.n_slots * sizeof *t->counts.slots;
}

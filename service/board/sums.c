/* The sums of versions and cells, and which version leads a cell (sums.h). Sums cover the entries
 * that are not hidden. A mask, a retraction or a new verdict is rare; it rebuilds the sums of every
 * cell that it affects.
 *
 * The first passed check of a version, and the first on a workload, can change the ranking in its
 * cells for other workloads and chips. These cells are ranked again only then, not with every
 * run. */
#include "service/board/sums.h"

#include "service/base/xalloc.h"

/* Grow ARRAY so that it has space for element N of SIZE bytes. */
void *
lore_board_grow(void *array, uint32_t n, uint32_t *cap, size_t size)
{
    if (n < *cap)
        return array;
    *cap = *cap == 0 ? 64 : *cap * 2;
    return lore_xrealloc(array, *cap * size);
}

/* MORE 1: add one pass to V. MORE -1: remove all its passes. */
static void
count_pass(struct lore_board *ix, struct board_version *v, int more)
{
    uint32_t by = more > 0 ? 1 : v->passes;
    struct board_check *c = v->check != NONE ? &ix->checks[v->check] : NULL;

    v->passes = more > 0 ? v->passes + 1 : 0;
    if (!c || by == 0)
        return;
    bool before = c->passes > 0;
    c->passes = more > 0 ? c->passes + by : c->passes - by;
    if (c->workload != NONE && before != (c->passes > 0))
        ix->identities[c->identity].passed += before ? UINT32_MAX : 1; /* subtract or add 1 */
}

void
lore_board_clear_sums(struct lore_board *ix, struct board_version *v)
{
    count_pass(ix, v, -1);
    v->fail = v->timeout = v->error = false;
    v->stated = v->stated_library = NONE;
    v->runs = v->experiments = v->hidden_runs = v->hidden_experiments = v->retracted = 0;
    v->copies = 0;
    v->beyond = v->disputed = NONE;
    v->labels = v->stated_labels = 0;
    v->first_seq = INT64_MAX;
}

static struct board_timing *
timing_of(struct lore_board *ix, struct board_version *v, const struct board_entry *e)
{
    enum timing_class class = lore_board_class_of(e);
    uint32_t i = v->timings;

    while (i != NONE && (ix->timings[i].class != class || ix->timings[i].method != e->method))
        i = ix->timings[i].next;
    if (i != NONE)
        return &ix->timings[i];
    ix->timings =
        lore_board_grow(ix->timings, ix->n_timings, &ix->cap_timings, sizeof *ix->timings);
    i = ix->n_timings++;
    ix->timings[i] = (struct board_timing){e->method, NONE, v->timings, (uint8_t) class};
    v->timings = i;
    return &ix->timings[i];
}

static uint32_t
method_of(struct lore_board *ix, struct board_cell *cell, const struct board_entry *e)
{
    enum timing_class class = lore_board_class_of(e);
    uint32_t i = cell->methods;

    while (i != NONE && (ix->methods[i].class != class || ix->methods[i].method != e->method))
        i = ix->methods[i].next;
    if (i != NONE)
        return i;
    ix->methods =
        lore_board_grow(ix->methods, ix->n_methods, &ix->cap_methods, sizeof *ix->methods);
    i = ix->n_methods++;
    ix->methods[i] = (struct board_method){e->method, 0, cell->methods, (uint8_t) class};
    cell->methods = i;
    return i;
}

/* Count one more version of the cell that is timed by the method of E. The method with most
 * versions ranks the cell. Of equals, the method that was recorded first ranks, and any method
 * ranks before an unrecorded one. */
static void
count_method(struct lore_board *ix, struct board_cell *cell, const struct board_entry *e)
{
    uint32_t i = method_of(ix, cell, e), *ranking = &cell->ranking[lore_board_class_of(e)];
    const struct board_method *now = *ranking != NONE ? &ix->methods[*ranking] : NULL;
    uint32_t versions = ++ix->methods[i].versions;

    if (!now || versions > now->versions || (versions == now->versions && e->method < now->method))
        *ranking = i;
}

static void
absorb_time(struct lore_board *ix, uint32_t i)
{
    const struct board_entry *e = &ix->entries[i];
    struct board_version *v = &ix->versions[e->version];

    if (e->time_ns <= 0)
        return;
    struct board_timing *t = timing_of(ix, v, e);
    if (t->entry == NONE && !lore_board_is_library(ix, v))
        count_method(ix, &ix->cells[v->cell], e);
    if (t->entry == NONE || e->time_ns < ix->entries[t->entry].time_ns)
        t->entry = i;
}

/* A comparison with a library is neither a win nor a loss: it does not try a change. Nor is a win
 * with a wrong result. */
static void
count_effect(struct board_cell *cell, const struct board_entry *e)
{
    bool wrong = e->correctness == LORE_C_FAIL || e->correctness == LORE_C_TIMEOUT;

    cell->experiments++;
    if (e->base == LORE_BASE_LIBRARY)
        return;
    cell->won += e->effect == LORE_X_WIN && !wrong;
    cell->neutral += e->effect == LORE_X_NEUTRAL;
    cell->lost += e->effect == LORE_X_LOSS;
    cell->said_lost += e->effect == LORE_X_NOT_MEASURED && e->said_lost;
}

static bool
newer_claim(const struct lore_board *ix, const struct board_entry *e, uint32_t than)
{
    return e->speedup > 0 && (than == NONE || e->seq > ix->entries[than].seq);
}

void
lore_board_clear_counts(struct board_cell *cell)
{
    cell->runs = cell->experiments = cell->won = cell->neutral = cell->lost = cell->said_lost = 0;
    cell->labels = cell->stated = 0;
    cell->evidence = 0;
    cell->updated_us = 0;
}

void
lore_board_count_entry(struct board_cell *cell, const struct board_entry *e, bool library)
{
    cell->runs += e->run != NONE && !library;
    if (e->experiment != NONE)
        count_effect(cell, e);
    cell->labels |= e->labels;
    cell->stated |= e->labels_derived ? 0 : e->labels;
    if (e->evidence != LORE_EV_NONE && (cell->evidence == 0 || e->evidence < cell->evidence))
        cell->evidence = e->evidence;
    if (e->at_us > cell->updated_us)
        cell->updated_us = e->at_us;
}

/* Add entry I to the sums of its version and cell. */
void
lore_board_absorb(struct lore_board *ix, uint32_t i)
{
    const struct board_entry *e = &ix->entries[i];
    struct board_version *v = &ix->versions[e->version];
    struct board_cell *cell = &ix->cells[v->cell];
    uint32_t *claim = e->base == LORE_BASE_LIBRARY ? &v->stated_library : &v->stated;

    if (lore_board_is_hidden(ix, e)) {
        v->hidden_runs += e->run != NONE;
        v->hidden_experiments += e->experiment != NONE;
        v->retracted += !e->copy && e->beyond == NONE && (!e->masked || e->retracted);
        v->copies += e->copy;
        v->beyond = e->beyond != NONE ? e->beyond : v->beyond;
        return;
    }
    v->runs += e->run != NONE;
    v->experiments += e->experiment != NONE;
    v->labels |= e->run != NONE ? e->labels : 0;
    v->stated_labels |= e->run != NONE && !e->labels_derived ? e->labels : 0;
    if (e->correctness == LORE_C_PASS && !e->runs_checked)
        count_pass(ix, v, 1);
    v->fail |= e->correctness == LORE_C_FAIL && !e->disputes;
    v->timeout |= e->correctness == LORE_C_TIMEOUT && !e->disputes;
    if (e->disputes && (v->disputed == NONE || e->at_us > ix->entries[v->disputed].at_us))
        v->disputed = i;
    v->error |= e->failed;
    if (e->time_ns > 0 && e->seq < v->first_seq) /* runs and experiments count apart */
        v->first_seq = e->seq;
    absorb_time(ix, i);
    if (newer_claim(ix, e, *claim))
        *claim = i;
    lore_board_count_entry(cell, e, lore_board_is_library(ix, v));
}

void
lore_board_find_best(struct lore_board *ix, struct board_cell *cell)
{
    const struct board_rules usual = {0};

    cell->best = lore_board_best_of(ix, cell, &usual);
    ix->headlines[cell - ix->cells] = UNKNOWN;
}

/* Rank the cells of check C again. */
static void
rerank_check(struct lore_board *ix, uint32_t c)
{
    for (uint32_t i = ix->checks[c].versions; i != NONE; i = ix->versions[i].next_same)
        lore_board_find_best(ix, &ix->cells[ix->versions[i].cell]);
}

/* Rank cells again whose order depends on the checks of V. If the version gained its first pass or
 * lost its last one, all its cells are ranked, which can be thousands. If only the result on one
 * workload changed, only the cells of that workload are ranked. */
void
lore_board_rerank_after_check(struct lore_board *ix, const struct board_version *v)
{
    if (v->check == NONE)
        return;
    struct board_check *own = &ix->checks[v->check];
    struct board_identity *owner = &ix->identities[own->identity];
    if (own->ranked_passed == (own->passes > 0) && owner->ranked_passed == (owner->passed > 0))
        return;
    bool anywhere = owner->ranked_passed != (owner->passed > 0);
    own->ranked_passed = own->passes > 0;
    owner->ranked_passed = owner->passed > 0;
    if (!anywhere)
        rerank_check(ix, v->check);
    for (uint32_t c = anywhere ? owner->checks : NONE; c != NONE; c = ix->checks[c].next)
        rerank_check(ix, c);
}

void
lore_board_rebuild(struct lore_board *ix, struct board_cell *cell)
{
    lore_board_clear_counts(cell);
    cell->ranking[CLASS_MEASURED] = cell->ranking[CLASS_STATED] = NONE;
    for (uint32_t i = cell->methods; i != NONE; i = ix->methods[i].next)
        ix->methods[i].versions = 0;
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next) {
        lore_board_clear_sums(ix, &ix->versions[i]);
        for (uint32_t t = ix->versions[i].timings; t != NONE; t = ix->timings[t].next)
            ix->timings[t].entry = NONE;
        for (uint32_t e = ix->versions[i].entries; e != NONE; e = ix->entries[e].next)
            lore_board_absorb(ix, e);
    }
    lore_board_find_best(ix, cell);
    for (uint32_t i = cell->versions; i != NONE; i = ix->versions[i].next)
        lore_board_rerank_after_check(ix, &ix->versions[i]);
}

/* Recompute the sums of cell C: now or, within a batch, at its end. */
void
lore_board_changed(struct lore_board *ix, uint32_t c)
{
    if (!ix->in_batch) {
        lore_board_rebuild(ix, &ix->cells[c]);
    } else if (!ix->cells[c].stale) {
        ix->cells[c].stale = true;
        ix->stale = lore_board_grow(ix->stale, ix->n_stale, &ix->cap_stale, sizeof *ix->stale);
        ix->stale[ix->n_stale++] = c;
    }
}

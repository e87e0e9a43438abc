/* A look at the rows of a technique that is listed, for what only they tell: which bear most, to be
 * cited; medians; shapes; the worst result. Of one that was tried more often than LORE_LOOKED_AT,
 * every so many chunks are looked at for shapes, and every so many rows of the closest place with
 * evidence, which is what the median is of. Its cells say which shelves can still change what is
 * cited: the others are not looked at for that. */
#include "collect.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "weigh.h"

struct look {
    const struct lore_scan *s;
    const struct lore_tried *t;
    struct lore_cites *out;
    uint64_t *workloads;                            /* bits per interned name */
    uint32_t stride, chunk, near_stride, near_left; /* left: until the next that is looked at */
    float cut[2]; /* what a row must bear to be cited; by whether it won */
};
/* What the cells of a shelf say of its rows that the question takes. */
struct place {
    const struct lore_shelf *shelf;
    enum lore_level level;
    struct lore_ranked best[2]; /* no row is above; [1]: of those that won */
    bool near, far, takes;      /* any of the closest place, any that won elsewhere, any at all */
    bool shaped;                /* a row's workload says more of how much it bears */
};
struct span {           /* of the rows of one operator */
    uint32_t near, far; /* the first seq of each; UINT32_MAX: none */
};

enum lore_share
lore_share_of(const struct lore_evidence_row *row)
{
    bool gained = row->effect == LORE_X_WIN || row->effect == LORE_X_NEUTRAL;

    return gained ? (enum lore_share)row->share : LORE_SHARE_OPEN;
}

static void
name_op(struct lore_names *names, uint32_t op, uint32_t seq)
{
    for (uint32_t i = 0; i < names->n && i < LORE_NAMED; i++) {
        if (names->op[i] != op)
            continue;
        names->first[i] = seq < names->first[i] ? seq : names->first[i];
        return;
    }
    if (op == LORE_NO_NAME)
        names->n = LORE_NAMED; /* an unnamed one: better none than half of them */
    if (names->n < LORE_NAMED) {
        names->op[names->n] = op;
        names->first[names->n] = seq;
    }
    if (names->n <= LORE_NAMED)
        names->n++;
}

static void
in_order(struct lore_names *names)
{
    if (names->n != LORE_NAMED || names->first[0] <= names->first[1])
        return;
    uint32_t op = names->op[0];
    names->op[0] = names->op[1];
    names->op[1] = op;
}

/* The ln speedup that is the technique's: 0 when the experiment is as fast without it, NAN when
 * nothing was measured, the result was wrong, or it was not in the code. */
static float
own_log(const struct lore_verdict *v, float log)
{
    if (v->none)
        return v->is.share == LORE_SHARE_INERT ? 0 : NAN;
    return v->wrong ? NAN : log;
}

/* Whether a row is of the closest place where the technique was tried. */
static bool
is_near(const struct look *l, enum lore_level level, const struct lore_weighed *w)
{
    if (l->t->here == 0)
        return level == lore_closest(l->t);
    return level == LORE_LEVEL_OPERATOR && (l->s->q->chip == NULL || w->travel <= LORE_T_SAME_ISA);
}

/* Rows of CELL are of the closest place. */
static void
see_age(const struct look *l, const struct lore_cell *cell)
{
    struct lore_context c = lore_context_of(l->s->ix->contexts.key[cell->context]);
    int years = lore_years_apart(l->s, c.year);

    if (years < l->out->seen.years)
        l->out->seen.years = years;
}

static struct place
look_at_cells(const struct look *l, const struct lore_shelf *shelf)
{
    const struct lore_scan *s = l->s;
    struct lore_ranked none = {.bearing = -1, .seq = UINT32_MAX};
    struct place p = {.shelf = shelf, .best = {none, none}};

    p.level = (enum lore_level)s->weights->level[shelf->op];
    p.shaped = s->shaped && p.level == LORE_LEVEL_OPERATOR;
    for (uint32_t i = 0; i < shelf->cells.n; i++) {
        const struct lore_cell *c = &shelf->cells.v[i];
        const struct lore_verdict *v = &s->weights->class[c->class];
        const struct lore_weighed *w = v->context[p.level == LORE_LEVEL_OPERATOR];
        if (w == NULL || c->n == 0 || w[c->context].weight == 0)
            continue;
        w += c->context;
        struct lore_ranked most = {.effect = c->most, .seq = UINT32_MAX};
        most.bearing = lore_bearing(s, w->weight, p.shaped ? 1 : 0, p.level);
        if (lore_tells_more(most, p.best[v->own]))
            p.best[v->own] = most;
        bool near = is_near(l, p.level, w);
        p.takes = true;
        p.near = p.near || near;
        if (near)
            see_age(l, c);
        p.far = p.far || (!near && v->own);
    }
    return p;
}

/* Whether a row as good as BEST would be cited. */
static bool
may_be_cited(const struct lore_top *top, bool won, struct lore_ranked best)
{
    size_t n = won ? top->n_won : top->n_other;
    const struct lore_ranked *list = won ? top->won : top->other;

    return best.bearing >= 0 && (n < LORE_CITED || !lore_tells_more(list[LORE_CITED - 1], best));
}

static void
keep(struct look *l, bool won, struct lore_ranked row)
{
    struct lore_top *top = &l->out->top;
    struct lore_ranked *list = won ? top->won : top->other;
    size_t *n = won ? &top->n_won : &top->n_other;

    lore_rank(list, n, LORE_CITED, row);
    l->cut[won] = *n < LORE_CITED ? 0 : list[LORE_CITED - 1].bearing;
}

static void
see_worst(struct lore_cites *out, uint32_t row, uint32_t seq, float log)
{
    if (out->worst != LORE_NO_ROW &&
        !(log < out->worst_log || (log == out->worst_log && seq < out->worst_seq)))
        return;
    out->worst = row;
    out->worst_seq = seq;
    out->worst_log = log;
}

static bool
is_new(const struct look *l, uint32_t workload)
{
    return workload != LORE_NO_NAME && (l->workloads[workload / 64] >> workload % 64 & 1) == 0;
}

static void
see_workload(struct look *l, uint32_t workload)
{
    if (!is_new(l, workload))
        return;
    l->workloads[workload / 64] |= (uint64_t)1 << workload % 64;
    l->out->workloads++;
}

/* A row of the closest place; every so many are looked at. */
static void
see_near(struct look *l, uint32_t workload, float log)
{
    if (l->near_left-- > 0)
        return;
    l->near_left = l->near_stride - 1;
    if (!isnan(log))
        l->out->logs[l->out->n_logs++] = log;
    see_workload(l, workload);
}

/* All there is to see in a chunk but the worst; ALL: the shapes of rows that are not near, too. */
static void
look_closely(struct look *l, const struct place *p, uint32_t k, bool all, struct span *span)
{
    const struct lore_scan *s = l->s;
    const struct lore_chunk *c = lore_chunk_at(s, p->shelf, k);
    uint32_t first = p->shelf->chunks[k] * LORE_CHUNK;

    for (uint32_t i = 0; i < c->n; i++) {
        struct lore_taken at = lore_take(s, c->kind[i], p->level);
        uint32_t seq = c->seq[i];
        if (at.context == NULL)
            continue;
        bool won = at.verdict->own, near = is_near(l, p->level, at.context);
        float alike = p->shaped ? lore_alike(s, c->workload[i]) : 0;
        float bearing = lore_bearing(s, at.context->weight, alike, p->level);
        if (bearing >= l->cut[won])
            keep(l, won, lore_ranked(s, first + i, bearing));
        if (near)
            see_near(l, c->workload[i], own_log(at.verdict, c->log[i]));
        else if (all)
            see_workload(l, c->workload[i]);
        if (near && seq < span->near)
            span->near = seq;
        if (!near && won && seq < span->far)
            span->far = seq;
    }
}

/* Of a chunk that can change no more than that: on how many shapes it was tried. */
static void
look_at_shapes(struct look *l, enum lore_level level, const struct lore_chunk *c)
{
    for (uint32_t i = 0; i < c->n; i++)
        if (is_new(l, c->workload[i]) && lore_take(l->s, c->kind[i], level).context != NULL)
            see_workload(l, c->workload[i]);
}

static void
look_at(struct look *l, const struct place *p)
{
    struct lore_cites *out = l->out;
    const struct lore_evidence_index *ix = l->s->ix;
    uint32_t op = lore_pair_high(ix->operators.key[p->shelf->op]);
    struct span span = {UINT32_MAX, UINT32_MAX};
    bool named = p->far && out->seen.far.n <= LORE_NAMED;
    bool closely = p->near || named || may_be_cited(&out->top, true, p->best[true]) ||
                   may_be_cited(&out->top, false, p->best[false]);

    for (uint32_t k = 0; k < p->shelf->n_chunks; k++) {
        bool all = l->chunk++ % l->stride == 0;
        if (closely)
            look_closely(l, p, k, all, &span);
        else if (all)
            look_at_shapes(l, p->level, lore_chunk_at(l->s, p->shelf, k));
    }
    if (span.near != UINT32_MAX)
        name_op(&out->seen.near, op, span.near);
    if (span.far != UINT32_MAX)
        name_op(&out->seen.far, op, span.far);
}

static void
look_for_worst(struct look *l, const struct place *p)
{
    const struct lore_scan *s = l->s;
    struct lore_cites *out = l->out;

    for (uint32_t k = 0; k < p->shelf->n_chunks; k++) {
        const struct lore_chunk *c = lore_chunk_at(s, p->shelf, k);
        for (uint32_t i = 0; i < c->n; i++) {
            if (c->log[i] > out->worst_log && out->worst_log < 0) /* none counts as less than 0 */
                continue;
            struct lore_taken at = lore_take(s, c->kind[i], p->level);
            float log = at.context != NULL ? own_log(at.verdict, c->log[i]) : NAN;
            if (log <= out->worst_log)
                see_worst(out, p->shelf->chunks[k] * LORE_CHUNK + i, c->seq[i], log);
        }
    }
}

/* ---- the shelves of a technique ---- */

static struct lore_ranked
best_of(const struct place *p)
{
    return lore_tells_more(p->best[0], p->best[1]) ? p->best[0] : p->best[1];
}

/* The closest place first, then what may bear most: it leaves most others out. */
static int
by_promise(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->near != y->near)
        return x->near ? -1 : 1;
    if (lore_tells_more(best_of(x), best_of(y)))
        return -1;
    if (lore_tells_more(best_of(y), best_of(x)))
        return 1;
    return (x->shelf > y->shelf) - (x->shelf < y->shelf);
}

static int
by_least(const void *a, const void *b)
{
    const struct place *x = a, *y = b;

    if (x->shelf->least != y->shelf->least)
        return x->shelf->least < y->shelf->least ? -1 : 1;
    return (x->shelf > y->shelf) - (x->shelf < y->shelf);
}

static void
look_everywhere(struct look *l)
{
    const struct lore_bay *bay = l->t->bay;
    struct place *places = lore_alloc_array(l->s->arena, bay->n, sizeof *places);
    size_t n = 0;

    for (uint32_t i = 0; i < bay->n; i++) {
        places[n] = look_at_cells(l, &l->s->ix->shelves[bay->shelves[i]]);
        n += places[n].takes;
    }
    qsort(places, n, sizeof *places, by_promise);
    for (size_t i = 0; i < n; i++)
        look_at(l, &places[i]);
    qsort(places, n, sizeof *places, by_least);
    for (size_t i = 0; i < n && places[i].shelf->least <= l->out->worst_log; i++)
        look_for_worst(l, &places[i]);
}

void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out)
{
    uint32_t all = 0, near = t->here > 0 ? t->here : t->level[lore_closest(t)].tried;
    struct look l = {.s = s, .t = t, .out = out};

    for (int i = 0; i < LORE_T_COUNT; i++)
        all += t->travel[i];
    *out = (struct lore_cites){.worst = LORE_NO_ROW, .worst_log = INFINITY, .seen.years = INT_MAX};
    l.stride = all / LORE_LOOKED_AT + 1;
    l.near_stride = near / LORE_LOOKED_AT + 1;
    l.workloads = lore_alloc_array(s->arena, s->n_names / 64 + 1, sizeof *l.workloads);
    out->logs = lore_alloc_array(s->arena, near / l.near_stride + 1, sizeof *out->logs);
    out->sampled = l.stride > 1;
    look_everywhere(&l);
    in_order(&out->seen.near);
    in_order(&out->seen.far);
}

/* A look at the rows of a technique that is listed, for what only they tell: which bear most, to be
 * cited; medians; shapes. Of one that was tried more often than
 * LORE_LOOKED_AT, every so many chunks are looked at, and every so many rows of the closest place
 * with evidence, which is what the median is of. The worst result is the worst of all rows. */
#include "collect.h"

#include <math.h>

struct looked { /* at a cell */
    float bearing;
    bool use, near, won, shaped; /* shaped: a row's workload says more of how much it bears */
};
struct look {
    const struct lore_scan *s;
    const struct lore_tried *t;
    struct lore_cites *out;
    uint64_t *workloads; /* bits per interned name */
    const struct looked *cell;
    float cut[2]; /* what a row must bear to be kept; by whether it won */
    size_t stride, near_stride, near_seen;
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
own_log(const struct lore_scan *s, const struct lore_placed *p, float log)
{
    const struct lore_judged *j = &s->outcome[p->outcome];

    if (j->none)
        return j->is.share == LORE_SHARE_INERT ? 0 : NAN;
    return j->wrong ? NAN : log;
}

static void
see(struct look *l, const struct lore_chunk *c, uint32_t i, bool near)
{
    const struct lore_fact *fact = &l->t->shelf->facts[c->first + i];
    const struct lore_scan *s = l->s;
    uint32_t place = l->t->shelf->cells[fact->cell].place;
    const struct lore_placed *p = &s->place[place];
    uint32_t op = lore_operator_op(s->ix, lore_place_operator(s->ix, place));
    uint32_t workload = c->workload[i];
    float log = own_log(s, p, fact->log);
    struct lore_cites *out = l->out;

    if (near)
        name_op(&out->seen.near, op, c->seq[i]);
    else if (p->won)
        name_op(&out->seen.far, op, c->seq[i]);
    if (near && !isnan(log))
        *LORE_PUSH(s->arena, out->logs, out->n_logs, out->cap_logs) = log;
    if (workload == LORE_NO_NAME)
        return;
    uint64_t *word = &l->workloads[workload / 64], bit = (uint64_t)1 << workload % 64;
    out->workloads += (*word & bit) == 0;
    *word |= bit;
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

/* Whether a row is of the closest place where the technique was tried. */
static bool
is_near(const struct look *l, const struct lore_placed *p, const struct lore_weighed *v)
{
    if (l->t->here == 0)
        return p->level == (uint8_t)lore_closest(l->t);
    return p->level == LORE_LEVEL_OPERATOR &&
           (l->s->q->chip == NULL || v->travel <= LORE_T_SAME_ISA);
}

static const struct looked *
look_at_cells(const struct look *l)
{
    const struct lore_scan *s = l->s;
    const struct lore_shelf *shelf = l->t->shelf;
    struct looked *out = lore_alloc_array(s->arena, (size_t)shelf->n_cells + 1, sizeof *out);

    for (uint32_t i = 0; i < shelf->n_cells; i++) {
        const struct lore_cell *c = &shelf->cells[i];
        const struct lore_placed *p = &s->place[c->place];
        const struct lore_weighed *v = &s->context[p->said][c->context];
        out[i] = (struct looked){.bearing = v->weight * s->level_w[p->level],
            .use = !p->skip && v->weight >= 0,
            .near = is_near(l, p, v),
            .won = p->won,
            .shaped = s->shaped && p->level == LORE_LEVEL_OPERATOR};
    }
    return out;
}

static void
keep(struct look *l, const struct lore_chunk *c, uint32_t row, bool won, float bearing)
{
    struct lore_top *top = &l->out->top;
    struct lore_ranked *list = won ? top->won : top->other;
    size_t *n = won ? &top->n_won : &top->n_other;
    float log = l->t->shelf->facts[c->first + row % LORE_CHUNK].log;

    lore_rank(list, n, LORE_CITED,
        (struct lore_ranked){row, c->seq[row % LORE_CHUNK], bearing, isnan(log) ? 0 : fabsf(log)});
    l->cut[won] = *n < LORE_CITED ? 0 : list[LORE_CITED - 1].bearing;
}

static void
look_at(struct look *l, uint32_t number, bool all)
{
    const struct lore_scan *s = l->s;
    const struct lore_chunk *c = s->ix->chunks[number];

    for (uint32_t i = 0; i < c->n; i++) {
        const struct lore_fact *fact = &l->t->shelf->facts[c->first + i];
        const struct looked *cell = &l->cell[fact->cell];
        uint32_t row = number * LORE_CHUNK + i;
        if (!cell->use)
            continue;
        float bearing = cell->shaped ? lore_scan_row(s, row).bearing : cell->bearing;
        if (bearing >= l->cut[cell->won])
            keep(l, c, row, cell->won, bearing);
        if (cell->near ? l->near_seen++ % l->near_stride == 0 : all)
            see(l, c, i, cell->near);
        const struct lore_placed *p = &s->place[l->t->shelf->cells[fact->cell].place];
        if (fact->log > l->out->worst_log && !s->outcome[p->outcome].none)
            continue;
        float log = own_log(s, p, fact->log);
        if (!isnan(log))
            see_worst(l->out, row, c->seq[i], log);
    }
}

void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out)
{
    size_t all = 0, near = t->here > 0 ? t->here : t->level[lore_closest(t)].tried;
    struct look l = {.s = s, .t = t, .out = out};

    for (int i = 0; i < LORE_T_COUNT; i++)
        all += t->travel[i];
    *out = (struct lore_cites){.worst = LORE_NO_ROW, .worst_log = INFINITY};
    l.stride = all / LORE_LOOKED_AT + 1;
    l.near_stride = near / LORE_LOOKED_AT + 1;
    l.workloads =
        lore_alloc_array(s->arena, lore_evidence_names(s->ix) / 64 + 1, sizeof *l.workloads);
    out->sampled = l.stride > 1;
    l.cell = look_at_cells(&l);
    for (uint32_t k = 0; k < t->shelf->n_chunks; k++)
        look_at(&l, t->shelf->chunks[k], k % l.stride == 0);
    in_order(&out->seen.near);
    in_order(&out->seen.far);
}

/* A look at the rows of a technique that is listed, for what only they tell: which bear most, to be
 * cited; medians; shapes; the worst result. Of one that was tried more often than LOOKED_AT, every
 * so many chunks are looked at for shapes, and every so many rows of the closest place with
 * evidence, which is what the median is of. Its cells say which groups can still change what is
 * cited: the others are not looked at for that. */
#include "service/recommend/collect.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

#include "service/recommend/evidence_workloads.h"
#include "service/recommend/middle.h"
#include "service/recommend/scan_cells.h"

enum { LOOKED_AT = 16384 }; /* rows of one technique: with more, a part of them is */

struct look {
    const struct lore_scan *s;
    const struct lore_tried *t;
    struct lore_cites *out;
    uint64_t *workloads;                            /* bits per interned name */
    uint32_t stride, chunk, near_stride, near_left; /* left: until the next that is looked at */
    /* What a row must bear to be cited, and at that, what it must have gained; by whether it won.
     */
    struct lore_ranked cut[2];
    float *logs; /* of the closest place with evidence */
    size_t n_logs;
};
/* What the cells of a group say of its rows that the question takes. */
struct place {
    const struct lore_row_group *group;
    enum lore_tally_level level;
    struct lore_ranked best[2]; /* no row is above; [1]: of those that won */
    bool near, far, takes;      /* any of the closest place, any that won elsewhere, any at all */
    uint8_t near_travels;       /* what came less far than this is of the closest place */
    bool shaped;                /* a row's workload says more of how much it bears */
    bool kept;                  /* the index knows on how many workloads it was tried */
    bool rough;                 /* best is what the operator's rows are not above */
};
/* Rows of a chunk by what they are looked at for. */
struct sifted {
    uint8_t near[LORE_CHUNK], other[LORE_CHUNK], cited[LORE_CHUNK];
    uint32_t n_near, n_other, n_cited;
};

enum lore_share
lore_share_of(const struct lore_evidence_row *row)
{
    return row->effect == LORE_X_WIN ? (enum lore_share)row->share : LORE_SHARE_OPEN;
}

static void
name_op(struct lore_words_names *names, uint32_t op)
{
    for (uint32_t i = 0; i < names->n && i < LORE_NAMED; i++)
        if (names->op[i] == op)
            return;
    if (op == LORE_NO_NAME)
        names->n = LORE_NAMED; /* an unnamed one: better none than half of them */
    if (names->n < LORE_NAMED)
        names->op[names->n] = op;
    if (names->n <= LORE_NAMED)
        names->n++;
}

/* The ln speedup that is the technique's: 0 when the experiment is as fast without it, NAN when
 * nothing was measured, the result was wrong, or it was not in the code. */
static float
own_log(const struct lore_verdict *v, float log)
{
    if (v->inert)
        return 0;
    return v->has_x ? log : NAN;
}

/* How far a row at LEVEL must at least have come not to be of the closest place where the technique
 * was tried. */
static uint8_t
near_travels(const struct look *l, enum lore_tally_level level)
{
    if (l->t->here == 0)
        return level == lore_words_closest(l->t) ? LORE_T_COUNT : 0;
    if (level != LORE_LEVEL_OPERATOR)
        return 0;
    return !l->s->q->chip ? LORE_T_COUNT : LORE_T_SAME_ISA + 1;
}

/* A cell, or a row alone, of that context: none of its rows gained more than MOST. */
static void
see_cell(const struct look *l, struct place *p, uint32_t context, const float most[2])
{
    const struct lore_scan *s = l->s;
    const struct lore_weighed *w = &s->weights->context[p->level == LORE_LEVEL_OPERATOR][context];
    bool near = w->travel < p->near_travels;

    if (w->weight == 0)
        return;
    float bearing = lore_bearing(s, w->weight, p->shaped ? 1 : 0, p->level);
    for (int own = 0; own < 2; own++) {
        struct lore_ranked row = {0, UINT32_MAX, bearing, most[own]};
        if (most[own] >= 0 && lore_tells_more(row, p->best[own]))
            p->best[own] = row;
    }
    p->takes = true;
    p->near = p->near || near;
    p->far = p->far || (!near && most[1] >= 0);
    if (near && w->years < l->out->seen.years)
        l->out->seen.years = w->years;
}

/* On the operator what is near differs from cell to cell, and a shape may make a row bear more; of
 * what is near its age is told. */
static void
look_at_cells(const struct look *l, struct place *p)
{
    const struct lore_cells *cells = &p->group->cells;

    for (uint32_t i = 0; i < cells->n; i++)
        if (cells->v[i].n > 0)
            see_cell(l, p, cells->v[i].context, cells->v[i].most);
    for (uint32_t i = 0; i < cells->n_singletons; i++) {
        const struct lore_singleton *c = &cells->singletons[i];
        float most[2] = {-1, -1};
        if (c->outcome == LORE_NO_OUTCOME)
            continue;
        most[l->s->weights->outcome[c->outcome].own] = isnan(c->log) ? 0 : fabsf(c->log);
        see_cell(l, p, c->context, most);
    }
}

static struct place
place_of(const struct look *l, uint32_t id)
{
    const struct lore_scan *s = l->s;
    struct lore_ranked none = {.bearing = -1, .seq = UINT32_MAX};
    struct place p = {.group = &s->ix->groups[id], .best = {none, none}};

    p.level = (enum lore_tally_level)s->weights->level[p.group->op];
    p.shaped = s->shaped && p.level == LORE_LEVEL_OPERATOR;
    p.near_travels = near_travels(l, p.level);
    p.kept =
        s->weights->totals && lore_workloads_totals(s->ix, p.group, p.level == LORE_LEVEL_OPERATOR);
    if (p.level == LORE_LEVEL_OPERATOR || p.near_travels > 0) {
        look_at_cells(l, &p);
        return p;
    }
    float bearing = s->most[p.group->op] * s->level_w[p.level];
    p.takes = p.far = p.rough = bearing > 0;
    p.best[0] = p.best[1] = (struct lore_ranked){0, UINT32_MAX, bearing, INFINITY};
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
    if (*n == LORE_CITED)
        l->cut[won] = list[LORE_CITED - 1];
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

static const struct lore_verdict *
verdict_of(const struct lore_scan *s, uint32_t kind)
{
    return &s->weights->outcome[lore_pair_low(s->ix->kinds.key[kind])];
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

/* Of the rows of the closest place every so many are looked at. */
static void
see_near(struct look *l, const struct place *p, const struct lore_chunk *c, const struct sifted *in)
{
    uint32_t j = l->near_left;

    for (; j < in->n_near; j += l->near_stride) {
        uint32_t i = in->near[j];
        float log = own_log(verdict_of(l->s, c->kind[i]), c->log[i]);
        l->logs[l->n_logs] = log;
        l->n_logs += !isnan(log);
        if (!p->kept)
            see_workload(l, c->workload[i]);
    }
    l->near_left = j - in->n_near;
}

/* What is at least as good as what is cited last, of rows near and elsewhere; without a branch that
 * would be guessed wrong. */
static void
sift(const struct look *l, const struct place *p, const struct lore_chunk *c, struct sifted *out)
{
    const struct lore_scan *s = l->s;
    const struct lore_weighed *by = s->weights->context[p->level == LORE_LEVEL_OPERATOR];
    struct lore_ranked cut[2] = {l->cut[0], l->cut[1]};
    float level_w = s->level_w[p->level];

    out->n_near = out->n_other = out->n_cited = 0;
    for (uint32_t i = 0; i < c->n; i++) {
        uint64_t pair = s->ix->kinds.key[c->kind[i]];
        const struct lore_weighed *w = &by[lore_pair_high(pair)];
        bool own = s->weights->outcome[lore_pair_low(pair)].own, taken = w->weight > 0;
        bool near = taken & (w->travel < p->near_travels);
        float alike = p->shaped ? lore_alike(s, c->workload[i]) : 0;
        float bearing = lore_bearing_by(w->weight, alike, level_w);
        bool as_good = !(fabsf(c->log[i]) < cut[own].effect); /* NAN is */
        out->near[out->n_near] = (uint8_t)i;
        out->n_near += near;
        out->other[out->n_other] = (uint8_t)i;
        out->n_other += taken & !near;
        out->cited[out->n_cited] = (uint8_t)i;
        out->n_cited +=
            taken & ((bearing > cut[own].bearing) | ((bearing == cut[own].bearing) & as_good));
    }
}

/* All there is to see in a chunk but the worst; ALL: the shapes of rows that are not near, too. */
static void
look_closely(struct look *l, const struct place *p, uint32_t k, bool all)
{
    const struct lore_chunk *c = lore_chunk_at(l->s, p->group, k,
        p->kept && !p->shaped ? LORE_KINDS | LORE_LOGS : LORE_WORKLOADS | LORE_KINDS | LORE_LOGS);
    uint32_t first = p->group->parts[k].chunk * LORE_CHUNK;
    struct sifted in;

    sift(l, p, c, &in);
    for (uint32_t j = 0; j < in.n_cited; j++) {
        uint32_t i = in.cited[j];
        struct lore_taken at = lore_take(l->s, c->kind[i], p->level);
        float alike = p->shaped ? lore_alike(l->s, c->workload[i]) : 0;
        float bearing = lore_bearing(l->s, at.context->weight, alike, p->level);
        keep(l, at.verdict->own, lore_ranked(l->s, first + i, bearing));
    }
    see_near(l, p, c, &in);
    for (uint32_t j = 0; j < in.n_other && all; j++)
        see_workload(l, c->workload[in.other[j]]);
}

/* Of a chunk that can change no more than that: on how many shapes it was tried. Which rows are of
 * a new one nobody can guess. */
static void
look_at_shapes(struct look *l, enum lore_tally_level level, const struct lore_chunk *c)
{
    const struct lore_weighed *by = l->s->weights->context[level == LORE_LEVEL_OPERATOR];
    const uint64_t *key = l->s->ix->kinds.key;
    uint32_t none = l->s->n_names;

    for (uint32_t i = 0; i < c->n; i++) {
        uint32_t workload = c->workload[i] < none ? c->workload[i] : none;
        uint64_t *bits = &l->workloads[workload / 64], bit = (uint64_t)1 << workload % 64;
        bool taken = (by[lore_pair_high(key[c->kind[i]])].weight > 0) & (workload < none);
        l->out->workloads += taken & ((*bits & bit) == 0);
        *bits |= taken ? bit : 0;
    }
}

/* Whether a row of a chunk won elsewhere than in the closest place. */
static bool
won_far(const struct look *l, const struct place *p, const struct lore_chunk *c, uint32_t i)
{
    struct lore_taken at = lore_take(l->s, c->kind[i], p->level);

    return at.context && at.verdict->own && at.context->travel >= p->near_travels;
}

static bool
has_won_far(const struct look *l, const struct place *p)
{
    for (uint32_t k = 0; k < p->group->n_parts; k++) {
        const struct lore_chunk *c = l->s->ix->chunks[p->group->parts[k].chunk];
        for (uint32_t i = 0; i < c->n; i++)
            if (won_far(l, p, c, i))
                return true;
    }
    return false;
}

/* Whether a row of the K-th chunk may be cited. */
static bool
may_be_cited_of(const struct look *l, const struct place *p, uint32_t k)
{
    bool may = false;

    for (int own = 0; own < 2; own++) {
        struct lore_ranked best = p->best[own];
        best.effect = fminf(best.effect, p->group->parts[k].most[own]);
        may = may || (best.effect >= 0 && may_be_cited(&l->out->top, own, best));
    }
    return may;
}

/* What may be cited of a group by its operator, by its own cells. */
static void
find_best(const struct look *l, struct place *p)
{
    struct lore_ranked none = {.bearing = -1, .seq = UINT32_MAX};

    if (!p->rough || !(may_be_cited(&l->out->top, false, p->best[0]) ||
                         may_be_cited(&l->out->top, true, p->best[1])))
        return;
    struct lore_reach reach = lore_reach_of(l->s, &p->group->cells, p->level);
    for (int own = 0; own < 2; own++)
        p->best[own] = reach.bearing[own] > 0 ? (struct lore_ranked){0, UINT32_MAX,
                                                    reach.bearing[own], reach.effect[own]}
                                              : none;
    p->far = reach.bearing[1] > 0;
    p->rough = false;
}

/* Which chunks are looked at, and for what. */
static void
look_at_chunks(struct look *l, const struct place *p)
{
    const struct lore_on_operator *on = &l->s->ix->on[p->group->op];
    size_t seen = l->out->workloads, most = on->shared ? SIZE_MAX : on->workloads;

    l->out->workloads += p->kept ? p->group->tried.n : 0;
    if (p->kept && !p->near && !may_be_cited(&l->out->top, false, p->best[0]) &&
        !may_be_cited(&l->out->top, true, p->best[1])) {
        l->chunk += p->group->n_parts;
        return;
    }
    for (uint32_t k = 0; k < p->group->n_parts; k++) {
        bool all = l->chunk++ % l->stride == 0 && !p->kept;
        if (p->near || may_be_cited_of(l, p, k))
            look_closely(l, p, k, all);
        else if (all && l->out->workloads - seen < most)
            look_at_shapes(
                l, p->level, lore_chunk_at(l->s, p->group, k, LORE_WORKLOADS | LORE_KINDS));
    }
}

static void
look_at(struct look *l, struct place *p)
{
    struct lore_cites *out = l->out;
    uint32_t op = lore_pair_high(l->s->ix->operators.key[p->group->op]);

    find_best(l, p);
    look_at_chunks(l, p);
    if (p->near)
        name_op(&out->seen.near, op);
    if (p->far && out->seen.far.n <= LORE_NAMED && has_won_far(l, p))
        name_op(&out->seen.far, op);
}

static void
look_for_worst(struct look *l, const struct place *p)
{
    const struct lore_scan *s = l->s;
    struct lore_cites *out = l->out;

    for (uint32_t k = 0; k < p->group->n_parts; k++) {
        if (!(p->group->parts[k].least <= out->worst_log))
            continue;
        const struct lore_chunk *c = s->ix->chunks[p->group->parts[k].chunk];
        for (uint32_t i = 0; i < c->n; i++) {
            if (c->log[i] > out->worst_log && out->worst_log < 0) /* none counts as less than 0 */
                continue;
            struct lore_taken at = lore_take(s, c->kind[i], p->level);
            float log = at.context != NULL ? own_log(at.verdict, c->log[i]) : NAN;
            if (log <= out->worst_log)
                see_worst(out, p->group->parts[k].chunk * LORE_CHUNK + i, c->seq[i], log);
        }
    }
}

/* ---- the groups of a technique ---- */

static struct lore_ranked
best_of(const struct place *p)
{
    return lore_tells_more(p->best[0], p->best[1]) ? p->best[0] : p->best[1];
}

/* The closest place first, then what may bear most: it leaves most others out. */
static int
by_promise(const void *a, const void *b)
{
    const struct place *x = *(struct place *const *)a, *y = *(struct place *const *)b;

    if (x->near != y->near)
        return x->near ? -1 : 1;
    if (lore_tells_more(best_of(x), best_of(y)))
        return -1;
    if (lore_tells_more(best_of(y), best_of(x)))
        return 1;
    return (x->group > y->group) - (x->group < y->group);
}

/* The worst result, where it may be first: what it is leaves most others out. */
static void
find_worst(struct look *l, struct place **places, size_t n)
{
    while (n > 0) {
        size_t least = 0;
        for (size_t i = 1; i < n; i++)
            if (places[i]->group->least < places[least]->group->least)
                least = i;
        if (!(places[least]->group->least <= l->out->worst_log))
            return;
        look_for_worst(l, places[least]);
        places[least] = places[--n];
    }
}

/* The first row on OP that is near, or that won far from there. */
static uint32_t
first_on(const struct look *l, struct place *const *places, size_t n, uint32_t op, bool far)
{
    const struct lore_evidence_index *ix = l->s->ix;
    uint32_t first = UINT32_MAX;

    for (size_t at = 0; at < n; at++) {
        const struct place *p = places[at];
        if (lore_pair_high(ix->operators.key[p->group->op]) != op || !(far ? p->far : p->near))
            continue;
        for (uint32_t k = 0; k < p->group->n_parts; k++) {
            const struct lore_chunk *c = ix->chunks[p->group->parts[k].chunk];
            for (uint32_t i = 0; i < c->n; i++) {
                const struct lore_weighed *w = lore_take(l->s, c->kind[i], p->level).context;
                bool near = w && w->travel < p->near_travels;
                if (c->seq[i] < first && (far ? won_far(l, p, c, i) : near))
                    first = c->seq[i];
            }
        }
    }
    return first;
}

/* Two operators are named in the order of their first rows. */
static void
in_order(const struct look *l, struct place *const *places, size_t n,
    struct lore_words_names *names, bool far)
{
    if (names->n != LORE_NAMED ||
        first_on(l, places, n, names->op[0], far) <= first_on(l, places, n, names->op[1], far))
        return;
    uint32_t op = names->op[0];
    names->op[0] = names->op[1];
    names->op[1] = op;
}

static void
look_everywhere(struct look *l)
{
    const struct lore_technique_groups *tech = l->t->tech;
    struct place *all = lore_alloc_array(l->s->arena, tech->n, sizeof *all);
    struct place **places = lore_alloc_array(l->s->arena, tech->n, sizeof *places);
    size_t n = 0;

    for (uint32_t i = 0; i < tech->n; i++) {
        all[n] = place_of(l, tech->groups[i]);
        places[n] = &all[n];
        n += all[n].takes;
    }
    qsort(places, n, sizeof(struct place *), by_promise);
    for (size_t i = 0; i < n; i++) {
        if (i + 1 < n && places[i + 1]->near)
            lore_chunk_call(l->s, places[i + 1]->group, 0, LORE_KINDS | LORE_LOGS);
        look_at(l, places[i]);
    }
    in_order(l, places, n, &l->out->seen.near, false);
    in_order(l, places, n, &l->out->seen.far, true);
    find_worst(l, places, n);
}

void
lore_collect_cites(const struct lore_scan *s, const struct lore_tried *t, struct lore_cites *out)
{
    uint32_t all = 0, near = t->here > 0 ? t->here : t->level[lore_words_closest(t)].tried;
    struct look l = {.s = s, .t = t, .out = out};

    for (int i = 0; i < LORE_T_COUNT; i++)
        all += t->travel[i];
    *out = (struct lore_cites){.worst = LORE_NO_ROW, .worst_log = INFINITY, .seen.years = INT_MAX};
    l.stride = all / LOOKED_AT + 1;
    l.near_stride = near / LOOKED_AT + 1;
    l.logs = lore_alloc_array(s->arena, (size_t)near / l.near_stride + 1, sizeof *l.logs);
    l.workloads = lore_alloc_array(s->arena, s->n_names / 64 + 1, sizeof *l.workloads);
    out->sampled = l.stride > 1;
    look_everywhere(&l);
    out->seen.measured = l.n_logs;
    out->seen.median = l.n_logs > 0 ? exp(lore_middle(l.logs, l.n_logs)) : 0;
}

/* "Start from this version": what other places and own results say of an operator's configurations
 * on a place (moves_field.c), and which of them to measure next. There are two fields: one that
 * takes the other places for its mean, and one that knows none of them, for the place may be unlike
 * all; own results tell which of the two explains them better. A configuration is worth what it is
 * expected to add, in both, to the best that is in hand. When several are asked for, each is chosen
 * as if those before it had come out as expected. */
#include "service/moves/moves_start.h"

#include <math.h>
#include <stdlib.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_field.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_states.h"
#include "service/moves/moves_tables.h"

/* Values tried around the best; candidates: the worlds' fastest, about so many of any, and fewer
 * than which all are taken. */
enum { AROUND = 64, FASTEST = 512, MOST = 256, FEW = 256 };
/* Fields; results that they are told; proposals that later ones reckon with. */
enum { VIEWS = 2, TOLD = 32, AHEAD = 32 };
struct start {
    const struct lore_moves *m;
    const struct moves_cell *own;
    struct moves_view view;
    const struct lore_moves_wanted *among; /* NULL: any */
    struct lore_arena *arena;
    uint32_t *candidate; /* ids */
    size_t cap;
    struct slot {               /* open addressing */
        uint32_t at, candidate; /* place among the operator's states; number + 1, 0: free */
    } * slot;
    size_t n_slots;            /* a power of two, at least twice as many as candidates */
    struct moves_point *point; /* per candidate */
    size_t n;
    struct moves_field field[VIEWS];
    double weight[VIEWS];      /* of the fields, by what explains own results */
    bool *out;                 /* per candidate: it is not, or no longer, to choose */
    struct moves_guess *guess; /* per candidate and field */
    double **whitened;         /* per candidate: covariances, of its fields */
};

/* Where the candidate at AT is in the table, or the free slot where it belongs. */
static struct slot *
slot_of(const struct start *s, uint32_t at)
{
    uint32_t i = lore_moves_slot(at, (uint32_t)s->n_slots);

    while (s->slot[i].candidate != 0 && s->slot[i].at != at)
        i = (i + 1) & (uint32_t)(s->n_slots - 1);
    return &s->slot[i];
}

static void
grow_slots(struct start *s)
{
    const struct slot *was = s->slot;
    size_t n = s->n_slots;

    if (2 * (s->n + 1) <= n)
        return;
    s->n_slots = n > 0 ? 2 * n : 4096; /* for as many as there usually are */
    s->slot = lore_alloc_array(s->arena, s->n_slots, sizeof *s->slot);
    for (size_t i = 0; i < n; i++)
        if (was[i].candidate != 0)
            *slot_of(s, was[i].at) = was[i];
}

/* A candidate once, when it may be one. */
static void
offer(struct start *s, uint32_t at)
{
    grow_slots(s);
    struct slot *slot = slot_of(s, at);
    uint32_t id = s->view.op->states[at];
    if (slot->candidate != 0 || (s->among && !s->among->has(s->among->ctx, id)))
        return;
    *LORE_PUSH(s->arena, s->candidate, s->n, s->cap) = id;
    *slot = (struct slot){at, (uint32_t)s->n};
}

static void
offer_like(struct start *s, uint32_t at)
{
    uint32_t id = s->view.op->states[at];

    offer(s, at);
    for (size_t k = 0; k < lore_moves_likes(s->m, id); k++) {
        uint32_t other = lore_moves_like(s->m, id, k);
        if (other != LORE_MOVES_NONE)
            offer(s, s->m->state[other].at);
    }
}

/* What differs from ID in one parameter. */
static void
offer_around(struct start *s, uint32_t id)
{
    const struct moves_op *op = &s->m->op[s->m->state[id].op];

    for (size_t p = 0; p < op->n_params; p++) {
        for (uint32_t v = 1; v < op->param[p].n_values && v <= AROUND; v++) {
            uint32_t other = lore_moves_state_with(s->m, id, p, v);
            if (other != LORE_MOVES_NONE)
                offer(s, s->m->state[other].at);
        }
    }
}

/* Candidates: the fastest of every world, what is around the best of one's own, and some of all. */
static void
candidates(struct start *s, const struct moves_op *op)
{
    size_t n_worlds = s->view.n_worlds, every = op->n_states / MOST + 1;

    for (size_t w = 0; w < n_worlds; w++) {
        const struct moves_cell *c = s->view.world[w].cell;
        for (size_t i = 0; i < c->n_top && i < FASTEST / n_worlds; i++)
            offer_like(s, c->top[i]);
    }
    for (size_t i = 0; s->own != NULL && i < s->own->n_top && i < 2; i++)
        offer_around(s, op->states[s->own->top[i]]);
    for (size_t i = 0; i < op->n_states; i += every)
        offer(s, (uint32_t)i);
    for (size_t i = 0; i < op->n_states && s->n < FEW; i++) /* few are to be had at all */
        offer(s, (uint32_t)i);
}

/* Points of what no world knows are taken for the worst that any of them knows. */
static void
fill_blend(struct moves_point *point, size_t n)
{
    float least = 0;

    for (size_t k = 0; k < n; k++)
        least = isnan(point[k].blend) ? least : fminf(least, point[k].blend);
    for (size_t k = 0; k < n; k++)
        point[k].blend = isnan(point[k].blend) ? least : point[k].blend;
}

/* What world W says of every candidate. One that knows little is asked for all it knows: a
 * library's operator has many such. */
static void
hear(struct start *s, size_t w)
{
    const struct moves_cell *c = s->view.world[w].cell;
    bool all = s->view.op->stands == 0 && c->cap_times < s->n;

    for (size_t i = 0; all && i < c->cap_times; i++) {
        const struct moves_time *t = &c->time[i];
        uint32_t k = t->state != 0 ? slot_of(s, t->state - 1)->candidate : 0;
        if (k != 0)
            lore_moves_point_says(
                &s->point[k - 1], w, t->time > 0 ? logf(c->best / t->time) : -INFINITY);
    }
    for (size_t k = 0; !all && k < s->n; k++) {
        double ln = lore_moves_fraction(s->m, c, s->candidate[k]);
        if (!isnan(ln))
            lore_moves_point_says(&s->point[k], w, (float)ln);
    }
}

/* Configurations that have the same parameters come from one search, of one kernel's text: where
 * that does not build here, none of them runs. */
enum { KINDS = 16 };
struct kinds {
    struct {
        uint32_t params; /* bits */
        double n, failed;
    } v[KINDS];
    size_t n;
};

static uint32_t
params_of(const struct moves_op *op, uint32_t at)
{
    uint32_t bits = 0;

    for (size_t p = 0; p < op->n_params; p++)
        bits |= (uint32_t)(lore_moves_value(op, p, at) != 0) << p;
    return bits;
}

static size_t
kind_at(const struct kinds *kinds, uint32_t params)
{
    size_t i = 0;

    while (i < kinds->n && kinds->v[i].params != params)
        i++;
    return i;
}

/* How own results of each kind went. */
static void
count_kinds(const struct start *s, struct kinds *out)
{
    *out = (struct kinds){.n = 0};
    for (size_t i = 0; s->own != NULL && i < s->own->cap_times; i++) {
        const struct moves_time *t = &s->own->time[i];
        if (t->state == 0)
            continue;
        uint32_t params = params_of(s->view.op, t->state - 1);
        size_t k = kind_at(out, params);
        if (k == KINDS)
            continue;
        out->n += k == out->n;
        out->v[k].params = params;
        out->v[k].n++;
        out->v[k].failed += t->time < 0;
    }
}

/* It builds or it does not: Jeffreys' prior. */
#define KIND_PRIOR 0.5

/* Candidates seen from here; those that no world tried, that were measured here or that failed on a
 * chip of the vendor's are none. */
static void
look(struct start *s)
{
    struct kinds kinds;

    count_kinds(s, &kinds);
    s->point = lore_moves_points(&s->view, s->candidate, s->n, s->arena);
    s->out = lore_alloc_array(s->arena, s->n + 1, sizeof *s->out);
    for (size_t w = 0; w < s->view.n_worlds; w++)
        hear(s, w);
    for (size_t k = 0; k < s->n; k++) {
        struct moves_point *p = &s->point[k];
        lore_moves_point_end(&s->view, p);
        s->out[k] = (isnan(p->blend) && !(p->fail > 0)) || p->barred ||
                    (s->own && lore_moves_time_at(s->own, p->at) != 0);
        if (s->out[k])
            continue;
        lore_moves_point_stands(&s->view, p);
        size_t kind = kinds.n > 0 ? kind_at(&kinds, params_of(s->view.op, p->at)) : 0;
        if (kind < kinds.n)
            p->fail =
                (float)(1 - (1 - (double)p->fail) * (1 - (kinds.v[kind].failed + KIND_PRIOR) /
                                                             (kinds.v[kind].n + 2 * KIND_PRIOR)));
    }
    fill_blend(s->point, s->n);
}

struct own { /* a result of the place's */
    struct moves_point p;
    double y; /* ln 1/time */
};

/* Own results that ran, at most TOLD of them and spread over all, with the best one. */
static size_t
own_results(const struct start *s, struct own *out)
{
    size_t ran = 0, k = 0, n = 0;

    for (size_t i = 0; s->own != NULL && i < s->own->cap_times; i++)
        ran += s->own->time[i].time > 0;
    for (size_t i = 0; s->own != NULL && i < s->own->cap_times && n < TOLD; i++) {
        const struct moves_time *t = &s->own->time[i];
        if (!(t->time > 0) || (k++ % (ran / TOLD + 1) != 0 && t->time > s->own->best))
            continue;
        lore_moves_point(&s->view, s->view.op->states[t->state - 1], s->arena, &out[n].p);
        out[n++].y = -log((double)t->time);
    }
    return n;
}

/* The best first: what is asked about few of them learns most from those. */
static int
by_result(const void *a, const void *b)
{
    const struct own *x = a, *y = b;

    if (x->y != y->y)
        return x->y > y->y ? -1 : 1;
    return x->p.at < y->p.at ? -1 : x->p.at > y->p.at;
}

static void
tell(struct start *s)
{
    const struct moves_numbers *num = &s->m->num;
    struct own *own = lore_alloc_array(s->arena, TOLD, sizeof *own);
    struct moves_point *point = lore_alloc_array(s->arena, TOLD, sizeof *point);
    const struct moves_point *at[TOLD];
    double y[TOLD], sum = 0;
    size_t n = own_results(s, own);

    qsort(own, n, sizeof *own, by_result);
    for (size_t i = 0; i < n; i++) {
        point[i] = own[i].p;
        at[i] = &point[i];
        y[i] = own[i].y;
    }
    fill_blend(point, n);
    lore_moves_field(&s->view, num->start, n + AHEAD, s->arena, &s->field[0]);
    lore_moves_field(&s->view, num->blank, n + AHEAD, s->arena, &s->field[1]);
    for (size_t i = 0; i < VIEWS; i++)
        lore_moves_field_told(&s->field[i], at, y, n, s->arena);
    double much = fmax(s->field[0].log_evidence, s->field[1].log_evidence);
    for (size_t i = 0; i < VIEWS; i++) {
        s->weight[i] = (i == 0 ? num->start_alike : 1 - num->start_alike) *
                       exp(s->field[i].log_evidence - much);
        sum += s->weight[i];
    }
    for (size_t i = 0; i < VIEWS; i++)
        s->weight[i] /= sum;
    s->guess = lore_alloc_array(s->arena, s->n * VIEWS + 1, sizeof *s->guess);
    s->whitened = lore_alloc_array(s->arena, s->n + 1, sizeof *s->whitened);
    for (size_t k = 0; k < s->n; k++) {
        if (s->out[k])
            continue;
        s->whitened[k] = lore_alloc_array(s->arena, (n + AHEAD) * VIEWS, sizeof **s->whitened);
        for (size_t i = 0; i < VIEWS; i++)
            lore_moves_field_begin(&s->field[i], &s->point[k], &s->guess[k * VIEWS + i]);
    }
}

static const struct moves_guess *
guess_of(const struct start *s, size_t k, size_t field)
{
    return &s->guess[k * VIEWS + field];
}

/* Candidate K hears of the points of the fields that it has not heard of. */
static void
hear_points(struct start *s, size_t k)
{
    struct moves_common common[TOLD + AHEAD];
    size_t seen = guess_of(s, k, 0)->seen, n = s->field[0].n, cap = s->field[0].cap;

    for (size_t i = seen; i < n; i++)
        common[i - seen] = lore_moves_common(&s->view, &s->point[k], s->field[0].at[i]);
    for (size_t f = 0; f < VIEWS; f++)
        lore_moves_field_ask(&s->field[f], &s->point[k], common, n - seen, s->whitened[k] + f * cap,
            &s->guess[k * VIEWS + f]);
}

/* What is said of ln fraction of the optimum. */
struct said {
    double mean, variance;
};

/* The optimum is no slower than the best result. */
static struct said
bound(const struct moves_field *f, const struct moves_guess *g)
{
    if (f->n == 0 || f->level >= f->best)
        return (struct said){g->mean, lore_moves_variance(f, g)};
    return (struct said){g->mean - (f->best - f->level), lore_moves_gain_variance(f, g)};
}

/* Expected fraction of the optimum, which is at most 1. */
static double
fraction(struct said g)
{
    double sd = sqrt(g.variance), d = -g.mean / sd;

    return 1 - lore_moves_normal(d) + exp(g.mean + g.variance / 2) * lore_moves_normal(d - sd);
}

/* Expected ln speedup over what is in hand, and where that is nothing the fraction itself. */
static double
worth(const struct start *s, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < VIEWS; i++) {
        const struct moves_field *f = &s->field[i];
        double mean = guess_of(s, k, i)->mean;
        if (f->n == 0) {
            sum += s->weight[i] * exp(fmin(0, mean));
            continue;
        }
        double sd = sqrt(lore_moves_gain_variance(f, guess_of(s, k, i)));
        double z = (f->level + mean - f->best) / sd;
        sum += s->weight[i] * sd * (z * lore_moves_normal(z) + lore_moves_density(z));
    }
    return sum * (1 - 0.999 * (double)s->point[k].fail);
}

/* The probability that ln fraction is below X. */
static double
below(const struct start *s, const struct said *said, double x, double *slope)
{
    double sum = 0;

    *slope = 0;
    for (size_t f = 0; f < VIEWS; f++) {
        double sd = sqrt(said[f].variance), z = (x - said[f].mean) / sd;
        sum += s->weight[f] * lore_moves_normal(z);
        *slope += s->weight[f] * lore_moves_density(z) / sd;
    }
    return sum;
}

/* Where it reaches P. Nothing is faster than the optimum. Newton's steps, between what is known to
 * be too low and too high. */
static double
quantile(const struct start *s, const struct said *said, double p)
{
    double low = -20, high = 0, slope, x = said[0].mean, step = 1;

    if (below(s, said, 0, &slope) <= p)
        return 0;
    for (int i = 0; i < 60 && fabs(step) > 1e-12; i++) {
        double was = x = x > low && x < high ? x : (low + high) / 2;
        double over = below(s, said, x, &slope) - p;
        *(over < 0 ? &low : &high) = x;
        x -= over / slope;
        step = x - was;
    }
    return fmin(fmax(x, low), high);
}

static void
describe(const struct start *s, size_t k, struct lore_moves_start *out)
{
    struct said said[VIEWS];

    *out = (struct lore_moves_start){.state = s->candidate[k], .p_fail = (double)s->point[k].fail};
    for (size_t i = 0; i < VIEWS; i++) {
        said[i] = bound(&s->field[i], guess_of(s, k, i));
        out->fraction += s->weight[i] * fraction(said[i]);
    }
    out->low = exp(quantile(s, said, 0.05));
    out->high = exp(quantile(s, said, 0.95));
    out->fraction = fmin(fmax(out->fraction, out->low), out->high);
}

static size_t
choose(struct start *s, size_t limit, struct lore_moves_start *out)
{
    size_t n = 0, cap = s->field[0].cap;

    while (n < limit) {
        size_t best = s->n;
        double most = -1;
        for (size_t k = 0; k < s->n; k++) {
            if (s->out[k])
                continue;
            hear_points(s, k);
            double value = worth(s, k);
            best = value > most ? k : best;
            most = fmax(most, value);
        }
        if (best == s->n)
            break;
        describe(s, best, &out[n++]);
        s->out[best] = true;
        for (size_t f = 0; f < VIEWS; f++)
            lore_moves_field_believe(
                &s->field[f], &s->point[best], guess_of(s, best, f), s->whitened[best] + f * cap);
    }
    return n;
}

size_t
lore_moves_starts(const struct lore_moves *m, const struct lore_moves_wanted *wanted,
    struct lore_arena *arena, struct lore_moves_start *out)
{
    uint32_t o = lore_moves_op_find(m, wanted->op);
    struct start *s = lore_alloc(arena, sizeof *s);

    if (o == LORE_MOVES_NONE)
        return 0;
    s->m = m;
    s->among = wanted->has != NULL && wanted->n < m->op[o].n_states ? wanted : NULL; /* all are? */
    s->arena = arena;
    s->own = lore_moves_cell_find(m, o, wanted->chip);
    lore_moves_view(m, o, wanted->chip, &s->view);
    if (s->view.n_worlds == 0)
        return 0;
    candidates(s, &m->op[o]);
    look(s);
    tell(s);
    return choose(s, wanted->limit, out);
}

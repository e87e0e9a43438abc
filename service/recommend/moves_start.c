/* "Start from this version": what other places and own results say of an operator's configurations
 * on a place (moves_field.c), and which of them to measure next. There are two fields: one that
 * takes the other places for its mean, and one that knows none of them, for the place may be unlike
 * all; own results tell which of the two explains them better. A configuration is worth what it is
 * expected to add, in both, to the best that is in hand; once some results are, every other one is
 * chosen for what it may well be. When several are asked for, each is chosen as if those before it
 * had come out as expected. */
#include <math.h>
#include <string.h>

#include "moves_field.h"

/* The state that ID is in the space of C: parameters that C lacks taken away, missing ones filled
 * in with what their absence stands for. */
static uint32_t
counterpart(const struct lore_moves *m, const struct moves_cell *c, uint32_t id)
{
    if (lore_moves_time_at(c, m->state[id].at) != 0)
        return id;
    for (size_t k = 0; k < lore_moves_likes(m, id); k++) {
        uint32_t other = lore_moves_like(m, id, k);
        if (other != LORE_MOVES_NONE && lore_moves_time_at(c, m->state[other].at) != 0)
            return other;
    }
    return LORE_MOVES_NONE;
}

double
lore_moves_fraction(const struct lore_moves *m, const struct moves_cell *c, uint32_t id)
{
    uint32_t there = c->best > 0 ? counterpart(m, c, id) : LORE_MOVES_NONE;

    if (there == LORE_MOVES_NONE)
        return NAN;
    float time = lore_moves_time_at(c, m->state[there].at);
    return time > 0 ? log((double)c->best / (double)time) : -INFINITY;
}

/* Own results taken in, proposals that later ones reckon with, values tried around the best; and
 * candidates: the worlds' fastest, about so many of any, and fewer than which all are taken. */
enum { OWN = 32, AHEAD = 32, AROUND = 64, FASTEST = 1024, MOST = 512, FEW = 256 };
#define REFUSED UINT32_MAX
enum { FIELDS = 2 };
/* Expected gain alone stays near what is in hand. After so many results every other proposal goes
 * to where most may still be found. */
enum { SETTLED = 5 };

struct start {
    const struct lore_moves *m;
    const struct moves_cell *own;
    struct moves_view view;
    const struct lore_moves_among *among;
    uint32_t *slot; /* candidate + 1 per state of the operator; 0: not looked at */
    bool *out;      /* per candidate: it is not, or no longer, to choose */
    uint32_t *candidate;
    struct moves_point *point; /* per candidate */
    size_t n;
    struct moves_field field[FIELDS];
    double weight[FIELDS];     /* of the fields, by what explains own results */
    struct moves_guess *guess; /* per candidate and field */
    double *whitened;          /* per candidate and field: covariances with what is known */
    size_t fresh;              /* how many of these are filled in */
};

/* A candidate once, when it may be one. */
static void
offer(struct start *s, uint32_t id)
{
    uint32_t *slot = &s->slot[s->m->state[id].at];

    if (*slot != 0)
        return;
    *slot = REFUSED;
    if (s->among != NULL && !s->among->has(s->among->ctx, id))
        return;
    s->candidate[s->n++] = id;
    *slot = (uint32_t)s->n;
}

static void
offer_like(struct start *s, uint32_t id)
{
    offer(s, id);
    for (size_t k = 0; k < lore_moves_likes(s->m, id); k++) {
        uint32_t other = lore_moves_like(s->m, id, k);
        if (other != LORE_MOVES_NONE)
            offer(s, other);
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
                offer(s, other);
        }
    }
}

/* Candidates: the fastest of every world, what is around the best of one's own, and some of all. */
static void
candidates(struct start *s, const struct moves_op *op, struct lore_arena *arena)
{
    size_t n_worlds = s->view.n_worlds, every = op->n_states / MOST + 1;

    s->candidate = lore_alloc_array(arena, op->n_states, sizeof *s->candidate);
    s->slot = lore_alloc_array(arena, op->n_states + 1, sizeof *s->slot);
    for (size_t w = 0; w < n_worlds; w++) {
        const struct moves_cell *c = s->view.world[w].cell;
        for (size_t i = 0; i < c->n_top && i < FASTEST / n_worlds; i++)
            offer_like(s, op->states[c->top[i]]);
    }
    for (size_t i = 0; s->own != NULL && i < s->own->n_top && i < 2; i++)
        offer_around(s, op->states[s->own->top[i]]);
    for (size_t i = 0; i < op->n_states; i += every)
        offer(s, op->states[i]);
    for (size_t i = 0; i < op->n_states && s->n < FEW; i++) /* few are to be had at all */
        offer(s, op->states[i]);
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

/* What every world says of every candidate. One that knows little is asked for all it knows: a
 * library's operator has many such. */
static float *
hear(const struct start *s, struct lore_arena *arena)
{
    size_t n_worlds = s->view.n_worlds;
    float *said = lore_alloc_array(arena, s->n * n_worlds + 1, sizeof *said);

    for (size_t i = 0; i < s->n * n_worlds; i++)
        said[i] = NAN;
    for (size_t w = 0; w < n_worlds; w++) {
        const struct moves_cell *c = s->view.world[w].cell;
        bool all = s->view.op->stands == 0 && c->cap_times < s->n;
        for (size_t i = 0; all && i < c->cap_times; i++) {
            const struct moves_time *t = &c->time[i];
            uint32_t slot = t->state != 0 ? s->slot[t->state - 1] : 0;
            if (slot != 0 && slot != REFUSED)
                said[(slot - 1) * n_worlds + w] = t->time > 0 ? logf(c->best / t->time) : -INFINITY;
        }
        for (size_t k = 0; !all && k < s->n; k++)
            said[k * n_worlds + w] = (float)lore_moves_fraction(s->m, c, s->candidate[k]);
    }
    return said;
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
look(struct start *s, struct lore_arena *arena)
{
    const float *said = hear(s, arena);
    struct kinds kinds;

    count_kinds(s, &kinds);
    s->point = lore_alloc_array(arena, s->n + 1, sizeof *s->point);
    s->out = lore_alloc_array(arena, s->n + 1, sizeof *s->out);
    for (size_t k = 0; k < s->n; k++) {
        struct moves_point *p = &s->point[k];
        uint32_t at = s->m->state[s->candidate[k]].at;
        lore_moves_point(&s->view, s->candidate[k], said + k * s->view.n_worlds, arena, p);
        s->out[k] = (isnan(p->blend) && !(p->fail > 0)) || p->barred ||
                    (s->own != NULL && lore_moves_time_at(s->own, at) != 0);
        size_t kind = kind_at(&kinds, params_of(s->view.op, at));
        if (kind < kinds.n)
            p->fail =
                (float)(1 - (1 - (double)p->fail) * (1 - (kinds.v[kind].failed + KIND_PRIOR) /
                                                             (kinds.v[kind].n + 2 * KIND_PRIOR)));
    }
    fill_blend(s->point, s->n);
}

/* Own results that ran, at most OWN of them and spread over all, with the best one. */
static size_t
own_results(const struct start *s, struct lore_arena *arena, struct moves_point *out, double *y)
{
    size_t ran = 0, k = 0, n = 0;

    for (size_t i = 0; s->own != NULL && i < s->own->cap_times; i++)
        ran += s->own->time[i].time > 0;
    for (size_t i = 0; s->own != NULL && i < s->own->cap_times && n < OWN; i++) {
        const struct moves_time *t = &s->own->time[i];
        if (!(t->time > 0) || (k++ % (ran / OWN + 1) != 0 && t->time > s->own->best))
            continue;
        lore_moves_point(&s->view, s->view.op->states[t->state - 1], NULL, arena, &out[n]);
        y[n++] = -log((double)t->time);
    }
    fill_blend(out, n);
    return n;
}

static void
tell(struct start *s, struct lore_arena *arena)
{
    const struct moves_numbers *num = &s->m->num;
    struct moves_point *own = lore_alloc_array(arena, OWN, sizeof *own);
    const struct moves_point *at[OWN];
    double y[OWN], sum = 0;
    size_t n = own_results(s, arena, own, y);

    for (size_t i = 0; i < n; i++)
        at[i] = &own[i];
    lore_moves_field(&s->view, num->start, n + AHEAD, arena, &s->field[0]);
    lore_moves_field(&s->view, num->blank, n + AHEAD, arena, &s->field[1]);
    for (size_t i = 0; i < FIELDS; i++)
        lore_moves_field_told(&s->field[i], at, y, n, arena);
    double much = fmax(s->field[0].log_evidence, s->field[1].log_evidence);
    for (size_t i = 0; i < FIELDS; i++) {
        s->weight[i] = (i == 0 ? num->start_alike : 1 - num->start_alike) *
                       exp(s->field[i].log_evidence - much);
        sum += s->weight[i];
    }
    for (size_t i = 0; i < FIELDS; i++)
        s->weight[i] /= sum;
}

static struct moves_guess *
guess_of(const struct start *s, size_t k, size_t field)
{
    return &s->guess[k * FIELDS + field];
}

static double *
whitened_of(const struct start *s, size_t k, size_t field)
{
    return &s->whitened[(k * FIELDS + field) * s->field[0].cap];
}

/* The optimum is no slower than the best result. */
static void
bound(const struct moves_field *f, struct moves_guess *g)
{
    if (f->n == 0 || f->level >= f->best)
        return;
    g->mean -= f->best - f->level;
    g->variance = g->gain_variance;
}

/* What the fields say of every candidate now; what they said before is gone on from. */
static void
ask(struct start *s)
{
    struct moves_common common[OWN + AHEAD + 1];

    for (size_t k = 0; k < s->n; k++) {
        if (s->out[k])
            continue;
        lore_moves_commons(&s->field[0], &s->point[k], s->fresh, common);
        for (size_t i = 0; i < FIELDS; i++)
            lore_moves_field_ask(&s->field[i], &s->point[k], common, whitened_of(s, k, i), s->fresh,
                guess_of(s, k, i));
    }
    s->fresh = s->field[0].n;
}

static double
density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * acos(-1));
}

/* Expected fraction of the optimum, which is at most 1. */
static double
fraction(const struct moves_guess *g)
{
    double sd = sqrt(g->variance), d = -g->mean / sd;

    return 1 - lore_moves_normal(d) + exp(g->mean + g->variance / 2) * lore_moves_normal(d - sd);
}

/* Expected ln speedup over what is in hand, and where that is nothing the fraction itself. */
static double
worth(const struct start *s, size_t k)
{
    double sum = 0;

    for (size_t i = 0; i < FIELDS; i++) {
        const struct moves_guess *g = guess_of(s, k, i);
        const struct moves_field *f = &s->field[i];
        if (f->n == 0) {
            sum += s->weight[i] * exp(fmin(0, g->mean));
            continue;
        }
        double sd = sqrt(g->gain_variance), z = (f->level + g->mean - f->best) / sd;
        sum += s->weight[i] * sd * (z * lore_moves_normal(z) + density(z));
    }
    return sum * (1 - 0.999 * (double)s->point[k].fail);
}

/* What a fraction may well be: one deviation above what is expected, the optimum being known. */
static double
promise(const struct start *s, size_t k)
{
    double mean = 0, squares = 0;

    for (size_t i = 0; i < FIELDS; i++) {
        const struct moves_guess *g = guess_of(s, k, i);
        mean += s->weight[i] * g->mean;
        squares += s->weight[i] * (g->left + g->mean * g->mean);
    }
    return exp(mean + sqrt(fmax(0, squares - mean * mean))) *
           (1 - 0.999 * (double)s->point[k].fail);
}

/* Where the probability that ln fraction is below X reaches P. Nothing is faster than the optimum.
 */
static double
quantile(const struct start *s, const struct moves_guess *guess, double p)
{
    double low = -20, high = 0;

    for (int i = 0; i < 40; i++) {
        double x = (low + high) / 2, below = 0;
        for (size_t f = 0; f < FIELDS; f++) {
            const struct moves_guess *g = &guess[f];
            below += s->weight[f] * lore_moves_normal((x - g->mean) / sqrt(g->variance));
        }
        *(below < p ? &low : &high) = x;
    }
    return high;
}

static void
describe(const struct start *s, size_t k, struct lore_moves_start *out)
{
    struct moves_guess guess[FIELDS];

    *out = (struct lore_moves_start){.state = s->candidate[k], .p_fail = (double)s->point[k].fail};
    for (size_t i = 0; i < FIELDS; i++) {
        guess[i] = *guess_of(s, k, i);
        bound(&s->field[i], &guess[i]);
        out->fraction += s->weight[i] * fraction(&guess[i]);
    }
    out->low = exp(quantile(s, guess, 0.05));
    out->high = exp(quantile(s, guess, 0.95));
    out->fraction = fmin(fmax(out->fraction, out->low), out->high);
}

static size_t
choose(struct start *s, size_t limit, struct lore_moves_start *out)
{
    size_t n = 0;

    while (n < limit) {
        double top = -1;
        size_t best = 0, known = s->field[0].n;
        bool looks_around = known >= SETTLED && known % 2 == 1;
        if (n <= AHEAD)
            ask(s);
        for (size_t k = 0; k < s->n; k++) {
            double x = s->out[k] ? -1 : looks_around ? promise(s, k) : worth(s, k);
            if (x > top) {
                top = x;
                best = k;
            }
        }
        if (top < 0)
            break;
        s->out[best] = true;
        describe(s, best, &out[n++]);
        for (size_t i = 0; i < FIELDS; i++)
            lore_moves_field_believe(
                &s->field[i], &s->point[best], guess_of(s, best, i), whitened_of(s, best, i));
    }
    return n;
}

size_t
lore_moves_starts(const struct lore_moves *m, const char *op, uint32_t chip,
    const struct lore_moves_among *among, size_t limit, struct lore_arena *arena,
    struct lore_moves_start *out)
{
    uint32_t o = lore_moves_op_find(m, op);
    struct start *s = lore_alloc(arena, sizeof *s);

    if (o == LORE_MOVES_NONE)
        return 0;
    s->m = m;
    s->among = among;
    s->own = lore_moves_cell_find(m, o, chip);
    lore_moves_view(m, o, chip, false, &s->view);
    if (s->view.n_worlds == 0)
        return 0;
    candidates(s, &m->op[o], arena);
    look(s, arena);
    tell(s, arena);
    s->guess = lore_alloc_array(arena, s->n * FIELDS + 1, sizeof *s->guess);
    s->whitened = lore_alloc_array(arena, s->n * FIELDS * s->field[0].cap + 1, sizeof *s->whitened);
    return choose(s, limit, out);
}

/* "Start from this version": every other chip with times of the operator is a world that might be
 * ours, as likely as its chip is near and as it explained what was measured here so far. A
 * configuration is worth what it is expected to add, over all worlds, to the best that is already
 * in hand there; so the second proposal serves the worlds that the first one failed. Results here
 * set each world's offset, its likelihood, and correct it around the configurations measured. */
#include <math.h>
#include <string.h>

#include "moves_mix.h"

/* The state that ID is in the space of C: parameters that C lacks taken away, missing ones filled
 * in with what their absence stands for. */
static uint32_t
counterpart(const struct lore_moves *m, const struct moves_cell *c, uint32_t id)
{
    if (lore_moves_time_at(c, m->state[id].at) != 0)
        return id;
    for (size_t k = 0; k < MOVES_LIKES; k++) {
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

/* The odds of a lucky draw are not let grow without end. */
#define WIDEST 0.06
/* Own results' worth against the world's, one at distance 0 being 1. */
#define REST 0.3

struct world {
    const struct moves_cell *cell;
    double loss, weight, variance, offset, have; /* have: best fraction in hand */
    bool vendor;                                 /* the asked chip's */
    float *f;                                    /* ln fraction per candidate; NAN, -INFINITY */
};
struct start {
    const struct lore_moves *m;
    const struct moves_cell *own;
    struct world world[MOVES_SOURCES];
    size_t n_worlds;
    const uint32_t *among;
    size_t n;
    const uint32_t *measured; /* own states that ran */
    size_t n_measured;
    float *near;  /* per candidate and own result: kernel */
    float *doubt; /* per candidate: share of the variance that own results around it leave */
};

static double
kernel(const struct lore_moves *m, uint32_t a, uint32_t b)
{
    const struct moves_op *op = &m->op[m->state[a].op];
    double d = 0;

    for (size_t p = 0; p < op->n_params; p++) {
        const struct moves_param *x = &op->param[p];
        uint32_t u = lore_moves_value(op, p, m->state[a].at),
                 v = lore_moves_value(op, p, m->state[b].at);
        double g = (double)(x->coord[u] - x->coord[v]);
        d += u == v ? 0 : x->symbolic ? 1 : g * g;
    }
    double k = 1 / (1 + d);
    return k * k * k;
}

/* Of own result I. */
static double
own_time(const struct start *s, size_t i)
{
    return (double)lore_moves_time_at(s->own, s->m->state[s->measured[i]].at);
}

/* Prior trust in a world, in results of one's own. */
#define TRUST 3.0

/* Offset, likelihood and what is in hand, from own results. */
static void
meet(struct start *s, struct world *w)
{
    double sum = 0, squares = 0, n = 0;

    for (size_t i = 0; i < s->n_measured; i++) {
        double f = lore_moves_fraction(s->m, w->cell, s->measured[i]);
        if (!isfinite(f))
            continue;
        double r = log(own_time(s, i)) + f;
        sum += r;
        squares += r * r;
        n++;
    }
    /* the log of the best time that there would be here */
    w->offset = n > 0 ? sum / n : NAN;
    double left = n > 0 ? fmax(0, squares - sum * sum / n) : 0;
    w->variance = (TRUST * w->loss * s->m->num.start_v + left) / (TRUST + fmax(0, n - 1));
    w->weight = pow(fmax(w->variance, 1e-4), -s->m->num.gamma);
    if (n > 0 && s->own->best > 0)
        w->have = fmin(1, exp(w->offset - log((double)s->own->best)));
}

/* What own results near candidate K say beyond the world: ln fraction to take off. */
static double
correction(const struct start *s, const struct world *w, size_t k)
{
    double sum = 0, weight = REST;

    for (size_t i = 0; i < s->n_measured; i++) {
        double f = lore_moves_fraction(s->m, w->cell, s->measured[i]);
        if (!isfinite(f) || isnan(w->offset))
            continue;
        double q = (double)s->near[k * s->n_measured + i];
        sum += q * (log(own_time(s, i)) + f - w->offset);
        weight += q;
    }
    return sum / weight;
}

static void
fill(struct start *s, struct world *w, struct lore_arena *arena)
{
    w->f = lore_alloc_array(arena, s->n, sizeof *w->f);
    for (size_t k = 0; k < s->n; k++) {
        double f = lore_moves_fraction(s->m, w->cell, s->among[k]);
        w->f[k] = (float)(isfinite(f) ? f - correction(s, w, k) : f);
    }
}

/* Expected gain over what is in hand, when ln f is off by a deviation. */
static double
improvement(double f, double have, double variance)
{
    double sd = sqrt(fmin(variance, WIDEST)), value = exp(fmin(f, 0));

    if (have < 1e-6)
        return value;
    double d = (log(value) - log(have)) / sd;
    return value * lore_moves_normal(d + sd / 2) - have * lore_moves_normal(d - sd / 2);
}

static bool
excluded(const struct start *s, size_t k)
{
    uint32_t id = s->among[k];

    if (s->own != NULL && lore_moves_time_at(s->own, s->m->state[id].at) != 0)
        return true;
    for (size_t i = 0; i < s->n_worlds; i++)
        if (s->world[i].vendor && isinf(s->world[i].f[k]))
            return true;
    return false;
}

static double
worth(const struct start *s, size_t k)
{
    double sum = 0, weight = 0, all = 0;

    for (size_t i = 0; i < s->n_worlds; i++) {
        const struct world *w = &s->world[i];
        all += w->weight;
        if (isnan(w->f[k]))
            continue;
        weight += w->weight;
        if (!isinf(w->f[k]))
            sum += w->weight *
                   improvement((double)w->f[k], w->have, w->variance * (double)s->doubt[k]);
    }
    /* unknown in some worlds: a little less than the rest say */
    return weight > 0 ? sum / weight * (0.5 + 0.5 * weight / all) : -1;
}

static void
describe(const struct start *s, size_t k, struct lore_moves_start *out)
{
    double weight = 0, sum = 0, squares = 0, fail = 0, noise = 0, value = 0;

    for (size_t i = 0; i < s->n_worlds; i++) {
        const struct world *w = &s->world[i];
        if (isnan(w->f[k]))
            continue;
        fail += isinf(w->f[k]) ? w->weight : 0;
        weight += w->weight;
        if (isinf(w->f[k]))
            continue;
        double f = fmin(0, (double)w->f[k]);
        sum += w->weight * f;
        squares += w->weight * f * f;
        noise += w->weight * w->variance;
        value += w->weight * exp(f);
    }
    double ran = fmax(weight - fail, 1e-12), mean = sum / ran;
    double sd = sqrt(fmax(0, squares / ran - mean * mean) + noise / ran);
    *out = (struct lore_moves_start){.state = s->among[k],
        .fraction = value / ran,
        .low = exp(mean - 1.645 * sd),
        .high = fmin(1, exp(mean + 1.645 * sd)),
        .p_fail = weight > 0 ? fail / weight : 0};
}

static void
own_results(struct start *s, struct lore_arena *arena)
{
    const struct moves_op *op = &s->m->op[s->own->op];
    uint32_t *v = lore_alloc_array(arena, s->own->n_times, sizeof *v);

    for (size_t i = 0; i < s->own->cap_times; i++)
        if (s->own->time[i].time > 0)
            v[s->n_measured++] = op->states[s->own->time[i].state - 1];
    s->measured = v;
    s->near = lore_alloc_array(arena, s->n * s->n_measured, sizeof *s->near);
    for (size_t k = 0; k < s->n; k++) {
        double sum = REST;
        for (size_t i = 0; i < s->n_measured; i++) {
            double near = kernel(s->m, s->among[k], v[i]);
            s->near[k * s->n_measured + i] = (float)near;
            sum += near;
        }
        s->doubt[k] = (float)(REST / sum);
    }
}

static size_t
choose(struct start *s, size_t limit, struct lore_moves_start *out)
{
    size_t n = 0;

    while (n < limit) {
        double top = -1;
        size_t best = 0;
        for (size_t k = 0; k < s->n; k++) {
            double x = excluded(s, k) ? -1 : worth(s, k);
            for (size_t i = 0; i < n && x > top; i++)
                x = out[i].state == s->among[k] ? -1 : x;
            if (x > top) {
                top = x;
                best = k;
            }
        }
        if (top < 0)
            break;
        describe(s, best, &out[n++]);
        for (size_t i = 0; i < s->n_worlds; i++)
            if (isfinite(s->world[i].f[best]))
                s->world[i].have =
                    fmax(s->world[i].have, exp(fmin(0, (double)s->world[i].f[best])));
    }
    return n;
}

size_t
lore_moves_starts(const struct lore_moves *m, const char *op, uint32_t chip, const uint32_t *among,
    size_t n, size_t limit, struct lore_arena *arena, struct lore_moves_start *out)
{
    uint32_t o = lore_moves_op_find(m, op);
    struct start *s = lore_alloc(arena, sizeof *s);

    if (o == LORE_MOVES_NONE)
        return 0;
    s->m = m;
    s->own = lore_moves_cell_find(m, o, chip);
    s->among = among ? among : m->op[o].states;
    s->n = among ? n : m->op[o].n_states;
    s->doubt = lore_alloc_array(arena, s->n, sizeof *s->doubt);
    for (size_t k = 0; k < s->n; k++)
        s->doubt[k] = 1;
    if (s->own != NULL)
        own_results(s, arena);
    struct moves_source source[MOVES_SOURCES];
    size_t sources = lore_moves_sources(m, o, chip, source);
    for (size_t i = 0; i < sources; i++) {
        const struct moves_cell *c = source[i].cell;
        if (c->chip == chip || !(c->best > 0))
            continue;
        struct world *w = &s->world[s->n_worlds++];
        *w = (struct world){.cell = c,
            .loss = fmax(0.01, source[i].loss),
            .vendor = source[i].reach != LORE_MOVES_OTHER_VENDOR};
        meet(s, w);
        fill(s, w, arena);
    }
    return choose(s, limit, out);
}

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

/* Candidates beyond the fastest of the worlds, own results taken in, values around the best. */
enum { FEW = 256, OWN = 64, AROUND = 64 };
enum { OFFERED = 1, REFUSED, TAKEN };

struct world {
    const struct moves_cell *cell;
    double loss, weight, variance, offset, have; /* have: best fraction in hand */
    bool vendor;                                 /* the asked chip's */
    float *f;                                    /* ln fraction per candidate; NAN, -INFINITY */
    double left[OWN]; /* per own result: ln time and fraction beyond the offset; NAN: unknown */
};
struct start {
    const struct lore_moves *m;
    const struct moves_cell *own;
    struct world world[MOVES_SOURCES];
    size_t n_worlds;
    uint32_t *candidate;
    size_t n;
    uint8_t *mark; /* per state of the operator */
    const struct lore_moves_among *among;
    uint32_t measured[OWN]; /* own states that ran */
    size_t n_measured;
    float *near;  /* per candidate and own result: kernel */
    float *doubt; /* per candidate: share of the variance that own results around it leave */
};

/* Of own result I. */
static double
own_time(const struct start *s, size_t i)
{
    return (double)lore_moves_time_at(s->own, s->m->state[s->measured[i]].at);
}

/* Prior trust in a world, in results of one's own. */
#define TRUST 3.0

/* How much more the logarithm scatters this far from a world's best. */
static double
deep(const struct start *s, double f)
{
    return 1 + s->m->num.start_deep * fmin(1, fabs(f));
}

/* Offset, likelihood and what is in hand, from own results. */
static void
meet(struct start *s, struct world *w)
{
    double sum = 0, squares = 0, n = 0;

    for (size_t i = 0; i < s->n_measured; i++) {
        double f = lore_moves_fraction(s->m, w->cell, s->measured[i]), k = 1 / deep(s, f);
        w->left[i] = NAN;
        if (!isfinite(f))
            continue;
        w->left[i] = log(own_time(s, i)) + f;
        sum += k * w->left[i];
        squares += k * w->left[i] * w->left[i];
        n += k;
    }
    /* the log of the best time that there would be here */
    w->offset = n > 0 ? sum / n : NAN;
    double left = n > 0 ? fmax(0, squares - sum * sum / n) : 0;
    w->variance = (TRUST * w->loss * s->m->num.start_v + left) / (TRUST + fmax(0, n - 1));
    w->weight = 1 / fmax(w->variance, 1e-4); /* as measurements are combined */
    for (size_t i = 0; i < s->n_measured; i++)
        w->left[i] -= w->offset;
    if (n > 0 && s->own->best > 0)
        w->have = fmin(1, exp(w->offset - log((double)s->own->best)));
}

/* What own results near candidate K say beyond the world: ln fraction to take off. */
static double
correction(const struct start *s, const struct world *w, size_t k)
{
    double sum = 0, weight = s->m->num.start_rest;

    for (size_t i = 0; i < s->n_measured; i++) {
        double q = (double)s->near[k * s->n_measured + i];
        if (isnan(w->left[i]))
            continue;
        sum += q * w->left[i];
        weight += q;
    }
    return sum / weight;
}

static void
fill(struct start *s, struct world *w, struct lore_arena *arena)
{
    w->f = lore_alloc_array(arena, s->n, sizeof *w->f);
    for (size_t k = 0; k < s->n; k++) {
        double f = lore_moves_fraction(s->m, w->cell, s->candidate[k]);
        w->f[k] = (float)(isfinite(f) ? f - correction(s, w, k) : f);
    }
}

/* Expected gain over what is in hand, when ln f is off by a deviation. */
static double
improvement(double f, double have, double variance)
{
    double sd = sqrt(variance), value = exp(fmin(f, 0));

    if (have < 1e-6)
        return value;
    double d = (log(value) - log(have)) / sd;
    return value * lore_moves_normal(d + sd / 2) - have * lore_moves_normal(d - sd / 2);
}

/* What was measured here, and what failed on a chip of the vendor's. */
static void
exclude(struct start *s)
{
    for (size_t k = 0; k < s->n; k++) {
        uint32_t at = s->m->state[s->candidate[k]].at;
        bool out = s->own != NULL && lore_moves_time_at(s->own, at) != 0;
        for (size_t i = 0; i < s->n_worlds; i++)
            out |= s->world[i].vendor && isinf(s->world[i].f[k]);
        s->mark[at] = out ? TAKEN : s->mark[at];
    }
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
            sum += w->weight * improvement((double)w->f[k], w->have,
                                   w->variance * deep(s, (double)w->f[k]) * (double)s->doubt[k]);
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
        noise += w->weight * w->variance * deep(s, f);
        value += w->weight * exp(f);
    }
    double ran = fmax(weight - fail, 1e-12), mean = sum / ran;
    double sd = sqrt(fmax(0, squares / ran - mean * mean) + noise / ran);
    *out = (struct lore_moves_start){.state = s->candidate[k],
        .fraction = value / ran,
        .low = exp(mean - 1.645 * sd),
        .high = fmin(1, exp(mean + 1.645 * sd)),
        .p_fail = weight > 0 ? fail / weight : 0};
}

/* Own results, at most OWN of them and spread over all, and how near candidates are to them. */
static void
own_results(struct start *s, struct lore_arena *arena)
{
    size_t ran = 0, k = 0;

    s->doubt = lore_alloc_array(arena, s->n, sizeof *s->doubt);
    for (size_t i = 0; s->own && i < s->own->cap_times; i++)
        ran += s->own->time[i].time > 0;
    for (size_t i = 0; s->own && i < s->own->cap_times; i++) {
        if (!(s->own->time[i].time > 0))
            continue;
        if (k++ % (ran / OWN + 1) == 0 && s->n_measured < OWN)
            s->measured[s->n_measured++] = s->m->op[s->own->op].states[s->own->time[i].state - 1];
    }
    s->near = lore_alloc_array(arena, s->n * s->n_measured, sizeof *s->near);
    for (k = 0; k < s->n; k++) {
        double sum = s->m->num.start_rest;
        for (size_t i = 0; i < s->n_measured; i++) {
            double near =
                lore_moves_near(s->m, s->candidate[k], s->measured[i], s->m->num.start_width);
            s->near[k * s->n_measured + i] = (float)near;
            sum += near;
        }
        s->doubt[k] = (float)(s->m->num.start_rest / sum);
    }
}

/* A candidate once, when it may be one. */
static void
offer(struct start *s, uint32_t id)
{
    uint8_t *mark = &s->mark[s->m->state[id].at];

    if (*mark != 0)
        return;
    *mark = s->among == NULL || s->among->has(s->among->ctx, id) ? OFFERED : REFUSED;
    if (*mark == OFFERED)
        s->candidate[s->n++] = id;
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

/* Candidates: the fastest of every world, what is around the best of one's own, and when there are
 * few at all, all of them. */
static void
candidates(struct start *s, const struct moves_op *op, struct lore_arena *arena)
{
    size_t n_all = s->among != NULL ? s->among->n : op->n_states;

    s->candidate = lore_alloc_array(arena, op->n_states, sizeof *s->candidate);
    s->mark = lore_alloc(arena, op->n_states + 1);
    for (size_t w = 0; w < s->n_worlds; w++) {
        const struct moves_cell *c = s->world[w].cell;
        for (size_t i = 0; i < c->n_top && i < 4096 / s->n_worlds; i++)
            offer_like(s, op->states[c->top[i]]);
    }
    for (size_t i = 0; s->own != NULL && i < s->own->n_top && i < 2; i++)
        offer_around(s, op->states[s->own->top[i]]);
    for (size_t i = 0; (n_all <= FEW || s->n < FEW) && i < op->n_states && s->n < 4 * FEW; i++)
        offer(s, op->states[i]);
}

static size_t
choose(struct start *s, size_t limit, struct lore_moves_start *out)
{
    size_t n = 0;

    while (n < limit) {
        double top = -1;
        size_t best = 0;
        for (size_t k = 0; k < s->n; k++) {
            double x = s->mark[s->m->state[s->candidate[k]].at] == OFFERED ? worth(s, k) : -1;
            if (x > top) {
                top = x;
                best = k;
            }
        }
        if (top < 0)
            break;
        s->mark[s->m->state[s->candidate[best]].at] = TAKEN;
        describe(s, best, &out[n++]);
        for (size_t i = 0; i < s->n_worlds; i++)
            if (isfinite(s->world[i].f[best]))
                s->world[i].have =
                    fmax(s->world[i].have, exp(fmin(0, (double)s->world[i].f[best])));
    }
    return n;
}

static void
find_worlds(struct start *s, uint32_t op, uint32_t chip)
{
    struct moves_source source[MOVES_SOURCES];
    size_t n = lore_moves_sources(s->m, op, chip, source);

    for (size_t i = 0; i < n; i++)
        if (source[i].cell->chip != chip && source[i].cell->best > 0)
            s->world[s->n_worlds++] = (struct world){.cell = source[i].cell,
                .loss = fmax(0.01, source[i].loss),
                .vendor = source[i].reach != LORE_MOVES_OTHER_VENDOR};
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
    find_worlds(s, o, chip);
    candidates(s, &m->op[o], arena);
    own_results(s, arena);
    for (size_t i = 0; i < s->n_worlds; i++) {
        meet(s, &s->world[i]);
        fill(s, &s->world[i], arena);
    }
    exclude(s);
    return choose(s, limit, out);
}

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
enum { FEW = 256, OWN = MOVES_AROUND, AROUND = 64 };
#define REFUSED UINT32_MAX

struct world {
    const struct moves_cell *cell;
    double loss, weight, variance, offset, have; /* have: best fraction in hand */
    bool vendor;                                 /* the asked chip's */
    bool rose;                                   /* what is in hand, by the last choice */
    double left[OWN]; /* per own result: ln time and fraction beyond the offset; NAN: unknown */
};
struct word { /* what a world says of a candidate */
    uint32_t candidate, world;
    double f; /* ln fraction; -INFINITY: it failed */
};
struct start {
    const struct lore_moves *m;
    const struct moves_cell *own;
    struct world world[MOVES_SOURCES];
    size_t n_worlds;
    double weight; /* of all worlds */
    uint32_t *candidate;
    size_t n;
    uint32_t *slot;    /* candidate + 1 per state of the operator; 0: not looked at */
    struct word *word; /* by candidate, then world */
    size_t *first;     /* per candidate: its first word; one more for the end */
    bool *out;         /* per candidate: it is not, or no longer, to choose */
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

/* ---- what the worlds say ---- */

struct words {
    struct word *v;
    size_t n, cap;
};

/* A world that knows little is asked for all it knows. */
static void
hear_all(const struct start *s, uint32_t world, struct words *out, struct lore_arena *arena)
{
    const struct moves_cell *c = s->world[world].cell;

    for (size_t i = 0; i < c->cap_times; i++) {
        const struct moves_time *t = &c->time[i];
        uint32_t slot = t->state != 0 ? s->slot[t->state - 1] : 0;
        if (slot != 0 && slot != REFUSED)
            *LORE_PUSH(arena, out->v, out->n, out->cap) = (struct word){
                slot - 1, world, t->time > 0 ? log((double)c->best / (double)t->time) : -INFINITY};
    }
}

static void
hear_each(const struct start *s, uint32_t world, struct words *out, struct lore_arena *arena)
{
    for (size_t k = 0; k < s->n; k++) {
        double f = lore_moves_fraction(s->m, s->world[world].cell, s->candidate[k]);
        if (!isnan(f))
            *LORE_PUSH(arena, out->v, out->n, out->cap) = (struct word){(uint32_t)k, world, f};
    }
}

/* Candidates that no world knows are dropped: nothing speaks for them. */
static void
drop_unknown(struct start *s)
{
    size_t n = 0;

    for (size_t k = 0; k < s->n; k++) {
        if (s->first[k] == s->first[k + 1])
            continue;
        s->candidate[n] = s->candidate[k];
        s->first[n++] = s->first[k];
    }
    s->first[n] = s->first[s->n];
    s->n = n;
}

static void
hear(struct start *s, bool alike, struct lore_arena *arena)
{
    struct words said = {0};
    size_t at = 0;

    for (uint32_t i = 0; i < s->n_worlds; i++) {
        if (!alike && s->world[i].cell->cap_times < s->n)
            hear_all(s, i, &said, arena);
        else
            hear_each(s, i, &said, arena);
    }
    s->first = lore_alloc_array(arena, s->n + 2, sizeof *s->first);
    s->word = lore_alloc_array(arena, said.n + 1, sizeof *s->word);
    for (size_t i = 0; i < said.n; i++)
        s->first[said.v[i].candidate + 1]++;
    for (size_t k = 0; k <= s->n; k++)
        at = s->first[k] += at;
    for (size_t i = 0; i < said.n; i++)
        s->word[s->first[said.v[i].candidate]++] = said.v[i];
    memmove(s->first + 1, s->first, s->n * sizeof *s->first);
    s->first[0] = 0;
    drop_unknown(s);
}

/* Own results correct what was said around them. */
static void
correct(struct start *s)
{
    for (size_t k = 0; k < s->n; k++) {
        for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
            struct word *w = &s->word[i];
            if (isfinite(w->f))
                w->f = (double)(float)(w->f - correction(s, &s->world[w->world], k));
        }
    }
}

/* ---- choosing ---- */

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
exclude(struct start *s, struct lore_arena *arena)
{
    s->out = lore_alloc_array(arena, s->n + 1, sizeof *s->out);
    for (size_t k = 0; k < s->n; k++) {
        uint32_t at = s->m->state[s->candidate[k]].at;
        bool out = s->own != NULL && lore_moves_time_at(s->own, at) != 0;
        for (size_t i = s->first[k]; i < s->first[k + 1]; i++)
            out |= s->world[s->word[i].world].vendor && isinf(s->word[i].f);
        s->out[k] = out;
    }
}

static double
worth(const struct start *s, size_t k)
{
    double sum = 0, weight = 0;

    for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
        const struct world *w = &s->world[s->word[i].world];
        double f = s->word[i].f;
        weight += w->weight;
        if (!isinf(f))
            sum +=
                w->weight * improvement(f, w->have, w->variance * deep(s, f) * (double)s->doubt[k]);
    }
    /* unknown in some worlds: a little less than the rest say */
    return weight > 0 ? sum / weight * (0.5 + 0.5 * weight / s->weight) : -1;
}

static void
describe(const struct start *s, size_t k, struct lore_moves_start *out)
{
    double weight = 0, sum = 0, squares = 0, fail = 0, noise = 0, value = 0;

    for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
        const struct world *w = &s->world[s->word[i].world];
        double f = fmin(0, s->word[i].f);
        fail += isinf(f) ? w->weight : 0;
        weight += w->weight;
        if (isinf(f))
            continue;
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
    struct moves_around *around = lore_alloc(arena, sizeof *around);
    lore_moves_around(s->m, s->measured, s->n_measured, around);
    for (k = 0; k < s->n; k++) {
        double sum = s->m->num.start_rest;
        float *near = &s->near[k * s->n_measured];
        lore_moves_nears(around, s->m->state[s->candidate[k]].at, s->m->num.start_width, near);
        for (size_t i = 0; i < s->n_measured; i++)
            sum += (double)near[i];
        s->doubt[k] = (float)(s->m->num.start_rest / sum);
    }
}

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

/* Candidates: the fastest of every world, what is around the best of one's own, and when there are
 * few at all, all of them. */
static void
candidates(struct start *s, const struct moves_op *op, struct lore_arena *arena)
{
    size_t n_all = s->among != NULL ? s->among->n : op->n_states;

    s->candidate = lore_alloc_array(arena, op->n_states, sizeof *s->candidate);
    s->slot = lore_alloc_array(arena, op->n_states + 1, sizeof *s->slot);
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

/* The worlds that know candidate K have as much in hand as it gives there. */
static void
take(struct start *s, size_t k)
{
    s->out[k] = true;
    for (size_t i = 0; i < s->n_worlds; i++)
        s->world[i].rose = false;
    for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
        struct world *w = &s->world[s->word[i].world];
        double have = isfinite(s->word[i].f) ? exp(fmin(0, s->word[i].f)) : 0;
        w->rose = have > w->have;
        w->have = fmax(w->have, have);
    }
}

static bool
is_touched(const struct start *s, size_t k)
{
    for (size_t i = s->first[k]; i < s->first[k + 1]; i++)
        if (s->world[s->word[i].world].rose)
            return true;
    return false;
}

static size_t
choose(struct start *s, size_t limit, struct lore_arena *arena, struct lore_moves_start *out)
{
    double *value = lore_alloc_array(arena, s->n + 1, sizeof *value);
    size_t n = 0;

    for (; n < limit; n++) {
        double top = -1;
        size_t best = 0;
        for (size_t k = 0; k < s->n; k++) {
            if (!s->out[k] && (n == 0 || is_touched(s, k)))
                value[k] = worth(s, k);
            if (!s->out[k] && value[k] > top) {
                top = value[k];
                best = k;
            }
        }
        if (top < 0)
            break;
        describe(s, best, &out[n]);
        take(s, best);
    }
    return n;
}

static void
find_worlds(struct start *s, uint32_t op, uint32_t chip)
{
    struct moves_source source[MOVES_SOURCES];
    size_t n = lore_moves_sources(s->m, op, chip, 1, source);

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
    hear(s, m->op[o].stands != 0, arena);
    own_results(s, arena);
    for (size_t i = 0; i < s->n_worlds; i++) {
        meet(s, &s->world[i]);
        s->weight += s->world[i].weight;
    }
    correct(s);
    exclude(s, arena);
    return choose(s, limit, arena, out);
}

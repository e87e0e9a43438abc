/* Learning the numbers of the field of moves (moves_surface.c) from the memory itself.
 *
 * Around states that an engineer comes by on a place, its results are told from the other places'
 * as if they had never been seen; the numbers are those under which they are likeliest, in a search
 * by steps that get smaller. Then moves from such states are forecast, again without the place's
 * own results, and a logistic regression learns what the forecasts are worth. Places count the
 * same. */
#include "service/moves/moves_learn.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/moves/moves_fit_starts.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_states.h"
#include "service/stats/random.h"
#include "service/stats/stats.h"

enum {
    CASES = 32,      /* in which the field is learned */
    OTHERS = 40,     /* results of other places in a case */
    OWN = 12,        /* and of the place itself */
    SWEEPS = 10,     /* over all numbers */
    PLACES = 48,     /* that are asked about: a library's operator has thousands */
    STATES = 40,     /* of each place */
    ATTEMPTS = 30,   /* of one engineer */
    NEIGHBOURS = 96, /* of a state */
    APART = 5        /* states of a walk from one case to the next */
};
#define KEEP 1.02 /* an engineer keeps what is this much faster */

/* ---- states that an engineer comes by ---- */

/* What differs from state AT in one parameter and was measured on C; their number. */
static size_t
neighbours(const struct lore_moves *m, const struct moves_cell *c, uint32_t at, uint32_t *out)
{
    const struct moves_op *op = &m->op[c->op];
    size_t n = 0;

    for (size_t p = 0; p < op->n_params; p++) {
        uint32_t mine = lore_moves_value(op, p, at);
        for (uint32_t v = 0; v < op->param[p].n_values && n < NEIGHBOURS; v++) {
            uint32_t to =
                v != mine ? lore_moves_state_with(m, op->states[at], p, v) : LORE_MOVES_NONE;
            if (to != LORE_MOVES_NONE && lore_moves_time_at(c, m->state[to].at) != 0)
                out[n++] = m->state[to].at;
        }
    }
    return n;
}

/* Some states of C that ran and have neighbours; their number. */
static size_t
walk(const struct lore_moves *m, const struct moves_cell *c, uint64_t *seed, size_t most,
    uint32_t *out)
{
    uint32_t next[NEIGHBOURS];
    size_t n = 0;

    for (size_t tries = 0; n < most && tries < 20 * most; tries++) {
        const struct moves_time *t = &c->time[lore_random_below(seed, c->cap_times)];
        if (!(t->time > 0))
            continue;
        uint32_t at = t->state - 1;
        size_t k = neighbours(m, c, at, next);
        if (k > 0)
            out[n++] = at;
        for (int a = 0; k > 0 && a < ATTEMPTS && n < most; a++) {
            uint32_t to = next[lore_random_below(seed, k)];
            float before = lore_moves_time_at(c, at), after = lore_moves_time_at(c, to);
            if (!(after > 0) || (double)before < KEEP * (double)after)
                continue;
            at = to;
            k = neighbours(m, c, at, next);
            out[n++] = at;
        }
    }
    return n;
}

/* ---- the field ---- */

struct cases {
    struct moves_surface s[CASES];
    size_t own[CASES]; /* where the place's own results begin */
    size_t n;
};

static void
take_case(const struct lore_moves *m, const struct moves_cell *c, uint32_t at,
    struct lore_arena *arena, struct cases *out)
{
    struct moves_surface *s = &out->s[out->n];
    struct moves_around a = {c->op, at, c->chip, c, OTHERS, OWN};

    lore_moves_around(m, &a, arena, s);
    size_t own = 0;
    while (own < s->n_ran && s->known[own].cell != c)
        own++;
    out->own[out->n] = own;
    out->n += own >= 4 && s->n_ran - own >= 4;
}

static double
likelihood(const struct cases *c, const struct moves_numbers *num, struct lore_arena *arena)
{
    double sum = 0;

    for (size_t k = 0; k < c->n; k++) {
        struct moves_surface s = c->s[k];
        lore_arena_reset(arena);
        s.num = num;
        lore_moves_solve_surface(&s, arena);
        double scale = lore_moves_scale(&s, c->own[k]);
        for (size_t i = c->own[k]; i < s.n_ran; i++)
            sum -=
                log(scale) / 2 + log(s.root[i * s.n_ran + i]) + s.rest[i] * s.rest[i] / (2 * scale);
    }
    return sum;
}

static double
posterior(const struct cases *c, const struct moves_numbers *num, const struct moves_numbers *prior,
    struct lore_arena *arena)
{
    double sum = 0;

    for (size_t i = 0; i < FIELDS; i++)
        sum -= pow(log(num->field[i] / prior->field[i]) / 2, 2) / 2;
    for (size_t i = 0; i < GRAINS * KINS; i++)
        sum -= pow(log(num->kin[i] / prior->kin[i]) / 2, 2) / 2;
    return sum + likelihood(c, num, arena);
}

/* Widths below which a value would say nothing of the next one, which other searches try. */
static const double least_of[FIELDS] = {
    [FIELD_TREND_WIDTH] = 0.5, [FIELD_WIDE_WIDTH] = 1, [FIELD_LOCAL_WIDTH] = 0.3};

/* However alike places were so far, the next one has something of its own. */
#define OWN_LEAST 0.02

static bool
may_be(const struct moves_numbers *num, size_t i)
{
    if (i < FIELDS)
        return num->field[i] >= fmax(1e-7, least_of[i]) && num->field[i] < 1e2;
    const double *kin = num->kin + (i - FIELDS) / KINS * KINS;
    double x = num->kin[i - FIELDS], all = 0;
    for (int k = 0; k <= KIN_OWN; k++)
        all += kin[k];
    return x > 1e-7 && x < 1e2 && kin[KIN_WORK] <= 1 && kin[KIN_OWN] >= OWN_LEAST * all;
}

static void
climb(const struct cases *c, struct moves_numbers *num)
{
    struct lore_arena arena = {.limit = (size_t)64 << 20};
    struct moves_numbers prior = *num;
    double step = 3, best = posterior(c, num, &prior, &arena);

    for (int sweep = 0; step > 1.2 && sweep < SWEEPS; sweep++) {
        bool moved = false;
        for (size_t i = 0; i < 2 * (FIELDS + GRAINS * KINS); i++) {
            double *x = i / 2 < FIELDS ? &num->field[i / 2] : &num->kin[i / 2 - FIELDS], was = *x;
            *x = i % 2 ? was / step : was * step;
            double found =
                may_be(num, i / 2) ? posterior(c, num, &prior, &arena) : (double)-INFINITY;
            moved |= found > best + 1e-3;
            if (found > best + 1e-3)
                best = found;
            else
                *x = was;
        }
        step = moved ? step : sqrt(step);
    }
    lore_arena_free(&arena);
}

/* ---- the odds ---- */

void
lore_moves_odds(const struct moves_effect *e, double x[ODDS])
{
    double sd = sqrt(e->variance), z = (e->mean - MOVES_GAIN * exp(e->fraction)) / sd;

    x[0] = 1;
    x[1] = lore_moves_logit(lore_moves_normal(z));
    x[2] = fmax(-1, fmin(1, e->mean));
    x[3] = log(sd);
    x[4] = lore_moves_logit(e->fail);
    x[5] = fmax(-2, e->fraction);
}

struct seen {
    double *x, *r; /* features; standardised residuals */
    uint8_t *y;
    double *weight;
    size_t n, cap_x, cap_y, cap_w, cap_r, n_r;
};

static void
observe(struct seen *s, const struct moves_effect *e, float before, float after,
    struct lore_arena *arena)
{
    double x[ODDS], y = after > 0 ? log((double)before / (double)after) : (double)NAN;

    lore_moves_odds(e, x);
    for (size_t j = 0, n = s->n * ODDS; j < ODDS; j++)
        *LORE_PUSH(arena, s->x, n, s->cap_x) = x[j];
    size_t n = s->n, w = s->n;
    *LORE_PUSH(arena, s->y, n, s->cap_y) = y > MOVES_GAIN;
    *LORE_PUSH(arena, s->weight, w, s->cap_w) = 1;
    s->n++;
    if (!isnan(y))
        *LORE_PUSH(arena, s->r, s->n_r, s->cap_r) =
            (y * exp(e->fraction) - e->mean) / sqrt(e->variance);
}

/* Observes forecasts of moves on C. They rest on the other places; where C is its operator's only
 * place they rest on C, and are made for a chip of the vendor that nobody has seen. How much a
 * place tells of another is not learned then, but how often moves gain and what variances mean is.
 */
static void
ask_about(const struct lore_moves *m, const struct moves_cell *c, uint64_t *seed, struct seen *out,
    struct lore_arena *arena)
{
    struct lore_arena scratch = {.limit = (size_t)256 << 20};
    uint32_t at[STATES], to[NEIGHBOURS];
    size_t n = walk(m, c, seed, STATES, at), first = out->n;
    bool alone = m->op[c->op].n_cells == 1;
    struct lore_moves_chip stranger = m->chip[c->chip];

    stranger.name = stranger.arch = stranger.isa = "";
    m = alone ? lore_moves_with_place(m, &stranger, arena) : m;

    for (size_t i = 0; i < n; i++) {
        struct moves_surface s;
        struct moves_around a = {c->op, at[i], alone ? (uint32_t)m->n_chips : c->chip,
            alone ? NULL : c, SURFACE_POINTS, 0};
        lore_arena_reset(&scratch);
        lore_moves_around(m, &a, &scratch, &s);
        lore_moves_solve_surface(&s, &scratch);
        lore_moves_stand(&s, at[i], &scratch);
        size_t k = neighbours(m, c, at[i], to);
        for (size_t j = 0; j < k && s.n_ran > 1; j++) {
            struct moves_effect e;
            lore_moves_effect(&s, to[j], &scratch, &e);
            observe(out, &e, lore_moves_time_at(c, at[i]), lore_moves_time_at(c, to[j]), arena);
        }
    }
    for (size_t i = first; i < out->n; i++)
        out->weight[i] = 400.0 / (double)(out->n - first);
    lore_arena_free(&scratch);
}

static int
by_number(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

enum { LEAST = 60 };

static void
fit_odds(struct lore_moves *m, const struct seen *s, struct lore_arena *arena)
{
    if (s->n >= LEAST && s->n_r >= LEAST)
        lore_moves_logistic(&(struct lore_moves_observed){s->x, s->y, s->weight, s->n, ODDS}, 20,
            m->num.odds, arena);
}

static void
fit_tails(struct lore_moves *m, struct seen *s)
{
    if (s->n_r < LEAST)
        return;
    qsort(s->r, s->n_r, sizeof *s->r, by_number);
    m->num.tails[0] = lore_stats_percentile(s->r, s->n_r, 0.05);
    m->num.tails[1] = lore_stats_percentile(s->r, s->n_r, 0.95);
}

/* ---- all of it ---- */

/* For operators never seen: the share of moves that gain from states that someone comes by. Each
 * operator that was seen is one draw, however many its places, the first word too. */
struct rates {
    double rate, places;
};

static void
count_gains(
    const struct lore_moves *m, const struct moves_cell *c, uint64_t seed, struct rates *out)
{
    uint32_t at[STATES], to[NEIGHBOURS];
    double won = 0, n = 0;

    for (size_t i = 0, states = walk(m, c, &seed, STATES, at); i < states; i++) {
        size_t k = neighbours(m, c, at[i], to);
        for (size_t j = 0; j < k; j++, n++) {
            float after = lore_moves_time_at(c, to[j]);
            won += after > 0 && log((double)(lore_moves_time_at(c, at[i]) / after)) > MOVES_GAIN;
        }
    }
    out->rate += n > 0 ? won / n : 0;
    out->places += n > 0;
}

struct learning {
    struct lore_moves *m;
    struct lore_arena arena;
    struct cases *cases;
    struct seen seen;
    size_t places, every; /* of so many places one is asked */
    bool alone;           /* no operator has two places */
};

static bool
is_asked(const struct learning *l, const struct moves_op *op)
{
    return l->alone || op->n_cells > 1;
}

typedef void (*ask_fn)(struct learning *l, const struct moves_cell *c, uint64_t seed);

static void
each_place(struct learning *l, ask_fn fn)
{
    size_t k = 0;

    for (size_t o = 0; o < l->m->n_ops; o++) {
        const struct moves_op *op = &l->m->op[o];
        for (size_t i = 0; is_asked(l, op) && i < op->n_cells; i++)
            if (op->cell[i]->best > 0 && k++ % l->every == 0)
                fn(l, op->cell[i], 31 + i);
    }
}

static void
take_cases(struct learning *l, const struct moves_cell *c, uint64_t seed)
{
    uint32_t at[APART * (CASES + 1)];
    size_t want = CASES * l->every / l->places + 1, n = walk(l->m, c, &seed, APART * want, at);

    for (size_t d = 0; d < n && l->cases->n < CASES; d += APART)
        take_case(l->m, c, at[d], &l->arena, l->cases);
}

static void
ask_place(struct learning *l, const struct moves_cell *c, uint64_t seed)
{
    ask_about(l->m, c, &seed, &l->seen, &l->arena);
}

static void
fit_base(struct lore_moves *m)
{
    double sum = m->num.base, n = 1;

    for (size_t o = 0; o < m->n_ops; o++) {
        const struct moves_op *op = &m->op[o];
        struct rates r = {0};
        for (size_t i = 0; i < op->n_cells; i += op->n_cells / PLACES + 1)
            if (op->cell[i]->best > 0)
                count_gains(m, op->cell[i], 5 + i, &r);
        sum += r.places > 0 ? r.rate / r.places : 0;
        n += r.places > 0;
    }
    m->num.base = sum / n;
}

void
lore_moves_fit(struct lore_moves *m)
{
    struct learning l = {.m = m, .arena = {.limit = (size_t)1 << 30}, .alone = true};

    lore_moves_numbers_default(&m->num);
    lore_moves_index(m);
    fit_base(m);
    for (size_t o = 0; o < m->n_ops; o++)
        l.alone &= m->op[o].n_cells < 2;
    for (size_t o = 0; o < m->n_ops; o++)
        l.places += is_asked(&l, &m->op[o]) ? m->op[o].n_cells : 0;
    l.every = l.places / PLACES + 1;
    l.cases = lore_alloc(&l.arena, sizeof *l.cases);
    if (!l.alone)
        each_place(&l, take_cases);
    if (l.cases->n > 0)
        climb(l.cases, &m->num);
    each_place(&l, ask_place);
    fit_odds(m, &l.seen, &l.arena);
    if (!l.alone)
        fit_tails(m, &l.seen);
    lore_moves_fit_starts(m);
    lore_arena_free(&l.arena);
}

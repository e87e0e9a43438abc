/* Learning what the choice of starts rests on: the variances of the fields of moves_field.c.
 *
 * Each place of the memory in turn is taken for the one asked about, with the others as what is
 * known. Of what was measured there a draw is made, most of it what the others call fast, the rest
 * any, and the numbers are those under which such draws are likeliest: a search by steps that get
 * smaller, with a weak prior around the defaults. The second field, which knows no other place, is
 * learned from the same draws; and how often a draw speaks for the one or the other is the prior of
 * the two. So nothing here looks at the place that will be asked about. */
#include "service/moves/moves_fit_starts.h"

#include <math.h>
#include <string.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_field.h"
#include "service/moves/moves_math.h"
#include "service/stats/random.h"

enum {
    DRAW = 32,  /* results of one case */
    FAST = 24,  /* of those what the other places call fast */
    DRAWS = 4,  /* per place */
    CASES = 48, /* at most: a library's operators have thousands of places */
    LEAST_DRAW = 8
};

struct cases {
    size_t n;
    size_t place[CASES]; /* cases of one place are one voice */
    size_t size[CASES];
    double loss[CASES];
    double blend[CASES][DRAW], y[CASES][DRAW];
    struct moves_common common[CASES][DRAW * DRAW];
};

static bool
is_drawn(const struct moves_point *drawn, size_t n, uint32_t id)
{
    for (size_t i = 0; i < n; i++)
        if (drawn[i].id == id)
            return true;
    return false;
}

/* One of what a world calls fast, or one of what was measured on C. */
static uint32_t
draw(const struct moves_view *v, const struct moves_cell *c, bool fast, uint64_t *seed)
{
    const struct moves_cell *w = v->world[lore_random_below(seed, v->n_worlds)].cell;

    if (fast)
        return v->op->states[w->top[lore_random_below(seed, w->n_top)]];
    const struct moves_time *t = &c->time[lore_random_below(seed, c->cap_times)];
    return t->time > 0 ? v->op->states[t->state - 1] : LORE_MOVES_NONE;
}

static void
take_case(const struct moves_view *v, const struct moves_cell *c, size_t place, uint64_t *seed,
    struct cases *out)
{
    struct lore_arena arena = {.limit = (size_t)64 << 20};
    struct moves_point point[DRAW];
    size_t n = 0, k = out->n;

    for (size_t tries = 0; tries < 40 * DRAW && n < DRAW; tries++) {
        uint32_t id = draw(v, c, n < FAST && tries < 20 * DRAW, seed);
        double f = id != LORE_MOVES_NONE ? lore_moves_fraction(v->m, c, id) : NAN;
        if (!isfinite(f) || is_drawn(point, n, id))
            continue;
        lore_moves_point(v, id, &arena, &point[n]);
        if (isnan(point[n].blend))
            continue;
        out->blend[k][n] = (double)point[n].blend;
        out->y[k][n++] = f;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            out->common[k][i * DRAW + j] = lore_moves_common(v, &point[i], &point[j]);
    out->size[k] = n;
    out->place[k] = place;
    out->loss[k] = v->loss;
    out->n += n >= LEAST_DRAW;
    lore_arena_free(&arena);
}

static void
take_cases(const struct lore_moves *m, struct cases *out)
{
    size_t places = 0, k = 0;

    for (size_t o = 0; o < m->n_ops; o++)
        places += m->op[o].n_cells > 1 ? m->op[o].n_cells : 0;
    size_t every = places / CASES + 1, draws = places > 0 ? CASES / places : 0;
    draws = draws < 1 ? 1 : draws > DRAWS ? DRAWS : draws;
    for (size_t o = 0; o < m->n_ops; o++) {
        for (size_t i = 0; m->op[o].n_cells > 1 && i < m->op[o].n_cells; i++, k++) {
            const struct moves_cell *c = m->op[o].cell[i];
            struct moves_view v;
            uint64_t seed = 21 + k;
            if (k % every != 0 || !(c->best > 0))
                continue;
            lore_moves_view(m, (uint32_t)o, c->chip, &v);
            for (size_t d = 0; v.n_worlds > 0 && d < draws && out->n < CASES; d++)
                take_case(&v, c, k, &seed, out);
        }
    }
}

/* ln likelihood of case K under numbers S. */
static double
likelihood(const struct cases *c, size_t k, const double *s)
{
    double root[DRAW * DRAW], rest[DRAW], sum = 0, loss = s[START_BELIEF] > 0 ? c->loss[k] : 1;

    for (size_t i = 0; i < c->size[k]; i++) {
        double b = c->blend[k][i], r = c->y[k][i] - lore_moves_expected(s, b);
        for (size_t j = 0; j <= i; j++) {
            double x =
                lore_moves_covariance(s, c->common[k][i * DRAW + j], loss, b, c->blend[k][j]);
            x += i == j ? lore_moves_noise(s, loss, b) : 0;
            for (size_t l = 0; l < j; l++)
                x -= root[i * DRAW + l] * root[j * DRAW + l];
            root[i * DRAW + j] = i == j ? sqrt(fmax(x, 1e-9)) : x / root[j * DRAW + j];
        }
        for (size_t j = 0; j < i; j++)
            r -= root[i * DRAW + j] * rest[j];
        rest[i] = r / root[i * DRAW + i];
        sum -= log(root[i * DRAW + i]) + rest[i] * rest[i] / 2;
    }
    return sum;
}

/* What keeps few cases from saying much: a factor of e^2 from the default is one deviation. */
static double
posterior(const struct cases *c, const double *s, const double *prior)
{
    double sum = 0;

    for (size_t i = 0; i < STARTS; i++)
        if (prior[i] > 0)
            sum -= pow(log(s[i] / prior[i]) / 2, 2) / 2;
    for (size_t k = 0; k < c->n; k++)
        sum += likelihood(c, k, s);
    return sum;
}

#define WIDEST 4.0 /* octaves: what differs alike farther out is a trend */

/* Numbers that are 0 by default are no part of the field, and belief is not learned. */
static void
climb(const struct cases *c, double *s)
{
    double prior[STARTS], step = 2;

    memcpy(prior, s, sizeof prior);
    double best = posterior(c, s, prior);
    while (step > 1.15) {
        bool moved = false;
        for (size_t i = 0; i < 2 * STARTS; i++) {
            double *x = &s[i / 2], was = *x;
            if (!(was > 0) || i / 2 == START_BELIEF)
                continue;
            *x = i % 2 ? was / step : was * step;
            double found = *x > 1e-6 && *x < (i / 2 == START_WIDTH ? WIDEST : 1e3)
                               ? posterior(c, s, prior)
                               : -INFINITY;
            if (found > best + 1e-3) {
                best = found;
                moved = true;
            } else {
                *x = was;
            }
        }
        step = moved ? step : sqrt(step);
    }
}

enum { ROUNDS = 30 };

/* The share of places that are like others, with one that is and one that is not seen before. */
static double
alike(const struct cases *c, const struct moves_numbers *num)
{
    double share = 0.5, diff[CASES];

    for (size_t k = 0; k < c->n; k++)
        diff[k] = likelihood(c, k, num->start) - likelihood(c, k, num->blank);
    for (int r = 0; r < ROUNDS; r++) {
        double sum = 1, n = 2;
        for (size_t i = 0, j; i < c->n; i = j) {
            double place = 0;
            for (j = i; j < c->n && c->place[j] == c->place[i]; j++)
                place += lore_moves_sigmoid(diff[j] + log(share / (1 - share)));
            sum += place / (double)(j - i);
            n++;
        }
        share = sum / n;
    }
    return share;
}

void
lore_moves_fit_starts(struct lore_moves *m)
{
    struct lore_arena arena = {.limit = (size_t)64 << 20};
    struct cases *c = lore_alloc(&arena, sizeof *c);

    take_cases(m, c);
    if (c->n > 0) {
        climb(c, m->num.start);
        climb(c, m->num.blank);
        m->num.start_alike = alike(c, &m->num);
    }
    lore_arena_free(&arena);
}

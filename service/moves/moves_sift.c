/* Choosing among a thousand candidates without asking the fields all of each.
 *
 * What a field knows of a candidate costs most in its variance: one covariance, and one step of a
 * solution, for each point of the field, the later the longer. But each further point only takes
 * from the variance, and the mean is had for less: the field's solution is the same for all
 * candidates. So a candidate is asked about a few points first, which tells what it is worth at
 * most; what is no match for the best one already is not asked further. What was chosen is believed
 * to come out as expected, which changes no mean and takes from all variances: what a candidate was
 * worth at most before one choice, it is worth at most after it.
 *
 * The mean of candidate x is m(x) + sum over results i of c(x, i) a(i), a = K^-1 (y - m - level).
 * The parts of c that are products of something of x and something of i need one sum each for all
 * candidates; what is close by, and which texts are the same, is summed for each, results side by
 * side. Those sums are in single precision: an allowance for that is on top of the mean until all
 * that the field was told was asked for. */
#include "service/moves/moves_sift.h"

#include <math.h>

enum {
    FIRST = 4, /* points that a candidate is asked about at first; then twice as many each time */
    LANES = 8  /* results side by side */
};
/* Of a sum of single precision products as large as 1, and of how much a value may be off before it
 * is no tie: rounding. */
#define ROUGHLY 4e-6
#define NEARLY (1 + 1e-9)

/* ---- means ---- */

struct told { /* what a field was told, so that a mean is few sums */
    double all, blend, worlds[MOVES_SOURCES], trend[LORE_MOVES_PARAMS];
    float a[MOVES_TOLD], per_width;
    double allowance;
};
struct results { /* coordinates, side by side */
    float at[LORE_MOVES_PARAMS][MOVES_TOLD];
    size_t n; /* rounded up */
};

/* a of F: the factor's transposed solution of what it was told, as it is whitened in rest. */
static void
solve(const struct moves_field *f, double *a)
{
    for (size_t i = f->n; i-- > 0;) {
        a[i] = f->rest[i];
        for (size_t j = i + 1; j < f->n; j++)
            a[i] -= f->root[j * f->cap + i] * a[j];
        a[i] /= f->root[i * f->cap + i];
    }
}

static void
sum_up(const struct moves_field *f, struct told *t)
{
    const struct moves_view *v = f->view;
    double a[MOVES_TOLD], size = 0;

    *t = (struct told){.per_width = (float)(1 / (f->s[START_WIDTH] * f->s[START_WIDTH]))};
    solve(f, a);
    for (size_t i = 0; i < f->n; i++) {
        const struct moves_point *p = f->at[i];
        t->a[i] = (float)a[i];
        size += fabs(a[i]);
        t->all += a[i];
        t->blend += a[i] * (double)p->blend;
        for (size_t w = 0; w < v->n_worlds; w++)
            t->worlds[w] += a[i] * (double)p->apart[w];
        for (size_t k = 0; k < v->op->n_params; k++)
            t->trend[k] += a[i] * (double)((p->apart[v->n_worlds + k] - v->mean[k]) * v->spread[k]);
    }
    t->allowance = ROUGHLY * f->loss * size *
                   (f->s[START_LOCAL] + f->s[START_TREND] * __builtin_popcount(v->symbolic));
}

static void
lay_out(const struct moves_field *f, struct results *r)
{
    *r = (struct results){.n = (f->n + LANES - 1) / LANES * LANES};
    for (size_t i = 0; i < f->n; i++)
        for (size_t p = 0; p < f->view->op->n_params; p++)
            r->at[p][i] = f->at[i]->apart[f->view->n_worlds + p];
}

/* Squared distances of P to eight results from I on, and how many texts are the same. */
static void
compare(const struct moves_view *v, const struct results *r, size_t i, const struct moves_point *p,
    float *distance, float *same)
{
    for (size_t k = 0; k < v->op->n_params; k++) {
        float x = p->apart[v->n_worlds + k];
        const float *y = &r->at[k][i];
        if ((v->symbolic >> k & 1) != 0) {
            for (size_t l = 0; l < LANES; l++) {
                float equal = x == y[l] ? 1 : 0;
                same[l] += equal;
                distance[l] += 1 - equal;
            }
            continue;
        }
        for (size_t l = 0; l < LANES; l++)
            distance[l] += (x - y[l]) * (x - y[l]);
    }
}

/* What F and T make of eight results, A of the solution, at those distances. */
static float
local(const struct moves_field *f, const struct told *t, const float *a, const float *distance,
    const float *same)
{
    float by_local = (float)f->s[START_LOCAL], by_trend = (float)f->s[START_TREND], sum = 0;
    float part[LANES];

    for (size_t l = 0; l < LANES; l++) {
        float near = 1 / (1 + distance[l] * t->per_width);
        part[l] = a[l] * (by_local * near * near * near + by_trend * same[l]);
    }
    for (size_t l = 0; l < LANES; l++)
        sum += part[l];
    return sum;
}

/* The mean of P as far as it is made of products. */
static double
product(const struct moves_field *f, const struct told *t, const struct moves_point *p)
{
    const struct moves_view *v = f->view;
    double worlds = 0, trend = 0;

    for (uint64_t left = p->tried; left != 0; left &= left - 1) {
        size_t w = (size_t)__builtin_ctzll(left);
        worlds += t->worlds[w] * (double)p->apart[w];
    }
    for (size_t k = 0; k < v->op->n_params; k++)
        if ((v->symbolic >> k & 1) == 0)
            trend += t->trend[k] * (double)(p->apart[v->n_worlds + k] - v->mean[k]);
    return f->s[START_SHIFT] * t->all + f->s[START_WORLDS] * worlds +
           f->s[START_SLOPE] * t->blend * (double)p->blend + f->s[START_TREND] * trend;
}

/* Of all candidates, in all fields. */
static void
foresee(struct moves_sift *s)
{
    const struct moves_view *v = s->field->view;
    struct told told[MOVES_FIELDS];
    struct results results;
    double allowance = 0;

    lay_out(s->field, &results);
    for (size_t f = 0; f < MOVES_FIELDS; f++) {
        sum_up(&s->field[f], &told[f]);
        allowance = fmax(allowance, told[f].allowance);
    }
    for (size_t k = 0; k < s->n; k++) {
        double near[MOVES_FIELDS] = {0};
        for (size_t i = 0; !s->out[k] && i < results.n; i += LANES) {
            float distance[LANES] = {0}, same[LANES] = {0};
            compare(v, &results, i, &s->point[k], distance, same);
            for (size_t f = 0; f < MOVES_FIELDS; f++)
                near[f] += (double)local(&s->field[f], &told[f], told[f].a + i, distance, same);
        }
        for (size_t f = 0; !s->out[k] && f < MOVES_FIELDS; f++)
            s->mean[k * MOVES_FIELDS + f] =
                lore_moves_sift_guess(s, k, f)->mean + allowance +
                s->field[f].loss * (product(&s->field[f], &told[f], &s->point[k]) + near[f]);
    }
}

void
lore_moves_sift(struct moves_sift *s, struct lore_arena *arena)
{
    s->arena = arena;
    s->guess = lore_alloc_array(arena, s->n * MOVES_FIELDS + 1, sizeof *s->guess);
    s->mean = lore_alloc_array(arena, s->n * MOVES_FIELDS + 1, sizeof *s->mean);
    s->whitened = lore_alloc_array(arena, s->n + 1, sizeof *s->whitened);
    s->told = s->field->n;
    for (size_t k = 0; k < s->n; k++)
        for (size_t f = 0; !s->out[k] && f < MOVES_FIELDS; f++)
            lore_moves_field_begin(&s->field[f], &s->point[k], &s->guess[k * MOVES_FIELDS + f]);
    if (s->told > 0)
        foresee(s);
    for (size_t i = 0; i < MOVES_WISHES; i++) {
        s->most[i] = lore_alloc_array(arena, s->n + 1, sizeof *s->most[i]);
        for (size_t k = 0; k < s->n; k++)
            s->most[i][k] = INFINITY;
    }
}

double
lore_moves_sift_mean(const struct moves_sift *s, size_t k, size_t field)
{
    const struct moves_guess *g = lore_moves_sift_guess(s, k, field);

    return g->seen < s->told ? s->mean[k * MOVES_FIELDS + field] : g->mean;
}

/* ---- choosing ---- */

/* Candidate K is asked about the points up to TO. */
static void
go_on(struct moves_sift *s, size_t k, size_t to)
{
    struct moves_guess *g = &s->guess[k * MOVES_FIELDS];
    struct moves_common common[MOVES_KNOWN];
    size_t cap = s->field->cap, seen = g->seen;

    if (!s->whitened[k])
        s->whitened[k] = lore_alloc_array(s->arena, cap * MOVES_FIELDS, sizeof **s->whitened);
    for (size_t i = seen; i < to; i++)
        common[i - seen] = lore_moves_common(s->field->view, &s->point[k], s->field->at[i]);
    for (size_t f = 0; f < MOVES_FIELDS; f++)
        lore_moves_field_ask(
            &s->field[f], &s->point[k], common, to - seen, s->whitened[k] + f * cap, &g[f]);
}

struct best {
    size_t k;
    double value;
};

/* Ask about K as long as it may be the best. */
static void
consider(struct moves_sift *s, const struct moves_wish *wish, size_t k, struct best *best)
{
    size_t known = s->field->n;

    for (;;) {
        size_t seen = lore_moves_sift_guess(s, k, 0)->seen;
        double value = seen > 0 || known == 0 ? wish->value(wish->ctx, k) : INFINITY;
        if (known > 0)
            s->most[wish->which][k] = value;
        if (value * NEARLY < best->value)
            return;
        if (seen == known) {
            if (value > best->value || (value == best->value && k < best->k))
                *best = (struct best){k, value};
            return;
        }
        seen = seen < FIRST ? FIRST : 2 * seen;
        go_on(s, k, seen < known ? seen : known);
    }
}

size_t
lore_moves_sift_best(struct moves_sift *s, const struct moves_wish *wish)
{
    const double *most = s->most[wish->which];
    struct best best = {s->n, -1};
    size_t first = s->n;

    for (size_t k = 0; k < s->n; k++)
        if (!s->out[k] && (first == s->n || most[k] > most[first]))
            first = k;
    if (first < s->n)
        consider(s, wish, first, &best);
    for (size_t k = 0; k < s->n; k++)
        if (!s->out[k] && k != first && most[k] * NEARLY >= best.value)
            consider(s, wish, k, &best);
    return best.k;
}

void
lore_moves_sift_believe(struct moves_sift *s, size_t k)
{
    s->out[k] = true;
    for (size_t f = 0; f < MOVES_FIELDS; f++)
        lore_moves_field_believe(&s->field[f], &s->point[k], lore_moves_sift_guess(s, k, f),
            s->whitened[k] != NULL ? s->whitened[k] + f * s->field[f].cap : NULL);
}

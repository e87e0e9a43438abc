/* ln(fraction of the optimum) over the configurations of an operator on one place, as a Gaussian
 * field. Its mean is what the other places say, each weighed by 1 / loss, less what their best
 * usually lacks elsewhere. Its covariance has a part for each way in which a place is unlike the
 * others together: all of it is higher or lower (shift); it is more like some of them than like
 * others (worlds: the covariance of a draw among them); flatter or steeper (slope); values of a
 * parameter are better or worse here throughout (trend); configurations close by differ alike
 * (local); and each for itself, more so far below the best (noise, deep). All but the field that
 * knows no other place is scaled by the loss of the nearest one. Results here are ln 1/time, which
 * is the optimum's, the level, plus ln fraction; nothing is known of the level before. */
#include "service/moves/moves_field.h"

#include <math.h>

struct moves_common
lore_moves_common(
    const struct moves_view *v, const struct moves_point *a, const struct moves_point *b)
{
    struct moves_common c = {0};
    const float *x = a->apart + v->n_worlds, *y = b->apart + v->n_worlds;

    for (uint64_t both = a->tried & b->tried; both != 0; both &= both - 1) {
        size_t i = (size_t)__builtin_ctzll(both);
        c.worlds += (double)(a->apart[i] * b->apart[i]);
    }
    for (size_t p = 0; p < v->op->n_params; p++) {
        if ((v->symbolic >> p & 1) != 0) {
            c.trend += x[p] == y[p];
            c.distance += x[p] != y[p];
            continue;
        }
        c.trend += (double)((x[p] - v->mean[p]) * (y[p] - v->mean[p]) * v->spread[p]);
        c.distance += (double)((x[p] - y[p]) * (x[p] - y[p]));
    }
    return c;
}

double
lore_moves_covariance(
    const double *s, struct moves_common c, double loss, double blend_a, double blend_b)
{
    double near = 1 / (1 + c.distance / (s[START_WIDTH] * s[START_WIDTH]));

    return loss *
           (s[START_SHIFT] + s[START_WORLDS] * c.worlds + s[START_SLOPE] * blend_a * blend_b +
               s[START_TREND] * c.trend + s[START_LOCAL] * near * near * near);
}

double
lore_moves_expected(const double *s, double blend)
{
    return s[START_BELIEF] * blend - s[START_LACK];
}

double
lore_moves_noise(const double *s, double loss, double blend)
{
    return loss * (s[START_NOISE] + s[START_DEEP] * fmin(1, fabs(blend)));
}

void
lore_moves_field(const struct moves_view *v, const double *s, size_t cap, struct lore_arena *arena,
    struct moves_field *out)
{
    *out = (struct moves_field){.view = v,
        .s = s,
        .loss = s[START_BELIEF] > 0 ? v->loss : 1,
        .cap = cap,
        .best = -INFINITY,
        .at = lore_alloc_array(arena, cap + 1, sizeof *out->at),
        .root = lore_alloc_array(arena, cap * cap + 1, sizeof *out->root),
        .one = lore_alloc_array(arena, cap + 1, sizeof *out->one),
        .ones = lore_alloc_array(arena, cap + 1, sizeof *out->ones),
        .rest = lore_alloc_array(arena, cap + 1, sizeof *out->rest)};
}

/* Variance when the level is known. */
static double
left_of(const struct moves_guess *g)
{
    return fmax(g->left, 1e-9);
}

/* A point more, whose whitened covariances are K and what they leave of its variance LEFT. */
static void
add(struct moves_field *f, const struct moves_point *p, const double *k, double left)
{
    double one = 1, *row = f->root + f->n * f->cap;

    for (size_t j = 0; j < f->n; j++) {
        row[j] = k[j];
        one -= k[j] * f->one[j];
    }
    row[f->n] = sqrt(left);
    f->one[f->n] = one / row[f->n];
    f->ones[f->n + 1] = f->ones[f->n] + f->one[f->n] * f->one[f->n];
    f->at[f->n++] = p;
}

void
lore_moves_field_told(struct moves_field *f, const struct moves_point *const *at, const double *y,
    size_t n, struct lore_arena *arena)
{
    double *k = lore_alloc_array(arena, f->cap + 1, sizeof *k), sum = 0, squares = 0, det = 0;
    struct moves_common *common = lore_alloc_array(arena, f->cap + 1, sizeof *common);

    for (size_t i = 0; i < n && f->n < f->cap; i++) {
        struct moves_guess g;
        lore_moves_field_begin(f, at[i], &g);
        for (size_t j = 0; j < f->n; j++)
            common[j] = lore_moves_common(f->view, at[i], f->at[j]);
        lore_moves_field_ask(f, at[i], common, f->n, k, &g);
        add(f, at[i], k, left_of(&g));
        f->rest[i] = (y[i] - g.mean) / sqrt(left_of(&g));
        sum += f->one[i] * f->rest[i];
        det += log(left_of(&g)) / 2;
        f->best = fmax(f->best, y[i]);
    }
    if (f->n == 0)
        return;
    f->level = sum / f->ones[f->n];
    for (size_t i = 0; i < f->n; i++) {
        f->rest[i] -= f->level * f->one[i];
        squares += f->rest[i] * f->rest[i];
    }
    f->log_evidence = -det - squares / 2 - log(f->ones[f->n]) / 2;
}

void
lore_moves_field_begin(
    const struct moves_field *f, const struct moves_point *p, struct moves_guess *out)
{
    double blend = (double)p->blend;
    struct moves_common self = lore_moves_common(f->view, p, p);

    *out = (struct moves_guess){.mean = lore_moves_expected(f->s, blend),
        .left = lore_moves_covariance(f->s, self, f->loss, blend, blend) +
                lore_moves_noise(f->s, f->loss, blend)};
}

void
lore_moves_field_ask(const struct moves_field *f, const struct moves_point *p,
    const struct moves_common *common, size_t n, double *k, struct moves_guess *g)
{
    double blend = (double)p->blend;

    for (; n > 0; n--, common++) {
        size_t i = g->seen++;
        double x = lore_moves_covariance(f->s, *common, f->loss, blend, (double)f->at[i]->blend);
        for (size_t j = 0; j < i; j++)
            x -= f->root[i * f->cap + j] * k[j];
        k[i] = x / f->root[i * f->cap + i];
        g->mean += k[i] * f->rest[i];
        g->left -= k[i] * k[i];
        g->one += k[i] * f->one[i];
    }
}

double
lore_moves_variance(const struct moves_field *f, const struct moves_guess *g)
{
    return left_of(g) + (g->seen > 0 ? g->one * g->one / f->ones[g->seen] : 0);
}

double
lore_moves_gain_variance(const struct moves_field *f, const struct moves_guess *g)
{
    return left_of(g) + (g->seen > 0 ? (1 - g->one) * (1 - g->one) / f->ones[g->seen] : 0);
}

void
lore_moves_field_believe(struct moves_field *f, const struct moves_point *p,
    const struct moves_guess *g, const double *k)
{
    if (f->n == f->cap)
        return;
    f->best = fmax(f->best, f->level + g->mean);
    add(f, p, k, left_of(g));
    f->rest[f->n - 1] = 0;
}

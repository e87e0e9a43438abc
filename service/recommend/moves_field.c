/* ln(fraction of the optimum) over the configurations of an operator on one place, as a Gaussian
 * field. Its mean is what the other places say, each weighed by 1 / loss, less what their best
 * usually lacks elsewhere. Its covariance has a part for each way in which a place is unlike the
 * others together: all of it is higher or lower (shift); it is more like some of them than like
 * others (worlds: the covariance of a draw among them); flatter or steeper (slope); values of a
 * parameter are better or worse here throughout (trend); configurations close by differ alike
 * (local); and each for itself, more so far below the best (noise, deep). All but the field that
 * knows no other place is scaled by the loss of the nearest one. Results here are ln 1/time, which
 * is the optimum's, the level, plus ln fraction; nothing is known of the level before. */
#include "moves_field.h"

#include <math.h>
#include <string.h>

/* Each value counts once, however many configurations have it. */
static void
spread_of(const struct moves_param *p, float *mean, float *spread)
{
    double s = 0, ss = 0, n = (double)p->n_values - 1;

    for (size_t i = 1; i < p->n_values; i++) {
        s += (double)p->coord[i];
        ss += (double)p->coord[i] * (double)p->coord[i];
    }
    double variance = n > 0 ? ss / n - s / n * (s / n) : 0;
    *mean = n > 0 ? (float)(s / n) : 0;
    *spread = variance > 1e-6 ? (float)(1 / variance) : 0;
}

void
lore_moves_view(
    const struct lore_moves *m, uint32_t op, uint32_t chip, bool new, struct moves_view *out)
{
    struct moves_source source[MOVES_SOURCES];
    double rough = lore_moves_rough(&m->op[op], NULL);
    size_t n = lore_moves_sources(m, op, chip, rough, source);
    struct moves_asked asked;
    double sum = 0;

    lore_moves_ask(m, op, chip, &asked);
    asked.own = new ? NULL : asked.own;
    asked.rough = rough; /* the numbers of the field serve smooth operators and rough ones */

    *out = (struct moves_view){.m = m, .op = &m->op[op], .loss = 1};
    for (size_t i = 0; i < n; i++) {
        if (source[i].cell->chip == chip || !(source[i].cell->best > 0))
            continue;
        double loss = fmax(0.01, lore_moves_loss(&asked, source[i].cell->at));
        out->world[out->n_worlds++] = (struct moves_world){.cell = source[i].cell,
            .loss = loss,
            .weight = 1 / loss,
            .vendor = source[i].reach != LORE_MOVES_OTHER_VENDOR};
        sum += 1 / loss;
        out->loss = out->n_worlds == 1 ? loss : fmin(loss, out->loss);
    }
    for (size_t i = 0; i < out->n_worlds; i++)
        out->world[i].weight /= sum;
    for (size_t p = 0; p < out->op->n_params; p++)
        spread_of(&out->op->param[p], &out->mean[p], &out->spread[p]);
    out->stride = out->n_worlds + out->op->n_params;
}

void
lore_moves_point(const struct moves_view *v, uint32_t id, const float *said,
    struct lore_arena *arena, struct moves_point *out)
{
    double ran = 0, fail = 0, sum = 0, f[MOVES_SOURCES];
    uint32_t at = v->m->state[id].at;

    *out = (struct moves_point){
        .id = id, .apart = lore_alloc_array(arena, v->stride + 1, sizeof *out->apart)};
    for (size_t i = 0; i < v->n_worlds; i++) {
        const struct moves_world *w = &v->world[i];
        f[i] = said ? (double)said[i] : lore_moves_fraction(v->m, w->cell, id);
        fail += isinf(f[i]) ? w->weight : 0;
        out->barred |= isinf(f[i]) && w->vendor;
        ran += isfinite(f[i]) ? w->weight : 0;
        sum += isfinite(f[i]) ? w->weight * f[i] : 0;
    }
    out->blend = ran > 0 ? (float)(sum / ran) : NAN;
    out->fail = ran + fail > 0 ? (float)(fail / (ran + fail)) : 0;
    for (size_t i = 0; i < v->n_worlds; i++)
        out->apart[i] = isfinite(f[i]) ? (float)(sqrt(v->world[i].weight) * (f[i] - sum / ran)) : 0;
    for (size_t p = 0; p < v->op->n_params; p++) {
        uint32_t value = lore_moves_value(v->op, p, at);
        const struct moves_param *x = &v->op->param[p];
        out->apart[v->n_worlds + p] =
            x->symbolic ? (float)(value ? value : x->stands) : x->coord[value];
    }
}

struct moves_common
lore_moves_common(
    const struct moves_view *v, const struct moves_point *a, const struct moves_point *b)
{
    struct moves_common c = {0};
    const float *x = a->apart + v->n_worlds, *y = b->apart + v->n_worlds;

    for (size_t i = 0; i < v->n_worlds; i++)
        c.worlds += (double)(a->apart[i] * b->apart[i]);
    for (size_t p = 0; p < v->op->n_params; p++) {
        if (v->op->param[p].symbolic) {
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
        .rest = lore_alloc_array(arena, cap + 1, sizeof *out->rest)};
}

void
lore_moves_commons(
    const struct moves_field *f, const struct moves_point *p, size_t seen, struct moves_common *out)
{
    out[f->n] = lore_moves_common(f->view, p, p);
    for (size_t i = seen; i < f->n; i++)
        out[i] = lore_moves_common(f->view, p, f->at[i]);
}

/* Whitened covariances of P with the points of F from SEEN on, and the variance that is left. */
static double
whiten(const struct moves_field *f, const struct moves_point *p, const struct moves_common *common,
    double *k, size_t seen)
{
    double blend = (double)p->blend;
    double left = lore_moves_covariance(f->s, common[f->n], f->loss, blend, blend) +
                  lore_moves_noise(f->s, f->loss, blend);

    for (size_t i = seen; i < f->n; i++) {
        double x = lore_moves_covariance(f->s, common[i], f->loss, blend, (double)f->at[i]->blend);
        for (size_t j = 0; j < i; j++)
            x -= f->root[i * f->cap + j] * k[j];
        k[i] = x / f->root[i * f->cap + i];
    }
    for (size_t i = 0; i < f->n; i++)
        left -= k[i] * k[i];
    return fmax(left, 1e-9);
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
    f->ones += f->one[f->n] * f->one[f->n];
    f->at[f->n++] = p;
}

void
lore_moves_field_told(struct moves_field *f, const struct moves_point *const *at, const double *y,
    size_t n, struct lore_arena *arena)
{
    double *k = lore_alloc_array(arena, f->cap + 1, sizeof *k), sum = 0, squares = 0, det = 0;
    struct moves_common *common = lore_alloc_array(arena, f->cap + 1, sizeof *common);

    for (size_t i = 0; i < n && f->n < f->cap; i++) {
        lore_moves_commons(f, at[i], 0, common);
        double left = whiten(f, at[i], common, k, 0);
        double r = y[i] - lore_moves_expected(f->s, (double)at[i]->blend);
        for (size_t j = 0; j < f->n; j++)
            r -= k[j] * f->rest[j];
        add(f, at[i], k, left);
        f->rest[f->n - 1] = r / sqrt(left);
        sum += f->one[f->n - 1] * f->rest[f->n - 1];
        det += log(left) / 2;
        f->best = fmax(f->best, y[i]);
    }
    if (f->n == 0)
        return;
    f->level = sum / f->ones;
    for (size_t i = 0; i < f->n; i++) {
        f->rest[i] -= f->level * f->one[i];
        squares += f->rest[i] * f->rest[i];
    }
    f->log_evidence = -det - squares / 2 - log(f->ones) / 2;
}

void
lore_moves_field_ask(const struct moves_field *f, const struct moves_point *p,
    const struct moves_common *common, double *k, size_t seen, struct moves_guess *out)
{
    double left = whiten(f, p, common, k, seen), ones = 0;

    out->mean = lore_moves_expected(f->s, (double)p->blend);
    for (size_t i = 0; i < f->n; i++) {
        out->mean += k[i] * f->rest[i];
        ones += k[i] * f->one[i];
    }
    out->left = left;
    out->variance = left + (f->n > 0 ? ones * ones / f->ones : 0);
    out->gain_variance = left + (f->n > 0 ? (1 - ones) * (1 - ones) / f->ones : 0);
}

void
lore_moves_field_believe(struct moves_field *f, const struct moves_point *p,
    const struct moves_guess *g, const double *k)
{
    if (f->n == f->cap)
        return;
    f->best = fmax(f->best, f->level + g->mean);
    add(f, p, k, g->left);
    f->rest[f->n - 1] = 0;
}

/* The little numerics that the model of moves needs: a Cholesky solver, a ridge logistic regression
 * by Newton's method, and the functions around the normal and logistic curves. */
#include <math.h>
#include <string.h>

#include "service/moves/moves_math.h"

double
lore_moves_sigmoid(double x)
{
    return 1 / (1 + exp(-x));
}

double
lore_moves_logit(double p)
{
    p = fmin(fmax(p, 1e-3), 1 - 1e-3);
    return log(p / (1 - p));
}

double
lore_moves_normal(double z)
{
    return 0.5 * erfc(-z * 0.70710678118654752);
}

double
lore_moves_density(double z)
{
    return exp(-z * z / 2) / sqrt(2 * acos(-1));
}

double
lore_moves_positive(double mean, double deviation)
{
    if (!(deviation > 1e-9))
        return fmax(0, mean);
    double d = mean / deviation;
    return mean * lore_moves_normal(d) + deviation * lore_moves_density(d);
}

enum { NEWTON_STEPS = 12, HALVINGS = 8 };

static double
eta_of(const struct lore_moves_observed *o, size_t i, const double *w)
{
    double eta = 0;

    for (size_t j = 0; j < o->k; j++)
        eta += w[j] * o->x[i * o->k + j];
    return eta;
}

/* What the regression makes small. */
static double
cost(const struct lore_moves_observed *o, double ridge, const double *prior, const double *w)
{
    double sum = 0;

    for (size_t j = 0; j < o->k; j++)
        sum += ridge * (w[j] - prior[j]) * (w[j] - prior[j]) / 2;
    for (size_t i = 0; i < o->n; i++) {
        double eta = eta_of(o, i, w);
        eta = o->y[i] ? -eta : eta;
        sum += o->weight[i] * (eta > 30 ? eta : log1p(exp(eta)));
    }
    return sum;
}

/* Solve the N x N system A x = B, A symmetric and positive definite (destroyed). */
static void
solve(double *a, double *b, size_t n)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t k = 0; k < j; k++)
            for (size_t i = j; i < n; i++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
        double d = sqrt(fmax(a[j * n + j], 1e-12));
        for (size_t i = j; i < n; i++)
            a[i * n + j] /= d;
    }
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < i; k++)
            b[i] -= a[i * n + k] * b[k];
        b[i] /= a[i * n + i];
    }
    for (size_t i = n; i-- > 0;) {
        for (size_t k = i + 1; k < n; k++)
            b[i] -= a[k * n + i] * b[k];
        b[i] /= a[i * n + i];
    }
}

/* One of Newton's steps into G. */
static void
newton(const struct lore_moves_observed *o, double ridge, const double *prior, const double *w,
    double *h, double *g)
{
    size_t k = o->k;

    memset(h, 0, k * k * sizeof *h);
    for (size_t j = 0; j < k; j++) {
        g[j] = ridge * (prior[j] - w[j]);
        h[j * k + j] = ridge;
    }
    for (size_t i = 0; i < o->n; i++) {
        double p = lore_moves_sigmoid(eta_of(o, i, w)), r = o->weight[i] * (o->y[i] - p);
        double v = o->weight[i] * fmax(p * (1 - p), 1e-4);
        for (size_t j = 0; j < k; j++) {
            g[j] += r * o->x[i * k + j];
            for (size_t l = 0; l <= j; l++)
                h[j * k + l] += v * o->x[i * k + j] * o->x[i * k + l];
        }
    }
    solve(h, g, k);
}

void
lore_moves_logistic(
    const struct lore_moves_observed *o, double ridge, double *w, struct lore_arena *arena)
{
    size_t k = o->k;
    double *prior = lore_memdup(arena, w, k * sizeof *w), *was = lore_alloc_array(arena, k, 8);
    double *h = lore_alloc_array(arena, k * k, sizeof *h), *g = lore_alloc_array(arena, k, 8);
    double least = cost(o, ridge, prior, w);

    for (int step = 0; step < NEWTON_STEPS; step++) {
        double share = 1;
        memcpy(was, w, k * sizeof *w);
        newton(o, ridge, prior, w, h, g);
        for (int halving = 0; halving < HALVINGS; halving++, share /= 2) {
            for (size_t j = 0; j < k; j++)
                w[j] = was[j] + share * g[j];
            double now = cost(o, ridge, prior, w);
            if (now <= least) {
                least = now;
                break;
            }
        }
    }
}

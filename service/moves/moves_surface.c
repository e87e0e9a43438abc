/* What all places say of the configurations around one, as a Gaussian field of ln(fraction of the
 * best there). Two results are alike as far as their places are (moves_kin.c), times how alike
 * their configurations are: values of a parameter are better or worse throughout (trend),
 * configurations close by are alike (wide and local), and each has something of its own that other
 * places share (same). How fast a place is at its best is not known, so only differences within a
 * place count. A change is the difference of two points of the field on the place asked about: a
 * result of its way back, a pair that was never compared and a run without an experiment all say
 * what they can. */
#include "service/moves/moves_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/moves/moves_kin.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_places.h"
#include "service/moves/moves_states.h"

/* Variances of the mean of all places and of each, which nobody knows, beside those of the field;
 * and how many results that scale of the field is worth before any was seen. */
#define LEVEL 4.0
#define OWN_LEVEL 0.3
#define SCALED 20.0
#define FAR 64.0f
#define FAIL_PRIOR 0.05 /* results that ran, before any */
#define NEAR 0.2        /* octaves within which a result speaks for another configuration */

/* ---- results near by ---- */

/* Squared octaves between two values. */
static float
gap(const struct moves_param *p, uint32_t a, uint32_t b)
{
    if (p->symbolic) {
        a = a == 0 ? p->stands : a;
        b = b == 0 ? p->stands : b;
        return a == b ? 0.0f : 1.0f;
    }
    float d = p->coord[a] - p->coord[b];
    return d * d;
}

/* Of every state: its distance from AT but for the parameter that differs most, and a little of
 * that one. One change away is near, whatever its size. */
static float *
nearness(const struct moves_op *op, uint32_t at, struct lore_arena *arena)
{
    float *sum = lore_alloc_array(arena, op->n_states, sizeof *sum);
    float *most = lore_alloc_array(arena, op->n_states, sizeof *most);

    for (size_t p = 0; p < op->n_params; p++) {
        const struct moves_param *x = &op->param[p];
        uint32_t mine = lore_moves_value(op, p, at);
        float *table = lore_alloc_array(arena, x->n_values, sizeof *table);
        for (uint32_t v = 0; v < x->n_values; v++)
            table[v] = gap(x, v, mine);
        for (size_t i = 0; i < op->n_states; i++) {
            float d = table[i < x->n_value ? x->value[i] : 0];
            sum[i] += d;
            most[i] = d > most[i] ? d : most[i];
        }
    }
    for (size_t i = 0; i < op->n_states; i++)
        sum[i] = fminf(FAR, sum[i] - most[i]) + 0.05f * fminf(FAR, most[i]) + 0.02f;
    return sum;
}

struct heap { /* the nearest results so far; the farthest on top */
    struct moves_known *v;
    size_t n, most;
};

static void
sink(struct heap *h, size_t i)
{
    for (size_t k = 2 * i + 1; k < h->n; i = k, k = 2 * i + 1) {
        k += k + 1 < h->n && h->v[k + 1].near > h->v[k].near;
        if (h->v[i].near >= h->v[k].near)
            return;
        struct moves_known t = h->v[i];
        h->v[i] = h->v[k];
        h->v[k] = t;
    }
}

static void
offer(struct heap *h, struct moves_known x)
{
    if (h->n == h->most) {
        if (x.near < h->v[0].near) {
            h->v[0] = x;
            sink(h, 0);
        }
        return;
    }
    h->v[h->n++] = x;
    for (size_t i = h->n / 2; h->n == h->most && i-- > 0;)
        sink(h, i);
}

/* What ran first, then by nearness; ties by place and configuration, so that answers repeat. */
static int
by_nearness(const void *a, const void *b)
{
    const struct moves_known *x = a, *y = b;

    if (isinf(x->v) != isinf(y->v))
        return isinf(x->v) ? 1 : -1;
    if (x->near != y->near)
        return x->near < y->near ? -1 : 1;
    if (x->cell->chip != y->cell->chip)
        return x->cell->chip < y->cell->chip ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The nearest results, of cell ONLY or of all but EXCEPT (either may be NULL), at most MOST. */
static size_t
find_known(const struct moves_surface *s, const float *near, const struct moves_cell *only,
    const struct moves_cell *except, size_t most, struct moves_known *out)
{
    struct heap h = {out, 0, most};

    for (size_t c = 0; most > 0 && c < s->op->n_cells; c++) {
        const struct moves_cell *cell = s->op->cell[c];
        float per = (float)(1 / fmax(0.02, s->kin[FINE][c]));
        if (cell == except || (only && cell != only) || !(cell->best > 0))
            continue;
        for (size_t i = 0; i < cell->cap_times; i++) {
            const struct moves_time *t = &cell->time[i];
            float n = t->state != 0 ? near[t->state - 1] * per : INFINITY;
            if (t->state == 0 || (h.n == most && n >= h.v[0].near))
                continue;
            float v = t->time > 0 ? -log1pf(logf(t->time / cell->best)) : -INFINITY;
            offer(&h, (struct moves_known){cell, t->state - 1, v, n});
        }
    }
    if (h.n > 1)
        qsort(h.v, h.n, sizeof *h.v, by_nearness);
    return h.n;
}

/* ---- the field ---- */

static void
coordinates(const struct moves_op *op, uint32_t at, float *out)
{
    for (size_t p = 0; p < op->n_params; p++) {
        const struct moves_param *x = &op->param[p];
        uint32_t v = lore_moves_value(op, p, at);
        out[p] = x->symbolic ? (float)(v ? v : x->stands) : x->coord[v];
    }
}

struct alike {           /* of two configurations */
    double coarse, fine; /* covariance on one place */
    double evidence;     /* how much a result of the one says of the other by itself */
};

static struct alike
alike(const struct moves_op *op, const double *f, const float *x, const float *y)
{
    float d = 0, trend = 0, value = 0,
          per = (float)(1 / (f[FIELD_TREND_WIDTH] * f[FIELD_TREND_WIDTH]));

    for (size_t p = 0; p < op->n_params; p++) {
        float g = x[p] - y[p];
        g = op->param[p].symbolic ? (g != 0) : g * g;
        d += g;
        value += g < 1e-6f;
        trend += 1 / (1 + g * per);
    }
    double local = 1 / (1 + (double)d / (f[FIELD_LOCAL_WIDTH] * f[FIELD_LOCAL_WIDTH]));
    double wide = 1 / (1 + (double)d / (f[FIELD_WIDE_WIDTH] * f[FIELD_WIDE_WIDTH]));
    double near = 1 / (1 + (double)d / (NEAR * NEAR));
    local = local * local * local;
    return (struct alike){
        (f[FIELD_TREND] * (double)trend + f[FIELD_VALUE] * (double)value) / (double)op->n_params +
            f[FIELD_WIDE] * wide * wide,
        f[FIELD_LOCAL] * local + (d < 1e-6f ? f[FIELD_SAME] : 0), near * near * near};
}

/* Kin of the places of all results. */
static void
relate(struct moves_surface *s, struct lore_arena *arena)
{
    const struct lore_moves *m = s->m;
    size_t *which = lore_alloc_array(arena, s->n_ran + 1, sizeof *which), n = 0;
    const struct moves_cell **cell = lore_alloc_array(arena, s->n_ran + 1, sizeof *cell);

    for (size_t i = 0; i < s->n_ran; i++) {
        size_t k = 0;
        while (k < n && cell[k] != s->known[i].cell)
            k++;
        cell[k] = s->known[i].cell;
        n += k == n;
        which[i] = k;
    }
    for (int g = 0; g < GRAINS; g++) {
        double *kin = lore_alloc_array(arena, n * n + 1, sizeof *kin);
        for (size_t a = 0; a < n; a++)
            for (size_t b = 0; b <= a; b++)
                kin[a * n + b] = kin[b * n + a] = lore_moves_kin(
                    s->num->kin + g * KINS, &m->chip[cell[a]->chip], &m->chip[cell[b]->chip]);
        s->between[g] = kin;
    }
    s->which = which;
    s->n_cells = n;
}

static void
solve(struct moves_surface *s, struct lore_arena *arena)
{
    const double *f = s->num->field;
    size_t n = s->n_ran, params = s->op->n_params;
    double *root = lore_alloc_array(arena, n * n + 1, sizeof *root);
    double *rest = lore_alloc_array(arena, n + 1, sizeof *rest);

    for (size_t i = 0; i < n; i++) {
        double v = (double)s->known[i].v;
        for (size_t j = 0; j <= i; j++) {
            bool one = s->which[i] == s->which[j];
            size_t pair = s->which[i] * s->n_cells + s->which[j];
            struct alike a = alike(s->op, f, &s->coord[i * params], &s->coord[j * params]);
            double x = LEVEL + (one ? OWN_LEVEL : 0) + s->between[COARSE][pair] * a.coarse +
                       s->between[FINE][pair] * a.fine;
            x += i == j ? f[FIELD_NOISE] + f[FIELD_DEEP] * fabs(v) : 0;
            for (size_t k = 0; k < j; k++)
                x -= root[i * n + k] * root[j * n + k];
            root[i * n + j] = i == j ? sqrt(fmax(x, 1e-9)) : x / root[j * n + j];
        }
        for (size_t k = 0; k < i; k++)
            v -= root[i * n + k] * rest[k];
        rest[i] = v / root[i * n + i];
    }
    s->root = root;
    s->rest = rest;
    s->scale = lore_moves_scale(s, n);
}

double
lore_moves_scale(const struct moves_surface *s, size_t n)
{
    double sum = SCALED;

    for (size_t i = 0; i < n; i++)
        sum += s->rest[i] * s->rest[i];
    return sum / ((double)n + SCALED);
}

void
lore_moves_solve_surface(struct moves_surface *s, struct lore_arena *arena)
{
    relate(s, arena);
    solve(s, arena);
}

void
lore_moves_around(const struct lore_moves *m, const struct moves_around *a,
    struct lore_arena *arena, struct moves_surface *out)
{
    const struct moves_op *op = &m->op[a->op];
    const float *near = nearness(op, a->at, arena);
    struct moves_known *known = lore_alloc_array(arena, a->most + a->own + 1, sizeof *known);

    *out = (struct moves_surface){
        .num = &m->num, .op = op, .m = m, .target = a->target, .known = known};
    for (int g = 0; g < GRAINS; g++) {
        double *kin = lore_alloc_array(arena, op->n_cells + 1, sizeof *kin);
        for (size_t c = 0; c < op->n_cells; c++)
            kin[c] = lore_moves_kin(
                m->num.kin + g * KINS, lore_moves_place(m, a->target), &m->chip[op->cell[c]->chip]);
        out->kin[g] = kin;
    }
    out->n = find_known(out, near, NULL, a->except, a->most, known);
    while (out->n_ran < out->n && !isinf(known[out->n_ran].v))
        out->n_ran++;
    if (a->own > 0) { /* failures of others say nothing of times */
        out->n = out->n_ran;
        out->n += find_known(out, near, a->except, NULL, a->own, known + out->n);
        while (out->n_ran < out->n && !isinf(known[out->n_ran].v))
            out->n_ran++;
    }
    out->coord = lore_alloc_array(arena, out->n * op->n_params + 1, sizeof *out->coord);
    for (size_t i = 0; i < out->n; i++)
        coordinates(op, known[i].at, &out->coord[i * op->n_params]);
}

/* ---- a change ---- */

static void
count_alike(const struct moves_surface *s, const float *to, struct moves_effect *out)
{
    const struct lore_moves_chip *here = lore_moves_place(s->m, s->target);
    double fail = 0, tried = 0;

    out->reach = LORE_MOVES_NO_EVIDENCE;
    for (size_t i = 0; i < s->n; i++) {
        const struct moves_known *k = &s->known[i];
        struct alike a = alike(s->op, s->num->field, to, &s->coord[i * s->op->n_params]);
        enum lore_moves_reach reach = lore_moves_reach(here, &s->m->chip[k->cell->chip]);
        double w = a.evidence * s->kin[FINE][k->cell->at];
        if (reach != LORE_MOVES_OTHER_VENDOR) {
            tried += w;
            fail += isinf(k->v) ? w : 0;
        }
        if (a.evidence < 1e-4)
            continue;
        out->effective += w;
        out->reach = reach < out->reach ? reach : out->reach;
    }
    out->fail = fail / (tried + FAIL_PRIOR);
}

/* The field at X on the place asked about: the mean, and K, the whitened covariances. */
static double
field_at(const struct moves_surface *s, const float *x, double *k)
{
    size_t n = s->n_ran;
    double mean = 0;

    for (size_t i = 0; i < n; i++) {
        const struct moves_cell *c = s->known[i].cell;
        struct alike a = alike(s->op, s->num->field, x, &s->coord[i * s->op->n_params]);
        double v = LEVEL + (c->chip == s->target ? OWN_LEVEL : 0) +
                   s->kin[COARSE][c->at] * a.coarse + s->kin[FINE][c->at] * a.fine;
        for (size_t j = 0; j < i; j++)
            v -= s->root[i * n + j] * k[j];
        k[i] = v / s->root[i * n + i];
        mean += k[i] * s->rest[i];
    }
    return mean;
}

void
lore_moves_stand(struct moves_surface *s, uint32_t at, struct lore_arena *arena)
{
    float *x = lore_alloc_array(arena, LORE_MOVES_PARAMS, sizeof *x);
    double *k = lore_alloc_array(arena, s->n_ran + 1, sizeof *k);

    coordinates(s->op, at, x);
    s->fraction = fmin(0, field_at(s, x, k));
    s->from = x;
    s->from_k = k;
}

void
lore_moves_effect(
    const struct moves_surface *s, uint32_t to, struct lore_arena *arena, struct moves_effect *out)
{
    const double *f = s->num->field;
    double *k = lore_alloc_array(arena, s->n_ran + 1, sizeof *k);
    float y[LORE_MOVES_PARAMS];

    coordinates(s->op, to, y);
    struct alike one = alike(s->op, f, y, y), two = alike(s->op, f, s->from, y);
    *out = (struct moves_effect){.mean = field_at(s, y, k),
        .variance = 2 * (one.coarse + one.fine - two.coarse - two.fine),
        .fraction = s->fraction};
    for (size_t i = 0; i < s->n_ran; i++) {
        out->mean -= s->from_k[i] * s->rest[i];
        out->variance -= (k[i] - s->from_k[i]) * (k[i] - s->from_k[i]);
    }
    out->variance = fmax(s->scale * out->variance, 1e-6);
    count_alike(s, y, out);
}

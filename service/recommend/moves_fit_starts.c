/* Learning what the choice of starts rests on, from every pair of places of an operator: how far
 * the fractions of the optimum on the one are from those on the other, near its best and below, and
 * how far around them own results speak. Of an operator with many places some pairs are drawn. */
#include <math.h>

#include "moves_mix.h"
#include "random.h"

/* A library's operators have thousands of places, and those many configurations. */
enum { LOOKS = 1000, LOOKED_AT = 4000 };

/* How far fractions of the optimum on A are from those on B, as mean squares per loss between them:
 * of A's best (OUT[0]), and what is added per ln fraction below (OUT[1]). False: too few to say. */
static bool
starts_of(
    const struct lore_moves *m, const struct moves_cell *a, const struct moves_cell *b, double *out)
{
    const struct moves_op *op = &m->op[a->op];
    double top = 0, n_top = 0, deep = 0, depth = 0, fact[MOVES_FACTS];
    size_t every = a->n_times / LOOKS + 1;

    for (size_t i = 0; i < a->n_top + a->cap_times; i++) {
        const struct moves_time *t = i < a->n_top ? NULL : &a->time[i - a->n_top];
        if (t != NULL && (!(t->time > 0) || i % every != 0))
            continue;
        uint32_t id = op->states[t ? t->state - 1 : a->top[i]];
        double x = lore_moves_fraction(m, a, id), y = lore_moves_fraction(m, b, id);
        if (!isfinite(y) || (t ? x < -1 || x > -0.1 : x < -0.1))
            continue;
        top += t ? 0 : (x - y) * (x - y);
        n_top += t == NULL;
        deep += t ? (x - y) * (x - y) : 0;
        depth += t ? -x : 0;
    }
    lore_moves_pair_facts(&m->chip[a->chip], &m->chip[b->chip], fact);
    double loss = lore_moves_pair_loss(fact, m->num.fact, 1);
    out[0] = top / n_top / loss;
    out[1] = depth > 0 ? deep / depth / loss : out[0];
    return n_top > 5;
}

enum { KNOWN = 12, ASKED = 36, WIDTHS = 4, RESTS = 4, WAYS = WIDTHS * RESTS, PAIRS = 200 };
static const double start_widths[WIDTHS] = {0.5, 1, 2, 4}, start_rests[RESTS] = {0.03, 0.1, 0.3, 1};

/* Some of B's fastest are tried on A: what do the first KNOWN say of the rest, beyond what B says
 * of all? Adds the squared errors, as a share of the variance there is, for each way to weigh. */
static void
try_around(const struct lore_moves *m, const struct moves_cell *a, const struct moves_cell *b,
    uint64_t *seed, double *sse, double *n)
{
    const struct moves_op *op = &m->op[a->op];
    uint32_t id[KNOWN + ASKED];
    double left[KNOWN + ASKED], mean = 0, variance = 0, add[WAYS] = {0};
    size_t k = 0;

    for (size_t tries = 0; tries < 200 && k < KNOWN + ASKED && b->n_top > 0; tries++) {
        uint32_t x = op->states[b->top[lore_random_below(seed, b->n_top)]];
        double f = lore_moves_fraction(m, a, x), g = lore_moves_fraction(m, b, x);
        if (!isfinite(f))
            continue;
        id[k] = x;
        left[k] = g - f;
        mean += k < KNOWN ? left[k] / KNOWN : 0;
        k++;
    }
    if (k < KNOWN + ASKED)
        return;
    for (size_t i = KNOWN; i < k; i++) {
        variance += (left[i] - mean) * (left[i] - mean);
        for (size_t w = 0; w < WIDTHS; w++) {
            double sum = 0, weight = 0;
            for (size_t j = 0; j < KNOWN; j++) {
                double q = lore_moves_near(m, id[i], id[j], start_widths[w]);
                sum += id[i] == id[j] ? 0 : q * (left[j] - mean);
                weight += id[i] == id[j] ? 0 : q;
            }
            for (size_t r = 0; r < RESTS; r++) {
                double e = left[i] - mean - sum / (weight + start_rests[r]);
                add[w * RESTS + r] += e * e;
            }
        }
    }
    for (size_t i = 0; i < WAYS; i++)
        sse[i] += add[i] / fmax(variance, 1e-9);
    *n += 1;
}

/* The K-th pair of OP's places that is compared: all of few, else drawn; false: enough. */
static bool
pair_at(const struct moves_op *op, size_t k, const struct moves_cell *out[2])
{
    size_t all = op->n_cells * op->n_cells;
    uint64_t seed = 21 + k;
    if (k >= all || k >= LOOKED_AT)
        return false;
    k = all <= LOOKED_AT ? k : (size_t)lore_random_below(&seed, all);
    out[0] = op->cell[k / op->n_cells];
    out[1] = op->cell[k % op->n_cells];
    return true;
}

static void
fit_around(struct lore_moves *m)
{
    double sse[WAYS] = {0}, n = 0, least = INFINITY;
    uint64_t seed = 21;

    for (size_t o = 0; o < m->n_ops; o++) {
        const struct moves_cell *c[2];
        for (size_t k = 0; n < PAIRS && pair_at(&m->op[o], k, c); k++)
            if (c[0] != c[1])
                try_around(m, c[0], c[1], &seed, sse, &n);
    }
    for (size_t i = 0; i < WAYS && n > 0; i++) {
        if (sse[i] >= least)
            continue;
        least = sse[i];
        m->num.start_width = start_widths[i / RESTS];
        m->num.start_rest = start_rests[i % RESTS];
    }
}

static void
fit_scatter(struct lore_moves *m)
{
    double top = 0.1, deep = 0.1, n = 1, out[2];

    for (size_t o = 0; o < m->n_ops; o++) {
        const struct moves_cell *c[2];
        for (size_t k = 0; pair_at(&m->op[o], k, c); k++) {
            if (c[0] == c[1] || !(c[0]->best > 0) || !(c[1]->best > 0) ||
                !starts_of(m, c[0], c[1], out))
                continue;
            top += out[0];
            deep += out[1];
            n++;
        }
    }
    m->num.start_v = top / n;
    m->num.start_deep = deep / top;
}

void
lore_moves_fit_starts(struct lore_moves *m)
{
    fit_scatter(m);
    fit_around(m);
}

/* Learning every number of the model from the memory itself.
 *
 * A sample of each cell's moves is predicted from the other chips as if its own had never been
 * seen (leave one chip out). From that come, in turn: how much is lost between two chips, and how
 * that depends on what they differ in; the width of the kernel, the sharpness of the weights and
 * the worth of local evidence (a small grid, by log loss); the stacked logistic; the expectation
 * and the quantiles of its residuals. Cells count the same, however many moves they hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "moves_mix.h"
#include "random.h"
#include "stats.h"

enum { SAMPLE = 400, SAMPLE_MEET = 200, LEAST = 60 };

struct sample {
    uint32_t cell, from, to;
    float y; /* NAN: failed */
    uint8_t param;
};
struct study { /* one pass over the samples */
    struct lore_arena arena;
    const struct lore_moves *m;
    struct sample *sample;
    size_t n, per; /* samples; words per sample at most */
    struct moves_word *word;
    size_t *n_words;
    uint32_t *source; /* cell of each word */
    double *weight;
};

static bool
draw(const struct moves_cell *c, uint64_t *seed, struct sample *out)
{
    size_t total = 0;

    for (size_t p = 0; p < LORE_MOVES_PARAMS; p++)
        total += c->lane[p].n;
    if (total == 0)
        return false;
    size_t k = (size_t)lore_random_below(seed, total);
    for (size_t p = 0; p < LORE_MOVES_PARAMS; p++) {
        const struct moves_lane *lane = &c->lane[p];
        if (k < lane->n) {
            *out = (struct sample){
                .from = lane->from[k], .to = lane->to[k], .y = lane->y[k], .param = (uint8_t)p};
            return true;
        }
        k -= lane->n;
    }
    return false;
}

void
lore_moves_meet(struct lore_moves *m)
{
    for (size_t i = 0; i < m->n_cells; i++) {
        struct moves_cell *c = m->cell[i];
        uint64_t seed = 11;
        size_t n = c->n_indexed < SAMPLE_MEET ? c->n_indexed : SAMPLE_MEET;
        if (c->n_indexed == 0 || c->n_seen_of == c->n_indexed)
            continue;
        c->seen = lore_alloc_array(m->arena, MOVES_CHIPS, sizeof *c->seen);
        for (size_t k = 0; k < n; k++) {
            size_t at = n == c->n_indexed ? k : (size_t)lore_random_below(&seed, c->n_indexed);
            const struct moves_raw *r = &c->raw[at];
            for (size_t j = 0; j < m->n_cells && !isnan(r->y); j++) {
                const struct moves_cell *other = m->cell[j];
                if (other == c || other->op != c->op)
                    continue;
                struct moves_local l =
                    lore_moves_local(m, other, r->from, r->to, r->param, m->num.width);
                double e = lore_moves_soft((double)r->y) - (double)l.soft;
                if (!(l.w > 1e-3f) || l.fail > 0.5f)
                    continue;
                double near = fmin(1, (double)l.w); /* what is far off is nu's to explain */
                c->seen[other->chip].sum += near * e * e / fmax(c->soft_spread, 1e-5);
                c->seen[other->chip].n += near;
            }
        }
        c->n_seen_of = c->n_indexed;
    }
}

/* Weights of the facts FIRST..LAST from the pairs that do not touch place EXCEPT and differ in
 * nothing else; SS and N: the scatter around them. */
static void
fit_part(const struct lore_moves *m, uint32_t except, size_t first, size_t last, double *w,
    double *ss, double *n)
{
    double a[MOVES_FACTS * MOVES_FACTS] = {0}, b[MOVES_FACTS], f[MOVES_FACTS];
    size_t k = last - first, other = first == 0 ? MOVES_CHIP_FACTS : 0;

    for (size_t i = 0; i < k; i++) {
        a[i * k + i] = 2; /* as two pairs would say what is there before */
        b[i] = 2 * w[first + i];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < m->n_cells; i++) {
            const struct moves_cell *c = m->cell[i];
            for (uint32_t j = 0; j < m->n_chips && c->seen != NULL; j++) {
                if (c->chip == except || j == except || c->seen[j].n < 10)
                    continue;
                lore_moves_pair_facts(&m->chip[c->chip], &m->chip[j], f);
                if (f[other] > 0)
                    continue;
                double y = log(fmax(c->seen[j].sum / c->seen[j].n, 0.01));
                double e = y - log(lore_moves_pair_loss(f, w));
                for (size_t p = 0; p < k && pass == 0; p++) {
                    b[p] += f[first + p] * y;
                    for (size_t q = 0; q < k; q++)
                        a[p * k + q] += f[first + p] * f[first + q];
                }
                *ss += pass * e * e;
                *n += pass;
            }
        }
        if (pass == 0) {
            lore_moves_solve(a, b, k);
            memcpy(w + first, b, k * sizeof *b);
        }
    }
}

static void
fit_facts(const struct lore_moves *m, uint32_t except, double *w, double *df)
{
    struct moves_numbers prior;
    double ss = 1, n = 2;

    lore_moves_numbers_default(&prior);
    memcpy(w, prior.fact, sizeof prior.fact);
    fit_part(m, except, 0, MOVES_CHIP_FACTS, w, &ss, &n);
    fit_part(m, except, MOVES_CHIP_FACTS, MOVES_FACTS, w, &ss, &n);
    *df = 2 * n / ss;
}

static void
take_samples(struct study *s)
{
    size_t cap = 0;

    for (uint32_t i = 0; i < s->m->n_cells; i++) {
        const struct moves_cell *c = s->m->cell[i];
        uint64_t seed = 1 + i;
        size_t others = 0;
        for (size_t j = 0; j < s->m->n_cells; j++)
            others += s->m->cell[j]->op == c->op && s->m->cell[j] != c;
        if (others == 0 || c->n_indexed < LEAST)
            continue;
        s->per = others > s->per ? others : s->per;
        for (size_t k = 0; k < SAMPLE; k++) {
            struct sample x;
            if (draw(c, &seed, &x)) {
                x.cell = i;
                *LORE_PUSH(&s->arena, s->sample, s->n, cap) = x;
            }
        }
    }
    s->weight = lore_alloc_array(&s->arena, s->n, sizeof *s->weight);
    for (size_t i = 0; i < s->n; i++)
        s->weight[i] = 1;
    s->word = lore_alloc_array(&s->arena, s->n * s->per, sizeof *s->word);
    s->source = lore_alloc_array(&s->arena, s->n * s->per, sizeof *s->source);
    s->n_words = lore_alloc_array(&s->arena, s->n, sizeof *s->n_words);
}

/* What every other chip says of every sample. */
static void
ask(struct study *s, double width)
{
    for (size_t i = 0; i < s->n; i++) {
        const struct sample *x = &s->sample[i];
        const struct moves_cell *own = s->m->cell[x->cell];
        bool up = s->m->state[x->to].resolved[x->param] > s->m->state[x->from].resolved[x->param];
        s->n_words[i] = 0;
        for (uint32_t j = 0; j < s->m->n_cells; j++) {
            const struct moves_cell *c = s->m->cell[j];
            if (c->op != own->op || c == own || c->n_indexed == 0)
                continue;
            size_t at = i * s->per + s->n_words[i]++;
            s->source[at] = j;
            s->word[at] = (struct moves_word){
                .local = lore_moves_local(s->m, c, x->from, x->to, x->param, width),
                .rate_won = c->rate[x->param][up].won,
                .rate_n = c->rate[x->param][up].n,
                .reach = lore_moves_reach(&s->m->chip[own->chip], &s->m->chip[c->chip])};
        }
    }
}

/* Losses between a sample's chip and its sources as they would be said had it never been seen. */
static void
set_losses(struct study *s)
{
    double facts[MOVES_CHIPS][MOVES_FACTS], df, pair[MOVES_FACTS];

    for (uint32_t c = 0; c < s->m->n_chips; c++)
        fit_facts(s->m, c, facts[c], &df);
    for (size_t i = 0; i < s->n; i++) {
        uint32_t chip = s->m->cell[s->sample[i].cell]->chip;
        for (size_t k = 0; k < s->n_words[i]; k++) {
            size_t at = i * s->per + k;
            uint32_t from = s->m->cell[s->source[at]]->chip;
            lore_moves_pair_facts(&s->m->chip[chip], &s->m->chip[from], pair);
            s->word[at].loss = lore_moves_pair_loss(pair, facts[chip]);
        }
    }
}

static bool
gained(float y)
{
    return !isnan(y) && (double)y > MOVES_GAIN;
}

struct mixes {
    struct moves_mix *mix;
    double *x;
    uint8_t *y;
};

static void
mix_all(const struct study *s, const struct moves_numbers *num, struct mixes *out)
{
    struct moves_level level = {0};
    uint32_t cell = LORE_MOVES_NONE;

    for (size_t i = 0; i < s->n; i++) {
        if (s->sample[i].cell != cell) {
            cell = s->sample[i].cell;
            lore_moves_level(s->m, s->m->cell[cell]->op, s->m->cell[cell], &level);
        }
        lore_moves_combine(num, &s->word[i * s->per], s->n_words[i], &level, &out->mix[i]);
        memcpy(&out->x[i * MOVES_FEATURES], out->mix[i].x, sizeof out->mix[i].x);
        out->y[i] = gained(s->sample[i].y);
    }
}

static double
log_loss(const struct study *s, const struct mixes *mx, const double *w)
{
    double sum = 0, n = 0;

    for (size_t i = 0; i < s->n; i++) {
        double eta = 0;
        for (size_t j = 0; j < MOVES_FEATURES; j++)
            eta += w[j] * mx->x[i * MOVES_FEATURES + j];
        double p = fmin(fmax(lore_moves_sigmoid(eta), 1e-4), 1 - 1e-4);
        sum -= s->weight[i] * log(mx->y[i] ? p : 1 - p);
        n += s->weight[i];
    }
    return n > 0 ? sum / n : 0;
}

/* The stack starts from "believe the vote". */
static double
fit_stack(struct study *s, const struct moves_numbers *num, struct mixes *mx, double *w)
{
    static const double prior[MOVES_FEATURES] = {0, 0.2, 0.5, 0.3};

    mix_all(s, num, mx);
    memcpy(w, prior, sizeof prior);
    lore_moves_logistic(mx->x, mx->y, s->weight, s->n, MOVES_FEATURES, 20.0, w, &s->arena);
    return log_loss(s, mx, w);
}

static void
fit_expectation(struct study *s, struct moves_numbers *num, const struct mixes *mx)
{
    double a[4] = {1e-6, 0, 0, 1e-6}, b[2] = {0};
    double *scale = lore_alloc_array(&s->arena, s->n, sizeof *scale);
    double *r = lore_alloc_array(&s->arena, s->n, sizeof *r);

    for (size_t i = 0; i < s->n; i++) {
        double mu = mx->mix[i].mu, w = s->weight[i], y = (double)s->sample[i].y;
        scale[i] = mx->mix[i].scale;
        if (isnan(s->sample[i].y))
            continue;
        a[0] += w;
        a[1] += w * mu;
        a[2] += w * mu;
        a[3] += w * mu * mu;
        b[0] += w * y;
        b[1] += w * mu * y;
    }
    lore_moves_solve(a, b, 2);
    num->mean[0] = b[0];
    num->mean[1] = b[1];
    qsort(scale, s->n, sizeof *scale, lore_by_f64);
    for (int t = 0; t < 2; t++)
        num->cut[t] = lore_percentile(scale, s->n, (t + 1) / 3.0);
    for (size_t t = 0; t < 3; t++) {
        size_t k = 0;
        for (size_t i = 0; i < s->n; i++) {
            const struct moves_mix *x = &mx->mix[i];
            size_t mine = (size_t)(x->scale > num->cut[0]) + (size_t)(x->scale > num->cut[1]);
            if (!isnan(s->sample[i].y) && mine == t)
                r[k++] = ((double)s->sample[i].y - b[0] - b[1] * x->mu) / x->scale;
        }
        qsort(r, k, sizeof *r, lore_by_f64);
        num->low[t] = k >= 20 ? lore_percentile(r, k, 0.05) : -1.645;
        num->high[t] = k >= 20 ? lore_percentile(r, k, 0.95) : 1.645;
    }
}

static void
search(struct study *s, struct lore_moves *m)
{
    static const double widths[] = {0.1, 0.3}, gammas[] = {1, 2, 3}, nus[] = {0.01, 0.1, 1};
    struct mixes mx = {lore_alloc_array(&s->arena, s->n, sizeof *mx.mix),
        lore_alloc_array(&s->arena, s->n * MOVES_FEATURES, sizeof *mx.x),
        lore_alloc_array(&s->arena, s->n, sizeof *mx.y)};
    struct moves_numbers best = m->num;
    double least = INFINITY;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        ask(s, widths[i]);
        set_losses(s);
        for (size_t k = 0; k < 9; k++) {
            struct moves_numbers num = m->num;
            num.width = widths[i];
            num.gamma = gammas[k / 3];
            num.nu = nus[k % 3];
            double loss = fit_stack(s, &num, &mx, num.stack);
            if (loss < least - 1e-4) {
                least = loss;
                fit_expectation(s, &num, &mx);
                best = num;
            }
        }
    }
    best.learned = true;
    m->num = best;
}

static void
fit_base(struct lore_moves *m)
{
    double sum = 0.3, n = 1;

    for (size_t i = 0; i < m->n_cells; i++) {
        const struct moves_cell *c = m->cell[i];
        if (c->all.n < LEAST)
            continue;
        sum += c->all.won / c->all.n;
        n++;
    }
    m->num.base = sum / n;
}

/* How far the best configurations of one chip are from the best on another, per loss between the
 * two: the mean square of the difference of ln fraction. */
static void
fit_starts(struct lore_moves *m)
{
    double sum = 0.1, n = 1;

    for (size_t i = 0; i < m->n_cells * m->n_cells; i++) {
        const struct moves_cell *a = m->cell[i / m->n_cells], *b = m->cell[i % m->n_cells];
        const struct moves_op *op = &m->op[a->op];
        double squares = 0, k = 0, fact[MOVES_FACTS];
        if (a == b || a->op != b->op || !(a->best > 0) || !(b->best > 0))
            continue;
        for (size_t j = 0; j < op->n_states; j++) {
            double x = lore_moves_fraction(m, a, op->states[j]),
                   y = lore_moves_fraction(m, b, op->states[j]);
            if (!isfinite(x) || !isfinite(y) || x < -0.1)
                continue;
            squares += (x - y) * (x - y);
            k++;
        }
        lore_moves_pair_facts(&m->chip[a->chip], &m->chip[b->chip], fact);
        sum += k > 5 ? squares / k / lore_moves_pair_loss(fact, m->num.fact) : 0;
        n += k > 5;
    }
    m->num.start_v = sum / n;
}

void
lore_moves_fit(struct lore_moves *m)
{
    struct study s = {.m = m};

    lore_moves_numbers_default(&m->num);
    lore_moves_index(m);
    fit_base(m);
    fit_facts(m, LORE_MOVES_NONE, m->num.fact, &m->num.fact_df);
    fit_starts(m);
    take_samples(&s);
    if (s.n >= LEAST)
        search(&s, m);
    lore_arena_free(&s.arena);
}

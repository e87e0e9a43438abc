/* Learning every number of the model from the memory itself.
 *
 * A sample of each cell's states is taken, half of them any, half those that someone comes by who
 * keeps what is faster, with all the moves that were tried from them, and each move is predicted
 * from the other places as if its own had never been seen (leave one chip out). From that come, in
 * turn: how much is lost between two places, and how that depends on what they differ in; the width
 * of the kernel, the sharpness of the weights and the worth of local evidence (a small grid, by log
 * loss); the stacked logistic; the expectation and the quantiles of its residuals. Cells count the
 * same, however many moves they hold. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/moves/moves_fit_starts.h"
#include "service/moves/moves_loss.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_mix.h"
#include "service/moves/moves_rough.h"
#include "service/moves/moves_sample.h"
#include "service/moves/moves_sources.h"
#include "service/moves/moves_states.h"
#include "service/stats/stats.h"

enum { SAMPLE = 800, LEAST = 60 };
/* A library's operators have thousands of places: what learning costs does not grow with them. */
enum { CELLS_MOST = 1000, WORDS_MOST = 2 << 20, PAIRS_MOST = 20000 };

/* Rate of gains before any operator was seen, and how much of one is looked at: 0.168 was published
 * of 28 tuned spaces, in experiments of simulated engineers. */
#define BASE_PRIOR 0.17
enum { BASE_CELLS = 64, BASE_MOVES = 800 };

struct study { /* one pass over the samples */
    struct lore_arena arena;
    const struct lore_moves *m;
    const struct moves_sample *sample;
    size_t n, per, quota; /* samples; words per sample, samples per cell and kind at most */
    struct moves_word *word;
    size_t *n_words;
    const struct moves_cell **source; /* cell of each word */
    double *weight;
};

struct pair { /* moves on A told from B */
    uint32_t a, b;
    double log_loss; /* as of an operator of common roughness */
};

struct pairs {
    const struct lore_moves *m;
    struct pair *v;
    size_t n, cap;
};

static struct pairs
take_pairs(const struct lore_moves *m, struct lore_arena *arena)
{
    struct pairs out = {.m = m};

    for (size_t o = 0; o < m->n_ops; o++) {
        const struct moves_op *op = &m->op[o];
        for (size_t i = 0; i < op->n_cells; i++) {
            const struct moves_cell *c = op->cell[i];
            double rough = lore_moves_rough(op, c);
            for (size_t j = 0; j < op->n_cells && j < c->n_seen; j++)
                if (c->seen[j].n >= 10)
                    *LORE_PUSH(arena, out.v, out.n, out.cap) = (struct pair){c->chip,
                        op->cell[j]->chip, log(fmax(c->seen[j].sum / c->seen[j].n, 0.01) / rough)};
        }
    }
    for (size_t i = 0; out.n > PAIRS_MOST && i < PAIRS_MOST; i++)
        out.v[i] = out.v[i * out.n / PAIRS_MOST];
    out.n = out.n < PAIRS_MOST ? out.n : PAIRS_MOST;
    return out;
}

struct scatter { /* of what pairs lose around what their facts predict */
    double squares, n;
};

/* Fit the weights of the chips' facts (FIRST 0) or the workloads' to pairs that differ in nothing
 * else. Add how far these scatter to *OUT. */
static void
fit_part(const struct pairs *pairs, uint32_t except, size_t first, double *w, struct scatter *out)
{
    double a[MOVES_FACTS * MOVES_FACTS] = {0}, b[MOVES_FACTS], f[MOVES_FACTS];
    size_t k = first == 0 ? MOVES_CHIP_FACTS : MOVES_FACTS - MOVES_CHIP_FACTS,
           other = first == 0 ? MOVES_CHIP_FACTS : 0;

    for (size_t i = 0; i < k; i++) {
        a[i * k + i] = 2; /* as two pairs would say what is there before */
        b[i] = 2 * w[first + i];
    }
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < pairs->n; i++) {
            const struct pair *pair = &pairs->v[i];
            if (pair->a == except || pair->b == except)
                continue;
            lore_moves_pair_facts(&pairs->m->chip[pair->a], &pairs->m->chip[pair->b], f);
            if (f[other] > 0)
                continue;
            double e = pair->log_loss - log(lore_moves_pair_loss(f, w, 1));
            for (size_t p = 0; p < k && pass == 0; p++) {
                b[p] += f[first + p] * pair->log_loss;
                for (size_t q = 0; q < k; q++)
                    a[p * k + q] += f[first + p] * f[first + q];
            }
            out->squares += pass * e * e;
            out->n += pass;
        }
        if (pass == 0) {
            lore_moves_solve(a, b, k);
            memcpy(w + first, b, k * sizeof *b);
        }
    }
}

/* The weights of all facts, from the pairs that do not touch place EXCEPT. */
static void
fit_facts(const struct pairs *pairs, uint32_t except, double *w, double *df)
{
    struct moves_numbers prior;
    struct scatter all = {1, 2};

    lore_moves_numbers_default(&prior);
    memcpy(w, prior.fact, sizeof prior.fact);
    fit_part(pairs, except, 0, w, &all);
    fit_part(pairs, except, MOVES_CHIP_FACTS, w, &all);
    *df = 2 * all.n / all.squares;
}

static bool
is_asked(const struct moves_op *op, size_t i)
{
    return op->n_cells > 1 && op->cell[i]->n_moves >= LEAST / 2;
}

/* Of each cell how much is asked; returns: one cell of so many is. */
static size_t
set_quota(struct study *s)
{
    size_t n = 0;

    for (size_t o = 0; o < s->m->n_ops; o++) {
        const struct moves_op *op = &s->m->op[o];
        size_t others = op->n_cells <= MOVES_SOURCES ? op->n_cells : MOVES_SOURCES;
        for (size_t i = 0; i < op->n_cells; i++)
            n += is_asked(op, i);
        s->per = others > s->per ? others : s->per;
    }
    size_t every = n / CELLS_MOST + 1, asked = n / every + 1;
    s->quota = 1 + WORDS_MOST / (2 * asked * (s->per + 1));
    s->quota = s->quota < SAMPLE ? s->quota : SAMPLE;
    return every;
}

static void
take_samples(struct study *s)
{
    struct moves_samples taken = {.m = s->m, .arena = &s->arena};
    size_t every = set_quota(s), k = 0;

    for (size_t o = 0; o < s->m->n_ops; o++) {
        const struct moves_op *op = &s->m->op[o];
        for (size_t i = 0; i < op->n_cells; i++) {
            if (!is_asked(op, i) || k++ % every != 0)
                continue;
            lore_moves_sample_any(&taken, op->cell[i], s->quota, 1 + i);
            lore_moves_sample_way(&taken, op->cell[i], s->quota, 3 + i);
        }
    }
    s->sample = taken.v;
    s->n = taken.n;
    s->weight = lore_alloc_array(&s->arena, s->n, sizeof *s->weight);
    for (size_t i = 0; i < s->n; i++)
        s->weight[i] = 1;
    s->word = lore_alloc_array(&s->arena, s->n * s->per, sizeof *s->word);
    s->source = lore_alloc_array(&s->arena, s->n * s->per, sizeof *s->source);
    s->n_words = lore_alloc_array(&s->arena, s->n, sizeof *s->n_words);
}

/* What every other place says of every sample. */
static void
ask(struct study *s, double width)
{
    struct lore_arena arena = {.limit = (size_t)1 << 30};
    struct moves_look look = {0};

    for (size_t i = 0; i < s->n; i++) {
        const struct moves_sample *x = &s->sample[i];
        const struct moves_op *op = &s->m->op[x->cell->op];
        if (i == 0 || x->from != s->sample[i - 1].from) {
            lore_arena_reset(&arena);
            lore_moves_look(s->m, x->from, &arena, &look);
        }
        bool up = lore_moves_up(op, x->param, lore_moves_value(op, x->param, look.at), x->to);
        struct moves_ring ring;
        lore_moves_ring(s->m, &look, x->param, x->to, &ring);
        s->n_words[i] = 0;
        for (size_t j = 0; j < op->n_cells && s->n_words[i] < s->per; j++) {
            const struct moves_cell *c = op->cell[j];
            if (c == x->cell || c->n_moves == 0)
                continue;
            size_t at = i * s->per + s->n_words[i]++;
            s->source[at] = c;
            s->word[at] = (struct moves_word){.local = lore_moves_local(c, &look, &ring, width),
                .rate_won = c->rate[x->param][up].won,
                .rate_n = c->rate[x->param][up].n,
                .reach = lore_moves_reach(&s->m->chip[x->cell->chip], &s->m->chip[c->chip]),
                .fraction = lore_moves_fraction(s->m, c, x->from)};
        }
    }
    lore_arena_free(&arena);
}

/* Losses between a sample's chip and its sources as they would be said had it never been seen. */
static void
set_losses(struct study *s, const struct pairs *pairs)
{
    double fact[MOVES_FACTS], f[MOVES_FACTS], df;

    for (size_t i = 0; i < s->n; i++) {
        const struct moves_cell *cell = s->sample[i].cell;
        uint32_t chip = cell->chip;
        double rough = lore_moves_rough(&s->m->op[cell->op], cell);
        if (i == 0 || s->sample[i - 1].cell->chip != chip)
            fit_facts(pairs, chip, fact, &df);
        for (size_t k = 0; k < s->n_words[i]; k++) {
            size_t at = i * s->per + k;
            lore_moves_pair_facts(&s->m->chip[chip], &s->m->chip[s->source[at]->chip], f);
            s->word[at].loss = lore_moves_pair_loss(f, fact, rough);
        }
    }
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
    const struct moves_cell *cell = NULL;

    for (size_t i = 0; i < s->n; i++) {
        if (s->sample[i].cell != cell) {
            cell = s->sample[i].cell;
            lore_moves_level(s->m, &s->m->op[cell->op], cell, &level);
        }
        lore_moves_combine(num, &s->word[i * s->per], s->n_words[i], &level, &out->mix[i]);
        memcpy(&out->x[i * MOVES_FEATURES], out->mix[i].x, sizeof out->mix[i].x);
        out->y[i] = lore_moves_gained(s->sample[i].y);
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

/* As 20 moves' worth of trust in "believe the vote"; there are thousands. */
#define RIDGE 20.0

/* The stack starts from "believe the vote". */
static double
fit_stack(struct study *s, const struct moves_numbers *num, struct mixes *mx, double *w)
{
    static const double prior[MOVES_FEATURES] = {0, 0.2, 0.5, 0.3};

    mix_all(s, num, mx);
    memcpy(w, prior, sizeof prior);
    lore_moves_logistic(
        &(struct lore_moves_observed){mx->x, mx->y, s->weight, s->n, MOVES_FEATURES}, RIDGE, w,
        &s->arena);
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
    qsort(scale, s->n, sizeof *scale, lore_select_by_f64);
    for (int t = 0; t < 2; t++)
        num->cut[t] = lore_stats_percentile(scale, s->n, (t + 1) / 3.0);
    for (size_t t = 0; t < 3; t++) {
        size_t k = 0;
        for (size_t i = 0; i < s->n; i++) {
            const struct moves_mix *x = &mx->mix[i];
            if (!isnan(s->sample[i].y) && lore_moves_third(num, x->scale) == t)
                r[k++] = ((double)s->sample[i].y - b[0] - b[1] * x->mu) / x->scale;
        }
        qsort(r, k, sizeof *r, lore_select_by_f64);
        num->low[t] = k >= 20 ? lore_stats_percentile(r, k, 0.05) : -1.645;
        num->high[t] = k >= 20 ? lore_stats_percentile(r, k, 0.95) : 1.645;
    }
}

/* What a place's own moves leave untold of each other under the kernel that was chosen: each is
 * asked of the others, where they are half a move's worth. */
static void
fit_own(struct study *s, struct moves_numbers *num)
{
    struct lore_arena arena = {.limit = (size_t)1 << 30};
    struct moves_look look = {0};
    struct moves_ring ring;
    double sum = num->own, n = 1;

    for (size_t i = 0; i < s->n; i++) {
        const struct moves_sample *x = &s->sample[i];
        const struct moves_cell *c = x->cell;
        if (i == 0 || x->from != s->sample[i - 1].from) {
            lore_arena_reset(&arena);
            lore_moves_look(s->m, x->from, &arena, &look);
        }
        if (isnan(x->y))
            continue;
        lore_moves_ring(s->m, &look, x->param, x->to, &ring);
        struct moves_local own = lore_moves_local(c, &look, &ring, num->width);
        double y = lore_moves_soft((double)x->y), ran = (double)own.w * (1 - (double)own.fail);
        if (ran - 1 < 0.5)
            continue;
        double error = y - (ran * (double)own.soft - y) / (ran - 1);
        sum += error * error / fmax(c->soft_squares / c->n_ran, 1e-5);
        n++;
    }
    num->own = sum / n;
    lore_arena_free(&arena);
}

static void
search(struct study *s, struct lore_moves *m, const struct pairs *pairs)
{
    static const double widths[] = {0.1, 0.3, 1}, gammas[] = {1, 2, 3}, nus[] = {0.01, 0.1, 1};
    struct mixes mx = {lore_alloc_array(&s->arena, s->n, sizeof *mx.mix),
        lore_alloc_array(&s->arena, s->n * MOVES_FEATURES, sizeof *mx.x),
        lore_alloc_array(&s->arena, s->n, sizeof *mx.y)};
    struct moves_numbers best = m->num;
    double least = INFINITY;

    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
        ask(s, widths[i]);
        set_losses(s, pairs);
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
    fit_own(s, &best);
    m->num = best;
}

/* For operators never seen: the share of moves that gain from states that someone comes by. Each
 * operator that was seen is one draw, however many its places, the prior too. */
static void
fit_base(struct lore_moves *m)
{
    double sum = BASE_PRIOR, n = 1;

    for (size_t i = 0; i < m->n_ops; i++) {
        const struct moves_op *op = &m->op[i];
        size_t every = op->n_cells / BASE_CELLS + 1;
        double rate = 0, cells = 0;
        for (size_t k = 0; k < op->n_cells; k += every) {
            if (op->cell[k]->all.n < LEAST)
                continue;
            rate += lore_moves_rate_way(m, op->cell[k], BASE_MOVES, 5 + k);
            cells++;
        }
        sum += cells > 0 ? rate / cells : 0;
        n += cells > 0;
    }
    m->num.base = sum / n;
}

void
lore_moves_fit(struct lore_moves *m)
{
    struct study s = {.m = m, .arena.limit = (size_t)1 << 30};

    lore_moves_numbers_default(&m->num);
    lore_moves_index(m);
    struct pairs pairs = take_pairs(m, &s.arena);
    fit_base(m);
    fit_facts(&pairs, LORE_MOVES_NONE, m->num.fact, &m->num.fact_df);
    lore_moves_fit_starts(m);
    take_samples(&s);
    if (s.n >= LEAST)
        search(&s, m, &pairs);
    lore_arena_free(&s.arena);
}

/* Combines the evidence of several places on one move. A source weighs like a measurement. Its
 * variance is the variance lost between the places (moves_loss.c) plus that of its own few moves
 * nearby. The technique's rate and the operator's spread are the prior. */
#include "service/moves/moves_mix.h"

#include <math.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_loss.h"
#include "service/moves/moves_math.h"

void
lore_moves_level(const struct lore_moves *m, const struct moves_op *op,
    const struct moves_cell *except, struct moves_level *out)
{
    double won = 0, n = 0, spread = 0, soft = 0, ran = 0;

    for (size_t i = 0; i < op->n_cells; i++) {
        const struct moves_cell *c = op->cell[i];
        if (c == except)
            continue;
        won += c->all.won;
        n += c->all.n;
        spread += c->squares;
        soft += c->soft_squares;
        ran += c->n_ran;
    }
    *out = (struct moves_level){.spread = ran > 0 ? fmax(spread / ran, 1e-4) : 0.1,
        .soft = ran > 0 ? fmax(soft / ran, 1e-5) : 0.01,
        .base = (won + 10 * m->num.base) / (n + 10)};
}

/* Moves as many as a rate of BASE before any were seen. */
#define RATE_PRIOR 8.0

struct sums {
    double prec, mean, soft, vote_w, vote, fail_w, fail, near, near_w, rate_won, rate_n, kernel;
    double fraction_w, fraction;
    double wide_prec, wide_soft, wide_won;
};

/* FAIL only travels within a vendor: a limit of another vendor's chip says nothing here. */
static void
add_word(const struct moves_numbers *num, const struct moves_word *w,
    const struct moves_level *level, struct sums *s)
{
    double chip = pow(fmax(w->loss, 0.01), -num->gamma);

    if (isfinite(w->fraction)) {
        s->fraction_w += chip;
        s->fraction += chip * w->fraction;
    }
    s->rate_won += w->rate_won * chip;
    s->rate_n += w->rate_n * chip;
    if (w->local.wide_w > 1e-4f) { /* one move of so many around differs by the whole spread */
        double prec = pow(w->loss + 1 / (double)w->local.wide_w, -num->gamma);
        s->wide_prec += prec;
        s->wide_soft += prec * (double)w->local.wide_soft;
        s->wide_won += prec * (double)w->local.wide_won;
    }
    if (!(w->local.w > 1e-4f))
        return;
    double loss = w->loss + (w->loss > 0 ? 0 : num->own) + num->nu / (double)w->local.w,
           prec = pow(loss, -num->gamma);
    double p = (1 - (double)w->local.fail) *
               lore_moves_normal(((double)w->local.soft - lore_moves_soft(MOVES_GAIN)) /
                                 sqrt(level->soft * loss));
    s->prec += prec;
    s->mean += prec * (double)w->local.mean;
    s->soft += prec * (double)w->local.soft;
    s->vote_w += prec;
    s->vote += prec * p;
    s->kernel += fmin((double)w->local.w, 50) * fmax(0.05, 1 - w->loss);
    if (w->reach != LORE_MOVES_OTHER_VENDOR) {
        s->fail_w += prec;
        s->fail += prec * (double)w->local.fail;
    }
    if (prec > s->near_w) {
        s->near_w = prec;
        s->near = p;
    }
}

void
lore_moves_combine(const struct moves_numbers *num, const struct moves_word *word, size_t n,
    const struct moves_level *level, struct moves_mix *out)
{
    struct sums s = {0};
    enum lore_moves_reach reach = LORE_MOVES_NO_EVIDENCE;
    double top = 0;

    for (size_t i = 0; i < n; i++) {
        add_word(num, &word[i], level, &s);
        if (word[i].local.w > 1e-4f && word[i].reach < reach)
            reach = word[i].reach;
        top = fmax(top, pow(fmax(word[i].loss, 0.01), -num->gamma));
    }
    double scale = top > 0 ? 1 / top : 1; /* the nearest chip's moves count fully */
    double rate = (s.rate_won * scale + RATE_PRIOR * level->base) / (s.rate_n * scale + RATE_PRIOR);
    double mu = s.mean / (s.prec + 1);
    double vote = (s.vote + rate) / (s.vote_w + 1),
           near = (s.near * s.near_w + rate) / (s.near_w + 1);
    double deviation = sqrt(level->spread * pow(s.prec + 1, -1 / num->gamma));
    *out = (struct moves_mix){.mu = mu,
        .scale = deviation,
        .effective = s.kernel,
        .rate = rate,
        .fail = s.fail_w > 0 ? s.fail / (s.fail_w + 0.2) : 0,
        .reach = reach};
    double z = (s.soft / (s.prec + 1) - lore_moves_soft(MOVES_GAIN)) /
               sqrt(level->soft * pow(s.prec + 1, -1 / num->gamma));
    double wide = (s.wide_won + rate) / (s.wide_prec + 1),
           wide_z =
               (s.wide_soft / (s.wide_prec + 1) - lore_moves_soft(MOVES_GAIN)) / sqrt(level->soft);
    double x[MOVES_FEATURES] = {1, lore_moves_logit(rate), lore_moves_logit(vote),
        lore_moves_logit(near), fmax(-3, fmin(3, z)), fmax(-1, fmin(1, mu)),
        lore_moves_logit(out->fail), s.fraction_w > 0 ? fmax(-2, s.fraction / s.fraction_w) : 0,
        s.fraction_w > 0, lore_moves_logit(wide), fmax(-3, fmin(3, wide_z))};
    for (size_t i = 0; i < MOVES_FEATURES; i++)
        out->x[i] = x[i];
}

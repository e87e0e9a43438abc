/* From a question to forecasts: every cell of the operator says its word on the move, the words are
 * combined (moves_chips.c), and the learned stack turns the mix into a probability, an expectation
 * and an interval. With no word of this operator the answer is the base rate, and says so. */
#include <math.h>

#include "moves_mix.h"

double
lore_moves_loss(const struct lore_moves *m, const struct moves_cell *own, uint32_t target,
    const struct moves_cell *source)
{
    double fact[MOVES_FACTS], loss, df = m->num.fact_df;

    if (source->chip == target)
        return 0;
    lore_moves_pair_facts(&m->chip[target], &m->chip[source->chip], fact);
    loss = lore_moves_pair_loss(fact, m->num.fact);
    if (own == NULL || own->seen == NULL)
        return loss;
    const struct moves_seen *seen = &own->seen[source->chip];
    return (df * loss + seen->sum) / (df + seen->n);
}

size_t
lore_moves_words(const struct lore_moves *m, uint32_t chip, uint32_t from, uint32_t to,
    uint32_t except, struct moves_word *out)
{
    uint32_t op = m->state[from].op, param = lore_moves_differ(m, from, to);
    const struct moves_cell *own = chip == except ? NULL : lore_moves_cell_find(m, op, chip);
    size_t n = 0;

    if (param == LORE_MOVES_NONE)
        return 0;
    bool up = m->state[to].resolved[param] > m->state[from].resolved[param];
    for (size_t i = 0; i < m->n_cells && n < MOVES_CHIPS; i++) {
        const struct moves_cell *c = m->cell[i];
        if (c->op != op || c->chip == except || c->n_indexed == 0)
            continue;
        out[n++] =
            (struct moves_word){.local = lore_moves_local(m, c, from, to, param, m->num.width),
                .loss = lore_moves_loss(m, own, chip, c),
                .rate_won = c->rate[param][up].won,
                .rate_n = c->rate[param][up].n,
                .reach = lore_moves_reach(&m->chip[chip], &m->chip[c->chip])};
    }
    return n;
}

void
lore_moves_level(const struct lore_moves *m, uint32_t op, const struct moves_cell *except,
    struct moves_level *out)
{
    double won = 0, n = 0, spread = 0, soft = 0;

    for (size_t i = 0; i < m->n_cells; i++) {
        const struct moves_cell *c = m->cell[i];
        if (c->op != op || c == except)
            continue;
        won += c->all.won;
        n += c->all.n;
        spread += c->spread * c->all.n;
        soft += c->soft_spread * c->all.n;
    }
    *out = (struct moves_level){.spread = n > 0 ? fmax(spread / n, 1e-4) : 0.1,
        .soft = n > 0 ? fmax(soft / n, 1e-5) : 0.01,
        .base = (won + 10 * m->num.base) / (n + 10)};
}

/* Quantiles for a scale: the third of what was seen in learning that it falls into. */
static size_t
third(const struct moves_numbers *num, double scale)
{
    return (size_t)(scale > num->cut[0]) + (size_t)(scale > num->cut[1]);
}

static void
forecast(const struct moves_numbers *num, const struct moves_mix *mix, double spread,
    struct lore_moves_forecast *out)
{
    double eta = 0;
    size_t t = third(num, mix->scale);

    for (size_t i = 0; i < MOVES_FEATURES; i++)
        eta += num->stack[i] * mix->x[i];
    *out = (struct lore_moves_forecast){.p_gain = lore_moves_sigmoid(eta),
        .p_fail = mix->fail,
        .expected = num->mean[0] + num->mean[1] * mix->mu,
        .effective = mix->effective,
        .rate = mix->rate,
        .reach = mix->reach};
    out->low = out->expected + mix->scale * num->low[t];
    out->high = out->expected + mix->scale * num->high[t];
    if (mix->reach != LORE_MOVES_NO_EVIDENCE)
        return;
    double wide = 1.645 * sqrt(spread);
    out->p_gain = num->base;
    out->expected = 0;
    out->low = -wide;
    out->high = wide;
    out->abstains = true;
}

void
lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from, const uint32_t *to,
    size_t n, struct lore_moves_forecast *out)
{
    struct moves_word word[MOVES_CHIPS];
    struct moves_level level;

    lore_moves_level(m, m->state[from].op, NULL, &level);
    for (size_t i = 0; i < n; i++) {
        struct moves_mix mix;
        size_t words = lore_moves_words(m, chip, from, to[i], LORE_MOVES_NONE, word);
        lore_moves_combine(&m->num, word, words, &level, &mix);
        forecast(&m->num, &mix, level.spread, &out[i]);
        out[i].abstains |= mix.effective < 0.5;
    }
}

/* From a question to forecasts: every cell of the operator says its word on the move, the words are
 * combined (moves_mix.c), and the learned stack turns the mix into a probability, an expectation
 * and an interval. With no word of this operator the answer is the base rate, and says so. */
#include "service/moves/moves_predict.h"

#include <math.h>

#include "service/moves/moves_cells.h"
#include "service/moves/moves_math.h"
#include "service/moves/moves_mix.h"
#include "service/moves/moves_rough.h"
#include "service/moves/moves_sources.h"
#include "service/moves/moves_states.h"

static void
forecast(const struct moves_numbers *num, const struct moves_mix *mix, double spread,
    struct lore_moves_forecast *out)
{
    double eta = 0;
    size_t t = lore_moves_third(num, mix->scale);

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

/* The words of N sources on FROM -> TO. */
static size_t
words(const struct lore_moves *m, const struct moves_look *look, uint32_t to,
    const struct moves_source *source, size_t n, struct moves_word *out)
{
    uint32_t param = lore_moves_differ(m, look->op->states[look->at], to);

    if (param == LORE_MOVES_NONE)
        return 0;
    uint32_t a = lore_moves_value(look->op, param, look->at),
             b = lore_moves_value(look->op, param, m->state[to].at);
    bool up = lore_moves_up(look->op, param, a, b);
    struct moves_ring ring;
    lore_moves_ring(m, look, param, b, &ring);
    for (size_t i = 0; i < n; i++) {
        const struct moves_cell *c = source[i].cell;
        out[i] = (struct moves_word){.local = lore_moves_local(c, look, &ring, m->num.width),
            .loss = source[i].loss,
            .rate_won = c->rate[param][up].won,
            .rate_n = c->rate[param][up].n,
            .reach = source[i].reach,
            .fraction = source[i].fraction};
    }
    return n;
}

void
lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from, const uint32_t *to,
    size_t n, struct lore_moves_forecast *out)
{
    LORE_SCRATCH arena = {.limit = (size_t)1 << 30};
    struct moves_source source[MOVES_SOURCES];
    struct moves_word word[MOVES_SOURCES];
    const struct moves_op *op = &m->op[m->state[from].op];
    size_t sources =
        lore_moves_sources(m, m->state[from].op, chip, lore_moves_rough(op, NULL), source);
    struct moves_level level;
    struct moves_look look;

    lore_moves_look(m, from, &arena, &look);
    for (size_t i = 0; i < sources; i++)
        source[i].fraction = lore_moves_fraction(m, source[i].cell, from);
    lore_moves_level(m, look.op, NULL, &level);
    for (size_t i = 0; i < n; i++) {
        struct moves_mix mix;
        size_t k = words(m, &look, to[i], source, sources, word);
        lore_moves_combine(&m->num, word, k, &level, &mix);
        forecast(&m->num, &mix, level.spread, &out[i]);
        out[i].abstains |= mix.effective < 0.5;
    }
}

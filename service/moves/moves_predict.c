/* From a question to forecasts: what all places say around the configuration (moves_surface.c), and
 * the learned odds of what that is worth. With no result of this operator near by the answer is the
 * base rate, and says so. */
#include "service/moves/moves_predict.h"

#include <math.h>

#include "service/moves/moves_learn.h"
#include "service/moves/moves_math.h"

#define LEAST_EVIDENCE 0.01 /* results like it, below which a forecast is no advice */

static void
forecast(
    const struct moves_numbers *num, const struct moves_effect *e, struct lore_moves_forecast *out)
{
    double x[ODDS], eta = 0, back = exp(-e->fraction), sd = back * sqrt(e->variance);
    bool blank = e->reach == LORE_MOVES_NO_EVIDENCE;

    lore_moves_odds(e, x);
    for (size_t k = 0; k < ODDS; k++)
        eta += num->odds[k] * x[k];
    *out = (struct lore_moves_forecast){.p_gain = blank ? num->base : lore_moves_sigmoid(eta),
        .p_fail = e->fail,
        .expected = blank ? 0 : back * e->mean,
        .effective = e->effective,
        .reach = e->reach,
        .abstains = e->effective < LEAST_EVIDENCE};
    out->low = out->expected + sd * num->tails[0];
    out->high = out->expected + sd * num->tails[1];
}

void
lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from, const uint32_t *to,
    size_t n, struct lore_moves_forecast *out)
{
    LORE_SCRATCH arena = {.limit = (size_t)1 << 30};
    const struct moves_state *at = &m->state[from];
    const struct moves_around around = {at->op, at->at, chip, NULL, SURFACE_POINTS, 0};
    struct moves_surface s;

    lore_moves_around(m, &around, &arena, &s);
    lore_moves_solve_surface(&s, &arena);
    lore_moves_stand(&s, at->at, &arena);
    for (size_t i = 0; i < n; i++) {
        struct moves_effect e;
        lore_moves_effect(&s, m->state[to[i]].at, &arena, &e);
        forecast(&m->num, &e, &out[i]);
    }
}

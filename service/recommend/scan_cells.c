/* What cells add up to (scan_cells.h). A cell costs a look-up and a few additions: what a context
 * weighs is in a table, and what is left out weighs 0, so that there is no branch that would be
 * guessed wrong. */
#include "service/recommend/scan_cells.h"

#include <math.h>
#include <string.h>

enum { AHEAD = 10, COUNTS = 4 }; /* cells, counts: what is read next is on its way */

/* Numbers from 0 up order as their bits do. */
static uint32_t
bits_of(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static float
from_bits(uint32_t bits)
{
    float x;

    memcpy(&x, &bits, sizeof x);
    return x;
}

static uint8_t
travel_of(const struct lore_weights *w, uint32_t chip)
{
    return w->travel[chip < w->n_chips ? chip : w->n_chips];
}

static inline void
add_row(uint32_t *restrict to, const uint32_t *restrict n)
{
    for (int k = 0; k < LORE_NS; k++)
        to[k] += n[k];
}

void
lore_scan_add_counts(const struct lore_scan *s, const struct lore_cell_counts *counts,
    enum lore_tally_level level, uint32_t n[LORE_SLOTS][LORE_NS])
{
    const struct lore_weights *w = s->weights;
    const uint8_t *slot = w->slot[level == LORE_LEVEL_OPERATOR];

    for (uint32_t i = 0; i < counts->n; i++) {
        const struct lore_cell_count *c = &counts->v[i];
        uint8_t travel = travel_of(w, lore_place_chip(c->place));
        add_row(n[slot[c->place % LORE_PLACE_FLAGS] + travel], c->n);
    }
}

/* What broke a process rule is in the first of its counts alone, taken from that of the rest. */
void
lore_scan_add_chips(const struct lore_scan *s, const struct lore_totals *totals,
    enum lore_tally_level level, uint32_t n[LORE_SLOTS][LORE_NS])
{
    for (uint32_t i = 0; i < totals->chips.n; i++) {
        const struct lore_on_chip *c = &totals->chip[i];
        uint8_t travel = travel_of(s->weights, lore_chip_on(c->on));
        if (c->on % 2 != 0 && level != LORE_LEVEL_OPERATOR)
            continue;
        add_row(n[travel], c->n);
        n[travel][0] -= c->faults;
        n[LORE_SLOT_BROKEN + travel][0] += c->faults;
    }
}

/* Which it is nobody can guess: as a mask. */
float
lore_entering_x(const struct lore_verdict *is, float log, float clamp)
{
    return lore_clamped(from_bits(bits_of(log) & (0 - (uint32_t)is->has_x)), clamp);
}

/* ---- sums ---- */

struct added {
    double judged, won, gains, x, xx;
};

static void
put(const struct added *a, double sum[LORE_SUMS])
{
    sum[LORE_SUM_JUDGED] += a->judged;
    sum[LORE_SUM_WON] += a->won;
    sum[LORE_SUM_GAINS] += a->gains;
    sum[LORE_SUM_X] += a->x;
    sum[LORE_SUM_XX] += a->xx;
}

static inline void
add(struct added *a, double w, const double sum[LORE_SUMS])
{
    a->judged += w * sum[LORE_SUM_JUDGED];
    a->won += w * sum[LORE_SUM_WON];
    a->gains += w * sum[LORE_SUM_GAINS];
    a->x += w * sum[LORE_SUM_X];
    a->xx += w * sum[LORE_SUM_XX];
}

void
lore_scan_add_totals(const struct lore_scan *s, const struct lore_totals *totals,
    enum lore_tally_level level, double sum[LORE_SUMS])
{
    const double *by = s->weights->setting[level == LORE_LEVEL_OPERATOR];
    struct added a = {0};

    for (uint32_t i = 0; i < totals->settings.n; i++)
        add(&a, by[totals->v[i].setting], totals->v[i].sum);
    put(&a, sum);
}

void
lore_scan_add_cells(const struct lore_scan *s, const struct lore_cells *cells,
    enum lore_tally_level level, double sum[LORE_SUMS])
{
    const struct lore_weighed *by = s->weights->context[level == LORE_LEVEL_OPERATOR];
    float clamp = s->weights->clamp;
    struct added a = {0};

    for (uint32_t i = 0; i < cells->n; i++) {
        const struct lore_cell *c = &cells->v[i];
        __builtin_prefetch(c + AHEAD);
        add(&a, by[c->context].weight, c->sum);
    }
    for (uint32_t i = 0; i < cells->n_singletons; i++) {
        const struct lore_singleton *c = &cells->singletons[i];
        const struct lore_verdict *is = &s->weights->outcome[c->outcome];
        double w = by[c->context].weight, x = lore_entering_x(is, c->log, clamp);
        double is_sum[LORE_SUMS] = {is->judged, is->won, is->gains, is->gains * x};
        is_sum[LORE_SUM_XX] = is_sum[LORE_SUM_X] * x;
        add(&a, w, is_sum);
    }
    put(&a, sum);
}

void
lore_call_cells(const struct lore_cells *cells)
{
    for (uint32_t i = 0; i < cells->n && i < AHEAD; i++)
        __builtin_prefetch(&cells->v[i]);
    for (uint32_t i = 0; i < cells->counts.n && i < COUNTS; i++)
        __builtin_prefetch(&cells->counts.v[i]);
    for (uint32_t i = 0; i < cells->n_singletons && i < AHEAD; i += 64 / sizeof *cells->singletons)
        __builtin_prefetch(&cells->singletons[i]);
}

/* ---- reach ---- */

/* A bearing and an effect as a number that orders as rows do; 0 when the effect is below 0, which
 * is so or not as it happens: a branch would be guessed wrong. */
static uint64_t
reach_of(float bearing, float effect)
{
    uint32_t bits = bits_of(effect);

    return lore_pair(bits_of(bearing), bits) & (uint64_t)((int64_t)(bits >> 31) - 1);
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static float
effect_of(float log)
{
    const uint32_t sign = 0x80000000, infinite = 0x7f800000; /* what is above is NAN */
    uint32_t bits = bits_of(log) & ~sign;

    return from_bits(bits & (0 - (uint32_t)(bits <= infinite)));
}

struct lore_reach
lore_reach_of(
    const struct lore_scan *s, const struct lore_cells *cells, enum lore_tally_level level)
{
    const struct lore_weighed *by = s->weights->context[level == LORE_LEVEL_OPERATOR];
    float level_w = s->level_w[level];
    uint64_t most[2] = {0, 0};

    for (uint32_t i = 0; i < cells->n; i++) {
        const struct lore_cell *c = &cells->v[i];
        float bearing = (float)by[c->context].weight * level_w;
        __builtin_prefetch(c + AHEAD);
        for (int own = 0; own < 2; own++)
            most[own] = larger(most[own], reach_of(bearing, c->most[own]));
    }
    for (uint32_t i = 0; i < cells->n_singletons; i++) {
        const struct lore_singleton *c = &cells->singletons[i];
        float bearing = (float)by[c->context].weight * level_w;
        uint64_t own = (uint64_t)0 - s->weights->outcome[c->outcome].own;
        uint64_t any = (uint64_t)0 - (c->outcome != LORE_NO_OUTCOME);
        uint64_t reach = reach_of(bearing, effect_of(c->log));
        most[0] = larger(most[0], reach & any & ~own);
        most[1] = larger(most[1], reach & own);
    }
    return (struct lore_reach){
        .bearing = {from_bits(lore_pair_high(most[0])), from_bits(lore_pair_high(most[1]))},
        .effect = {from_bits(lore_pair_low(most[0])), from_bits(lore_pair_low(most[1]))}};
}

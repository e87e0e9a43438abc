/* Two made-up sample sets, one after the other, by kind of noise: what the sequential comparison is
 * tested against. The clock does not know where the programs change. */
#ifndef LORE_TESTS_UNIT_SEQUENTIAL_SIM_H
#define LORE_TESTS_UNIT_SEQUENTIAL_SIM_H

#include "service/stats/sequential.h"
#include "tests/unit/compare_sim.h"

enum { SEQ_SAMPLES = 16 };
enum seq_noise {
    SEQ_WHITE,    /* independent, 0.5 % */
    SEQ_ALIKE,    /* AR(1), r = 0.6, 0.5 % */
    SEQ_DRIFT,    /* white, and a straight drift of up to 10 % over both sides */
    SEQ_STEPS,    /* white of 0.1 %, and a step of 1 to 20 % somewhere in half of the cases */
    SEQ_WALK,     /* a clock that moves by 0.3 % a sample */
    SEQ_BIMODAL,  /* two states 1 % apart, kept with probability 0.7 */
    SEQ_OUTLIERS, /* white, a tenth of samples up to 30 % slow */
    SEQ_WARM,     /* white, the first sample of each side 20 to 25 % slow */
    SEQ_NOISES
};
struct seq_rates { /* shares of CASES */
    double faster, slower, same, abstain, covered;
};

/* SEQ_SAMPLES of A and of B, which takes DIFFERENCE more time, after ln. */
static inline void
seq_fill(enum seq_noise kind, uint64_t *seed, double *v)
{
    enum { ALL = 2 * SEQ_SAMPLES };
    double level = 0, alike = sim_normal(seed), slope = 0.2 * (sim_uniform(seed) - 0.5) / ALL;
    size_t at = sim_uniform(seed) < 0.5 ? lore_random_below(seed, ALL) : ALL;
    double step = (sim_uniform(seed) < 0.5 ? -1 : 1) * (0.01 + 0.19 * sim_uniform(seed));
    bool high = false;

    for (size_t i = 0; i < ALL; i++) {
        double white = sim_normal(seed);
        alike = 0.6 * alike + 0.8 * white;
        level += kind == SEQ_WALK ? 0.003 * sim_normal(seed) : 0;
        level += kind == SEQ_DRIFT ? slope : 0;
        level += kind == SEQ_STEPS && i == at && i > 0 ? step : 0;
        if (sim_uniform(seed) < 0.3)
            high = !high;
        v[i] = level + (kind == SEQ_ALIKE      ? 0.005 * alike
                           : kind == SEQ_STEPS ? 0.001 * white
                           : kind == SEQ_WALK  ? 0.001 * white
                                               : 0.005 * white);
        if (kind == SEQ_BIMODAL)
            v[i] = 0.001 * white + (high ? 0.01 : 0);
        if (kind == SEQ_OUTLIERS && sim_uniform(seed) < 0.1)
            v[i] += 0.3 * sim_uniform(seed);
        if (kind == SEQ_WARM && i % SEQ_SAMPLES == 0)
            v[i] += 0.2 + 0.05 * sim_uniform(seed);
    }
}

static inline struct seq_rates
seq_run(enum seq_noise kind, double difference, size_t cases, struct lore_arena *arena)
{
    uint64_t seed = 77 + 1000 * (uint64_t)kind;
    size_t n[4] = {0}, covered = 0;
    struct lore_err err = {0};

    for (size_t c = 0; c < cases; c++) {
        double v[2 * SEQ_SAMPLES];
        struct lore_sequential s;
        seq_fill(kind, &seed, v);
        for (size_t i = 0; i < 2 * SEQ_SAMPLES; i++)
            v[i] = 1e5 * exp(v[i]) * (i < SEQ_SAMPLES ? 1 : 1 + difference);
        struct lore_sequential_input ask = {v, v + SEQ_SAMPLES, SEQ_SAMPLES, SEQ_SAMPLES,
            LORE_SEQUENTIAL_ALPHA, LORE_SEQUENTIAL_FLOOR, LORE_SEQUENTIAL_MARGIN, false};
        if (lore_sequential_compare(&ask, arena, &s, &err) != LORE_OK)
            abort();
        n[s.verdict]++;
        covered += s.low <= 1 / (1 + difference) && 1 / (1 + difference) <= s.high;
        lore_arena_reset(arena);
    }
    double per = 1.0 / (double)cases;
    return (struct seq_rates){(double)n[LORE_SEQUENTIAL_FASTER] * per,
        (double)n[LORE_SEQUENTIAL_SLOWER] * per, (double)n[LORE_SEQUENTIAL_SAME] * per,
        (double)n[LORE_SEQUENTIAL_ABSTAIN] * per, (double)covered * per};
}

#endif

/* Sessions of a made-up GPU, for what the comparison is tested against: launches resemble their
 * neighbours (AR(1), 0.5 %), every process sits somewhere else in memory (0.3 to 0.5 %), the clock
 * drifts by 2 % over the session, and now and then a launch or a whole process is 10 % slow. */
#ifndef LORE_TESTS_UNIT_COMPARE_SIM_H
#define LORE_TESTS_UNIT_COMPARE_SIM_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "service/stats/compare.h"
#include "service/stats/random.h"
#include "service/stats/stats.h"

struct sim {
    uint64_t seed;
    double difference;             /* 0.03: B takes 3 % less time */
    double within, between, drift; /* standard deviations, and the drift's whole reach */
    double wander;                 /* what each process keeps nine tenths of from the one before */
    double slow_launch, slow_process; /* how many are 10 % slow */
    double min_effect;
    size_t rounds;
};
struct sim_result {
    enum lore_compare_verdict verdict;
    size_t rounds;
    struct lore_comparison c;
};

static const struct sim sim_usual = {.within = 0.005,
    .between = 0.005,
    .drift = 0.02,
    .slow_launch = 0.02,
    .slow_process = 0.03,
    .min_effect = LORE_COMPARE_MIN_EFFECT,
    .rounds = LORE_COMPARE_ROUNDS};

static inline double
sim_uniform(uint64_t *seed)
{
    return ((double)(lore_random_next(seed) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double
sim_normal(uint64_t *seed)
{
    double r = sqrt(-2 * log(sim_uniform(seed)));
    return r * cos(6.283185307179586 * sim_uniform(seed));
}

/* Where the clock stands at T (0..1): a ramp, a wave or a step, as the session will have it. */
static inline double
sim_clock(const struct sim *s, int kind, double t, double at)
{
    if (kind == 0)
        return s->drift * t;
    if (kind == 1)
        return s->drift / 2 * sin(6.283185307179586 * (2 * t + at));
    return t > at ? s->drift : 0;
}

/* The median of one process's 41 launches around BASE nanoseconds. */
static inline double
sim_process(struct sim *s, double base)
{
    enum { LAUNCHES = 41 };
    double v[LAUNCHES], noise = sim_normal(&s->seed), shift = s->between * sim_normal(&s->seed);

    if (sim_uniform(&s->seed) < s->slow_process)
        shift += 0.1;
    for (int i = 0; i < LAUNCHES; i++) {
        noise = 0.6 * noise + 0.8 * sim_normal(&s->seed);
        v[i] = base * (1 + shift + s->within * noise);
        if (sim_uniform(&s->seed) < s->slow_launch)
            v[i] *= 1.1;
    }
    qsort(v, LAUNCHES, sizeof *v, lore_select_by_f64);
    return v[LAUNCHES / 2];
}

/* One whole `compare`: rounds, looks, the verdict of the look that decided or of the last one. */
static inline struct sim_result
sim_session(struct sim *s, struct lore_arena *arena)
{
    struct lore_compare_plan plan;
    struct lore_err err = {0};
    double a[2 * LORE_COMPARE_MOST], b[2 * LORE_COMPARE_MOST];
    struct sim_result r = {0};
    int kind = (int)lore_random_below(&s->seed, 3);
    double at = sim_uniform(&s->seed), steps = 4 * (double)s->rounds, wandering = 0;

    if (lore_compare_plan(s->rounds, LORE_COMPARE_CONFIDENCE, &plan, &err) != LORE_OK)
        abort();
    for (size_t i = 0; i < 2 * s->rounds; i++) {
        size_t b_first = lore_compare_b_first(i);
        for (size_t k = 0; k < 2; k++) {
            wandering = 0.9 * wandering + sqrt(0.19) * s->wander * sim_normal(&s->seed);
            double clock = 1 + wandering + sim_clock(s, kind, (double)(2 * i + k) / steps, at);
            double *out = k == b_first ? a : b;
            out[i] = sim_process(s, 100000 * clock * (out == b ? 1 - s->difference : 1));
        }
        r.rounds = (i + 1) / 2;
        if (i % 2 == 0 || !lore_compare_due(&plan, r.rounds))
            continue;
        if (lore_compare_pairs((struct lore_pairs){a, b, i + 1}, plan.alpha, s->min_effect, arena,
                &r.c, &err) != LORE_OK)
            abort();
        r.verdict = r.c.verdict;
        lore_arena_reset(arena);
        if (r.verdict != LORE_COMPARE_INCONCLUSIVE)
            break;
    }
    return r;
}

#endif

/* Scores of forecasts against the truth, by cell and averaged over cells. Used by eval_moves. */
#ifndef LORE_TESTS_EVAL_TUNING_SCORE_H
#define LORE_TESTS_EVAL_TUNING_SCORE_H

#include "service/base/arena.h"
#include <stdbool.h>

enum tuning_measure {
    T_HIT1,
    T_HIT3,
    T_HIT5,
    T_REGRET1,
    T_REGRET3,
    T_NDCG5,
    T_BRIER,
    T_ECE,
    T_BIAS, /* mean probability less the share of gains */
    T_AUC,
    T_COVER,   /* share of measured effects within the 90 % interval */
    T_ABSTAIN, /* share of forecasts that abstain */
    T_MEASURES
};
extern const char *const tuning_measures[T_MEASURES];

struct tuning_guess { /* one candidate of one state */
    double effect;    /* the truth: ln speedup; -INFINITY: fails */
    double p, rank;   /* probability of a gain; what orders the candidates, highest first */
    double low, high; /* of the effect; low > high: none given */
    bool abstains;
};
struct tuning_score {
    double sum[T_MEASURES]; /* of the ranking measures and the interval */
    double states, n, covered, coverable, abstained;
    double bin_n[10], bin_p[10], bin_won[10];
    double *p; /* every forecast, for the area under the curve */
    bool *won;
    size_t n_p, cap_p, cap_won;
    struct lore_arena *arena;
};
/* One state's candidates; G is put in order of rank. */
void tuning_score_add(struct tuning_score *s, struct tuning_guess *g, size_t n);
void tuning_score_end(struct tuning_score *s, double out[T_MEASURES]);

#endif

/* Asking the model of moves what a move gains. */
#ifndef LORE_MOVES_MOVES_PREDICT_H
#define LORE_MOVES_MOVES_PREDICT_H

#include "service/moves/moves.h"

struct lore_moves_forecast {
    double p_gain; /* of more than 5 % */
    double p_fail;
    double expected;  /* ln speedup, when it runs */
    double low, high; /* 90 % of it */
    double effective; /* results that this rests on, after weighing */
    enum lore_moves_reach reach;
    bool abstains; /* too little is known to advise */
};
/* Forecasts for FROM -> TO[i] on CHIP into OUT[n]. */
void lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from,
    const uint32_t *to, size_t n, struct lore_moves_forecast *out);

#endif

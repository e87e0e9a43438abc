/* Asking the model of moves what a move gains. */
#ifndef LORE_MOVES_MOVES_PREDICT_H
#define LORE_MOVES_MOVES_PREDICT_H

#include "service/moves/moves.h"

enum lore_moves_reach {        /* where the nearest evidence of this operator comes from */
    LORE_MOVES_SAME_CHIP,      /* and workload */
    LORE_MOVES_OTHER_WORKLOAD, /* of the same chip */
    LORE_MOVES_SAME_ISA,
    LORE_MOVES_SAME_ARCH,
    LORE_MOVES_SAME_VENDOR,
    LORE_MOVES_OTHER_VENDOR,
    LORE_MOVES_NO_EVIDENCE /* of this operator: what is said is the base rate */
};
struct lore_moves_forecast {
    double p_gain; /* of more than 5 % */
    double p_fail;
    double expected;  /* ln speedup, when it runs */
    double low, high; /* 90 % of it */
    double effective; /* measured moves that this rests on, after weighing */
    double rate;      /* of the technique (parameter and direction) alone */
    enum lore_moves_reach reach;
    bool abstains; /* too little is known to advise */
};
/* Forecasts for FROM -> TO[i] on CHIP into OUT[n]. */
void lore_moves_predict(const struct lore_moves *m, uint32_t chip, uint32_t from,
    const uint32_t *to, size_t n, struct lore_moves_forecast *out);

#endif

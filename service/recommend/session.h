/* The state of a session: how the odds of the next attempt on a kernel fall with the attempts since
 * its last gain, and with the failures of its technique. A logistic of two terms, whose
 * numbers come from the sessions in memory. Pure. */
#ifndef LORE_RECOMMEND_SESSION_H
#define LORE_RECOMMEND_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include "service/base/arena.h"

struct lore_session_attempt {
    const char *kernel; /* name: attempts of one kernel follow each other, oldest first */
    const char *const *techniques;
    size_t n;
    bool gained;
};
struct lore_session_state {
    size_t since;  /* attempts since the last gain */
    size_t failed; /* of the same technique, since its last gain */
    bool again;    /* an earlier attempt changed the technique: this is another value of it */
};
enum { LORE_SESSION_TERMS = 4 };
struct lore_session_model {
    double w[LORE_SESSION_TERMS]; /* 1, and of a state: log2(1 + since), log2(1 + failed), again */
    double base;                  /* log odds of any attempt */
};
/* With few attempts the weights stay near 0: the ridge is a normal prior of variance 1. */
void lore_session_learn(const struct lore_session_attempt *v, size_t n, struct lore_arena *arena,
    struct lore_session_model *out);
/* What the state adds to the log odds of an attempt. */
double lore_session_shift(const struct lore_session_model *s, const struct lore_session_state *at);
/* The probability of a gain in that state. */
double lore_session_p(const struct lore_session_model *s, const struct lore_session_state *at);
/* The probability P after SHIFT of its log odds. */
double lore_session_odds(double p, double shift);

#endif

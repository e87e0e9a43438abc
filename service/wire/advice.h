/* Rows of served advice and its outcomes: read by db/, added up by service/derive/feedback_sum.c.
 */
#ifndef LORE_WIRE_ADVICE_H
#define LORE_WIRE_ADVICE_H

#include "service/wire/effect.h"
#include "service/wire/record.h"

/* Served items of one chip, technique and list, with the number of reactions to them. */
struct lore_advice_count {
    const char *chip; /* of the question; "": any */
    const char *technique, *list;
    int64_t served, opened, applied, dismissed;
};
/* One experiment that tried a served item. Rows of one item are adjacent, in order of arrival. */
struct lore_advice_result {
    int64_t advice, rank; /* which item: the answer's number, list and rank */
    const char *chip, *technique, *list, *how, *experiment;
    struct lore_f64 p_win, gain; /* as served */
    struct lore_f64 speedup;     /* as measured */
    enum lore_effect effect;
    enum lore_check correctness;
    bool hidden;    /* masked, retracted, merged into another: does not count */
    bool unearned;  /* the gain is not this technique's: it is inert, or not in the code */
    bool said_lost; /* not measured, but its author reported a failure */
};

struct lore_start_best { /* of one operator, chip and workload */
    double time_ns;      /* 0: none */
    int64_t versions;    /* that have a time there */
};
/* One run of a proposed version. Rows of one proposal are adjacent, in order of arrival. */
struct lore_start_result {
    int64_t advice, rank;
    const char *list, *version, *run;
    const char *op, *chip, *workload; /* where it ran; workload NULL: not recorded */
    double value, low, high, p_fail;  /* forecast: fraction of the optimum, 90 % interval */
    double time_ns;                   /* 0: not timed */
    bool failed;                      /* it did not run, or its result was wrong */
    bool hidden;                      /* retracted: does not count */
    struct lore_start_best best;      /* for op, chip and workload; the caller fills it */
};

#endif

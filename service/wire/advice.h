/* What was served as advice and what came of it, as the database counts it and the sums take it. */
#ifndef LORE_WIRE_ADVICE_H
#define LORE_WIRE_ADVICE_H

#include "service/wire/effect.h"
#include "service/wire/record.h"

/* Items served for one chip, of one technique, in one list, and what was said of them. */
struct lore_advice_count {
    const char *chip; /* as asked; "": any */
    const char *technique, *list;
    int64_t served, opened, applied, dismissed;
};
/* One experiment that is an outcome of an item. Rows of one item stand together, in order of
 * arrival. */
struct lore_advice_result {
    int64_t advice, rank; /* which item: the answer's number, list and rank */
    const char *chip, *technique, *list, *how, *experiment;
    struct lore_f64 p_win, gain; /* as served */
    struct lore_f64 speedup;     /* as measured */
    enum lore_effect effect;
    enum lore_check correctness;
    bool hidden;    /* masked, retracted, merged into another: does not count */
    bool unearned;  /* it gained, and not by this technique: inert, or not in the code */
    bool said_lost; /* nothing measured, and the author typed a failure */
};

struct lore_start_best { /* of one place */
    double time_ns;      /* 0: none */
    int64_t versions;    /* that have a time there */
};
/* One run that is an outcome of a proposal. Rows of one proposal stand together, in order of
 * arrival. */
struct lore_start_result {
    int64_t advice, rank;
    const char *list, *version, *run;
    const char *op, *chip, *workload; /* where it ran; workload NULL: not recorded */
    double value, low, high, p_fail;  /* as stated: fraction of the optimum, 90 % interval */
    double time_ns;                   /* 0: not timed */
    bool failed;                      /* it did not run, or its result was wrong */
    bool hidden;                      /* retracted: does not count */
    struct lore_start_best best;      /* of that place; filled by the caller */
};

#endif

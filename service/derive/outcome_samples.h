/* Estimates the speedup and its interval from the samples of both sides, with the comparison
 * engines of service/stats. outcome.h turns the result into a verdict. */
#ifndef LORE_DERIVE_OUTCOME_SAMPLES_H
#define LORE_DERIVE_OUTCOME_SAMPLES_H

#include "service/base/arena.h"
#include "service/wire/record.h"

#define LORE_OUTCOME_SAMPLED "samples-5-2@3"
#define LORE_OUTCOME_PAIRED "paired-5-2@2"
enum { LORE_OUTCOME_SAMPLES = 5 }; /* fewer do not give a useful interval */

/* One side of the comparison. */
struct lore_side_run {
    size_t n;            /* samples */
    int64_t measured_us; /* 0: not recorded */
};
struct lore_side {
    const int64_t *samples_ns;
    size_t n;                         /* all samples of all runs of the side, in order */
    double median_ns;                 /* from a summary, when there are no samples; 0: none */
    bool failed;                      /* a run of this side ended in an error */
    const struct lore_side_run *runs; /* the runs that gave the samples, in order */
    size_t n_runs;                    /* 0: not known */
};
struct lore_sides {
    const struct lore_side *before, *after;
    bool in_turns;         /* as in struct lore_outcome_in */
    struct lore_f64 floor; /* likewise */
};
struct lore_sample_comparison {
    const char *policy;
    double before_ns, after_ns; /* medians; of the compared part if warm-up or samples beyond a
                                 * level shift were cut off (level.h) */
    double speedup;             /* their ratio */
    bool bounded;     /* an interval exists; false: too few comparable samples, or `elsewhere` */
    double low, high; /* of the speedup; noise, drift and the host's floor included */
    double drift;     /* how much drift widens each end of the interval: 0.01 is 1 % */
    bool elsewhere;   /* times change, but not at the point where the versions change */
};
/* Both sides have at least LORE_OUTCOME_SAMPLES samples; times below 1 ns count as 1 ns. */
void lore_outcome_samples(
    const struct lore_sides *sides, struct lore_arena *arena, struct lore_sample_comparison *out);

#endif

/* Measures two programs in turns: rounds of four processes, A B B A and then B A A B, until a
 * look decides the comparison (compare.h) or the budget ends. One process of each program runs
 * first and does not count: it warms caches and clocks, and shows whether both are comparable. */
#ifndef LORE_RUN_ABBA_H
#define LORE_RUN_ABBA_H

#include "service/stats/compare.h"

struct lore_abba_process {
    double time_ns;      /* time per iteration: see abba_process.h */
    uint64_t launches;   /* of the measured kernels */
    uint64_t iterations; /* number of iterations */
    uint64_t lost;       /* records that the capture library could not keep */
    int64_t wall_us;
};
/* Run one process of program SIDE (0: A, 1: B); NTH counts that side's processes, 0 is the warm-up.
 * An error ends the session. */
typedef enum lore_status (*lore_abba_measure)(
    void *ctx, unsigned side, size_t nth, struct lore_abba_process *out, struct lore_err *err);

struct lore_abba {
    struct lore_compare_plan plan;
    double min_effect;                        /* fraction */
    double (*effect)(void *ctx, double a_ns); /* if set, gives the minimum effect; called after
                                                 the warm-up with A's time */
    double seconds;    /* time budget of all processes together; 0: no limit */
    bool every_launch; /* compare single launches, however often each program launches */
    bool to_the_end;   /* never stop early: a calibration wants all pairs */
    lore_abba_measure measure;
    void (*round)(void *ctx, size_t rounds, const struct lore_comparison *so_far); /* may be NULL */
    void *ctx;
};
enum lore_abba_end { LORE_ABBA_DECIDED, LORE_ABBA_ROUNDS, LORE_ABBA_SECONDS };
const char *lore_abba_end_name(enum lore_abba_end e); /* "decided", "rounds", "seconds" */

struct lore_abba_side {
    double *times_ns; /* one per pair, in order */
    double median_ns;
    struct lore_abba_process warm_up;
    uint64_t lost;
    size_t lossy;                        /* processes with losses */
    uint64_t launches_min, launches_max; /* of the processes that count */
};
struct lore_abba_result {
    struct lore_abba_side side[2];
    size_t pairs, rounds;
    struct lore_comparison c; /* of the last look; c.n is 0 when none was reached */
    enum lore_abba_end end;
    double seconds; /* all processes together */
};
/* LORE_INVALID "launch_counts_differ": after the warm-up the iterations of A and B differ by more
 * than 2 % and EVERY_LAUNCH is not set. Otherwise the error of MEASURE. Lists live in ARENA. */
enum lore_status lore_abba_run(const struct lore_abba *a, struct lore_arena *arena,
    struct lore_abba_result *out, struct lore_err *err) LORE_MUST;

#endif

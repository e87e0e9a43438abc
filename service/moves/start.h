/* "Start from this version": what other chips' results say of the versions of an operator on a
 * chip, which one-parameter changes of a version are worth a try there, and what to measure next.
 * Pure: the memory of trials and a place in, answers in ARENA out. */
#ifndef LORE_MOVES_START_H
#define LORE_MOVES_START_H

#include "service/moves/trials.h"
#include "service/stats/interval.h"

/* Where a question is asked. */
struct lore_start_place {
    const char *op; /* canonical */
    const struct lore_chip *chip;
    const char *workload; /* id; NULL: not said, and none is known */
    double size;          /* log2 of the problem's; 0: not known */
    const char *kind;     /* data type and layout as runs tell it (trials.h); NULL: not known */
    bool assumed;         /* nobody said the workload: it is the one most was measured on */
    size_t measured;      /* configurations with a result here */
    size_t n_states;      /* those with a result on a workload of that kind, here or elsewhere */
    /* Versions in one of these are proposed, and no others: bits as in trials.h. Any; the caller
     * may say which. */
    uint32_t languages;
    /* private */
    const struct lore_trials *trials;
    struct lore_moves *model; /* knows this place, also one never seen */
    uint32_t at, of_kind;
};
/* Fill in *P, of which op and chip are given, and workload, size and kind when they are known: what
 * was written for another kind is no start. False, and *P untouched: nothing was ever measured of
 * the operator. *P is good while T does not change; what is made from it stands on its own. */
bool
lore_start_at(const struct lore_trials *t, struct lore_start_place *p, struct lore_arena *arena);

struct lore_start_from { /* a place where it was measured */
    const char *chip, *workload;
    double fraction; /* of the best measured there; 0: it failed */
};
struct lore_start {
    uint32_t state;                  /* configuration of the model */
    const char *version;             /* id; NULL: no version has this configuration, */
    struct lore_trial_config config; /* but this sweep; sweep NULL: a version has it */
    struct lore_interval fraction;   /* of the optimum, 0..1 */
    double p_fail;
    bool measured_here;
    double time_ns;               /* here; 0: not measured */
    enum lore_evidence evidence;  /* of that time */
    struct lore_start_from *from; /* nearest first, at most 6 */
    size_t n_from;
};
/* At most LIMIT versions to start from, by their expected fraction: those that the model proposes,
 * each for what it adds to the others, and the best one measured here. None that failed on a chip
 * of the same vendor. Returns how many. */
size_t lore_start_versions(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_start **out);

struct lore_start_move {
    const char *technique; /* slug; the parameter's name when nobody called it anything else */
    const char *parameter;
    uint32_t state;         /* that it leads to */
    const char *to_version; /* as in lore_start */
    struct lore_trial_config config;
    struct lore_interval p_win; /* that it gains more than 5 % */
    struct lore_interval gain;  /* ln speedup, when it runs */
    double p_fail, effective;
    enum lore_moves_reach reach;
    bool abstains;
    double expected; /* ln speedup to be had on average: what makes it slower is not kept */
};
/* The changes of one parameter of VERSION that lead to known configurations, at most LIMIT, those
 * that promise most first. 0: the version is not known, or has no parameters. NEW: only to what has
 * no result here. */
size_t lore_start_moves(const struct lore_start_place *p, const char *version, bool new,
    size_t limit, struct lore_arena *arena, struct lore_start_move **out);

/* What to measure next: START or MOVE (from version FROM), the other is NULL. */
struct lore_next {
    const char *version, *from; /* version: NULL as in lore_start; from NULL: a start */
    const struct lore_start *start;
    const struct lore_start_move *move;
    double expected; /* ln speedup over the best here to be had on average; 0: nothing ran here */
};
/* At most LIMIT; never what has a result here. *BEST: the best version measured here, NULL: none.
 */
size_t lore_start_next(const struct lore_start_place *p, size_t limit, struct lore_arena *arena,
    struct lore_next **out, const struct lore_start **best);

#endif

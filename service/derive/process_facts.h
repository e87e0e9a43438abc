/* The facts that process rules look at, and the possible results of a rule. */
#ifndef LORE_DERIVE_PROCESS_FACTS_H
#define LORE_DERIVE_PROCESS_FACTS_H

#include "service/wire/record.h"

/* Fractional values that a profile needs before it can count as reused. Fewer can be equal by
 * chance. */
enum { LORE_PROFILE_MIN = 3 };

/* Why a run is among the facts. */
enum lore_process_side {
    LORE_P_BEFORE,
    LORE_P_AFTER,
    LORE_P_SAME_VERSION, /* another run of the to-version */
    LORE_P_BASELINE,     /* a run of the kernel's baseline */
    LORE_P_RECENT        /* stored shortly before: a possible source of a reused profile */
};
struct lore_process_run {
    enum lore_process_side side;
    const char *version, *workload, *environment, *dtype; /* environment: hash of its hard fields */
    const char *chip;                                     /* its name in the catalogue */
    const char *source_hash;                              /* of the source that ran */
    const char *tool, *timer;                             /* the measuring tool and its clock */
    int64_t measured_us;                                  /* 0: not recorded */
    bool timed;
    enum lore_check correctness;
    struct lore_f64 atol, rtol, rel_err_limit;
    struct lore_f64 worst; /* largest difference that the check reported anywhere */
    struct lore_metrics metrics;
};

/* Zeroed: nothing is known. All pointers are borrowed. */
struct lore_process_in {
    const char *const *techniques;
    size_t n_techniques;
    bool one_sentence; /* all of them were read from one text */
    const struct lore_process_run *runs;
    size_t n_runs;
    const char *const *sources; /* hashes of the to-version's source files */
    size_t n_sources;
    bool has_hypothesis;
    int64_t claimed_us; /* 0: not recorded */
    bool claimed_later; /* the hypothesis came in a later submission than the runs that test it */
    const char *const *words; /* evidence in words: rationale, evidence of the bottleneck */
    size_t n_words;
    const struct lore_target *targets; /* of the experiment and of its campaign */
    size_t n_targets;
    struct lore_claim claim;
    uint32_t labels;            /* declared bottleneck before the change: bits of enum lore_label */
    struct lore_metrics before; /* metrics of the side before, of its runs, else as stated */
    bool compared;              /* outcome.h compared the samples of both sides; its results: */
    bool drifts, elsewhere;     /* inconclusive because of drift; the times do not change where the
                                 * version changes */
    const char *const *lint;    /* codes of metrics_lint.h found on either side */
    size_t n_lint;
};

enum lore_ruling { LORE_RULING_UNKNOWN, LORE_RULING_KEPT, LORE_RULING_BROKEN };

#endif

/* The leaderboard: best version per cell = (operator, language, chip, workload). Pure: entries in,
 * rows out. Each rule's reason is on the row it excludes: a fail or timeout of correctness
 * excludes; masked experiments exclude; a measurement outranks a claim whatever it says; every
 * speedup names its base. Two times compare only within one workload, chip, hard environment and
 * timing method (a profiler's kernel time is not an event's): every ratio is of such a pair, else
 * there is none but what somebody states. Versions are ranked within one method, that of most
 * versions of the cell; what only another one timed comes after. A comparison with a library is no
 * attempt: it tells vs_library and counts neither as won nor as lost. */
#ifndef LORE_BOARD_H
#define LORE_BOARD_H

#include "catalogue.h"
#include "outcome.h"

/* A timing of a version on a workload (one run), or a stated result (one experiment without runs).
 */
struct lore_entry {
    const char *op, *family, *chip, *workload, *workload_label; /* NULL: not recorded */
    enum lore_language language;
    const char *kernel, *kernel_name, *version, *version_label;
    enum lore_version_kind version_kind;
    const char *run;                 /* ULID, or NULL for a stated result */
    const char *experiment;          /* ULID, or NULL for a run */
    double time_ns, low_ns, high_ns; /* median and p10..p90; 0: not known */
    size_t n_samples;
    const char *env_hard; /* hash; NULL: not recorded */
    const char
        *method; /* what timed it: the run's tool; NULL: not recorded, which equals itself only */
    enum lore_evidence evidence;
    enum lore_check correctness;
    bool masked, failed;
    /* stated results only */
    double speedup, speedup_low, speedup_high; /* 0: none */
    enum lore_base base;
    const char *base_name;
    enum lore_effect effect; /* of the experiment, for counting wins and losses */
    bool said_lost;          /* effect not_measured, and the author typed a failure */
    uint32_t labels;         /* bottlenecks seen */
    int64_t seq, at_us;
};
struct lore_board_index; /* owns copies of its entries; not locked */
struct lore_board_index *lore_board_new(void);
void lore_board_free(struct lore_board_index *ix);
/* A run that is already there changes nothing; an experiment that is already there gets the new
 * verdict and mask. Experiments with after-runs are welcome too (time_ns 0): they count, and their
 * mask excludes the version. */
void lore_board_add(struct lore_board_index *ix, const struct lore_entry *e);
void lore_board_mask(struct lore_board_index *ix, const char *experiment, bool masked);
void lore_board_judge(
    struct lore_board_index *ix, const char *experiment, const struct lore_outcome *outcome);
size_t lore_board_entries(const struct lore_board_index *ix);

struct lore_speedup {
    bool set;
    double value;
    enum lore_base base;
    const char *base_name, *base_version;
};
struct lore_excluded {
    const char *version, *version_label, *reason;
};
struct lore_board_row {
    const char *op, *family, *chip, *workload, *workload_label; /* NULL: not recorded */
    enum lore_language language;
    const char *kernel, *kernel_name, *best_version, *best_label, *best_run, *best_experiment;
    double time_ns, low_ns, high_ns; /* of the best; 0: not known */
    size_t n_samples;
    const char *method; /* that timed the best; NULL: not recorded */
    struct lore_speedup
        speedup; /* the headline: vs first version when known, else what is stated */
    struct lore_speedup vs_library;
    double typical_low, typical_high; /* of the speedup; 0: none */
    const char *typical_over;         /* workloads | samples | claimed; NULL */
    uint32_t labels;
    const char *status; /* "v3", "baseline optimal", "no correct version", "claimed only" */
    enum lore_evidence evidence; /* of the best */
    size_t versions, runs, experiments, won, neutral, lost;
    struct lore_excluded *excluded;
    size_t n_excluded;
    int64_t updated_us;
};
struct lore_board_filter {
    const char *op, *family, *workload,
        *text;                    /* NULL: any; text matches operator, kernel, workload label */
    const struct lore_chip *chip; /* same chip, or any product of the ISA when only that is given */
    enum lore_language language;
    uint32_t labels;             /* any of */
    enum lore_evidence at_least; /* LORE_EV_NONE: any */
    const char
        *sort; /* operator (default) | speedup | chip | time | updated; "-" prefix: descending */
    size_t offset, limit; /* 0: 100 */
};
/* Rows in ARENA; *total counts all that match. */
void lore_board(const struct lore_board_index *ix, const struct lore_board_filter *f,
    struct lore_arena *arena, struct lore_board_row **rows, size_t *n, size_t *total);

#endif

/* The leaderboard: the best version of each cell (operator, language, chip, workload). The rules in
 * short; docs/verdicts.md gives the reasons:
 *
 * - Excluded, with the reason on the row: versions whose correctness check failed, timed out or
 *   passed on other workloads only, and masked or retracted records.
 * - Versions that were never checked rank after those that passed.
 * - A measured time ranks before a claimed one, however fast the claim is.
 * - Two times compare only within one workload, chip, hard environment and timing method: a
 *   profiler's kernel time is not an event's time. Each speedup names its base, and is the ratio of
 *   two such times or a speedup that somebody stated.
 * - A cell ranks by the timing method of most of its versions. Versions timed only by another
 *   method come after.
 * - Versions that no other version is shown to beat are tied.
 * - A comparison with a library sets vs_library. It is neither a win nor a loss. */
#ifndef LORE_BOARD_BOARD_H
#define LORE_BOARD_BOARD_H

#include "service/board/entry.h"

struct lore_speedup {
    bool set;
    double value;
    enum lore_base base;
    const char *base_name, *base_version;
};
struct lore_excluded {
    const char *version, *version_label, *reason;
    const char *code; /* correctness_failed | correctness_timeout | not_checked | shape_mismatch |
                         masked | retracted | other_method | run_error */
};
struct lore_tied { /* a version that may be as fast as the best */
    const char *version, *version_label, *kernel_name;
    enum lore_language language; /* of its row: other languages tie, too */
    double time_ns;
};
struct lore_board_row {
    const char *op, *family, *chip, *workload, *workload_label; /* NULL: not recorded */
    enum lore_language language;
    const char *kernel, *kernel_name, *best_version, *best_label, *best_run, *best_experiment;
    double time_ns, low_ns, high_ns; /* of the best; 0: not known */
    size_t n_samples;
    double interval_low_ns, interval_high_ns; /* that it is compared by; 0: none, so no tie */
    const char *interval_of;                  /* median (95 %) | p10..p90 (as stated); NULL */
    const char *method;                       /* that timed the best; NULL: not recorded */
    struct lore_speedup
        speedup; /* the headline: vs first version when known, else what is stated */
    struct lore_speedup vs_library;
    double typical_low, typical_high; /* of the speedup; 0: none */
    const char *typical_over;         /* workloads | samples | claimed; NULL */
    uint32_t labels, derived_labels;  /* derived: those of labels that nobody said */
    const char *status; /* "v3", "baseline optimal", "no correct version", "claimed only" */
    enum lore_evidence evidence; /* of the best */
    enum lore_check correctness; /* of the best here: pass, not_checked; LORE_C_NONE: no best */
    const char *checked_on;      /* where else it passed, when only there (any_shape); NULL */
    size_t rank, rank_high;  /* among rows of this operator, chip and workload: behind those shown
                                faster, before those shown slower; 0: no time, or no workload */
    struct lore_tied *tied;  /* nobody compared is shown to beat them; by time; at most 50 */
    size_t n_tied, compared; /* compared: how many of the row were, at most the 50 fastest */
    const char **attempts; /* baseline optimal: experiments that failed, newest first; at most 50 */
    size_t n_attempts;
    size_t versions, runs, experiments, won, neutral, lost;
    struct lore_excluded *excluded; /* at most 50 */
    size_t n_excluded;
    int64_t updated_us;
};
struct lore_board_filter {
    const char *op, *family, *workload,
        *text; /* NULL: any; text matches operator, kernel, workload label. Without op and workload
                  what is LORE_UNCLASSIFIED is left out: it shares a launch shape and no more */
    const struct lore_chip *chip; /* same chip, or any product of the ISA when only that is given */
    enum lore_language language;
    uint32_t labels;             /* any of */
    enum lore_evidence at_least; /* LORE_EV_NONE: any */
    bool checked;                /* only versions that passed on the workload compete */
    bool any_shape;              /* versions that passed on other workloads only compete, too */
    const char
        *sort; /* operator (default) | speedup | chip | time | updated; "-" prefix: descending */
    size_t offset, limit; /* 0: 100 */
};
/* Rows in ARENA; *total counts all that match. */
void lore_board(const struct lore_board *ix, const struct lore_board_filter *f,
    struct lore_arena *arena, struct lore_board_row **rows, size_t *n, size_t *total);

#endif

/* The leaderboard: the best version of each cell (operator, language, chip, workload). The rules in
 * short; docs/verdicts.md gives the reasons:
 *
 * - Excluded, with the reason on the row: versions whose correctness check failed, timed out or
 *   passed on other workloads only, and masked or retracted records.
 * - Versions that were never checked rank after those that passed.
 * - A measured time ranks before a claimed one, however fast the claim is.
 * - Two times compare only within one workload, chip, hard environment and timing method: a
 *   profiler's kernel time is not an event's time. Each speedup names its base, and is the ratio of
 *   two such times or a stated speedup.
 * - A cell ranks by the timing method of most of its versions. Versions timed only by another
 *   method come after.
 * - Versions that no other version is shown to beat are tied.
 * - A comparison with a library sets vs_library. It is neither a win nor a loss. */
#ifndef LORE_BOARD_BOARD_H
#define LORE_BOARD_BOARD_H

#include "service/board/entry.h"

struct lore_speedup {
    bool set;
    double value, low,
        high; /* low, high: the typical range, where one is stated beside it; 0: none */
    enum lore_base base;
    const char *base_name, *base_version;
};
struct lore_excluded {
    const char *version, *version_label, *reason;
    const char *code; /* correctness_failed | correctness_timeout | not_checked | shape_mismatch |
                         masked | retracted | copy | other_method | run_error | ablation |
                         beyond_ceiling */
};
struct lore_claimed { /* a speedup that was stated, without a time of a version */
    const char *version, *version_label, *experiment;
    double time_ns; /* stated without a version; 0: none */
    struct lore_speedup speedup;
};
struct lore_tied { /* a version that may be as fast as the best */
    const char *version, *version_label, *kernel_name, *project;
    enum lore_language language; /* of its row: other languages tie, too */
    double time_ns;
};
struct lore_board_row {
    const char *op, *family, *chip, *workload, *workload_label; /* NULL: not recorded */
    enum lore_language language;
    const char *kernel, *kernel_name, *project, *best_version, *best_label, *best_run,
        *best_experiment;
    double time_ns, low_ns, high_ns; /* of the best; 0: not known */
    size_t n_samples;
    double interval_low_ns, interval_high_ns; /* interval of the time; 0: none, so no tie */
    const char *interval_of;                  /* median (95 %) | p10..p90 (as stated); NULL */
    const char *method;                       /* timing method of the best; NULL: not recorded */
    double peak_pct;     /* time at the peak rates over the time of the best, in %; 0: not known */
    const char *limiter; /* the rate that limits it: memory | compute; static; NULL: not known */
    struct lore_speedup
        speedup; /* the headline: over the first version if known, else the stated speedup */
    struct lore_speedup vs_library;
    uint32_t labels, derived_labels; /* derived: the labels that were inferred from metrics */
    uint32_t earlier_labels;         /* without labels: those of the versions before it */
    const char *status; /* "v3", "baseline optimal", "no correct version", "claimed only" */
    enum lore_evidence evidence; /* of the best */
    enum lore_check
        correctness; /* of the best in this cell: pass, not_checked; LORE_C_NONE: no best */
    const char
        *disputed; /* run or experiment that says, without evidence, that the best is wrong */
    const char *checked_on; /* with any_shape: the other workloads on which it passed; NULL */
    size_t rank, rank_high; /* range of ranks among the rows of this operator, chip and workload:
                               after the rows shown to be faster, before those shown to be
                               slower; 0: no time or no workload */
    struct lore_tied *tied; /* versions that no other is shown to beat, fastest first; at most 50 */
    size_t n_tied, compared; /* compared: how many versions of the row were tested, at most 50 */
    const char **attempts;   /* baseline optimal, no gain reported: experiments that lost or were
                              * neutral, newest first;   at most 50 */
    size_t n_attempts;
    struct lore_claimed *claims; /* no version leads by one; largest first; at most 50 */
    size_t n_claims;
    size_t versions, runs, experiments, won, neutral, lost;
    size_t said_lost;               /* not measured, but their authors reported a failure */
    struct lore_excluded *excluded; /* at most 50 */
    size_t n_excluded;
    int64_t updated_us;
};
struct lore_board_filter {
    const char *op, *family, *workload,
        *text; /* NULL: any; text matches operator, kernel, workload label. Without op and workload
                  the rows of LORE_UNCLASSIFIED are left out: their kernels compute different things
                */
    const char
        *project; /* only its versions compete and are counted; NULL: those of all projects */
    const struct lore_chip *chip; /* same chip, or any product of the ISA when only that is given */
    bool variants;                /* its variants, too (lore_chip_covers) */
    enum lore_language language;
    uint32_t labels;             /* rows with any of these bits; 0: all */
    enum lore_evidence at_least; /* LORE_EV_NONE: any */
    bool checked;                /* only versions that passed on the workload compete */
    bool any_shape;              /* versions that passed only on other workloads compete, too */
    bool bests; /* only the best and its place: no speedups, ranks, ties, counts of versions */
    const char
        *sort; /* operator (default) | speedup | chip | time | updated; "-" prefix: descending */
    size_t offset, limit; /* 0: 100 */
};
/* Answer a query. Rows are in ARENA; *total counts all matching rows, not only the returned ones.
 */
void lore_board(const struct lore_board *ix, const struct lore_board_filter *f,
    struct lore_arena *arena, struct lore_board_row **rows, size_t *n, size_t *total);

#endif

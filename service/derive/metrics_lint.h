/* Flags doubtful metrics: wrong units, impossible values, statistics of one sample. It never
 * changes or drops a value. */
#ifndef LORE_DERIVE_METRICS_LINT_H
#define LORE_DERIVE_METRICS_LINT_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_metric_flag {
    const char *code;     /* stable: "occupancy_above_100", "ratio_as_percent", … */
    const char *metric;   /* as recorded */
    const char *sentence; /* with the numbers */
};

/* Codes: occupancy_above_100, percent_out_of_range, threads_as_percent (Warp Execution Efficiency
 * is threads of 32), ratio_as_percent (a stall ratio is warps per issue), stall_unit_unclear,
 * std_not_a_number, std_of_one, single_sample, precision_lost, range_excludes_value,
 * duplicate_metric, not_finite. Flags are in the order of the metrics; *n may be 0. */
const struct lore_metric_flag *
lore_metrics_lint(const struct lore_metrics *metrics, struct lore_arena *arena, size_t *n);

/* Flags on what counting itself changed in the metrics of RUN, from its method. l2_not_clean: DRAM
 * writes include lines that were changed before the launch (`cache` is not "all").
 * first_launch_counted: the process's first counted launch, which has more DRAM writes, can be in
 * the value, because it is no median (`counter_statistic`) or of fewer than three launches.
 * counted_at_other_speed: a share of elapsed time, from launches that took over 2 % longer or
 * shorter than the timed ones (`counted_over_timed`). Nothing for runs without `counter_passes`. */
const struct lore_metric_flag *
lore_metrics_lint_counting(const struct lore_run *run, struct lore_arena *arena, size_t *n);

/* Whether two runs of different code have the same profile, which suggests a copied one. Only
 * metrics with a value under the same name in both are compared. Times, sizes, event counts and
 * launch geometry are ignored, because they are often equal for good reasons. At least three shared
 * metrics are needed. */
enum lore_profile_similarity {
    LORE_PROFILE_DIFFERS, /* or too little to compare */
    LORE_PROFILE_NEAR,    /* every shared metric within 0.5 %: the same kernel profiled twice */
    LORE_PROFILE_SAME     /* every shared metric equal to printed precision: a copied profile */
};
struct lore_profile_match {
    enum lore_profile_similarity likeness;
    bool suspect;               /* likeness is LORE_PROFILE_SAME, which two real runs never show */
    size_t shared, near, equal; /* equal: to 1e-9, or to 3 digits where precision was lost */
    const char *sentence;       /* NULL when it differs */
};
void lore_metrics_equal_profile(const struct lore_metrics *a, const struct lore_metrics *b,
    struct lore_arena *arena, struct lore_profile_match *out);

#endif

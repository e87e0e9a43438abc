/* Metric sets for tests, written as tables. */
#ifndef LORE_TESTS_UNIT_METRICS_CASE_H
#define LORE_TESTS_UNIT_METRICS_CASE_H

#include <string.h>

#include "service/wire/record.h"

/* NAME, VALUE pairs up to a NULL name. At most 64; the set lives until the next call. */
struct metric_pair {
    const char *name;
    double value;
};

static inline struct lore_metrics
metrics_of(const struct metric_pair *pairs)
{
    static struct lore_metric rows[64];
    struct lore_metrics m = {.v = rows};

    memset(rows, 0, sizeof rows);
    for (; pairs[m.n].name != NULL; m.n++) {
        rows[m.n].name = pairs[m.n].name;
        rows[m.n].value = pairs[m.n].value;
    }
    return m;
}
#define METRICS(...) metrics_of((const struct metric_pair[]){__VA_ARGS__, {NULL, 0}})
#define NO_METRICS() metrics_of((const struct metric_pair[]){{NULL, 0}})

/* The names that rules know best. */
#define SM "sm__throughput.avg.pct_of_peak_sustained_elapsed"
#define DRAM "dram__throughput.avg.pct_of_peak_sustained_elapsed"
#define MEM "gpu__compute_memory_throughput.avg.pct_of_peak_sustained_elapsed"
#define STALL(s) "smsp__average_warps_issue_stalled_" s "_per_issue_active.ratio"
#define WAVES "launch__waves_per_multiprocessor"
#define GRID "launch__grid_size"
#define SMS "device__attribute_multiprocessor_count"
#define DRAM_READ "dram__bytes_read.sum.pct_of_peak_sustained_elapsed"
#define LANES "smsp__thread_inst_executed_per_inst_executed.ratio"
#define THEORY "sm__maximum_warps_per_active_cycle_pct"
#define ACHIEVED "sm__warps_active.avg.pct_of_peak_sustained_active"

#endif

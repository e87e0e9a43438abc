/* Roofline gaps: the unused share of the compute units, the unused share of DRAM throughput, and
 * the largest stall percentage. The largest gap names the bound. A gap is not a limit: a kernel
 * that saturates DRAM has a small memory gap and may have a large compute gap. */
#ifndef LORE_DERIVE_GAPS_H
#define LORE_DERIVE_GAPS_H

#include "service/base/arena.h"
#include "service/wire/record.h"

enum lore_gaps_mode {
    LORE_GAPS_STRICT, /* a missing metric makes its gap unknown; a degraded profile makes all
                         unknown */
    LORE_GAPS_COMPAT, /* the numbers of cuda-kernel-optimizer V2. Missing utilisation is 0 (gap 1),
                         missing stalls are 0.5, a degraded profile is 0.5 everywhere. Metrics match
                         by parts of vendor names. Gaps are rounded to 4 digits. */
};
enum lore_bound {
    LORE_BOUND_UNKNOWN,   /* some gap is not known */
    LORE_BOUND_NEAR_PEAK, /* every gap below 0.15 */
    LORE_BOUND_COMPUTE,   /* else the largest gap; of equals compute, then memory */
    LORE_BOUND_MEMORY,    /* "bandwidth" in cuda-kernel-optimizer's files */
    LORE_BOUND_LATENCY,
    LORE_BOUND_COUNT
};
struct lore_gaps {
    struct lore_f64 compute, memory, latency; /* 0..1; unset: not known */
    struct lore_f64 compute_util_pct, memory_util_pct, max_stall_pct;
    bool degraded;
    enum lore_bound bound;
    const char *const *unknown_inputs; /* names of absent metrics; static or in the arena */
    size_t n_unknown;
};

/* Gaps of one run's metrics. Stall reasons count when they are percentages; ratios do not. */
void lore_roofline_gaps(const struct lore_metrics *metrics, bool degraded, enum lore_gaps_mode mode,
    struct lore_arena *arena, struct lore_gaps *out);
/* The bound from three gaps alone, for imported gaps. */
enum lore_bound lore_gaps_bound(const struct lore_gaps *g);
/* "unknown", "near_peak", "compute", "memory", "latency" */
const char *lore_bound_name(enum lore_bound b);

#endif

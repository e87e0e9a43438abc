/* Canonical metrics from AMD's counters. NVIDIA's profiler gives utilisations ready-made; on CDNA
 * they are formulas over counters, some over facts of the chip. Close to their NVIDIA namesakes,
 * not identical: what is read through the fabric includes hits of the Infinity Cache. */
#ifndef LORE_CANONICAL_H
#define LORE_CANONICAL_H

#include "arena.h"
#include "record.h"

/* From a sourced spec or the device; unset: not known, and what needs it is not computed. */
struct lore_chip_facts {
    struct lore_f64 units;            /* compute units */
    struct lore_f64 xcds;             /* dies that each count GPU cycles: 8 on an MI300X in SPX */
    struct lore_f64 dram_bytes_per_s; /* peak */
};

struct lore_canonical {
    const char *name; /* "dram_read_bytes" */
    const char *unit;
    const char *formula; /* over the counters, as computed */
    bool known;
    double value;
    const char *const *missing; /* counters and facts that were absent, when not known */
    size_t n_missing;
};

/* Every canonical metric there is a formula for, in a fixed order: dram_read_bytes,
 * dram_write_bytes, dram_bytes_per_s, dram_throughput_pct, l2_hit_pct, matrix_util_pct,
 * vector_util_pct, achieved_occupancy_pct, lane_efficiency_pct, lds_conflicts_per_access. What the
 * run recorded under the canonical or a derived name (L2CacheHit) is taken as it is. */
const struct lore_canonical *lore_canonical_amd(const struct lore_metrics *metrics,
    const struct lore_chip_facts *facts, struct lore_arena *arena, size_t *n);

/* METRICS and, after them, the known ones of the above that the run did not record itself, under
 * their canonical names. Only for runs with AMD counters; others come back as they are. */
struct lore_metrics lore_canonical_complete(const struct lore_metrics *metrics,
    const struct lore_chip_facts *facts, struct lore_arena *arena);

#endif

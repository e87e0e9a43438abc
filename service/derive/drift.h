/* Where the bottleneck moves over a line of versions. */
#ifndef LORE_DERIVE_DRIFT_H
#define LORE_DERIVE_DRIFT_H

#include "service/derive/gaps.h"

struct lore_drift_in {
    const char *version; /* as shown: "v3" */
    struct lore_gaps gaps;
};
struct lore_drift_step {
    const char *version;
    enum lore_bound bound;                          /* of these gaps */
    struct lore_f64 compute, memory, latency;       /* the gaps */
    struct lore_f64 d_compute, d_memory, d_latency; /* change since the version before; unset when
                                                       either side is unknown */
    bool migrated;        /* the bound is known and differs from the last known one */
    enum lore_bound from; /* that last known bound; unknown: none before */
    const char *from_version;
    bool across_unknown; /* versions without a known bound lie between */
};
struct lore_drift {
    struct lore_drift_step *steps; /* one per version, in order; in the arena */
    size_t n;
    size_t n_migrations, n_unknown;
    const char *summary; /* "memory (v0..v2) -> latency (v3)"; "" when nothing is known */
};

/* Versions in the order they were made. Names are borrowed. */
void lore_drift_bottleneck(
    const struct lore_drift_in *in, size_t n, struct lore_arena *arena, struct lore_drift *out);

#endif

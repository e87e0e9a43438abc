/* How the bottleneck changes from version to version. */
#ifndef LORE_DERIVE_DRIFT_H
#define LORE_DERIVE_DRIFT_H

#include "service/derive/gaps.h"

struct lore_drift_in {
    const char *version; /* as shown: "v3" */
    struct lore_gaps gaps;
};
struct lore_drift_step {
    const char *version;
    enum lore_bound bound;                    /* from the gaps below */
    struct lore_f64 compute, memory, latency; /* the gaps */
    struct lore_f64 d_compute, d_memory,
        d_latency;        /* change from the previous version; unset when either value is unknown */
    bool migrated;        /* the bound is known and differs from the last known one */
    enum lore_bound from; /* the last known bound; unknown: no earlier version has one */
    const char *from_version;
    bool across_unknown; /* versions with an unknown bound are in between */
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

/* The partial restart: hide a random half of the visible versions, so that they do not influence
 * the next attempt. Nothing is deleted. Pure function; the caller masks the hidden versions. */
#ifndef LORE_DERIVE_RESTART_H
#define LORE_DERIVE_RESTART_H

#include "service/base/arena.h"
#include "service/wire/record.h"

#define LORE_RESTART_METHOD "half-splitmix64-fisher-yates@1"

struct lore_restart_version {
    const char *id; /* ULID; unique */
    struct lore_i64 ordinal;
    enum lore_version_kind kind; /* baseline is never hidden */
    bool masked;                 /* masked before */
    bool is_best;                /* never hidden */
};
struct lore_restart {
    const char **hidden; /* newly hidden, in order of (ordinal, id); borrowed ids */
    size_t n_hidden;
    const char **visible; /* still visible, in the same order */
    size_t n_visible;
    int64_t next_ordinal; /* 1 + the largest ordinal, masked or not; 0 when none has one */
};

/* Hide half of the unmasked versions, rounded down, but never a baseline, ordinal 0 or the best.
 * These count towards the total. If fewer than half can be hidden, all of those are. The plan is
 * deterministic. Candidates are sorted by ordinal (versions without one last), then id. A
 * Fisher-Yates shuffle from the end, i = n-1 … 1, swaps i with lore_random_below(state = SEED, i +
 * 1). The first k are hidden. The order of VERSIONS does not matter. LORE_CONFLICT: nothing can be
 * hidden. LORE_INVALID: an id is missing or given twice, or an ordinal is INT64_MAX. */
enum lore_status
lore_restart_plan(const struct lore_restart_version *versions, size_t n, uint64_t seed,
    struct lore_arena *arena, struct lore_restart *out, struct lore_err *err) LORE_MUST;

#endif

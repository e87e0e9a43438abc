/* The partial restart: hide a random half of what is visible, so that the next attempt is not led
 * by all of it. Nothing is deleted. Pure; the caller turns the hidden set into masks. */
#ifndef LORE_DERIVE_RESTART_H
#define LORE_DERIVE_RESTART_H

#include "service/base/arena.h"
#include "service/wire/record.h"

#define LORE_RESTART_METHOD "half-splitmix64-fisher-yates@1"

struct lore_restart_version {
    const char *id; /* ULID; unique */
    struct lore_i64 ordinal;
    enum lore_version_kind kind; /* baseline is never hidden */
    bool masked;                 /* already */
    bool is_best;                /* never hidden */
};
struct lore_restart {
    const char **hidden; /* newly hidden, in order of (ordinal, id); borrowed ids */
    size_t n_hidden;
    const char **visible; /* what is left to see, in that order */
    size_t n_visible;
    int64_t next_ordinal; /* 1 + the largest ordinal, masked or not; 0 when none has one */
};

/* Half (rounded down) of the unmasked versions, the protected ones counted, is hidden, but never a
 * baseline, ordinal 0 or the best: when fewer can be hidden, all of those are. Deterministic: the
 * candidates are sorted by ordinal (versions without one last), then id; Fisher-Yates from the end,
 * i = n-1 … 1, swaps i with lore_random_below(state = SEED, i + 1); the first k are hidden. The
 * order of VERSIONS does not matter. LORE_CONFLICT when nothing can be hidden, LORE_INVALID when an
 * id is missing or named twice, or an ordinal has no successor. */
enum lore_status
lore_restart_plan(const struct lore_restart_version *versions, size_t n, uint64_t seed,
    struct lore_arena *arena, struct lore_restart *out, struct lore_err *err) LORE_MUST;

#endif

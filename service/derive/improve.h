/* Which kernel becomes the champion, as the branch-and-ablate workflow decides it. Pure.
 * Nothing here looks at the machine code: a faster, correct kernel stays the champion even when the
 * technique it was meant to show is missing from it; that is the technique's verdict
 * (ablation.h), not the kernel's. */
#ifndef LORE_DERIVE_IMPROVE_H
#define LORE_DERIVE_IMPROVE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

/* improved <=> validated and new < best (1 - noise / 100). Without a best so far, a validated
 * measurement is always an improvement. A new value that was not measured never is. Times in any
 * one unit. */
bool lore_improved(
    bool validated, struct lore_f64 new_time, struct lore_f64 best_time, double noise_pct);
/* "improved", "regressed" (validated, no improvement) or "failed_validation". */
const char *lore_improved_status(
    bool validated, struct lore_f64 new_time, struct lore_f64 best_time, double noise_pct);

/* A branch that does not pass is tried again, at most LORE_RETRIES times in one iteration; then the
 * iteration is recorded as failed, with what was learned, and the next one begins. */
enum { LORE_RETRIES = 3 };
enum lore_retry { LORE_RETRY_DONE, LORE_RETRY_AGAIN, LORE_RETRY_FAILED };
const char *lore_retry_name(enum lore_retry r); /* "done", "again", "failed" */
/* PASSED: the last attempt; RETRIES: how many came after the first. A count below zero is none. */
enum lore_retry lore_improve_retry(bool passed, int64_t retries);

/* One of several variants of the same methods with other parameters. */
struct lore_improve_branch {
    const char *id;
    bool passed;
    struct lore_f64 time; /* average */
};
struct lore_champion {
    bool found;       /* false: every branch failed */
    size_t champion;  /* index into the branches; the first of equals */
    size_t *frontier; /* the other valid ones, fastest first */
    size_t n_frontier, n_valid;
};
/* The fastest branch that passed and was timed. Lists live in ARENA. */
void lore_improve_champion(const struct lore_improve_branch *branches, size_t n,
    struct lore_arena *arena, struct lore_champion *out);

#endif

/* Comparability of a kernel's times: workload, chip, hard environment and timing method must agree,
 * as on the leaderboard. An unrecorded environment agrees with any. */
#ifndef LORE_API_TIMING_H
#define LORE_API_TIMING_H

#include "db/store.h"

struct lore_timing {
    const char *workload, *workload_label, *chip;
    const char *environment, *hard; /* its id, and the hash of its hard fields */
    const char *method;             /* the tool that timed */
    bool measured;                  /* evidence class measured or confirmed; else stated */
};
/* Cache of environment hashes; zero-initialise it. */
struct lore_environment_hashes {
    struct lore_environment_hash {
        const char *id, *hash;
    } * v;
    size_t n, cap;
};
/* The hash of the hard fields of environment ID, in ARENA; NULL for no environment. */
enum lore_status
lore_timing_environment_hash(struct lore_db *db, struct lore_environment_hashes *cache,
    const char *id, struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;
bool lore_timing_is_measured(enum lore_evidence e); /* else stated */
bool lore_timing_comparable(const struct lore_timing *a, const struct lore_timing *b);
/* Differences of A from B: "chip h200, method ncu"; NULL when they compare. */
const char *lore_timing_differences(
    const struct lore_timing *a, const struct lore_timing *b, struct lore_arena *arena);

/* A time for lore_timing_choose, with the version that it belongs to. */
struct lore_timing_of {
    struct lore_timing t;
    size_t version; /* index of its version; the array is sorted by it */
    bool aside;     /* a branch, an ablation, a library: counts only to break a tie */
};
/* The conditions in ALL under which most versions were timed, measured ones before stated ones;
 * NULL for none. On a tie, one with a recorded environment, else the first. Only the first 64
 * distinct conditions are candidates. */
const struct lore_timing *lore_timing_choose(const struct lore_timing_of *all, size_t n);

#endif

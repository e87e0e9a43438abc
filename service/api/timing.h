/* Which times of a kernel compare: those of one workload, chip, hard environment and timing method,
 * as on the leaderboard. An environment that is not recorded contradicts none. */
#ifndef LORE_API_TIMING_H
#define LORE_API_TIMING_H

#include "db/store.h"

struct lore_timing {
    const char *workload, *workload_label, *chip;
    const char *environment, *hard; /* its id, and the hash of its hard fields */
    const char *method;             /* the tool that timed */
};
/* Hashes of environments that were looked up; zeroed is empty. */
struct lore_hards {
    struct lore_hard {
        const char *id, *hash;
    } * v;
    size_t n, cap;
};
/* The hash of the hard fields of environment ID, in ARENA; NULL for no environment. */
enum lore_status lore_timing_hard(struct lore_db *db, struct lore_hards *seen, const char *id,
    struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;
bool lore_timing_same(const struct lore_timing *a, const struct lore_timing *b);
/* What of A is other than in B: "chip h200, method ncu"; NULL when they compare. */
const char *lore_timing_other(
    const struct lore_timing *a, const struct lore_timing *b, struct lore_arena *arena);

/* Choosing among many: the one that most versions have a time of. */
struct lore_timing_of {
    struct lore_timing t;
    size_t version; /* by number, in ascending order over the calls' array */
    bool aside;     /* a branch, an ablation, a library: counts between equals only */
};
/* Of ALL, what most different versions compare with; of equals the one met first. NULL for none.
 * Beyond 64 different ones, further ones are not candidates. */
const struct lore_timing *lore_timing_choose(const struct lore_timing_of *all, size_t n);

#endif

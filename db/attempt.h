/* The newest experiments of a kernel, for reviews of its lineage (attempt.c). */
#ifndef LORE_DB_ATTEMPT_H
#define LORE_DB_ATTEMPT_H

#include "db/list.h"
#include "service/base/arena.h"
#include <stdbool.h>

struct lore_db;
struct lore_attempt_row {
    const char *id;          /* id of the experiment */
    bool not_built, not_run; /* a run failed to compile; a run failed when it ran */
};
/* List the experiments of F->kernel that are not hidden, newest first, in ARENA. */
enum lore_status lore_db_list_attempts(struct lore_db *db, const struct lore_list_filter *f,
    struct lore_arena *arena, struct lore_attempt_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;

/* A version with the chip and the workload on which it ran. */
struct lore_run_place {
    const char *version, *chip, *workload; /* workload NULL: a run without one */
};
/* Find the newest run of a version on a chip and workload, in ARENA; *out is NULL when there is
 * none. */
enum lore_status lore_db_find_run(struct lore_db *db, const struct lore_run_place *at,
    struct lore_arena *arena, const char **out, struct lore_err *err) LORE_MUST;

#endif

/* Failed runs and the pitfalls of experiments. Results live in the given arena. */
#ifndef LORE_DB_FAILURE_H
#define LORE_DB_FAILURE_H

#include "db/read.h"

/* As lore_db_list_runs for runs that failed with ERROR_TYPE, among the newest 20,000. */
enum lore_status lore_db_list_failed_runs(struct lore_db *db, const char *error_type,
    const char *version, const char *workload, const char *chip, struct lore_page page,
    struct lore_arena *a, struct lore_run_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* failure.c: list failures, newest first: errors of runs, then pitfalls of experiments. At most
 * LIMIT of each, among the newest 20,000 records; retracted ones are left out. */
struct lore_failure_row {
    struct lore_pitfall p;
    const char *run, *experiment; /* experiment NULL: none; run NULL: a pitfall */
    int64_t at_us;
};
enum lore_status lore_db_list_failures(struct lore_db *db, const char *error_type, size_t limit,
    struct lore_arena *a, struct lore_failure_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif

/* Failures: the errors of runs and the pitfalls of experiments. Results live in the given arena. */
#ifndef LORE_DB_FAILURE_H
#define LORE_DB_FAILURE_H

#include "db/read.h"

/* List failures, of ERROR_TYPE unless it is NULL, newest first: errors of runs, then pitfalls of
 * experiments. At most LIMIT runs, and the pitfalls of at most LIMIT experiments, among the newest
 * 20,000 of each; retracted records are left out. */
struct lore_failure_row {
    struct lore_pitfall p;
    const char *run, *experiment; /* experiment NULL: none; run NULL: a pitfall */
    int64_t at_us;
};
struct lore_failures {
    struct lore_failure_row *rows;
    size_t n, cap;
};
enum lore_status lore_db_list_failures(struct lore_db *db, const char *error_type, size_t limit,
    struct lore_arena *a, struct lore_failures *out, struct lore_err *err) LORE_MUST;

#endif

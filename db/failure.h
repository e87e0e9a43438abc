/* Failures: the errors of runs and the pitfalls of experiments. Results live in the given arena. */
#ifndef LORE_DB_FAILURE_H
#define LORE_DB_FAILURE_H

#include "db/read.h"

/* List failures, newest first: errors of runs, then pitfalls of experiments. At most `limit` runs,
 * and the pitfalls of at most `limit` experiments, among the newest 20,000 of each; retracted
 * records are left out. */
struct lore_failure_filter {
    const char *error_type, *kernel, *campaign, *author; /* NULL: any */
    int64_t since_us;                                    /* received; 0: any */
    size_t limit;
};
struct lore_failure_row {
    struct lore_pitfall p;
    const char *run, *experiment; /* experiment NULL: none; run NULL: a pitfall */
    int64_t at_us;
};
struct lore_failures {
    struct lore_failure_row *rows;
    size_t n, cap;
};
enum lore_status lore_db_list_failures(struct lore_db *db, const struct lore_failure_filter *by,
    struct lore_arena *a, struct lore_failures *out, struct lore_err *err) LORE_MUST;

#endif

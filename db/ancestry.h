/* Ancestors and descendants of a version. Results live in the given arena. */
#ifndef LORE_DB_ANCESTRY_H
#define LORE_DB_ANCESTRY_H

#include "db/read.h"

struct lore_kin {
    const char *version, *via; /* via: the neighbour towards the given version */
    const char *edge;          /* derived_from, ablation_of …: the edge between the two */
    const char *label, *kernel, *kind;
    struct lore_i64 ordinal;
    int64_t depth; /* starts at 1 */
};
/* List the ancestors of VERSION (UP) or its descendants: one row per edge, nearest first. Each
 * version is visited once, so a cycle ends. *cut: there are more than LIMIT rows. The function does
 * not check that VERSION exists. */
enum lore_status lore_db_list_kin(struct lore_db *db, const char *version, bool up, size_t limit,
    struct lore_arena *a, struct lore_kin **out, size_t *n, bool *cut,
    struct lore_err *err) LORE_MUST;
/* List environments, newest first; chip as in lore_db_list_runs. */
enum lore_status lore_db_list_environments(struct lore_db *db, const char *chip,
    struct lore_page page, struct lore_arena *a, struct lore_environment_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;

#endif

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
struct lore_kin_list {
    struct lore_kin *rows;
    size_t n, limit; /* limit: set by the caller */
    bool cut;        /* there are more than limit rows */
};
/* List the ancestors of VERSION (UP) or its descendants: one row per edge, nearest first. Each
 * version is visited once, so a cycle ends. The function does not check that VERSION exists. */
enum lore_status lore_db_list_kin(struct lore_db *db, const char *version, bool up,
    struct lore_arena *a, struct lore_kin_list *out, struct lore_err *err) LORE_MUST;

#endif

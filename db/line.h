/* The ancestors of a version, and the techniques of the experiments that made them. Results live in
 * the given arena. */
#ifndef LORE_DB_LINE_H
#define LORE_DB_LINE_H

#include "service/base/arena.h"
#include "service/wire/record.h"

struct lore_db;
struct lore_line_edge_row {
    const char *child, *parent;
    enum lore_edge_kind kind; /* NONE: a log compared them; nobody says that one made the other */
};
struct lore_line_version_row {
    const char *id, *kernel, *label;
    enum lore_version_kind kind;
    struct lore_version_shown shown;
};
struct lore_line_use_row {
    const char *version, *technique,
        *raw;               /* raw: as written; NULL: like the slug. Technique: of one
                               that was kept or not applied, the name as stated */
    const char *experiment; /* or sweep; NULL: an attribution says that the version lacks it */
    bool not_applied;       /* its status says so */
    bool verified;          /* the machine code shows it */
    bool kept;              /* in before and after */
    bool gained;            /* the experiment was faster than the best before it */
};
struct lore_line_facts {
    struct lore_line_version_row *versions; /* the version itself among them */
    struct lore_line_edge_row *edges;       /* by child, in the order of its parents */
    struct lore_line_use_row *uses;         /* in order of arrival */
    size_t n_versions, n_edges, n_uses;
};
/* At most the nearest 500 ancestors. A version that is not stored gives empty lists. */
enum lore_status lore_db_get_line(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_line_facts *out, struct lore_err *err) LORE_MUST;
/* What the versions of KERNEL lack by an attribution: its ablations. Version and technique are
 * set. */
enum lore_status lore_db_list_left_out(struct lore_db *db, const char *kernel, struct lore_arena *a,
    struct lore_line_use_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif

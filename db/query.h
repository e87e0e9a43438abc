/* Queries across records: titles, full text, the catalogue in use, totals. Experiments by facets:
 * experiment_list.h. */
#ifndef LORE_DB_QUERY_H
#define LORE_DB_QUERY_H

#include "db/rows.h"
#include "service/base/arena.h"

struct lore_db;
struct lore_count {
    const char *name;
    int64_t n;
};

/* Titles of N experiments or sweeps, in order; text is NULL for an unknown id. */
struct lore_title {
    const char *text, *error_type; /* error_type: "compilation"; NULL: none was recorded */
    bool sweep;
};
enum lore_status lore_experiment_titles(struct lore_db *db, const char *const *ids, size_t n,
    struct lore_arena *a, struct lore_title *titles, struct lore_err *err) LORE_MUST;

/* The version that experiment ID made; NULL: none is recorded, or it is a sweep. */
enum lore_status lore_experiment_made(struct lore_db *db, const char *id, struct lore_arena *a,
    const char **version, struct lore_err *err) LORE_MUST;

/* Which kinds of results are stored. */
struct lore_holdings {
    bool experiments, runs, sweeps;
};
enum lore_status
lore_db_get_holdings(struct lore_db *db, struct lore_holdings *out, struct lore_err *err) LORE_MUST;

struct lore_hit {
    const char *kind, *id, *title, *snippet;
    double rank;
};
struct lore_found_hits {
    struct lore_hit *rows; /* best first */
    size_t n;
    bool bounded; /* true: only the newest 10,000 matches were ranked */
};
/* The kinds that search finds: those with `searched` in kinds.c. */
#define LORE_SEARCHED_KINDS                                                                        \
    "experiment|hypothesis|insight|version|source_document|technique|campaign|direction"
/* Search the full-text index; kind NULL: any. */
struct lore_search_for {
    const char *text, *kind;
    size_t offset, limit;
};
enum lore_status lore_search(struct lore_db *db, const struct lore_search_for *what,
    struct lore_arena *a, struct lore_found_hits *out, struct lore_err *err) LORE_MUST;

/* The catalogue in use: operators, techniques and chips with counts. */
struct lore_operator_row {
    const char *name, *family, *summary, *aliases;
    bool known;
    int64_t kernels, experiments;
};
enum lore_status lore_db_list_operators(struct lore_db *db, struct lore_arena *a,
    struct lore_operator_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_technique_row {
    const char *slug, *title, *axis, *layer, *summary;
    bool known;
    int64_t experiments, wins, losses;
};
/* Whether some record, or the catalogue, has the technique SLUG. */
enum lore_status lore_db_technique_used(
    struct lore_db *db, const char *slug, bool *used, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_techniques(struct lore_db *db, struct lore_arena *a,
    struct lore_technique_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_chip_row {
    const char *name;
    int64_t runs, experiments;
};
enum lore_status
lore_db_list_chips(struct lore_db *db, struct lore_arena *a, struct lore_chip_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* only chips with facts */
/* Row counts of the records by kind and of some other facts, and the bytes on disk. */
enum lore_status lore_db_stats(struct lore_db *db, struct lore_arena *a, struct lore_count **out,
    size_t *n, struct lore_err *err) LORE_MUST;

#endif

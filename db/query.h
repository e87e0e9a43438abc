/* Asking across records: experiments by facets, full text, the catalogue as used, totals. */
#ifndef LORE_QUERY_H
#define LORE_QUERY_H

#include "rows.h"

struct lore_db;
/* Experiments by facets. NULL or 0: any. `text` is matched by full text (words are quoted one by
 * one, never raw MATCH syntax); with text, rows come best match first among the newest 10,000
 * matches and `next` is an offset. chip matches the chip, or every product of an ISA when the ISA
 * name is given. */
struct lore_experiment_filter {
    const char *op, *family, *language, *technique, *effect, *correctness, *process, *evidence,
        *kernel, *version, *workload, *campaign, *text;
    const char *error_type; /* of a run of theirs or a pitfall; among the newest 20,000 */
    const char *chip;
    const char *const *chips;
    size_t n_chips;        /* resolved names to match; filled by the caller from the catalogue */
    const char *label;     /* canonical label that must be in the set */
    int disagrees, masked; /* -1: any; 0 or 1 */
    int64_t before;
    size_t offset, limit;
};
enum lore_status lore_list_experiments(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_experiment_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;
struct lore_count {
    const char *name;
    int64_t n;
};
/* Experiments per value of every facet under the same filter, each facet's own restriction left
 * out; most frequent first, values without any left out. The label facet has single labels. total:
 * under the whole filter. */
enum lore_facet {
    LORE_FACET_OPERATOR,
    LORE_FACET_CHIP,
    LORE_FACET_LANGUAGE,
    LORE_FACET_EFFECT,
    LORE_FACET_EVIDENCE,
    LORE_FACET_LABEL,
    LORE_FACET_TECHNIQUE,
    LORE_FACET_COUNT
};
struct lore_facets {
    int64_t total;
    struct lore_counts {
        struct lore_count *v;
        size_t n;
    } of[LORE_FACET_COUNT];
};
enum lore_status lore_count_facets(struct lore_db *db, const struct lore_experiment_filter *f,
    struct lore_arena *a, struct lore_facets *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_count_total(struct lore_db *db, const struct lore_experiment_filter *f,
    int64_t *total, struct lore_err *err) LORE_MUST;

/* Titles of N experiments, in order; NULL where there is none of that id. */
enum lore_status lore_experiment_titles(struct lore_db *db, const char *const *ids, size_t n,
    struct lore_arena *a, const char **titles, struct lore_err *err) LORE_MUST;

struct lore_hit {
    const char *kind, *id, *title, *snippet;
    double rank;
};
struct lore_found_hits {
    struct lore_hit *rows; /* best first */
    size_t n;
    bool bounded; /* there are more matches than were ranked: the newest 10,000 were */
};
/* Full text over everything; kind NULL: any. */
enum lore_status
lore_search(struct lore_db *db, const char *text, const char *kind, size_t offset, size_t limit,
    struct lore_arena *a, struct lore_found_hits *out, struct lore_err *err) LORE_MUST;

/* Catalogue as used: operators with counts, techniques with counts, chips with counts, metrics. */
struct lore_operator_row {
    const char *name, *family, *summary, *aliases;
    bool known;
    int64_t kernels, experiments;
};
enum lore_status lore_list_operators(struct lore_db *db, struct lore_arena *a,
    struct lore_operator_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_technique_row {
    const char *slug, *title, *axis, *layer, *summary;
    bool known;
    int64_t experiments, wins, losses;
};
enum lore_status lore_list_techniques(struct lore_db *db, struct lore_arena *a,
    struct lore_technique_row **out, size_t *n, struct lore_err *err) LORE_MUST;
struct lore_chip_row {
    const char *name;
    int64_t runs, experiments;
};
enum lore_status
lore_list_chips(struct lore_db *db, struct lore_arena *a, struct lore_chip_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* only chips with facts */
/* Row counts of every fact table, and bytes on disk. */
enum lore_status lore_db_stats(struct lore_db *db, struct lore_arena *a, struct lore_count **out,
    size_t *n, struct lore_err *err) LORE_MUST;

#endif

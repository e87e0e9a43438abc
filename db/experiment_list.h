/* Experiments by facets (experiment_list.c), and how many there are of each. */
#ifndef LORE_DB_EXPERIMENT_LIST_H
#define LORE_DB_EXPERIMENT_LIST_H

#include "db/query.h"

/* NULL or 0: any. `text` is matched by full text (words are quoted one by one, never raw MATCH
 * syntax); with text, rows come best match first among the newest 10,000 matches and `next` is an
 * offset. chip matches the chip, or every product of an ISA when the ISA name is given. */
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

#endif

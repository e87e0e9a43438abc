/* Experiments by facets (experiment_list.c), with counts per facet. */
#ifndef LORE_DB_EXPERIMENT_LIST_H
#define LORE_DB_EXPERIMENT_LIST_H

#include "db/list.h"
#include "db/query.h"

#define LORE_NO_COPIES (-2)
/* NULL or 0: any. `text` is a full-text query; each word is quoted, raw MATCH syntax never passes.
 * With text the best of the newest 10,000 matches comes first, and `offset` replaces `page.before`,
 * unless the page is sorted or restricted.
 * With n_chips above 0, `chips` replaces `chip`: the products of an ISA, say, which the caller
 * finds in the catalogue. */
struct lore_experiment_filter {
    const char *op, *family, *language, *technique, *effect, *correctness, *process, *evidence,
        *kernel, *version, *workload, *campaign, *project, *text;
    const char *error_type; /* of a run or a pitfall, among the newest 20,000 experiments */
    const char *chip;
    const char *const *chips;
    size_t n_chips;
    const char *label;     /* a canonical label that the experiment must have */
    int disagrees, masked; /* -1: any; 0 or 1; masked LORE_NO_COPIES: all but copies */
    size_t offset;
    struct lore_page page;
};
enum lore_status lore_db_list_experiments(struct lore_db *db,
    const struct lore_experiment_filter *f, struct lore_arena *a, struct lore_experiment_row **out,
    size_t *n, struct lore_err *err) LORE_MUST;
/* Whether a list for F goes by rank, with offsets: it has a text, and its page restricts nothing.
 */
bool lore_experiments_ranked(const struct lore_experiment_filter *f);
/* Count experiments per value of every facet. Each facet is counted under the filter without its
 * own restriction, most frequent value first; experiments without a value are left out. The label
 * facet counts single labels. total: experiments under the whole filter. */
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

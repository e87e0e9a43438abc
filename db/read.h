/* Reading records, one file per noun. Results live in the given arena. */
#ifndef LORE_DB_READ_H
#define LORE_DB_READ_H

#include "db/rows.h"
#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/wire/wire.h"

struct lore_db;
/* A record of any kind: its struct, and as JSON what no column took. */
struct lore_whole {
    const void *record;
    const char *rest;
};
enum lore_status lore_db_get_whole(struct lore_db *db, enum lore_kind kind, const char *id,
    struct lore_arena *a, struct lore_whole *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_kernel(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_kernel_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_version(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err) LORE_MUST;
/* Sets only id, kernel, tag, label, params; op, kernel_name, language. */
enum lore_status lore_db_get_version_head(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_environment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_environment_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_workload(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_workload_row *out, struct lore_err *err) LORE_MUST;
/* Turn a row into a record, with its dims parsed. */
enum lore_status lore_workload_fill(const struct lore_workload_row *row, struct lore_arena *a,
    struct lore_workload *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_get_run(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_run_row *out,
    struct lore_err *err) LORE_MUST; /* samples, metrics, diagnoses included */
enum lore_status lore_db_get_hypothesis(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_hypothesis_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_experiment_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_insight(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_insight_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_document_row *out, struct lore_buf *bytes /* may be NULL */,
    struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_blob(struct lore_db *db, const char *hash, struct lore_buf *out,
    const char **media_type, struct lore_arena *a, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_artifacts(struct lore_db *db, const char *document_id,
    struct lore_arena *a, struct lore_source_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Lists go newest first by seq. `before` is the cursor: rows with seq < before (0: from the
 * newest), at most `limit` rows. */
struct lore_page {
    int64_t before;
    size_t limit;
};
enum lore_status lore_db_list_kernels(struct lore_db *db, const char *op, const char *language,
    struct lore_page page, struct lore_arena *a, struct lore_kernel_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_versions(struct lore_db *db, const char *kernel, struct lore_page page,
    struct lore_arena *a, struct lore_version_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* chip: one chip, or the name of an ISA for all its products. */
enum lore_status lore_db_list_runs(struct lore_db *db, const char *version, const char *workload,
    const char *chip, struct lore_page page, struct lore_arena *a, struct lore_run_row **out,
    size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_insights(struct lore_db *db, const char *kind, const char *op,
    const char *technique, struct lore_page page, struct lore_arena *a,
    struct lore_insight_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* The insights that repeat or contradict one of IDS (alike.c): newest first for each, at most 200
 * in all. Retracted ones are left out on both sides. */
struct lore_alike {
    const char *id, *other;
    bool conflict;
};
enum lore_status lore_db_list_alike(struct lore_db *db, const char *const *ids, size_t n_ids,
    struct lore_arena *a, struct lore_alike **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_hypotheses(struct lore_db *db, const char *version,
    struct lore_page page, struct lore_arena *a, struct lore_hypothesis_row **out, size_t *n,
    struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_attribution_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_attribution(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_attribution_row *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_documents(struct lore_db *db, struct lore_page page, struct lore_arena *a,
    struct lore_document_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_masks(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_mask_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_outcomes(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_outcome_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* history, newest first */
enum lore_status lore_db_list_events(struct lore_db *db, struct lore_page page,
    struct lore_arena *a, struct lore_event_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif

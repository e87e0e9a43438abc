/* Reading records, one file per noun. Results live in the given arena. */
#ifndef LORE_DB_READ_H
#define LORE_DB_READ_H

#include "db/list.h"
#include "db/rows.h"
#include "service/base/arena.h"
#include "service/base/buf.h"
#include "service/wire/wire.h"

struct lore_db;
/* A record of any kind: its struct, and its column `rest` (rows.h). */
struct lore_whole {
    const void *record;
    const char *rest;
};
enum lore_status lore_db_get_whole(struct lore_db *db, enum lore_kind kind, const char *id,
    struct lore_arena *a, struct lore_whole *out, struct lore_err *err) LORE_MUST;
/* A record of any kind as its whole row; OUT: struct lore_kernel_row and so on. LORE_NOTFOUND:
 * there is none. */
enum lore_status lore_db_get(struct lore_db *db, enum lore_kind kind, const char *id,
    struct lore_arena *a, void *out, struct lore_err *err) LORE_MUST;
/* The rows of a kind that F selects. */
struct lore_list_rows {
    struct lore_arena *arena; /* where they live */
    void *v;
    size_t n;
};
enum lore_status lore_db_list(struct lore_db *db, enum lore_kind kind,
    const struct lore_list_filter *f, struct lore_list_rows *out, struct lore_err *err) LORE_MUST;

/* The same by name and type: lore_db_get_kernel(db, id, a, &row, err) … */
#define LORE_GETTER(noun, kind)                                                                    \
    LORE_MUST static inline enum lore_status lore_db_get_##noun(struct lore_db *db,                \
        const char *id, struct lore_arena *a, struct lore_##noun##_row *out, struct lore_err *err) \
    {                                                                                              \
        return lore_db_get(db, (kind), id, a, out, err);                                           \
    }
/* … and lore_db_list_kernels(db, &filter, a, &rows, &n, err). */
#define LORE_LISTER(plural, noun, kind)                                                            \
    LORE_MUST static inline enum lore_status lore_db_list_##plural(struct lore_db *db,             \
        const struct lore_list_filter *f, struct lore_arena *a, struct lore_##noun##_row **out,    \
        size_t *n, struct lore_err *err)                                                           \
    {                                                                                              \
        struct lore_list_rows rows = {.arena = a};                                                 \
        enum lore_status status = lore_db_list(db, (kind), f, &rows, err);                         \
                                                                                                   \
        if (status == LORE_OK) {                                                                   \
            *out = rows.v;                                                                         \
            *n = rows.n;                                                                           \
        }                                                                                          \
        return status;                                                                             \
    }
LORE_GETTER(kernel, LORE_K_KERNEL)
LORE_GETTER(version, LORE_K_VERSION)
LORE_GETTER(environment, LORE_K_ENVIRONMENT)
LORE_GETTER(run, LORE_K_RUN) /* with its samples, metrics and diagnoses */
/* The same, shared by the readers (memo.h); whether it is a copy of another run may be old. */
enum lore_status lore_db_share_run(struct lore_db *db, const char *id, struct lore_arena *a,
    const struct lore_run_row **out, struct lore_err *err) LORE_MUST;
LORE_GETTER(hypothesis, LORE_K_HYPOTHESIS)
LORE_GETTER(experiment, LORE_K_EXPERIMENT)
LORE_GETTER(attribution, LORE_K_ATTRIBUTION)
LORE_GETTER(insight, LORE_K_INSIGHT)
/* After each: the members of the filter that the list obeys. */
LORE_LISTER(kernels, kernel, LORE_K_KERNEL)                /* op, language, name */
LORE_LISTER(versions, version, LORE_K_VERSION)             /* kernel */
LORE_LISTER(environments, environment, LORE_K_ENVIRONMENT) /* chip */
LORE_LISTER(hypotheses, hypothesis, LORE_K_HYPOTHESIS)     /* version: before or after; op */
LORE_LISTER(insights, insight, LORE_K_INSIGHT)             /* kind, state, chip, op, technique */
/* Obeys kernel, version, workload, chip and error_type. With an error type, it lists only the
 * failed runs among the newest 20,000 runs. */
enum lore_status lore_db_list_runs(struct lore_db *db, const struct lore_list_filter *f,
    struct lore_arena *a, struct lore_run_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* Sets only id, kernel, tag, label, params; op, kernel_name, language. */
enum lore_status lore_db_get_version_head(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_version_row *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_workload(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_workload_row *out, struct lore_err *err) LORE_MUST;
/* Turn a row into a record, with its dims parsed. */
enum lore_status lore_workload_fill(const struct lore_workload_row *row, struct lore_arena *a,
    struct lore_workload *out, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_document(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_document_row *out, struct lore_buf *bytes /* may be NULL */,
    struct lore_err *err) LORE_MUST;
enum lore_status lore_db_get_blob(struct lore_db *db, const char *hash, struct lore_buf *out,
    const char **media_type, struct lore_arena *a, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_artifacts(struct lore_db *db, const char *document_id,
    struct lore_arena *a, struct lore_source_row **out, size_t *n, struct lore_err *err) LORE_MUST;

/* The insights that repeat or contradict one of IDS (alike.c): newest first for each, at most 200
 * in all. Retracted ones are left out on both sides. */
struct lore_alike {
    const char *id, *other;
    bool conflict;
};
enum lore_status lore_db_list_alike(struct lore_db *db, const struct lore_texts *ids,
    struct lore_arena *a, struct lore_alike **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_attributions(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_attribution_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Whether an ablation of the kernel of EXPERIMENT found that TECHNIQUE contributes to its time. */
enum lore_status lore_db_contributes(struct lore_db *db, const char *experiment,
    const char *technique, bool *out, struct lore_err *err) LORE_MUST;
enum lore_status
lore_db_list_documents(struct lore_db *db, const struct lore_list_filter *f, struct lore_arena *a,
    struct lore_document_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_masks(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_mask_row **out, size_t *n, struct lore_err *err) LORE_MUST;
enum lore_status lore_db_list_outcomes(struct lore_db *db, const char *experiment,
    struct lore_arena *a, struct lore_outcome_row **out, size_t *n,
    struct lore_err *err) LORE_MUST; /* history, newest first */
enum lore_status lore_db_list_events(struct lore_db *db, struct lore_page page,
    struct lore_arena *a, struct lore_event_row **out, size_t *n, struct lore_err *err) LORE_MUST;

#endif

/* What service/verdicts derives for each run: the shortest possible time of its place, whether its
 * own time is shorter, the bottleneck that its metrics show (limit.c). */
#ifndef LORE_DB_LIMIT_H
#define LORE_DB_LIMIT_H

#include "db/put_context.h"
#include "db/read.h"
#include "service/wire/wire.h"

struct lore_limit_row {
    const char *workload, *chip;
    double peak_ns, floor_ns;
    bool memory;
    const char *why;             /* as in drv_limit */
    struct lore_workload_row of; /* lists only */
};
/* A stored run, a sweep, or an experiment that states a time, with the limit of its place. */
struct lore_timed {
    const char *workload, *chip; /* NULL: not recorded */
    double ns;                   /* 0: not timed */
    bool known;                  /* the limit of the place is stored */
    double floor_ns;
    const char *why;
};
enum lore_status lore_db_get_timed(struct lore_db *db, enum lore_kind kind, const char *id,
    struct lore_arena *a, struct lore_timed *out, struct lore_err *err) LORE_MUST;
/* Store a limit, or replace it. */
enum lore_status lore_db_put_limit(
    struct lore_db *db, const struct lore_limit_row *row, struct lore_err *err) LORE_MUST;
/* Every stored limit; ALL: every place that a run or a stated time has, stored or not. */
enum lore_status lore_db_list_limits(struct lore_db *db, bool all, struct lore_arena *a,
    struct lore_limit_row **out, size_t *n, struct lore_err *err) LORE_MUST;
/* The records whose mark does not agree with the stored limits. */
struct lore_misjudged {
    const char *record, *chip, *why;
    double ns;
    bool beyond; /* it must be marked; else the mark must go */
};
enum lore_status lore_db_list_misjudged(struct lore_db *db, struct lore_arena *a,
    struct lore_misjudged **out, size_t *n, struct lore_err *err) LORE_MUST;
/* Mark RECORD, a run or an experiment, as impossible, WHY in words; NULL: remove the mark. What
 * depends on it follows, as after a retraction; nothing does when it was just stored, FRESH. */
enum lore_status lore_put_beyond(const struct lore_put_ctx *c, const char *record, const char *why,
    bool fresh, struct lore_err *err) LORE_MUST;

/* Note the bottleneck that the metrics of RUN (seq) show, which states none. */
enum lore_status lore_put_run_labels(
    struct lore_db *db, int64_t run, uint32_t labels, struct lore_err *err) LORE_MUST;
/* Each run that has metrics and states no bottleneck. METRICS live until the call returns. */
typedef enum lore_status (*lore_profile_fn)(
    void *ctx, int64_t run, const struct lore_metrics *metrics, struct lore_err *err);
enum lore_status lore_db_each_profile(
    struct lore_db *db, lore_profile_fn fn, void *ctx, struct lore_err *err) LORE_MUST;
/* Whether the database has timed runs and no limits: it is older than them. */
enum lore_status
lore_db_lacks_limits(struct lore_db *db, bool *out, struct lore_err *err) LORE_MUST;

/* The number in force for METRIC of CHIP, without qualifier; id NULL: none. cite: "path:line". */
struct lore_peak_row {
    const char *id, *unit, *cite;
    double value;
};
enum lore_status lore_db_get_peak(struct lore_db *db, const char *chip, const char *metric,
    struct lore_arena *a, struct lore_peak_row *out, struct lore_err *err) LORE_MUST;

#endif

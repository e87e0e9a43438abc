/* Rows derived for runs (limit.h). The places of a chip are few beside its runs, so a new run
 * costs one look-up. After a change of a hardware number all marks are compared with the limits in
 * one scan of the narrow rows. */
#include "db/limit.h"

#include "db/feed.h"
#include "db/internal.h"
#include "db/metrics.h"
#include "db/workload.h"
#include "service/catalogue/catalogue.h"

enum lore_status
lore_db_get_timed(struct lore_db *db, enum lore_kind kind, const char *id, struct lore_arena *a,
    struct lore_timed *out, struct lore_err *err)
{
    LORE_STMT q =
        kind == LORE_K_RUN
            ? lore_sql(db, "SELECT y.workload, y.chip, y.time_ns, l.floor_ns, l.why"
                           " FROM fact_run r"
                           " JOIN drv_run_entry y ON y.seq = r.seq LEFT JOIN drv_limit l"
                           " ON l.workload = y.workload AND l.chip = y.chip WHERE r.id = $1")
        : kind == LORE_K_SWEEP
            ? lore_sql(db, "SELECT t.workload, t.chip, y.best_ns, l.floor_ns, l.why"
                           " FROM fact_sweep t"
                           " JOIN drv_sweep y ON y.seq = t.seq LEFT JOIN drv_limit l"
                           " ON l.workload = t.workload AND l.chip = t.chip WHERE t.id = $1")
            : lore_sql(db, "SELECT e.workload, e.chip, e.claimed_after_ns, l.floor_ns, l.why"
                           " FROM fact_experiment e LEFT JOIN drv_limit l"
                           " ON l.workload = e.workload AND l.chip = e.chip WHERE e.id = $1");

    *out = (struct lore_timed){0};
    lore_bind_text(&q, 1, id);
    if (lore_row(&q)) {
        out->workload = lore_col_text(&q, 0, a);
        out->chip = lore_col_text(&q, 1, a);
        out->ns = lore_col_f64(&q, 2);
        out->known = !lore_col_null(&q, 3);
        out->floor_ns = lore_col_f64(&q, 3);
        out->why = lore_col_text(&q, 4, a);
    }
    return lore_done(&q, err);
}

enum lore_status
lore_db_put_limit(struct lore_db *db, const struct lore_limit_row *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT OR REPLACE INTO drv_limit (workload, chip, peak_ns, floor_ns, memory, why)"
        " VALUES ($1, $2, $3, $4, $5, $6)"); /* a replaced row gets a new seq */

    lore_bind_text(&q, 1, row->workload);
    lore_bind_text(&q, 2, row->chip);
    lore_bind_f64(&q, 3, row->peak_ns);
    lore_bind_f64(&q, 4, row->floor_ns);
    lore_bind_i64(&q, 5, row->memory);
    lore_bind_text(&q, 6, row->why);
    return lore_done(&q, err);
}

#define ROW struct lore_limit_row
static const struct lore_row_member limit_members[] = {AT(workload), AT(chip), AT(peak_ns),
    AT(floor_ns), AT(memory), AT(why), LORE_WORKLOAD_MEMBERS(of.)};
static const struct lore_row_shape limit_rows = {LORE_MEMBERS(limit_members)};
#undef ROW

enum lore_status
lore_db_list_limits(struct lore_db *db, bool all, struct lore_arena *a, struct lore_limit_row **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        all ? lore_sql(db,
                  "SELECT p.workload, p.chip, coalesce(l.peak_ns, -1), coalesce(l.floor_ns, -1),"
                  " l.memory, l.why, " LORE_WORKLOAD_COLUMNS " FROM (SELECT y.workload, y.chip FROM"
                  " drv_run_entry y UNION SELECT e.workload, e.chip FROM fact_experiment e"
                  " WHERE e.claimed_after_ns > 0 UNION SELECT t.workload, t.chip FROM fact_sweep t)"
                  " p JOIN fact_workload w ON w.id = p.workload"
                  " LEFT JOIN drv_limit l ON l.workload = p.workload AND l.chip = p.chip"
                  " WHERE p.chip IS NOT NULL ORDER BY p.chip, w.dtype")
            : lore_sql(db, "SELECT l.workload, l.chip, l.peak_ns, l.floor_ns, l.memory, "
                           "l.why, " LORE_WORKLOAD_COLUMNS
                           " FROM drv_limit l JOIN fact_workload w ON w.id = l.workload"
                           " ORDER BY l.chip, w.dtype");

    return lore_db_collect(&q, &limit_rows, a, out, n, err);
}

/* Its mark differs from what the limit says. */
#define DIFFERS(ns) "(coalesce(l.floor_ns, 0) > " ns ") <> (c.beyond IS NOT NULL)"

#define ROW struct lore_misjudged
static const struct lore_row_member misjudged_members[] = {
    AT(record), AT(chip), AT(why), AT(ns), AT(beyond)};
static const struct lore_row_shape misjudged_rows = {LORE_MEMBERS(misjudged_members)};
#undef ROW

enum lore_status
lore_db_list_misjudged(struct lore_db *db, struct lore_arena *a, struct lore_misjudged **out,
    size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT y.id, y.chip, l.why, y.time_ns, c.beyond IS NULL FROM drv_run_entry y"
        " LEFT JOIN drv_limit l ON l.workload = y.workload AND l.chip = y.chip"
        " LEFT JOIN drv_curated c ON c.record = y.id WHERE y.time_ns > 0 AND " DIFFERS(
            "y.time_ns") " UNION ALL SELECT e.id, e.chip, l.why, e.claimed_after_ns, c.beyond IS "
                         "NULL"
                         " FROM fact_experiment e LEFT JOIN drv_limit l ON l.workload = e.workload"
                         " AND l.chip = e.chip LEFT JOIN drv_curated c ON c.record = e.id"
                         " WHERE e.claimed_after_ns > 0 AND " DIFFERS("e.claimed_after_ns"));

    return lore_db_collect(&q, &misjudged_rows, a, out, n, err);
}

enum lore_status
lore_db_each_limit(struct lore_db *db, int64_t after_seq, lore_limit_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq, workload, chip, peak_ns, memory FROM drv_limit"
                               " WHERE seq > $1 ORDER BY seq");

    lore_bind_i64(&q, 1, after_seq);
    while (lore_row(&q)) {
        const struct lore_limit_in in = {.workload = lore_col_text(&q, 1, NULL),
            .chip = lore_col_text(&q, 2, NULL),
            .peak_ns = lore_col_f64(&q, 3),
            .memory = lore_col_i64(&q, 4) != 0};

        *last_seq = lore_col_i64(&q, 0);
        if (!fn(ctx, &in))
            break;
    }
    return lore_done(&q, err);
}

enum lore_status
lore_put_run_labels(struct lore_db *db, int64_t run, uint32_t labels, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    LORE_STMT q =
        lore_sql(db, "UPDATE drv_run_entry SET labels = $1, labels_derived = 1 WHERE seq = $2");

    lore_bind_text(&q, 1, lore_labels_text(&a, labels));
    lore_bind_i64(&q, 2, run);
    return lore_done(&q, err);
}

enum lore_status
lore_db_each_profile(struct lore_db *db, lore_profile_fn fn, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT r.seq, r.metrics FROM fact_run r JOIN drv_run_entry y"
                               " ON y.seq = r.seq WHERE r.metrics IS NOT NULL AND y.labels = ''");
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(&q)) {
        struct lore_metrics metrics = {0};
        size_t len;
        const void *packed = lore_col_blob(&q, 1, &len, &a);

        status = lore_metrics_borrow(db, packed, len, &a, &metrics, err);
        if (status == LORE_OK)
            status = fn(ctx, lore_col_i64(&q, 0), &metrics, err);
        lore_arena_reset(&a);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_db_lacks_limits(struct lore_db *db, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT NOT EXISTS (SELECT 1 FROM drv_limit) AND EXISTS (SELECT 1"
                               " FROM drv_run_entry WHERE workload IS NOT NULL AND chip IS NOT NULL"
                               " AND time_ns > 0)");

    *out = lore_row(&q) && lore_col_i64(&q, 0) != 0;
    return lore_done(&q, err);
}

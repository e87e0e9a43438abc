/* Read the results of proposed versions: how many proposals were served, the outcomes with the
 * present state of their records, and the best time measured at a place. */
#include "db/feedback_version.h"
#include "db/internal.h"
#include "service/base/text.h"

/* The number of runs at a place that are searched for the best one: a database that grows by a
 * thousand per second must not make the query slow. */
#define LOOKED_THROUGH "20000"
/* The filter of answers V and proposals P: $1 operator, $2 technique, $3 ",chip,chip,", $4 one
 * answer. */
#define PASSES                                                                                     \
    " ($1 IS NULL OR v.operator = $1) AND ($2 IS NULL OR p.technique = $2)"                        \
    " AND ($3 IS NULL OR instr($3, ',' || p.chip || ',') > 0) AND ($4 = 0 OR v.seq = $4)"
/* Counts of served proposals, under the first three parameters. */
#define SERVED                                                                                     \
    " FROM log_advice_served n WHERE ($1 IS NULL OR n.operator = $1)"                              \
    " AND ($2 IS NULL OR n.technique = $2)"                                                        \
    " AND ($3 IS NULL OR instr($3, ',' || n.chip || ',') > 0)"
#define TRIALS                                                                                     \
    " FROM drv_advice_trial t JOIN log_advice_version p ON p.advice = t.advice"                    \
    " AND p.list = t.list AND p.rank = t.rank JOIN log_advice v ON v.seq = t.advice"

/* Most outcomes of one answer; twenty proposals with eight outcomes each stay below it. */
#define ONE_ANSWER 1000

struct asked {
    struct lore_advice_filter f;
    int64_t only; /* seq of an answer; 0: any */
};

static void
bind_filter(struct lore_stmt *q, const struct asked *ask, struct lore_arena *a)
{
    lore_db_bind_advice_filter(q, &ask->f, a);
    lore_bind_i64(q, 4, ask->only);
    lore_bind_i64(q, 5, (int64_t)ask->f.limit);
}

enum lore_status
lore_count_starts(struct lore_db *db, const struct lore_advice_filter *f, struct lore_arena *a,
    int64_t *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(sum(n.served), 0)" SERVED " AND n.list = 'start'");

    lore_db_bind_advice_filter(&q, f, a);
    if (lore_row(&q))
        *out = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

#define ROW struct lore_advice_count
static const struct lore_row_member served_members[] = {
    AT(list), AT(chip), AT(technique), AT(served)};
static const struct lore_row_shape served_rows = {LORE_MEMBERS(served_members)};
#undef ROW

enum lore_status
lore_count_moves(struct lore_db *db, const struct lore_advice_filter *f, struct lore_arena *a,
    struct lore_advice_count **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 'moves', n.chip, n.technique, sum(n.served)" SERVED
                               " AND n.list = 'moves' GROUP BY 2, 3 ORDER BY 2, 3");

    lore_db_bind_advice_filter(&q, f, a);
    return lore_db_collect(&q, &served_rows, a, out, n, err);
}

#define ROW struct lore_start_result
static const struct lore_row_member start_members[] = {AT(advice), AT(list), AT(rank), AT(version),
    AT(run), AT(op), AT(chip), AT(workload), AT(value), AT(low), AT(high), AT(p_fail), AT(time_ns),
    AT(failed), AT(hidden)};
static const struct lore_row_shape start_rows = {LORE_MEMBERS(start_members)};
#undef ROW

static enum lore_status
list_starts(struct lore_db *db, const struct asked *ask, struct lore_arena *a,
    struct lore_version_outcomes *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.advice, t.list, t.rank, p.version, y.id, k.operator, y.chip, y.workload, p.value,"
        " p.low, p.high, p.p_fail, coalesce(y.time_ns, 0),"
        " y.failed OR y.correctness IN ('fail', 'timeout'), NOT (" LORE_RUN_COUNTS(
            "y") ")" TRIALS
                 " JOIN drv_run_entry y ON y.seq = t.record JOIN fact_kernel k ON k.seq = y.kernel"
                 " WHERE p.from_version IS NULL AND" PASSES
                 " ORDER BY t.advice DESC, t.list, t.rank, t.record LIMIT $5");

    bind_filter(&q, ask, a);
    return lore_db_collect(&q, &start_rows, a, &out->starts, &out->n_starts, err);
}

#define ROW struct lore_advice_result
static const struct lore_row_member move_members[] = {AT(advice), AT(list), AT(rank), AT(chip),
    AT(technique), AT(how), AT(experiment), AT(p_win), AT(speedup),
    AT_ENUM(effect, lore_effect_find), AT_ENUM(correctness, lore_check_of), AT(hidden)};
enum { TYPED = sizeof move_members / sizeof *move_members };

static enum lore_status
note_loss(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_advice_result *r = row;

    (void)a, (void)err;
    r->said_lost = r->effect == LORE_X_NOT_MEASURED &&
                   lore_effect_typed(lore_col_text(q, TYPED, NULL)) == LORE_X_LOSS;
    return LORE_OK;
}

static const struct lore_row_shape move_rows = {LORE_MEMBERS(move_members), .more = note_loss};

static enum lore_status
list_moves(struct lore_db *db, const struct asked *ask, struct lore_arena *a,
    struct lore_version_outcomes *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT t.advice, t.list, t.rank, coalesce(v.chip, ''), p.technique, 'context', e.id,"
        " p.value, x.speedup, x.effect, x.correctness, x.masked, e.typed_outcome" TRIALS
        " JOIN fact_experiment e ON e.seq = t.record JOIN drv_experiment x ON x.seq = t.record"
        " WHERE p.from_version IS NOT NULL AND" PASSES
        " ORDER BY t.advice DESC, t.list, t.rank, t.record LIMIT $5");

    bind_filter(&q, ask, a);
    return lore_db_collect(&q, &move_rows, a, &out->moves, &out->n_moves, err);
}

static enum lore_status
list_outcomes(struct lore_db *db, const struct asked *ask, struct lore_arena *a,
    struct lore_version_outcomes *out, struct lore_err *err)
{
    enum lore_status status;

    *out = (struct lore_version_outcomes){0};
    status = list_starts(db, ask, a, out, err);
    return status == LORE_OK ? list_moves(db, ask, a, out, err) : status;
}

enum lore_status
lore_db_list_version_outcomes(struct lore_db *db, const struct lore_advice_filter *f,
    struct lore_arena *a, struct lore_version_outcomes *out, struct lore_err *err)
{
    return list_outcomes(db, &(struct asked){.f = *f}, a, out, err);
}

enum lore_status
lore_db_get_version_outcomes(struct lore_db *db, int64_t advice, struct lore_arena *a,
    struct lore_version_outcomes *out, struct lore_err *err)
{
    return list_outcomes(db, &(struct asked){.f.limit = ONE_ANSWER, .only = advice}, a, out, err);
}

enum lore_status
lore_db_best_of_place(struct lore_db *db, const char *op, const char *chip, const char *workload,
    struct lore_start_best *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT coalesce(min(y.time_ns), 0), count(DISTINCT y.version) FROM (SELECT r.seq AS seq"
        " FROM fact_run r WHERE r.workload = $1 AND r.chip = $2 ORDER BY r.seq DESC"
        " LIMIT " LOOKED_THROUGH ") n JOIN drv_run_entry y ON y.seq = n.seq"
        " JOIN fact_kernel k ON k.seq = y.kernel WHERE k.operator = $3 AND y.time_ns > 0"
        " AND y.failed = 0 AND y.correctness NOT IN ('fail', 'timeout')"
        " AND y.version_kind <> 'library' AND" LORE_RUN_COUNTS("y"));

    lore_bind_text(&q, 1, workload);
    lore_bind_text(&q, 2, chip);
    lore_bind_text(&q, 3, op);
    *out = (struct lore_start_best){0};
    if (lore_row(&q))
        *out = (struct lore_start_best){lore_col_f64(&q, 0), lore_col_i64(&q, 1)};
    return lore_done(&q, err);
}

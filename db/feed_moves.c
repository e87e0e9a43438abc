/* Rows for the index of moves: versions with their parameters, runs as times, experiments as moves,
 * in order of seq after the caller's last one. Retracted, masked and merged records are left out;
 * indexes_moves.c reads them again when a decision changes that.
 *
 * Strings passed to the callback are valid only during the call. */
#include "db/feed_moves.h"

#include <math.h>
#include <string.h>

#include "db/feed_known.h"
#include "service/base/json.h"
#include "service/wire/wire.h"

/* ---- versions ---- */

/* Read the members of a JSON object as settings; true and false become numbers. */
static enum lore_status
read_settings(
    const char *params, struct lore_arena *a, struct lore_trial_version *v, struct lore_err *err)
{
    struct lore_moves_setting *s;
    struct lore_json *root;
    enum lore_status status = lore_json_parse(params, strlen(params), NULL, a, &root, err);

    if (status != LORE_OK)
        return status;
    s = lore_alloc_array(a, root->len + 1, sizeof *s);
    for (const struct lore_json *m = root->child; m != NULL; m = m->next) {
        struct lore_moves_setting *one = &s[v->n];

        one->param = m->key;
        one->text = m->type == LORE_J_STRING ? m->str : NULL;
        one->number = m->type == LORE_J_BOOL ? (double)m->i : m->f;
        v->n += m->type == LORE_J_STRING || m->type == LORE_J_BOOL || m->type == LORE_J_NUMBER;
    }
    v->settings = s;
    return LORE_OK;
}

static enum lore_status
version_columns(struct lore_stmt *q, struct lore_feed_scan *s, struct lore_trial_version *v,
    struct lore_err *err)
{
    const char *params = lore_col_text(q, 6, NULL);

    v->id = lore_col_text(q, 1, NULL);
    v->op = lore_col_text(q, 2, NULL);
    v->kernel = lore_col_text(q, 3, NULL);
    v->kernel_name = lore_col_text(q, 4, NULL);
    v->language = lore_language_find(lore_col_text(q, 5, NULL));
    return !params ? LORE_OK : read_settings(params, &s->arena, v, err);
}

LORE_FEED_ROW(version, lore_trial_version, lore_trial_version_fn)

/* A library's version is a reference for comparisons, not a start. */
enum lore_status
lore_db_each_trial_version(struct lore_db *db, int64_t after_seq, lore_trial_version_fn fn,
    void *ctx, int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_version");
    LORE_STMT q =
        lore_sql(db, "SELECT v.seq, v.id, k.operator, k.id, k.name, k.language, CASE WHEN "
                     "instr(v.rest, '\"params\":{') > 0"
                     " THEN json_extract(v.rest, '$.params') END FROM fact_version v"
                     " JOIN fact_kernel k ON k.id = v.kernel WHERE v.seq > $1 AND v.seq <= $2"
                     " AND v.kind <> 'library' AND" LORE_NOT_RETRACTED("v") " ORDER BY v.seq");
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return lore_feed_scan(&s, &end, &q, version_row, &(struct version_to){fn, ctx}, err);
}

/* ---- runs ---- */

static enum lore_status
run_columns(
    struct lore_stmt *q, struct lore_feed_scan *s, struct lore_trial_run *r, struct lore_err *err)
{
    struct lore_known_workload workload = {0};
    enum lore_status status =
        lore_known_workload(s->known, lore_col_text(q, 3, NULL), &workload, err);

    r->version = lore_col_text(q, 1, NULL);
    r->chip = lore_col_text(q, 2, NULL);
    r->workload = lore_col_text(q, 3, NULL);
    r->size = workload.size;
    r->evidence = lore_evidence_of(lore_col_text(q, 4, NULL));
    r->correctness = lore_check_of(lore_col_text(q, 5, NULL));
    r->error = lore_col_i64(q, 6) != 0;
    r->time_ns = lore_col_f64(q, 7); /* NULL reads 0 */
    r->kind = workload.kind;
    return status;
}

LORE_FEED_ROW(run, lore_trial_run, lore_trial_run_fn)

enum lore_status
lore_db_each_trial_run(struct lore_db *db, int64_t after_seq, lore_trial_run_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_run");
    LORE_STMT q = lore_sql(db,
        "SELECT y.seq, y.version, y.chip, y.workload, y.evidence, y.correctness, y.failed,"
        " y.time_ns FROM drv_run_entry y WHERE y.seq > $1 AND y.seq <= $2 AND y.chip IS NOT NULL"
        " AND" LORE_NOT_RETRACTED("y") " AND NOT" LORE_IS_COPY("y.id") " ORDER BY y.seq");
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return lore_feed_scan(&s, &end, &q, run_row, &(struct run_to){fn, ctx}, err);
}

/* ---- experiments ---- */

/* The technique is read only when there is exactly one: with several, nobody knows which one
 * worked. */
#define MOVE_SELECT                                                                                \
    "SELECT e.seq, e.from_version, e.to_version, e.chip, e.workload, x.evidence, x.correctness,"   \
    " coalesce((SELECT o.speedup FROM drv_outcome o WHERE o.experiment = x.seq AND o.gain > 0 "    \
    "AND o.superseded_us IS NULL), x.speedup), x.masked, (SELECT CASE WHEN count(*) = 1 THEN "     \
    "max(t.technique) END"                                                                         \
    " FROM fact_experiment_technique t WHERE t.experiment = x.seq) FROM drv_experiment x"          \
    " JOIN fact_experiment e ON e.seq = x.seq"                                                     \
    " WHERE e.from_version IS NOT NULL AND e.to_version IS NOT NULL AND x.chip IS NOT NULL"

/* Read a move; it counts when it is not hidden and was measured or failed. The verdict `fail` means
 * a wrong result, or an error in a run without a time. */
static enum lore_status
move_columns(
    struct lore_stmt *q, struct lore_feed_scan *s, struct lore_trial_move *m, struct lore_err *err)
{
    enum lore_check check = lore_check_of(lore_col_text(q, 6, NULL));
    double speedup = lore_col_f64(q, 7); /* NULL reads 0 */
    struct lore_known_workload workload = {0};
    enum lore_status status =
        lore_known_workload(s->known, lore_col_text(q, 4, NULL), &workload, err);

    m->seq = lore_col_i64(q, 0);
    m->from = lore_col_text(q, 1, NULL);
    m->to = lore_col_text(q, 2, NULL);
    m->chip = lore_col_text(q, 3, NULL);
    m->workload = lore_col_text(q, 4, NULL);
    m->size = workload.size;
    m->evidence = lore_evidence_of(lore_col_text(q, 5, NULL));
    m->failed = check == LORE_C_FAIL || check == LORE_C_TIMEOUT;
    m->log_speedup = speedup > 0 ? log(speedup) : 0;
    m->counts = lore_col_i64(q, 8) == 0 && (m->failed || speedup > 0);
    m->technique = lore_col_text(q, 9, NULL);
    return status;
}

LORE_FEED_ROW(move, lore_trial_move, lore_trial_move_fn)

enum lore_status
lore_db_each_trial_move(struct lore_db *db, int64_t after_seq, lore_trial_move_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_experiment");
    LORE_STMT q = lore_sql(db, MOVE_SELECT " AND x.seq > $1 AND x.seq <= $2 AND x.masked = 0"
                                           " AND (x.speedup > 0 OR x.correctness"
                                           " IN ('fail', 'timeout')) ORDER BY x.seq");
    struct lore_feed_scan s = {.db = db, .after = after_seq, .last = last_seq};

    return lore_feed_scan(&s, &end, &q, move_row, &(struct move_to){fn, ctx}, err);
}

enum lore_status
lore_feed_trial_move(struct lore_db *db, const char *experiment, lore_trial_move_fn fn, void *ctx,
    struct lore_err *err)
{
    LORE_STMT end = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_experiment WHERE id = $1");
    LORE_STMT q = lore_sql(db, MOVE_SELECT " AND x.seq > $1 AND x.seq <= $2");
    struct lore_feed_scan s = {.db = db};

    lore_bind_text(&end, 1, experiment);
    s.newest = lore_row(&end) ? lore_col_i64(&end, 0) : 0;
    s.after = s.newest - 1;
    enum lore_status status = lore_done(&end, err);
    return status == LORE_OK
               ? lore_feed_scan(&s, NULL, &q, move_row, &(struct move_to){fn, ctx}, err)
               : status;
}

/* Feeding the in-memory indexes: every experiment as evidence, every run and every experiment
 * as an entry of the board, every workload's dims, in order of seq, from where the caller left off.
 *
 * Texts handed to the callback are valid only during the call. */
#include "board.h"
#include "evidence.h"
#include "internal.h"
#include "text.h"

static enum lore_status
newest_run(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_run");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

static enum lore_status
newest_experiment(struct lore_db *db, int64_t *seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(max(seq), 0) FROM fact_experiment");

    if (lore_row(&q))
        *seq = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

/* *last: how far the walk came; when it ran to the end, how far there is anything. */
static void
walked(int64_t *last, int64_t after, int64_t seen, int64_t newest, bool stopped)
{
    if (last == NULL)
        return;
    *last = stopped ? seen : newest > after ? newest : after;
}

/* The author calls it a loss and gives no number to judge it by. */
static bool
said_lost(enum lore_effect effect, const char *typed)
{
    return effect == LORE_X_NOT_MEASURED && lore_typed_effect(typed) == LORE_X_LOSS;
}

/* What the verdict on a technique says of its part in the gain. */
static enum lore_share
share_of(const char *verdict)
{
    if (lore_streq(verdict, "ineffective"))
        return LORE_SHARE_INERT;
    return lore_streq(verdict, "implementation_failed") ? LORE_SHARE_ABSENT : LORE_SHARE_OPEN;
}

static void
evidence_columns(struct lore_stmt *q, struct lore_evidence_in *in)
{
    const char *effect = lore_col_text(q, 8, NULL);

    in->seq = lore_col_i64(q, 0);
    in->experiment = lore_col_text(q, 1, NULL);
    in->op = lore_col_text(q, 2, NULL);
    in->family = lore_col_text(q, 3, NULL);
    in->language = lore_col_text(q, 4, NULL);
    in->chip = lore_col_text(q, 5, NULL);
    in->workload = lore_col_text(q, 6, NULL);
    in->labels = lore_labels_parse(lore_col_text(q, 7, NULL), NULL);
    in->effect = lore_effect_find(effect);
    in->correctness = lore_check_of(lore_col_text(q, 9, NULL));
    in->process_broken = lore_streq(lore_col_text(q, 10, NULL), "broken");
    in->masked = lore_col_i64(q, 11) != 0;
    in->evidence = lore_evidence_of(lore_col_text(q, 12, NULL));
    in->speedup = lore_col_f64(q, 13); /* NULL reads 0: not measured */
    in->technique = lore_col_text(q, 14, NULL);
    in->said_lost = said_lost(in->effect, lore_col_text(q, 15, NULL));
    in->share = share_of(lore_col_text(q, 16, NULL));
    in->labels_derived = lore_col_i64(q, 17) != 0;
}

/* From after AFTER up to NEWEST. A comparison with a library that changes nothing is a fact for the
 * board, not an attempt. */
static enum lore_status
each_evidence(struct lore_db *db, int64_t after, int64_t newest, lore_evidence_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT x.seq, e.id, x.operator, p.family, x.language, x.chip, e.workload, x.labels,"
        " x.effect, x.correctness, x.process, x.masked, x.evidence, x.speedup, t.technique,"
        " e.typed_outcome, tv.verdict, b.experiment IS NOT NULL FROM drv_experiment x JOIN "
        "fact_experiment e ON e.seq = x.seq"
        " JOIN cat_operator p ON p.name = x.operator"
        " LEFT JOIN fact_experiment_technique t ON t.experiment = x.seq"
        " LEFT JOIN drv_technique_verdict tv ON tv.experiment = t.experiment"
        " AND tv.position = t.position"
        " LEFT JOIN drv_bottleneck b ON b.experiment = x.seq"
        " WHERE x.seq > $1 AND x.seq <= $2"
        " AND (e.base IS DISTINCT FROM 'library' OR t.technique IS NOT NULL)"
        " ORDER BY x.seq, t.position");
    int64_t seen = after;
    bool stopped = false;
    enum lore_status status;

    lore_bind_i64(&q, 1, after);
    lore_bind_i64(&q, 2, newest);
    while (!stopped && lore_row(&q)) {
        struct lore_evidence_in in = {0};

        evidence_columns(&q, &in);
        seen = in.seq;
        stopped = !fn(ctx, &in);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK)
        walked(last_seq, after, seen, newest, stopped);
    return status;
}

enum lore_status
lore_each_evidence(struct lore_db *db, int64_t after_seq, lore_evidence_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    int64_t newest = 0;
    enum lore_status status = newest_experiment(db, &newest, err);

    return status == LORE_OK ? each_evidence(db, after_seq, newest, fn, ctx, last_seq, err)
                             : status;
}

/* What runs and stated results share: the first columns of both queries. */
#define ENTRY_COLUMNS                                                                              \
    "k.operator, p.family, w.id, w.label, k.language, k.id, k.name, v.id,"                         \
    " coalesce(v.label, v.tag, 'v' || v.ordinal), v.kind, (SELECT c.retraction"                    \
    " FROM drv_curated c WHERE c.record = v.id)"

static int
entry_columns(struct lore_stmt *q, struct lore_entry *e)
{
    int i = 0;

    e->op = lore_col_text(q, i++, NULL);
    e->family = lore_col_text(q, i++, NULL);
    e->workload = lore_col_text(q, i++, NULL);
    e->workload_label = lore_col_text(q, i++, NULL);
    e->language = lore_language_find(lore_col_text(q, i++, NULL));
    e->kernel = lore_col_text(q, i++, NULL);
    e->kernel_name = lore_col_text(q, i++, NULL);
    e->version = lore_col_text(q, i++, NULL);
    e->version_label = lore_col_text(q, i++, NULL);
    e->version_kind = lore_version_kind_of(lore_col_text(q, i++, NULL));
    e->version_retracted = lore_col_i64(q, i++) != 0; /* NULL reads 0 */
    return i;
}

/* Time from the samples; without them from what was stated. */
static void
run_times(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_entry *e)
{
    struct lore_stats s;
    size_t len;
    const void *samples = lore_col_blob(q, col, &len, a);

    e->n_samples = len / sizeof(int64_t);
    if (e->n_samples > 0) {
        lore_stats(samples, e->n_samples, a, &s);
        e->time_ns = s.median;
        e->low_ns = s.p10;
        e->high_ns = s.p90;
        if (e->n_samples > 1) /* of one sample there is no interval */
            lore_median_interval(samples, e->n_samples, a, &e->median_low_ns, &e->median_high_ns);
        return;
    }
    e->time_ns = lore_col_f64(q, col + 1);
    e->low_ns = lore_col_f64(q, col + 2);
    e->high_ns = lore_col_f64(q, col + 3);
}

static void
run_columns(struct lore_stmt *q, struct lore_arena *a, struct lore_entry *e)
{
    int i = entry_columns(q, e);

    e->seq = lore_col_i64(q, i++);
    e->run = lore_col_text(q, i++, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    e->env_hard = lore_col_text(q, i++, NULL);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness =
        lore_col_null(q, i) ? LORE_C_NOT_CHECKED : lore_check_of(lore_col_text(q, i, NULL));
    i++;
    e->failed = !lore_col_null(q, i++);
    e->method = lore_col_text(q, i++, NULL);
    e->at_us = lore_col_i64(q, i++);
    e->retracted = lore_col_i64(q, i++) != 0;
    run_times(q, i, a, e);
}

static enum lore_status
run_labels(struct lore_db *db, const char *run, uint32_t *labels, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT labels FROM fact_diagnosis WHERE run = $1");

    lore_bind_text(&q, 1, run);
    while (lore_row(&q))
        *labels |= lore_labels_parse(lore_col_text(&q, 0, NULL), NULL);
    return lore_done(&q, err);
}

enum lore_status
lore_each_run_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT " ENTRY_COLUMNS
        ", r.seq, r.id, r.chip, n.hard_hash, r.evidence, r.correctness, r.error_type, r.tool,"
        " coalesce(r.measured_us, d.received_us), (SELECT c.retraction FROM drv_curated"
        " c WHERE c.record = r.id), r.samples_ns,"
        " coalesce(r.stated_median_ns, r.stated_mean_ns, r.stated_min_ns), r.stated_p10_ns,"
        " r.stated_p90_ns FROM fact_run r JOIN fact_version v ON v.id = r.version"
        " JOIN fact_kernel k ON k.id = v.kernel JOIN cat_operator p ON p.name = k.operator"
        " JOIN fact_document d ON d.seq = r.document"
        " LEFT JOIN fact_workload w ON w.id = r.workload"
        " LEFT JOIN fact_environment n ON n.id = r.environment"
        " WHERE r.seq > $1 AND r.seq <= $2 ORDER BY r.seq");
    struct lore_arena a = {0};
    int64_t newest = 0, seen = after_seq;
    bool stopped = false;
    enum lore_status status = newest_run(db, &newest, err);

    lore_bind_i64(&q, 1, after_seq);
    lore_bind_i64(&q, 2, newest);
    while (status == LORE_OK && !stopped && lore_row(&q)) {
        struct lore_entry e = {0};

        lore_arena_reset(&a);
        run_columns(&q, &a, &e);
        status = run_labels(db, e.run, &e.labels, err);
        seen = e.seq;
        stopped = status != LORE_OK || !fn(ctx, &e);
    }
    lore_arena_free(&a);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK)
        walked(last_seq, after_seq, seen, newest, stopped);
    return status;
}

/* AFTER: what is known of the runs after. NULL: there are none; 1: one was checked. A time that is
 * stated beside runs is no entry of its own. */
static void
claim_columns(struct lore_stmt *q, struct lore_entry *e)
{
    int i = entry_columns(q, e), after;

    e->seq = lore_col_i64(q, i++);
    e->experiment = lore_col_text(q, i++, NULL);
    e->chip = lore_col_text(q, i++, NULL);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    e->correctness = lore_check_of(lore_col_text(q, i++, NULL));
    e->masked = lore_col_i64(q, i++) != 0;
    e->effect = lore_effect_find(lore_col_text(q, i++, NULL));
    e->labels = lore_labels_parse(lore_col_text(q, i++, NULL), NULL);
    e->labels_derived = lore_col_i64(q, i++) != 0;
    e->at_us = lore_col_i64(q, i++);
    after = i++;
    e->runs_checked = lore_col_i64(q, after) == 1;
    e->time_ns = lore_col_null(q, after) ? lore_col_f64(q, i) : 0; /* NULL reads 0: not stated */
    i++;
    e->speedup = lore_col_f64(q, i++);
    e->speedup_low = lore_col_f64(q, i++);
    e->speedup_high = lore_col_f64(q, i++);
    e->base = lore_base_of(lore_col_text(q, i++, NULL));
    e->base_name = lore_col_text(q, i++, NULL);
    e->said_lost = said_lost(e->effect, lore_col_text(q, i++, NULL));
    e->retracted = lore_col_i64(q, i++) != 0;
}

static enum lore_status
each_claim(struct lore_db *db, int64_t after_seq, int64_t newest, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT " ENTRY_COLUMNS
        ", e.seq, e.id, e.chip, e.evidence, x.correctness, x.masked, x.effect, x.labels,"
        " EXISTS (SELECT 1 FROM drv_bottleneck b WHERE b.experiment = e.seq),"
        " coalesce(e.happened_us, d.received_us), (SELECT max(CASE WHEN r.correctness"
        " <> 'not_checked' AND" LORE_RUN_COUNTS(
            "r") " THEN 1 ELSE 0 END) FROM fact_experiment_run er"
                 " JOIN fact_run r ON r.id = er.run WHERE er.experiment = e.seq AND er.side = 1),"
                 " e.claimed_after_ns, coalesce(e.claimed_speedup, x.speedup), e.claimed_low,"
                 " e.claimed_high, e.base, e.base_name, e.typed_outcome,"
                 " (SELECT c.retraction FROM drv_curated c WHERE c.record = e.id)"
                 " FROM fact_experiment e JOIN drv_experiment x ON x.seq = e.seq"
                 " JOIN fact_kernel k ON k.id = e.kernel JOIN cat_operator p ON p.name = k.operator"
                 " JOIN fact_document d ON d.seq = e.document"
                 " LEFT JOIN fact_version v ON v.id = e.to_version"
                 " LEFT JOIN fact_workload w ON w.id = e.workload"
                 " WHERE e.seq > $1 AND e.seq <= $2 ORDER BY e.seq");
    int64_t seen = after_seq;
    bool stopped = false;
    enum lore_status status;

    lore_bind_i64(&q, 1, after_seq);
    lore_bind_i64(&q, 2, newest);
    while (!stopped && lore_row(&q)) {
        struct lore_entry e = {0};

        claim_columns(&q, &e);
        seen = e.seq;
        stopped = !fn(ctx, &e);
    }
    status = lore_done(&q, err);
    if (status == LORE_OK)
        walked(last_seq, after_seq, seen, newest, stopped);
    return status;
}

enum lore_status
lore_each_claim_entry(struct lore_db *db, int64_t after_seq, lore_entry_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    int64_t newest = 0;
    enum lore_status status = newest_experiment(db, &newest, err);

    return status == LORE_OK ? each_claim(db, after_seq, newest, fn, ctx, last_seq, err) : status;
}

/* Workloads are never deleted, so that their rowids count up. */
enum lore_status
lore_each_workload(struct lore_db *db, int64_t after_seq, lore_workload_fn fn, void *ctx,
    int64_t *last_seq, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT w.rowid, " LORE_WORKLOAD_COLUMNS
                               " FROM fact_workload w WHERE w.rowid > $1 ORDER BY w.rowid");
    struct lore_arena a = {0};
    int64_t seen = after_seq;
    bool stopped = false;
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, after_seq);
    while (status == LORE_OK && !stopped && lore_row(&q)) {
        struct lore_workload_row row = {0};
        struct lore_workload w;
        int col = 1;

        lore_arena_reset(&a);
        lore_workload_columns(&q, &col, &a, &row);
        status = lore_workload_fill(&row, &a, &w, err);
        seen = lore_col_i64(&q, 0);
        stopped = status != LORE_OK || !fn(ctx, row.id, &w);
    }
    lore_arena_free(&a);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK && last_seq != NULL)
        *last_seq = seen;
    return status;
}

enum lore_status
lore_feed_experiment(struct lore_db *db, const char *experiment, lore_evidence_fn evidence,
    lore_entry_fn entry, void *ctx, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq FROM fact_experiment WHERE id = $1");
    enum lore_status status;
    int64_t seq;

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    seq = lore_col_i64(&q, 0);
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = each_evidence(db, seq - 1, seq, evidence, ctx, NULL, err);
    return status == LORE_OK ? each_claim(db, seq - 1, seq, entry, ctx, NULL, err) : status;
}

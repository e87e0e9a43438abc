/* Read the facts behind verdicts (facts.h). Each query runs only for experiments that need it: an
 * experiment that states its numbers needs three. */
#include "db/facts.h"

#include "db/internal.h"
#include "db/metrics.h"
#include "service/catalogue/catalogue.h"

enum { MOST_EARLIER = 32 }; /* newest runs of a version that are searched for metrics */

static void
claim_columns(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_fact_experiment *out)
{
    struct lore_claim *c = &out->claim;

    c->latency_before_ns = lore_col_opt_f64(q, col++);
    c->latency_after_ns = lore_col_opt_f64(q, col++);
    c->speedup = lore_col_opt_f64(q, col++);
    c->speedup_low = lore_col_opt_f64(q, col++);
    c->speedup_high = lore_col_opt_f64(q, col++);
    c->set = !lore_col_null(q, col);
    c->base = lore_base_of(lore_col_text(q, col++, NULL));
    c->base_name = lore_col_text(q, col++, a);
    c->outcome = lore_col_text(q, col++, a);
    c->correctness = lore_check_of(lore_col_text(q, col++, NULL));
    lore_split(lore_col_text(q, col, NULL), ',', a, &out->violations);
}

static enum lore_status
stated_metrics(struct lore_db *db, struct lore_stmt *q, int col, struct lore_arena *a,
    struct lore_metrics *out, struct lore_err *err)
{
    size_t len;
    const void *p = lore_col_blob(q, col, &len, NULL);

    return len == 0 ? LORE_OK : lore_metrics_borrow(db, p, len, a, out, err);
}

enum lore_status
lore_fact_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_fact_experiment *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.seq, e.kernel, e.hypothesis, e.from_version, e.to_version, e.rest, c.rest,"
        " e.labels, e.evidence, EXISTS (SELECT 1 FROM drv_outcome o WHERE o.experiment = e.seq"
        " AND o.superseded_us IS NULL), e.metrics_before, e.metrics_after, e.claimed_before_ns,"
        " e.claimed_after_ns, e.claimed_speedup, e.claimed_low, e.claimed_high, e.base,"
        " e.base_name, e.typed_outcome, e.correctness, e.violations, e.chip, e.document,"
        " e.raw_label, e.workload FROM fact_experiment e"
        " LEFT JOIN fact_experiment_campaign i ON i.experiment = e.seq"
        " LEFT JOIN fact_campaign c ON c.id = i.campaign WHERE e.id = $1");
    struct lore_fact_experiment x = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", id);
    x.seq = lore_col_i64(&q, 0);
    x.kernel = lore_col_text(&q, 1, a);
    x.hypothesis = lore_col_text(&q, 2, a);
    x.from_version = lore_col_text(&q, 3, a);
    x.to_version = lore_col_text(&q, 4, a);
    x.rest = lore_col_text(&q, 5, a);
    x.campaign = lore_col_text(&q, 6, a);
    x.labels = lore_labels_parse(lore_col_text(&q, 7, NULL), NULL);
    x.evidence = lore_evidence_of(lore_col_text(&q, 8, NULL));
    x.judged = lore_col_i64(&q, 9) != 0;
    status = stated_metrics(db, &q, 10, a, &x.stated[0], err);
    if (status == LORE_OK)
        status = stated_metrics(db, &q, 11, a, &x.stated[1], err);
    claim_columns(&q, 12, a, &x);
    x.chip = lore_col_text(&q, 22, a);
    x.document = lore_col_i64(&q, 23);
    x.workload = lore_col_text(&q, 25, a);
    x.says_bottleneck = x.labels != 0 || !lore_col_null(&q, 24);
    if (status == LORE_OK)
        status = lore_done(&q, err);
    if (status == LORE_OK)
        *out = x;
    return status;
}

/* ---- runs ---- */

static void
timing_columns(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_fact_run *run)
{
    size_t bytes;

    run->samples = lore_col_blob(q, col, &bytes, a);
    run->n_samples = bytes / sizeof *run->samples;
    run->stated_ns = lore_col_opt_f64(q, col + 1);
    run->checked = !lore_col_null(q, col + 2);
    run->correctness = lore_check_of(lore_col_text(q, col + 2, NULL));
    run->failed = !lore_col_null(q, col + 3);
}

enum lore_status
lore_fact_runs(struct lore_db *db, int64_t experiment, struct lore_arena *a, lore_fact_run_fn fn,
    void *ctx, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT er.side, r.samples_ns, " LORE_STATED_NS(
                         "r") ", r.correctness, r.error_type, n.hard_hash, r.workload,"
                              " r.version, r.measured_us, w.dtype, r.metrics, r.rest, r.seq, "
                              "r.document, r.tool, r.chip,"
                              " r.id FROM fact_experiment_run er JOIN fact_run r ON r.id = er.run"
                              " LEFT JOIN fact_environment n ON n.id = r.environment"
                              " LEFT JOIN fact_workload w ON w.id = r.workload"
                              " WHERE er.experiment = $1 AND" LORE_RUN_COUNTS(
                                  "r") " ORDER BY er.side, er.position");
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, experiment);
    while (status == LORE_OK && lore_row(&q)) {
        struct lore_fact_run run = {.after = lore_col_i64(&q, 0) == 1};

        timing_columns(&q, 1, NULL, &run);
        run.environment = lore_col_text(&q, 5, a);
        run.workload = lore_col_text(&q, 6, a);
        run.version = lore_col_text(&q, 7, a);
        run.measured_us = lore_col_i64(&q, 8);
        run.dtype = lore_col_text(&q, 9, a);
        run.metrics = lore_col_blob(&q, 10, &run.metrics_bytes, a);
        run.rest = lore_col_text(&q, 11, NULL);
        run.seq = lore_col_i64(&q, 12);
        run.document = lore_col_i64(&q, 13);
        run.tool = lore_col_text(&q, 14, a);
        run.chip = lore_col_text(&q, 15, a);
        run.id = lore_col_text(&q, 16, a);
        status = fn(ctx, &run, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_fact_timing(struct lore_db *db, const char *run, struct lore_arena *a,
    struct lore_fact_run *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT r.samples_ns, " LORE_STATED_NS(
                         "r") ", r.correctness, r.error_type FROM fact_run r WHERE r.id = $1");

    *out = (struct lore_fact_run){0};
    lore_bind_text(&q, 1, run);
    if (lore_row(&q))
        timing_columns(&q, 0, a, out);
    return lore_done(&q, err);
}

/* Run R is not one of the after-runs, which were read already. The condition on correctness before
 * it equals the WHERE of a partial index word for word, so that SQLite uses that index. */
#define OTHER                                                                                      \
    " NOT EXISTS (SELECT 1 FROM fact_experiment_run x WHERE x.experiment = $2 AND x.side = 1"      \
    " AND x.run = r.id) AND" LORE_RUN_COUNTS("r") " ORDER BY r.seq LIMIT $3"

static struct lore_stmt
open_checks(struct lore_db *db, enum lore_fact_which which)
{
    if (which == LORE_FACT_PASSES)
        return lore_sql(db, "SELECT r.version, r.workload, w.dtype, r.correctness, r.correctness, "
                            "r.rest FROM fact_run r"
                            " LEFT JOIN fact_workload w ON w.id = r.workload WHERE r.version = $1"
                            " AND r.correctness = 'pass' AND" OTHER);
    if (which == LORE_FACT_FAILURES)
        return lore_sql(db, "SELECT r.version, r.workload, w.dtype, r.correctness, r.correctness, "
                            "r.rest FROM fact_run r"
                            " LEFT JOIN fact_workload w ON w.id = r.workload WHERE r.version = $1"
                            " AND r.correctness IN ('fail', 'timeout') AND NOT EXISTS (SELECT 1"
                            " FROM drv_run_entry y WHERE y.seq = r.seq AND y.disputes) AND" OTHER);
    return lore_sql(db,
        "SELECT r.version, r.workload, w.dtype, r.correctness, r.correctness, r.rest FROM"
        " (SELECT id, kind FROM fact_version WHERE kernel = $1 ORDER BY seq LIMIT 8) v"
        " JOIN fact_run r ON r.version = v.id LEFT JOIN fact_workload w ON w.id = r.workload"
        " WHERE v.kind = 'baseline' AND r.correctness IS NOT NULL AND" LORE_RUN_COUNTS(
            "r") " ORDER BY r.seq LIMIT $2");
}

#define ROW struct lore_fact_run
static const struct lore_row_member check_members[] = {AT(version), AT(workload), AT(dtype),
    AT_THERE(checked), AT_ENUM(correctness, lore_check_of), AT(rest)};
static const struct lore_row_shape check_rows = {LORE_MEMBERS(check_members)};
#undef ROW

enum lore_status
lore_fact_checks(struct lore_db *db, const struct lore_fact_experiment *x,
    enum lore_fact_which which, struct lore_arena *a, struct lore_fact_checks *out,
    struct lore_err *err)
{
    LORE_STMT q = open_checks(db, which);

    if (which == LORE_FACT_BASELINE) {
        lore_bind_text(&q, 1, x->kernel);
        lore_bind_i64(&q, 2, LORE_FACT_CHECKS);
    } else {
        lore_bind_text(&q, 1, x->to_version);
        lore_bind_i64(&q, 2, x->seq);
        lore_bind_i64(&q, 3, LORE_FACT_CHECKS);
    }
    return lore_db_collect(&q, &check_rows, a, &out->v, &out->n, err);
}

enum { WINDOW = 24 }; /* the longest series of runs that one importer sends */

enum lore_status
lore_fact_same_metrics(struct lore_db *db, int64_t seq, const struct lore_fact_run *like,
    struct lore_arena *a, const char **out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT version FROM fact_run WHERE seq > $1 AND seq < $2"
                               " AND length(metrics) = $3 AND metrics = $4 AND version <> $5"
                               " LIMIT 1");

    *out = NULL;
    if (lore_recent_profiles_lack(
            &db->profiles, seq - WINDOW, seq, like->metrics, like->metrics_bytes))
        return LORE_OK;
    lore_bind_i64(&q, 1, seq - WINDOW);
    lore_bind_i64(&q, 2, seq);
    lore_bind_i64(&q, 3, (int64_t)like->metrics_bytes);
    lore_bind_blob(&q, 4, like->metrics, like->metrics_bytes);
    lore_bind_text(&q, 5, like->version);
    if (lore_row(&q))
        *out = lore_col_text(&q, 0, a);
    return lore_done(&q, err);
}

#define EARLIER                                                                                    \
    "(SELECT r.seq FROM fact_run r WHERE r.version = $1 AND r.document <= $2 ORDER BY r.seq DESC"  \
    " LIMIT $3)"

/* Whether VERSION has a run of a later document. */
static enum lore_status
has_later(
    struct lore_db *db, const char *version, int64_t document, bool *later, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT document FROM fact_run WHERE version = $1 ORDER BY seq DESC LIMIT 1");

    lore_bind_text(&q, 1, version);
    *later = lore_row(&q) && lore_col_i64(&q, 0) > document;
    return lore_done(&q, err);
}

static enum lore_status
search_metrics(
    struct lore_db *db, const char *version, int64_t document, bool *none, struct lore_err *err)
{
    LORE_STMT q = lore_sql(
        db, "SELECT 1 FROM fact_run WHERE metrics IS NOT NULL AND seq IN " EARLIER " LIMIT 1");

    lore_bind_text(&q, 1, version);
    lore_bind_i64(&q, 2, document);
    lore_bind_i64(&q, 3, MOST_EARLIER);
    *none = !lore_row(&q);
    return lore_done(&q, err);
}

/* Set *none if the writer knows that none of the runs that lore_fact_earlier searches has metrics.
 * What it finds stays true for later documents until a run with metrics is stored, unless there
 * were later runs already, as in a rebuild. */
static enum lore_status
lack_metrics(
    struct lore_db *db, const char *version, int64_t document, bool *none, struct lore_err *err)
{
    bool later = true;
    enum lore_status status = LORE_OK;

    *none = false;
    if (!db->writer || lore_unprofiled_find(&db->unprofiled, version, document, none))
        return LORE_OK;
    if ((status = has_later(db, version, document, &later, err)) != LORE_OK || later)
        return status;
    status = search_metrics(db, version, document, none, err);
    if (status == LORE_OK)
        lore_unprofiled_add(&db->unprofiled, version, document, *none);
    return status;
}

enum lore_status
lore_fact_earlier(struct lore_db *db, int64_t document, const struct lore_fact_run *like,
    struct lore_arena *a, struct lore_fact_profile *out, struct lore_err *err)
{
    bool none;
    enum lore_status status = lack_metrics(db, like->version, document, &none, err);

    out->run = NULL;
    if (status != LORE_OK || none)
        return status;
    LORE_STMT q = lore_sql(db,
        "SELECT o.id, o.metrics FROM fact_run o JOIN fact_environment n ON n.id = o.environment"
        " WHERE o.seq IN " EARLIER " AND o.metrics IS NOT NULL AND o.workload = $4"
        " AND n.hard_hash = $5 AND o.chip IS NOT DISTINCT FROM $6 AND" LORE_RUN_COUNTS(
            "o") " ORDER BY o.seq DESC LIMIT 1");
    lore_bind_text(&q, 1, like->version);
    lore_bind_i64(&q, 2, document);
    lore_bind_i64(&q, 3, MOST_EARLIER);
    lore_bind_text(&q, 4, like->workload);
    lore_bind_text(&q, 5, like->environment);
    lore_bind_text(&q, 6, like->chip);
    if (lore_row(&q)) {
        size_t bytes;
        const void *packed = lore_col_blob(&q, 1, &bytes, a);

        out->run = lore_col_text(&q, 0, a);
        status = lore_metrics_borrow(db, packed, bytes, a, &out->metrics, err);
    }
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* ---- related records ---- */

enum lore_status
lore_fact_sources(struct lore_db *db, const char *version, struct lore_arena *a,
    struct lore_texts *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT blob FROM fact_source WHERE version = $1 ORDER BY position");

    lore_bind_text(&q, 1, version);
    return lore_db_texts(&q, a, out, err);
}

enum lore_status
lore_fact_hypothesis(struct lore_db *db, const char *id, int64_t *document, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT document FROM fact_hypothesis WHERE id = $1");

    *document = 0;
    lore_bind_text(&q, 1, id);
    if (lore_row(&q))
        *document = lore_col_i64(&q, 0);
    return lore_done(&q, err);
}

#define ROW struct lore_fact_use
static const struct lore_row_member use_members[] = {
    AT(position), AT(technique), AT(raw), AT(status), AT(verification)};
static const struct lore_row_shape use_rows = {LORE_MEMBERS(use_members)};

enum lore_status
lore_fact_uses(struct lore_db *db, const struct lore_fact_experiment *x, struct lore_arena *a,
    struct lore_fact_use **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT t.position, t.technique, t.raw, v.status, v.id"
                     " FROM fact_experiment_technique t LEFT JOIN fact_verification v"
                     " ON v.version = $1 AND v.technique = t.technique AND" LORE_NOT_RETRACTED(
                         "v") " WHERE t.experiment = $2 ORDER BY t.position, v.seq");

    lore_bind_text(&q, 1, x->to_version);
    lore_bind_i64(&q, 2, x->seq);
    return lore_db_collect(&q, &use_rows, a, out, n, err);
}

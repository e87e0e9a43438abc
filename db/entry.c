/* The narrow rows from which the in-memory indexes load: drv_run_entry, written with the run, and
 * drv_experiment_entry, written with every verdict. One function makes each row from facts, for a
 * new record, for a rebuild and for an old database without these rows.
 *
 * The verdict and the visibility are in drv_experiment, retractions in drv_curated: visibility and
 * retractions also change without a new verdict. */
#include "db/entry.h"

#include "db/experiment_facets.h"
#include "db/internal.h"
#include "db/rest.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/stats/level.h"
#include "service/stats/stats.h"
#include "service/wire/effect.h"
#include "service/wire/wire.h"

/* Copy columns of FROM after the first SKIP into Q: column N of those becomes parameter N + 1, and
 * NULL stays NULL. */
struct copy {
    struct lore_stmt *q, *from;
    int skip;
};

static void
copy_text(const struct copy *c, int first, int last)
{
    for (int i = first; i <= last; i++)
        lore_bind_text(c->q, i + 1, lore_col_text(c->from, c->skip + i, NULL));
}

static void
copy_f64(const struct copy *c, int first, int last)
{
    for (int i = first; i <= last; i++)
        lore_bind_opt_f64(c->q, i + 1, lore_col_opt_f64(c->from, c->skip + i));
}

static void
copy_i64(const struct copy *c, int i)
{
    lore_bind_opt_i64(c->q, i + 1, lore_col_opt_i64(c->from, c->skip + i));
}

/* ---- runs ---- */

static enum lore_status
labels_of(struct lore_db *db, const char *run, struct lore_arena *a, const char **out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT labels FROM fact_diagnosis WHERE run = $1");
    uint32_t labels = 0;

    lore_bind_text(&q, 1, run);
    while (lore_row(&q))
        labels |= lore_labels_parse(lore_col_text(&q, 0, NULL), NULL);
    *out = lore_labels_text(a, labels);
    return lore_done(&q, err);
}

/* Bind parameters 16 to 21: times from the samples in column 15, or else the stated times in the
 * columns after it. */
static void
bind_times(struct lore_stmt *q, struct lore_stmt *from, const struct lore_level_times *known,
    struct lore_arena *a)
{
    struct lore_level_times own;
    size_t len;
    const void *samples = lore_col_blob(from, 15, &len, a);
    size_t n = len / sizeof(int64_t);

    lore_bind_i64(q, 16, (int64_t)n);
    if (n == 0) {
        for (int i = 0; i < 3; i++)
            lore_bind_opt_f64(q, 17 + i, lore_col_opt_f64(from, 16 + i));
        return;
    }
    if (!known)
        lore_level_times(samples, n, a, &own);
    known = known ? known : &own;
    lore_bind_f64(q, 17, known->median);
    lore_bind_f64(q, 18, known->p10);
    lore_bind_f64(q, 19, known->p90);
    if (n < 2)
        return;
    lore_bind_f64(q, 20, known->low);
    lore_bind_f64(q, 21, known->high);
}

/* Whether the failed check in REST, about a version of others, is a bare word. */
static enum lore_status
read_disputes(const char *rest, struct lore_arena *a, bool *out, struct lore_err *err)
{
    struct lore_submission doc = {0};
    enum lore_status status = LORE_OK;

    if (rest)
        status = lore_rest_read(LORE_K_RUN, LORE_REST_RUN, rest, a, &doc, err);
    *out = doc.n_runs == 0 || !lore_check_is_shown(&doc.runs[0].correctness);
    return status;
}

static enum lore_status
put_run(struct lore_db *db, struct lore_stmt *from, const struct lore_run *record,
    struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_run_entry (seq, id, kernel, version, version_label, version_kind,"
        " workload, chip, environment, evidence, correctness, failed, tool, at_us, labels,"
        " n_samples, time_ns, low_ns, high_ns, median_low_ns, median_high_ns, disputes,"
        " labels_derived) VALUES ($1,"
        " $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20,"
        " $21, $22, $23)");
    const struct copy c = {&q, from, 0};
    const char *labels = NULL;
    bool disputes = false, shown = record && record->shown != 0;
    enum lore_status status = labels_of(db, lore_col_text(from, 1, NULL), a, &labels, err);

    if (status == LORE_OK && lore_col_i64(from, 19) != 0)
        status = read_disputes(lore_col_text(from, 20, NULL), a, &disputes, err);
    if (status != LORE_OK)
        return status;
    copy_i64(&c, 0);
    copy_text(&c, 1, 1);
    copy_i64(&c, 2);
    copy_text(&c, 3, 7);
    copy_i64(&c, 8);
    copy_text(&c, 9, 10);
    if (disputes)
        lore_bind_text(&q, 11, lore_check_name(LORE_C_NOT_CHECKED));
    copy_i64(&c, 11);
    copy_text(&c, 12, 12);
    copy_i64(&c, 13);
    lore_bind_text(&q, 15, shown ? lore_labels_text(a, record->shown) : labels);
    bind_times(&q, from, record ? record->times : NULL, a);
    lore_bind_i64(&q, 22, disputes);
    lore_bind_i64(&q, 23, shown);
    return lore_done(&q, err);
}

enum lore_status
lore_run_entry_put(
    struct lore_db *db, int64_t run, const struct lore_run *record, struct lore_err *err)
{
    LORE_STMT from = lore_sql(db,
        "SELECT r.seq, r.id, k.seq, v.id, coalesce(v.label, v.tag, 'v' || v.ordinal), v.kind,"
        " r.workload, r.chip, n.seq, r.evidence, coalesce(r.correctness, 'not_checked'),"
        " r.error_type IS NOT NULL, r.tool, coalesce(r.measured_us, d.received_us), NULL,"
        " r.samples_ns, " LORE_STATED_NS(
            "r") ", r.stated_p10_ns, r.stated_p90_ns,"
                 " r.correctness IN ('fail', 'timeout') AND" LORE_OF_OTHERS(
                     "r", "r.version") ", r.rest FROM fact_run r"
                                       " JOIN fact_version v ON v.id = r.version JOIN fact_kernel "
                                       "k ON k.id = v.kernel"
                                       " JOIN fact_document d ON d.seq = r.document"
                                       " LEFT JOIN fact_environment n ON n.id = r.environment "
                                       "WHERE r.seq = $1");
    LORE_SCRATCH a = {0}; /* a document may have many runs with many samples */
    enum lore_status status = LORE_OK;

    lore_bind_i64(&from, 1, run);
    if (lore_row(&from))
        status = put_run(db, &from, record, &a, err);
    return status == LORE_OK ? lore_done(&from, err) : status;
}

/* ---- experiments ---- */

/* A step of an automatic search names the parameter that it changed and both values. No person
 * chose the configuration that it started from, so it is evidence for its own operator only. */
#define A_STEP                                                                                     \
    " json_extract(e.rest, '$.techniques[' || t.position || '].params.parameter') IS NOT NULL AND" \
    " json_extract(e.rest, '$.techniques[' || t.position || '].params.from') IS NOT NULL AND"      \
    " json_extract(e.rest, '$.techniques[' || t.position || '].params.to') IS NOT NULL"

/* The mark before a technique's name: its share in the gain, by the verdict. */
static const char *
mark_of(const char *verdict)
{
    if (lore_streq(verdict, "ineffective"))
        return "-";
    return lore_streq(verdict, "implementation_failed") ? "!" : "";
}

#define VERDICTS                                                                                   \
    " fact_experiment_technique t LEFT JOIN drv_technique_verdict v"                               \
    " ON v.experiment = t.experiment AND v.position = t.position WHERE t.experiment = $1"

/* List the techniques; *out is NULL when the experiment names none. */
static enum lore_status
techniques_of(struct lore_db *db, int64_t experiment, bool may_be_step, struct lore_buf *b,
    const char **out, struct lore_err *err)
{
    LORE_STMT q =
        may_be_step
            ? lore_sql(db, "SELECT t.technique, v.verdict," A_STEP
                           " FROM fact_experiment e JOIN" VERDICTS " AND e.seq = $1"
                           " ORDER BY t.position")
            : lore_sql(db, "SELECT t.technique, v.verdict, 0 FROM" VERDICTS " ORDER BY t.position");
    bool any = false;
    enum lore_status status;

    lore_bind_i64(&q, 1, experiment);
    lore_buf_reset(b);
    for (; lore_row(&q); any = true)
        lore_buf_printf(b, "%s%s%s%s", any ? "," : "", lore_col_i64(&q, 2) != 0 ? "~" : "",
            mark_of(lore_col_text(&q, 1, NULL)), lore_col_text(&q, 0, NULL));
    status = lore_done(&q, err);
    if (status == LORE_OK)
        status = lore_buf_status(b, "techniques", err);
    *out = !any ? NULL : b->len > 0 ? b->data : "";
    return status;
}

static enum lore_status
put_experiment(struct lore_db *db, struct lore_stmt *from, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "INSERT INTO drv_experiment_entry (seq, id, kernel, version, version_label,"
        " version_kind, workload, techniques, labels_derived, typed_lost, runs_after, at_us,"
        " time_ns, speedup, low, high, base, base_name, dated) VALUES ($1, $2, $3, $4, $5, $6, $7, "
        "$8,"
        " $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)"
        " ON CONFLICT (seq) DO UPDATE SET techniques = excluded.techniques,"
        " labels_derived = excluded.labels_derived, runs_after = excluded.runs_after");
    const struct copy c = {&q, from, LORE_FACETS};
    const char *techniques = NULL;
    enum lore_status status = techniques_of(db, lore_col_i64(from, 0),
        lore_col_i64(from, LORE_FACETS + 19) != 0, &db->scratch, &techniques, err);

    if (status != LORE_OK)
        return status;
    copy_i64(&c, 0);
    copy_text(&c, 1, 1);
    copy_i64(&c, 2);
    copy_text(&c, 3, 6);
    lore_bind_text(&q, 8, techniques);
    copy_i64(&c, 8);
    lore_bind_i64(
        &q, 10, lore_effect_typed(lore_col_text(from, LORE_FACETS + 9, NULL)) == LORE_X_LOSS);
    copy_i64(&c, 10);
    copy_i64(&c, 11);
    copy_f64(&c, 12, 15);
    copy_text(&c, 16, 17);
    copy_i64(&c, 18);
    return lore_done(&q, err);
}

enum lore_status
lore_experiment_rows_put(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT from = lore_sql(db,
        "SELECT" LORE_FACET_COLUMNS
        ", e.seq, e.id, k.seq, v.id, coalesce(v.label, v.tag, 'v' || v.ordinal), v.kind,"
        " e.workload, NULL, b.experiment IS NOT NULL, e.typed_outcome,"
        " coalesce((SELECT max(CASE WHEN r.correctness <> 'not_checked' AND" LORE_RUN_COUNTS(
            "r") " THEN 2 ELSE 1 END) FROM fact_experiment_run x JOIN fact_run r ON r.id = x.run"
                 " WHERE x.experiment = e.seq AND x.side = 1), 0),"
                 " CASE WHEN e.happened_us < d.received_us THEN e.happened_us ELSE d.received_us "
                 "END, e.claimed_after_ns, e.claimed_speedup,"
                 " e.claimed_low, e.claimed_high, e.base, e.base_name,"
                 " e.happened_us IS NOT NULL, instr(e.rest, '\"parameter\"') > 0 "
                 "FROM" LORE_FACET_TABLES " JOIN fact_document d ON d.seq = e.document"
                 " LEFT JOIN fact_version v ON v.id = e.to_version"
                 " WHERE e.seq = $1");
    enum lore_status status = LORE_OK;

    lore_bind_i64(&from, 1, experiment);
    if (lore_row(&from)) {
        status = lore_experiment_facets_write(db, &from, err);
        if (status == LORE_OK)
            status = put_experiment(db, &from, err);
    }
    return status == LORE_OK ? lore_done(&from, err) : status;
}

/* ---- all of them ---- */

enum lore_status
lore_run_entries_all(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq FROM fact_run ORDER BY seq");
    enum lore_status status = lore_db_exec(db, "DELETE FROM drv_run_entry", err);

    while (status == LORE_OK && lore_row(&q))
        status = lore_run_entry_put(db, lore_col_i64(&q, 0), NULL, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

enum lore_status
lore_experiment_entries_all(struct lore_db *db, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT seq FROM drv_experiment ORDER BY seq");
    enum lore_status status = lore_db_exec(db, "DELETE FROM drv_experiment_entry", err);

    while (status == LORE_OK && lore_row(&q))
        status = lore_experiment_rows_put(db, lore_col_i64(&q, 0), err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

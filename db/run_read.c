/* Read one run or a page of runs. */
#include "db/failure.h"
#include "db/internal.h"
#include "db/metrics.h"
#include "db/rest.h"
#include "db/workload.h"

#define SELECT                                                                                     \
    "SELECT r.seq, d.received_us, r.measured_us, r.id, r.version, r.chip, r.environment, r.role,"  \
    " r.evidence, r.tool, r.samples_ns, r.first_ns, r.stated_n, r.stated_median_ns,"               \
    " r.stated_mean_ns, r.stated_min_ns, r.stated_max_ns, r.stated_std_ns, r.stated_p10_ns,"       \
    " r.stated_p90_ns, r.correctness, r.error_type, r.rest, d.id, k.operator, k.id, k.name,"       \
    " k.language, coalesce(v.label, v.tag), (SELECT max(z.retraction) FROM drv_curated z"          \
    " WHERE z.record IN (r.id, r.version)), " LORE_WORKLOAD_COLUMNS ", r.metrics"                  \
    " FROM fact_run r JOIN fact_version v ON v.id = r.version"                                     \
    " JOIN fact_kernel k ON k.id = v.kernel JOIN fact_document d ON d.seq = r.document"            \
    " LEFT JOIN fact_workload w ON w.id = r.workload"

static void
summary_columns(struct lore_stmt *q, int *col, struct lore_summary *s)
{
    s->n = lore_col_opt_i64(q, (*col)++);
    s->median_ns = lore_col_opt_f64(q, (*col)++);
    s->mean_ns = lore_col_opt_f64(q, (*col)++);
    s->min_ns = lore_col_opt_f64(q, (*col)++);
    s->max_ns = lore_col_opt_f64(q, (*col)++);
    s->std_ns = lore_col_opt_f64(q, (*col)++);
    s->p10_ns = lore_col_opt_f64(q, (*col)++);
    s->p90_ns = lore_col_opt_f64(q, (*col)++);
    s->set = s->n.set || s->median_ns.set || s->mean_ns.set || s->min_ns.set || s->max_ns.set ||
             s->std_ns.set || s->p10_ns.set || s->p90_ns.set;
}

static void
samples_column(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_run *r)
{
    size_t len;

    r->samples_ns = (int64_t *)lore_col_blob(q, col, &len, a);
    r->n_samples = r->cap_samples = len / sizeof *r->samples_ns;
}

/* Write the columns over *out, which may hold a decoded rest; afterwards *col is the column of
 * r.metrics. */
static void
columns(struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_run_row *out)
{
    struct lore_run *r = &out->r;
    const char *checked;
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    out->received_us = lore_col_i64(q, i++);
    r->measured_at = lore_col_time(q, i, a);
    out->measured_us = lore_col_i64(q, i++);
    r->id = lore_col_text(q, i++, a);
    r->version = lore_col_text(q, i++, a);
    r->chip = lore_col_text(q, i++, a);
    r->environment = lore_col_text(q, i++, a);
    r->role = lore_run_role_of(lore_col_text(q, i++, NULL));
    r->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    r->tool = lore_col_text(q, i++, a);
    samples_column(q, i++, a, r);
    r->first_ns = lore_col_opt_i64(q, i++);
    summary_columns(q, &i, &r->summary);
    checked = lore_col_text(q, i++, NULL);
    r->correctness.set = checked != NULL;
    r->correctness.status = checked != NULL ? lore_check_of(checked) : LORE_C_NOT_CHECKED;
    r->error.set = !lore_col_null(q, i);
    r->error.type = lore_col_text(q, i++, a);
    out->rest = lore_col_text(q, i++, a);
    out->document = lore_col_text(q, i++, a);
    out->op = lore_col_text(q, i++, a);
    out->kernel = lore_col_text(q, i++, a);
    out->kernel_name = lore_col_text(q, i++, a);
    out->language = lore_col_text(q, i++, a);
    out->version_label = lore_col_text(q, i++, a);
    out->retracted = !lore_col_null(q, i++);
    lore_workload_columns(q, &i, a, &out->workload);
    *col = i;
}

static enum lore_status
add_diagnoses(struct lore_db *db, struct lore_arena *a, struct lore_run *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT labels, raw_label, rule_set, evidence FROM fact_diagnosis"
                               " WHERE run = $1 ORDER BY position");

    lore_bind_text(&q, 1, r->id);
    while (lore_row(&q)) {
        struct lore_diagnosis *d = LORE_PUSH(a, r->diagnoses, r->n_diagnoses, r->cap_diagnoses);

        lore_split(lore_col_text(&q, 0, NULL), '+', a, &d->labels);
        d->raw_label = lore_col_text(&q, 1, a);
        d->rule_set = lore_col_text(&q, 2, a);
        d->evidence = lore_col_text(&q, 3, a);
    }
    return lore_done(&q, err);
}

static enum lore_status
add_metrics(struct lore_db *db, struct lore_stmt *q, int col, struct lore_arena *a,
    struct lore_run *r, struct lore_err *err)
{
    size_t len;
    const void *packed = lore_col_blob(q, col, &len, a);

    return lore_metrics_unpack(db, packed, len, a, &r->metrics, err);
}

/* Read the members of rest first; the columns then overwrite them. */
static enum lore_status
start_from_rest(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_run *r,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT rest, id, version FROM fact_run WHERE id = $1");
    struct lore_submission doc = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "run %s: no such run", id);
    if (lore_col_null(&q, 0))
        return lore_done(&q, err);
    status = lore_rest_read(LORE_K_RUN,
        lore_format(a, "\"id\":\"%s\",\"version\":\"%s\",", lore_col_text(&q, 1, NULL),
            lore_col_text(&q, 2, NULL)),
        lore_col_text(&q, 0, NULL), a, &doc, err);
    if (status == LORE_OK)
        *r = doc.runs[0];
    return status;
}

enum lore_status
lore_db_get_run(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_run_row *out,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, SELECT " WHERE r.id = $1");
    struct lore_run_row row = {0};
    enum lore_status status;
    int col;

    status = start_from_rest(db, id, a, &row.r, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "run %s: no such run", id);
    columns(&q, &col, a, &row);
    status = add_metrics(db, &q, col, a, &row.r, err);
    if (status == LORE_OK)
        status = lore_workload_fill(&row.workload, a, &row.r.workload, err);
    if (status == LORE_OK)
        status = add_diagnoses(db, a, &row.r, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

/* Searches the newest 20,000, because the type has no index. */
enum lore_status
lore_db_list_failed_runs(struct lore_db *db, const char *error_type, const char *version,
    const char *workload, const char *chip, struct lore_page page, struct lore_arena *a,
    struct lore_run_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        SELECT " WHERE r.error_type = $1 AND ($2 IS NULL OR r.version = $2)"
               " AND ($3 IS NULL OR r.workload = $3) AND ($4 IS NULL OR r.chip = $4 OR r.chip"
               " IN (SELECT name FROM cat_chip WHERE isa = $4)) AND ($5 = 0 OR r.seq < $5)"
               " AND r.seq > (SELECT max(seq) - 20000 FROM fact_run) ORDER BY r.seq DESC LIMIT $6");
    struct lore_run_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;
    int col;

    lore_bind_text(&q, 1, error_type);
    lore_bind_text(&q, 2, version);
    lore_bind_text(&q, 3, workload);
    lore_bind_text(&q, 4, chip);
    lore_bind_i64(&q, 5, page.before);
    lore_bind_i64(&q, 6, (int64_t)page.limit);
    while (lore_row(&q))
        columns(&q, &col, a, LORE_PUSH(a, rows, count, cap));
    status = lore_done(&q, err);
    for (size_t i = 0; i < count && status == LORE_OK; i++)
        status = add_diagnoses(db, a, &rows[i].r, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

/* The conditions after the column that selects the index. Run rows are wide: scanning all of them
 * for the few of a version would cost seconds in a large database. */
#define RUN_FILTER                                                                                 \
    " AND ($2 IS NULL OR r.workload = $2) AND ($3 IS NULL OR r.chip = $3 OR r.chip IN"             \
    " (SELECT name FROM cat_chip WHERE isa = $3))"                                                 \
    " AND ($4 = 0 OR r.seq < $4) ORDER BY r.seq DESC LIMIT $5"

enum lore_status
lore_db_list_runs(struct lore_db *db, const char *version, const char *workload, const char *chip,
    struct lore_page page, struct lore_arena *a, struct lore_run_row **out, size_t *n,
    struct lore_err *err)
{
    LORE_STMT q = version != NULL ? lore_sql(db, SELECT " WHERE r.version = $1" RUN_FILTER)
                  : workload != NULL
                      ? lore_sql(db, SELECT " WHERE $1 IS NULL AND r.workload = $2" RUN_FILTER)
                      : lore_sql(db, SELECT " WHERE $1 IS NULL" RUN_FILTER);
    struct lore_run_row *rows = NULL;
    size_t count = 0, cap = 0;
    enum lore_status status;
    int col;

    lore_bind_text(&q, 1, version);
    lore_bind_text(&q, 2, workload);
    lore_bind_text(&q, 3, chip);
    lore_bind_i64(&q, 4, page.before);
    lore_bind_i64(&q, 5, (int64_t)page.limit);
    while (lore_row(&q))
        columns(&q, &col, a, LORE_PUSH(a, rows, count, cap));
    status = lore_done(&q, err);
    for (size_t i = 0; i < count && status == LORE_OK; i++)
        status = add_diagnoses(db, a, &rows[i].r, err);
    if (status == LORE_OK) {
        *out = rows;
        *n = count;
    }
    return status;
}

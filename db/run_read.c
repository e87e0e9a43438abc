/* Read one run or a page of runs. */
#include "db/internal.h"
#include "db/kinds.h"
#include "db/memo.h"
#include "db/metrics.h"
#include "db/sorted.h"
#include "db/workload.h"

#define SELECT                                                                                     \
    "SELECT " LORE_RUN_COPY                                                                        \
    ", r.seq, d.received_us, r.measured_us, r.measured_us, r.id, r.version, r.chip,"               \
    " r.environment, r.role, r.evidence, r.tool, r.first_ns, r.stated_n, r.stated_median_ns,"      \
    " r.stated_mean_ns, r.stated_min_ns, r.stated_max_ns, r.stated_std_ns, r.stated_p10_ns,"       \
    " r.stated_p90_ns, r.correctness, r.correctness, r.error_type, r.error_type, r.rest, d.id,"    \
    " k.operator, k.id, k.name, k.language, k.project, coalesce(v.label, v.tag),"                  \
    " (SELECT max(z.retraction) FROM drv_curated z"                                                \
    " WHERE z.record IN (r.id, r.version)),"                                                       \
    " (SELECT z.beyond FROM drv_curated z WHERE z.record = r.id),"                                 \
    " (SELECT y.disputes FROM drv_run_entry y WHERE y.seq = r.seq),"                               \
    " (SELECT y.time_ns FROM drv_run_entry y WHERE y.seq = r.seq), " LORE_WORKLOAD_COLUMNS         \
    ", r.samples_ns, r.metrics"                                                                    \
    " FROM fact_run r JOIN fact_version v ON v.id = r.version"                                     \
    " JOIN fact_kernel k ON k.id = v.kernel JOIN fact_document d ON d.seq = r.document"            \
    " LEFT JOIN fact_workload w ON w.id = r.workload"

#define ROW struct lore_run_row
static const struct lore_row_member members[] = {AT(copy_of), AT(copy_of_project), AT(seq),
    AT(received_us), AT(measured_us), AT_TIME(r.measured_at), AT(r.id), AT(r.version), AT(r.chip),
    AT(r.environment), AT_ENUM(r.role, lore_run_role_of), AT_ENUM(r.evidence, lore_evidence_of),
    AT(r.tool), AT(r.first_ns), AT(r.summary.n), AT(r.summary.median_ns), AT(r.summary.mean_ns),
    AT(r.summary.min_ns), AT(r.summary.max_ns), AT(r.summary.std_ns), AT(r.summary.p10_ns),
    AT(r.summary.p90_ns), AT_THERE(r.correctness.set), AT_ENUM(r.correctness.status, lore_check_of),
    AT_THERE(r.error.set), AT(r.error.type), AT(rest), AT(document), AT(op), AT(kernel),
    AT(kernel_name), AT(language), AT(project), AT(version_label), AT_THERE(retracted), AT(beyond),
    AT(disputes), AT(time_ns), LORE_WORKLOAD_MEMBERS(workload.)};
#undef ROW
enum { SAMPLES = sizeof members / sizeof *members, METRICS };

#define ROW struct lore_diagnosis
static const struct lore_row_member diagnosis_members[] = {
    AT(labels), AT(raw_label), AT(rule_set), AT(evidence)};
static const struct lore_row_shape diagnosis_rows = {LORE_MEMBERS(diagnosis_members)};
#undef ROW

static enum lore_status
add_samples_and_diagnoses(
    struct lore_stmt *of, struct lore_arena *a, void *row, struct lore_err *err)
{
    LORE_STMT q = lore_sql(of->db, "SELECT labels, raw_label, rule_set, evidence"
                                   " FROM fact_diagnosis WHERE run = $1 ORDER BY position");
    struct lore_run *r = &((struct lore_run_row *)row)->r;
    struct lore_summary *s = &r->summary;
    size_t len;

    r->samples_ns = (int64_t *)lore_col_blob(of, SAMPLES, &len, a);
    r->n_samples = r->cap_samples = len / sizeof *r->samples_ns;
    s->set = s->n.set || s->median_ns.set || s->mean_ns.set || s->min_ns.set || s->max_ns.set ||
             s->std_ns.set || s->p10_ns.set || s->p90_ns.set;
    if (!r->correctness.set)
        r->correctness.status = LORE_C_NOT_CHECKED;
    lore_bind_text(&q, 1, r->id);
    return lore_db_collect(&q, &diagnosis_rows, a, &r->diagnoses, &r->n_diagnoses, err);
}

static enum lore_status
add_metrics(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_run_row *out = row;
    size_t len;
    const void *packed = lore_col_blob(q, METRICS, &len, a);
    enum lore_status status = lore_metrics_unpack(q->db, packed, len, a, &out->r.metrics, err);

    return status == LORE_OK ? lore_workload_fill(&out->workload, a, &out->r.workload, err)
                             : status;
}

#define ROW struct lore_run_row
const struct lore_row_shape lore_run_rows = {LORE_MEMBERS(members), .noun = "run",
    LORE_RECORD(LORE_K_RUN, LORE_DECODE_UNDER, r), .head = LORE_REST_RUN,
    .happened = offsetof(ROW, measured_us), .more = add_samples_and_diagnoses, .whole = add_metrics,
    .get = LORE_LITERAL(SELECT " WHERE r.id = $1")};

static enum lore_status
share_run(struct lore_db *db, const void *id, struct lore_arena *a, const void **out, bool *own,
    struct lore_err *err)
{
    struct lore_run_row *run = lore_alloc(a, sizeof *run);

    (void)own;
    *out = run;
    return lore_db_get_run(db, id, a, run, err);
}

enum lore_status
lore_db_share_run(struct lore_db *db, const char *id, struct lore_arena *a,
    const struct lore_run_row **out, struct lore_err *err)
{
    const struct lore_memo_key key = {LORE_MEMO_FACT, id, "run", share_run, id};
    const void *found = NULL;
    enum lore_status status = lore_memo_get(db, &key, a, &found, err);

    *out = found;
    return status;
}

/* The conditions other than the one on the indexed column. Run rows are wide: scanning all of them
 * for the few of a version would cost seconds in a large database. */
#define FILTER                                                                                     \
    " ($project IS NULL OR k.project = $project) AND ($op IS NULL OR k.operator = $op)"            \
    " AND ($workload IS NULL OR r.workload = $workload)"                                           \
    " AND ($kernel IS NULL OR v.kernel = $kernel) AND " LORE_CHIP_COVERED("r.chip") LORE_PAGE("r")

enum lore_status
lore_db_list_runs(struct lore_db *db, const struct lore_list_filter *f, struct lore_arena *a,
    struct lore_run_row **out, size_t *n, struct lore_err *err)
{
    const char *list = f->error_type
                           /* The type has no index. */
                           ? SELECT " WHERE r.error_type = $error_type"
                                    " AND r.seq > (SELECT max(seq) - 20000 FROM fact_run)"
                                    " AND ($version IS NULL OR r.version = $version) AND" FILTER
                           : f->version    ? SELECT " WHERE r.version = $version AND" FILTER
                             : f->workload ? SELECT " WHERE r.workload = $workload AND" FILTER
                             : f->kernel   ? SELECT
                                 " WHERE r.version IN (SELECT w.id FROM"
                                 " fact_version w WHERE w.kernel = $kernel) AND" FILTER
                             : f->op ? SELECT " WHERE r.version IN (SELECT w.id FROM fact_version w"
                                              " JOIN fact_kernel o ON o.id = w.kernel"
                                              " WHERE o.operator = $op) AND" FILTER
                                     : SELECT " WHERE" FILTER;
    LORE_STMT q = lore_sorted_open(db, list, &lore_run_rows, f);

    return lore_db_collect(&q, &lore_run_rows, a, out, n, err);
}

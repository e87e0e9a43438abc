/* Read experiments: the columns of a list row, and one complete record. */
#include "db/experiment_row.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/metrics.h"
#include "db/workload.h"
#include "service/catalogue/catalogue.h"

#define ROW struct lore_experiment_row
static const struct lore_row_member members[] = {AT(copy_of), AT(copy_of_project), AT(seq),
    AT(e.id), AT(e.kernel), AT(e.hypothesis), AT(e.from_version), AT(e.to_version), AT(e.chip),
    AT(e.title), AT(e.bottleneck.labels), AT(e.bottleneck.raw_label),
    AT_ENUM(e.evidence, lore_evidence_of), AT(e.claim.latency_before_ns),
    AT(e.claim.latency_after_ns), AT(e.claim.speedup), AT(e.claim.speedup_low),
    AT(e.claim.speedup_high), AT_THERE(e.claim.set), AT_ENUM(e.claim.base, lore_base_of),
    AT(e.claim.base_name), AT(e.claim.outcome), AT_ENUM(e.claim.correctness, lore_check_of),
    AT(e.notes), AT(e.lesson), AT(e.author), AT(happened_us), AT_TIME(e.happened_at), AT(rest),
    AT(op), AT(family), AT(kernel_name), AT(language), AT(project), AT(masked), AT(disputes),
    AT(document), AT(received_us), AT_THERE(withheld), LORE_WORKLOAD_MEMBERS(workload.),
    LORE_OUTCOME_MEMBERS(outcome.), AT(derived.labels), AT(derived.rule_set), AT(derived.basis),
    AT(derived.run)};
enum { VIOLATIONS = sizeof members / sizeof *members, METRICS_BEFORE, METRICS_AFTER };
#undef ROW

/* Rules without a detail are only in the column; rules with details were read from rest. */
static enum lore_status
add_violations(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_experiment *e = &((struct lore_experiment_row *)row)->e;
    struct lore_texts rules = {0};

    (void)err;
    if (e->n_violations > 0)
        return LORE_OK;
    lore_split(lore_col_text(q, VIOLATIONS, NULL), ',', a, &rules);
    for (size_t i = 0; i < rules.n; i++)
        LORE_PUSH(a, e->violations, e->n_violations, e->cap_violations)->rule = rules.v[i];
    return LORE_OK;
}

#define ROW struct lore_use
static const struct lore_row_member use_members[] = {AT(name), AT(raw)};
static const struct lore_row_shape use_rows = {LORE_MEMBERS(use_members)};
#undef ROW

enum lore_status
lore_experiment_uses(struct lore_db *db, int64_t seq, struct lore_arena *a,
    struct lore_experiment *e, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT technique, raw FROM fact_experiment_technique"
                               " WHERE experiment = $1 ORDER BY position");

    lore_bind_i64(&q, 1, seq);
    return lore_db_collect(&q, &use_rows, a, &e->techniques, &e->n_techniques, err);
}

static enum lore_status
add_runs(struct lore_db *db, int64_t seq, struct lore_arena *a, struct lore_experiment *e,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT side, run FROM fact_experiment_run WHERE experiment = $1"
                               " ORDER BY side, position");

    lore_bind_i64(&q, 1, seq);
    while (lore_row(&q)) {
        struct lore_texts *t = lore_col_i64(&q, 0) == 0 ? &e->runs_before : &e->runs_after;

        *LORE_PUSH(a, t->v, t->n, t->cap) = lore_col_text(&q, 1, a);
    }
    return lore_done(&q, err);
}

static enum lore_status
add_metrics(
    struct lore_stmt *q, struct lore_arena *a, struct lore_experiment *e, struct lore_err *err)
{
    size_t before_len, after_len;
    const void *before = lore_col_blob(q, METRICS_BEFORE, &before_len, a);
    const void *after = lore_col_blob(q, METRICS_AFTER, &after_len, a);
    enum lore_status status;

    status = lore_metrics_unpack(q->db, before, before_len, a, &e->metrics_before, err);
    if (status == LORE_OK)
        status = lore_metrics_unpack(q->db, after, after_len, a, &e->metrics_after, err);
    return status;
}

static enum lore_status
complete(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    struct lore_experiment_row *out = row;
    enum lore_status status = add_metrics(q, a, &out->e, err);

    if (status == LORE_OK)
        status = lore_workload_fill(&out->workload, a, &out->e.workload, err);
    if (status == LORE_OK && out->e.n_techniques == 0)
        status = lore_experiment_uses(q->db, out->seq, a, &out->e, err);
    return status == LORE_OK ? add_runs(q->db, out->seq, a, &out->e, err) : status;
}

#define ROW struct lore_experiment_row
const struct lore_row_shape lore_experiment_rows = {LORE_MEMBERS(members), .noun = "experiment",
    LORE_RECORD(LORE_K_EXPERIMENT, LORE_DECODE_UNDER, e), .head = LORE_REST_EXPERIMENT,
    .more = add_violations, .whole = complete,
    .get = LORE_LITERAL(LORE_EXPERIMENT_SELECT " WHERE e.id = $1")};

/* Read experiments: the columns of a list row, and one complete record. */
#include "db/experiment_row.h"
#include "db/internal.h"
#include "db/metrics.h"
#include "db/read.h"
#include "db/rest.h"
#include "db/workload.h"
#include "service/catalogue/catalogue.h"

static void
claim_columns(struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_claim *c)
{
    c->latency_before_ns = lore_col_opt_f64(q, (*col)++);
    c->latency_after_ns = lore_col_opt_f64(q, (*col)++);
    c->speedup = lore_col_opt_f64(q, (*col)++);
    c->speedup_low = lore_col_opt_f64(q, (*col)++);
    c->speedup_high = lore_col_opt_f64(q, (*col)++);
    c->set = !lore_col_null(q, *col);
    c->base = lore_base_of(lore_col_text(q, (*col)++, NULL));
    c->base_name = lore_col_text(q, (*col)++, a);
    c->outcome = lore_col_text(q, (*col)++, a);
    c->correctness = lore_check_of(lore_col_text(q, (*col)++, NULL));
}

/* Rules without a detail are only in the column; rules with details were read from rest. */
static void
violations_column(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_experiment *e)
{
    struct lore_texts rules = {0};

    if (e->n_violations > 0)
        return;
    lore_split(lore_col_text(q, col, NULL), ',', a, &rules);
    for (size_t i = 0; i < rules.n; i++)
        LORE_PUSH(a, e->violations, e->n_violations, e->cap_violations)->rule = rules.v[i];
}

void
lore_experiment_columns(
    struct lore_stmt *q, int *col, struct lore_arena *a, struct lore_experiment_row *out)
{
    struct lore_experiment *e = &out->e;
    int i = 0;

    out->seq = lore_col_i64(q, i++);
    e->id = lore_col_text(q, i++, a);
    e->kernel = lore_col_text(q, i++, a);
    e->hypothesis = lore_col_text(q, i++, a);
    e->from_version = lore_col_text(q, i++, a);
    e->to_version = lore_col_text(q, i++, a);
    e->chip = lore_col_text(q, i++, a);
    e->title = lore_col_text(q, i++, a);
    e->bottleneck.labels = (struct lore_texts){0};
    lore_split(lore_col_text(q, i++, NULL), '+', a, &e->bottleneck.labels);
    e->bottleneck.raw_label = lore_col_text(q, i++, a);
    e->evidence = lore_evidence_of(lore_col_text(q, i++, NULL));
    claim_columns(q, &i, a, &e->claim);
    violations_column(q, i++, a, e);
    e->notes = lore_col_text(q, i++, a);
    e->lesson = lore_col_text(q, i++, a);
    e->author = lore_col_text(q, i++, a);
    e->happened_at = lore_col_time(q, i, a);
    out->happened_us = lore_col_i64(q, i++);
    out->rest = lore_col_text(q, i++, a);
    out->op = lore_col_text(q, i++, a);
    out->family = lore_col_text(q, i++, a);
    out->kernel_name = lore_col_text(q, i++, a);
    out->language = lore_col_text(q, i++, a);
    out->masked = lore_col_i64(q, i++) != 0;
    out->document = lore_col_text(q, i++, a);
    out->received_us = lore_col_i64(q, i++);
    out->withheld = !lore_col_null(q, i++);
    lore_workload_columns(q, &i, a, &out->workload);
    lore_outcome_columns(q, &i, a, &out->outcome);
    out->derived.labels = lore_labels_parse(lore_col_text(q, i++, NULL), NULL);
    out->derived.rule_set = lore_col_text(q, i++, a);
    out->derived.basis = lore_col_text(q, i++, a);
    out->derived.run = lore_col_text(q, i++, a);
    *col = i;
}

enum lore_status
lore_experiment_uses(struct lore_db *db, int64_t seq, struct lore_arena *a,
    struct lore_experiment *e, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT technique, raw FROM fact_experiment_technique"
                               " WHERE experiment = $1 ORDER BY position");

    lore_bind_i64(&q, 1, seq);
    while (lore_row(&q)) {
        struct lore_use *use = LORE_PUSH(a, e->techniques, e->n_techniques, e->cap_techniques);

        use->name = lore_col_text(&q, 0, a);
        use->raw = lore_col_text(&q, 1, a);
    }
    return lore_done(&q, err);
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

/* Read the members of rest first; the columns then overwrite them. */
static enum lore_status
start_from_rest(struct lore_db *db, const char *id, struct lore_arena *a, struct lore_experiment *e,
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT rest, id, kernel FROM fact_experiment WHERE id = $1");
    struct lore_submission doc = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", id);
    if (lore_col_null(&q, 0))
        return lore_done(&q, err);
    status = lore_rest_read(LORE_K_EXPERIMENT,
        lore_format(a, "\"id\":\"%s\",\"kernel\":\"%s\",", lore_col_text(&q, 1, NULL),
            lore_col_text(&q, 2, NULL)),
        lore_col_text(&q, 0, NULL), a, &doc, err);
    if (status == LORE_OK)
        *e = doc.experiments[0];
    return status;
}

static enum lore_status
add_metrics(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_experiment *e,
    struct lore_err *err)
{
    size_t before_len, after_len;
    const void *before = lore_col_blob(q, col, &before_len, a);
    const void *after = lore_col_blob(q, col + 1, &after_len, a);
    enum lore_status status;

    status = lore_metrics_unpack(q->db, before, before_len, a, &e->metrics_before, err);
    if (status == LORE_OK)
        status = lore_metrics_unpack(q->db, after, after_len, a, &e->metrics_after, err);
    return status;
}

enum lore_status
lore_db_get_experiment(struct lore_db *db, const char *id, struct lore_arena *a,
    struct lore_experiment_row *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, LORE_EXPERIMENT_SELECT " WHERE e.id = $1");
    struct lore_experiment_row row = {0};
    enum lore_status status;
    int col;

    status = start_from_rest(db, id, a, &row.e, err);
    if (status != LORE_OK)
        return status;
    lore_bind_text(&q, 1, id);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", id);
    lore_experiment_columns(&q, &col, a, &row);
    status = add_metrics(&q, col, a, &row.e, err);
    if (status == LORE_OK)
        status = lore_workload_fill(&row.workload, a, &row.e.workload, err);
    if (status == LORE_OK && row.e.n_techniques == 0)
        status = lore_experiment_uses(db, row.seq, a, &row.e, err);
    if (status == LORE_OK)
        status = add_runs(db, row.seq, a, &row.e, err);
    if (status == LORE_OK)
        *out = row;
    return status;
}

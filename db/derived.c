/* Derived results beside the outcome, as rows: judgements of claims, verdicts on techniques,
 * inferred bottlenecks, versions slower than the best before them (facts.h). */
#include <math.h>
#include <string.h>

#include "db/entry.h"
#include "db/facts.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "service/base/json.h"
#include "service/catalogue/catalogue.h"

enum lore_status
lore_put_judgement(
    struct lore_db *db, int64_t seq, const struct lore_judgement_row *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_judgement (experiment, position, metric, verdict,"
                               " before, after, why) VALUES ($1, $2, $3, $4, $5, $6, $7)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, r->position);
    lore_bind_text(&q, 3, r->metric);
    lore_bind_text(&q, 4, r->verdict);
    lore_bind_opt_f64(&q, 5, r->before);
    lore_bind_opt_f64(&q, 6, r->after);
    lore_bind_text(&q, 7, r->why);
    return lore_done(&q, err);
}

enum lore_status
lore_db_forget_judgements(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM drv_judgement WHERE experiment = $1");

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}

enum lore_status
lore_put_technique_verdict(struct lore_db *db, int64_t seq,
    const struct lore_technique_verdict_row *r, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_technique_verdict (experiment, position, technique,"
                               " verdict, contributed, isa, policy, why)"
                               " VALUES ($1, $2, $3, $4, $5, $6, $7, $8)");

    lore_bind_i64(&q, 1, seq);
    lore_bind_i64(&q, 2, r->position);
    lore_bind_text(&q, 3, r->technique);
    lore_bind_text(&q, 4, r->verdict);
    lore_bind_text(&q, 5, r->contributed);
    lore_bind_text(&q, 6, r->isa);
    lore_bind_text(&q, 7, r->policy);
    lore_bind_text(&q, 8, r->why);
    return lore_done(&q, err);
}

enum lore_status
lore_db_forget_technique_verdicts(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM drv_technique_verdict WHERE experiment = $1");

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}

enum lore_status
lore_put_bottleneck(struct lore_db *db, int64_t experiment, const struct lore_derived_bottleneck *b,
    struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "INSERT INTO drv_bottleneck (experiment, labels, rule_set, basis, run)"
                     " VALUES ($1, $2, $3, $4, $5)");

    lore_bind_i64(&q, 1, experiment);
    lore_bind_text(&q, 2, lore_labels_text(a, b->labels));
    lore_bind_text(&q, 3, b->rule_set);
    lore_bind_text(&q, 4, b->basis);
    lore_bind_text(&q, 5, b->run);
    return lore_done(&q, err);
}

enum lore_status
lore_db_forget_bottleneck(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM drv_bottleneck WHERE experiment = $1");

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}

/* ---- versions slower than the best before them ---- */

/* A log may compare with a version that no stored experiment made. It is behind, too, when it is
 * slower than the fastest version that the kernel's earlier experiments state at the same place. A
 * log's own first version is where it began, not a step back. */
static enum lore_status
share_of_unmade(
    struct lore_db *db, const struct lore_fact_experiment *x, double *out, struct lore_err *err)
{
    LORE_STMT q = {0};

    if (*out > 0 || x->claim.base != LORE_BASE_PREVIOUS || !x->claim.latency_before_ns.set)
        return LORE_OK;
    q = lore_sql(db,
        "SELECT min(o.claimed_after_ns) FROM fact_experiment o WHERE o.kernel = $1"
        " AND o.workload IS $2 AND o.chip IS $3 AND o.seq < $4 AND o.claimed_after_ns > 0"
        " AND coalesce(o.correctness, '') NOT IN ('fail', 'timeout')"
        " AND" LORE_NOT_RETRACTED(
            "o") " AND EXISTS (SELECT 1 FROM fact_version v WHERE v.id = $5"
                 " AND v.kind <> 'baseline' AND NOT EXISTS (SELECT 1 FROM fact_experiment m"
                 " WHERE m.kernel = $1 AND m.to_version = v.id))");
    lore_bind_text(&q, 1, x->kernel);
    lore_bind_text(&q, 2, x->workload);
    lore_bind_text(&q, 3, x->chip);
    lore_bind_i64(&q, 4, x->seq);
    lore_bind_text(&q, 5, x->from_version);
    if (lore_row(&q) && lore_col_f64(&q, 0) > 0)
        *out = fmin(1, lore_col_f64(&q, 0) / x->claim.latency_before_ns.v);
    return lore_done(&q, err);
}

enum lore_status
lore_fact_share(
    struct lore_db *db, const struct lore_fact_experiment *x, double *out, struct lore_err *err)
{
    LORE_STMT q = {0};
    enum lore_status status;

    *out = 0;
    if (!x->from_version)
        return LORE_OK;
    q = lore_sql(db, "SELECT share FROM drv_behind WHERE version = $1 AND experiment < $2"
                     " AND workload IS $3 AND chip IS $4");
    lore_bind_text(&q, 1, x->from_version);
    lore_bind_i64(&q, 2, x->seq);
    lore_bind_text(&q, 3, x->workload);
    lore_bind_text(&q, 4, x->chip);
    while (lore_row(&q))
        if (*out <= 0 || lore_col_f64(&q, 0) < *out)
            *out = lore_col_f64(&q, 0);
    status = lore_done(&q, err);
    return status == LORE_OK ? share_of_unmade(db, x, out, err) : status;
}

/* Whether X starts from a version of its own kernel that is no library. */
static enum lore_status
in_line(struct lore_db *db, const struct lore_fact_experiment *x, bool *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT 1 FROM fact_version v WHERE v.id = $1 AND v.kernel = $2"
                               " AND v.kind <> 'library'");

    lore_bind_text(&q, 1, x->from_version);
    lore_bind_text(&q, 2, x->kernel);
    *out = lore_row(&q);
    return lore_done(&q, err);
}

static enum lore_status
forget_behind(struct lore_db *db, int64_t experiment, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "DELETE FROM drv_behind WHERE experiment = $1");

    lore_bind_i64(&q, 1, experiment);
    return lore_done(&q, err);
}

static enum lore_status
insert_behind(
    struct lore_db *db, const struct lore_fact_experiment *x, double share, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "INSERT INTO drv_behind (experiment, version, workload, chip, share)"
                               " VALUES ($1, $2, $3, $4, $5)");

    lore_bind_i64(&q, 1, x->seq);
    lore_bind_text(&q, 2, x->to_version);
    lore_bind_text(&q, 3, x->workload);
    lore_bind_text(&q, 4, x->chip);
    lore_bind_f64(&q, 5, share);
    return lore_done(&q, err);
}

enum lore_status
lore_put_behind(
    struct lore_db *db, const struct lore_fact_experiment *x, double share, struct lore_err *err)
{
    bool behind =
        share > 0 && x->from_version && x->to_version && x->claim.base != LORE_BASE_LIBRARY;
    enum lore_status status = x->judged ? forget_behind(db, x->seq, err) : LORE_OK;

    if (status == LORE_OK && behind)
        status = in_line(db, x, &behind, err);
    return status == LORE_OK && behind ? insert_behind(db, x, share, err) : status;
}

enum lore_status
lore_verdicts_update_rows(struct lore_db *db, const struct lore_fact_experiment *x,
    struct lore_arena *a, struct lore_err *err)
{
    enum lore_status status = lore_experiment_rows_put(db, x->seq, err);

    if (status == LORE_OK)
        status = lore_feedback_link(db, x->seq, a, err);
    return status == LORE_OK ? lore_db_link_move(db, x, err) : status;
}

#define ROW struct lore_judgement_row
static const struct lore_row_member judgement_members[] = {
    AT(experiment), AT(position), AT(metric), AT(verdict), AT(why), AT(before), AT(after)};
static const struct lore_row_shape judgement_rows = {LORE_MEMBERS(judgement_members)};
#undef ROW

enum lore_status
lore_db_list_judgements(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_judgement_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT e.id, j.position, j.metric, j.verdict, j.why, j.before,"
                               " j.after FROM fact_experiment e"
                               " JOIN drv_judgement j ON j.experiment = e.seq"
                               " WHERE e.id = $1 ORDER BY j.position");

    lore_bind_text(&q, 1, experiment);
    return lore_db_collect(&q, &judgement_rows, a, out, n, err);
}

#define ROW struct lore_forecast_row
static const struct lore_row_member forecast_members[] = {
    AT(author), AT(hypothesis), AT(experiment), AT(effect), AT(correctness)};
enum { REST = sizeof forecast_members / sizeof *forecast_members };

static enum lore_status
add_probability(struct lore_stmt *q, struct lore_arena *a, void *row, struct lore_err *err)
{
    const char *rest = lore_col_text(q, REST, NULL);
    struct lore_json *root = NULL;
    const struct lore_json *p;
    enum lore_status status;

    if (!rest || !strstr(rest, "\"probability\""))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, a, &root, err);
    p = status == LORE_OK ? lore_json_get(root, "probability") : NULL;
    if (p && p->type == LORE_J_NUMBER)
        ((struct lore_forecast_row *)row)->probability = (struct lore_f64){true, p->f};
    return status;
}

static const struct lore_row_shape forecast_rows = {
    LORE_MEMBERS(forecast_members), .more = add_probability};
#undef ROW

enum lore_status
lore_db_list_forecasts(struct lore_db *db, const char *author, struct lore_arena *a,
    struct lore_forecast_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT coalesce(h.author, d.author), h.id, e.id, x.effect,"
                               " x.correctness, h.rest FROM fact_hypothesis h"
                               " JOIN fact_document d ON d.seq = h.document"
                               " LEFT JOIN fact_experiment e ON e.hypothesis = h.id"
                               " LEFT JOIN drv_experiment x ON x.seq = e.seq"
                               " WHERE $1 IS NULL OR coalesce(h.author, d.author) = $1"
                               " ORDER BY h.seq, e.seq");

    lore_bind_text(&q, 1, author);
    return lore_db_collect(&q, &forecast_rows, a, out, n, err);
}

#define ROW struct lore_technique_verdict_row
static const struct lore_row_member technique_verdict_members[] = {AT(experiment), AT(position),
    AT(technique), AT(verdict), AT(contributed), AT(isa), AT(policy), AT(why)};
static const struct lore_row_shape technique_verdict_rows = {
    LORE_MEMBERS(technique_verdict_members)};
#undef ROW

enum lore_status
lore_db_list_technique_verdicts(struct lore_db *db, const char *experiment, struct lore_arena *a,
    struct lore_technique_verdict_row **out, size_t *n, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT e.id, t.position, t.technique, t.verdict, t.contributed,"
                               " t.isa, t.policy, t.why FROM fact_experiment e"
                               " JOIN drv_technique_verdict t ON t.experiment = e.seq"
                               " WHERE e.id = $1 ORDER BY t.position");

    lore_bind_text(&q, 1, experiment);
    return lore_db_collect(&q, &technique_verdict_rows, a, out, n, err);
}

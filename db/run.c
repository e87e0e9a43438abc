/* Storing runs: one row, its samples and metrics packed, its diagnoses in rows of their own. */
#include "db/catalogue_inner.h"
#include "db/effects.h"
#include "db/entry.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "db/metrics.h"
#include "db/names_inner.h"
#include "db/put_inner.h"
#include "db/rest.h"
#include "db/seen.h"
#include "db/workload.h"
#include "service/base/text.h"

static enum lore_status
put_diagnoses(const struct lore_put_ctx *c, const struct lore_run *r, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < r->n_diagnoses && status == LORE_OK; i++) {
        LORE_STMT q = lore_sql(c->db,
            "INSERT INTO fact_diagnosis (run, position, labels, raw_label, rule_set, evidence)"
            " VALUES ($1, $2, $3, $4, $5, $6)");
        const struct lore_diagnosis *d = &r->diagnoses[i];

        lore_bind_text(&q, 1, r->id);
        lore_bind_i64(&q, 2, (int64_t)i);
        lore_bind_text(&q, 3, lore_join(&d->labels, '+', c->arena));
        lore_bind_text(&q, 4, d->raw_label);
        lore_bind_text(&q, 5, d->rule_set);
        lore_bind_text(&q, 6, d->evidence);
        status = lore_done(&q, err);
    }
    return status;
}

/* A status alone fits the column. */
static bool
has_details(const struct lore_correctness *c)
{
    return c->atol.set || c->rtol.set || c->rel_err.set || c->max_abs_err.set || c->seed.set ||
           c->mismatches.set || c->reference != NULL || c->message != NULL ||
           c->rel_err_limit.set || c->timeout_s.set || c->n_tensors > 0 || c->n_sanitizers > 0;
}

/* The members that no column takes; NULL, without touching JSON, when there are none. */
static enum lore_status
rest_of(const struct lore_run *r, struct lore_arena *a, const char **out, struct lore_err *err)
{
    struct lore_run lean = {.source_hash = r->source_hash,
        .method = r->method,
        .launch = r->launch,
        .error = r->error,
        .provenance = r->provenance,
        .extra = r->extra};
    bool details = r->correctness.set && has_details(&r->correctness);

    if (details)
        lean.correctness = r->correctness;
    if (r->source_hash == NULL && r->method.n == 0 && r->launch.n == 0 && !r->error.set &&
        !details && r->extra == NULL && !lore_rest_provenance(&r->provenance))
        return LORE_OK;
    return lore_rest_write(LORE_K_RUN, &lean, a, out, err);
}

/* References and names resolved before the row is written. */
struct resolved {
    const char *workload, *chip, *rest;
};

static enum lore_status
resolve(const struct lore_put_ctx *c, const struct lore_run *r, struct resolved *x,
    struct lore_err *err)
{
    const struct lore_name *version;
    enum lore_status status;

    status = lore_name_version(c->db, r->version, "version", &version, err);
    if (status == LORE_OK)
        status = lore_workload_put(c, &r->workload, version->a, &x->workload, err);
    if (status == LORE_OK)
        status = lore_name_chip(c->db, r->chip, r->environment, &x->chip, err);
    if (status == LORE_OK)
        status = rest_of(r, c->arena, &x->rest, err);
    lore_buf_reset(&c->db->scratch);
    if (status == LORE_OK)
        status = lore_metrics_pack(c->db, &r->metrics, &c->db->scratch, err);
    return status;
}

static void
bind_summary(struct lore_stmt *q, int n, const struct lore_summary *s)
{
    lore_bind_opt_i64(q, n++, s->n);
    lore_bind_opt_f64(q, n++, s->median_ns);
    lore_bind_opt_f64(q, n++, s->mean_ns);
    lore_bind_opt_f64(q, n++, s->min_ns);
    lore_bind_opt_f64(q, n++, s->max_ns);
    lore_bind_opt_f64(q, n++, s->std_ns);
    lore_bind_opt_f64(q, n++, s->p10_ns);
    lore_bind_opt_f64(q, n++, s->p90_ns);
}

static enum lore_status
put_row(const struct lore_put_ctx *c, const struct lore_run *r, const struct resolved *x,
    struct lore_insert *in, struct lore_err *err)
{
    LORE_STMT q = lore_sql(c->db,
        "INSERT INTO fact_run (id, digest, document, version, workload, chip, environment, role,"
        " evidence, measured_us, tool, n_samples, samples_ns, first_ns, stated_n, stated_median_ns,"
        " stated_mean_ns, stated_min_ns, stated_max_ns, stated_std_ns, stated_p10_ns,"
        " stated_p90_ns, metrics, correctness, error_type, rest) VALUES ($1, $2, $3, $4, $5, $6,"
        " $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24,"
        " $25, $26) ON CONFLICT (id) DO NOTHING");
    LORE_STMT digests = lore_sql(c->db, "SELECT digest FROM fact_run WHERE id = $1");
    const struct lore_buf *metrics = &c->db->scratch;

    lore_bind_text(&q, 1, r->id);
    lore_bind_blob(&q, 2, in->digest, 32);
    lore_bind_i64(&q, 3, c->document);
    lore_bind_text(&q, 4, r->version);
    lore_bind_text(&q, 5, x->workload);
    lore_bind_text(&q, 6, x->chip);
    lore_bind_text(&q, 7, r->environment);
    lore_bind_text(&q, 8, r->role == LORE_ROLE_NONE ? "candidate" : lore_run_role_name(r->role));
    lore_bind_text(
        &q, 9, r->evidence == LORE_EV_NONE ? "claimed" : lore_evidence_name(r->evidence));
    lore_bind_time(&q, 10, r->measured_at);
    lore_bind_text(&q, 11, r->tool);
    lore_bind_i64(&q, 12, (int64_t)r->n_samples);
    lore_bind_blob(&q, 13, r->n_samples > 0 ? r->samples_ns : NULL, r->n_samples * sizeof(int64_t));
    lore_bind_opt_i64(&q, 14, r->first_ns);
    bind_summary(&q, 15, &r->summary);
    lore_bind_blob(&q, 23, metrics->len > 0 ? metrics->data : NULL, metrics->len);
    lore_bind_text(&q, 24, r->correctness.set ? lore_check_name(r->correctness.status) : NULL);
    lore_bind_text(&q, 25, r->error.set ? r->error.type : NULL);
    lore_bind_text(&q, 26, x->rest);
    return lore_insert_run(&q, &digests, in, err);
}

enum lore_status
lore_put_run(const struct lore_put_ctx *c, const struct lore_run *r, const unsigned char digest[32],
    enum lore_put *out, struct lore_err *err)
{
    struct lore_insert in = {.noun = "run", .id = r->id, .digest = digest};
    struct resolved x = {0};
    enum lore_status status;

    status = resolve(c, r, &x, err);
    if (status == LORE_OK)
        status = put_row(c, r, &x, &in, err);
    if (status == LORE_OK && in.no_reference) {
        status = lore_reference(c->db, LORE_REF_ENVIRONMENT, "environment", r->environment, err);
        if (status == LORE_OK)
            status = lore_reference(c->db, LORE_REF_CHIP, "chip", x.chip, err);
        return status == LORE_OK ? lore_reference_lost(&in, err) : status;
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED) {
        lore_seen_change(c->db, 'R', r->version);
        status = put_diagnoses(c, r, err);
    }
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_run_entry_put(c->db, in.seq, err);
    if (status == LORE_OK && in.state == LORE_PUT_STORED)
        status = lore_link_start(c->db, in.seq, err);
    if (status == LORE_OK && in.state == LORE_PUT_STORED && r->correctness.set)
        status = lore_check_bears(c, r, err);
    if (status == LORE_OK)
        *out = in.state;
    return status;
}

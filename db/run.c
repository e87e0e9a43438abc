/* Storing runs: one row, its samples and metrics packed, its diagnoses in rows of their own. */
#include "db/cache.h"
#include "db/catalogue_inner.h"
#include "db/copies.h"
#include "db/effects.h"
#include "db/entry.h"
#include "db/feedback_version.h"
#include "db/internal.h"
#include "db/kinds.h"
#include "db/metrics.h"
#include "db/name_cache.h"
#include "db/rest.h"
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

/* Whether C has more than the status, which has a column. */
static bool
has_details(const struct lore_correctness *c)
{
    return c->atol.set || c->rtol.set || c->rel_err.set || c->max_abs_err.set || c->seed.set ||
           c->mismatches.set || c->reference || c->message || c->rel_err_limit.set ||
           c->timeout_s.set || c->n_tensors > 0 || c->n_sanitizers > 0;
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
    if (!r->source_hash && r->method.n == 0 && r->launch.n == 0 && !r->error.set && !details &&
        !r->extra && !lore_rest_provenance(&r->provenance))
        return LORE_OK;
    return lore_rest_write(LORE_K_RUN, &lean, a, out, err);
}

LORE_KIND_BEFORE(run)
{
    const struct lore_run *r = record;
    const struct lore_buf *metrics = &c->db->scratch;
    const struct lore_name *version;
    enum lore_status status;

    made->text[2] = r->role == LORE_ROLE_NONE ? "candidate" : lore_run_role_name(r->role);
    made->text[3] = r->evidence == LORE_EV_NONE ? "claimed" : lore_evidence_name(r->evidence);
    made->text[4] = r->correctness.set ? lore_check_name(r->correctness.status) : NULL;
    made->text[5] = r->error.set ? r->error.type : NULL;
    made->blob[0].p = r->samples_ns;
    made->blob[0].n = r->n_samples * sizeof *r->samples_ns;
    made->has_rest = true;
    status = lore_name_version(c->db, r->version, "version", &version, err);
    if (status == LORE_OK)
        status = lore_workload_put(c, &r->workload, version->a, &made->text[0], err);
    if (status == LORE_OK)
        status = lore_name_chip(c->db, r->chip, r->environment, &made->text[1], err);
    if (status == LORE_OK)
        status = rest_of(r, c->arena, &made->rest, err);
    lore_buf_reset(&c->db->scratch);
    if (status == LORE_OK)
        status = lore_metrics_pack(c->db, &r->metrics, &c->db->scratch, err);
    made->blob[1].p = metrics->data;
    made->blob[1].n = metrics->len;
    return status;
}

LORE_KIND_AFTER(run)
{
    const struct lore_run *r = record;
    enum lore_status status;

    lore_cache_invalidate(c->db, 'R', r->version);
    lore_recent_profiles_add(&c->db->profiles, seq, made->blob[1].p, made->blob[1].n);
    if (made->blob[1].n > 0)
        lore_unprofiled_drop(&c->db->unprofiled, r->version);
    status = put_diagnoses(c, r, err);
    if (c->db->facts_only)
        return status;
    if (status == LORE_OK)
        status = lore_copies_add_run(c->db, seq, r->version, err);
    if (status == LORE_OK)
        status = lore_run_entry_put(c->db, seq, r, err);
    if (status == LORE_OK)
        status = lore_db_link_start(c->db, seq, r->version, err);
    return status == LORE_OK && r->correctness.set ? lore_check_affects(c, r, err) : status;
}

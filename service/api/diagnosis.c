/* GET /api/v1/runs/{id}/diagnosis: what every rule set says of one run's metrics, side by side,
 * with the numbers that led there; canonical quantities; what looks wrong about the metrics; and
 * whether a declared bottleneck is contradicted by them. Nothing is stored. */
#include "service/api/diagnosis.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/hardware.h"
#include "service/api/present.h"
#include "service/base/text.h"
#include "service/derive/contradict.h"
#include "service/derive/diagnose.h"
#include "service/derive/metrics_lint.h"
#include "service/derive/outcome.h"
#include "service/derive/stalls.h"

static void
put_names(struct lore_jsonw *w, const char *key, const char *const *v, size_t n)
{
    lore_w_key(w, key);
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        lore_w_str(w, v[i]);
    lore_w_arr_end(w);
}

static void
put_tests(struct lore_jsonw *w, const struct lore_test *t, size_t n)
{
    lore_w_key(w, "values");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "metric", t[i].metric);
        lore_w_kf64(w, "value", t[i].value);
        lore_w_kstr(w, "op", t[i].op);
        lore_w_kf64(w, "threshold", t[i].threshold);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_finding(struct lore_jsonw *w, const struct lore_finding *f)
{
    lore_w_obj(w);
    lore_w_kstr(w, "pattern", f->pattern);
    lore_w_kstr(w, "label", f->label);
    lore_w_kstr_opt(w, "symptom", f->symptom);
    lore_present_labels(w, "labels", f->labels);
    lore_w_kbool(w, "signal", f->signal);
    lore_w_kstr(w, "confidence", lore_confidence_name(f->confidence));
    lore_w_kstr(w, "evidence", f->evidence);
    put_tests(w, f->tests, f->n_tests);
    lore_w_obj_end(w);
}

static void
put_set(struct lore_jsonw *w, const struct lore_rule_set_result *r)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", r->rule_set);
    lore_present_labels(w, "labels", r->labels);
    lore_present_labels(w, "signals", r->signals);
    lore_w_key(w, "findings");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_findings; i++)
        put_finding(w, &r->findings[i]);
    lore_w_arr_end(w);
    lore_w_key(w, "not_evaluated");
    lore_w_arr(w);
    for (size_t i = 0; i < r->n_not_evaluated; i++) {
        const struct lore_not_evaluated *x = &r->not_evaluated[i];

        lore_w_obj(w);
        lore_w_kstr(w, "pattern", x->pattern);
        lore_w_kstr(w, "label", x->label);
        put_names(w, "missing", x->missing, x->n_missing);
        lore_w_kstr_opt(w, "note", x->note);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
    lore_w_ki64(w, "clear", (int64_t)r->n_clear);
    lore_w_obj_end(w);
}

void
lore_present_gaps(struct lore_jsonw *w, const struct lore_gaps *g)
{
    lore_w_obj(w);
    lore_present_f64(w, "compute", g->compute);
    lore_present_f64(w, "memory", g->memory);
    lore_present_f64(w, "latency", g->latency);
    lore_present_f64(w, "compute_utilisation_pct", g->compute_util_pct);
    lore_present_f64(w, "memory_utilisation_pct", g->memory_util_pct);
    lore_present_f64(w, "largest_stall_pct", g->max_stall_pct);
    lore_w_kstr(w, "bound", lore_bound_name(g->bound));
    lore_w_kbool(w, "degraded", g->degraded);
    put_names(w, "unknown_inputs", g->unknown_inputs, g->n_unknown);
    lore_w_obj_end(w);
}

void
lore_present_budget_of(struct lore_jsonw *w, const struct lore_gaps *g)
{
    struct lore_axis_budget budget;

    lore_w_key(w, "axis_budget");
    if (!lore_axis_budget_of(g, &budget)) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_present_budget(w, &budget);
    lore_w_obj_end(w);
}

static uint32_t
declared_labels(const struct lore_run *r)
{
    uint32_t labels = 0;

    for (size_t i = 0; i < r->n_diagnoses; i++)
        for (size_t k = 0; k < r->diagnoses[i].labels.n; k++)
            labels |= lore_labels_parse(r->diagnoses[i].labels.v[k], NULL);
    return labels;
}

static void
put_contradictions(struct lore_jsonw *w, uint32_t declared, const struct lore_run *r,
    const struct lore_diagnose_context *ctx, struct lore_arena *arena)
{
    size_t n = 0;
    const struct lore_contradiction *c =
        lore_label_contradictions(declared, &r->metrics, ctx, arena, &n);

    lore_w_key(w, "contradictions");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "label", lore_label_name(c[i].label));
        lore_w_kstr(w, "evidence", c[i].evidence);
        put_tests(w, c[i].tests, c[i].n_tests);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

#define SHORT_NS 5e4 /* below it, launching weighs as much as running */

/* A doubt about the time itself. */
static void
put_short(struct lore_jsonw *w, const struct lore_run *r, struct lore_arena *arena)
{
    struct lore_stats stats = {.median = r->summary.median_ns.set ? r->summary.median_ns.v : 0};

    if (r->n_samples > 0)
        lore_stats(r->samples_ns, r->n_samples, arena, &stats);
    if (stats.median <= 0 || stats.median >= SHORT_NS)
        return;
    lore_w_obj(w);
    lore_w_kstr(w, "code", "short_kernel");
    lore_w_kstr(w, "metric", "duration_ns");
    lore_w_kstr(w, "text",
        lore_format(arena,
            "the median is %.4g us: launch-bound range, differences below a few us are noise",
            stats.median / 1e3));
    lore_w_obj_end(w);
}

static void
put_lint(struct lore_jsonw *w, const struct lore_run *r, struct lore_arena *arena)
{
    size_t n = 0;
    const struct lore_metric_flag *flags = lore_metrics_lint(&r->metrics, arena, &n);

    lore_w_key(w, "lint");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "code", flags[i].code);
        lore_w_kstr(w, "metric", flags[i].metric);
        lore_w_kstr(w, "text", flags[i].sentence);
        lore_w_obj_end(w);
    }
    put_short(w, r, arena);
    lore_w_arr_end(w);
}

static void
put_stalls(struct lore_jsonw *w, const struct lore_run *r, struct lore_arena *arena)
{
    size_t n = 0;
    const struct lore_stall *s = lore_stalls(&r->metrics, arena, &n);

    lore_w_key(w, "stalls");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "metric", s[i].metric);
        lore_w_kstr_opt(w, "reason", s[i].reason);
        lore_w_kf64(w, "value", s[i].value);
        lore_w_kstr(w, "unit", s[i].unit);
        lore_w_ki64(w, "rank", (int64_t)s[i].rank);
        lore_w_kbool(w, "neutral", s[i].neutral);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

/* Canonical quantities of the chip's vendor, known or not. */
static void
put_quantities(struct lore_jsonw *w, const struct lore_run *r, const struct lore_hardware *h,
    const struct lore_diagnose_context *ctx)
{
    struct lore_ontology_value *v = NULL;
    size_t n = 0;

    if (h->chip != NULL)
        lore_ontology(&r->metrics, h->chip->vendor, &ctx->device, h->arena, &v, &n);
    lore_w_key(w, "quantities");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        lore_w_obj(w);
        lore_w_kstr(w, "name", v[i].row->canonical);
        lore_w_kstr(w, "unit", v[i].row->unit);
        if (v[i].set)
            lore_w_kf64(w, "value", v[i].value);
        else
            lore_w_kstr(w, "unknown", v[i].unknown);
        lore_w_kstr(w, "formula", v[i].row->formula);
        lore_w_kstr(w, "fidelity", v[i].row->fidelity);
        lore_w_kstr_opt(w, "note", v[i].row->note);
        lore_w_obj_end(w);
    }
    lore_w_arr_end(w);
}

static void
put_facts(struct lore_jsonw *w, const struct lore_hardware *h)
{
    static const char *const metrics[] = {
        "compute_units", "dies", "hbm_bandwidth", "max_warps_per_unit"};
    struct lore_input in[4];
    const struct lore_input *list[4];

    for (size_t i = 0; i < 4; i++) {
        in[i] = lore_hardware_input(h, metrics[i], false);
        list[i] = &in[i];
    }
    lore_present_inputs(w, "facts", h, list, 4);
}

static void
put_all(struct lore_jsonw *w, const struct lore_run *r, const struct lore_hardware *h,
    const struct lore_diagnose_context *ctx)
{
    uint32_t declared = declared_labels(r);
    struct lore_gaps gaps = {0};
    size_t n = 0;
    const struct lore_rule_set_result *sets = lore_diagnose_all(&r->metrics, ctx, h->arena, &n);

    lore_w_kstr(w, "run", r->id);
    lore_w_kstr_opt(w, "chip", r->chip);
    put_facts(w, h);
    lore_w_key(w, "rule_sets");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++)
        put_set(w, &sets[i]);
    lore_w_arr_end(w);
    lore_present_labels(w, "declared", declared);
    put_contradictions(w, declared, r, ctx, h->arena);
    put_lint(w, r, h->arena);
    put_stalls(w, r, h->arena);
    lore_roofline_gaps(&r->metrics, ctx->degraded, LORE_GAPS_HONEST, h->arena, &gaps);
    lore_w_key(w, "gaps");
    lore_present_gaps(w, &gaps);
    lore_present_budget_of(w, &gaps);
    put_quantities(w, r, h, ctx);
}

/* What rule sets need to know beside the metrics; H keeps the chip's numbers. */
static enum lore_status
context_of(struct lore_db *db, const struct lore_run_row *run, struct lore_arena *arena,
    struct lore_hardware *h, struct lore_diagnose_context *ctx, struct lore_err *err)
{
    const struct lore_chip *chip = run->r.chip == NULL ? NULL : lore_chip_find(run->r.chip);
    enum lore_status status = lore_hardware_load(db, chip, arena, h, err);

    if (status != LORE_OK)
        return status;
    ctx->device = lore_hardware_facts(h);
    ctx->fp64_expected =
        lore_streqi(run->workload.dtype, "f64") || lore_streqi(run->workload.dtype, "fp64");
    ctx->degraded = run->r.error.set && lore_streq(run->r.error.type, "profiling");
    return LORE_OK;
}

enum lore_status
lore_diagnosis_labels(struct lore_db *db, const struct lore_run_row *run, struct lore_arena *arena,
    uint32_t *labels, struct lore_err *err)
{
    struct lore_diagnose_context ctx = {0};
    struct lore_hardware h = {0};
    uint32_t found = 0;
    size_t n = 0;
    enum lore_status status = context_of(db, run, arena, &h, &ctx, err);

    if (status != LORE_OK)
        return status;
    const struct lore_rule_set_result *sets = lore_diagnose_all(&run->r.metrics, &ctx, arena, &n);
    for (size_t i = 0; i < n; i++)
        found |= sets[i].labels;
    *labels = found != 0 ? found : declared_labels(&run->r);
    return LORE_OK;
}

enum lore_status
lore_api_diagnosis(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_diagnose_context ctx = {0};
    struct lore_hardware h = {0};
    struct lore_run_row run = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_get_run(req->db, req->vars[0], req->arena, &run, err);

    if (status == LORE_OK)
        status = context_of(req->db, &run, req->arena, &h, &ctx, err);
    if (status != LORE_OK)
        return status;
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    put_all(&w, &run.r, &h, &ctx);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

/* Reads the measurements of one version. Each latency of a shape becomes a run. The single latency
 * beside them is their mean and becomes a claim only. Without shapes, the single latency is the
 * median of do_bench and becomes a run. Utilisation is stored in percent; the record does not say
 * of which peak. */
#include <math.h>
#include <string.h>

#include "collectors/import/workspace/workspace.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"

static const struct {
    const char *key, *unit;
} numbers[] = {{"tflops", "TFLOPS"}, {"bandwidth_gbps", "GB/s"},
    {"tflops_peak_utilization_pct", "%"}, {"bandwidth_peak_utilization_pct", "%"}};

static void
take_numbers(struct lore_take *t, const struct lore_json *performance, struct lore_metrics *out)
{
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct lore_f64 v = {0};
        if (!lore_take_f64(t, performance, numbers[i].key, &v))
            continue;
        lore_build_metric(t->in->arena, out, numbers[i].key, numbers[i].unit, v.v);
        if (numbers[i].unit[0] == '%' && v.v > 100)
            lore_import_note(t->in, LORE_IL_DOUBTS,
                "%s: %s is %.4g %%, above 100 %%: the record does not say of which peak",
                t->in->at->path, numbers[i].key, v.v);
    }
}

static void
take_correctness(struct lore_workspace *at, struct lore_take *t, const struct lore_json *root,
    struct lore_correctness *out)
{
    const struct lore_json *c = lore_json_get(root, "correctness");
    const char *status = NULL;

    lore_take_amount(t, c, "rel_err", &out->rel_err);
    if (!lore_take_text(t, c, "status", LORE_TAKE_NAME, &status)) {
        out->set = out->rel_err.set;
        out->status = LORE_C_NOT_CHECKED;
        return;
    }
    out->set = true;
    if (strcmp(status, "PASS") == 0)
        out->status = LORE_C_PASS;
    else if (strcmp(status, "TIMEOUT_FAIL") == 0)
        out->status = LORE_C_TIMEOUT;
    else
        out->status = strcmp(status, "FAIL") == 0 ? LORE_C_FAIL : LORE_C_NOT_CHECKED;
    if (strcmp(status, "PASS") != 0)
        out->message = status;
    out->rel_err_limit = at->rel_err_limit;
    if (out->status == LORE_C_PASS && out->rel_err.set && out->rel_err_limit.set &&
        out->rel_err.v > out->rel_err_limit.v)
        lore_import_note(at->in, LORE_IL_CONFLICTS,
            "%s: PASS with rel_err %.4g above the limit %.4g", at->in->at->path, out->rel_err.v,
            out->rel_err_limit.v);
    if (out->status == LORE_C_PASS && out->rel_err.set && fabs(out->rel_err.v) < 1e-300)
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s: rel_err is exactly 0; check that results were really compared", at->in->at->path);
}

static struct lore_run *
add_run(struct lore_workspace *at, struct lore_workspace_version *v, const char *shape,
    const struct lore_correctness *c)
{
    struct lore_submission *doc = at->in->doc;
    struct lore_run *r = LORE_PUSH(at->in->arena, doc->runs, doc->n_runs, doc->cap_runs);

    r->id = lore_build_id(at->in->arena, 0, "workspace-run|%s|%s|%s", v->id, at->context, shape);
    r->version = v->id;
    r->role = v->n == 0 ? LORE_ROLE_BASELINE : LORE_ROLE_CANDIDATE;
    r->evidence = LORE_EV_IMPORTED;
    r->chip = at->chip;
    r->tool = "do_bench";
    r->workload = at->workload;
    r->correctness = *c;
    if (*shape) {
        r->workload.dims = (struct lore_kvs){0};
        /* the name of a shape is valid only in its workspace, so the workload includes the set of
         * shapes */
        lore_kvs_set(
            at->in->arena, &r->workload.dims, "set", lore_kvs_quote(at->in->arena, at->shape_set));
        lore_kvs_set(
            at->in->arena, &r->workload.dims, "shape", lore_kvs_quote(at->in->arena, shape));
        r->workload.op = at->op;
        r->workload.set = true;
    }
    lore_kvs_set(at->in->arena, &r->method, "statistic", "\"median\"");
    r->provenance.system = LORE_WORKSPACE_SYSTEM;
    r->provenance.external_id = *shape && strlen(shape) < 100
                                    ? lore_format(at->in->arena, "%s/%s", v->label, shape)
                                    : v->label;
    lore_build_text(at->in->arena, &v->runs, r->id);
    lore_build_text(at->in->arena, &v->shapes, shape);
    return r;
}

/* Add one run per shape; return their number. */
static size_t
take_shapes(struct lore_workspace *at, struct lore_workspace_version *v, struct lore_take *t,
    const struct lore_json *performance, const struct lore_correctness *c)
{
    const struct lore_json *shapes = lore_json_get(performance, "latency_us_by_shape");
    size_t n = 0;

    if (!shapes || shapes->type != LORE_J_OBJECT)
        return 0;
    for (const struct lore_json *m = shapes->child; m; m = m->next) {
        struct lore_f64 ns = {0};
        if (!*m->key || !lore_take_ns(t, shapes, m->key, 1e3, &ns))
            continue;
        struct lore_run *r = add_run(at, v, m->key, c);
        r->summary.set = true;
        r->summary.median_ns = ns;
        n++;
    }
    return n;
}

static void
doubt_comparison(
    struct lore_workspace *at, struct lore_take *t, const struct lore_json *performance)
{
    const struct lore_json *c = lore_json_get(performance, "comparison_with_previous");

    for (const struct lore_json *m = c ? c->child : NULL; m; m = m->next) {
        if (m->type == LORE_J_NULL)
            lore_take_mark(t, m);
    }
    for (const struct lore_json *m = c ? c->child : NULL; m; m = m->next) {
        if (m->type == LORE_J_NUMBER) {
            lore_import_note(at->in, LORE_IL_DOUBTS,
                "comparison_with_previous: sign and unit are not specified; kept in extra, the "
                "service compares the measurements instead");
            return;
        }
    }
}

/* Set the runs of X: those of V, and those of its parent on the same shapes. */
static void
pair_runs(struct lore_workspace *at, struct lore_workspace_version *v, struct lore_experiment *x)
{
    const struct lore_workspace_version *parent = NULL;

    for (size_t i = 0; i < at->n_versions && v->parent; i++) {
        if (strcmp(at->versions[i].id, v->parent) == 0)
            parent = &at->versions[i];
    }
    for (size_t i = 0; i < v->runs.n && i < 64; i++) {
        lore_build_text(at->in->arena, &x->runs_after, v->runs.v[i]);
        for (size_t k = 0; parent && k < parent->runs.n; k++) {
            if (strcmp(parent->shapes.v[k], v->shapes.v[i]) == 0) {
                lore_build_text(at->in->arena, &x->runs_before, parent->runs.v[k]);
                break;
            }
        }
    }
    if (v->runs.n > 64)
        lore_import_note(at->in, LORE_IL_DOUBTS,
            "%s: %zu shapes; the experiment lists the first 64 runs, all runs are imported",
            v->label, v->runs.n);
}

static const char *
time_of(struct lore_take *t, const struct lore_json *root)
{
    const char *text = NULL;
    const struct lore_json *m = lore_json_get(root, "timestamp");
    int64_t us = 0;

    if (!m || m->type != LORE_J_STRING || lore_time_parse(m->str, &us, NULL) != LORE_OK)
        return NULL;
    return lore_take_text(t, root, "timestamp", LORE_TAKE_NAME, &text) ? text : NULL;
}

void
lore_workspace_runs(struct lore_workspace *at, struct lore_workspace_version *v,
    struct lore_take *t, const struct lore_json *root, struct lore_experiment *x)
{
    const struct lore_json *performance = lore_json_get(root, "performance");
    struct lore_correctness c = {0};
    struct lore_f64 ns = {0};

    x->happened_at = time_of(t, root);
    take_correctness(at, t, root, &c);
    bool timed = lore_take_ns(t, performance, "latency_us", 1e3, &ns);
    size_t shapes = take_shapes(at, v, t, performance, &c);
    struct lore_metrics metrics = {0};
    take_numbers(t, performance, &metrics);
    x->claim.set = true;
    x->claim.latency_after_ns = v->latency_ns = ns;
    x->claim.correctness = c.set ? c.status : LORE_C_NONE;
    if (shapes > 0) {
        x->metrics_after = metrics;
    } else if (timed || metrics.n > 0 || c.set) {
        struct lore_run *r = add_run(at, v, "", &c);
        r->summary.set = timed;
        r->summary.median_ns = ns;
        r->metrics = metrics;
        if (metrics.n > 0)
            lore_kvs_set(at->in->arena, &r->method, "utilization_peak", "\"not recorded\"");
        if (!timed && c.status == LORE_C_TIMEOUT)
            r->error = (struct lore_failure){true, "timeout", "test", NULL, c.message};
    }
    for (size_t i = 0; x->happened_at && i < v->runs.n; i++)
        at->in->doc->runs[at->in->doc->n_runs - 1 - i].measured_at = x->happened_at;
    doubt_comparison(at, t, performance);
    pair_runs(at, v, x);
}

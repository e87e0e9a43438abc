/* GET /api/v1/runs/{id}/diagnosis, /api/v1/profiles/{id}/diagnosis: the findings of every rule set
 * on the metrics of one run, or of one launch shape of a profiled program, with the values behind
 * them, canonical quantities, doubtful metrics, and contradictions to the declared bottleneck.
 * Nothing is stored. */
#include "service/api/diagnosis.h"

#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/hardware.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"
#include "service/derive/contradict.h"
#include "service/derive/diagnose.h"
#include "service/derive/metrics_lint.h"
#include "service/derive/outcome.h"
#include "service/derive/stalls.h"

#define ROW struct lore_test
static const struct lore_object_member test[] = {
    {"!metric", AT(metric)},
    {"!value", AT(value)},
    {"!op", AT(op)},
    {"!threshold", AT(threshold)},
};
static const struct lore_object lore_test_object = LORE_OBJECT("Test", test);
#undef ROW

#define ROW struct lore_finding
static const struct lore_object_member finding[] = {
    {"!pattern", AT(pattern)},
    {"!label", AT(label)},
    {"symptom", AT(symptom)},
    {"!labels", LABELS(labels), NULL, "bottlenecks"},
    {"!signal", AT(signal), NULL, "a hint only: it adds no label"},
    {"!confidence", NAMED(confidence, lore_confidence_name), "low|medium|high"},
    {"!evidence", AT(evidence), NULL, "in words, with every value and threshold"},
    {"!values", LIST(tests, n_tests, lore_test_object)},
};
static const struct lore_object lore_finding_object = LORE_OBJECT("Finding", finding);
#undef ROW

#define ROW struct lore_not_evaluated
static const struct lore_object_member not_evaluated[] = {
    {"!pattern", AT(pattern)},
    {"!label", AT(label)},
    {"!missing", STRINGS(missing, n_missing), NULL, "metrics that were not recorded"},
    {"note", AT(note)},
};
static const struct lore_object lore_not_evaluated_object =
    LORE_OBJECT("NotEvaluated", not_evaluated);
#undef ROW

#define ROW struct lore_rule_set_result
static const struct lore_object_member rule_set[] = {
    {"!name", AT(rule_set)},
    {"!labels", LABELS(labels)},
    {"!signals", LABELS(signals)},
    {"!findings", LIST(findings, n_findings, lore_finding_object)},
    {"!not_evaluated", LIST(not_evaluated, n_not_evaluated, lore_not_evaluated_object)},
    {"!clear", AT(n_clear), NULL, "patterns that were looked at and did not fire"},
};
static const struct lore_object lore_rule_set_result_object =
    LORE_OBJECT("RuleSetResult", rule_set);
#undef ROW

#define ROW struct lore_contradiction
static const struct lore_object_member contradiction[] = {
    {"!label", NAMED(label, lore_label_name)},
    {"!evidence", AT(evidence)},
    {"!values", LIST(tests, n_tests, lore_test_object)},
};
static const struct lore_object lore_contradiction_object =
    LORE_OBJECT("Contradiction", contradiction);
#undef ROW

#define ROW struct lore_metric_flag
static const struct lore_object_member doubt[] = {
    {"!code", AT(code)},
    {"!metric", AT(metric)},
    {"!text", AT(sentence)},
};
static const struct lore_object lore_metric_doubt_object = LORE_OBJECT("MetricDoubt", doubt);
#undef ROW

#define ROW struct lore_stall
static const struct lore_object_member stall[] = {
    {"!metric", AT(metric)},
    {"reason", AT(reason)},
    {"!value", AT(value)},
    {"!unit", AT(unit)},
    {"!rank", AT(rank), NULL, "among the stalls measured in the same unit"},
    {"!neutral", AT(neutral), NULL,
        "this stall costs nothing: the warp was ready, but another one was chosen"},
};
static const struct lore_object lore_stall_object = LORE_OBJECT("Stall", stall);
#undef ROW

static void
write_value(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_ontology_value *v = row;

    if (v->set)
        lore_w_kf64(w, key, v->value);
}

static void
write_unknown(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct lore_ontology_value *v = row;

    if (!v->set)
        lore_w_kstr(w, key, v->unknown);
}

#define ROW struct lore_ontology_row
static const struct lore_object_member quantity_name[] = {
    {"!name", AT(canonical)}, {"!unit", AT(unit)}};
static const struct lore_object_member quantity_rule[] = {
    {"!formula", AT(formula)}, {"!fidelity", AT(fidelity)}, {"note", AT(note)}};
static const struct lore_object named_quantity = LORE_OBJECT("", quantity_name);
static const struct lore_object ruled_quantity = LORE_OBJECT("", quantity_rule);
#undef ROW

#define ROW struct lore_ontology_value
static const struct lore_object_member quantity[] = {
    {"!", SPREAD(row, named_quantity)},
    {"value", WRITTEN(write_value), "number"},
    {"unknown", WRITTEN(write_unknown), "text", "inputs that were not recorded"},
    {"!", SPREAD(row, ruled_quantity)},
};
static const struct lore_object lore_quantity_object = LORE_OBJECT("Quantity", quantity);
#undef ROW

enum { FACTS = 4 };
struct answer {
    const char *run, *profile, *line, *chip; /* line: "1.2", of the profile */
    bool retracted;
    const char *retraction;
    struct lore_input_row facts[FACTS];
    const struct lore_rule_set_result *sets;
    const struct lore_contradiction *contradictions;
    struct lore_metric_flag *lint;
    const struct lore_stall *stalls;
    struct lore_ontology_value *quantities;
    size_t n_facts, n_sets, n_contradictions, n_lint, n_stalls, n_quantities;
    uint32_t declared;
    struct lore_gaps gaps;
    struct lore_axis_budget *budget; /* NULL: a gap is not known */
};
#define ROW struct answer
static const struct lore_object_member diagnosis[] = {
    {"run", AT(run), "ulid"},
    {"profile", AT(profile), "ulid"},
    {"line", AT(line), NULL, "line and launch shape of the profile: 1.2"},
    {"chip", AT(chip)},
    {"retracted", AT(retracted), NULL, "true: the run, or its version, was withdrawn"},
    {"retraction", AT(retraction), NULL, "the reason"},
    {"!facts", ARRAY(facts, n_facts, lore_input_object)},
    {"!rule_sets", LIST(sets, n_sets, lore_rule_set_result_object)},
    {"!declared", LABELS(declared), NULL, "bottlenecks declared with the run"},
    {"!contradictions", LIST(contradictions, n_contradictions, lore_contradiction_object)},
    {"!lint", LIST(lint, n_lint, lore_metric_doubt_object)},
    {"!stalls", LIST(stalls, n_stalls, lore_stall_object)},
    {"!gaps", OBJECT(gaps, lore_gaps_object)},
    {"!axis_budget", POINTER(budget, lore_axis_budget_object)},
    {"!quantities", LIST(quantities, n_quantities, lore_quantity_object)},
};
const struct lore_object lore_diagnosis_object = LORE_OBJECT("DiagnosisOfRun", diagnosis);
#undef ROW

static uint32_t
declared_labels(const struct lore_run *r)
{
    uint32_t labels = 0;

    for (size_t i = 0; i < r->n_diagnoses; i++)
        for (size_t k = 0; k < r->diagnoses[i].labels.n; k++)
            labels |= lore_labels_parse(r->diagnoses[i].labels.v[k], NULL);
    return labels;
}

#define SHORT_NS 5e4 /* below this, launch cost is comparable to the run time */

/* Flag a run so short that its launch cost distorts the time. */
static bool
is_short(const struct lore_run *r, struct lore_arena *arena, struct lore_metric_flag *out)
{
    struct lore_stats stats = {.median = r->summary.median_ns.set ? r->summary.median_ns.v : 0};

    if (r->n_samples > 0)
        lore_stats(r->samples_ns, r->n_samples, arena, &stats);
    if (stats.median <= 0 || stats.median >= SHORT_NS)
        return false;
    *out = (struct lore_metric_flag){.code = "short_kernel",
        .metric = "duration_ns",
        .sentence = lore_format(arena,
            "the median is %.4g us: launch overhead matters, differences below a few us are noise",
            stats.median / 1e3)};
    return true;
}

static void
lint(const struct lore_run *r, struct lore_arena *arena, struct answer *x)
{
    size_t n = 0, n_counting = 0;
    const struct lore_metric_flag *flags = lore_metrics_lint(&r->metrics, arena, &n);
    const struct lore_metric_flag *counting = lore_metrics_lint_counting(r, arena, &n_counting);

    x->lint = lore_alloc_array(arena, n + n_counting + 1, sizeof *x->lint);
    for (; x->n_lint < n; x->n_lint++)
        x->lint[x->n_lint] = flags[x->n_lint];
    for (size_t i = 0; i < n_counting; i++)
        x->lint[x->n_lint++] = counting[i];
    x->n_lint += is_short(r, arena, &x->lint[x->n_lint]);
}

static void
facts(const struct lore_hardware *h, struct answer *x)
{
    static const char *const metrics[FACTS] = {
        "compute_units", "dies", "hbm_bandwidth", "max_warps_per_unit"};

    for (; x->n_facts < FACTS; x->n_facts++) {
        struct lore_input in = lore_hardware_input(h, metrics[x->n_facts], false);

        x->facts[x->n_facts] = lore_hardware_row(h, &in);
    }
}

static enum lore_status
answer(struct lore_resp *resp, const struct lore_run *r, struct answer x,
    const struct lore_hardware *h, const struct lore_diagnose_context *ctx, struct lore_err *err)
{
    struct lore_axis_budget budget;

    x.chip = r->chip;
    x.declared = declared_labels(r);

    facts(h, &x);
    x.sets = lore_diagnose_all(&r->metrics, ctx, h->arena, &x.n_sets);
    x.contradictions =
        lore_label_contradictions(x.declared, &r->metrics, ctx, h->arena, &x.n_contradictions);
    lint(r, h->arena, &x);
    x.stalls = lore_stalls(&r->metrics, h->arena, &x.n_stalls);
    lore_roofline_gaps(&r->metrics, ctx->degraded, LORE_GAPS_STRICT, h->arena, &x.gaps);
    if (lore_axis_budget_of(&x.gaps, &budget))
        x.budget = &budget;
    if (h->chip) /* all quantities of the chip's vendor, also those without a value */
        lore_ontology(
            &r->metrics, h->chip->vendor, &ctx->device, h->arena, &x.quantities, &x.n_quantities);
    return lore_reply_object(resp, &lore_diagnosis_object, &x, err);
}

/* AMD's rates are counters over a time, and counting makes a kernel slower: so the time is that of
 * the run without counters, where an iteration of it is one launch. */
static struct lore_f64
launch_ns(const struct lore_run_row *run, const struct lore_chip *chip)
{
    const char *launches = lore_kvs_get(&run->r.method, "launches_per_iteration");
    bool one = chip && lore_streq(chip->vendor, "amd") && lore_streq(launches, "1");

    return one ? run->time_ns : (struct lore_f64){0};
}

/* Inputs of the rule sets besides the metrics. The chip's numbers stay in H. */
static enum lore_status
context_of(struct lore_db *db, const struct lore_run_row *run, struct lore_arena *arena,
    struct lore_hardware *h, struct lore_diagnose_context *ctx, struct lore_err *err)
{
    const struct lore_chip *chip = !run->r.chip ? NULL : lore_chip_find(run->r.chip);
    enum lore_status status = lore_hardware_load(db, chip, arena, h, err);

    if (status != LORE_OK)
        return status;
    ctx->device = lore_hardware_facts(h);
    ctx->device.dur_ns = launch_ns(run, chip);
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
    struct lore_standing standing = {0};
    enum lore_status status = lore_db_get_run(req->db, req->vars[0], req->arena, &run, err);

    if (status == LORE_OK)
        status = lore_db_get_standing(req->db, req->vars[0], req->arena, &standing, err);
    if (status == LORE_OK)
        status = context_of(req->db, &run, req->arena, &h, &ctx, err);
    if (status != LORE_OK)
        return status;
    const struct answer x = {
        .run = run.r.id, .retracted = run.retracted, .retraction = standing.retraction};
    return answer(resp, &run.r, x, &h, &ctx, err);
}

/* A launch shape as a run: what rules read of one. */
static void
run_of_shape(const struct lore_profile_shape *s, struct lore_run_row *out)
{
    out->r = (struct lore_run){.chip = s->chip,
        .environment = s->environment,
        .method = s->method,
        .launch = s->launch,
        .samples_ns = s->samples_ns,
        .n_samples = s->n_samples,
        .metrics = s->metrics};
    if (s->n_samples > 0) /* else its launches were slowed by counting */
        out->time_ns = s->median_ns;
}

enum lore_status
lore_api_profile_diagnosis(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    size_t line = (size_t)lore_arg_i64(req, "line", 1),
           shape = (size_t)lore_arg_i64(req, "shape", 1);
    struct lore_diagnose_context ctx = {0};
    struct lore_hardware h = {0};
    struct lore_profile_row row = {0};
    struct lore_run_row run = {0};
    enum lore_status status = lore_db_get_profile(req->db, req->vars[0], req->arena, &row, err);

    if (status != LORE_OK)
        return status;
    if (line > row.r.n_lines)
        return lore_fail_at(err, LORE_NOTFOUND, "not_found", "line",
            "line %zu: the profile has %zu", line, row.r.n_lines);
    const struct lore_profile_line *l = &row.r.lines[line - 1];
    if (shape > l->n_shapes)
        return lore_fail_at(err, LORE_NOTFOUND, "not_found", "shape",
            "line %zu has %zu launch shapes, and no shape %zu", line, l->n_shapes, shape);
    run_of_shape(&l->shapes[shape - 1], &run);
    status = context_of(req->db, &run, req->arena, &h, &ctx, err);
    if (status != LORE_OK)
        return status;
    struct answer x = {
        .profile = row.r.id, .line = lore_format(req->arena, "%zu.%zu", line, shape)};
    return answer(resp, &run.r, x, &h, &ctx, err);
}

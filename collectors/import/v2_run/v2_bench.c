/* Reads bench.json: a benchmark of a kernel and of the reference. Each becomes a run. The reference
 * is a version of a library kernel, added once. average_ms, which the workflow compares, becomes
 * the mean. The bandwidth is only an estimate and keeps the workflow's name. */
#include <string.h>

#include "collectors/import/v2_run/v2.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

static void
take_timing(struct lore_v2 *co, struct lore_take *t, const struct lore_json *bench,
    const char *which, struct lore_run *r)
{
    const struct lore_json *k = lore_json_get(bench, which);
    struct lore_summary *s = &r->summary;
    struct lore_f64 bandwidth = {0};

    if (!k || k->type != LORE_J_OBJECT)
        return;
    bool any = lore_take_ns(t, k, "average_ms", 1e6, &s->mean_ns);
    any |= lore_take_ns(t, k, "median_ms", 1e6, &s->median_ns);
    any |= lore_take_ns(t, k, "min_ms", 1e6, &s->min_ns);
    any |= lore_take_ns(t, k, "max_ms", 1e6, &s->max_ns);
    s->set = any;
    const struct lore_json *repeat = lore_json_get(bench, "repeat");
    if (any && repeat && repeat->type == LORE_J_NUMBER && repeat->is_int && repeat->i > 0)
        s->n = (struct lore_i64){true, repeat->i};
    if (lore_take_amount(t, k, "bandwidth_gbps_rough", &bandwidth))
        lore_build_metric(co->in->arena, &r->metrics, "bandwidth_gbps_rough", "GB/s", bandwidth.v);
    if (any && s->median_ns.set && s->median_ns.v < 50000)
        lore_import_note(co->in, LORE_IL_DOUBTS,
            "%s: below 50 us, a benchmark mostly measures launch overhead", co->in->at->path);
}

static void
take_correctness(struct lore_take *t, const struct lore_json *bench, struct lore_run *r)
{
    const struct lore_json *c = lore_json_get(bench, "correctness");
    bool checked = true, passed = false;
    struct lore_correctness *out = &r->correctness;

    if (!c || c->type != LORE_J_OBJECT)
        return;
    (void)lore_take_bool(t, c, "checked", &checked);
    bool said = lore_take_bool(t, c, "passed", &passed);
    out->set = true;
    out->status = !checked || !said ? LORE_C_NOT_CHECKED : passed ? LORE_C_PASS : LORE_C_FAIL;
    lore_take_amount(t, c, "atol", &out->atol);
    lore_take_amount(t, c, "rtol", &out->rtol);
    const struct lore_json *seeds = lore_json_get(c, "seeds");
    if (seeds && seeds->type == LORE_J_ARRAY && seeds->len == 1 &&
        seeds->child->type == LORE_J_NUMBER && seeds->child->is_int) {
        out->seed = (struct lore_i64){true, seeds->child->i};
        lore_take_mark(t, seeds);
    }
    (void)lore_take_path(t, bench, "ref_file", &out->reference);
}

static const char *
failure_type(const char *code, const char *stage, const char *message)
{
    const struct {
        const char *word, *type;
    } rows[] = {{"timeout", "timeout"}, {"timed out", "timeout"}, {"compil", "compilation"},
        {"nvcc", "compilation"}, {"build", "compilation"}, {"mismatch", "accuracy"},
        {"correct", "accuracy"}, {"valid", "accuracy"}, {"ncu", "profiling"}};
    const char *texts[] = {stage, code, message};

    for (size_t k = 0; k < 3; k++) {
        for (size_t i = 0; texts[k] && i < sizeof rows / sizeof *rows; i++) {
            if (strstr(texts[k], rows[i].word))
                return rows[i].type;
        }
    }
    return "runtime";
}

void
lore_v2_failure(struct lore_take *t, const struct lore_json *object, struct lore_failure *out)
{
    const struct lore_json *e = lore_json_get(object, "error");

    if (!e || e->type == LORE_J_NULL) {
        lore_take_mark(t, e);
        return;
    }
    if (e->type == LORE_J_STRING) {
        if (!lore_take_text(t, object, "error", LORE_TAKE_TEXT, &out->message))
            return;
    } else {
        bool any = lore_take_text(t, e, "code", LORE_TAKE_NAME, &out->code);
        any |= lore_take_text(t, e, "stage", LORE_TAKE_NAME, &out->stage);
        any |= lore_take_text(t, e, "message", LORE_TAKE_TEXT, &out->message);
        if (!any)
            return;
    }
    out->set = true;
    out->type = failure_type(out->code, out->stage, out->message);
}

/* Mark "dims" as read when they equal those of state.json. */
static void
mark_same_shape(struct lore_v2 *co, struct lore_take *t, const struct lore_json *bench)
{
    const struct lore_json *here = lore_json_get(bench, "dims");
    const struct lore_json *all = lore_json_get(co->state, "dims");
    unsigned char a[32], b[32];

    if (!here || !all || !co->workload.set)
        return;
    lore_json_digest(here, a);
    lore_json_digest(all, b);
    if (memcmp(a, b, sizeof a) == 0)
        lore_take_mark(t, here);
}

/* Set the workload of R from the dims of the benchmark, and note when they differ from
 * state.json. */
static void
set_workload(
    struct lore_v2 *co, struct lore_take *t, const struct lore_json *bench, struct lore_run *r)
{
    const struct lore_json *here = lore_json_get(bench, "dims");
    struct lore_workload w = {.op = co->op};

    mark_same_shape(co, t, bench);
    for (const struct lore_json *m = here ? here->child : NULL; m; m = m->next) {
        if (here->type == LORE_J_OBJECT && w.dims.n < 64)
            w.set |= lore_take_kv(t, here, m->key, &w.dims);
    }
    if (!w.set)
        return;
    if (co->workload.set && strcmp(lore_workload_text(co->in->arena, co->op, &w),
                                lore_workload_text(co->in->arena, co->op, &co->workload)) != 0)
        lore_import_note(co->in, LORE_IL_DOUBTS, "%s: measured on another shape than in state.json",
            co->in->at->path);
    r->workload = w;
}

static void
take_method(struct lore_take *t, const struct lore_json *bench, struct lore_run *r)
{
    static const char *const keys[] = {"warmup", "repeat", "seed", "gpu_index", "ptr_size_override",
        "ptr_elems", "total_ptr_bytes", "gpu_name", "arch", "backend", "solution_file", "cu_file",
        "has_reference"};

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        (void)lore_take_kv(t, bench, keys[i], &r->method);
    lore_kvs_set(t->in->arena, &r->method, "statistic", "\"mean\"");
}

/* The id of the reference: a version of its own library kernel, added when it is new. */
static const char *
reference_version(struct lore_v2 *co, const char *file)
{
    struct lore_submission *doc = co->in->doc;
    const char *id = lore_v2_id(co, lore_format(co->in->arena, "reference|%s", file));

    for (size_t i = 0; i < doc->n_versions; i++) {
        if (strcmp(doc->versions[i].id, id) == 0)
            return id;
    }
    const char *kernel = lore_build_kernel(co->in->arena, doc, co->op, LORE_LANG_LIBRARY, file);
    struct lore_version *v =
        LORE_PUSH(co->in->arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kernel;
    v->kind = LORE_V_LIBRARY;
    v->label = "reference";
    v->provenance.system = LORE_V2_SYSTEM;
    return id;
}

static void
add_reference(struct lore_v2 *co, struct lore_take *t, const struct lore_json *bench,
    const char *what, const struct lore_workload *workload)
{
    const struct lore_json *timing = lore_json_get(bench, "reference");
    const struct lore_json *file = lore_json_get(bench, "ref_file");
    const char *name =
        file && file->type == LORE_J_STRING ? lore_build_basename(file->str) : "reference";

    if (!timing || timing->type != LORE_J_OBJECT || !lore_json_get(timing, "average_ms"))
        return;
    if (strlen(name) > LORE_TAKE_NAME || !*name)
        name = "reference";
    const char *version = reference_version(co, name);
    struct lore_run *r = lore_v2_add_run(
        co, lore_format(co->in->arena, "%s|reference", what), version, LORE_ROLE_REFERENCE);
    r->workload = *workload;
    take_timing(co, t, bench, "reference", r);
}

const char *
lore_v2_bench(struct lore_v2 *co, const char *dir, const char *version, enum lore_run_role role,
    struct lore_f64 *ms)
{
    const struct lore_json *bench = lore_v2_file(co, dir, "bench.json");
    struct lore_take t = {.in = co->in};

    if (!bench)
        return NULL;
    const char *what = co->in->at->path + strlen(co->in->unit);
    struct lore_run *r = lore_v2_add_run(co, what, version, role);
    const char *id = r->id;
    size_t at = co->in->doc->n_runs - 1;
    r->tool = "benchmark.py";
    take_timing(co, &t, bench, "kernel", r);
    take_correctness(&t, bench, r);
    lore_v2_failure(&t, bench, &r->error);
    set_workload(co, &t, bench, r);
    take_method(&t, bench, r);
    if (r->summary.mean_ns.set)
        *ms = (struct lore_f64){true, r->summary.mean_ns.v / 1e6};
    struct lore_workload workload = r->workload;
    add_reference(co, &t, bench, what, &workload);
    const struct lore_named parts[] = {{"bench", lore_take_rest(&t, bench, "bench.json")}};
    co->in->doc->runs[at].extra = lore_take_extra(co->in->arena, parts, 1);
    return id;
}

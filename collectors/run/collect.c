/* Makes one submission from everything that one `warplore run` knows. With an operator given,
 * all matching launches are one run of one version. Without one, the program gets one profile
 * (collect_profile.c). */
#include "collectors/run/collect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/run/collect_parts.h"
#include "collectors/run/hypothesis_file.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { TECHNIQUES_MAX = 16, ISA_KERNELS = 64 };

bool
lore_collect_kept_code(const struct lore_observations *c)
{
    return !c->what.no_isa && (c->what.isa || c->counters_asked);
}

/* The machine code of the kernels that took most time. */
static void
read_isa(struct lore_collecting *b)
{
    const struct lore_observations *c = b->c;
    struct lore_isa_source source = {.vendor = c->backend ? c->backend->vendor : NULL,
        .object = b->program.cubin ? b->program.cubin : b->program.path,
        .folder = c->folder,
        .asked = lore_collect_kept_code(c)};

    lore_collect_triton_code(b, &source.files);
    for (size_t i = 0; i < c->trace.n_groups && i < ISA_KERNELS; i++)
        lore_build_text(b->arena, &source.symbols, c->trace.groups[i].symbol);
    lore_isa_facts_read(&source, b->arena, &b->isa);
}

static void
begin(struct lore_collecting *b, struct lore_observations *c, struct lore_arena *arena,
    struct lore_submission *out, struct lore_err *err)
{
    char at[LORE_TIME_SIZE];
    const char *dir = lore_ledger_dir(arena, c->state_dir);
    int64_t when = c->app.started_at_us ? c->app.started_at_us : lore_now_us();
    const char *named = c->what.author;

    c->again = NULL;
    *b = (struct lore_collecting){.c = c, .arena = arena, .doc = out, .err = err};
    memset(out, 0, sizeof *out);
    out->format = LORE_WIRE_VERSION;
    out->id = lore_build_new_id(arena);
    out->author.name = named ? named : "warplore run";
    out->author.kind = named ? NULL : "collector";
    lore_time_format(when, at);
    b->measured_at = out->created_at = lore_strdup(arena, at);
    lore_collect_program(arena, c->argv, &b->program);
    /* a ledger that cannot be read costs comparisons with earlier runs, not this record */
    if (!dir || lore_ledger_read(dir, c->service, arena, &b->ledger, NULL) != LORE_OK)
        memset(&b->ledger, 0, sizeof b->ledger);
    lore_triton_left(lore_triton_folder(arena), when, arena, &b->triton);
    if (b->triton.cut)
        lore_build_text(arena, &c->trace.problems,
            "Triton's cache got more kernels or searches than are read; the rest is left out");
    if (c->what.no_isa)
        b->isa.why = "not asked for (--no-isa)";
    else if (c->what.op || lore_collect_kept_code(c) || b->triton.n_kernels > 0)
        read_isa(b); /* else the run of a range says that none was kept */
}

static enum lore_status
check_operator(const struct lore_run_options *w, struct lore_err *err)
{
    const struct lore_operator *known = w->op ? lore_operator_find(w->op) : NULL;

    if (w->family && known && !lore_streqi(known->family, w->family)) {
        (void)lore_fail_at(err, LORE_INVALID, "family_mismatch", "--family",
            "--family %s: %s is of family %s", w->family, known->name, known->family);
        lore_err_hint(err, "leave --family out for a known operator");
        return LORE_INVALID;
    }
    if (w->op)
        return LORE_OK;
    const struct {
        const char *option;
        bool given;
    } needs[] = {{"--parent", w->parent != NULL}, {"--hypothesis-file", w->hypothesis != NULL},
        {"--ablates", w->ablates != NULL}, {"--dims", w->dims.n > 0},
        {"--source", w->version_files.n > 0}, {"--check", w->correctness != NULL},
        {"--technique", w->techniques.n > 0}, {"--advice", w->advice != NULL},
        {"--kernel", w->kernel != NULL}, {"--label", w->label != NULL},
        {"--summary", w->summary != NULL}, {"--param", w->params.n > 0},
        {"--build", w->build.n > 0}, {"--role", w->role != LORE_ROLE_NONE},
        {"--version-kind", w->kind != LORE_V_NONE}, {"--new-experiment", w->new_experiment},
        {"--iterations", w->iterations > 0}, {"--family", w->family != NULL}};
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
        if (!needs[i].given)
            continue;
        (void)lore_fail_at(err, LORE_INVALID, "missing_field", needs[i].option,
            "%s needs --operator", needs[i].option);
        lore_err_hint(err,
            "name the operator with --operator softmax; or run without %s, and give that option to "
            "`warplore adopt` afterwards",
            needs[i].option);
        return LORE_INVALID;
    }
    return LORE_OK;
}

static enum lore_status
check_lineage(const struct lore_run_options *w, struct lore_arena *arena, struct lore_err *err)
{
    struct lore_hypothesis h;
    struct lore_texts files = {0}, own = {.v = w->version_files.v, .n = w->version_files.n ? 1 : 0};
    const char *content, *mine;
    struct lore_err inner = {0};

    if (w->advice && !lore_ulid_valid(w->advice))
        return lore_fail_at(err, LORE_INVALID, "wrong_reference", "--advice",
            "--advice %.60s: not the id of an answer of `recommend`", w->advice);
    if (w->advice && !w->parent)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "--advice",
            "--advice needs --parent: the version that was changed as advised");
    if (w->ablates && !w->parent)
        return lore_fail_at(err, LORE_INVALID, "missing_field", "--ablates",
            "--ablates needs --parent: the version that has the technique");
    if (w->hypothesis && lore_hypothesis_file_read(w->hypothesis, arena, &h, &inner) != LORE_OK) {
        (void)lore_fail_at(
            err, LORE_INVALID, inner.code, "--hypothesis-file", "--hypothesis-file %s", inner.msg);
        if (inner.hint[0])
            lore_err_hint(err, "%s", inner.hint);
        return LORE_INVALID;
    }
    if (!w->parent || lore_ulid_valid(w->parent))
        return LORE_OK;
    if (access(w->parent, F_OK) != 0)
        return lore_fail_at(err, LORE_INVALID, "wrong_reference", "--parent",
            "--parent %.160s: neither a file nor a version that the service knows", w->parent);
    lore_build_text(arena, &files, w->parent);
    enum lore_status status = lore_collect_content(arena, &files, NULL, &content, &inner);
    if (status != LORE_OK)
        return lore_fail_at(err, status, inner.code, "--parent",
            "--parent is not the id of a version; reading it as a file failed: %s", inner.msg);
    status = lore_collect_content(arena, &own, NULL, &mine, err);
    if (status == LORE_OK && strcmp(mine, content) == 0)
        return lore_fail_at(err, LORE_INVALID, "wrong_reference", "--parent",
            "--parent has the same content as --source: nothing was changed");
    return status;
}

enum lore_status
lore_collect_check(const struct lore_run_options *w, struct lore_arena *arena, struct lore_err *err)
{
    const struct lore_trace none = {0};
    const struct lore_trace_group **groups;
    const char *content;
    size_t n;
    enum lore_status status = check_operator(w, err);

    if (status == LORE_OK)
        status = lore_measure_match(&none, w->kernel_regex, arena, &groups, &n, err);
    if (status == LORE_OK && w->version_files.n > 0)
        status = lore_collect_content(arena, &w->version_files, NULL, &content, err);
    if (status == LORE_OK && w->techniques.n > TECHNIQUES_MAX)
        status = lore_fail_at(err, LORE_INVALID, "too_long", "--technique",
            "--technique: at most %d techniques", TECHNIQUES_MAX);
    return status == LORE_OK ? check_lineage(w, arena, err) : status;
}

/* ---- with an operator ---- */

static void
set_workload(struct lore_collecting *b, struct lore_run *run)
{
    const struct lore_run_options *w = &b->c->what;

    run->workload.set = true;
    run->workload.op = lore_operator_name(b->arena, w->op);
    run->workload.dims = w->dims;
    run->workload.dtype = w->dtype;
    run->workload.layout = w->layout;
}

static enum lore_status
collect_operator(struct lore_collecting *b)
{
    const struct lore_run_options *w = &b->c->what;
    const char *kernel = lore_collect_kernel(b), *version, *content;
    struct lore_version_spec spec = {.kernel = kernel,
        .kind = lore_collect_kind(w),
        .label = w->label,
        .summary = w->summary,
        .licence = w->licence,
        .files = w->version_files,
        .program = &b->program,
        .params = &w->params,
        .build = &w->build};
    struct lore_measure m;

    enum lore_status status = lore_collect_parent(b, kernel, &spec.parent);
    if (status == LORE_OK)
        status = lore_collect_version(b, &spec, &version, &content);
    if (status == LORE_OK)
        status = lore_measure_all(&b->c->trace, w, b->arena, &m, b->err);
    if (status != LORE_OK)
        return status;
    if (spec.parent.version && strcmp(spec.parent.version, version) == 0)
        return lore_fail_at(
            b->err, LORE_INVALID, "wrong_reference", "--parent", "--parent is this version itself");
    struct lore_run *run = lore_collect_run(b, version, &m);
    set_workload(b, run);
    lore_collect_triton_sweeps(b, kernel, run);
    return lore_collect_lineage(b, kernel, version, spec.parent.version, run);
}

/* A run for each workload that the program's ranges name. */
static enum lore_status
collect_ranged(struct lore_collecting *b, const struct lore_ranged_list *ranged)
{
    const struct lore_run_options what = b->c->what;
    const struct lore_trace whole = b->c->trace;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; i < ranged->n && status == LORE_OK; i++) {
        const struct lore_workload *w = &ranged->v[i].workload;
        b->c->what.op = w->op;
        b->c->what.dims = w->dims;
        b->c->what.dtype = what.dtype ? what.dtype : w->dtype;
        b->c->what.layout = what.layout ? what.layout : w->layout;
        b->c->trace = ranged->v[i].trace;
        status = collect_operator(b);
    }
    b->c->what = what;
    b->c->trace = whole;
    return status;
}

enum lore_status
lore_collect(struct lore_observations *c, struct lore_arena *arena, struct lore_submission *out,
    struct lore_err *err)
{
    struct lore_collecting b;
    struct lore_ranged_list ranged;
    enum lore_status status = check_operator(&c->what, err);

    if (status != LORE_OK)
        return status;
    begin(&b, c, arena, out, err);
    lore_collect_ranges(&b, &ranged);
    if (ranged.n > 0)
        return collect_ranged(&b, &ranged);
    return c->what.op ? collect_operator(&b) : lore_collect_profile(&b);
}

/* ---- the ledger ---- */

static const struct lore_experiment *
experiment_after(const struct lore_submission *doc, const char *run)
{
    for (size_t i = 0; i < doc->n_experiments; i++)
        for (size_t k = 0; k < doc->experiments[i].runs_after.n; k++)
            if (strcmp(doc->experiments[i].runs_after.v[k], run) == 0)
                return &doc->experiments[i];
    return NULL;
}

static const struct lore_version *
version_of(const struct lore_submission *doc, const char *id)
{
    for (size_t i = 0; i < doc->n_versions; i++)
        if (strcmp(doc->versions[i].id, id) == 0)
            return &doc->versions[i];
    return NULL;
}

/* The content of this run's version as lore_collect_version hashed it. */
static const char *
content_of(
    const struct lore_observations *c, const struct lore_version *v, struct lore_arena *arena)
{
    const char *content = lore_kvs_get(&v->build, "program_hash");

    if (v->n_sources == 0)
        return content ? lore_kvs_plain(arena, content) : "";
    if (lore_collect_content(arena, &c->what.version_files, NULL, &content, NULL) != LORE_OK)
        return "";
    return content;
}

enum lore_status
lore_collect_add_to_ledger(const struct lore_observations *c, const struct lore_submission *doc,
    struct lore_arena *arena, struct lore_err *err)
{
    const char *dir = lore_ledger_dir(arena, c->state_dir);
    struct lore_ledger_entry *v = lore_alloc_array(arena, doc->n_runs + 1, sizeof *v);
    size_t n = 0;

    if (!dir)
        return lore_fail(
            err, LORE_NOTFOUND, "no folder for the ledger of runs: set XDG_STATE_HOME or HOME");
    for (size_t i = 0; i < doc->n_runs; i++) {
        const struct lore_run *run = &doc->runs[i];
        const struct lore_version *version = version_of(doc, run->version);
        struct lore_flags f;
        if (!version || run->error.set || run->n_samples == 0)
            continue;
        struct lore_ledger_entry *e = &v[n++];
        lore_flags_of(run->samples_ns, run->n_samples, 1, arena, &f);
        e->at_us = lore_now_us();
        e->service = c->service;
        e->kernel = version->kernel;
        e->version = run->version;
        e->content = content_of(c, version, arena);
        lore_collect_context(arena, doc, run, &e->workload, &e->hard);
        e->run = run->id;
        const struct lore_experiment *x = experiment_after(doc, run->id);
        e->experiment = x ? x->id : NULL;
        e->hypothesis = x ? x->hypothesis : NULL;
        e->median_ns = (struct lore_f64){true, f.median_ns};
        e->noise_pct = (struct lore_f64){f.n >= 6, f.median_noise_pct};
    }
    return n ? lore_ledger_add(dir, v, n, err) : LORE_OK;
}

/* Options to records. One document: the kernel, up to two versions, runs when there are samples,
 * the hypothesis, the experiment. A member without an option stays absent. */
#include <math.h>
#include <string.h>

#include "collectors/client/commands/record_cmd.h"
#include "collectors/import/hypothesis_txt.h"
#include "service/base/clock.h"
#include "service/base/file.h"
#include "service/base/text.h"
#include "service/base/ulid.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define SOURCE_MAX (512u << 10)

struct job {
    struct lore_cli *cli;
    struct lore_arena *arena;
    const struct lore_args *args;
    struct lore_submission *doc;
    struct lore_err *err;
    struct lore_hypothesis_txt text; /* of --hypothesis-file, which a directory also sets */
    bool has_text;
    const char *op, *chip;
    enum lore_language language;
    struct lore_workload workload;
    struct lore_experiment *x;
    int64_t *before, *after;
    size_t n_before, n_after;
};

static const char *
opt(const struct job *j, const char *name)
{
    const char *v = lore_args_get(j->args, name);
    return v && *v ? v : NULL;
}

static enum lore_status
missing(struct job *j, const char *name, const char *example)
{
    return lore_fail_at(j->err, LORE_INVALID, "usage", name, "--%s: required (%s)", name, example);
}

static enum lore_status
number(struct job *j, const char *name, struct lore_f64 *out)
{
    const char *text = opt(j, name);
    const char *what = lore_format(j->arena, "--%s", name);

    if (!text || lore_streq(text, "null"))
        return LORE_OK;
    enum lore_status status = lore_parse_f64(text, what, &out->v, j->err);
    if (status == LORE_OK && (!isfinite(out->v) || out->v < 0))
        status =
            lore_fail_at(j->err, LORE_INVALID, "usage", name, "--%s: must not be negative", name);
    out->set = status == LORE_OK;
    return status;
}

/* Milliseconds. A time of zero is no time, and would make the other one infinitely better. */
static enum lore_status
latency(struct job *j, const char *name, struct lore_f64 *out_ns)
{
    struct lore_f64 ms = {0};
    enum lore_status status = number(j, name, &ms);

    if (status != LORE_OK)
        lore_err_hint(j->err, "milliseconds without a unit: 0.0125 for 12.5 us");
    if (status == LORE_OK && ms.set && ms.v <= 0) {
        status =
            lore_fail_at(j->err, LORE_INVALID, "usage", name, "--%s: must be more than 0", name);
        lore_err_hint(j->err, "leave it out when it was not measured");
    }
    if (status == LORE_OK)
        *out_ns = (struct lore_f64){ms.set, lore_build_ns(ms.v)};
    return status;
}

/* Find the index of TEXT in NAMES. The error lists NAMES and hints at the nearest one. */
static enum lore_status
one_of(struct job *j, const char *name, const char *text, const char *const *names, size_t n,
    size_t *out)
{
    const char *all = "";

    for (size_t i = 0; i < n; i++) {
        if (lore_streqi(text, names[i])) {
            *out = i;
            return LORE_OK;
        }
        all = lore_format(j->arena, "%s%s%s", all, i ? ", " : "", names[i]);
    }
    enum lore_status status = lore_fail_at(
        j->err, LORE_INVALID, "usage", name, "--%s: \"%s\" is none of %s", name, text, all);
    int near = lore_nearest(text, names, n);
    if (near >= 0)
        lore_err_hint(j->err, "did you mean %s?", names[near]);
    return status;
}

static enum lore_status
take_language(struct job *j)
{
    const char *text = opt(j, "backend");
    const char *source = opt(j, "source") ? opt(j, "source") : opt(j, "parent-source");
    const char *dot = source ? strrchr(source, '.') : NULL;

    if (!text && dot && strcmp(dot, ".cu") == 0)
        text = "cuda";
    if (!text && dot && strcmp(dot, ".hip") == 0)
        text = "hip";
    if (!text)
        return missing(j, "backend", "cuda, hip, triton, …");
    j->language = lore_language_find(text);
    if (j->language != LORE_LANG_NONE)
        return LORE_OK;
    const char *names[LORE_LANG_COUNT];
    size_t n = 0;
    for (int l = 1; l < LORE_LANG_COUNT; l++)
        names[n++] = lore_language_name((enum lore_language)l);
    enum lore_status status = lore_fail_at(
        j->err, LORE_INVALID, "usage", "backend", "--backend: unknown language \"%s\"", text);
    int near = lore_nearest(text, names, n);
    if (near >= 0)
        lore_err_hint(j->err, "did you mean %s?", names[near]);
    else
        lore_err_hint(j->err,
            "cuda, hip, triton, ck, cutlass, cute_dsl, gluon, flydsl, tilelang, asm, other");
    return status;
}

static enum lore_status
take_chip(struct job *j)
{
    const char *text = opt(j, "chip");
    const struct lore_chip *chip = text ? lore_chip_find(text) : NULL;

    if (!text || lore_streqi(text, "unknown"))
        return LORE_OK;
    if (chip) {
        j->chip = chip->name;
        return LORE_OK;
    }
    enum lore_status status =
        lore_fail_at(j->err, LORE_INVALID, "usage", "chip", "--chip: unknown chip \"%s\"", text);
    const char *near = lore_chip_hint(j->arena, text);
    if (near && *near)
        lore_err_hint(j->err, "did you mean %s?", near);
    else
        lore_err_hint(j->err, "warplore list chips --all lists them");
    return status;
}

static enum lore_status
take_workload(struct job *j)
{
    struct lore_workload *w = &j->workload;

    w->dtype = opt(j, "dtype");
    w->layout = opt(j, "layout");
    if (opt(j, "dims")) {
        enum lore_status status = lore_dims_parse(opt(j, "dims"), j->arena, &w->dims, j->err);
        if (status != LORE_OK)
            return status;
    }
    w->set = w->dims.n > 0 || w->dtype || w->layout;
    w->op = w->set ? j->op : NULL;
    return LORE_OK;
}

static enum lore_status
add_sources(struct job *j, const char *name, struct lore_version *v)
{
    size_t at = 0;

    for (const char *path; (path = lore_args_next(j->args, name, &at)) != NULL;) {
        struct lore_buf b = {.max = SOURCE_MAX};
        enum lore_status status = lore_file_read(path, &b, j->err);
        if (status == LORE_OK)
            status = lore_buf_status(&b, path, j->err);
        if (status == LORE_OK && b.len > 0 &&
            (memchr(b.data, '\0', b.len) || !lore_utf8_valid(b.data, b.len)))
            status = lore_fail_at(j->err, LORE_INVALID, "invalid_utf8", name,
                "--%s: %s is not UTF-8 text", name, path);
        if (status == LORE_OK) {
            struct lore_source *s = LORE_PUSH(j->arena, v->sources, v->n_sources, v->cap_sources);
            s->file = lore_strdup(j->arena, lore_build_basename(path));
            s->text = lore_strndup(j->arena, b.data ? b.data : "", b.len);
        }
        lore_buf_free(&b);
        if (status != LORE_OK)
            return status;
    }
    return LORE_OK;
}

static struct lore_version *
add_version(struct job *j, const char *label, enum lore_version_kind kind)
{
    struct lore_submission *doc = j->doc;
    struct lore_version *v = LORE_PUSH(j->arena, doc->versions, doc->n_versions, doc->cap_versions);
    const char *digits = label ? label + strspn(label, "vV") : "";
    long long ordinal = 0;

    v->id = lore_build_new_id(j->arena);
    v->kernel = j->x->kernel;
    v->kind = kind;
    v->label = label;
    if (*digits && lore_parse_i64(digits, "iteration", &ordinal, NULL) == LORE_OK && ordinal >= 0)
        v->ordinal = (struct lore_i64){true, ordinal};
    return v;
}

static enum lore_status
given_id(struct job *j, const char *name, const char **out)
{
    const char *id = opt(j, name);

    if (!id)
        return LORE_OK;
    if (!lore_ulid_valid(id))
        return lore_fail_at(
            j->err, LORE_INVALID, "usage", name, "--%s: \"%s\" is not an id", name, id);
    *out = id;
    return LORE_OK;
}

/* Add the version that the experiment started from, if an option describes it. */
static enum lore_status
take_from(struct job *j)
{
    const char *iteration = opt(j, "iteration");

    enum lore_status status = given_id(j, "from", &j->x->from_version);
    if (status != LORE_OK || j->x->from_version)
        return status;
    if (!lore_args_has(j->args, "parent-source") && j->n_before == 0 && !j->text.source)
        return LORE_OK;
    bool first = iteration && lore_streqi(iteration, "v1");
    struct lore_version *v =
        add_version(j, j->text.source, first ? LORE_V_BASELINE : LORE_V_CANDIDATE);
    j->x->from_version = v->id;
    return add_sources(j, "parent-source", v);
}

static enum lore_status
take_to(struct job *j)
{
    enum lore_status status = given_id(j, "to", &j->x->to_version);

    if (status != LORE_OK)
        return status;
    if (j->x->to_version) {
        if (lore_args_has(j->args, "source"))
            return lore_fail_at(j->err, LORE_INVALID, "usage", "source",
                "--source: the version of --to is stored already and does not change");
        return LORE_OK;
    }
    const char *label = opt(j, "iteration") ? opt(j, "iteration") : j->text.target;
    struct lore_version *v = add_version(j, label, LORE_V_CANDIDATE);
    j->x->to_version = v->id;
    if (j->x->from_version) {
        struct lore_parent *p = LORE_PUSH(j->arena, v->parents, v->n_parents, v->cap_parents);
        p->version = j->x->from_version;
        p->kind = LORE_E_DERIVED_FROM;
    }
    return add_sources(j, "source", v);
}

static void
take_hypothesis(struct job *j)
{
    struct lore_submission *doc = j->doc;
    const char *claim = opt(j, "hypothesis");

    if (!claim && !j->has_text)
        return;
    struct lore_hypothesis *h =
        LORE_PUSH(j->arena, doc->hypotheses, doc->n_hypotheses, doc->cap_hypotheses);
    if (j->has_text)
        *h = j->text.h;
    if (claim)
        h->claim = claim;
    h->id = lore_build_new_id(j->arena);
    h->from_version = j->x->from_version;
    h->to_version = j->x->to_version;
    j->x->hypothesis = h->id;
    lore_build_title(j->arena, j->x, h->claim);
    if (j->has_text && !j->text.source)
        j->x->extra = "{\"lineage_inferred\":true}"; /* the text does not say which versions */
}

/* Add the id of the followed `recommend` answer to the members of `extra`. */
static enum lore_status
take_advice(struct job *j)
{
    const char *id = opt(j, "advice");

    if (!id)
        return LORE_OK;
    if (!lore_ulid_valid(id))
        return lore_fail_at(j->err, LORE_INVALID, "usage", "advice",
            "--advice: \"%s\" is not the id of an answer of `recommend`", id);
    j->x->extra = lore_format(j->arena, "{\"advice\":\"%s\"%s%s", id, j->x->extra ? "," : "",
        j->x->extra ? j->x->extra + 1 : "}");
    return LORE_OK;
}

static void
add_run(struct job *j, const char *version, enum lore_run_role role, int64_t *samples, size_t n,
    struct lore_texts *list)
{
    struct lore_submission *doc = j->doc;

    if (n == 0)
        return;
    struct lore_run *r = LORE_PUSH(j->arena, doc->runs, doc->n_runs, doc->cap_runs);
    r->id = lore_build_new_id(j->arena);
    r->version = version;
    r->role = role;
    r->workload = j->workload;
    r->chip = j->chip;
    r->samples_ns = samples;
    r->n_samples = n;
    r->measured_at = opt(j, "date");
    if (role == LORE_ROLE_CANDIDATE && j->x->claim.correctness != LORE_C_NONE) {
        r->correctness.set = true;
        r->correctness.status = j->x->claim.correctness;
    }
    lore_build_text(j->arena, list, r->id);
}

static enum lore_status
take_correctness(struct job *j)
{
    const char *text = opt(j, "correctness");
    const char *names[LORE_C_COUNT];
    size_t n = 0, at = 0;

    if (!text)
        return LORE_OK;
    for (int c = 1; c < LORE_C_COUNT; c++)
        names[n++] = lore_check_name((enum lore_check)c);
    enum lore_status status = one_of(j, "correctness", text, names, n, &at);
    if (status == LORE_OK)
        j->x->claim.correctness = (enum lore_check)(at + 1);
    return status;
}

static enum lore_status
take_evidence(struct job *j)
{
    const char *text = opt(j, "evidence");
    const char *names[LORE_EV_COUNT];
    size_t n = 0, at = 0;

    if (!text)
        return LORE_OK;
    for (int e = 1; e < LORE_EV_COUNT; e++)
        names[n++] = lore_evidence_name((enum lore_evidence)e);
    enum lore_status status = one_of(j, "evidence", text, names, n, &at);
    if (status == LORE_OK)
        j->x->evidence = (enum lore_evidence)(at + 1);
    return status;
}

/* A misspelt outcome could never disagree with the numbers, so refuse it while the user can
 * correct it. */
static enum lore_status
take_outcome(struct job *j)
{
    static const char *const words[] = {"success", "failure", "neutral", "positive", "negative",
        "improved", "regressed", "regression", "win", "loss", "inconclusive", "invalid"};
    const char *text = opt(j, "outcome");
    size_t at = 0;

    j->x->claim.outcome = text;
    return text ? one_of(j, "outcome", text, words, sizeof words / sizeof *words, &at) : LORE_OK;
}

static enum lore_status
take_claim(struct job *j)
{
    struct lore_claim *c = &j->x->claim;

    enum lore_status status = latency(j, "latency-before", &c->latency_before_ns);
    if (status == LORE_OK)
        status = latency(j, "latency-after", &c->latency_after_ns);
    if (status == LORE_OK)
        status = take_outcome(j);
    if (status == LORE_OK)
        status = take_correctness(j);
    if (status == LORE_OK)
        status = take_evidence(j);
    c->set = c->latency_before_ns.set || c->latency_after_ns.set || c->outcome ||
             c->correctness != LORE_C_NONE;
    if (c->latency_before_ns.set && c->latency_after_ns.set)
        c->base = LORE_BASE_PARENT;
    return status;
}

static enum lore_status
take_metrics(struct job *j)
{
    static const struct {
        const char *option, *metric;
    } rows[] = {{"memory-sol", "memory_sol_pct"}, {"sm-sol", "sm_sol_pct"},
        {"occupancy", "achieved_occupancy"}};
    static const char *const sides[] = {"before", "after"};

    for (size_t i = 0; i < 6; i++) {
        struct lore_f64 v = {0};
        struct lore_metrics *list = i % 2 ? &j->x->metrics_after : &j->x->metrics_before;
        const char *name = lore_format(j->arena, "%s-%s", rows[i / 2].option, sides[i % 2]);
        enum lore_status status = number(j, name, &v);
        if (status != LORE_OK)
            return status;
        if (v.set)
            lore_build_metric(j->arena, list, rows[i / 2].metric, "%", v.v);
    }
    return LORE_OK;
}

static enum lore_status
take_words(struct job *j)
{
    size_t at = 0;
    int64_t us = 0;

    for (const char *t; (t = lore_args_next(j->args, "optimization", &at)) != NULL;)
        lore_build_technique(j->arena, j->x, t);
    at = 0;
    for (const char *r; (r = lore_args_next(j->args, "violation", &at)) != NULL;) {
        struct lore_violation *v =
            LORE_PUSH(j->arena, j->x->violations, j->x->n_violations, j->x->cap_violations);
        v->rule = r;
    }
    j->x->title = opt(j, "title");
    j->x->notes = opt(j, "notes");
    j->x->lesson = opt(j, "lesson");
    j->x->happened_at = opt(j, "date");
    if (j->x->happened_at && lore_time_parse(j->x->happened_at, &us, NULL) != LORE_OK) {
        enum lore_status status = lore_fail_at(
            j->err, LORE_INVALID, "usage", "date", "--date: \"%s\" is no date", j->x->happened_at);
        lore_err_hint(j->err, "2026-11-21, or with a time and a zone: 2026-11-21T08:43:39Z");
        return status;
    }
    return LORE_OK;
}

static enum lore_status
take_bottleneck(struct job *j)
{
    const char *text = opt(j, "bottleneck");
    const char *names[LORE_L_COUNT];

    if (opt(j, "stall"))
        j->x->bottleneck.evidence = lore_format(j->arena, "dominant stall: %s", opt(j, "stall"));
    if (lore_build_labels(j->arena, &j->x->bottleneck, text))
        return LORE_OK;
    enum lore_status status = lore_fail_at(j->err, LORE_INVALID, "usage", "bottleneck",
        "--bottleneck: \"%s\" is not a known bottleneck", text);
    for (int l = 0; l < LORE_L_COUNT; l++)
        names[l] = lore_label_name((enum lore_label)l);
    int near = lore_nearest(text, names, LORE_L_COUNT);
    if (near >= 0)
        lore_err_hint(j->err, "did you mean %s?", names[near]);
    else
        lore_err_hint(j->err, "memory, compute, latency, sync, occupancy, launch, tail, "
                              "divergence, …; several: memory+sync");
    return status;
}

/* An operator and a language alone are no experiment: usually options that a script left empty. */
static enum lore_status
check_content(struct job *j)
{
    static const char *const enough[] = {"optimization", "hypothesis", "hypothesis-file",
        "latency-before", "latency-after", "samples-before", "samples-after", "outcome", "notes",
        "lesson", "title", "source", "correctness", "violation", "memory-sol-before",
        "memory-sol-after", "sm-sol-before", "sm-sol-after", "occupancy-before", "occupancy-after"};

    for (size_t i = 0; i < sizeof enough / sizeof *enough; i++) {
        if (opt(j, enough[i]))
            return LORE_OK;
    }
    enum lore_status status = lore_fail_at(
        j->err, LORE_INVALID, "usage", "", "nothing to record: no change, no claim, no times");
    lore_err_hint(j->err, "add --optimization, --hypothesis, --latency-before and --latency-after, "
                          "or --notes");
    return status;
}

static enum lore_status
take_samples(struct job *j)
{
    enum lore_status status = LORE_OK;

    if (opt(j, "samples-before"))
        status = lore_samples_parse(
            opt(j, "samples-before"), "samples-before", j->arena, &j->before, &j->n_before, j->err);
    if (status == LORE_OK && opt(j, "samples-after"))
        status = lore_samples_parse(
            opt(j, "samples-after"), "samples-after", j->arena, &j->after, &j->n_after, j->err);
    return status;
}

static enum lore_status
read_hypothesis_text(struct job *j)
{
    const char *path = opt(j, "hypothesis-file");
    struct lore_buf b = {.max = LORE_HYPOTHESIS_MAX};

    if (!path)
        return LORE_OK;
    enum lore_status status = lore_file_read(path, &b, j->err);
    if (status == LORE_OK)
        status = lore_buf_status(&b, path, j->err);
    if (status == LORE_OK)
        status = lore_hypothesis_txt_parse(b.data ? b.data : "", b.len, j->arena, &j->text, j->err);
    if (status == LORE_INVALID)
        lore_args_err_in(j->err, path);
    lore_buf_free(&b);
    j->has_text = status == LORE_OK;
    return status;
}

static void
start_document(struct job *j)
{
    struct lore_submission *doc = j->doc;
    char now[LORE_TIME_SIZE];
    const char *author = opt(j, "author") ? opt(j, "author") : j->cli->config.author;
    const char *name = opt(j, "name") ? opt(j, "name") : j->op;

    memset(doc, 0, sizeof *doc);
    lore_time_format(lore_now_us(), now);
    doc->format = LORE_WIRE_VERSION;
    doc->id = lore_build_new_id(j->arena);
    doc->created_at = lore_strdup(j->arena, now);
    doc->author.name = author;
    j->x = LORE_PUSH(j->arena, doc->experiments, doc->n_experiments, doc->cap_experiments);
    j->x->id = lore_build_new_id(j->arena);
    j->x->author = author;
    j->x->chip = j->chip;
    doc->project = opt(j, "project") ? opt(j, "project") : j->cli->config.project;
    j->x->kernel = lore_build_kernel(j->arena, doc, j->op, j->language, name);
    j->x->workload = j->workload;
}

enum lore_status
lore_record_build(struct lore_cli *cli, const struct lore_args *args, struct lore_submission *doc,
    struct lore_err *err)
{
    struct job j = {.cli = cli, .arena = cli->arena, .args = args, .doc = doc, .err = err};
    enum lore_status (*const steps[])(struct job *) = {take_samples, take_claim, take_metrics,
        take_words, take_bottleneck, take_from, take_to, check_content};

    if (!opt(&j, "kernel"))
        return missing(&j, "kernel", "the operator: softmax, gemm, …");
    j.op = lore_operator_name(j.arena, opt(&j, "kernel"));
    enum lore_status status = take_language(&j);
    if (status == LORE_OK)
        status = take_chip(&j);
    if (status == LORE_OK)
        status = take_workload(&j);
    if (status == LORE_OK)
        status = read_hypothesis_text(&j);
    if (status != LORE_OK)
        return status;
    start_document(&j);
    for (size_t i = 0; i < sizeof steps / sizeof *steps && status == LORE_OK; i++)
        status = steps[i](&j);
    if (status != LORE_OK)
        return status;
    take_hypothesis(&j);
    if ((status = take_advice(&j)) != LORE_OK)
        return status;
    add_run(&j, j.x->from_version, LORE_ROLE_BASELINE, j.before, j.n_before, &j.x->runs_before);
    add_run(&j, j.x->to_version, LORE_ROLE_CANDIDATE, j.after, j.n_after, &j.x->runs_after);
    return LORE_OK;
}

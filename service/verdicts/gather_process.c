/* Facts for the process rules (service/derive/process.h) beside the samples. They are details of
 * checks, other runs of the version, tolerances of the baseline, recently stored runs, the
 * hypothesis, evidence in words, and targets. Each is read only when a rule needs it. */
#include <math.h>
#include <string.h>

#include "service/base/json.h"
#include "service/base/text.h"
#include "service/derive/metrics_lint.h"
#include "service/derive/paired.h"
#include "service/verdicts/gather.h"

static struct lore_f64
number(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_NUMBER ? (struct lore_f64){true, m->f} : (struct lore_f64){0};
}

static const char *
text(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_STRING ? m->str : NULL;
}

static void
raise_max(struct lore_f64 *worst, struct lore_f64 v)
{
    if (v.set && (!worst->set || fabs(v.v) > worst->v))
        *worst = (struct lore_f64){true, fabs(v.v)};
}

static void
read_check(const struct lore_json *check, struct lore_process_run *out)
{
    const struct lore_json *tensors = lore_json_get(check, "tensors");

    out->atol = number(check, "atol");
    out->rtol = number(check, "rtol");
    out->rel_err_limit = number(check, "rel_err_limit");
    raise_max(&out->worst, number(check, "max_abs_err"));
    raise_max(&out->worst, number(check, "rel_err"));
    for (const struct lore_json *t = tensors != NULL ? tensors->child : NULL; t != NULL;
         t = t->next) {
        raise_max(&out->worst, number(t, "max_abs"));
        raise_max(&out->worst, number(t, "mean_rel"));
    }
}

/* Whether REST contains a check, a source hash or a timing method. It saves parsing most
 * records. */
static bool
has_details(const char *rest)
{
    static const char *const keys[] = {
        "\"correctness\"", "\"source_hash\"", "\"timer\"", "\"order\"", "\"noise_floor_pct\""};

    for (size_t i = 0; rest != NULL && i < sizeof keys / sizeof *keys; i++) {
        if (strstr(rest, keys[i]))
            return true;
    }
    return false;
}

enum lore_status
lore_gather_run(const char *rest, struct lore_arena *a, struct lore_process_run *out,
    struct lore_gathered_method *method, struct lore_err *err)
{
    LORE_SCRATCH scratch = {0}; /* freed per record: records may be large and many */
    struct lore_json *root = NULL;
    enum lore_status status;

    *method = (struct lore_gathered_method){0};
    if (!has_details(rest))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, &scratch, &root, err);
    if (status == LORE_OK) {
        const struct lore_json *timing = lore_json_get(root, "method");
        struct lore_f64 floor = number(timing, "noise_floor_pct");

        out->source_hash = lore_strdup(a, text(root, "source_hash"));
        out->timer = lore_strdup(a, text(timing, "timer"));
        method->in_turns = lore_paired_order(text(timing, "order"));
        if (floor.set && floor.v >= 0 && floor.v < 100)
            method->floor = (struct lore_f64){true, floor.v / 100};
        read_check(lore_json_get(root, "correctness"), out);
    }
    return status;
}

static enum lore_status
add_checks(struct lore_db *db, struct lore_gathered *f, enum lore_fact_which which,
    struct lore_arena *a, struct lore_err *err)
{
    struct lore_fact_checks found = {0};
    enum lore_status status = lore_fact_checks(db, &f->x, which, a, &found, err);

    for (size_t i = 0; status == LORE_OK && i < found.n; i++) {
        const struct lore_fact_run *stored = &found.v[i];
        struct lore_process_run *run = LORE_PUSH(a, f->runs, f->n_runs, f->cap_runs);
        struct lore_gathered_method ignored;

        *run = (struct lore_process_run){
            .side = which == LORE_FACT_BASELINE ? LORE_P_BASELINE : LORE_P_SAME_VERSION,
            .version = stored->version,
            .workload = stored->workload,
            .dtype = stored->dtype,
            .correctness = stored->correctness};
        status = lore_gather_run(stored->rest, a, run, &ignored, err);
    }
    return status;
}

/* Facts that the rules need; the runs after the change decide which. */
struct needs {
    bool timed, passes; /* passes: a timed run has no passed check itself */
    bool baseline;      /* a run states tolerances to compare */
    bool sources;
};

static struct needs
needs_of(const struct lore_gathered *f)
{
    struct needs n = {0};

    for (size_t i = 0; i < f->n_runs; i++) {
        const struct lore_process_run *r = &f->runs[i];

        if (r->side != LORE_P_AFTER)
            continue;
        n.timed = n.timed || r->timed;
        n.passes = n.passes || (r->timed && r->correctness != LORE_C_PASS);
        n.baseline = n.baseline || r->atol.set || r->rtol.set || r->rel_err_limit.set;
        n.sources = n.sources || r->source_hash;
    }
    return n;
}

static bool
is_timed(const struct lore_gathered *f, size_t n, const char *workload)
{
    for (size_t i = 0; i < n; i++)
        if (f->runs[i].side == LORE_P_AFTER && f->runs[i].timed &&
            lore_streq(f->runs[i].workload, workload))
            return true;
    return false;
}

/* Add other checks of the to-version. A version never changes, so a check on a timed workload also
 * counts for the runs that timed it. */
static enum lore_status
add_other_checks(struct lore_db *db, struct lore_gathered *f, bool passes, struct lore_arena *a,
    struct lore_err *err)
{
    size_t first = f->n_runs;
    enum lore_status status = add_checks(db, f, LORE_FACT_FAILURES, a, err);

    if (status == LORE_OK && passes)
        status = add_checks(db, f, LORE_FACT_PASSES, a, err);
    for (size_t i = first; status == LORE_OK && i < f->n_runs; i++)
        if (f->runs[i].workload && is_timed(f, first, f->runs[i].workload))
            lore_gather_check(&f->in, f->runs[i].correctness);
    return status;
}

/* If a run with the metrics of P was stored shortly before the first run after the change, add
 * it. */
static enum lore_status
add_recent(struct lore_db *db, struct lore_gathered *f, const struct lore_gathered_profile *p,
    struct lore_arena *a, struct lore_err *err)
{
    const struct lore_metrics metrics = f->runs[p->run].metrics;
    const char *version = NULL;
    enum lore_status status =
        lore_fact_same_metrics(db, f->first_after, &p->stored, a, &version, err);

    if (status == LORE_OK && version)
        *LORE_PUSH(a, f->runs, f->n_runs, f->cap_runs) = (struct lore_process_run){
            .side = LORE_P_RECENT, .version = version, .metrics = metrics};
    return status;
}

static enum lore_status
add_sources(struct lore_db *db, struct lore_gathered *f, struct lore_arena *a, struct lore_err *err)
{
    struct lore_texts hashes = {0};
    enum lore_status status = lore_fact_sources(db, f->x.to_version, a, &hashes, err);

    f->in.process.sources = hashes.v;
    f->in.process.n_sources = hashes.n;
    return status;
}

static enum lore_status
add_other_runs(
    struct lore_db *db, struct lore_gathered *f, struct lore_arena *a, struct lore_err *err)
{
    struct needs needs = needs_of(f);
    enum lore_status status = LORE_OK;

    if (needs.timed && f->x.to_version)
        status = add_other_checks(db, f, needs.passes, a, err);
    if (status == LORE_OK && needs.baseline)
        status = add_checks(db, f, LORE_FACT_BASELINE, a, err);
    if (status == LORE_OK && needs.sources)
        status = add_sources(db, f, a, err);
    for (size_t i = 0; status == LORE_OK && i < f->n_profiles; i++) {
        const struct lore_process_run *r = &f->runs[f->profiles[i].run];

        if (r->side == LORE_P_AFTER && r->metrics.n >= LORE_PROFILE_MIN)
            status = add_recent(db, f, &f->profiles[i], a, err);
    }
    return status;
}

/* Add the hypothesis, its expectations, and whether it was submitted after the runs that test
 * it. */
static enum lore_status
add_hypothesis(struct lore_db *db, struct lore_gathered *f, struct lore_arena *a,
    struct lore_texts *words, struct lore_err *err)
{
    struct lore_process_in *p = &f->in.process;
    enum lore_status status;
    int64_t document = 0;

    if (!f->x.hypothesis)
        return LORE_OK;
    status = lore_db_get_hypothesis(db, f->x.hypothesis, a, &f->claim, err);
    if (status != LORE_OK)
        return status;
    p->has_hypothesis = true;
    p->claimed_us = f->claim.claimed_us;
    if (f->claim.h.rationale != NULL)
        *LORE_PUSH(a, words->v, words->n, words->cap) = f->claim.h.rationale;
    if (p->claimed_us != 0 || f->first_after_document == 0)
        return LORE_OK;
    status = lore_fact_hypothesis(db, f->x.hypothesis, &document, err);
    p->claimed_later = document > f->first_after_document;
    return status;
}

static void
add_targets(const struct lore_json *root, struct lore_arena *a, struct lore_target **list,
    size_t *n, size_t *cap)
{
    const struct lore_json *targets = lore_json_get(root, "targets");

    for (const struct lore_json *t = targets != NULL ? targets->child : NULL; t != NULL;
         t = t->next)
        *LORE_PUSH(a, *list, *n, *cap) =
            (struct lore_target){.metric = lore_strdup(a, text(t, "metric")),
                .value = number(t, "value"),
                .fraction_of_peak = number(t, "fraction_of_peak"),
                .spec = lore_strdup(a, text(t, "spec"))};
}

/* Add bottleneck evidence and targets from REST of the experiment and its campaign. */
static enum lore_status
add_unindexed_fields(
    struct lore_gathered *f, struct lore_arena *a, struct lore_texts *words, struct lore_err *err)
{
    const char *rests[] = {f->x.rest, f->x.campaign};
    struct lore_target *targets = NULL;
    size_t n = 0, cap = 0;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < 2; i++) {
        LORE_SCRATCH scratch = {0};
        struct lore_json *root = NULL;
        const char *evidence;

        if (!rests[i] ||
            (!strstr(rests[i], "\"evidence\"") && !strstr(rests[i], "\"fraction_of_peak\"")))
            continue;
        status = lore_json_parse(rests[i], strlen(rests[i]), NULL, &scratch, &root, err);
        evidence = status == LORE_OK ? text(lore_json_get(root, "bottleneck"), "evidence") : NULL;
        if (evidence != NULL)
            *LORE_PUSH(a, words->v, words->n, words->cap) = lore_strdup(a, evidence);
        if (status == LORE_OK)
            add_targets(root, a, &targets, &n, &cap);
    }
    f->in.process.targets = targets;
    f->in.process.n_targets = n;
    return status;
}

static void
add_lint(struct lore_gathered *f, struct lore_arena *a)
{
    struct lore_texts codes = {0};

    for (int side = 0; side < 2; side++) {
        size_t n = 0;
        const struct lore_metric_flag *flags = lore_metrics_lint(&f->measured[side].metrics, a, &n);

        for (size_t i = 0; i < n; i++)
            *LORE_PUSH(a, codes.v, codes.n, codes.cap) = flags[i].code;
    }
    f->in.process.lint = codes.v;
    f->in.process.n_lint = codes.n;
}

enum lore_status
lore_gather_process(
    struct lore_db *db, struct lore_gathered *f, struct lore_arena *a, struct lore_err *err)
{
    struct lore_process_in *p = &f->in.process;
    struct lore_texts words = {0};
    enum lore_status status;

    p->claim = f->in.claim;
    p->before = f->measured[0].metrics;
    status = add_other_runs(db, f, a, err);
    if (status == LORE_OK)
        status = add_hypothesis(db, f, a, &words, err);
    if (status == LORE_OK)
        status = add_unindexed_fields(f, a, &words, err);
    if (status != LORE_OK)
        return status;
    if (f->measured[0].metrics.n + f->measured[1].metrics.n > 0)
        add_lint(f, a);
    p->runs = f->runs;
    p->n_runs = f->n_runs;
    p->words = words.v;
    p->n_words = words.n;
    return LORE_OK;
}

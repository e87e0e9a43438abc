/* What the rules of process (service/derive/process.h) look at beside the samples: checks in
 * detail, other runs of the version, the baseline's limits, the runs stored before, the hypothesis,
 * evidence in words, targets. Each is read only when some rule can be decided by it. */
#include <math.h>
#include <string.h>

#include "db/facts.h"
#include "service/base/text.h"
#include "service/derive/metrics_lint.h"
#include "service/derive/paired.h"

static struct lore_f64
number(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m != NULL && m->type == LORE_J_NUMBER ? (struct lore_f64){true, m->f}
                                                 : (struct lore_f64){0};
}

static const char *
text(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m != NULL && m->type == LORE_J_STRING ? m->str : NULL;
}

static void
widen(struct lore_f64 *worst, struct lore_f64 v)
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
    widen(&out->worst, number(check, "max_abs_err"));
    widen(&out->worst, number(check, "rel_err"));
    for (const struct lore_json *t = tensors != NULL ? tensors->child : NULL; t != NULL;
         t = t->next) {
        widen(&out->worst, number(t, "max_abs"));
        widen(&out->worst, number(t, "mean_rel"));
    }
}

/* Whether REST has something to say of a check, a source or a method. */
static bool
says_more(const char *rest)
{
    static const char *const keys[] = {
        "\"correctness\"", "\"source_hash\"", "\"timer\"", "\"order\"", "\"noise_floor_pct\""};

    for (size_t i = 0; rest != NULL && i < sizeof keys / sizeof *keys; i++) {
        if (strstr(rest, keys[i]) != NULL)
            return true;
    }
    return false;
}

enum lore_status
lore_facts_run(const char *rest, struct lore_arena *a, struct lore_process_run *out,
    struct lore_fact_method *method, struct lore_err *err)
{
    struct lore_arena scratch = {0}; /* a record may be large, and many are read */
    struct lore_json *root = NULL;
    enum lore_status status;

    *method = (struct lore_fact_method){0};
    if (!says_more(rest))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, &scratch, &root, err);
    if (status == LORE_OK) {
        const struct lore_json *said = lore_json_get(root, "method");
        struct lore_f64 floor = number(said, "noise_floor_pct");

        out->source_hash = lore_strdup(a, text(root, "source_hash"));
        out->timer = lore_strdup(a, text(said, "timer"));
        method->in_turns = lore_paired_order(text(said, "order"));
        if (floor.set && floor.v >= 0 && floor.v < 100)
            method->floor = (struct lore_f64){true, floor.v / 100};
        read_check(lore_json_get(root, "correctness"), out);
    }
    lore_arena_free(&scratch);
    return status;
}

enum { MOST_OTHERS = 32 }; /* runs of a version that are looked at for a check */

/* Q: version, workload, dtype, correctness, rest. */
static enum lore_status
add_checks(struct lore_stmt *q, enum lore_process_side side, struct lore_facts *f,
    struct lore_arena *a, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_row(q)) {
        struct lore_process_run *run = LORE_PUSH(a, f->runs, f->n_runs, f->cap_runs);
        struct lore_fact_method ignored;

        *run = (struct lore_process_run){.side = side,
            .version = lore_col_text(q, 0, a),
            .workload = lore_col_text(q, 1, a),
            .dtype = lore_col_text(q, 2, a),
            .correctness = lore_check_of(lore_col_text(q, 3, NULL))};
        status = lore_facts_run(lore_col_text(q, 4, NULL), a, run, &ignored, err);
    }
    return status == LORE_OK ? lore_done(q, err) : status;
}

/* What rules need of the runs after. */
struct needs {
    bool timed, passes; /* passes: some timed workload has none of its own */
    bool baseline;      /* limits to compare */
    bool sources;
};

static struct needs
needs_of(const struct lore_facts *f)
{
    struct needs n = {0};

    for (size_t i = 0; i < f->n_runs; i++) {
        const struct lore_process_run *r = &f->runs[i];

        if (r->side != LORE_P_AFTER)
            continue;
        n.timed = n.timed || r->timed;
        n.passes = n.passes || (r->timed && r->correctness != LORE_C_PASS);
        n.baseline = n.baseline || r->atol.set || r->rtol.set || r->rel_err_limit.set;
        n.sources = n.sources || r->source_hash != NULL;
    }
    return n;
}

/* Run R is none of those after, which are counted already. The condition on correctness before this
 * one is word for word that of an index. */
#define OTHER                                                                                      \
    " NOT EXISTS (SELECT 1 FROM fact_experiment_run x WHERE x.experiment = $2 AND x.side = 1"      \
    " AND x.run = r.id) AND" LORE_RUN_COUNTS("r") " ORDER BY r.seq LIMIT $3"

static enum lore_status
add_passes(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT r.version, r.workload, w.dtype, r.correctness, r.rest FROM fact_run r"
                     " LEFT JOIN fact_workload w ON w.id = r.workload WHERE r.version = $1"
                     " AND r.correctness = 'pass' AND" OTHER);

    lore_bind_text(&q, 1, f->to_version);
    lore_bind_i64(&q, 2, f->seq);
    lore_bind_i64(&q, 3, MOST_OTHERS);
    return add_checks(&q, LORE_P_SAME, f, a, err);
}

static enum lore_status
add_failures(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT r.version, r.workload, w.dtype, r.correctness, r.rest FROM fact_run r"
                     " LEFT JOIN fact_workload w ON w.id = r.workload WHERE r.version = $1"
                     " AND r.correctness IN ('fail', 'timeout') AND" OTHER);

    lore_bind_text(&q, 1, f->to_version);
    lore_bind_i64(&q, 2, f->seq);
    lore_bind_i64(&q, 3, MOST_OTHERS);
    return add_checks(&q, LORE_P_SAME, f, a, err);
}

static bool
is_timed(const struct lore_facts *f, size_t n, const char *workload)
{
    for (size_t i = 0; i < n; i++)
        if (f->runs[i].side == LORE_P_AFTER && f->runs[i].timed &&
            lore_streq(f->runs[i].workload, workload))
            return true;
    return false;
}

/* Other checks of the version after. A version never changes: what they found on the workload that
 * was timed holds for the runs that timed it. */
static enum lore_status
add_same(struct lore_db *db, struct lore_facts *f, bool passes, struct lore_arena *a,
    struct lore_err *err)
{
    size_t first = f->n_runs;
    enum lore_status status = add_failures(db, f, a, err);

    if (status == LORE_OK && passes)
        status = add_passes(db, f, a, err);
    for (size_t i = first; status == LORE_OK && i < f->n_runs; i++)
        if (f->runs[i].workload != NULL && is_timed(f, first, f->runs[i].workload))
            lore_facts_check(&f->in, f->runs[i].correctness);
    return status;
}

/* The baseline is among the first versions of a kernel, or nobody made one. */
static enum lore_status
add_baseline(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT r.version, r.workload, w.dtype, r.correctness, r.rest FROM"
                     " (SELECT id, kind FROM fact_version WHERE kernel = $1 ORDER BY seq LIMIT 8) v"
                     " JOIN fact_run r ON r.version = v.id"
                     " LEFT JOIN fact_workload w ON w.id = r.workload"
                     " WHERE v.kind = 'baseline' AND r.correctness IS NOT NULL"
                     " AND" LORE_RUN_COUNTS("r") " LIMIT $2");

    lore_bind_text(&q, 1, f->kernel);
    lore_bind_i64(&q, 2, MOST_OTHERS);
    return add_checks(&q, LORE_P_BASELINE, f, a, err);
}

/* A run stored shortly before the first run after, with the very metrics of P: the window is as
 * wide as the series of runs that one importer sends together. */
static enum lore_status
add_near(struct lore_db *db, struct lore_facts *f, const struct lore_fact_profile *p,
    struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT version FROM fact_run WHERE seq > $1 - 24 AND seq < $1"
                               " AND length(metrics) = $2 AND metrics = $3 AND version <> $4"
                               " LIMIT 1");
    const struct lore_process_run after = f->runs[p->run];

    lore_bind_i64(&q, 1, f->first_after);
    lore_bind_i64(&q, 2, (int64_t)p->len);
    lore_bind_blob(&q, 3, p->packed, p->len);
    lore_bind_text(&q, 4, after.version);
    if (lore_row(&q))
        *LORE_PUSH(a, f->runs, f->n_runs, f->cap_runs) = (struct lore_process_run){
            .side = LORE_P_NEAR, .version = lore_col_text(&q, 0, a), .metrics = after.metrics};
    return lore_done(&q, err);
}

static enum lore_status
add_sources(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT blob FROM fact_source WHERE version = $1 ORDER BY position");
    struct lore_texts hashes = {0};
    enum lore_status status;

    lore_bind_text(&q, 1, f->to_version);
    while (lore_row(&q))
        *LORE_PUSH(a, hashes.v, hashes.n, hashes.cap) = lore_col_text(&q, 0, a);
    status = lore_done(&q, err);
    f->in.process.sources = hashes.v;
    f->in.process.n_sources = hashes.n;
    return status;
}

static enum lore_status
add_other_runs(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    struct needs needs = needs_of(f);
    enum lore_status status = LORE_OK;

    if (needs.timed && f->to_version != NULL)
        status = add_same(db, f, needs.passes, a, err);
    if (status == LORE_OK && needs.baseline)
        status = add_baseline(db, f, a, err);
    if (status == LORE_OK && needs.sources)
        status = add_sources(db, f, a, err);
    for (size_t i = 0; status == LORE_OK && i < f->n_profiles; i++) {
        const struct lore_process_run *r = &f->runs[f->profiles[i].run];

        if (r->side == LORE_P_AFTER && r->metrics.n >= LORE_PROFILE_MIN)
            status = add_near(db, f, &f->profiles[i], a, err);
    }
    return status;
}

/* The hypothesis with what it expects, and whether it came after the runs that test it. */
static enum lore_status
add_hypothesis(struct lore_db *db, struct lore_facts *f, struct lore_arena *a,
    struct lore_texts *words, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db, "SELECT document FROM fact_hypothesis WHERE id = $1");
    struct lore_process_in *p = &f->in.process;
    enum lore_status status;

    if (f->hypothesis == NULL)
        return LORE_OK;
    status = lore_get_hypothesis(db, f->hypothesis, a, &f->claim, err);
    if (status != LORE_OK)
        return status;
    p->has_hypothesis = true;
    p->claimed_us = f->claim.claimed_us;
    if (f->claim.h.rationale != NULL)
        *LORE_PUSH(a, words->v, words->n, words->cap) = f->claim.h.rationale;
    if (p->claimed_us != 0 || f->first_after_document == 0)
        return LORE_OK;
    lore_bind_text(&q, 1, f->hypothesis);
    if (lore_row(&q))
        p->claimed_later = lore_col_i64(&q, 0) > f->first_after_document;
    return lore_done(&q, err);
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

/* What the records of the experiment and of its campaign hold beside columns. */
static enum lore_status
add_rests(
    struct lore_facts *f, struct lore_arena *a, struct lore_texts *words, struct lore_err *err)
{
    const char *rests[] = {f->rest, f->campaign};
    struct lore_target *targets = NULL;
    size_t n = 0, cap = 0;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && i < 2; i++) {
        struct lore_arena scratch = {0};
        struct lore_json *root = NULL;
        const char *evidence;

        if (rests[i] == NULL || (strstr(rests[i], "\"evidence\"") == NULL &&
                                    strstr(rests[i], "\"fraction_of_peak\"") == NULL))
            continue;
        status = lore_json_parse(rests[i], strlen(rests[i]), NULL, &scratch, &root, err);
        evidence = status == LORE_OK ? text(lore_json_get(root, "bottleneck"), "evidence") : NULL;
        if (evidence != NULL)
            *LORE_PUSH(a, words->v, words->n, words->cap) = lore_strdup(a, evidence);
        if (status == LORE_OK)
            add_targets(root, a, &targets, &n, &cap);
        lore_arena_free(&scratch);
    }
    f->in.process.targets = targets;
    f->in.process.n_targets = n;
    return status;
}

static void
add_lint(struct lore_facts *f, struct lore_arena *a)
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
lore_facts_process(
    struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    struct lore_process_in *p = &f->in.process;
    struct lore_texts words = {0};
    bool timed[2] = {false, false};
    enum lore_status status;

    for (size_t i = 0; i < f->n_runs; i++)
        timed[f->runs[i].side == LORE_P_AFTER] |= f->runs[i].timed;
    p->measured = (f->evidence == LORE_EV_MEASURED || f->evidence == LORE_EV_CONFIRMED) &&
                  timed[0] && timed[1];
    p->claim = f->in.claim;
    p->before = f->measured[0].metrics;
    status = add_other_runs(db, f, a, err);
    if (status == LORE_OK)
        status = add_hypothesis(db, f, a, &words, err);
    if (status == LORE_OK)
        status = add_rests(f, a, &words, err);
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

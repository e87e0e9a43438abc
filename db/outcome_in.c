/* The facts a verdict is made from: both sides' samples and summaries, what was stated, what was
 * checked (facts.h). What only the rules of process look at is gathered in process_in.c.
 *
 * An experiment that states its numbers costs three statements, and none for what it has not. */
#include <string.h>

#include "db/facts.h"
#include "db/knowledge.h"
#include "db/metrics.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"

/* Collected over the runs of one side. */
struct side {
    int64_t *samples;
    size_t n, cap;
    struct lore_side_run *runs; /* of the samples */
    size_t n_runs, cap_runs;
    bool in_turns;         /* the last run's samples were taken in turns with another's */
    struct lore_f64 floor; /* the largest noise floor of its runs */
    const char *workload, *environment; /* of the last run with samples */
    double medians[64]; /* of runs without samples; more runs than this are not compared */
    size_t n_medians;
    size_t n_profiles; /* runs whose metrics were read */
    bool failed;
};

/* A verdict looks at the profiles of so many runs of a side; further ones repeat it. */
enum { MOST_PROFILES = 4 };

static int64_t *
grown(struct lore_arena *a, const struct side *s)
{
    int64_t *all = lore_alloc_array(a, s->cap, sizeof *all);

    memcpy(all, s->samples, s->n * sizeof *all);
    return all;
}

static void
add_samples(struct side *s, const void *p, size_t bytes, struct lore_arena *a)
{
    size_t more = bytes / sizeof *s->samples;

    if (more == 0)
        return;
    if (s->cap - s->n < more) { /* doubled: 64 runs would else copy each other's samples 64 times */
        s->cap = 2 * s->cap > s->n + more ? 2 * s->cap : s->n + more;
        s->samples = s->n == 0 ? lore_alloc_array(a, s->cap, sizeof *s->samples) : grown(a, s);
    }
    memcpy(s->samples + s->n, p, more * sizeof *s->samples);
    s->n += more;
}

/* Keeps the list sorted. */
static void
add_median(struct side *s, double ns)
{
    size_t i = s->n_medians;

    if (i == sizeof s->medians / sizeof *s->medians)
        return;
    for (; i > 0 && s->medians[i - 1] > ns; i--)
        s->medians[i] = s->medians[i - 1];
    s->medians[i] = ns;
    s->n_medians++;
}

static double
median_of(const struct side *s)
{
    size_t n = s->n_medians;

    if (n == 0)
        return 0;
    return n % 2 == 1 ? s->medians[n / 2] : (s->medians[n / 2 - 1] + s->medians[n / 2]) / 2;
}

void
lore_facts_check(struct lore_outcome_in *out, enum lore_check check)
{
    size_t room = sizeof out->correctness / sizeof *out->correctness;

    if (out->n_correctness < room)
        out->correctness[out->n_correctness++] = check;
    else if (check == LORE_C_FAIL || check == LORE_C_TIMEOUT)
        out->correctness[room - 1] = check;
}

/* RUN of side S has N samples and was measured so. */
static void
add_method(struct side *s, const struct lore_process_run *run, size_t n,
    const struct lore_fact_method *method, struct lore_arena *a)
{
    *LORE_PUSH(a, s->runs, s->n_runs, s->cap_runs) = (struct lore_side_run){n, run->measured_us};
    s->in_turns = method->in_turns;
    s->workload = run->workload;
    s->environment = run->environment;
    if (method->floor.set && (!s->floor.set || method->floor.v > s->floor.v))
        s->floor = method->floor;
}

static bool
in_turns(const struct side *a, const struct side *b)
{
    return a->n_runs == 1 && b->n_runs == 1 && a->in_turns && b->in_turns && a->n == b->n &&
           lore_streq(a->workload, b->workload) && lore_streq(a->environment, b->environment);
}

static enum lore_status
add_metrics(struct lore_db *db, const void *p, size_t len, struct lore_arena *a,
    struct lore_metrics *own, struct lore_metrics *all, struct lore_err *err)
{
    enum lore_status status = lore_metrics_unpack(db, p, len, a, own, err);

    for (size_t i = 0; status == LORE_OK && i < own->n; i++)
        *LORE_PUSH(a, all->v, all->n, all->cap) = own->v[i];
    return status;
}

/* The row of Q, a run of side S, with its samples as its time. */
static enum lore_status
add_run(struct lore_db *db, struct lore_stmt *q, struct side *s, struct lore_arena *a,
    struct lore_facts *f, struct lore_err *err)
{
    bool after = lore_col_i64(q, 0) == 1;
    struct lore_process_run *run = LORE_PUSH(a, f->runs, f->n_runs, f->cap_runs);
    enum lore_status status = LORE_OK;
    struct lore_fact_method method;
    size_t len, packed;
    const void *samples = lore_col_blob(q, 1, &len, NULL), *metrics;

    add_samples(s, samples, len, a);
    if (len == 0 && !lore_col_null(q, 2))
        add_median(s, lore_col_f64(q, 2));
    *run = (struct lore_process_run){.side = after ? LORE_P_AFTER : LORE_P_BEFORE,
        .timed = len > 0 || !lore_col_null(q, 2),
        .correctness = lore_check_of(lore_col_text(q, 3, NULL))};
    if (after && !lore_col_null(q, 3))
        lore_facts_check(&f->in, run->correctness);
    s->failed = s->failed || !lore_col_null(q, 4);
    run->environment = lore_col_text(q, 5, a);
    run->workload = lore_col_text(q, 6, a);
    run->version = lore_col_text(q, 7, a);
    run->measured_us = lore_col_i64(q, 8);
    run->dtype = lore_col_text(q, 9, a);
    run->tool = lore_col_text(q, 14, a);
    run->chip = lore_col_text(q, 15, a);
    if (after && (f->first_after == 0 || lore_col_i64(q, 12) < f->first_after)) {
        f->first_after = lore_col_i64(q, 12);
        f->first_after_document = lore_col_i64(q, 13);
    }
    status = lore_facts_run(lore_col_text(q, 11, NULL), a, run, &method, err);
    if (len > 0)
        add_method(s, run, len / sizeof *s->samples, &method, a);
    metrics = lore_col_blob(q, 10, &packed, a);
    if (status != LORE_OK || packed == 0 || s->n_profiles++ >= MOST_PROFILES)
        return status;
    *LORE_PUSH(a, f->profiles, f->n_profiles, f->cap_profiles) =
        (struct lore_fact_profile){f->n_runs - 1, packed, metrics, lore_col_text(q, 16, a)};
    return add_metrics(db, metrics, packed, a, &run->metrics, &f->measured[after].metrics, err);
}

static enum lore_status
add_runs(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct side sides[2],
    struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT er.side, r.samples_ns, coalesce(r.stated_median_ns, r.stated_mean_ns,"
        " r.stated_min_ns), r.correctness, r.error_type, n.hard_hash, r.workload,"
        " r.version, r.measured_us, w.dtype, r.metrics, r.rest, r.seq, r.document, r.tool, r.chip,"
        " r.id"
        " FROM fact_experiment_run er JOIN fact_run r ON r.id = er.run"
        " LEFT JOIN fact_environment n ON n.id = r.environment"
        " LEFT JOIN fact_workload w ON w.id = r.workload"
        " WHERE er.experiment = $1 AND" LORE_RUN_COUNTS("r") " ORDER BY er.side, er.position");
    enum lore_status status = LORE_OK;

    lore_bind_i64(&q, 1, f->seq);
    while (status == LORE_OK && lore_row(&q))
        status = add_run(db, &q, &sides[lore_col_i64(&q, 0) == 1], a, f, err);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* Do the verifications ID and OTHER look for the same? */
static enum lore_status
same_signature(
    struct lore_db *db, const char *id, const char *other, bool *same, struct lore_err *err)
{
    struct lore_arena scratch = {0};
    struct lore_verification_row mine, theirs;
    enum lore_status status = lore_get_verification(db, id, &scratch, &mine, err);

    if (status == LORE_OK)
        status = lore_get_verification(db, other, &scratch, &theirs, err);
    if (status == LORE_OK)
        *same = lore_streq(mine.r.signature, theirs.r.signature);
    lore_arena_free(&scratch);
    return status;
}

struct looked {     /* the last look at a technique that found or missed its pattern */
    const char *id; /* NULL: none */
    enum lore_signature_state state;
    bool contradicted; /* by an earlier look for the same pattern */
};

/* The last verification counts, but one without a tool or a file to look at takes nothing from one
 * that looked. Code does not change: when the same pattern was found in it and was not, nothing is
 * proved. */
static enum lore_status
add_verification(struct lore_db *db, struct lore_stmt *q, struct lore_fact_use *use,
    struct looked *last, struct lore_arena *a, struct lore_err *err)
{
    enum lore_signature_state state = lore_signature_state_find(lore_col_text(q, 2, NULL));
    const char *id = lore_col_text(q, 3, a);
    enum lore_status status = LORE_OK;
    bool same = false;

    if ((state == LORE_SIG_UNAVAILABLE || state == LORE_SIG_NOT_CHECKED) &&
        use->isa != LORE_SIG_NOT_CHECKED)
        return LORE_OK;
    use->isa = state != LORE_SIG_COUNT ? state : LORE_SIG_INCONCLUSIVE;
    if (state != LORE_SIG_VERIFIED && state != LORE_SIG_MISSING)
        return LORE_OK;
    if (last->id != NULL && (last->state != state || last->contradicted))
        status = same_signature(db, id, last->id, &same, err);
    if (same)
        use->isa = LORE_SIG_INCONCLUSIVE;
    *last = (struct looked){id, state, same};
    return status;
}

/* Those that REST says were not applied do not count: nothing changed by them. */
static enum lore_status
not_applied(const char *rest, uint64_t *out, struct lore_err *err)
{
    struct lore_arena scratch = {0};
    struct lore_json *root = NULL;
    const struct lore_json *uses;
    enum lore_status status;
    uint64_t bit = 1;

    *out = 0;
    if (rest == NULL ||
        (strstr(rest, "\"not_applied\"") == NULL && strstr(rest, "\"blocked\"") == NULL))
        return LORE_OK;
    status = lore_json_parse(rest, strlen(rest), NULL, &scratch, &root, err);
    uses = status == LORE_OK ? lore_json_get(root, "techniques") : NULL;
    for (const struct lore_json *u = uses != NULL ? uses->child : NULL; u != NULL;
         u = u->next, bit <<= 1) {
        const struct lore_json *said = lore_json_get(u, "status");

        if (said != NULL &&
            (lore_streq(said->str, "not_applied") || lore_streq(said->str, "blocked")))
            *out |= bit;
    }
    lore_arena_free(&scratch);
    return status;
}

static enum lore_status
add_techniques(struct lore_db *db, struct lore_facts *f, struct lore_arena *a, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT t.position, t.technique, v.status, v.id"
                     " FROM fact_experiment_technique t LEFT JOIN fact_verification v"
                     " ON v.version = $1 AND v.technique = t.technique AND" LORE_NOT_RETRACTED(
                         "v") " WHERE t.experiment = $2 ORDER BY t.position, v.seq");
    const char **slugs;
    struct looked last = {0};
    uint64_t out = 0;
    enum lore_status status = not_applied(f->rest, &out, err);

    lore_bind_text(&q, 1, f->to_version);
    lore_bind_i64(&q, 2, f->seq);
    while (status == LORE_OK && lore_row(&q)) {
        int64_t position = lore_col_i64(&q, 0);
        struct lore_fact_use *use = f->n_uses > 0 ? &f->uses[f->n_uses - 1] : NULL;

        if (position < 64 && out >> position & 1)
            continue;
        if (use == NULL || use->position != position) {
            use = LORE_PUSH(a, f->uses, f->n_uses, f->cap_uses);
            *use = (struct lore_fact_use){position, lore_col_text(&q, 1, a), LORE_SIG_NOT_CHECKED};
            last = (struct looked){0};
        }
        if (!lore_col_null(&q, 2))
            status = add_verification(db, &q, use, &last, a, err);
    }
    if (status == LORE_OK)
        status = lore_done(&q, err);
    slugs = lore_alloc_array(a, f->n_uses + 1, sizeof *slugs);
    for (size_t i = 0; i < f->n_uses; i++)
        slugs[i] = f->uses[i].technique;
    f->in.process.techniques = slugs;
    f->in.process.n_techniques = f->n_uses;
    return status;
}

static void
claim_columns(struct lore_stmt *q, int col, struct lore_arena *a, struct lore_outcome_in *in)
{
    struct lore_claim *c = &in->claim;
    struct lore_texts rules = {0};

    c->latency_before_ns = lore_col_opt_f64(q, col++);
    c->latency_after_ns = lore_col_opt_f64(q, col++);
    c->speedup = lore_col_opt_f64(q, col++);
    c->speedup_low = lore_col_opt_f64(q, col++);
    c->speedup_high = lore_col_opt_f64(q, col++);
    c->set = !lore_col_null(q, col);
    c->base = lore_base_of(lore_col_text(q, col++, NULL));
    c->base_name = lore_col_text(q, col++, a);
    c->outcome = lore_col_text(q, col++, a);
    c->correctness = lore_check_of(lore_col_text(q, col++, NULL));
    lore_split(lore_col_text(q, col, NULL), ',', a, &rules);
    in->violations = rules.v;
    in->n_violations = rules.n;
}

static enum lore_status
stated_metrics(struct lore_db *db, struct lore_stmt *q, int col, struct lore_arena *a,
    struct lore_metrics *out, struct lore_err *err)
{
    size_t len;
    const void *p = lore_col_blob(q, col, &len, NULL);

    return len == 0 ? LORE_OK : lore_metrics_unpack(db, p, len, a, out, err);
}

static enum lore_status
add_claim(struct lore_db *db, const char *experiment, struct lore_arena *a, struct lore_facts *f,
    struct lore_metrics stated[2], struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT e.seq, e.kernel, e.hypothesis, e.from_version, e.to_version, e.rest, c.rest,"
        " e.labels, e.evidence, EXISTS (SELECT 1 FROM drv_outcome o WHERE o.experiment = e.seq"
        " AND o.superseded_us IS NULL), e.metrics_before, e.metrics_after, e.claimed_before_ns,"
        " e.claimed_after_ns, e.claimed_speedup, e.claimed_low, e.claimed_high, e.base,"
        " e.base_name, e.typed_outcome, e.correctness, e.violations, e.chip, e.document, "
        "e.raw_label"
        " FROM fact_experiment e"
        " LEFT JOIN fact_experiment_campaign i ON i.experiment = e.seq"
        " LEFT JOIN fact_campaign c ON c.id = i.campaign WHERE e.id = $1");
    enum lore_status status;

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    f->seq = lore_col_i64(&q, 0);
    f->kernel = lore_col_text(&q, 1, a);
    f->hypothesis = lore_col_text(&q, 2, a);
    f->from_version = lore_col_text(&q, 3, a);
    f->to_version = lore_col_text(&q, 4, a);
    f->rest = lore_col_text(&q, 5, a);
    f->campaign = lore_col_text(&q, 6, a);
    f->in.process.labels = lore_labels_parse(lore_col_text(&q, 7, NULL), NULL);
    f->evidence = lore_evidence_of(lore_col_text(&q, 8, NULL));
    f->stands = lore_col_i64(&q, 9) != 0;
    status = stated_metrics(db, &q, 10, a, &stated[0], err);
    if (status == LORE_OK)
        status = stated_metrics(db, &q, 11, a, &stated[1], err);
    claim_columns(&q, 12, a, &f->in);
    f->chip = lore_col_text(&q, 22, a);
    f->document = lore_col_i64(&q, 23);
    f->says_bottleneck = f->in.process.labels != 0 || !lore_col_null(&q, 24);
    return status == LORE_OK ? lore_done(&q, err) : status;
}

/* Metrics of the runs come first: who asks by name gets the measured one. */
static void
close_side(const struct side *s, const struct lore_metrics *stated, struct lore_f64 claimed,
    struct lore_arena *a, struct lore_side *side, struct lore_measured *out)
{
    struct lore_metrics *all = &out->metrics;

    *side = (struct lore_side){s->samples, s->n, median_of(s), s->failed, s->runs, s->n_runs};
    for (size_t i = 0; i < stated->n; i++)
        *LORE_PUSH(a, all->v, all->n, all->cap) = stated->v[i];
    out->duration_ns = lore_noise_median(side, a);
    if (!out->duration_ns.set && claimed.set && claimed.v > 0)
        out->duration_ns = claimed;
}

enum lore_status
lore_facts_get(struct lore_db *db, const char *experiment, bool rules, struct lore_arena *a,
    struct lore_facts *out, struct lore_err *err)
{
    struct lore_facts f = {0};
    struct lore_metrics stated[2] = {{0}};
    struct side sides[2] = {0};
    struct lore_outcome_in *in = &f.in;
    enum lore_status status = add_claim(db, experiment, a, &f, stated, err);

    if (status == LORE_OK)
        status = add_techniques(db, &f, a, err);
    if (status == LORE_OK)
        status = add_runs(db, &f, a, sides, err);
    if (status != LORE_OK)
        return status;
    f.stated_before = stated[0];
    close_side(&sides[0], &stated[0], in->claim.latency_before_ns, a, &in->before, &f.measured[0]);
    close_side(&sides[1], &stated[1], in->claim.latency_after_ns, a, &in->after, &f.measured[1]);
    in->in_turns = in_turns(&sides[0], &sides[1]);
    in->floor = sides[1].floor.set && (!sides[0].floor.set || sides[1].floor.v > sides[0].floor.v)
                    ? sides[1].floor
                    : sides[0].floor;
    if (rules)
        status = lore_facts_process(db, &f, a, err);
    if (status == LORE_OK)
        *out = f;
    return status;
}

enum lore_status
lore_get_outcome_in(struct lore_db *db, const char *experiment, struct lore_arena *arena,
    struct lore_outcome_in *out, struct lore_err *err)
{
    struct lore_facts f;
    enum lore_status status = lore_facts_get(db, experiment, true, arena, &f, err);

    if (status == LORE_OK)
        *out = f.in;
    return status;
}

enum lore_status
lore_get_measured(struct lore_db *db, const char *experiment, bool after, struct lore_arena *a,
    struct lore_measured *out, struct lore_err *err)
{
    struct lore_facts f;
    enum lore_status status = lore_facts_get(db, experiment, false, a, &f, err);

    if (status == LORE_OK)
        *out = f.measured[after];
    return status;
}

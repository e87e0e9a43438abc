/* The facts a verdict is made from: both sides' samples and summaries, what was stated, what was
 * checked, and whether the two sides may be compared at all. */
#include <string.h>

#include "catalogue.h"
#include "internal.h"
#include "text.h"

/* Collected over the runs of one side. */
struct side {
    int64_t *samples;
    size_t n, cap;
    double medians[64]; /* of runs without samples; more runs than this are not compared */
    size_t n_medians;
    bool failed;
    const char *env, *workload; /* of the first run that says */
    bool env_varies, workload_varies;
};

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

static void
note(const char **first, bool *varies, const char *value)
{
    if (value == NULL)
        return;
    if (*first == NULL)
        *first = value;
    else if (!lore_streq(*first, value))
        *varies = true;
}

/* Two sides differ when both say and do not all say the same. */
static bool
differ(const char *a, bool a_varies, const char *b, bool b_varies)
{
    return a != NULL && b != NULL && (a_varies || b_varies || !lore_streq(a, b));
}

/* Room for sixteen; a bad result is never the one left out. */
static void
add_check(struct lore_outcome_in *out, enum lore_check check)
{
    size_t room = sizeof out->correctness / sizeof *out->correctness;

    if (out->n_correctness < room)
        out->correctness[out->n_correctness++] = check;
    else if (check == LORE_C_FAIL || check == LORE_C_TIMEOUT)
        out->correctness[room - 1] = check;
}

static enum lore_status
add_runs(struct lore_db *db, int64_t seq, struct lore_arena *a, struct side sides[2],
    struct lore_outcome_in *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT er.side, r.samples_ns, coalesce(r.stated_median_ns, r.stated_mean_ns,"
                     " r.stated_min_ns), r.correctness, r.error_type, n.hard_hash, r.workload"
                     " FROM fact_experiment_run er JOIN fact_run r ON r.id = er.run"
                     " LEFT JOIN fact_environment n ON n.id = r.environment"
                     " WHERE er.experiment = $1 ORDER BY er.side, er.position");

    lore_bind_i64(&q, 1, seq);
    while (lore_row(&q)) {
        bool after = lore_col_i64(&q, 0) == 1;
        struct side *s = &sides[after];
        size_t len;
        const void *samples = lore_col_blob(&q, 1, &len, NULL);

        add_samples(s, samples, len, a);
        if (len == 0 && !lore_col_null(&q, 2))
            add_median(s, lore_col_f64(&q, 2));
        if (after && !lore_col_null(&q, 3))
            add_check(out, lore_check_of(lore_col_text(&q, 3, NULL)));
        s->failed = s->failed || !lore_col_null(&q, 4);
        note(&s->env, &s->env_varies, lore_col_text(&q, 5, a));
        note(&s->workload, &s->workload_varies, lore_col_text(&q, 6, a));
    }
    return lore_done(&q, err);
}

static enum lore_status
add_techniques(struct lore_db *db, int64_t seq, struct lore_outcome_in *out, struct lore_err *err)
{
    LORE_STMT q =
        lore_sql(db, "SELECT technique FROM fact_experiment_technique WHERE experiment = $1");

    lore_bind_i64(&q, 1, seq);
    while (lore_row(&q)) {
        out->n_techniques++;
        if (lore_technique_is_placeholder(lore_col_text(&q, 0, NULL)))
            out->has_placeholder = true;
    }
    return lore_done(&q, err);
}

static enum lore_status
add_claim(struct lore_db *db, const char *experiment, struct lore_arena *a, int64_t *seq,
    struct lore_outcome_in *out, struct lore_err *err)
{
    LORE_STMT q = lore_sql(db,
        "SELECT seq, claimed_before_ns, claimed_after_ns, claimed_speedup, claimed_low,"
        " claimed_high, base, base_name, typed_outcome, correctness, violations"
        " FROM fact_experiment WHERE id = $1");
    struct lore_claim *c = &out->claim;
    struct lore_texts rules = {0};

    lore_bind_text(&q, 1, experiment);
    if (!lore_row(&q))
        return lore_end(&q, err, LORE_NOTFOUND, "experiment %s: no such experiment", experiment);
    *seq = lore_col_i64(&q, 0);
    c->latency_before_ns = lore_col_opt_f64(&q, 1);
    c->latency_after_ns = lore_col_opt_f64(&q, 2);
    c->speedup = lore_col_opt_f64(&q, 3);
    c->speedup_low = lore_col_opt_f64(&q, 4);
    c->speedup_high = lore_col_opt_f64(&q, 5);
    c->set = !lore_col_null(&q, 6);
    c->base = lore_base_of(lore_col_text(&q, 6, NULL));
    c->base_name = lore_col_text(&q, 7, a);
    c->outcome = lore_col_text(&q, 8, a);
    c->correctness = lore_check_of(lore_col_text(&q, 9, NULL));
    lore_split(lore_col_text(&q, 10, NULL), ',', a, &rules);
    out->violations = rules.v;
    out->n_violations = rules.n;
    return lore_done(&q, err);
}

enum lore_status
lore_get_outcome_in(struct lore_db *db, const char *experiment, struct lore_arena *arena,
    struct lore_outcome_in *out, struct lore_err *err)
{
    struct lore_outcome_in in = {0};
    struct side sides[2] = {0};
    enum lore_status status;
    int64_t seq = 0;

    status = add_claim(db, experiment, arena, &seq, &in, err);
    if (status == LORE_OK)
        status = add_techniques(db, seq, &in, err);
    if (status == LORE_OK)
        status = add_runs(db, seq, arena, sides, &in, err);
    if (status != LORE_OK)
        return status;
    in.before =
        (struct lore_side){sides[0].samples, sides[0].n, median_of(&sides[0]), sides[0].failed};
    in.after =
        (struct lore_side){sides[1].samples, sides[1].n, median_of(&sides[1]), sides[1].failed};
    in.hard_env_differs =
        differ(sides[0].env, sides[0].env_varies, sides[1].env, sides[1].env_varies);
    in.workload_differs = differ(
        sides[0].workload, sides[0].workload_varies, sides[1].workload, sides[1].workload_varies);
    *out = in;
    return LORE_OK;
}

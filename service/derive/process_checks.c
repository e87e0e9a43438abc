/* Rules about correctness checks, profiles and sources (process.h). */
#include <math.h>
#include <string.h>

#include "service/base/text.h"
#include "service/derive/metrics_lint.h"
#include "service/derive/process_rules.h"

/* Whether R is a run of the to-version. */
static bool
is_after(const struct lore_process_run *r)
{
    return r->side == LORE_P_AFTER || r->side == LORE_P_SAME_VERSION;
}

/* Whether a check of the to-version passed on WORKLOAD; NULL: on an unrecorded workload. */
static bool
passed_on(const struct lore_process_in *in, const char *workload)
{
    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (is_after(r) && r->correctness == LORE_C_PASS && lore_streq(r->workload, workload))
            return true;
    }
    return false;
}

/* Summary of the runs of the to-version. */
struct run_summary {
    bool timed, passed, failed;
};

static struct run_summary
summarise_runs(const struct lore_process_in *in)
{
    struct run_summary s = {0};

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        s.timed = s.timed || (r->side == LORE_P_AFTER && r->timed);
        if (!is_after(r))
            continue;
        s.passed = s.passed || r->correctness == LORE_C_PASS;
        s.failed = s.failed || r->correctness == LORE_C_FAIL || r->correctness == LORE_C_TIMEOUT;
    }
    return s;
}

static enum lore_ruling
max_ruling(enum lore_ruling a, enum lore_ruling b)
{
    return a > b ? a : b; /* unknown < kept < broken */
}

bool
lore_process_is_timed(const struct lore_process_in *in)
{
    const struct lore_claim *c = &in->claim;

    return c->latency_after_ns.set || c->speedup.set || c->speedup_low.set || c->speedup_high.set ||
           summarise_runs(in).timed;
}

/* A check that failed is no missing check. */
enum lore_ruling
lore_process_correctness_check(const struct lore_process_in *in)
{
    struct run_summary s = summarise_runs(in);
    bool said = in->claim.correctness != LORE_C_NONE && in->claim.correctness != LORE_C_NOT_CHECKED;

    if (!lore_process_is_timed(in))
        return LORE_RULING_UNKNOWN;
    return s.passed || s.failed || said ? LORE_RULING_KEPT : LORE_RULING_BROKEN;
}

/* Every timed workload needs a pass of its own. */
enum lore_ruling
lore_process_correctness_other_shape(const struct lore_process_in *in)
{
    enum lore_ruling found = LORE_RULING_UNKNOWN;
    bool unknown = passed_on(in, NULL);

    if (!summarise_runs(in).passed)
        return LORE_RULING_UNKNOWN;
    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side != LORE_P_AFTER || !r->timed || !r->workload)
            continue;
        if (passed_on(in, r->workload))
            found = max_ruling(found, LORE_RULING_KEPT);
        else if (!unknown)
            return LORE_RULING_BROKEN;
    }
    return found;
}

/* The loosest limits of the runs on one side. */
struct limits {
    struct lore_f64 atol, rtol, rel_err;
};

static void
raise_limit(struct lore_f64 *limit, struct lore_f64 v)
{
    if (v.set && (!limit->set || v.v > limit->v))
        *limit = v;
}

/* The limits of the checks in DTYPE only, because half precision needs larger ones than single. */
static struct limits
limits_of(const struct lore_process_in *in, bool after, const char *dtype)
{
    struct limits l = {{0}, {0}, {0}};

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];
        bool mine = after ? is_after(r) : r->side == LORE_P_BEFORE || r->side == LORE_P_BASELINE;

        if (!mine || !lore_streq(r->dtype, dtype))
            continue;
        raise_limit(&l.atol, r->atol);
        raise_limit(&l.rtol, r->rtol);
        raise_limit(&l.rel_err, r->rel_err_limit);
    }
    return l;
}

static enum lore_ruling
looser(struct lore_f64 before, struct lore_f64 after)
{
    if (!before.set || !after.set)
        return LORE_RULING_UNKNOWN;
    return after.v > before.v * (1 + 1e-9) ? LORE_RULING_BROKEN : LORE_RULING_KEPT;
}

enum lore_ruling
lore_process_tolerance_loosened(const struct lore_process_in *in)
{
    enum lore_ruling found = LORE_RULING_UNKNOWN;

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];
        struct limits a, b;

        if (!is_after(r) || !(r->atol.set || r->rtol.set || r->rel_err_limit.set))
            continue;
        b = limits_of(in, false, r->dtype);
        a = limits_of(in, true, r->dtype);
        found = max_ruling(found, looser(b.atol, a.atol));
        found = max_ruling(found, looser(b.rtol, a.rtol));
        found = max_ruling(found, looser(b.rel_err, a.rel_err));
    }
    return found;
}

/* Whether DTYPE is an integer type. Correct integer results are equal, so a zero difference is not
 * suspicious. */
static bool
whole_numbers(const char *dtype)
{
    return dtype && (*dtype == 'i' || *dtype == 'u' || strncmp(dtype, "bool", 4) == 0);
}

enum lore_ruling
lore_process_zero_differences(const struct lore_process_in *in)
{
    size_t checks = 0;

    for (size_t i = 0; i < in->n_runs; i++) {
        const struct lore_process_run *r = &in->runs[i];

        if (r->side == LORE_P_RECENT || !r->worst.set || whole_numbers(r->dtype))
            continue;
        if (fabs(r->worst.v) > 0)
            return LORE_RULING_KEPT;
        checks += is_after(r);
    }
    return checks == 0 ? LORE_RULING_UNKNOWN : LORE_RULING_BROKEN;
}

/* The number of fractional values. Only these show a copied profile: launch facts and counts of a
 * deterministic kernel are integers and repeat. */
static size_t
fractions(const struct lore_metrics *m)
{
    size_t n = 0;

    for (size_t i = 0; i < m->n; i++)
        n +=
            m->v[i].missing == LORE_MISS_NONE && fabs(m->v[i].value - nearbyint(m->v[i].value)) > 0;
    return n;
}

enum lore_ruling
lore_process_profile_reused(const struct lore_process_in *in)
{
    LORE_SCRATCH scratch = {0};
    enum lore_ruling found = LORE_RULING_UNKNOWN;

    for (size_t i = 0; i < in->n_runs && found != LORE_RULING_BROKEN; i++) {
        const struct lore_process_run *a = &in->runs[i];

        if (a->side != LORE_P_AFTER || fractions(&a->metrics) < LORE_PROFILE_MIN)
            continue;
        for (size_t k = 0; k < in->n_runs; k++) {
            const struct lore_process_run *b = &in->runs[k];
            struct lore_profile_match m;

            if (is_after(b) || !b->version || lore_streq(a->version, b->version) ||
                fractions(&b->metrics) < LORE_PROFILE_MIN)
                continue;
            lore_metrics_equal_profile(&a->metrics, &b->metrics, &scratch, &m);
            found = max_ruling(found, m.suspect ? LORE_RULING_BROKEN : LORE_RULING_KEPT);
        }
    }
    return found;
}

enum lore_ruling
lore_process_other_source(const struct lore_process_in *in)
{
    enum lore_ruling found = LORE_RULING_UNKNOWN;

    for (size_t i = 0; i < in->n_runs && in->n_sources > 0; i++) {
        const struct lore_process_run *r = &in->runs[i];
        bool here = false;

        if (r->side != LORE_P_AFTER || !r->source_hash)
            continue;
        for (size_t k = 0; k < in->n_sources; k++)
            here = here || lore_streqi(r->source_hash, in->sources[k]);
        found = max_ruling(found, here ? LORE_RULING_KEPT : LORE_RULING_BROKEN);
    }
    return found;
}

/* What is derived for each run (verdicts.h). The limit of a place is computed once, when its first
 * run arrives, and again when a hardware number changes. */
#include <string.h>

#include "db/limit.h"
#include "db/sweep.h"
#include "service/base/text.h"
#include "service/catalogue/spec_names.h"
#include "service/catalogue/units.h"
#include "service/derive/bottleneck.h"
#include "service/derive/limit.h"
#include "service/verdicts/verdicts.h"

/* A number in force, in SI units, with its name and source. */
struct rate {
    double value; /* 0: unknown */
    const char *metric;
    struct lore_peak_row stored;
};
struct lore_rates { /* of one chip and data type */
    const char *chip, *dtype;
    struct rate flops, any_flops, bytes, cache;
    struct lore_rates *next;
};

/* Read METRIC of R->chip unless *OUT has a larger value. */
static enum lore_status
read_rate(struct lore_db *db, const char *chip, const char *metric, struct lore_arena *a,
    struct rate *out, struct lore_err *err)
{
    struct rate r = {.metric = metric};
    const char *dimension = NULL;
    enum lore_status status =
        metric ? lore_db_get_peak(db, chip, metric, a, &r.stored, err) : LORE_OK;

    if (status == LORE_OK && r.stored.id &&
        lore_unit_normalise(r.stored.value, r.stored.unit, &r.value, &dimension) &&
        r.value > out->value)
        *out = r;
    return status;
}

/* The rate of operations that no honest run exceeds is that of the fastest units: a product of f32
 * may run as tf32. None bounds f64, which faster units compute in parts. */
static enum lore_status
read_flops(struct lore_db *db, struct lore_rates *r, struct lore_arena *a, struct lore_err *err)
{
    bool by_matrix = lore_spec_by_matrix(r->dtype);
    const char *usual = lore_spec_peak(a, r->dtype, by_matrix, false, NULL);
    const char *other = lore_spec_peak(a, r->dtype, !by_matrix, false, NULL);
    bool emulated = usual && lore_starts(usual, "peak_tflops.fp64.");
    bool f32 = usual && lore_starts(usual, "peak_tflops.fp32.");
    enum lore_status status = read_rate(db, r->chip, usual, a, &r->flops, err);

    r->any_flops = emulated ? (struct rate){0} : r->flops;
    if (status != LORE_OK || emulated)
        return status;
    status = read_rate(db, r->chip, other, a, &r->any_flops, err);
    return status == LORE_OK && f32
               ? read_rate(db, r->chip, lore_spec_peak(a, "tf32", true, false, NULL), a,
                     &r->any_flops, err)
               : status;
}

static enum lore_status
read_rates(struct lore_db *db, struct lore_rates *r, struct lore_arena *a, struct lore_err *err)
{
    enum lore_status status = read_flops(db, r, a, err);

    if (status == LORE_OK)
        status = read_rate(db, r->chip, "hbm_bandwidth", a, &r->bytes, err);
    if (status == LORE_OK)
        status = read_rate(db, r->chip, "l2_bytes", a, &r->cache, err);
    return status == LORE_OK ? read_rate(db, r->chip, "l3_bytes", a, &r->cache, err) : status;
}

/* The rates of the chip and data type of ROW; read into LIST, which lives in A, when it lacks them.
 */
static enum lore_status
find_rates(struct lore_db *db, struct lore_rates **list, const struct lore_limit_row *row,
    struct lore_arena *a, const struct lore_rates **out, struct lore_err *err)
{
    const char *chip = row->chip, *dtype = row->of.dtype;
    struct lore_rates *r = *list;
    enum lore_status status = LORE_OK;

    while (r && (!lore_streq(r->chip, chip) || !lore_streq(r->dtype, dtype)))
        r = r->next;
    if (!r) {
        r = lore_alloc(a, sizeof *r);
        *r = (struct lore_rates){.chip = lore_strdup(a, chip),
            .dtype = dtype ? lore_strdup(a, dtype) : NULL,
            .next = *list};
        if ((status = read_rates(db, r, a, err)) == LORE_OK)
            *list = r;
    }
    *out = r;
    return status;
}

static const char *
time_text(struct lore_arena *a, double ns)
{
    static const char *const units[] = {"ns", "us", "ms", "s"};
    size_t i = 0;

    for (; ns >= 1000 && i < 3; i++)
        ns /= 1000;
    return lore_format(a, "%.3g %s", ns, units[i]);
}

static const char *
why(const struct lore_rates *r, const struct lore_work *work, const struct lore_limit *l,
    struct lore_arena *a)
{
    const struct rate *rate = l->floor_memory ? &r->bytes : &r->any_flops;

    if (l->floor_ns <= 0)
        return "";
    return lore_format(a,
        "%s needs at least %s: %.4g %s at %.6g %s (%s <- %s), %.0f %% added for clocks", r->chip,
        time_text(a, l->floor_ns),
        l->floor_memory ? work->bytes.v - r->cache.value : work->flops.v * work->sure,
        l->floor_memory ? "bytes beyond the cache" : "operations", rate->stored.value,
        rate->stored.unit ? rate->stored.unit : "", rate->metric,
        rate->stored.cite ? rate->stored.cite : rate->stored.id, 100 * (LORE_LIMIT_MARGIN - 1));
}

/* Compute the limit of ROW, whose `of` is set, in A. Many rows share the rates of LIST, which lives
 * in OF_RATES. */
static enum lore_status
compute(struct lore_db *db, struct lore_rates **list, struct lore_arena *of_rates,
    struct lore_arena *a, struct lore_limit_row *row, struct lore_err *err)
{
    const struct lore_rates *rates;
    struct lore_kvs dims = {0};
    struct lore_work work = {0};
    struct lore_limit l;
    struct lore_err ignored;
    enum lore_status status = find_rates(db, list, row, of_rates, &rates, err);

    if (status != LORE_OK)
        return status;
    if (row->of.dims && lore_dims_parse(row->of.dims, a, &dims, &ignored) == LORE_OK)
        (void)lore_work_of(row->of.op, &dims, row->of.dtype, &work);
    l = lore_limit_of(&work, &(struct lore_peaks){rates->flops.value, rates->any_flops.value,
                                 rates->bytes.value, rates->cache.value});
    row->peak_ns = l.peak_ns;
    row->floor_ns = l.floor_ns;
    row->memory = l.memory;
    row->why = why(rates, &work, &l, a);
    return LORE_OK;
}

/* Compute and store the limit of the place of T. The rates that C keeps may be older than the
 * hardware numbers of its document. */
static enum lore_status
put_limit(
    const struct lore_put_ctx *c, struct lore_timed *t, struct lore_arena *a, struct lore_err *err)
{
    struct lore_limit_row row = {.workload = t->workload, .chip = t->chip};
    struct lore_rates *own = NULL;
    bool keep = c->rates && !(c->effects && c->effects->specs);
    enum lore_status status = lore_db_get_workload(c->db, t->workload, a, &row.of, err);

    if (status == LORE_OK)
        status = compute(c->db, keep ? c->rates : &own, keep ? c->arena : a, a, &row, err);
    if (status == LORE_OK)
        status = lore_db_put_limit(c->db, &row, err);
    t->floor_ns = row.floor_ns;
    t->why = row.why;
    return status;
}

static const char *
reason(struct lore_arena *a, double ns, const char *limit)
{
    return lore_format(a, "%s; %s", time_text(a, ns), limit);
}

/* Set RECORD aside if its time T is shorter than possible; of a sweep, those configurations. */
static enum lore_status
check_time(const struct lore_put_ctx *c, enum lore_kind kind, const char *record,
    struct lore_timed t, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    enum lore_status status = LORE_OK;

    if (!t.workload || !t.chip || t.ns <= 0)
        return LORE_OK;
    if (!t.known)
        status = put_limit(c, &t, &a, err);
    if (status != LORE_OK || t.ns >= t.floor_ns)
        return status;
    return kind == LORE_K_SWEEP ? lore_sweep_judge(c->db, record, err)
                                : lore_put_beyond(c, record, reason(&a, t.ns, t.why), true, err);
}

static uint32_t
shown_by(const struct lore_metrics *metrics, struct lore_arena *a)
{
    struct lore_shown_bottleneck shown;

    lore_bottleneck_from_metrics(metrics, a, &shown);
    return shown.labels;
}

uint32_t
lore_verdicts_shown(const struct lore_run *run, struct lore_arena *a)
{
    return run->n_diagnoses == 0 && run->metrics.n > 0 ? shown_by(&run->metrics, a) : 0;
}

static enum lore_status
label_run(void *ctx, int64_t run, const struct lore_metrics *metrics, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    uint32_t labels = shown_by(metrics, &a);

    return labels != 0 ? lore_put_run_labels(ctx, run, labels, err) : LORE_OK;
}

enum lore_status
lore_verdicts_run(const struct lore_put_ctx *c, const struct lore_run *run, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_timed t;
    enum lore_status status = lore_db_get_timed(c->db, LORE_K_RUN, run->id, &a, &t, err);

    return status == LORE_OK ? check_time(c, LORE_K_RUN, run->id, t, err) : status;
}

enum lore_status
lore_verdicts_sweep(
    const struct lore_put_ctx *c, const struct lore_sweep *sweep, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_timed t;
    enum lore_status status = lore_db_get_timed(c->db, LORE_K_SWEEP, sweep->id, &a, &t, err);

    return status == LORE_OK ? check_time(c, LORE_K_SWEEP, sweep->id, t, err) : status;
}

enum lore_status
lore_verdicts_statement(
    const struct lore_put_ctx *c, const struct lore_experiment *e, struct lore_err *err)
{
    LORE_SCRATCH a = {0};
    struct lore_timed t;
    enum lore_status status = LORE_OK;

    if (!e->claim.latency_after_ns.set || e->runs_after.n > 0)
        return LORE_OK; /* the runs count instead */
    status = lore_db_get_timed(c->db, LORE_K_EXPERIMENT, e->id, &a, &t, err);
    return status == LORE_OK ? check_time(c, LORE_K_EXPERIMENT, e->id, t, err) : status;
}

enum lore_status
lore_verdicts_runs(const struct lore_put_ctx *c, bool *changed, struct lore_err *err)
{
    enum lore_status status = lore_db_each_profile(c->db, label_run, c->db, err);

    return status == LORE_OK ? lore_verdicts_limits(c, true, changed, err) : status;
}

enum lore_status
lore_verdicts_limits(const struct lore_put_ctx *c, bool all, bool *changed, struct lore_err *err)
{
    struct lore_limit_row *rows = NULL;
    struct lore_misjudged *wrong = NULL;
    struct lore_rates *rates = NULL;
    size_t n = 0, n_wrong = 0;
    enum lore_status status = lore_db_list_limits(c->db, all, c->arena, &rows, &n, err);

    *changed = false;
    for (size_t i = 0; status == LORE_OK && i < n; i++) {
        struct lore_limit_row was = rows[i];

        status = compute(c->db, &rates, c->arena, c->arena, &rows[i], err);
        if (status != LORE_OK ||
            (rows[i].peak_ns == was.peak_ns && rows[i].floor_ns == was.floor_ns &&
                lore_streq(rows[i].why, was.why)))
            continue;
        *changed = true;
        status = lore_db_put_limit(c->db, &rows[i], err);
    }
    if (status == LORE_OK && *changed)
        status = lore_db_list_misjudged(c->db, c->arena, &wrong, &n_wrong, err);
    for (size_t i = 0; status == LORE_OK && i < n_wrong; i++)
        status = lore_put_beyond(c, wrong[i].record,
            wrong[i].beyond ? reason(c->arena, wrong[i].ns, wrong[i].why) : NULL, false, err);
    if (status == LORE_OK && *changed && !all) /* a rebuild derives sweeps later */
        status = lore_sweeps_all(c->db, err);
    return status;
}

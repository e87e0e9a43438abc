/* GET /api/v1/roofline: what a chip would allow, from numbers in force only; and /axis-budget. An
 * input that nobody sourced leaves every result that needs it without a number, and is named. */
#include <math.h>
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/edge.h"
#include "service/api/hardware.h"
#include "service/api/present.h"
#include "service/api/timing.h"
#include "service/base/text.h"
#include "service/derive/budget.h"
#include "service/derive/outcome.h"

enum { MAX_UNKNOWN = 16 };

struct asked {
    struct lore_hardware h;
    const char *dtype;
    bool tile;
    struct lore_tile_in in;                  /* also holds what the algorithmic form takes */
    struct lore_input flops, bytes, time_ns; /* as given; the formulas take seconds */
    const char *environment;                 /* whose ceilings come first; NULL: not known */
    struct lore_ceiling ceiling;             /* what ceiling_bw is */
};

/* A parameter that is a number of 0 or more, in UNIT. */
static enum lore_status
number(const struct lore_req *req, const char *name, const char *unit, struct lore_input *out,
    struct lore_err *err)
{
    const char *text = lore_arg_text(req, name, NULL);
    struct lore_err ignored;
    double v = 0;

    *out = (struct lore_input){.name = name, .why = LORE_NOT_GIVEN, .unit = unit};
    if (text == NULL)
        return LORE_OK;
    if (lore_parse_f64(text, name, &v, &ignored) != LORE_OK || !isfinite(v) || v < 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", name,
            "%s: expected a number of 0 or more", name);
    out->known = true;
    out->value = v;
    return LORE_OK;
}

/* What the shape says, where the caller says nothing. */
static void
take(struct lore_input *in, struct lore_f64 v)
{
    if (in->known || !v.set)
        return;
    in->known = true;
    in->value = v.v;
}

/* Chip, type, work and time of a run, where the caller gave none. */
static enum lore_status
from_run(struct lore_req *req, struct asked *a, const struct lore_chip **chip, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "run", NULL);
    struct lore_run_row run = {0};
    struct lore_work work;
    enum lore_status status;
    double ns;

    if (id == NULL)
        return LORE_OK;
    status = lore_get_run(req->db, id, req->arena, &run, err);
    if (status != LORE_OK)
        return status;
    if (*chip == NULL && run.r.chip != NULL)
        *chip = lore_chip_find(run.r.chip);
    if (a->dtype == NULL)
        a->dtype = run.workload.dtype;
    if (lore_run_work(&run, &work)) {
        take(&a->flops, work.flops);
        take(&a->bytes, work.bytes);
    }
    if (a->environment == NULL)
        a->environment = run.r.environment;
    ns = lore_run_time_ns(&run.r, req->arena);
    if (!a->time_ns.known && ns > 0) {
        a->time_ns.known = true;
        a->time_ns.value = ns;
    }
    return LORE_OK;
}

static enum lore_status
read_numbers(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    enum lore_status status = number(req, "flops", "FLOP", &a->flops, err);

    if (status == LORE_OK)
        status = number(req, "bytes", "byte", &a->bytes, err);
    if (status == LORE_OK)
        status = number(req, "time_ns", "ns", &a->time_ns, err);
    if (status == LORE_OK)
        status = number(req, "tile_flops", "FLOP", &a->in.tile_flops, err);
    if (status == LORE_OK)
        status = number(req, "tile_bytes", "byte", &a->in.tile_bytes, err);
    if (status == LORE_OK)
        status = number(req, "grid_blocks", "1", &a->in.grid_blocks, err);
    a->tile = a->in.tile_flops.known || a->in.tile_bytes.known || a->in.grid_blocks.known;
    return status;
}

/* Which units compute, when nobody says: plain code in fp32 and fp64 runs on the vector units,
 * smaller types and everything sparse are there for the matrix units. */
static bool
by_matrix_units(const struct lore_req *req, const char *dtype, bool sparse)
{
    const char *unit = lore_arg_text(req, "unit", NULL);
    const char *metric = lore_hardware_peak(req->arena, dtype, true, false);

    if (unit != NULL || sparse || metric == NULL)
        return !lore_streq(unit, "vector");
    return !lore_starts(metric, "peak_tflops.fp32.") && !lore_starts(metric, "peak_tflops.fp64.");
}

/* The bandwidth that was measured where the run ran, with as much as it moves. */
static enum lore_status
read_ceiling(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    struct lore_f64 bytes = {a->bytes.known, a->bytes.value};
    struct lore_hards hards = {0};
    const char *hard = NULL;
    enum lore_status status =
        lore_timing_hard(req->db, &hards, a->environment, req->arena, &hard, err);

    if (status == LORE_OK)
        status = lore_hardware_ceiling(
            req->db, &a->h, "hbm_bandwidth", hard, bytes, &a->in.ceiling_bw, &a->ceiling, err);
    return status;
}

static enum lore_status
read_peak(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    bool sparse = lore_arg_bool(req, "sparse", false);
    const char *metric =
        lore_hardware_peak(req->arena, a->dtype, by_matrix_units(req, a->dtype, sparse), sparse);

    if (metric == NULL && a->dtype != NULL)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "dtype",
            "dtype: no peak rate is known by the name \"%.40s\"", a->dtype);
    a->in.peak_flops = metric != NULL ? lore_hardware_input(&a->h, metric, false)
                                      : (struct lore_input){.name = "peak_tflops of the dtype",
                                            .why = LORE_NOT_GIVEN,
                                            .unit = "FLOP/s"};
    a->in.peak_bw = lore_hardware_input(&a->h, "hbm_bandwidth", false);
    a->in.units = lore_hardware_input(&a->h, "compute_units", false);
    return read_ceiling(req, a, err);
}

static enum lore_status
read_question(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    const struct lore_chip *chip = NULL;
    enum lore_status status = lore_edge_chip(req, &chip, err);

    a->dtype = lore_arg_text(req, "dtype", NULL);
    a->environment = lore_arg_text(req, "environment", NULL);
    if (status == LORE_OK)
        status = read_numbers(req, a, err);
    if (status == LORE_OK)
        status = from_run(req, a, &chip, err);
    if (status == LORE_OK && chip == NULL)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "chip",
            "chip: required, unless a run names one");
    if (status == LORE_OK)
        status = lore_hardware_load(req->db, chip, req->arena, &a->h, err);
    a->in.time = a->time_ns;
    a->in.time.value *= 1e-9;
    return status == LORE_OK ? read_peak(req, a, err) : status;
}

/* Results with names; what has no number says which inputs it lacks. */
struct shown {
    const char *name;
    const struct lore_result *result;
    double per; /* the number is divided by it */
};

static void
put_results(struct lore_jsonw *w, const struct shown *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        lore_w_key(w, s[i].name);
        if (s[i].result->known)
            lore_w_f64(w, s[i].result->value / s[i].per);
        else
            lore_w_null(w);
    }
    lore_w_key(w, "missing");
    lore_w_obj(w);
    for (size_t i = 0; i < n; i++) {
        if (s[i].result->known || s[i].result->n_unknown == 0)
            continue;
        lore_w_key(w, s[i].name);
        lore_w_arr(w);
        for (size_t k = 0; k < s[i].result->n_unknown; k++)
            lore_w_str(w, s[i].result->unknown_inputs[k]);
        lore_w_arr_end(w);
    }
    lore_w_obj_end(w);
}

/* Each input that some result lacks, once. */
static void
put_unknown(struct lore_jsonw *w, const struct shown *s, size_t n)
{
    const char *seen[MAX_UNKNOWN];
    size_t n_seen = 0;

    lore_w_key(w, "unknown_inputs");
    lore_w_arr(w);
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; !s[i].result->known && k < s[i].result->n_unknown; k++) {
            size_t at = 0;

            while (at < n_seen && !lore_streq(seen[at], s[i].result->unknown_inputs[k]))
                at++;
            if (at < n_seen || n_seen == MAX_UNKNOWN)
                continue;
            seen[n_seen++] = s[i].result->unknown_inputs[k];
            lore_w_str(w, seen[at]);
        }
    }
    lore_w_arr_end(w);
}

static void
put_limit(struct lore_jsonw *w, const struct lore_roofline *r)
{
    if (r->limit == NULL) {
        lore_w_kstr(w, "limit", NULL);
        lore_w_kstr(w, "of", NULL);
        return;
    }
    lore_w_kstr(w, "limit", r->limit->name);
    lore_w_kstr(w, "of", strstr(r->limit->name, ", measured") != NULL ? "ceiling" : "spec");
}

/* Which measured bandwidth counts, and whether it was measured on as much as the problem moves. */
static void
put_ceiling(struct lore_jsonw *w, const struct asked *a)
{
    const struct lore_ceiling *c = &a->ceiling;

    lore_w_key(w, "ceiling");
    if (c->spec == NULL) {
        lore_w_null(w);
        return;
    }
    lore_w_obj(w);
    lore_w_kstr(w, "spec", c->spec);
    lore_w_kbool(w, "own_environment", c->own);
    lore_present_f64(w, "size_bytes", c->bytes);
    if (a->bytes.known && c->bytes.set)
        lore_w_kbool(w, "large_enough", c->bytes.v >= a->bytes.value);
    lore_w_obj_end(w);
}

static void
put_answer(struct lore_jsonw *w, const struct asked *a, const struct lore_roofline *r)
{
    const struct lore_input *const inputs[] = {&a->in.peak_flops, &a->in.peak_bw, &a->in.ceiling_bw,
        &a->time_ns, a->tile ? &a->in.tile_flops : &a->flops,
        a->tile ? &a->in.tile_bytes : &a->bytes, &a->in.units, &a->in.grid_blocks};
    const struct shown shown[] = {{"ai", &r->ai, 1}, {"ridge", &r->ridge, 1},
        {"ceiling_time_ns", &r->time_min, 1e-9}, {"best_flops", &r->best_flops, 1},
        {"best_bytes_per_s", &r->best_bw, 1}, {"actual_flops", &r->actual_flops, 1},
        {"actual_bytes_per_s", &r->actual_bw, 1}, {"utilisation_pct", &r->utilisation, 0.01},
        {"waves", &r->waves, 1}, {"unit_utilisation_pct", &r->unit_util, 0.01},
        {"tile_time_ns", &r->tile_time_min, 1e-9}};
    size_t n = sizeof shown / sizeof shown[0] - (a->tile ? 0 : 3);

    lore_w_kstr(w, "formula", a->tile ? "tile-roofline@1" : "algorithmic-roofline@1");
    lore_w_kstr(w, "chip", a->h.chip->name);
    lore_present_inputs(
        w, "inputs", &a->h, inputs, sizeof inputs / sizeof inputs[0] - (a->tile ? 0 : 2));
    put_unknown(w, shown, n);
    lore_w_kstr(w, "bound", lore_bound_name(r->bound));
    put_results(w, shown, n);
    put_limit(w, r);
    put_ceiling(w, a);
    lore_w_kbool(w, "near_limit", r->done);
    lore_w_kstr(w, "note",
        "A roofline sees neither synchronisation nor latency: it does not exclude them.");
}

enum lore_status
lore_api_roofline(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_roofline r = {0};
    struct asked a = {0};
    struct lore_jsonw w;
    enum lore_status status = read_question(req, &a, err);

    if (status != LORE_OK)
        return status;
    struct lore_algo_in algo = {.flops = a.flops,
        .bytes = a.bytes,
        .peak_flops = a.in.peak_flops,
        .peak_bw = a.in.peak_bw,
        .ceiling_bw = a.in.ceiling_bw,
        .time = a.in.time};
    if (a.tile)
        lore_tile_roofline(&a.in, LORE_TILE_PER_UNIT, req->arena, &r);
    else
        lore_algo_roofline(&algo, req->arena, &r);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    put_answer(&w, &a, &r);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

void
lore_present_budget(struct lore_jsonw *w, const struct lore_axis_budget *b)
{
    lore_w_ki64(w, "compute", b->compute);
    lore_w_ki64(w, "memory", b->memory);
    lore_w_ki64(w, "latency", b->latency);
    lore_w_kstr(w, "algorithm", "axis-budget@1");
}

enum lore_status
lore_api_axis_budget(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const char *const names[] = {"compute", "memory", "latency"};
    struct lore_axis_budget budget;
    struct lore_input gap[3];
    struct lore_jsonw w;

    for (size_t i = 0; i < 3; i++) {
        enum lore_status status = number(req, names[i], "1", &gap[i], err);

        if (status == LORE_OK && !gap[i].known)
            status = lore_fail_at(err, LORE_INVALID, "missing_parameter", names[i],
                "%s: required: a gap of 0 to 1", names[i]);
        if (status == LORE_OK && gap[i].value > 1)
            status = lore_fail_at(
                err, LORE_INVALID, "invalid_parameter", names[i], "%s: a gap is 0 to 1", names[i]);
        if (status != LORE_OK)
            return status;
    }
    budget = lore_axis_budget(gap[0].value, gap[1].value, gap[2].value);
    lore_jsonw_begin(&w, &resp->body, false);
    lore_w_obj(&w);
    lore_present_budget(&w, &budget);
    lore_w_obj_end(&w);
    return lore_jsonw_end(&w, err);
}

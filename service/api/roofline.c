/* GET /api/v1/roofline: performance limits of a chip, from numbers in force only; and /axis-budget.
 * A result whose input has no source gets no number, and the input is listed. */
#include <math.h>
#include <string.h>

#include "service/api/api_knowledge.h"
#include "service/api/hardware.h"
#include "service/api/headroom.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/api/timing.h"
#include "service/base/duration.h"
#include "service/base/text.h"
#include "service/catalogue/spec_names.h"
#include "service/derive/budget.h"
#include "service/derive/outcome.h"
#include "service/derive/profile.h"

enum { MAX_UNKNOWN = 16 };

struct asked {
    const struct lore_chip *chip;
    struct lore_hardware h;
    const char *dtype, *unit; /* unit: matrix | vector; NULL: what code of the dtype uses */
    bool tile, sparse;
    struct lore_tile_in in;                  /* also the inputs of the algorithmic form */
    struct lore_input flops, bytes, time_ns; /* as given; the formulas take seconds */
    const char *rule;                        /* by which the shape gives work; NULL: none did */
    const char *environment;                 /* whose ceilings come first; NULL: not known */
    struct lore_ceiling ceiling;             /* the ceiling behind in.ceiling_bw */
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
    if (!text)
        return LORE_OK;
    if (lore_parse_f64(text, name, &v, &ignored) != LORE_OK || !isfinite(v) || v < 0)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", name,
            "%s: expected a number of 0 or more", name);
    out->known = true;
    out->value = v;
    return LORE_OK;
}

/* Parameter `time`, which has a unit: "79.9us". */
static enum lore_status
read_time(const struct lore_req *req, struct lore_input *out, struct lore_err *err)
{
    const char *text = lore_arg_text(req, "time", NULL);

    *out = (struct lore_input){.name = "time", .why = LORE_NOT_GIVEN, .unit = "ns"};
    if (!text)
        return LORE_OK;
    enum lore_status status = lore_duration_parse(text, "time", &out->value, err);
    out->known = status == LORE_OK;
    return status;
}

/* Use V, from the shape, unless the caller gave a number. */
static void
use_default(struct lore_input *in, struct lore_f64 v)
{
    if (in->known || !v.set)
        return;
    in->known = true;
    in->value = v.v;
}

/* The work of a run by its shape, where the caller gave none. Without a rule for its bytes, those
 * that the profiler counted. */
static void
from_shape(const struct lore_run_row *run, struct asked *a, struct lore_arena *arena)
{
    const struct lore_device_facts none = {0};
    struct lore_ontology_value *v = NULL;
    struct lore_work work;
    size_t n = 0;

    if (lore_run_work(run, &work)) {
        if ((!a->flops.known && work.flops.set) || (!a->bytes.known && work.bytes.set))
            a->rule = work.rule;
        use_default(&a->flops, work.flops);
        use_default(&a->bytes, work.bytes);
    }
    if (a->bytes.known || !a->chip)
        return;
    lore_ontology(&run->r.metrics, a->chip->vendor, &none, arena, &v, &n);
    for (size_t i = 0; i < n; i++) {
        if (!v[i].set || !lore_streq(v[i].row->canonical, "dram_bytes"))
            continue;
        a->bytes.name = "bytes, measured";
        use_default(&a->bytes, (struct lore_f64){true, v[i].value});
    }
}

/* Chip, type, work and time of RUN, where the caller gave none. */
static void
take_run(const struct lore_run_row *run, struct asked *a, struct lore_arena *arena)
{
    double ns = lore_run_time_ns(&run->r, arena);

    if (!a->chip && run->r.chip)
        a->chip = lore_chip_find(run->r.chip);
    if (!a->dtype)
        a->dtype = run->workload.dtype;
    from_shape(run, a, arena);
    if (!a->environment)
        a->environment = run->r.environment;
    if (!a->time_ns.known && ns > 0) {
        a->time_ns.known = true;
        a->time_ns.value = ns;
    }
}

static enum lore_status
from_run(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    const char *id = lore_arg_text(req, "run", NULL);
    struct lore_run_row run = {0};
    enum lore_status status;

    if (!id)
        return LORE_OK;
    status = lore_db_get_run(req->db, id, req->arena, &run, err);
    if (status == LORE_OK)
        take_run(&run, a, req->arena);
    return status;
}

static enum lore_status
read_numbers(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    enum lore_status status = number(req, "flops", "FLOP", &a->flops, err);

    if (status == LORE_OK)
        status = number(req, "bytes", "byte", &a->bytes, err);
    if (status == LORE_OK)
        status = read_time(req, &a->time_ns, err);
    if (status == LORE_OK)
        status = number(req, "tile_flops", "FLOP", &a->in.tile_flops, err);
    if (status == LORE_OK)
        status = number(req, "tile_bytes", "byte", &a->in.tile_bytes, err);
    if (status == LORE_OK)
        status = number(req, "grid_blocks", "1", &a->in.grid_blocks, err);
    a->tile = a->in.tile_flops.known || a->in.tile_bytes.known || a->in.grid_blocks.known;
    return status;
}

/* Sparse code runs on the matrix units; other code by its type. */
static bool
by_matrix_units(const struct asked *a)
{
    return a->unit ? !lore_streq(a->unit, "vector") : a->sparse || lore_spec_by_matrix(a->dtype);
}

/* Choose the measured bandwidth for the run's environment and bytes. */
static enum lore_status
read_ceiling(struct lore_db *db, struct asked *a, struct lore_err *err)
{
    struct lore_hardware_problem p = {
        "hbm_bandwidth", a->environment, {a->bytes.known, a->bytes.value}};
    struct lore_hardware_found found = {0};
    enum lore_status status = lore_hardware_ceiling(db, &a->h, &p, &found, err);

    a->in.ceiling_bw = found.input;
    a->ceiling = found.ceiling;
    return status;
}

static enum lore_status
read_peak(struct lore_db *db, struct asked *a, struct lore_arena *arena, struct lore_err *err)
{
    const char *metric = lore_spec_peak(arena, a->dtype, by_matrix_units(a), a->sparse, NULL);

    if (!metric && a->dtype)
        return lore_fail_at(err, LORE_INVALID, "invalid_parameter", "dtype",
            "dtype: no peak rate is known by the name \"%.40s\"", a->dtype);
    a->in.peak_flops = metric != NULL ? lore_hardware_input(&a->h, metric, false)
                                      : (struct lore_input){.name = "peak_tflops of the dtype",
                                            .why = LORE_NOT_GIVEN,
                                            .unit = "FLOP/s"};
    a->in.peak_bw = lore_hardware_input(&a->h, "hbm_bandwidth", false);
    a->in.units = lore_hardware_input(&a->h, "compute_units", false);
    a->in.time = a->time_ns;
    a->in.time.value *= 1e-9;
    return read_ceiling(db, a, err);
}

static enum lore_status
read_question(struct lore_req *req, struct asked *a, struct lore_err *err)
{
    enum lore_status status = lore_params_chip(req, &a->chip, err);

    a->dtype = lore_arg_text(req, "dtype", NULL);
    a->unit = lore_arg_text(req, "unit", NULL);
    a->sparse = lore_arg_bool(req, "sparse", false);
    a->environment = lore_arg_text(req, "environment", NULL);
    if (status == LORE_OK)
        status = read_numbers(req, a, err);
    if (status == LORE_OK && a->environment) /* whose ceilings come first */
        status = lore_db_get_environment(
            req->db, a->environment, req->arena, &(struct lore_environment_row){0}, err);
    if (status == LORE_OK)
        status = from_run(req, a, err);
    if (status == LORE_OK && !a->chip)
        return lore_fail_at(err, LORE_INVALID, "missing_parameter", "chip",
            "chip: required, unless a run names one");
    if (status == LORE_OK)
        status = lore_hardware_load(req->db, a->chip, req->arena, &a->h, err);
    return status == LORE_OK ? read_peak(req->db, a, req->arena, err) : status;
}

/* The chosen measured bandwidth, and whether its size covers the problem's bytes. */
struct ceiling {
    struct lore_ceiling c;
    bool sized, large_enough;
};

static void
write_large_enough(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct ceiling *c = row;

    if (c->sized)
        lore_w_kbool(w, key, c->large_enough);
}

#define ROW struct ceiling
static const struct lore_object_member ceiling[] = {
    {"!spec", AT(c.spec), "ulid"},
    {"!own_environment", AT(c.own)},
    {"size_bytes", AT(c.bytes), NULL, "bytes moved by the measurement"},
    {"large_enough", WRITTEN(write_large_enough), "boolean",
        "for the bytes that the problem moves"},
};
static const struct lore_object lore_ceiling_object = LORE_KEYED_OBJECT("Ceiling", ceiling, c.spec);
#undef ROW

/* A named result. One without a number lists its missing inputs. */
struct shown {
    const char *name;
    const struct lore_result *result;
};
enum { RESULTS = 11 };

/* Results of the tiled form only. */
struct tile {
    struct lore_f64 waves, unit_utilisation_pct, time_ns;
};
#define ROW struct tile
static const struct lore_object_member tile[] = {
    {"!waves", AT(waves)},
    {"!unit_utilisation_pct", AT(unit_utilisation_pct)},
    {"!tile_time_ns", AT(time_ns)},
};
static const struct lore_object tile_results = LORE_OBJECT("", tile);
#undef ROW

struct answer {
    const char *formula, *chip, *rule, *limit, *of, *note;
    struct lore_input_row inputs[8];
    const char *unknown[MAX_UNKNOWN];
    struct shown shown[RESULTS];
    size_t n_inputs, n_unknown, n_shown;
    enum lore_bound bound;
    struct lore_f64 ai, ridge, ceiling_time_ns, best_flops, best_bytes_per_s, actual_flops,
        actual_bytes_per_s, utilisation_pct;
    const struct tile *tile;
    struct ceiling ceiling;
    bool near_limit;
};

static void
write_missing(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct answer *a = row;

    lore_w_key(w, key);
    lore_w_obj(w);
    for (size_t i = 0; i < a->n_shown; i++) {
        const struct lore_result *r = a->shown[i].result;

        if (r->known || r->n_unknown == 0)
            continue;
        lore_w_key(w, a->shown[i].name);
        lore_w_arr(w);
        for (size_t k = 0; k < r->n_unknown; k++)
            lore_w_str(w, r->unknown_inputs[k]);
        lore_w_arr_end(w);
    }
    lore_w_obj_end(w);
}

#define ROW struct answer
static const struct lore_object_member roofline[] = {
    {"!formula", AT(formula), "tile-roofline@1|algorithmic-roofline@1"},
    {"!chip", AT(chip)},
    {"rule", AT(rule), NULL, "operations and elements of the run's operator"},
    {"!inputs", ARRAY(inputs, n_inputs, lore_input_object)},
    {"!unknown_inputs", STRING_ARRAY(unknown, n_unknown), NULL, "inputs that some result lacks"},
    {"!bound", NAMED(bound, lore_bound_name), LORE_BOUND_NAMES},
    {"!ai", AT(ai), NULL, "arithmetic intensity, FLOP/byte"},
    {"!ridge", AT(ridge), NULL, "intensity above which computing is the limit"},
    {"!ceiling_time_ns", AT(ceiling_time_ns), NULL, "shortest time that the limits allow"},
    {"!best_flops", AT(best_flops), NULL, "FLOP/s in that time"},
    {"!best_bytes_per_s", AT(best_bytes_per_s)},
    {"!actual_flops", AT(actual_flops), NULL, "FLOP/s in the measured time"},
    {"!actual_bytes_per_s", AT(actual_bytes_per_s)},
    {"!utilisation_pct", AT(utilisation_pct), NULL, "of the limit that binds"},
    {"", SPREAD(tile, tile_results)},
    {"!missing", WRITTEN(write_missing), "{[text",
        "for each result without a number, the inputs that it lacks"},
    {"!limit", AT(limit), "text?", "the input that binds"},
    {"!of", AT(of), "ceiling|spec?"},
    {"!ceiling", OBJECT(ceiling, lore_ceiling_object)},
    {"!near_limit", AT(near_limit)},
    {"!note", AT(note)},
};
const struct lore_object lore_roofline_object = LORE_OBJECT("Roofline", roofline);
#undef ROW

static struct lore_f64
result(const struct lore_result *r, double per)
{
    return (struct lore_f64){r->known, r->value / per};
}

/* Each input that some result lacks, once. */
static void
list_unknown(struct answer *a)
{
    for (size_t i = 0; i < a->n_shown; i++) {
        const struct lore_result *r = a->shown[i].result;

        for (size_t k = 0; !r->known && k < r->n_unknown && a->n_unknown < MAX_UNKNOWN; k++) {
            size_t at = 0;

            while (at < a->n_unknown && !lore_streq(a->unknown[at], r->unknown_inputs[k]))
                at++;
            if (at == a->n_unknown)
                a->unknown[a->n_unknown++] = r->unknown_inputs[k];
        }
    }
}

static void
list_inputs(const struct asked *a, struct answer *out)
{
    const struct lore_input *const inputs[] = {&a->in.peak_flops, &a->in.peak_bw, &a->in.ceiling_bw,
        &a->time_ns, a->tile ? &a->in.tile_flops : &a->flops,
        a->tile ? &a->in.tile_bytes : &a->bytes, &a->in.units, &a->in.grid_blocks};

    out->n_inputs = sizeof inputs / sizeof inputs[0] - (a->tile ? 0 : 2);
    for (size_t i = 0; i < out->n_inputs; i++)
        out->inputs[i] = lore_hardware_row(&a->h, inputs[i]);
}

static enum lore_status
answer(struct lore_resp *resp, const struct asked *a, const struct lore_roofline *r,
    struct lore_err *err)
{
    const struct tile of_tile = {
        result(&r->waves, 1), result(&r->unit_util, 0.01), result(&r->tile_time_min, 1e-9)};
    struct answer x = {.formula = a->tile ? "tile-roofline@1" : "algorithmic-roofline@1",
        .chip = a->h.chip->name,
        .rule = a->rule,
        .shown = {{"ai", &r->ai}, {"ridge", &r->ridge}, {"ceiling_time_ns", &r->time_min},
            {"best_flops", &r->best_flops}, {"best_bytes_per_s", &r->best_bw},
            {"actual_flops", &r->actual_flops}, {"actual_bytes_per_s", &r->actual_bw},
            {"utilisation_pct", &r->utilisation}, {"waves", &r->waves},
            {"unit_utilisation_pct", &r->unit_util}, {"tile_time_ns", &r->tile_time_min}},
        .n_shown = a->tile ? RESULTS : RESULTS - 3,
        .bound = r->bound,
        .ai = result(&r->ai, 1),
        .ridge = result(&r->ridge, 1),
        .ceiling_time_ns = result(&r->time_min, 1e-9),
        .best_flops = result(&r->best_flops, 1),
        .best_bytes_per_s = result(&r->best_bw, 1),
        .actual_flops = result(&r->actual_flops, 1),
        .actual_bytes_per_s = result(&r->actual_bw, 1),
        .utilisation_pct = result(&r->utilisation, 0.01),
        .tile = a->tile ? &of_tile : NULL,
        .ceiling = {a->ceiling, a->bytes.known && a->ceiling.bytes.set,
            a->ceiling.bytes.v >= a->bytes.value},
        .near_limit = r->done,
        .note = "A roofline sees neither synchronisation nor latency: it does not exclude them."};

    if (r->limit) {
        x.limit = r->limit->name;
        x.of = strstr(r->limit->name, ", measured") != NULL ? "ceiling" : "spec";
    }
    list_inputs(a, &x);
    list_unknown(&x);
    return lore_reply_object(resp, &lore_roofline_object, &x, err);
}

/* The result refers to the inputs, which stay in ARENA. */
static void
judge_algorithm(const struct asked *a, struct lore_arena *arena, struct lore_roofline *out)
{
    struct lore_algo_in *algo = lore_alloc(arena, sizeof *algo);

    *algo = (struct lore_algo_in){.flops = a->flops,
        .bytes = a->bytes,
        .peak_flops = a->in.peak_flops,
        .peak_bw = a->in.peak_bw,
        .ceiling_bw = a->in.ceiling_bw,
        .time = a->in.time};
    lore_roofline_algorithm(algo, arena, out);
}

#define NEAR_PEAK 80. /* percent of a counter's peak: less may be work that another code spares */

/* The limit by counters of the run: a memory or matrix unit that is busy nearly all the time. A
 * product moves its inputs more than once, so that busy memory is no limit of it. */
static void
limit_by_counters(
    const struct lore_run_row *run, struct lore_arena *arena, struct lore_headroom *out)
{
    static const struct {
        const char *names, *bound;
    } counters[] = {{"dram_throughput_pct", "memory"}, {"matrix_util_pct", "compute"}};
    const struct lore_profile p = lore_profile_open(&run->r.metrics, arena);
    const struct lore_operator *op = lore_operator_find(run->op);
    bool product =
        !op || lore_text_lists("gemm,conv,attention,moe", op->family, strlen(op->family));

    for (size_t i = product; i < sizeof counters / sizeof *counters; i++) {
        struct lore_reading r = lore_profile_read(&p, counters[i].names, arena);

        if (r.known && r.value >= NEAR_PEAK && r.value <= 100 && r.value > out->fraction * 100)
            *out = (struct lore_headroom){.known = true,
                .fraction = r.value / 100,
                .at_most = 100 / r.value,
                .bound = counters[i].bound,
                .counter = r.name};
    }
}

void
lore_headroom_of_run(struct lore_db *db, const struct lore_run_row *run,
    const struct lore_hardware *h, struct lore_arena *arena, struct lore_headroom *out)
{
    struct lore_roofline r = {0};
    struct lore_err ignored;
    struct asked a = {.h = *h, .flops = {.name = "flops"}, .bytes = {.name = "bytes"}};

    *out = (struct lore_headroom){0};
    take_run(run, &a, arena);
    if (!a.chip || !a.time_ns.known)
        return;
    /* a type may have no peak rate */
    if (read_peak(db, &a, arena, &ignored) == LORE_OK)
        judge_algorithm(&a, arena, &r);
    if (!r.utilisation.known || !(r.utilisation.value > 0))
        limit_by_counters(run, arena, out);
    else
        *out = (struct lore_headroom){.known = true,
            .fraction = r.utilisation.value,
            .at_most = 1 / r.utilisation.value,
            .bound = lore_bound_name(r.bound),
            .limit = r.limit ? r.limit->name : NULL,
            .rule = a.rule};
}

enum lore_status
lore_api_roofline(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_roofline r = {0};
    struct asked a = {0};
    enum lore_status status = read_question(req, &a, err);

    if (status != LORE_OK)
        return status;
    if (a.tile)
        lore_roofline_tile(&a.in, LORE_TILE_PER_UNIT, req->arena, &r);
    else
        judge_algorithm(&a, req->arena, &r);
    return answer(resp, &a, &r, err);
}

enum lore_status
lore_api_axis_budget(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    static const char *const names[] = {"compute", "memory", "latency"};
    struct lore_axis_budget budget;
    struct lore_input gap[3];

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
    return lore_reply_object(resp, &lore_axis_budget_object, &budget, err);
}

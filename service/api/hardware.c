/* Numbers of one chip for formulas (hardware.h). Metric names are the canonical ones of
 * service/catalogue/spec_names.h. Numbers of other products and disputed numbers count as unknown.
 */
#include "service/api/hardware.h"

#include <string.h>

#include "service/api/objects.h"
#include "service/api/timing.h"
#include "service/base/text.h"
#include "service/catalogue/units.h"

enum lore_status
lore_hardware_load(struct lore_db *db, const struct lore_chip *chip, struct lore_arena *arena,
    struct lore_hardware *out, struct lore_err *err)
{
    *out = (struct lore_hardware){.chip = chip, .arena = arena};
    return !chip ? LORE_OK : lore_specs_load(db, chip->name, arena, &out->specs, err);
}

static bool
is_of(const struct lore_spec_row *r, const char *metric)
{
    return !r->rejected && !r->retracted && !r->r.qualifier && lore_streq(r->r.metric, metric);
}

static const char *
why_unknown(const struct lore_hardware *h, const char *metric, bool measured)
{
    const char *why = "no_source";

    if (measured)
        return "not_measured";
    for (size_t i = 0; i < h->specs.n_disputes; i++)
        if (!h->specs.disputes[i].qualifier && lore_streq(h->specs.disputes[i].metric, metric))
            return "disputed";
    for (size_t i = 0; i < h->specs.n; i++) {
        const struct lore_spec_row *r = h->specs.rows[i];

        if (is_of(r, metric) && !r->r.value.set)
            why = lore_missing_name(r->r.unknown);
        else if (is_of(r, metric) && !lore_streq(r->r.evidence_class, "measured"))
            return "disputed"; /* in units that do not compare */
    }
    return why;
}

/* The dimension of METRIC. A number of another dimension is no input of a formula. */
static const char *
dimension_of(const char *metric)
{
    if (lore_starts(metric, "peak_tflops"))
        return "FLOP/s";
    if (lore_starts(metric, "peak_tops"))
        return "OP/s";
    if (strcmp(metric, "hbm_bandwidth") == 0)
        return "byte/s";
    return strstr(metric, "bytes") ? "byte" : "1";
}

static struct lore_input
input_of(const struct lore_hardware *h, const char *metric, bool measured,
    const struct lore_spec_row *row)
{
    struct lore_input in = {
        .name = measured ? lore_format(h->arena, "%s, measured", metric) : metric,
        .unit = dimension_of(metric)};
    const char *dimension;

    if (!row || !row->r.value.set) {
        in.why = row != NULL ? lore_missing_name(row->r.unknown) : why_unknown(h, metric, measured);
        return in;
    }
    in.spec_id = row->r.id;
    in.known = lore_unit_normalise(row->r.value.v, row->r.unit, &in.value, &dimension) &&
               lore_streq(dimension, dimension_of(metric));
    if (!in.known)
        in.why = "wrong_unit";
    return in;
}

struct lore_input
lore_hardware_input(const struct lore_hardware *h, const char *metric, bool measured)
{
    return input_of(
        h, metric, measured, !h->chip ? NULL : lore_specs_in_force(&h->specs, metric, measured));
}

static struct lore_f64
size_of(const struct lore_spec_row *r)
{
    const char *text = lore_kvs_get(&r->r.method, "size_bytes");
    struct lore_f64 size = {0};
    struct lore_err ignored;

    size.set = text != NULL && lore_parse_f64(text, "size_bytes", &size.v, &ignored) == LORE_OK;
    return size;
}

enum lore_status
lore_hardware_ceiling(struct lore_db *db, const struct lore_hardware *h,
    const struct lore_hardware_problem *p, struct lore_hardware_found *out, struct lore_err *err)
{
    struct lore_ceiling *all = lore_alloc_array(h->arena, h->specs.n + 1, sizeof *all);
    const struct lore_spec_row **rows =
        lore_alloc_array(h->arena, h->specs.n + 1, sizeof(const struct lore_spec_row *));
    struct lore_environment_hashes hards = {0};
    size_t n = 0, best;
    enum lore_status status = LORE_OK;

    for (size_t i = 0; status == LORE_OK && h->chip && i < h->specs.n; i++) {
        const struct lore_spec_row *r = h->specs.rows[i];
        const char *hard = NULL, *other = NULL;

        if (!is_of(r, p->metric) || !lore_streq(r->r.evidence_class, "measured"))
            continue;
        status = lore_timing_environment_hash(db, &hards, p->environment, h->arena, &hard, err);
        if (status == LORE_OK)
            status =
                lore_timing_environment_hash(db, &hards, r->r.environment, h->arena, &other, err);
        all[n] =
            (struct lore_ceiling){r->r.id, hard != NULL && lore_streq(other, hard), size_of(r)};
        rows[n++] = r;
    }
    if (status != LORE_OK)
        return status;
    best = lore_ceiling_choose(all, n, p->bytes);
    *out = (struct lore_hardware_found){
        .input = input_of(h, p->metric, true, best < n ? rows[best] : NULL)};
    if (best < n)
        out->ceiling = all[best];
    return LORE_OK;
}

static struct lore_f64
fact(const struct lore_hardware *h, const char *metric, double per)
{
    struct lore_input in = lore_hardware_input(h, metric, false);

    return (struct lore_f64){in.known, in.value / per};
}

struct lore_device_facts
lore_hardware_facts(const struct lore_hardware *h)
{
    return (struct lore_device_facts){.units = fact(h, "compute_units", 1),
        .xcds = fact(h, "dies", 1),
        .hbm_gb_per_s = fact(h, "hbm_bandwidth", 1e9),
        .waves_per_unit = fact(h, "max_warps_per_unit", 1)};
}

static const struct lore_spec_row *
row_of(const struct lore_hardware *h, const char *id)
{
    for (size_t i = 0; id != NULL && i < h->specs.n; i++)
        if (lore_streq(h->specs.rows[i]->r.id, id))
            return h->specs.rows[i];
    return NULL;
}

#define ROW struct lore_input_row
static const struct lore_object_member input[] = {
    {"!name", AT(name)},
    {"value", AT(value)},
    {"unit", AT(unit)},
    {"spec", AT(spec), "ulid", "spec that it comes from"},
    {"cite", AT(cite), NULL, "the number with its source, in words"},
    {"why", AT(why), NULL, "why it is not known"},
};
const struct lore_object lore_input_object = LORE_OBJECT("Input", input);
#undef ROW

struct lore_input_row
lore_hardware_row(const struct lore_hardware *h, const struct lore_input *in)
{
    const struct lore_spec_row *spec = row_of(h, in->spec_id);
    struct lore_input_row r = {.name = in->name, .value = {in->known, in->value}, .unit = in->unit};

    if (!in->known)
        r.why = in->why;
    if (spec) {
        r.spec = spec->r.id;
        r.cite = lore_spec_cite(h->arena, spec);
    } else if (in->why && !lore_streq(in->why, LORE_NOT_GIVEN)) {
        r.cite = lore_format(h->arena, "%s: UNKNOWN (%s)", in->name, in->why);
    }
    return r;
}

static void
write_algorithm(struct lore_jsonw *w, const char *key, const void *row)
{
    (void)row;
    lore_w_kstr(w, key, "axis-budget@1");
}

#define ROW struct lore_axis_budget
static const struct lore_object_member budget[] = {
    {"!compute", AT(compute), NULL, "how many of the next three methods"},
    {"!memory", AT(memory)},
    {"!latency", AT(latency)},
    {"!algorithm", WRITTEN(write_algorithm), "text"},
};
const struct lore_object lore_axis_budget_object = LORE_OBJECT("AxisBudget", budget);
#undef ROW

#define ROW struct lore_gaps
static const struct lore_object_member gaps[] = {
    {"compute", AT(compute), NULL, "0 to 1: unused share"},
    {"memory", AT(memory)},
    {"latency", AT(latency)},
    {"compute_utilisation_pct", AT(compute_util_pct)},
    {"memory_utilisation_pct", AT(memory_util_pct)},
    {"largest_stall_pct", AT(max_stall_pct)},
    {"!bound", NAMED(bound, lore_bound_name), LORE_BOUND_NAMES},
    {"!degraded", AT(degraded), NULL, "the profiler could not read counters"},
    {"!unknown_inputs", STRINGS(unknown_inputs, n_unknown), NULL, "metrics that were not recorded"},
};
const struct lore_object lore_gaps_object = LORE_OBJECT("Gaps", gaps);
#undef ROW

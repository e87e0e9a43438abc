/* Sweeps: GET /api/v1/sweeps lists them by what is known without unpacking one. GET
 * /api/v1/sweeps/{id} adds the distribution of times, failures by reason, parameters with their
 * values, the best configurations and what the sweep says of techniques; …/configurations lists
 * them, the fastest first. */
#include <math.h>

#include "db/store.h"
#include "service/api/api_knowledge.h"
#include "service/api/history.h"
#include "service/api/objects.h"
#include "service/api/params.h"
#include "service/base/text.h"

enum { BINS = 40, BEST = 10 };
#define TAIL                                                                                       \
    0.98 /* of the configurations are in the bins; the last bin has the slower ones, too           \
          */

/* ---- objects ---- */

#define ROW struct lore_sweep_row
static const struct lore_object_member standing[] = {
    {"!configurations", AT(count)},
    {"!timed", AT(timed), NULL, "configurations with a time"},
    {"!failed", AT(failed), NULL, "configurations that failed"},
    {"best_ns", AT(best_ns)},
    {"best", AT(best_label), NULL, "label of the version that is its best configuration"},
    {"median_ns", AT(median_ns)},
    {"same_as", AT(same), "ulid", "another record of the same search, which counts"},
    {"!retracted", AT(retracted)},
};
static const struct lore_object standing_object = LORE_OBJECT("SweepSummary", standing);

static const struct lore_object_member sweep[] = {
    {"", FIELDS(r, LORE_K_SWEEP)},
    {"!operator", AT(op)},
    {"!kernel_name", AT(kernel_name)},
    {"!language", AT(language)},
    {"workload_id", AT(workload_id)},
    {"workload_label", AT(workload_label)},
    {"!summary", PART(standing_object)},
    STORED(),
};
const struct lore_object lore_sweep_object = LORE_OBJECT("Sweep", sweep);
#undef ROW

#define ROW struct lore_history_sweep
static const struct lore_object_member of_history[] = {
    {"", MEMBERS(row, lore_sweep_object)},
    {"speedup_vs_first", AT(vs_first), NULL,
        "of its best configuration over the baseline of the answer"},
};
const struct lore_object lore_history_sweep_object = LORE_OBJECT("HistorySweep", of_history);
#undef ROW

struct bin {
    double from_ns, to_ns;
    int64_t n;
};
#define ROW struct bin
static const struct lore_object_member bin[] = {
    {"!from_ns", AT(from_ns)},
    {"!to_ns", AT(to_ns)},
    {"!n", AT(n)},
};
static const struct lore_object bin_object = LORE_OBJECT("SweepBin", bin);
#undef ROW

#define ROW struct lore_sweep_why
static const struct lore_object_member why[] = {
    {"!type", AT(type), "compilation|runtime|accuracy|timeout|environment|process"},
    {"said", AT(said), NULL, "text of the tool"},
    {"!n", AT(n)},
};
static const struct lore_object why_object = LORE_OBJECT("SweepFailure", why);
#undef ROW

struct parameter {
    const char *name, *technique, *values; /* values: a JSON list */
};
#define ROW struct parameter
static const struct lore_object_member parameter[] = {
    {"!name", AT(name)},
    {"technique", AT(technique)},
    {"!values", RAW(values), "[any", "distinct values, in order of appearance"},
};
static const struct lore_object parameter_object = LORE_OBJECT("SweepParameter", parameter);
#undef ROW

#define ROW struct lore_sweep_witness
static const struct lore_object_member witness[] = {
    {"!technique", AT(technique)},
    {"!parameter", AT(parameter)},
    {"!speedup", AT(speedup), NULL, "best time without over best time with it"},
    {"!pairs", AT(pairs), NULL, "groups of configurations that differ in it alone"},
    {"median", AT(median), NULL, "gain in the median of these; absent: there are none"},
};
static const struct lore_object witness_object = LORE_OBJECT("SweepWitness", witness);
#undef ROW

struct configuration {
    int64_t number;
    struct lore_f64 time;
    const char *version;
    struct lore_kvs params, metrics;
    const struct lore_sweep_why *why;
    struct lore_i64 n_samples;
};
static void
write_error(struct lore_jsonw *w, const char *key, const void *row)
{
    const struct configuration *c = row;

    if (c->why)
        lore_w_kstr(w, key, c->why->said ? c->why->said : c->why->type);
}
#define ROW struct configuration
static const struct lore_object_member configuration[] = {
    {"!configuration", AT(number), NULL, "its number in the record, from 0"},
    {"time_ns", AT(time)},
    {"error", WRITTEN(write_error), "text", "why it failed"},
    {"samples", AT(n_samples), NULL, "number of samples"},
    {"version", AT(version), "ulid", "the version that it is; most are none"},
    {"!params", AT(params)},
    {"!metrics", AT(metrics)},
};
const struct lore_object lore_sweep_configuration_object =
    LORE_OBJECT("SweepConfiguration", configuration);
#undef ROW

struct full {
    struct lore_sweep_row row;
    struct bin bins[BINS];
    size_t n_bins;
    const struct lore_sweep_why *whys;
    size_t n_whys;
    struct parameter *parameters;
    size_t n_parameters;
    struct lore_sweep_witness *witnesses;
    size_t n_witnesses;
    struct configuration *fastest;
    size_t n_fastest;
};
#define ROW struct full
static const struct lore_object_member full[] = {
    {"", MEMBERS(row, lore_sweep_object)},
    {"!distribution", ARRAY(bins, n_bins, bin_object), NULL,
        "times, in bins of equal ratio; the last one has all slower ones"},
    {"!failures", LIST(whys, n_whys, why_object), NULL, "by reason"},
    {"!parameters", LIST(parameters, n_parameters, parameter_object)},
    {"!witnesses", LIST(witnesses, n_witnesses, witness_object), NULL,
        "what it says of techniques"},
    {"!fastest", LIST(fastest, n_fastest, lore_sweep_configuration_object), NULL,
        "at most ten, the fastest first"},
};
const struct lore_object lore_sweep_full_object = LORE_OBJECT("SweepFull", full);
#undef ROW

/* ---- filling ---- */

static const char *
values_of(const struct lore_series *s, struct lore_arena *arena)
{
    LORE_BUF b = {0};

    for (size_t i = 0; i < s->n_values; i++)
        lore_buf_printf(&b, "%s%s", i > 0 ? "," : "[", s->value[i]);
    lore_buf_puts(&b, b.len > 0 ? "]" : "[]");
    return lore_strndup(arena, b.data, b.len);
}

static void
set_values(struct lore_arena *arena, const struct lore_sweep_values *v, size_t n, size_t at,
    struct lore_kvs *out)
{
    for (size_t i = 0; i < n; i++) {
        const char *value = lore_series_value(&v[i].s, at);
        if (value)
            lore_kvs_set(arena, out, v[i].name, value);
    }
}

static struct configuration
configuration_of(struct lore_arena *arena, const struct lore_sweep_row *row,
    const struct lore_sweep_data *d, size_t at)
{
    struct configuration c = {.number = (int64_t)at, .time = {d->time_ns[at] > 0, d->time_ns[at]}};
    size_t n = d->first[at + 1] - d->first[at];

    c.why = d->why[at] > 0 ? &d->whys[d->why[at] - 1] : NULL;
    c.n_samples = (struct lore_i64){n > 0, (int64_t)n};
    set_values(arena, d->parameters, d->n_parameters, at, &c.params);
    set_values(arena, d->metrics, d->n_metrics, at, &c.metrics);
    for (size_t i = 0; i < row->r.n_best; i++)
        if (row->r.best[i].configuration.v == c.number)
            c.version = row->r.best[i].version;
    return c;
}

/* Bins of equal ratio from the best time to that which TAIL of the configurations do not pass. */
static void
fill_bins(const struct lore_sweep_data *d, const uint32_t *order, size_t n, struct full *out)
{
    if (n == 0)
        return;
    double first = log(d->time_ns[order[0]]);
    double last = log(d->time_ns[order[(size_t)(TAIL * (double)(n - 1))]]);
    double width = last > first ? (last - first) / BINS : 1;

    out->n_bins = last > first ? BINS : 1;
    for (size_t i = 0; i < out->n_bins; i++) {
        out->bins[i].from_ns = exp(first + (double)i * width);
        out->bins[i].to_ns = exp(first + (double)(i + 1) * width);
    }
    for (size_t i = 0; i < n; i++) {
        double at = (log(d->time_ns[order[i]]) - first) / width;
        out->bins[at < (double)out->n_bins ? (size_t)fmax(at, 0) : out->n_bins - 1].n++;
    }
    out->bins[0].from_ns = d->time_ns[order[0]];
    out->bins[out->n_bins - 1].to_ns = d->time_ns[order[n - 1]];
}

static void
fill(struct lore_arena *arena, const struct lore_sweep_data *d, struct full *out)
{
    size_t n;
    const uint32_t *order = lore_sweep_order(d, arena, &n);

    fill_bins(d, order, n, out);
    out->whys = d->n_whys > 0 ? d->whys : lore_alloc(arena, sizeof *d->whys);
    out->n_whys = d->n_whys;
    out->parameters = lore_alloc_array(arena, d->n_parameters + 1, sizeof *out->parameters);
    for (size_t p = 0; p < d->n_parameters; p++)
        out->parameters[out->n_parameters++] = (struct parameter){d->parameters[p].name,
            d->parameters[p].technique, values_of(&d->parameters[p].s, arena)};
    out->n_witnesses = lore_sweep_witnesses(d, arena, &out->witnesses);
    out->fastest = lore_alloc_array(arena, BEST, sizeof *out->fastest);
    for (; out->n_fastest < n && out->n_fastest < BEST; out->n_fastest++)
        out->fastest[out->n_fastest] = configuration_of(arena, &out->row, d, order[out->n_fastest]);
}

/* ---- of a history ---- */

enum lore_status
lore_history_read_sweeps(struct lore_db *db, const char *kernel, struct lore_history *h,
    struct lore_arena *arena, struct lore_err *err)
{
    const struct lore_list_filter of = {.kernel = kernel,
        .workload = h->asked.workload,
        .chip = h->asked.chip,
        .page.limit = LORE_PAGE_MAX};
    const struct lore_history_version *first =
        h->line.baseline < h->line.n ? &h->entries[h->line.steps[h->line.baseline].in] : NULL;
    struct lore_sweep_row *rows = NULL;
    enum lore_status status = lore_db_list_sweeps(db, &of, arena, &rows, &h->n_sweeps, err);

    if (status != LORE_OK)
        return status;
    h->sweeps = lore_alloc_array(arena, h->n_sweeps + 1, sizeof *h->sweeps);
    for (size_t i = 0; i < h->n_sweeps; i++) {
        struct lore_history_sweep *s = &h->sweeps[i];

        s->row = rows[i];
        s->vs_first.set = first && first->time_ns > 0 && rows[i].best_ns.set &&
                          !lore_streq(first->version->v.id, rows[i].best_version) &&
                          lore_streq(rows[i].r.chip, h->timing.chip) &&
                          lore_streq(rows[i].workload_id, h->timing.workload);
        s->vs_first.v = s->vs_first.set ? first->time_ns / rows[i].best_ns.v : 0;
    }
    return LORE_OK;
}

/* ---- handlers ---- */

LORE_LIST_HANDLER(lore_api_sweeps, sweeps, sweep, lore_sweep_object)

enum lore_status
lore_api_sweep(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct full *out = lore_alloc(req->arena, sizeof *out);
    struct lore_sweep_data d = {0};
    enum lore_status status = lore_db_get_sweep(req->db, req->vars[0], req->arena, &out->row, err);

    if (status == LORE_OK)
        status = lore_db_get_configurations(req->db, req->vars[0], 0, req->arena, &d, err);
    if (status != LORE_OK)
        return status;
    fill(req->arena, &d, out);
    return lore_reply_object(resp, &lore_sweep_full_object, out, err);
}

/* All configurations in the order of the list: by time, then those without one. */
static const uint32_t *
whole_order(const struct lore_sweep_data *d, struct lore_arena *arena)
{
    size_t n;
    uint32_t *order = lore_sweep_order(d, arena, &n);

    for (size_t i = 0; i < d->n; i++)
        if (!(d->time_ns[i] > 0))
            order[n++] = (uint32_t)i;
    return order;
}

enum lore_status
lore_api_sweep_configurations(struct lore_req *req, struct lore_resp *resp, struct lore_err *err)
{
    struct lore_sweep_row row = {0};
    struct lore_sweep_data d = {0};
    struct lore_paging paging = {0};
    struct lore_jsonw w;
    enum lore_status status = lore_params_paging(req, &paging, err);

    if (status == LORE_OK)
        status = lore_db_get_sweep(req->db, req->vars[0], req->arena, &row, err);
    if (status == LORE_OK)
        status =
            lore_db_get_configurations(req->db, req->vars[0], LORE_SWEEP_ALL, req->arena, &d, err);
    if (status != LORE_OK)
        return status;
    const uint32_t *order = whole_order(&d, req->arena);
    size_t at = paging.at > 0 ? (size_t)paging.at : 0, end = at + paging.limit;
    lore_paging_begin(&w, resp);
    for (; at < d.n && at < end; at++) {
        struct configuration c = configuration_of(req->arena, &row, &d, order[at]);
        lore_object_write(&w, &lore_sweep_configuration_object, &c);
    }
    return lore_paging_done(&w, at < d.n, (int64_t)at, err);
}

/* `warplore export --t4 SWEEP`: a search as a results file of the T4 schema, which autotuners and
 * their benchmark suites exchange. Times are milliseconds. What T4 has no place for stands in
 * `metadata`, where `warplore import` finds it again; measurements beside the time are those of the
 * sweep. */
#include <string.h>

#include "collectors/client/ask/fetch.h"
#include "collectors/client/commands/export.h"
#include "collectors/client/commands/fetching.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/sweep.h"

/* The schema's words for why a configuration is invalid. */
static const char *
invalidity(const struct lore_sweep_why *why)
{
    static const char *const words[][2] = {{"compilation", "compile"}, {"runtime", "runtime"},
        {"accuracy", "correctness"}, {"timeout", "timeout"}};

    if (!why)
        return "correct";
    if (why->said && lore_choice("timeout|compile|runtime|correctness|constraints", why->said))
        return why->said;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcmp(words[i][0], why->type) == 0)
            return words[i][1];
    return "runtime";
}

/* A JSON scalar, as it is stored. A text that holds a list or object becomes one again. */
static void
put_scalar(struct lore_jsonw *w, struct lore_arena *arena, const char *key, const char *json)
{
    struct lore_json *text = NULL, *inner = NULL;

    if (*json == '"' && lore_json_parse(json, strlen(json), NULL, arena, &text, NULL) == LORE_OK &&
        (*text->str == '[' || *text->str == '{') &&
        lore_json_parse(text->str, text->len, NULL, arena, &inner, NULL) == LORE_OK)
        json = text->str;
    lore_w_key(w, key);
    lore_w_raw(w, json);
}

static void
put_measurement(struct lore_jsonw *w, struct lore_arena *arena, const char *name, const char *unit,
    const char *json)
{
    lore_w_obj(w);
    lore_w_kstr(w, "name", name);
    put_scalar(w, arena, "value", json);
    lore_w_kstr(w, "unit", unit ? unit : "");
    lore_w_obj_end(w);
}

/* Members of a result that have a place of their own in the schema. */
static bool
is_member(const char *name)
{
    return lore_choice("timestamp|correctness|objectives", name);
}

static void
put_times(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_sweep_data *d, size_t i)
{
    lore_w_key(w, "times");
    lore_w_obj(w);
    for (size_t m = 0; m < d->n_metrics; m++) {
        const char *value = lore_series_value(&d->metrics[m].s, i);
        if (value && lore_starts(d->metrics[m].name, "times."))
            put_scalar(w, arena, d->metrics[m].name + strlen("times."), value);
    }
    lore_w_key(w, "runtimes");
    lore_w_arr(w);
    for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
        lore_w_f64(w, (double)d->samples[k] / 1e6);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

static void
put_measurements(
    struct lore_jsonw *w, struct lore_arena *arena, const struct lore_sweep_data *d, size_t i)
{
    lore_w_key(w, "measurements");
    lore_w_arr(w);
    if (d->time_ns[i] > 0) {
        char digits[32];
        (void)lore_f64_text(d->time_ns[i] / 1e6, digits);
        put_measurement(w, arena, "time", "ms", digits);
    }
    for (size_t m = 0; m < d->n_metrics; m++) {
        const struct lore_sweep_values *v = &d->metrics[m];
        const char *value = lore_series_value(&v->s, i);
        if (value && !is_member(v->name) && !lore_starts(v->name, "times."))
            put_measurement(
                w, arena, lore_streq(v->name, "time") ? "stated_time" : v->name, v->unit, value);
    }
    lore_w_arr_end(w);
}

static void
put_result(
    struct lore_jsonw *w, struct lore_arena *arena, const struct lore_sweep_data *d, size_t i)
{
    const struct lore_sweep_why *why = d->why[i] > 0 ? &d->whys[d->why[i] - 1] : NULL;
    bool objectives = false;

    lore_w_obj(w);
    for (size_t m = 0; m < d->n_metrics; m++) {
        const char *value = lore_series_value(&d->metrics[m].s, i);
        if (!value || !is_member(d->metrics[m].name))
            continue;
        objectives |= strcmp(d->metrics[m].name, "objectives") == 0;
        put_scalar(w, arena, d->metrics[m].name, value);
    }
    lore_w_key(w, "configuration");
    lore_w_obj(w);
    for (size_t p = 0; p < d->n_parameters; p++) {
        const char *value = lore_series_value(&d->parameters[p].s, i);
        if (value)
            put_scalar(w, arena, d->parameters[p].name, value);
    }
    lore_w_obj_end(w);
    put_times(w, arena, d, i);
    lore_w_kstr(w, "invalidity", invalidity(why));
    if (why && why->said)
        lore_w_kstr(w, "error", why->said);
    put_measurements(w, arena, d, i);
    if (!objectives) {
        lore_w_key(w, "objectives");
        lore_w_raw(w, "[\"time\"]");
    }
    lore_w_obj_end(w);
}

static void
put_workload(struct lore_jsonw *w, const struct lore_workload *load)
{
    if (!load->set)
        return;
    lore_w_key(w, "workload");
    lore_w_obj(w);
    lore_w_kstr_opt(w, "dtype", load->dtype);
    lore_w_kstr_opt(w, "layout", load->layout);
    lore_w_key(w, "dims");
    lore_w_obj(w);
    for (size_t i = 0; i < load->dims.n; i++) {
        lore_w_key(w, load->dims.v[i].key);
        lore_w_raw(w, load->dims.v[i].value);
    }
    lore_w_obj_end(w);
    lore_w_obj_end(w);
}

/* ROW: the sweep as the list shows it, which has the names. */
static void
put_file(struct lore_jsonw *w, struct lore_arena *arena, const struct lore_json *row,
    const struct lore_sweep *s, const struct lore_sweep_data *d)
{
    lore_w_obj(w);
    lore_w_kstr(w, "schema_version", "1.0.0");
    lore_w_key(w, "metadata");
    lore_w_obj(w);
    lore_w_kstr(w, "timeunit", "milliseconds");
    lore_w_kstr(w, "autotuner", "warplore");
    lore_w_kstr_opt(w, "tool", s->tool);
    lore_w_kstr(w, "sweep", s->id);
    lore_w_kstr_opt(w, "kernel", lore_fetch_text(row, "kernel_name"));
    lore_w_kstr_opt(w, "language", lore_fetch_text(row, "language"));
    lore_w_kstr_opt(w, "operator", lore_fetch_text(row, "operator"));
    lore_w_kstr_opt(w, "device", s->chip);
    lore_w_kstr_opt(w, "statistic", s->statistic);
    put_workload(w, &s->workload);
    lore_w_obj_end(w);
    lore_w_key(w, "results");
    lore_w_arr(w);
    for (size_t i = 0; i < d->n; i++)
        put_result(w, arena, d, i);
    lore_w_arr_end(w);
    lore_w_obj_end(w);
}

/* ---- the record ---- */

/* The sweep ID as it was submitted, in the document that brought it. */
static enum lore_status
find_sweep(struct lore_fetching *f, const char *id, const char *document,
    const struct lore_sweep **out, struct lore_err *err)
{
    const struct lore_json *root = NULL;
    struct lore_submission *doc = lore_alloc(f->cli->arena, sizeof *doc);
    enum lore_status status = lore_fetch_one(
        &f->fetch, lore_format(f->cli->arena, "/api/v1/submissions/%s/raw", document), &root, err);

    if (status == LORE_OK && !root)
        status = lore_fail(err, LORE_NOTFOUND, "%s: the service has no such document", document);
    if (status == LORE_OK)
        status = lore_wire_decode(root, f->cli->arena, doc, err);
    for (size_t i = 0; status == LORE_OK && i < doc->n_sweeps; i++)
        if (lore_streq(doc->sweeps[i].id, id))
            *out = &doc->sweeps[i];
    if (status == LORE_OK && !*out)
        status = lore_fail(err, LORE_NOTFOUND, "%s: document %s does not hold it", id, document);
    return status;
}

static enum lore_status
read_sweep(struct lore_fetching *f, const char *id, const struct lore_json **row,
    const struct lore_sweep **sweep, struct lore_err *err)
{
    enum lore_status status = lore_fetch_one(&f->fetch,
        lore_format(f->cli->arena, "/api/v1/sweeps/%s", lore_fetch_escape(f->cli->arena, id)), row,
        err);

    if (status == LORE_OK && !*row)
        status = lore_fail(err, LORE_NOTFOUND, "%s: no such sweep; see `warplore list sweeps`", id);
    if (status != LORE_OK)
        return status;
    if (lore_streq(
            lore_fetch_text(lore_fetch_object(*row, "provenance"), "redistribution"), "forbidden"))
        return lore_fail(
            err, LORE_FORBIDDEN, "%s: withheld, its licence forbids redistribution", id);
    const char *document = lore_fetch_text(*row, "document");
    return find_sweep(f, lore_fetch_text(*row, "id"), document ? document : "", sweep, err);
}

int
lore_export_t4(struct lore_cli *cli, const char *id, const char *path)
{
    struct lore_fetching f;
    const struct lore_json *row = NULL;
    const struct lore_sweep *sweep = NULL;
    struct lore_buf out = {.max = (size_t)1 << 30};
    struct lore_err err = {0};
    struct lore_jsonw w;

    lore_fetching_begin(&f, cli);
    enum lore_status status = read_sweep(&f, id, &row, &sweep, &err);
    if (status == LORE_OK) {
        lore_jsonw_begin(&w, &out, false);
        put_file(&w, cli->arena, row, sweep, sweep->configurations.data);
        status = lore_jsonw_end(&w, &err);
    }
    if (status != LORE_OK) {
        lore_buf_free(&out);
        return lore_fetching_end(&f, status, &err);
    }
    lore_buf_putc(&out, '\n');
    return lore_cli_put(cli, path, &out, "the sweep");
}

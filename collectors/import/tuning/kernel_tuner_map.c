/* Turns a tuning file into sweeps: one search of the tuner is one record (service/wire/sweep.h).
 * The best configuration is also a version with a run, which the board shows. A version holds only
 * the parameters, so that it is the same record in every document and for every chip. Parameters
 * that are dimensions of the workload split the file into one sweep for each workload. The header
 * of the file, with the searched values, becomes a source document. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/tuning/kernel_tuner.h"
#include "service/base/text.h"
#include "service/wire/build.h"
#include "service/wire/sweep.h"

#define SYSTEM "kernel-tuner"
#define LABEL_MAX 180 /* a label may have 200 bytes */
#define BEST_MAX 4    /* equal times; more of them are not versions */

/* Configurations of one workload. */
struct group {
    struct lore_kernel_tuner *kt;
    const struct lore_kernel_tuner_entry **entries;
    size_t n, cap;
    struct lore_workload workload;
    struct lore_sweep_data d;
    struct lore_series_table *metrics[LORE_SWEEP_SERIES];
    size_t cap_samples, cap_whys;
};

/* ---- records shared by all sweeps of a file ---- */

static void
add_dim(struct lore_kernel_tuner *kt, struct lore_workload *w, const char *name,
    const struct lore_json *v)
{
    char digits[32];

    if (v->type == LORE_J_NUMBER) {
        lore_f64_text(v->f, digits);
        lore_kvs_set(kt->in->arena, &w->dims, name, lore_strdup(kt->in->arena, digits));
    } else if (v->type == LORE_J_STRING) {
        lore_kvs_set(kt->in->arena, &w->dims, name, lore_build_json_text(kt->in->arena, v->str));
    }
}

static bool
is_dimension(const struct lore_kernel_tuner_param *p)
{
    return p->known && p->known->workload;
}

/* The workload: the problem size by axis, and the parameters that are dimensions. */
static struct lore_workload
workload_of(struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_entry *e)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct lore_workload w = {.op = kt->op};
    size_t axis = 0;

    if (kt->problem && kt->problem->type == LORE_J_ARRAY) {
        for (const struct lore_json *v = kt->problem->child; v && axis < 3; v = v->next)
            add_dim(kt, &w, axes[axis++], v);
    } else if (kt->problem) {
        add_dim(kt, &w, axes[0], kt->problem);
    }
    for (size_t p = 0; p < kt->n_params && w.dims.n > 0; p++) {
        const struct lore_kernel_tuner_param *param = &kt->params[p];
        if (is_dimension(param))
            lore_kvs_set(
                kt->in->arena, &w.dims, param->name, param->values[e->value_index[p]].text);
    }
    w.set = w.dims.n > 0;
    return w;
}

static void
map_environment(struct lore_kernel_tuner *kt)
{
    struct lore_submission *doc = kt->in->doc;
    struct lore_arena *arena = kt->in->arena;

    if (!kt->device)
        return;
    kt->environment = lore_build_id(
        arena, 0, "kernel-tuner-environment|%s|%s", kt->device, kt->chip ? kt->chip : "");
    struct lore_environment *e =
        LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = kt->environment;
    e->chip = kt->chip;
    lore_kvs_set(arena, &e->soft, "device_name", lore_build_json_text(arena, kt->device));
}

/* Store the header of the file (searched values, objective) as a source document. */
static void
map_header(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->in;
    const struct lore_json *root = kt->entries[0].node->parent->parent;
    const char *text =
        lore_build_verbatim(in->arena, root, kt->results ? "results" : "cache", NULL);

    if (strlen(text) > (1u << 20))
        return;
    struct lore_source_document *d = LORE_PUSH(in->arena, in->doc->source_documents,
        in->doc->n_source_documents, in->doc->cap_source_documents);
    d->id = lore_build_id(in->arena, 0, "kernel-tuner-header|%s|%s", in->file, text);
    d->title = lore_format(
        in->arena, "Tuning of %.60s on %s", kt->kernel, kt->chip ? kt->chip : "an unknown chip");
    d->path = in->file;
    d->text = text;
    d->provenance.system = SYSTEM;
}

/* ---- columns ---- */

/* Parameters of the search; one that the workload has is none. */
static void
map_parameters(struct group *g)
{
    struct lore_kernel_tuner *kt = g->kt;
    struct lore_arena *arena = kt->in->arena;

    g->d.parameters = lore_alloc_array(arena, kt->n_params + 1, sizeof *g->d.parameters);
    for (size_t p = 0; p < kt->n_params; p++) {
        const struct lore_kernel_tuner_param *param = &kt->params[p];
        struct lore_series_table *t = lore_series_new(arena, g->n);
        if (g->workload.set && is_dimension(param))
            continue;
        for (size_t i = 0; i < g->n; i++) {
            const char *text = param->values[g->entries[i]->value_index[p]].text;
            lore_series_set(t, i, text, strlen(text));
        }
        struct lore_sweep_values *v = &g->d.parameters[g->d.n_parameters++];
        v->name = param->name;
        v->technique = param->known ? param->known->technique : NULL;
        lore_series_end(t, &v->s);
        lore_import_note(kt->in, LORE_IL_NAMES, "parameter %s: technique %s", v->name,
            v->technique ? v->technique : "none is known");
    }
}

/* Set the value of configuration I in column NAME, which is added when it is new. */
static void
set_metric(
    struct group *g, size_t i, const char *name, const char *unit, const struct lore_json *value)
{
    struct lore_arena *arena = g->kt->in->arena;
    struct lore_sweep_data *d = &g->d;
    size_t at = 0;

    if (value->type == LORE_J_NULL)
        return;
    while (at < d->n_metrics && strcmp(d->metrics[at].name, name) != 0)
        at++;
    if (at == LORE_SWEEP_SERIES) {
        lore_import_note(g->kt->in, LORE_IL_EXTRA,
            "%s: more than %d values of a configuration; %s is in the file only", g->kt->in->file,
            LORE_SWEEP_SERIES, name);
        return;
    }
    if (at == d->n_metrics) {
        d->metrics[d->n_metrics++] =
            (struct lore_sweep_values){.name = lore_strdup(arena, name), .unit = unit};
        g->metrics[at] = lore_series_new(arena, g->n);
    }
    const char *text = lore_build_verbatim(arena, value, NULL, NULL);
    if (value->type == LORE_J_ARRAY || value->type == LORE_J_OBJECT)
        text = lore_build_json_text(arena, text);
    lore_series_set(g->metrics[at], i, text, strlen(text));
}

static const char *
text_of(const struct lore_json *object, const char *key)
{
    const struct lore_json *m = lore_json_get(object, key);

    return m && m->type == LORE_J_STRING ? m->str : NULL;
}

/* The measurements of a T4 file besides the time: {name, value, unit}. */
static void
map_measurements(struct group *g, size_t i, const struct lore_json *list)
{
    for (const struct lore_json *m = list->child; m; m = m->next) {
        const char *name = text_of(m, "name"), *unit = text_of(m, "unit");
        const struct lore_json *value = lore_json_get(m, "value");
        if (name && value && strcmp(name, "time") != 0)
            set_metric(g, i, name, unit && *unit ? unit : NULL, value);
    }
}

static bool
is_param(const struct lore_kernel_tuner *kt, const char *key)
{
    for (size_t p = 0; p < kt->n_params; p++) {
        if (strcmp(kt->params[p].name, key) == 0)
            return true;
    }
    return false;
}

static void
map_result_values(struct group *g, size_t i)
{
    const struct lore_kernel_tuner_entry *e = g->entries[i];

    for (const struct lore_json *m = e->node->child; m; m = m->next) {
        if (strcmp(m->key, "configuration") == 0 || (strcmp(m->key, "invalidity") == 0))
            continue;
        if (strcmp(m->key, "measurements") == 0 && m->type == LORE_J_ARRAY) {
            map_measurements(g, i, m);
        } else if (strcmp(m->key, "times") == 0 && m->type == LORE_J_OBJECT) {
            for (const struct lore_json *t = m->child; t; t = t->next)
                if (strcmp(t->key, "runtimes") != 0)
                    set_metric(
                        g, i, lore_format(g->kt->in->arena, "times.%.100s", t->key), NULL, t);
        } else {
            set_metric(g, i, m->key, NULL, m);
        }
    }
}

/* What is known of configuration I besides its parameters, samples and time. A stated time that
 * the samples contradict is kept. */
static void
map_values(struct group *g, size_t i)
{
    const struct lore_kernel_tuner_entry *e = g->entries[i];
    const struct lore_kernel_tuner *kt = g->kt;

    if (kt->results) {
        map_result_values(g, i);
        return;
    }
    for (const struct lore_json *m = e->node->child; m; m = m->next) {
        bool time = strcmp(m->key, "time") == 0;
        if (is_param(kt, m->key) || strcmp(m->key, "times") == 0 ||
            (time && !(e->disagrees && !kt->no_samples)))
            continue;
        set_metric(g, i, m->key,
            time                             ? "ms"
            : strcmp(m->key, "GFLOP/s") == 0 ? "GFLOP/s"
                                             : NULL,
            m);
    }
}

/* ---- times ---- */

static void
map_failure(struct group *g, size_t i)
{
    const struct lore_kernel_tuner_entry *e = g->entries[i];
    struct lore_sweep_data *d = &g->d;
    size_t at = 0;

    while (at < d->n_whys &&
           !(lore_streq(d->whys[at].type, e->error) && lore_streq(d->whys[at].said, e->code)))
        at++;
    if (at == d->n_whys)
        *LORE_PUSH(g->kt->in->arena, d->whys, d->n_whys, g->cap_whys) =
            (struct lore_sweep_why){e->error, e->code, 0};
    d->whys[at].n++;
    d->why[i] = (uint32_t)at + 1;
}

/* The samples, and the time: the mean of the samples, or what the tool stated where samples are
 * not to be trusted. */
static void
map_times(struct group *g, size_t i)
{
    const struct lore_kernel_tuner_entry *e = g->entries[i];
    struct lore_sweep_data *d = &g->d;
    double sum = 0;

    d->first[i] = d->n_samples;
    for (const struct lore_json *s = e->samples ? e->samples->child : NULL; s; s = s->next) {
        sum += s->f * g->kt->unit_ms;
        *LORE_PUSH(g->kt->in->arena, d->samples, d->n_samples, g->cap_samples) =
            (int64_t)llround(s->f * g->kt->unit_ms * 1e6);
    }
    d->first[i + 1] = d->n_samples;
    if (e->failed)
        map_failure(g, i);
    else if (e->disagrees && !g->kt->no_samples)
        d->time_ns[i] = lore_build_ns(sum / (double)e->samples->len);
    else
        d->time_ns[i] = lore_build_ns(e->time_ms);
}

static void
map_columns(struct group *g)
{
    struct lore_arena *arena = g->kt->in->arena;
    struct lore_sweep_data *d = &g->d;

    d->n = g->n;
    d->time_ns = lore_alloc_array(arena, g->n + 1, sizeof *d->time_ns);
    d->why = lore_alloc_array(arena, g->n + 1, sizeof *d->why);
    d->first = lore_alloc_array(arena, g->n + 1, sizeof *d->first);
    d->metrics = lore_alloc_array(arena, LORE_SWEEP_SERIES, sizeof *d->metrics);
    map_parameters(g);
    for (size_t i = 0; i < g->n; i++) {
        map_times(g, i);
        map_values(g, i);
    }
    for (size_t m = 0; m < d->n_metrics; m++)
        lore_series_end(g->metrics[m], &d->metrics[m].s);
}

/* ---- the best configurations ---- */

static const char *
map_version(struct group *g, size_t at)
{
    struct lore_kernel_tuner *kt = g->kt;
    struct lore_submission *doc = kt->in->doc;
    struct lore_arena *arena = kt->in->arena;
    const char *text = lore_sweep_label(&g->d, at, arena);
    const char *id = lore_build_id(arena, 0, "kernel-tuner-version|%s|%s", kt->kernel_id, text);
    size_t *count = lore_index_at(arena, &kt->values, id);

    if ((*count)++ > 0)
        return id;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kt->kernel_id;
    v->kind = LORE_V_CANDIDATE;
    v->label = strlen(text) <= LABEL_MAX
                   ? text
                   : lore_format(arena, "%.*s…", (int)lore_utf8_prefix(text, LABEL_MAX), text);
    for (size_t p = 0; p < g->d.n_parameters; p++)
        lore_kvs_set(arena, &v->params, g->d.parameters[p].name,
            lore_series_value(&g->d.parameters[p].s, at));
    v->provenance.system = SYSTEM;
    return id;
}

static void
map_run(struct group *g, const struct lore_sweep *s, size_t at, const char *version)
{
    struct lore_kernel_tuner *kt = g->kt;
    struct lore_submission *doc = kt->in->doc;
    struct lore_arena *arena = kt->in->arena;
    const struct lore_kernel_tuner_entry *e = g->entries[at];
    size_t n = g->d.first[at + 1] - g->d.first[at];
    struct lore_run *r = LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs);

    r->id = lore_build_id(arena, e->ms, "kernel-tuner-run|%s|%s", s->id, version);
    r->version = version;
    r->evidence = LORE_EV_IMPORTED;
    r->workload = g->workload;
    r->chip = kt->chip;
    r->environment = kt->environment;
    r->measured_at = e->measured_at;
    r->tool = SYSTEM;
    if (kt->symbol)
        lore_kvs_set(arena, &r->launch, "kernel", lore_build_json_text(arena, kt->symbol));
    if (n > 0 && !kt->no_samples) {
        r->samples_ns = &g->d.samples[g->d.first[at]];
        r->n_samples = n;
    } else {
        r->summary.set = true;
        r->summary.mean_ns = (struct lore_f64){true, g->d.time_ns[at]};
    }
    if (e->verification >= 0) {
        r->correctness.set = true;
        r->correctness.status = e->verification > 0 ? LORE_C_PASS : LORE_C_NOT_CHECKED;
    }
    r->provenance.system = SYSTEM;
    r->provenance.external_id = e->key;
}

/* The fastest configuration, and those with an equal time, become versions. A time on an unknown
 * workload ranks nowhere, so it becomes no run. */
static void
map_best(struct group *g, struct lore_sweep *s)
{
    struct lore_arena *arena = g->kt->in->arena;
    size_t n;
    const uint32_t *order = lore_sweep_order(&g->d, arena, &n);

    for (size_t i = 0; i < n && i < BEST_MAX; i++) {
        if (g->d.time_ns[order[i]] > g->d.time_ns[order[0]])
            break;
        const char *version = map_version(g, order[i]);
        *LORE_PUSH(arena, s->best, s->n_best, s->cap_best) =
            (struct lore_sweep_best){{true, order[i]}, version};
        if (g->workload.set)
            map_run(g, s, order[i], version);
    }
}

/* ---- sweeps ---- */

static void
map_sweep(struct group *g)
{
    struct lore_kernel_tuner *kt = g->kt;
    struct lore_arena *arena = kt->in->arena;
    struct lore_sweep s = {.kernel = kt->kernel_id,
        .chip = kt->chip,
        .environment = kt->environment,
        .workload = g->workload,
        .tool = SYSTEM,
        .objective = kt->objective,
        .statistic = "mean",
        .evidence = LORE_EV_IMPORTED,
        .provenance = {.system = SYSTEM, .path = kt->in->file}};
    char print[33];
    int64_t first_ms = 0;

    map_columns(g);
    for (size_t i = 0; i < g->n; i++) {
        const struct lore_kernel_tuner_entry *e = g->entries[i];
        if (e->ms == 0 || (first_ms != 0 && first_ms <= e->ms))
            continue;
        first_ms = e->ms;
        s.searched_at = e->measured_at;
    }
    lore_sweep_print(&g->d, arena, print);
    s.id = lore_build_id(arena, first_ms, "kernel-tuner-sweep|%s|%s|%s|%s", kt->kernel_id,
        kt->chip ? kt->chip : "", lore_workload_text(arena, kt->op, &g->workload), print);
    lore_sweep_write(&g->d, arena, &s.configurations);
    if (kt->symbol)
        s.extra =
            lore_format(arena, "{\"kernel_name\":%s}", lore_build_json_text(arena, kt->symbol));
    map_best(g, &s);
    struct lore_submission *doc = kt->in->doc;
    *LORE_PUSH(arena, doc->sweeps, doc->n_sweeps, doc->cap_sweeps) = s;
}

/* The group of configurations with the workload of E. */
static struct group *
group_of(struct lore_kernel_tuner *kt, struct group **groups, size_t *n, size_t *cap,
    const struct lore_kernel_tuner_entry *e)
{
    struct lore_workload w = workload_of(kt, e);
    const char *text = lore_workload_text(kt->in->arena, kt->op, &w);
    size_t *at =
        lore_index_at(kt->in->arena, &kt->values, lore_format(kt->in->arena, "workload|%s", text));

    if (*at == 0) {
        *LORE_PUSH(kt->in->arena, *groups, *n, *cap) = (struct group){.kt = kt, .workload = w};
        *at = *n;
    }
    return &(*groups)[*at - 1];
}

void
lore_kernel_tuner_map(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->in;
    size_t unchecked = 0, failed = 0, n = 0, cap = 0;
    struct group *groups = NULL;

    if (kt->n == 0)
        return;
    kt->kernel_id = lore_build_kernel(in->arena, in->doc, kt->op, LORE_LANG_OTHER, kt->kernel);
    lore_import_note(in, LORE_IL_NAMES,
        "%s: the file does not name the language of the kernel; recorded as other", kt->kernel);
    map_environment(kt);
    map_header(kt);
    for (size_t i = 0; i < kt->n; i++) {
        const struct lore_kernel_tuner_entry *e = &kt->entries[i];
        struct group *g = group_of(kt, &groups, &n, &cap, e);
        *LORE_PUSH(in->arena, g->entries, g->n, g->cap) = e;
        failed += e->failed;
        unchecked += !e->failed && e->verification == 0;
    }
    for (size_t i = 0; i < n; i++)
        map_sweep(&groups[i]);
    lore_import_note(in, LORE_IL_NAMES, "%s: %zu configurations, %zu of them failed; %zu sweep%s",
        in->file, kt->n, failed, n, n == 1 ? "" : "s, one for each workload");
    if (unchecked > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: no time was spent on verification of %zu configurations; their correctness is "
            "recorded as not checked",
            in->file, unchecked);
}

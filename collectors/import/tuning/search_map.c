/* Turns the configurations of one place into records: a sweep, and its best configurations as
 * versions with a run, which the board shows. A version holds only the parameters, so that it is
 * the same record in every document and for every chip. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/take.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "collectors/import/tuning/search_group.h"
#include "collectors/import/tuning/search_label.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define BEST_MAX 4 /* equal times; more of them are not versions */

/* ---- kernel and environment ---- */

static const char *
environment_of(struct lore_search *s, const struct lore_search_place *p)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_arena *arena = s->in->arena;

    if (!p->device)
        return NULL;
    const char *id = lore_build_id(lore_import_kept(s->in), 0, "%s-environment|%s|%s", s->system,
        p->device, p->chip ? p->chip : "");
    size_t *known = lore_index_at(lore_import_kept(s->in), &s->ids, id);
    if ((*known)++ > 0)
        return id;
    struct lore_environment *e =
        LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = id;
    e->chip = p->chip;
    lore_kvs_set(arena, &e->soft, "device_name", lore_build_json_text(arena, p->device));
    return id;
}

static void
name_place(struct lore_search *s, struct lore_search_group *g)
{
    const struct lore_search_place *p = &g->place;

    if (g->kernel_id)
        return;
    g->kernel_id = lore_strdup(lore_import_kept(s->in),
        lore_build_kernel(s->in->arena, s->in->doc, p->op, p->language, p->kernel));
    g->environment = environment_of(s, p);
    size_t *told = lore_index_at(lore_import_kept(s->in), &s->ids, p->kernel);
    if (p->language == LORE_LANG_OTHER && (*told)++ == 0)
        lore_import_note(s->in, LORE_IL_NAMES,
            "%s: the file does not name the language of the kernel; recorded as other", p->kernel);
}

/* ---- columns ---- */

static const struct lore_search_meaning *
meaning_of(const struct lore_search *s, const char *param)
{
    for (size_t i = 0; i < s->n_meanings; i++)
        if (strcmp(s->meanings[i].name, param) == 0)
            return &s->meanings[i];
    return lore_search_meaning(param);
}

static void
map_parameters(const struct lore_search *s, struct lore_search_group *g, struct lore_sweep_data *d)
{
    d->parameters = lore_alloc_array(&g->arena, g->params.n + 1, sizeof *d->parameters);
    for (size_t p = 0; p < g->params.n; p++) {
        const struct lore_search_column *c = &g->params.v[p];
        const struct lore_search_meaning *known = meaning_of(s, c->name);
        struct lore_sweep_values *v = &d->parameters[d->n_parameters++];
        *v = (struct lore_sweep_values){
            .name = c->name, .technique = known ? known->technique : NULL};
        lore_series_extend(c->t, g->n);
        lore_series_end(c->t, &v->s);
        lore_import_note(s->in, LORE_IL_NAMES, "parameter %s: %s%s", v->name,
            v->technique ? "technique " : "stands for no known technique",
            v->technique ? v->technique : "");
    }
}

static void
map_values(const struct lore_search *s, struct lore_search_group *g, struct lore_sweep_data *d)
{
    d->metrics = lore_alloc_array(&g->arena, g->values.n + 1, sizeof *d->metrics);
    for (size_t m = 0; m < g->values.n; m++) {
        const struct lore_search_column *c = &g->values.v[m];
        if (s->no_samples && m + 1 == g->stated)
            continue; /* the stated time is the time */
        struct lore_sweep_values *v = &d->metrics[d->n_metrics++];
        *v = (struct lore_sweep_values){.name = c->name, .unit = c->unit};
        lore_series_extend(c->t, g->n);
        lore_series_end(c->t, &v->s);
    }
}

/* The time of a configuration is the mean of its samples, or what the tool stated where samples are
 * not to be trusted. */
static void
map_times(const struct lore_search *s, struct lore_search_group *g, struct lore_sweep_data *d)
{
    d->n = g->n;
    d->time_ns = lore_alloc_array(&g->arena, g->n + 1, sizeof *d->time_ns);
    d->why = lore_alloc_array(&g->arena, g->n + 1, sizeof *d->why);
    d->first = lore_alloc_array(&g->arena, g->n + 1, sizeof *d->first);
    d->whys = g->whys;
    d->n_whys = g->n_whys;
    d->samples = g->samples;
    d->n_samples = g->n_samples;
    for (size_t i = 0; i < g->n; i++) {
        const struct lore_search_row *row = &g->rows[i];
        d->first[i] = row->first;
        d->why[i] = row->why;
        if (row->why == 0)
            d->time_ns[i] =
                lore_build_ns(row->disagrees && !s->no_samples ? row->mean_ms : row->time_ms);
    }
    d->first[g->n] = g->n_samples;
}

static int
by_print(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

static void
note_repeated(const struct lore_search *s, struct lore_search_group *g)
{
    uint64_t *print = lore_alloc_array(&g->arena, g->n + 1, sizeof *print);

    for (size_t i = 0; i < g->n; i++)
        print[i] = g->rows[i].print;
    qsort(print, g->n, sizeof *print, by_print);
    for (size_t i = 1; i < g->n; i++)
        if (print[i] == print[i - 1])
            lore_import_note(s->in, LORE_IL_CONFLICTS,
                "%s: a configuration is listed more than once; each measurement is kept",
                s->in->file);
}

/* ---- the best configurations ---- */

/* The version of the group's kernel with these parameters, added to the document when it is new. A
 * label that leaves parameters out depends on the search, so it is a part of the id. */
static const char *
version_of(struct lore_search *s, const struct lore_search_group *g,
    const struct lore_search_value *params, size_t n, const char *label)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_arena *arena = s->in->arena;
    const char *text = lore_search_text_of(arena, params, n);
    const char *more = strcmp(text, label) == 0 ? "" : lore_format(arena, "|%s", label);
    const char *id =
        lore_build_id(arena, 0, "%s-version|%s|%s%s", s->system, g->kernel_id, text, more);
    size_t *known = lore_index_at(lore_import_kept(s->in), &s->ids, id);

    if ((*known)++ > 0)
        return id;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = g->kernel_id;
    v->kind = LORE_V_CANDIDATE;
    v->label = lore_strdup(arena, label);
    for (size_t i = 0; i < n; i++)
        lore_kvs_set(arena, &v->params, lore_strdup(arena, params[i].name),
            lore_strdup(arena, params[i].json));
    v->provenance.system = s->system;
    return id;
}

static const char *
map_version(struct lore_search *s, const struct lore_search_group *g,
    const struct lore_sweep_data *d, size_t at)
{
    struct lore_search_value params[LORE_SWEEP_SERIES];
    bool differs[LORE_SWEEP_SERIES];
    const char *label = g->rows[at].label;
    size_t n = 0;

    for (size_t p = 0; p < d->n_parameters; p++) {
        const char *value = lore_series_value(&d->parameters[p].s, at);
        if (!value)
            continue;
        differs[n] = d->parameters[p].s.n_values > 1;
        params[n++] = (struct lore_search_value){.name = d->parameters[p].name, .json = value};
    }
    return version_of(
        s, g, params, n, label ? label : lore_search_label(s->in->arena, params, differs, n));
}

static void
map_counters(struct lore_arena *arena, const struct lore_search_group *g,
    const struct lore_sweep_data *d, size_t at, struct lore_run *r)
{
    for (size_t m = 0, k = 0; m < g->values.n && k < d->n_metrics; m++) {
        const struct lore_search_column *c = &g->values.v[m];
        if (strcmp(d->metrics[k].name, c->name) != 0)
            continue;
        const char *text = lore_series_value(&d->metrics[k++].s, at);
        char *end = NULL;
        double v = c->counter && text ? strtod(text, &end) : 0;
        if (end && end > text && *end == '\0')
            lore_build_metric(
                arena, &r->metrics, lore_strdup(arena, c->name), lore_strdup(arena, c->unit), v);
    }
}

static void
map_summary(const struct lore_search *s, const struct lore_search_group *g,
    const struct lore_sweep_data *d, size_t at, struct lore_run *r)
{
    size_t n = d->first[at + 1] - d->first[at];
    struct lore_f64 time = {true, d->time_ns[at]};

    (void)g;
    if (n > 0 && !s->no_samples) {
        r->samples_ns =
            lore_memdup(s->in->arena, &d->samples[d->first[at]], n * sizeof *r->samples_ns);
        r->n_samples = n;
        return;
    }
    r->summary.set = true;
    if (strcmp(s->statistic, "median") == 0)
        r->summary.median_ns = time;
    else if (strcmp(s->statistic, "min") == 0)
        r->summary.min_ns = time;
    else
        r->summary.mean_ns = time;
}

static void
map_run(struct lore_search *s, const struct lore_search_group *g, const struct lore_sweep_data *d,
    const struct lore_sweep *sweep, size_t at, const char *version)
{
    struct lore_submission *doc = s->in->doc;
    struct lore_arena *arena = s->in->arena;
    const struct lore_search_row *row = &g->rows[at];
    struct lore_run *r = LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs);

    r->id = lore_build_id(arena, row->ms, "%s-run|%s|%s", s->system, sweep->id, version);
    r->version = version;
    r->evidence = LORE_EV_IMPORTED;
    r->workload = g->place.workload;
    r->chip = g->place.chip;
    r->environment = g->environment;
    r->measured_at = lore_strdup(arena, row->measured_at);
    r->tool = s->tool ? s->tool : s->system;
    if (g->place.symbol)
        lore_kvs_set(arena, &r->launch, "kernel", lore_build_json_text(arena, g->place.symbol));
    map_summary(s, g, d, at, r);
    map_counters(arena, g, d, at, r);
    if (row->check != LORE_C_NONE) {
        r->correctness.set = true;
        r->correctness.status = row->check;
    }
    r->provenance.system = s->system;
    r->provenance.external_id = lore_strdup(arena, row->key);
}

static bool
has_counters(const struct lore_search_group *g)
{
    for (size_t m = 0; m < g->values.n; m++)
        if (g->values.v[m].counter)
            return true;
    return false;
}

static void
add_best(struct lore_arena *arena, struct lore_sweep *sweep, size_t at, const char *version)
{
    *LORE_PUSH(arena, sweep->best, sweep->n_best, sweep->cap_best) =
        (struct lore_sweep_best){{true, (int64_t)at}, version};
}

/* The fastest configuration, and those with an equal time, become versions. A time on an unknown
 * workload ranks nowhere, so it becomes a run only for its counters. */
static void
map_best(struct lore_search *s, struct lore_search_group *g, const struct lore_sweep_data *d,
    struct lore_sweep *sweep)
{
    struct lore_arena *arena = s->in->arena;
    size_t n;
    const uint32_t *order = lore_sweep_order(d, &g->arena, &n);

    for (size_t i = 0; i < g->n; i++)
        if (g->rows[i].best)
            add_best(arena, sweep, i, map_version(s, g, d, i));
    for (size_t i = 0; i < n && i < BEST_MAX; i++) {
        if (d->time_ns[order[i]] > d->time_ns[order[0]])
            break;
        const char *version = map_version(s, g, d, order[i]);
        add_best(arena, sweep, order[i], version);
        if (g->place.workload.set || has_counters(g))
            map_run(s, g, d, sweep, order[i], version);
    }
}

/* ---- the sweep ---- */

static const char *
extra_of(struct lore_arena *arena, const struct lore_search_group *g)
{
    struct lore_named parts[] = {{"kernel_name", NULL}, {"part", NULL}, {"said", NULL}};

    if (g->place.symbol)
        parts[0].json = lore_build_json_text(arena, g->place.symbol);
    if (g->part > 1)
        parts[1].json = lore_format(arena, "%zu", g->part);
    parts[2].json = g->place.variant;
    return lore_take_extra(arena, parts, 3);
}

static int64_t
searched_at(const struct lore_search_group *g, const char **text)
{
    int64_t first = 0;

    for (size_t i = 0; i < g->n; i++) {
        const struct lore_search_row *row = &g->rows[i];
        if (row->ms == 0 || (first != 0 && first <= row->ms))
            continue;
        first = row->ms;
        *text = row->measured_at;
    }
    return first;
}

/* The texts of the columns outlive the arena of the group. */
static void
write_columns(struct lore_arena *arena, const struct lore_sweep_data *d, struct lore_sweep *sweep)
{
    struct lore_configurations *c = &sweep->configurations;

    lore_sweep_write(d, arena, c);
    for (size_t i = 0; i < c->n_parameters; i++)
        c->parameters[i].name = lore_strdup(arena, c->parameters[i].name);
    for (size_t i = 0; i < c->n_metrics; i++) {
        c->metrics[i].name = lore_strdup(arena, c->metrics[i].name);
        c->metrics[i].unit = lore_strdup(arena, c->metrics[i].unit);
    }
    for (size_t i = 0; i < c->n_failures; i++)
        c->failures[i].said = lore_strdup(arena, c->failures[i].said);
}

void
lore_search_write(struct lore_search *s, struct lore_search_group *g)
{
    struct lore_import *in = s->in;
    struct lore_sweep sweep = {.chip = g->place.chip,
        .workload = g->place.workload,
        .tool = s->tool ? s->tool : s->system,
        .objective = s->objective,
        .strategy = s->strategy,
        .statistic = s->statistic,
        .evidence = LORE_EV_IMPORTED,
        .provenance = {.system = s->system, .path = in->file}};
    struct lore_sweep_data d = {0};
    const char *at = NULL;
    char print[33];

    if (g->n == 0)
        return;
    name_place(s, g);
    sweep.kernel = g->kernel_id;
    sweep.environment = g->environment;
    map_parameters(s, g, &d);
    map_values(s, g, &d);
    map_times(s, g, &d);
    note_repeated(s, g);
    int64_t first = searched_at(g, &at);
    sweep.searched_at = lore_strdup(in->arena, at);
    lore_sweep_print(&d, &g->arena, print);
    sweep.id = lore_build_id(in->arena, first, "%s-sweep|%s|%s|%s|%s", s->system, g->kernel_id,
        sweep.chip ? sweep.chip : "",
        lore_workload_text(&g->arena, g->place.op, &g->place.workload), print);
    write_columns(in->arena, &d, &sweep);
    sweep.extra = extra_of(in->arena, g);
    map_best(s, g, &d, &sweep);
    struct lore_submission *doc = in->doc;
    *LORE_PUSH(in->arena, doc->sweeps, doc->n_sweeps, doc->cap_sweeps) = sweep;
    lore_arena_free(&g->arena);
    struct lore_search_group empty = {.place = g->place,
        .kernel_id = g->kernel_id,
        .environment = g->environment,
        .part = g->part + 1};
    *g = empty;
}

/* Reads the JSON of NVBench: benchmarks with states, one for each combination of the values of
 * their axes. A state is one measurement, so it becomes a run: its axes are the dims of the
 * workload, its summaries are metrics by their tag. Times are seconds. */
#include <stdlib.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "nvbench"
#define MEAN "nv/cold/time/gpu/mean"

struct nvbench {
    struct lore_import *in;
    const struct lore_json *devices;
    const char *version, *kernel, *op;
    size_t skipped;
};

bool
lore_nvbench_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && f->utf8 && lore_import_has(f, "\"benchmarks\"") &&
           lore_import_has(f, "\"devices\"") &&
           (lore_import_has(f, "\"nvbench\"") || lore_import_has(f, "\"axis_values\""));
}

/* ---- values: numbers are texts ---- */

/* The value of a summary: {"data": [{"name": "value", "value": "0.5"}]}, in ARENA; NULL: none. */
static const char *
value_of(struct lore_arena *arena, const struct lore_json *summary)
{
    const struct lore_json *data = lore_json_get(summary, "data"), *m;

    for (m = data ? data->child : NULL; m; m = m->next) {
        const struct lore_json *v = lore_json_get(m, "value");
        if (lore_streq(lore_search_text(m, "name"), "value") && v &&
            (v->type == LORE_J_STRING || v->type == LORE_J_NUMBER))
            return lore_strdup(arena, v->str);
    }
    return NULL;
}

static bool
number_of(const char *text, double *out)
{
    char *end = NULL;

    if (!text || !*text)
        return false;
    *out = strtod(text, &end);
    return *end == '\0' && *out - *out == 0; /* neither infinite nor no number */
}

/* ---- a state ---- */

static void
set_device(struct nvbench *b, const struct lore_json *id, struct lore_run *r)
{
    struct lore_submission *doc = b->in->doc;
    struct lore_arena *arena = b->in->arena;
    const struct lore_json *d = b->devices ? b->devices->child : NULL;

    for (; d; d = d->next) {
        const struct lore_json *its = lore_json_get(d, "id");
        if (its && id && its->type == LORE_J_NUMBER && id->type == LORE_J_NUMBER && its->f == id->f)
            break;
    }
    const char *name = d ? lore_search_text(d, "name") : NULL;
    r->chip = lore_tuning_chip(b->in, name, NULL);
    if (!d)
        return;
    const char *all = lore_build_verbatim(arena, d, "id", NULL);
    r->environment = lore_build_id(arena, 0, "nvbench-environment|%s", all);
    for (size_t i = 0; i < doc->n_environments; i++)
        if (strcmp(doc->environments[i].id, r->environment) == 0)
            return;
    struct lore_environment *e =
        LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments);
    e->id = r->environment;
    e->chip = r->chip;
    if (name)
        lore_kvs_set(arena, &e->soft, "device_name", lore_build_json_text(arena, name));
    lore_kvs_set(arena, &e->soft, "device", lore_build_json_text(arena, all));
}

/* The axes: {"name": "Elements", "type": "int64", "value": "1024"}. */
static void
set_workload(struct nvbench *b, const struct lore_json *axes, struct lore_workload *w)
{
    struct lore_arena *arena = b->in->arena;

    w->op = b->op;
    for (const struct lore_json *a = axes ? axes->child : NULL; a; a = a->next) {
        const char *name = lore_search_text(a, "name");
        const struct lore_json *v = lore_json_get(a, "value");
        if (name && v && (v->type == LORE_J_STRING || v->type == LORE_J_NUMBER))
            lore_kvs_set(
                arena, &w->dims, lore_strdup(arena, name), lore_build_scalar(arena, v->str));
    }
    w->set = w->dims.n > 0;
}

static void
set_summaries(struct nvbench *b, const struct lore_json *list, struct lore_run *r)
{
    struct lore_arena *arena = b->in->arena;

    for (const struct lore_json *s = list ? list->child : NULL; s; s = s->next) {
        const char *tag = lore_search_text(s, "tag"), *text = value_of(arena, s);
        double v;
        if (!tag || !text)
            continue;
        if (strcmp(tag, MEAN) == 0 && number_of(text, &v) && v > 0 && v < 1e6) {
            r->summary.set = true;
            r->summary.mean_ns = (struct lore_f64){true, lore_build_ns(v * 1e3)};
        }
        if (number_of(text, &v))
            lore_build_metric(arena, &r->metrics, lore_strdup(arena, tag), NULL, v);
        else
            lore_kvs_set(
                arena, &r->method, lore_strdup(arena, tag), lore_build_json_text(arena, text));
    }
}

static const char *
version_of(struct nvbench *b)
{
    struct lore_submission *doc = b->in->doc;
    struct lore_arena *arena = b->in->arena;
    const char *kernel = lore_build_kernel(arena, doc, b->op, LORE_LANG_CUDA, b->kernel);
    const char *id = lore_build_id(arena, 0, "nvbench-version|%s", kernel);

    if (b->version && strcmp(b->version, id) == 0)
        return id;
    b->version = id;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = id;
    v->kernel = kernel;
    v->kind = LORE_V_CANDIDATE;
    v->label = b->kernel;
    v->provenance.system = SYSTEM;
    return id;
}

static void
read_state(struct nvbench *b, const struct lore_json *state, size_t line)
{
    struct lore_submission *doc = b->in->doc;
    struct lore_arena *arena = b->in->arena;
    const char *name = lore_search_text(state, "name"),
               *why = lore_search_text(state, "skip_reason");
    struct lore_run run = {.evidence = LORE_EV_IMPORTED, .tool = SYSTEM};

    b->in->records++;
    set_summaries(b, lore_json_get(state, "summaries"), &run);
    if (!run.summary.set && !why) {
        lore_import_refuse_line(b->in, line, "%s: no " MEAN, name ? name : "a state");
        return;
    }
    if (!run.summary.set) { /* a skipped state measured nothing */
        b->skipped++;
        lore_import_note(b->in, LORE_IL_EXTRA, "%s: skipped, in the file only: %s: %s", b->in->file,
            name ? name : "a state", why);
        return;
    }
    set_workload(b, lore_json_get(state, "axis_values"), &run.workload);
    set_device(b, lore_json_get(state, "device"), &run);
    run.version = version_of(b);
    run.id = lore_build_id(arena, 0, "nvbench-run|%s|%s|%s|%.17g", run.version,
        run.environment ? run.environment : "", lore_workload_text(arena, b->op, &run.workload),
        run.summary.mean_ns.v);
    run.provenance.system = SYSTEM;
    run.provenance.external_id = lore_strdup(arena, name);
    *LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs) = run;
}

enum lore_status
lore_nvbench_read(struct lore_import *in, struct lore_err *err)
{
    struct nvbench *b = lore_alloc(lore_import_kept(in), sizeof *b);
    LORE_ROWS rows = {.in = NULL};

    b->in = in;
    if (lore_rows_json(in, "benchmarks", &rows, err) != LORE_OK)
        return LORE_INVALID;
    b->devices = lore_json_get(rows.head, "devices");
    while (lore_rows_next(&rows)) {
        const char *name = lore_search_text(rows.row, "name");
        const struct lore_json *states = lore_json_get(rows.row, "states");
        b->kernel =
            lore_tuning_kernel(in, lore_strdup(in->arena, name ? name : "benchmark"), &b->op);
        for (const struct lore_json *s = states ? states->child : NULL; s; s = s->next)
            read_state(b, s, rows.line);
    }
    lore_import_note(in, LORE_IL_EXTRA,
        "%s: meta, axes, and the names, hints and types of summaries are in the file only",
        in->file);
    return LORE_OK;
}

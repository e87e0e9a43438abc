/* Reads a run directory of the cuda-kernel-optimizer, version 2. It has state.json, the baseline,
 * and folders iterv1, iterv2 … with the files of each iteration. The directory becomes a campaign,
 * every kernel a version, every benchmark a run, every iteration an experiment, whether it
 * succeeded or not.
 *
 * All ids are derived from the files of the directory. An unchanged directory gives the same ids.
 * Each import of a directory that still grows gives a different campaign. Both layouts of branches
 * and ablations are read. In one, branches are b0, b1 … and ablations no_<method>. In the other,
 * branches are b1, b2 … and ablations <method> with underscores instead of dots. */
#include <stdio.h>
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/markdown.h"
#include "collectors/import/v2_run/v2.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define MAX_ITERATIONS 200

bool
lore_v2_run_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, unit, "state.json");

    return f && lore_import_json(f) && lore_json_get(lore_import_json(f), "baseline_file") &&
           lore_json_get(lore_import_json(f), "history");
}

const struct lore_json *
lore_v2_file(struct lore_v2 *co, const char *dir, const char *name)
{
    struct lore_import_file *f = lore_tree_file(co->in->tree, dir, name);

    if (!f)
        return NULL;
    lore_import_open(co->in, f);
    if (lore_import_json(f) && lore_import_json(f)->type == LORE_J_OBJECT)
        return lore_import_json(f);
    co->in->records++;
    lore_import_refuse_line(co->in, 0, "%s", f->problem ? f->problem : "expected a JSON object");
    return NULL;
}

const char *
lore_v2_id(const struct lore_v2 *co, const char *what)
{
    return lore_build_id(co->in->arena, 0, "v2-run|%s|%s%s", co->key, what,
        lore_build_of_project(co->in->arena, co->in->doc));
}

/* PATH relative to the run directory: "iterv1/branches/b2". */
static const char *
relative_path(const struct lore_v2 *co, const char *path)
{
    size_t n = strlen(co->in->unit);

    return n > 0 && strncmp(path, co->in->unit, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

static bool
is_source(const char *path, const char *stem)
{
    static const char *const ends[] = {".cu", ".cuh", ".py", ".hip", ".cpp", ".h", ".hpp", NULL};
    const char *name = lore_build_basename(path), *dot = strrchr(name, '.');

    if (!dot ||
        (stem && ((size_t)(dot - name) != strlen(stem) || strncmp(name, stem, strlen(stem)) != 0)))
        return false;
    for (size_t i = 0; ends[i]; i++) {
        if (strcmp(dot, ends[i]) == 0)
            return true;
    }
    return false;
}

const char *
lore_v2_version(struct lore_v2 *co, const char *what, enum lore_version_kind kind, const char *dir,
    const char *stem, struct lore_parent parent)
{
    struct lore_submission *doc = co->in->doc;
    struct lore_version *v =
        LORE_PUSH(co->in->arena, doc->versions, doc->n_versions, doc->cap_versions);
    size_t n = dir ? strlen(dir) : 0;

    v->id = lore_v2_id(co, lore_format(co->in->arena, "version|%s", what));
    v->kernel = co->kernel;
    v->kind = kind;
    v->label = what;
    v->provenance.system = LORE_V2_SYSTEM;
    v->provenance.external_id = lore_format(co->in->arena, "%s/%s", co->label, what);
    if (parent.version)
        *LORE_PUSH(co->in->arena, v->parents, v->n_parents, v->cap_parents) = parent;
    struct lore_import_file *f = NULL;
    while (dir && (f = lore_tree_next(co->in->tree, dir, f))) {
        if (strchr(f->path + n + 1, '/') || !f->utf8 || !is_source(f->path, stem))
            continue;
        f->read = true;
        struct lore_source *s = LORE_PUSH(co->in->arena, v->sources, v->n_sources, v->cap_sources);
        *s = (struct lore_source){lore_build_basename(f->path), f->text};
    }
    return v->id;
}

struct lore_run *
lore_v2_add_run(struct lore_v2 *co, const char *what, const char *version, enum lore_run_role role)
{
    struct lore_submission *doc = co->in->doc;
    struct lore_run *r = LORE_PUSH(co->in->arena, doc->runs, doc->n_runs, doc->cap_runs);

    r->id = lore_v2_id(co, lore_format(co->in->arena, "run|%s", what));
    r->version = version;
    r->role = role;
    r->evidence = LORE_EV_IMPORTED;
    r->workload = co->workload;
    r->chip = co->chip;
    r->environment = co->environment;
    r->provenance.system = LORE_V2_SYSTEM;
    r->provenance.external_id = lore_format(co->in->arena, "%s/%s", co->label, what);
    return r;
}

/* ---- the run as a whole ---- */

static const char *
key_of(const struct lore_import *in)
{
    static const char *const ends[] = {".json", ".md", ".cu", ".cuh", ".py", ".hip", ".cpp"};
    struct lore_import_file *f = NULL;
    struct lore_buf all = {0};
    char hex[LORE_HASH_HEX];

    while ((f = lore_tree_next(in->tree, in->unit, f))) {
        const char *dot = strrchr(f->path, '.');
        for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++) {
            if (strcmp(dot, ends[i]) != 0)
                continue;
            lore_hash_hex(f->text, f->len, hex);
            lore_buf_printf(&all, "%s %s\n", f->path + strlen(in->unit), hex);
        }
    }
    lore_hash_hex(all.data ? all.data : "", all.len, hex);
    lore_buf_free(&all);
    return lore_strdup(in->arena, hex);
}

/* "softmax.cu" -> softmax. Only the file's name identifies the operator. */
static const char *
operator_of(struct lore_v2 *co, const char *file)
{
    static const char *const prefixes[] = {
        "cutlass_", "cuda_", "triton_", "hip_", "naive_", "baseline_", NULL};
    const char *stem = lore_strndup(co->in->arena, file, strcspn(file, "."));

    for (size_t i = 0; prefixes[i] && !lore_operator_find(stem); i++) {
        if (lore_starts(stem, prefixes[i]) && stem[strlen(prefixes[i])])
            stem += strlen(prefixes[i]);
    }
    const char *op = lore_operator_name(co->in->arena, *stem ? stem : "unnamed");
    lore_import_note(co->in, LORE_IL_NAMES, "%s: operator %s%s", file, op,
        lore_operator_find(op) ? "" : " (new to the catalogue)");
    return *op ? op : "unnamed";
}

static void
read_dims(struct lore_v2 *co)
{
    const struct lore_json *dims = lore_json_get(co->state, "dims");
    bool any = false;

    for (const struct lore_json *m = dims ? dims->child : NULL; m; m = m->next) {
        if (dims->type == LORE_J_OBJECT && co->workload.dims.n < 64)
            any |= lore_take_kv(&co->take, dims, m->key, &co->workload.dims);
    }
    co->workload.set = any;
    co->workload.op = any ? co->op : NULL;
}

static enum lore_status
begin(struct lore_v2 *co, struct lore_err *err)
{
    const char *run_dir = NULL, *baseline = NULL, *backend = NULL;
    const struct lore_json *state = lore_v2_file(co, co->in->unit, "state.json");

    if (!state)
        return lore_fail(err, LORE_INVALID, "state.json: expected a JSON object");
    co->state = state;
    co->take.in = co->in;
    if (!lore_take_path(&co->take, state, "baseline_file", &baseline))
        return lore_fail(err, LORE_INVALID,
            "state.json: baseline_file: missing; it gives the name of the kernel");
    if (lore_take_path(&co->take, state, "run_dir", &run_dir))
        run_dir = lore_build_basename(run_dir);
    co->label = run_dir && strlen(run_dir) <= 60 ? run_dir : "run";
    co->key = key_of(co->in);
    baseline = lore_build_basename(baseline);
    co->op = operator_of(co, baseline);
    const struct lore_import_file *f =
        lore_tree_file(co->in->tree, co->in->unit, "iterv1/bench.json");
    const struct lore_json *b =
        f && lore_import_json(f) ? lore_json_get(lore_import_json(f), "backend") : NULL;
    if (b && b->type == LORE_J_STRING)
        backend = b->str;
    else
        backend = strstr(baseline, ".py") ? "triton" : "cuda";
    co->language = lore_language_find(backend);
    if (co->language == LORE_LANG_NONE)
        co->language = LORE_LANG_OTHER;
    if (strlen(baseline) > LORE_TAKE_NAME)
        baseline = co->op;
    co->kernel = lore_build_kernel(co->in->arena, co->in->doc, co->op, co->language, baseline);
    read_dims(co);
    lore_take_amount(&co->take, state, "noise_threshold_pct", &co->noise_pct);
    co->campaign = lore_v2_id(co, "campaign");
    return LORE_OK;
}

static void
take_baseline(struct lore_v2 *co)
{
    const char *dir =
        lore_format(co->in->arena, "%s%sbaseline", co->in->unit, *co->in->unit ? "/" : "");

    co->baseline =
        lore_v2_version(co, "baseline", LORE_V_BASELINE, dir, NULL, (struct lore_parent){0});
    co->best = co->baseline;
    co->best_run = lore_v2_bench(co, dir, co->baseline, LORE_ROLE_BASELINE, &co->best_ms);
}

/* The entry of iteration N in the history of state.json; NULL: none. */
static const struct lore_json *
history_of(const struct lore_v2 *co, int64_t n)
{
    const struct lore_json *list = lore_json_get(co->state, "history");

    for (const struct lore_json *h = list ? list->child : NULL; h; h = h->next) {
        const struct lore_json *iter = lore_json_get(h, "iter");
        if (iter && iter->type == LORE_J_NUMBER && iter->is_int && iter->i == n)
            return h;
    }
    return NULL;
}

static bool
has_iteration(const struct lore_v2 *co, const char *dir)
{
    static const char *const files[] = {
        "methods.json", "bench.json", "branch_results.json", "analysis.md"};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (lore_tree_file(co->in->tree, dir, files[i]))
            return true;
    }
    return false;
}

static size_t
take_iterations(struct lore_v2 *co)
{
    size_t count = 0;

    for (int64_t n = 1; n <= MAX_ITERATIONS; n++) {
        struct lore_v2_iter it = {.n = n, .champion_branch = -1};
        it.dir = lore_format(
            co->in->arena, "%s%siterv%lld", co->in->unit, *co->in->unit ? "/" : "", (long long)n);
        it.history = history_of(co, n);
        if (!it.history && !has_iteration(co, it.dir))
            continue;
        co->in->records++;
        lore_v2_iteration(co, &it);
        count++;
    }
    return count;
}

/* The text under "Retrospective" in summary.md; NULL: none. */
static const char *
retrospective(struct lore_v2 *co)
{
    struct lore_import_file *f = lore_tree_file(co->in->tree, co->in->unit, "summary.md");
    struct lore_buf b = {.max = LORE_TAKE_TEXT};
    struct lore_md md;

    if (!f || !f->utf8)
        return NULL;
    lore_import_open(co->in, f);
    lore_md_parse(co->in->arena, f->text, f->len, NULL, &md);
    for (size_t i = 0; i < md.n_lines; i++) {
        if (lore_streqi(md.lines[i].section, "retrospective") && md.lines[i].level == 0)
            lore_buf_printf(&b, "%s%s", b.len ? "\n" : "", md.lines[i].text);
    }
    lore_import_note(
        co->in, LORE_IL_EXTRA, "summary.md: its tables repeat state.json; kept in the stored file");
    const char *out = b.len && !b.over ? lore_strndup(co->in->arena, b.data, b.len) : NULL;
    lore_buf_free(&b);
    return out;
}

/* Store known scalars of state.json without a field as configuration of the campaign. */
static void
take_config(struct lore_v2 *co, struct lore_campaign *c)
{
    static const char *const keys[] = {"ncu_num", "branches", "ptr_size", "baseline_file_original",
        "ref_file", "best_file", "best_metric_ms", "best_ncu_rep", "created_at", "schema_version",
        "mode", "env_path"};
    const char *hash = NULL;

    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        (void)lore_take_kv(&co->take, co->state, keys[i], &c->config);
    if (lore_take_text(&co->take, co->state, "input_hash", LORE_TAKE_NAME, &hash))
        c->input_hash = hash;
    if (lore_kvs_get(&c->config, "created_at"))
        lore_import_note(
            co->in, LORE_IL_DOUBTS, "state.json: created_at has no time zone; kept as text");
}

static void
add_campaign(struct lore_v2 *co, size_t iterations)
{
    struct lore_submission *doc = co->in->doc;
    struct lore_import_file *state = lore_tree_file(co->in->tree, co->in->unit, "state.json");
    const char *words = retrospective(co);
    struct lore_campaign *c =
        LORE_PUSH(co->in->arena, doc->campaigns, doc->n_campaigns, doc->cap_campaigns);

    lore_import_open(co->in, state);
    c->id = co->campaign;
    c->label = co->label;
    c->kernel = co->kernel;
    c->baseline = co->baseline;
    c->chip = co->chip;
    c->workload = co->workload;
    c->retrospective = words;
    lore_take_count(&co->take, co->state, "iterations_total", &c->iterations);
    c->expected_records = (struct lore_i64){true, (int64_t)iterations};
    const struct lore_json *history = lore_json_get(co->state, "history");
    if (history && history->type == LORE_J_ARRAY && history->len > iterations)
        c->expected_records.v = history->len;
    c->noise_threshold_pct = co->noise_pct;
    if (c->iterations.set && (int64_t)iterations >= c->iterations.v)
        c->stop_reason = "max_iterations";
    take_config(co, c);
    const struct lore_named parts[] = {
        {"state", lore_take_rest(&co->take, co->state, "state.json")}};
    c->extra = lore_take_extra(co->in->arena, parts, 1);
    c->provenance.system = LORE_V2_SYSTEM;
    c->provenance.external_id = co->label;
}

/* List the JSON files that the importer has not read; they are stored as artifacts. */
static void
list_unread(struct lore_v2 *co)
{
    struct lore_import_file *f = NULL;

    while ((f = lore_tree_next(co->in->tree, co->in->unit, f))) {
        if (!f->read && lore_import_json(f))
            lore_import_note(co->in, LORE_IL_EXTRA, "%s: unknown to this importer; kept as a file",
                lore_build_basename(relative_path(co, f->path)));
    }
}

enum lore_status
lore_v2_run_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_v2 co = {.in = in};
    enum lore_status status = begin(&co, err);

    if (status != LORE_OK)
        return status;
    lore_v2_environment(&co);
    take_baseline(&co);
    size_t iterations = take_iterations(&co);
    lore_v2_frontier(&co);
    add_campaign(&co, iterations);
    list_unread(&co);
    return LORE_OK;
}

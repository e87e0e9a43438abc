/* Versions and runs of rows. A version is its label, parameters and source: rows that agree in them
 * measure one version. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/maps/job.h"
#include "collectors/import/prose.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

enum { LABEL_MAX = 180 };

struct lore_provenance
lore_map_provenance(struct lore_map_job *j)
{
    struct lore_provenance out = {.system = j->map->name,
        .path = j->in->at->path,
        .licence = j->in->licence,
        .redistribution = j->in->redistribution};

    (void)lore_map_has(j, LORE_MF_ID, LORE_TAKE_NAME, &out.external_id);
    (void)lore_map_has(j, LORE_MF_URL, LORE_TAKE_LINE, &out.url);
    return out;
}

const char *
lore_map_rest(struct lore_map_job *j)
{
    for (size_t i = 0; i < j->map->ignore.n; i++)
        lore_take_mark(&j->take, lore_map_node(&j->r, j->map->ignore.v[i]));
    return lore_take_rest(&j->take, j->r.row, j->in->file);
}

const char *
lore_map_identity(struct lore_map_job *j)
{
    const char *row = lore_build_verbatim(j->in->arena, j->r.row, NULL, NULL);
    const char *hash = lore_build_id(j->in->arena, 0, "row|%s", row ? row : "");
    uint64_t times = lore_seen_count(j->kept, &j->rows, hash);

    return lore_format(j->in->arena, "%s|%llu", hash, (unsigned long long)times);
}

/* ---- versions ---- */

static const char *
label_of(struct lore_map_job *j, const struct lore_map_place *p, const struct lore_kvs *params)
{
    struct lore_arena *arena = j->in->arena;
    const char *label = NULL;

    if (lore_map_has(j, LORE_MF_VERSION, LORE_TAKE_LINE, &label))
        return lore_prose_cut(arena, label, LABEL_MAX);
    label = "";
    for (size_t i = 0; i < params->n; i++)
        label = lore_format(arena, "%s%s%s=%s", label, i ? " " : "", params->v[i].key,
            lore_kvs_plain(arena, params->v[i].value));
    return *label ? lore_prose_cut(arena, label, LABEL_MAX)
                  : lore_prose_cut(arena, p->name, LABEL_MAX);
}

static void
add_source(struct lore_map_job *j, const char *text, const char *file, struct lore_version *v)
{
    struct lore_source *s = LORE_PUSH(j->in->arena, v->sources, v->n_sources, v->cap_sources);

    s->file = file ? lore_build_basename(file) : "source";
    s->text = text;
}

/* Several files: a list of {"path": …, "content": …}. */
static bool
add_sources(struct lore_map_job *j, struct lore_version *v)
{
    const struct lore_map_value *f = j->map->fields[LORE_MF_SOURCE];
    const struct lore_json *list =
        f && f->n_columns > 0 ? lore_map_node(&j->r, f->columns[0]) : NULL;
    const char *path, *text;

    for (const struct lore_json *m = list && list->type == LORE_J_ARRAY ? list->child : NULL; m;
         m = m->next) {
        path = text = NULL;
        if (lore_take_text(&j->take, m, "content", 1u << 20, &text) &&
            lore_take_path(&j->take, m, "path", &path))
            add_source(j, text, path, v);
    }
    return v->n_sources > 0;
}

/* Append V, unless the document has it. */
static const char *
put_version(struct lore_map_job *j, const struct lore_version *v)
{
    struct lore_submission *doc = j->in->doc;
    size_t *seen = lore_index_at(j->kept, &j->seen, v->id);

    if ((*seen)++ == 0)
        *LORE_PUSH(j->in->arena, doc->versions, doc->n_versions, doc->cap_versions) = *v;
    return v->id;
}

static const char *
version_id(struct lore_map_job *j, const struct lore_version *v)
{
    struct lore_arena *arena = j->in->arena;
    const char *text = "";

    for (size_t i = 0; i < v->params.n; i++)
        text = lore_format(arena, "%s|%s=%s", text, v->params.v[i].key, v->params.v[i].value);
    for (size_t i = 0; i < v->n_parents; i++)
        text = lore_format(arena, "%s|parent %s", text, v->parents[i].version);
    return lore_build_id(arena, 0, "map-version|%s|%s|%d|%s|%s|%s|%s|%s|%s|%s", j->map->name,
        v->kernel, (int)v->kind, v->label, text, v->summary ? v->summary : "", v->tag ? v->tag : "",
        v->git_commit ? v->git_commit : "", v->created_at ? v->created_at : "",
        v->n_sources > 0 ? v->sources[v->n_sources - 1].text : "");
}

const char *
lore_map_version(struct lore_map_job *j, struct lore_map_place *p, const char *parent)
{
    struct lore_arena *arena = j->in->arena;
    struct lore_version v = {.kind = LORE_V_CANDIDATE};
    const char *source = NULL, *file = NULL, *role = NULL;

    v.kernel = lore_build_kernel(arena, j->in->doc, p->op, p->language, p->name);
    lore_map_kvs(j, LORE_ML_PARAMETERS, &v.params);
    lore_map_kvs_from(j, LORE_MF_PARAMETERS_FROM, &v.params);
    lore_map_kvs(j, LORE_ML_BUILD, &v.build);
    v.label = label_of(j, p, &v.params);
    (void)lore_map_has(j, LORE_MF_SUMMARY, LORE_TAKE_LINE, &v.summary);
    (void)lore_map_has(j, LORE_MF_TAG, LORE_TAKE_NAME, &v.tag);
    (void)lore_map_has(j, LORE_MF_COMMIT, LORE_TAKE_NAME, &v.git_commit);
    if (!add_sources(j, &v) && lore_map_has(j, LORE_MF_SOURCE, 1u << 20, &source)) {
        (void)lore_map_has(j, LORE_MF_FILE, LORE_TAKE_LINE, &file);
        add_source(j, source, file, &v);
    }
    if (lore_map_has(j, LORE_MF_ROLE, LORE_TAKE_NAME, &role) && lore_streq(role, "reference")) {
        v.kind = LORE_V_LIBRARY;
        parent = NULL;
    } else if (lore_streq(role, "baseline")) {
        v.kind = LORE_V_BASELINE;
    }
    if (parent)
        *LORE_PUSH(arena, v.parents, v.n_parents, v.cap_parents) =
            (struct lore_parent){parent, LORE_E_DERIVED_FROM};
    v.provenance.system = j->map->name;
    v.id = version_id(j, &v);
    return put_version(j, &v);
}

/* ---- runs ---- */

/* The value of a product such as "2*M*N*K" of numbers and dims; 0: one of them is not known. */
static double
product(const char *work, const struct lore_workload *w)
{
    double out = 1;

    for (const char *p = work; *p; p += p[0] == '*') {
        size_t n = strcspn(p, "*");
        char word[64], *end;
        if (n == 0 || n >= sizeof word)
            return 0;
        memcpy(word, p, n);
        word[n] = '\0';
        const char *dim = lore_kvs_get(&w->dims, word);
        double v = strtod(dim ? dim : word, &end);
        if (*end || !(v > 0))
            return 0;
        out *= v;
        p += n;
    }
    return out;
}

/* Units of a rate in operations a second. */
static double
rate_of(const char *unit)
{
    static const struct {
        const char *name;
        double rate;
    } units[] = {{"TFLOPS", 1e12}, {"TFLOP/s", 1e12}, {"TOPS", 1e12}, {"GFLOPS", 1e9},
        {"GFLOP/s", 1e9}, {"PFLOPS", 1e15}, {"FLOP/s", 1}};

    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++)
        if (lore_streqi(unit, units[i].name))
            return units[i].rate;
    return 0;
}

static void
set_rate(struct lore_map_job *j, const struct lore_map_place *p, struct lore_run *r)
{
    const struct lore_map_value *v = j->map->fields[LORE_MF_RATE];
    const char *unit = NULL;
    double value = 0;

    if (!lore_map_number(&j->r, v, &value, &unit) || !(value > 0))
        return;
    lore_map_add_metric(j, r, "throughput", unit, value);
    double work = v->work ? product(v->work, &p->workload) : 0, rate = rate_of(unit) * value;
    if (work > 0 && rate > 0 && !r->summary.mean_ns.set && !r->summary.median_ns.set) {
        r->summary.set = true;
        r->summary.mean_ns = (struct lore_f64){true, work / rate * 1e9};
    }
}

static void
set_time(struct lore_map_job *j, struct lore_run *r)
{
    const struct lore_map_value *v = j->map->fields[LORE_MF_TIME];
    struct lore_summary *s = &r->summary;
    struct lore_f64 *to = v && lore_streq(v->statistic, "median") ? &s->median_ns
                          : v && lore_streq(v->statistic, "min")  ? &s->min_ns
                                                                  : &s->mean_ns;
    const char *n = NULL;
    double count = 0;

    if (v && !v->statistic)
        lore_import_note(j->in, LORE_IL_DOUBTS,
            "%s: the statistic of the times is not named; stored as the mean", j->in->file);
    s->set |= lore_map_time(&j->r, v, to);
    s->set |= lore_map_ns(&j->r, j->map->fields[LORE_MF_STD], &s->std_ns);
    s->set |= lore_map_time(&j->r, j->map->fields[LORE_MF_MIN], &s->min_ns);
    s->set |= lore_map_time(&j->r, j->map->fields[LORE_MF_MAX], &s->max_ns);
    if (lore_map_number(&j->r, j->map->fields[LORE_MF_COUNT_OF], &count, &n) && count >= 1 &&
        count < 1e9) {
        s->n = (struct lore_i64){true, (int64_t)count};
        s->set = true;
    }
}

/* Samples: a list of numbers, or numbers in a text. All or none. */
static void
set_samples(struct lore_map_job *j, struct lore_run *r)
{
    const struct lore_map_value *v = j->map->fields[LORE_MF_SAMPLES];
    const char *text = NULL;
    double ns = v ? lore_map_unit_ns(v->unit) : 0;

    if (!lore_map_text(&j->r, v, LORE_TAKE_TEXT, &text))
        return;
    for (const char *p = text + strcspn(text, "-.0123456789"); *p && ns > 0;) {
        char *end;
        double one = strtod(p, &end) * ns;
        if (end == p || !(one > 0) || one > 9e15) {
            ns = 0;
            break;
        }
        *LORE_PUSH(j->in->arena, r->samples_ns, r->n_samples, r->cap_samples) = llround(one);
        p = end + strcspn(end, "-.0123456789");
    }
    if (ns <= 0) {
        r->n_samples = 0;
        lore_import_note(j->in, LORE_IL_DOUBTS, "%s line %zu: samples \"%.60s\" are not read",
            j->in->at->path, j->r.line, text);
    }
}

bool
lore_map_has_metric(const struct lore_run *r, const char *name)
{
    for (size_t i = 0; i < r->metrics.n; i++)
        if (strcmp(r->metrics.v[i].name, name) == 0)
            return true;
    return false;
}

void
lore_map_add_metric(
    struct lore_map_job *j, struct lore_run *r, const char *name, const char *unit, double value)
{
    if (unit && strlen(unit) > LORE_TAKE_NAME)
        unit = NULL;
    if (!lore_map_has_metric(r, name))
        lore_build_metric(j->in->arena, &r->metrics, lore_strdup(j->in->arena, name), unit, value);
}

static void
add_metric(struct lore_map_job *j, struct lore_run *r, const struct lore_map_value *v)
{
    const char *unit = NULL;
    double value = 0;

    if (lore_map_number(&j->r, v, &value, &unit))
        lore_map_add_metric(j, r, v->name, unit, value);
}

static void
set_metrics(struct lore_map_job *j, struct lore_run *r)
{
    const struct lore_map *map = j->map;
    const struct lore_map_value *from = map->fields[LORE_MF_METRICS_FROM];
    const struct lore_json *object =
        from && from->n_columns > 0 ? lore_map_node(&j->r, from->columns[0]) : NULL;
    struct lore_f64 value;

    for (size_t i = 0; i < map->lists[LORE_ML_METRICS].n; i++)
        add_metric(j, r, &map->lists[LORE_ML_METRICS].v[i]);
    for (const struct lore_json *m = object ? object->child : NULL; m && m->key; m = m->next)
        if (strlen(m->key) <= LORE_TAKE_NAME && lore_take_f64(&j->take, object, m->key, &value))
            lore_map_add_metric(j, r, m->key, NULL, value.v);
    for (const struct lore_json *m = j->r.row->child; map->metrics_like.n > 0 && m; m = m->next)
        if (lore_map_like(&map->metrics_like, m->key) && strlen(m->key) <= LORE_TAKE_NAME &&
            lore_take_f64(&j->take, j->r.row, m->key, &value))
            lore_map_add_metric(j, r, m->key, NULL, value.v);
}

enum lore_check
lore_map_check(const char *text)
{
    static const struct {
        const char *word;
        enum lore_check check;
    } words[] = {{"pass", LORE_C_PASS}, {"passed", LORE_C_PASS}, {"true", LORE_C_PASS},
        {"yes", LORE_C_PASS}, {"ok", LORE_C_PASS}, {"correct", LORE_C_PASS}, {"1", LORE_C_PASS},
        {"fail", LORE_C_FAIL}, {"failed", LORE_C_FAIL}, {"false", LORE_C_FAIL}, {"no", LORE_C_FAIL},
        {"incorrect", LORE_C_FAIL}, {"0", LORE_C_FAIL}, {"timeout", LORE_C_TIMEOUT},
        {"not_checked", LORE_C_NOT_CHECKED}, {"not_run", LORE_C_NOT_CHECKED},
        {"not_verified", LORE_C_NOT_CHECKED}};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (lore_streqi(words[i].word, text))
            return words[i].check;
    return LORE_C_NONE;
}

static void
set_correctness(struct lore_map_job *j, struct lore_run *r)
{
    struct lore_correctness *c = &r->correctness;
    const struct lore_map *map = j->map;
    const char *text = NULL, *unit;

    if (!lore_map_has(j, LORE_MF_CORRECT, LORE_TAKE_NAME, &text))
        return;
    c->status = lore_map_check(text);
    if (c->status == LORE_C_NONE) {
        lore_import_note(j->in, LORE_IL_DOUBTS, "correctness \"%s\" is not understood", text);
        c->status = LORE_C_NOT_CHECKED;
        c->message = text;
    }
    c->set = true;
    const struct {
        enum lore_map_field field;
        struct lore_f64 *to;
    } numbers[] = {
        {LORE_MF_MAX_ERROR, &c->max_abs_err}, {LORE_MF_ATOL, &c->atol}, {LORE_MF_RTOL, &c->rtol}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        numbers[i].to->set =
            lore_map_number(&j->r, map->fields[numbers[i].field], &numbers[i].to->v, &unit) &&
            numbers[i].to->v >= 0;
}

static void
set_error(struct lore_map_job *j, struct lore_run *r)
{
    static const char *const types[] = {"compilation", "runtime", "accuracy", "performance",
        "timeout", "profiling", "environment", "process"};
    const char *text = NULL;

    r->error.set = lore_map_has(j, LORE_MF_ERROR, LORE_TAKE_LINE, &text);
    if (r->error.set) {
        r->error.type = "runtime";
        r->error.code = strlen(text) <= LORE_TAKE_NAME ? text : NULL;
        for (size_t i = 0; i < sizeof types / sizeof *types; i++)
            if (lore_streq(text, types[i])) {
                r->error.type = types[i];
                r->error.code = NULL;
            }
    }
    if (r->error.set)
        (void)lore_map_has(j, LORE_MF_MESSAGE, LORE_TAKE_TEXT, &r->error.message);
    else if (r->correctness.set && r->correctness.status != LORE_C_PASS)
        (void)lore_map_has(j, LORE_MF_MESSAGE, LORE_TAKE_TEXT, &r->correctness.message);
}

static const char *
environment_of(struct lore_map_job *j, const struct lore_map_place *p)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_arena *arena = j->in->arena;
    struct lore_environment e = {.chip = p->chip};
    const char *text = "";

    const char *device = NULL;
    if (lore_map_has(j, LORE_MF_CHIP, LORE_TAKE_LINE, &device) && !lore_streq(device, p->chip))
        lore_kvs_set(arena, &e.soft, "device_name", lore_build_json_text(arena, device));
    lore_map_kvs(j, LORE_ML_ENVIRONMENT, &e.soft);
    if (e.soft.n == 0)
        return NULL;
    for (size_t i = 0; i < e.soft.n; i++)
        text = lore_format(arena, "%s|%s=%s", text, e.soft.v[i].key, e.soft.v[i].value);
    e.id = lore_build_id(arena, 0, "map-environment|%s|%s", p->chip ? p->chip : "", text);
    size_t *seen = lore_index_at(j->kept, &j->seen, e.id);
    if ((*seen)++ == 0)
        *LORE_PUSH(arena, doc->environments, doc->n_environments, doc->cap_environments) = e;
    return e.id;
}

static const char *
date_of(struct lore_map_job *j)
{
    const char *text = NULL;
    int64_t us = 0;

    if (!lore_map_has(j, LORE_MF_DATE, LORE_TAKE_NAME, &text))
        return NULL;
    if (lore_time_parse(text, &us, NULL) == LORE_OK && us > 0)
        return text;
    lore_import_note(
        j->in, LORE_IL_DOUBTS, "date \"%s\": expected 2026-01-31T12:00:00Z; not read", text);
    return NULL;
}

struct lore_run *
lore_map_run(struct lore_map_job *j, struct lore_map_place *p, const char *version, const char *id)
{
    struct lore_submission *doc = j->in->doc;
    struct lore_run *r = LORE_PUSH(j->in->arena, doc->runs, doc->n_runs, doc->cap_runs);
    const char *role = NULL;

    r->id = id;
    r->version = version;
    r->evidence = LORE_EV_IMPORTED;
    r->role = LORE_ROLE_CANDIDATE;
    if (lore_map_has(j, LORE_MF_ROLE, LORE_TAKE_NAME, &role))
        r->role = lore_streq(role, "reference")  ? LORE_ROLE_REFERENCE
                  : lore_streq(role, "baseline") ? LORE_ROLE_BASELINE
                                                 : LORE_ROLE_CANDIDATE;
    r->workload = p->workload;
    r->chip = p->chip;
    r->environment = environment_of(j, p);
    r->measured_at = date_of(j);
    r->tool = j->map->name;
    (void)lore_map_has(j, LORE_MF_TOOL, LORE_TAKE_NAME, &r->tool);
    lore_map_kvs(j, LORE_ML_METHOD, &r->method);
    lore_map_kvs(j, LORE_ML_LAUNCH, &r->launch);
    set_correctness(j, r);
    set_error(j, r);
    if (lore_streq(r->error.type, "compilation")) /* what does not compile was not checked */
        r->correctness = (struct lore_correctness){.set = false};
    if (!r->error.set) /* else there is no time, and what stands there goes to extra */
        set_samples(j, r);
    if (!r->error.set && r->n_samples == 0) {
        set_time(j, r);
        set_rate(j, p, r);
    }
    set_metrics(j, r);
    r->provenance = lore_map_provenance(j);
    return r;
}

void
lore_map_run_row(struct lore_map_job *j)
{
    struct lore_map_place *p = lore_map_place(j);
    const char *version = lore_map_version(j, p, NULL);
    struct lore_run *r = lore_map_run(j, p, version,
        lore_build_id(
            j->in->arena, 0, "map-run|%s|%s|%s", j->map->name, version, lore_map_identity(j)));

    r->extra = lore_map_rest(j);
}

/* What a version's row has more of is in the stored file only: the version is the same record for
 * every file that names it. */
void
lore_map_version_row(struct lore_map_job *j)
{
    (void)lore_map_version(j, lore_map_place(j), NULL);
    for (const struct lore_json *m = j->r.row->child; m; m = m->next)
        if (m->key && !lore_take_marked(&j->take, m))
            lore_import_note(j->in, LORE_IL_EXTRA, "%s: %s: no such field; in the stored file only",
                j->in->file, m->key);
}

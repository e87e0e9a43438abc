/* Turns configurations into records. A version holds only the parameters, so that it is the same
 * record in every document and for every chip. The run holds the measurement. The header of the
 * file, with the searched values, becomes a source document. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/tuning/kernel_tuner.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "kernel-tuner"
#define LABEL_MAX 180 /* a label may have 200 bytes */

struct line {
    const char *text;
};

static int
by_line(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->text, ((const struct line *)b)->text);
}

/* "block_size_x=16 read_only=0". Parameters are sorted by name so that their order in the file does
 * not matter. */
static const char *
settings(const struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_entry *e)
{
    struct lore_arena *arena = kt->in->arena;
    struct line lines[LORE_KERNEL_TUNER_PARAMS];
    struct lore_buf b = {.max = 1u << 20};

    for (size_t p = 0; p < kt->n_params; p++)
        lines[p].text = lore_format(
            arena, "%s=%s", kt->params[p].name, kt->params[p].values[e->value_index[p]].text);
    qsort(lines, kt->n_params, sizeof *lines, by_line);
    for (size_t p = 0; p < kt->n_params; p++)
        lore_buf_printf(&b, "%s%s", p > 0 ? " " : "", lines[p].text);
    const char *out = lore_strndup(arena, b.len > 0 ? b.data : "", b.len);
    lore_buf_free(&b);
    return out;
}

static void
map_version(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e)
{
    struct lore_submission *doc = kt->in->doc;
    struct lore_arena *arena = kt->in->arena;
    const char *text = settings(kt, e);

    e->version = lore_build_id(arena, 0, "kernel-tuner-version|%s|%s", kt->kernel_id, text);
    size_t *count = lore_index_at(arena, &kt->values, e->version);
    if ((*count)++ > 0)
        return;
    struct lore_version *v = LORE_PUSH(arena, doc->versions, doc->n_versions, doc->cap_versions);
    v->id = e->version;
    v->kernel = kt->kernel_id;
    v->kind = LORE_V_CANDIDATE;
    v->label = strlen(text) <= LABEL_MAX
                   ? text
                   : lore_format(arena, "%.*s…", (int)lore_utf8_prefix(text, LABEL_MAX), text);
    for (size_t p = 0; p < kt->n_params; p++)
        lore_kvs_set(
            arena, &v->params, kt->params[p].name, kt->params[p].values[e->value_index[p]].text);
    v->provenance.system = SYSTEM;
}

/* ---- records shared by all runs of a file ---- */

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
        if (param->known && param->known->workload)
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
    const struct lore_json *root = kt->n > 0 ? kt->entries[0].node->parent->parent : NULL;
    const char *text =
        root ? lore_build_verbatim(in->arena, root, kt->results ? "results" : "cache", NULL) : NULL;

    if (!text || strlen(text) > (1u << 20))
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

/* ---- runs ---- */

static bool
is_param(const struct lore_kernel_tuner *kt, const char *key)
{
    for (size_t p = 0; p < kt->n_params; p++) {
        if (strcmp(kt->params[p].name, key) == 0)
            return true;
    }
    return false;
}

/* Whether a field of the run or version holds member KEY of the entry; other members go to
 * extra. */
static bool
has_field(
    const struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_entry *e, const char *key)
{
    bool sampled = e->samples && !e->failed && !kt->no_samples;

    if (kt->results)
        return strcmp(key, "configuration") == 0 || (strcmp(key, "invalidity") == 0 && e->failed) ||
               (strcmp(key, "timestamp") == 0 && e->measured_at);
    if (strcmp(key, "time") == 0)
        return !e->disagrees || kt->no_samples;
    if (strcmp(key, "times") == 0)
        return sampled;
    if (strcmp(key, "timestamp") == 0)
        return e->measured_at;
    return strcmp(key, "GFLOP/s") == 0 || is_param(kt, key);
}

static void
write_times(struct lore_jsonw *w, const struct lore_kernel_tuner *kt,
    const struct lore_kernel_tuner_entry *e, const struct lore_json *times)
{
    lore_w_key(w, "times");
    lore_w_obj(w);
    for (const struct lore_json *m = times->child; m; m = m->next) {
        if (strcmp(m->key, "runtimes") == 0 && !e->failed && !kt->no_samples)
            continue;
        lore_w_key(w, m->key);
        lore_w_node(w, m);
    }
    lore_w_obj_end(w);
}

/* The members of the entry without a field, such as compile time and observer values, as JSON. */
static const char *
extra_of(struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_entry *e)
{
    struct lore_buf b = {.max = 1u << 20};
    struct lore_jsonw w;
    const char *out = NULL;
    size_t n = 0;

    lore_jsonw_begin(&w, &b, false);
    lore_w_obj(&w);
    for (const struct lore_json *m = e->node->child; m; m = m->next) {
        if (has_field(kt, e, m->key))
            continue;
        n++;
        if (kt->results && strcmp(m->key, "times") == 0 && m->type == LORE_J_OBJECT) {
            write_times(&w, kt, e, m);
            continue;
        }
        lore_w_key(&w, m->key);
        lore_w_node(&w, m);
    }
    lore_w_obj_end(&w);
    if (lore_jsonw_end(&w, NULL) == LORE_OK && n > 0)
        out = lore_strndup(kt->in->arena, b.data, b.len);
    lore_buf_free(&b);
    return out;
}

static void
map_times(struct lore_kernel_tuner *kt, const struct lore_kernel_tuner_entry *e, struct lore_run *r)
{
    struct lore_arena *arena = kt->in->arena;

    if (e->failed) {
        r->error.set = true;
        r->error.type = e->error;
        r->error.code = e->code;
        r->error.message = e->message;
        return;
    }
    if (e->samples && !kt->no_samples) {
        for (const struct lore_json *s = e->samples->child; s; s = s->next)
            *LORE_PUSH(arena, r->samples_ns, r->n_samples, r->cap_samples) =
                (int64_t)llround(s->f * kt->unit_ms * 1e6);
        return;
    }
    r->summary.set = true;
    r->summary.mean_ns = (struct lore_f64){true, lore_build_ns(e->time_ms)};
}

static void
map_run(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e)
{
    struct lore_submission *doc = kt->in->doc;
    struct lore_arena *arena = kt->in->arena;
    const struct lore_json *rate = lore_json_get(e->node, "GFLOP/s");
    char hex[LORE_HASH_HEX];

    const char *entry_json = lore_build_verbatim(arena, e->node, NULL, NULL);
    lore_hash_hex(entry_json, strlen(entry_json), hex);
    struct lore_run *r = LORE_PUSH(arena, doc->runs, doc->n_runs, doc->cap_runs);
    r->version = e->version;
    r->evidence = LORE_EV_IMPORTED;
    r->workload = workload_of(kt, e);
    const char *canonical = lore_workload_text(arena, kt->op, &r->workload);
    r->id = e->run = lore_build_id(arena, e->ms, "kernel-tuner-run|%s|%s|%s|%s|%s", e->version,
        kt->device ? kt->device : "", kt->chip ? kt->chip : "", canonical, hex);
    r->chip = kt->chip;
    r->environment = kt->environment;
    r->measured_at = e->measured_at;
    r->tool = SYSTEM;
    if (kt->symbol)
        lore_kvs_set(arena, &r->launch, "kernel", lore_build_json_text(arena, kt->symbol));
    map_times(kt, e, r);
    if (rate && rate->type == LORE_J_NUMBER && !kt->results)
        lore_build_metric(arena, &r->metrics, "GFLOP/s", "GFLOP/s", rate->f);
    if (!e->failed && e->verification >= 0) {
        r->correctness.set = true;
        r->correctness.status = e->verification > 0 ? LORE_C_PASS : LORE_C_NOT_CHECKED;
    }
    r->provenance.system = SYSTEM;
    r->provenance.external_id = e->key;
    r->extra = extra_of(kt, e);
}

/* Remove the run just added when the file holds the same measurement twice. */
static void
drop_repeated(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e)
{
    size_t *count = lore_index_at(kt->in->arena, &kt->values, e->run);

    if ((*count)++ > 0)
        memset(&kt->in->doc->runs[--kt->in->doc->n_runs], 0, sizeof(struct lore_run));
}

void
lore_kernel_tuner_map(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->in;
    size_t unchecked = 0, failed = 0;

    if (kt->n == 0)
        return;
    kt->kernel_id = lore_build_kernel(in->arena, in->doc, kt->op, LORE_LANG_OTHER, kt->kernel);
    lore_import_note(in, LORE_IL_NAMES,
        "%s: the file does not name the language of the kernel; recorded as other", kt->kernel);
    map_environment(kt);
    map_header(kt);
    for (size_t i = 0; i < kt->n; i++) {
        map_version(kt, &kt->entries[i]);
        map_run(kt, &kt->entries[i]);
        drop_repeated(kt, &kt->entries[i]);
        failed += kt->entries[i].failed;
        unchecked += !kt->entries[i].failed && kt->entries[i].verification == 0;
    }
    lore_import_note(
        in, LORE_IL_NAMES, "%s: %zu configurations, %zu of them failed", in->file, kt->n, failed);
    if (unchecked > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: no time was spent on verification of %zu configurations; their correctness is "
            "recorded as not checked",
            in->file, unchecked);
}

/* KernelFlow's strategy memory, version 1. A scope is one kernel on one problem and has three
 * buckets: positive, negative and rejected. An entry of a bucket is a set of strategy tags with the
 * last median time before and after. Each entry becomes an experiment; its times are claims
 * relative to the iteration in baseline_iteration, which need not be the one before.
 * KernelFlow compares an iteration with it; no entry says what its source was made from. A tag such
 * as "preserve_x" names what the iteration kept: it is no change.
 *
 * The claimed outcome is KernelFlow's opinion: last_outcome of the entry, else its bucket. The
 * service decides effect, correctness and process itself. An entry that broke a process rule keeps
 * its numbers.
 *
 * KernelFlow overwrites entries in place, so the id of an experiment is derived from the content of
 * its entry. A later snapshot then adds only changed entries. For the same reason no record depends
 * on the date of the file or on other entries. Scope, iteration and median identify a version. */
#include <string.h>

#include "collectors/import/import.h"
#include "collectors/import/importers.h"
#include "collectors/import/kernelflow/kernelflow.h"
#include "collectors/import/rows.h"
#include "service/base/hash.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define FILE_VERSION 1

static const char *const buckets[] = {"positive", "negative", "rejected"};

bool
lore_kernelflow_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    if (!lore_import_has(f, "\"scopes\""))
        return false;
    if (!f->whole)
        return f->head[strspn(f->head, " \t\r\n")] == '{' && lore_import_has(f, "\"meta\"") &&
               lore_import_has(f, "\"source_file\"");
    const struct lore_json *root = lore_import_json(f), *scopes = lore_json_get(root, "scopes");
    return scopes && scopes->type == LORE_J_OBJECT && lore_json_get(root, "version");
}

/* "cutlass_softmax.cu" -> softmax: the name of the file without a prefix that names a language. */
static const char *
operator_of(struct lore_import *in, const char *file)
{
    static const char *const prefixes[] = {"cutlass_", "cuda_", "triton_", "hip_", "cute_", NULL};
    size_t len = strcspn(file, ".");
    const char *stem = lore_strndup(in->arena, file, len);

    if (!lore_operator_find(stem)) {
        for (size_t i = 0; prefixes[i]; i++) {
            if (lore_starts(stem, prefixes[i]) && stem[strlen(prefixes[i])])
                stem += strlen(prefixes[i]);
        }
    }
    const char *op = lore_operator_name(in->arena, stem);
    lore_import_note(in, LORE_IL_NAMES, "%s: operator %s%s", file, op,
        lore_operator_find(op) ? "" : " (new to the catalogue)");
    return op;
}

static enum lore_status
read_dims(struct lore_kernelflow_scope *scope, const struct lore_json *meta, struct lore_import *in,
    struct lore_err *err)
{
    const struct lore_json *args = lore_json_get(meta, "dims_args");
    struct lore_buf text = {.max = 4096};

    if (!args || args->type == LORE_J_NULL)
        return LORE_OK;
    if (args->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "dims_args: expected a list");
    for (const struct lore_json *a = args->child; a; a = a->next) {
        if (a->type != LORE_J_STRING)
            return lore_fail(err, LORE_INVALID, "dims_args: expected a list of text");
        lore_buf_printf(&text, "%s%s", text.len ? " " : "", a->str);
    }
    enum lore_status status = LORE_OK;
    if (text.len > 0) {
        const char *copy = lore_strdup(in->arena, text.data);
        status = lore_dims_parse(copy, in->arena, &scope->dims, err);
    }
    lore_buf_free(&text);
    return status;
}

static void
read_names(struct lore_kernelflow_scope *scope, const char *backend, const char *arch,
    const char *source, struct lore_import *in)
{
    const char *file = lore_build_basename(source);

    scope->language = lore_language_find(backend);
    if (scope->language == LORE_LANG_NONE) {
        scope->language = LORE_LANG_OTHER;
        lore_import_note(in, LORE_IL_NAMES, "backend \"%s\": language other", backend);
    }
    if (strcmp(file, source) != 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: absolute paths are cut to the file name (the stored file keeps them)", file);
    scope->op = operator_of(in, file);
    scope->source = file;
    scope->kernel = lore_build_kernel(in->arena, in->doc, scope->op, scope->language, file);
    if (!arch || !*arch) {
        lore_import_note(in, LORE_IL_DOUBTS, "%s: no chip recorded; chip unknown", scope->key);
        return;
    }
    const struct lore_chip *chip = lore_chip_find(arch);
    scope->chip = chip ? chip->name : NULL;
    if (!chip)
        lore_import_note(in, LORE_IL_DOUBTS, "%s: chip \"%s\" is not known; kept in extra only",
            scope->key, arch);
}

static enum lore_status
read_scope(struct lore_kernelflow_scope *scope, const struct lore_json *node,
    struct lore_import *in, struct lore_err *err)
{
    const struct lore_json *meta = lore_json_get(node, "meta");
    const char *backend = "", *arch = NULL, *source = "", *reference = NULL;
    size_t stripped = 0;

    scope->key = node->key;
    scope->node = node;
    if (!meta || meta->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "meta: missing");
    enum lore_status status = lore_json_text(meta, "backend", &backend, err);
    if (status == LORE_OK)
        status = lore_json_text(meta, "arch", &arch, err);
    if (status == LORE_OK)
        status = lore_json_text(meta, "source_file", &source, err);
    if (status == LORE_OK)
        status = lore_json_text(meta, "reference_file", &reference, err);
    if (status == LORE_OK && !*source)
        status = lore_fail(err, LORE_INVALID, "meta.source_file: missing; it names the kernel");
    if (status == LORE_OK)
        status = read_dims(scope, meta, in, err);
    if (status != LORE_OK)
        return status;
    /* the strategy memory in KernelFlow's public repository has paths with this folder */
    scope->published = strstr(source, "/cuda-optimized-skill/example/") != NULL;
    scope->meta = lore_build_verbatim(in->arena, meta, NULL, &stripped);
    read_names(scope, backend, arch, source, in);
    lore_import_unknown_keys(in, node, "meta positive negative rejected");
    lore_import_unknown_keys(in, meta, "backend source_file reference_file dims_args arch");
    return LORE_OK;
}

static enum lore_status
read_optional(
    const struct lore_json *object, const char *key, struct lore_f64 *out, struct lore_err *err)
{
    const struct lore_json *m = lore_json_get(object, key);

    if (!m || m->type == LORE_J_NULL)
        return LORE_OK;
    out->set = true;
    enum lore_status status = lore_json_f64(object, key, &out->v, err);
    if (status == LORE_OK && out->v < 0)
        status = lore_fail(err, LORE_INVALID, "%s: negative", key);
    return status;
}

static enum lore_status
read_tags(struct lore_kernelflow_entry *e, const struct lore_json *node, struct lore_import *in,
    struct lore_err *err)
{
    const struct lore_json *tags = lore_json_get(node, "tags");

    if (!tags || tags->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "tags: expected a list");
    for (const struct lore_json *t = tags->child; t; t = t->next) {
        if (t->type != LORE_J_STRING || !*t->str)
            return lore_fail(err, LORE_INVALID, "tags[%u]: expected text", t->index);
        lore_build_text(in->arena, &e->tags, t->str);
    }
    return LORE_OK;
}

static enum lore_status
read_entry(struct lore_kernelflow_entry *e, const struct lore_json *node, struct lore_import *in,
    struct lore_err *err)
{
    const struct lore_json *evidence = lore_json_get(node, "evidence");
    struct lore_f64 base_iteration = {0}, last = {0};

    if (node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    e->node = node;
    e->fingerprint = node->key;
    e->reason = "";
    e->outcome = e->bucket;
    enum lore_status status = read_tags(e, node, in, err);
    if (status == LORE_OK)
        status = lore_json_text(node, "last_outcome", &e->outcome, err);
    if (status == LORE_OK)
        status = lore_json_text(node, "last_reason", &e->reason, err);
    if (status == LORE_OK)
        status = read_optional(node, "last_iteration", &last, err);
    if (status == LORE_OK && evidence && evidence->type != LORE_J_OBJECT)
        status = lore_fail(err, LORE_INVALID, "evidence: expected an object");
    if (status == LORE_OK)
        status = read_optional(evidence, "baseline_iteration", &base_iteration, err);
    if (status == LORE_OK)
        status = read_optional(evidence, "baseline_median_ms", &e->before_ms, err);
    if (status == LORE_OK)
        status = read_optional(evidence, "current_median_ms", &e->after_ms, err);
    e->iteration = last.set && last.v < 1e9 ? (int64_t)last.v : -1;
    e->base_iteration = base_iteration.set ? (int64_t)base_iteration.v : -1;
    lore_import_unknown_keys(
        in, node, "tags first_iteration last_iteration count last_outcome last_reason evidence");
    lore_import_unknown_keys(
        in, evidence, "baseline_iteration baseline_median_ms current_median_ms");
    return status;
}

static void
read_bucket(struct lore_import *in, struct lore_kernelflow_scope *scope, const char *bucket)
{
    const struct lore_json *list = lore_json_get(scope->node, bucket);
    struct lore_err err = {0};

    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        struct lore_kernelflow_entry e = {.scope = scope, .bucket = bucket};
        in->records++;
        if (read_entry(&e, m, in, &err) != LORE_OK) {
            lore_import_refuse(in, m, "%s", err.msg);
            continue;
        }
        *LORE_PUSH(in->arena, scope->entries, scope->n_entries, scope->cap_entries) = e;
    }
}

/* Make the records in the order of iterations, so that the service knows what an iteration started
 * from before it judges the iteration. */
static void
map_entries(struct lore_import *in, const struct lore_kernelflow_scope *scope)
{
    int64_t next = -1, now;

    do {
        now = next;
        next = INT64_MAX;
        for (size_t i = 0; i < scope->n_entries; i++) {
            int64_t iteration = scope->entries[i].iteration;
            if (iteration == now)
                lore_kernelflow_map(in, &scope->entries[i]);
            else if (iteration > now && iteration < next)
                next = iteration;
        }
    } while (next != INT64_MAX);
}

static void
refuse_scope(struct lore_import *in, const struct lore_json *node, const char *why)
{
    for (size_t b = 0; b < 3; b++) {
        const struct lore_json *list = lore_json_get(node, buckets[b]);
        for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
            in->records++;
            lore_import_refuse(in, m, "its scope is unusable: %s", why);
        }
    }
}

static enum lore_status
check_version(const struct lore_json *head, struct lore_err *err)
{
    int64_t version = 0;
    enum lore_status status = lore_json_i64(head, "version", &version, err);

    if (status != LORE_OK || version == FILE_VERSION)
        return status;
    return lore_fail_at(err, LORE_INVALID, "unknown_version", "version",
        "version: %lld is not supported; this importer reads version 1", (long long)version);
}

static void
read_one(struct lore_import *in, const struct lore_json *node)
{
    struct lore_kernelflow_scope *scope = lore_alloc(in->arena, sizeof *scope);
    struct lore_err inner = {0};

    if (read_scope(scope, node, in, &inner) != LORE_OK) {
        refuse_scope(in, node, inner.msg);
        return;
    }
    for (size_t b = 0; b < 3; b++)
        read_bucket(in, scope, buckets[b]);
    map_entries(in, scope);
    lore_kernelflow_doubts(in, scope);
}

enum lore_status
lore_kernelflow_read(struct lore_import *in, struct lore_err *err)
{
    LORE_ROWS rows = {.in = NULL};
    enum lore_status status = lore_rows_items(in, "scopes", &rows, err);

    if (!rows.head || rows.head->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected a strategy memory, as JSON");
    if (check_version(rows.head, err) != LORE_OK)
        return LORE_INVALID;
    const struct lore_json *scopes = lore_json_get(rows.head, "scopes");
    if (status != LORE_OK || !scopes || scopes->type != LORE_J_OBJECT)
        return lore_fail_at(
            err, LORE_INVALID, "wrong_type", "scopes", "scopes: expected an object");
    while (status == LORE_OK && lore_rows_next(&rows)) {
        read_one(in, rows.row);
        status = lore_import_flush(in, err);
    }
    lore_import_unknown_keys(in, rows.head, "version updated_at scopes");
    if (lore_json_get(rows.head, "updated_at"))
        lore_import_note(in, LORE_IL_EXTRA,
            "updated_at: kept in the stored file only; entries have no date of their own");
    return status;
}

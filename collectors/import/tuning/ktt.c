/* Reads tuning results of KTT: the JSON of version 2 ({"Metadata", "Results"}), and the CSV of its
 * printer. A result is a configuration with its duration, what the compiler says of it, and the
 * counters of a profiled run, which are also metrics of the best configuration's run. A kernel of
 * several functions has their values under "function.name". Files name no problem size: the global
 * size depends on the configuration. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "ktt"

struct ktt {
    struct lore_search search;
    struct lore_search_place place;
    double unit_ms;
    const char *at; /* "2024-08-12T11:26:23Z"; NULL */
};

bool
lore_ktt_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    /* Metadata may stand at the end */
    return f && f->utf8 && lore_import_has(f, "\"Results\"") &&
           lore_import_has(f, "\"Configuration\"") &&
           (lore_import_has(f, "\"KttVersion\"") || lore_import_has(f, "\"TotalDuration\""));
}

/* ---- JSON ---- */

static enum lore_status
read_parameters(
    struct ktt *k, const struct lore_json *list, struct lore_search_config *c, struct lore_err *err)
{
    if (!list || list->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "Configuration: expected a list of parameters");
    for (const struct lore_json *p = list->child; p; p = p->next) {
        const char *name = lore_search_text(p, "Name"), *text;
        if (!name || !lore_search_scalar(&k->search, lore_json_get(p, "Value"), &text))
            return lore_fail(
                err, LORE_INVALID, "Configuration[%u]: expected Name and Value", p->index);
        lore_search_param(&k->search, c, name, text);
    }
    return LORE_OK;
}

/* "Function." before the values of one of several functions. */
static const char *
named(struct ktt *k, const char *prefix, const char *name)
{
    return *prefix ? lore_format(&k->search.scratch, "%s%s", prefix, name) : name;
}

static void
read_counters(
    struct ktt *k, const struct lore_json *list, const char *prefix, struct lore_search_config *c)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *name = lore_search_text(m, "Name");
        size_t before = c->n_values;
        if (name)
            lore_search_node(
                &k->search, c, named(k, prefix, name), NULL, lore_json_get(m, "Value"));
        if (c->n_values > before)
            c->values[before].counter = true;
    }
}

/* The members of an object as "Prefix.Member", durations with their unit. */
static void
read_members(struct ktt *k, const struct lore_json *object, const char *prefix, const char *skip,
    struct lore_search_config *c)
{
    const char *unit = k->unit_ms == 1e-3 ? "us" : k->unit_ms == 1e-6 ? "ns" : NULL;

    if (!object || object->type != LORE_J_OBJECT)
        return;
    for (const struct lore_json *m = object->child; m; m = m->next) {
        bool time = strstr(m->key, "Duration") || strstr(m->key, "Overhead");
        if (!lore_text_lists(skip, m->key, strlen(m->key)))
            lore_search_node(&k->search, c, named(k, prefix, m->key), time ? unit : NULL, m);
    }
}

/* One function of the kernel. */
static void
read_computation(
    struct ktt *k, const struct lore_json *node, bool several, struct lore_search_config *c)
{
    const char *function = lore_search_text(node, "KernelFunction");
    const char *prefix =
        several && function ? lore_format(&k->search.scratch, "%.60s.", function) : "";
    const struct lore_json *profile = lore_json_get(node, "ProfilingData");

    read_counters(k, lore_json_get(profile, "Counters"), prefix, c);
    read_members(k, lore_json_get(node, "CompilationData"), prefix, "", c);
    read_members(k, lore_json_get(node, "GlobalSize"), named(k, prefix, "GlobalSize."), "", c);
    read_members(k, lore_json_get(node, "LocalSize"), named(k, prefix, "LocalSize."), "", c);
    read_members(k, profile, prefix, "Counters", c);
    read_members(k, node, prefix, "CompilationData,GlobalSize,LocalSize,ProfilingData", c);
}

/* The kernel of the next results; a file may have several. */
static void
name_kernel(struct ktt *k, const char *name)
{
    struct lore_import *in = k->search.in;

    if (k->place.kernel && lore_streq(k->place.symbol, name))
        return;
    k->place.symbol = lore_strdup(in->arena, name);
    k->place.kernel = lore_tuning_kernel(
        in, name ? k->place.symbol : lore_tuning_file_words(in, NULL), &k->place.op);
}

static enum lore_status
read_result(struct ktt *k, const struct lore_json *node, struct lore_err *err)
{
    struct lore_search_config c = {.measured_at = NULL};
    const struct lore_json *all = lore_json_get(node, "ComputationResults"),
                           *time = lore_json_get(node, "TotalDuration");
    const char *status = lore_search_text(node, "Status");

    if (node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    if (read_parameters(k, lore_json_get(node, "Configuration"), &c, err) != LORE_OK)
        return LORE_INVALID;
    name_kernel(k, lore_search_text(node, "KernelName"));
    c.place = lore_search_place(&k->search, &k->place);
    lore_search_time(&k->search, &c, k->at);
    if (status && strcmp(status, "Ok") != 0)
        lore_search_fail(&k->search, &c, status);
    else if (!time || time->type != LORE_J_NUMBER)
        return lore_fail(err, LORE_INVALID, "TotalDuration: expected a time");
    else
        lore_search_timed(&k->search, &c, time->f * k->unit_ms, time->str);
    for (const struct lore_json *f = all ? all->child : NULL; f; f = f->next)
        read_computation(k, f, all->len > 1, &c);
    read_members(
        k, node, "", "Configuration,ComputationResults,Status,TotalDuration,KernelName", &c);
    return lore_search_add(&k->search, &c, err);
}

static enum lore_status
read_head(struct ktt *k, const struct lore_json *meta, struct lore_err *err)
{
    const char *unit = lore_search_text(meta, "TimeUnit");
    const char *api = lore_search_text(meta, "ComputeApi");

    k->unit_ms = lore_search_unit_ms(unit);
    if (k->unit_ms <= 0)
        return lore_fail_at(err, LORE_INVALID, "unknown_unit", "Metadata.TimeUnit",
            "Metadata.TimeUnit: \"%s\" is not a known unit of time", unit ? unit : "");
    k->place.device = lore_search_text(meta, "Device");
    k->place.chip = lore_tuning_chip(k->search.in, k->place.device, NULL);
    k->place.language = lore_streqi(api ? api : "", "CUDA") ? LORE_LANG_CUDA : LORE_LANG_OTHER;
    k->at = lore_search_text(meta, "Timestamp");
    return LORE_OK;
}

enum lore_status
lore_ktt_read(struct lore_import *in, struct lore_err *err)
{
    struct ktt *k = lore_alloc(lore_import_kept(in), sizeof *k);
    LORE_ROWS rows = {.in = NULL};

    if (lore_rows_json(in, "Results", &rows, err) != LORE_OK)
        return LORE_INVALID;
    lore_search_begin(&k->search, in, SYSTEM);
    enum lore_status status = read_head(k, lore_json_get(rows.head, "Metadata"), err);
    while (status == LORE_OK && lore_rows_next(&rows)) {
        struct lore_err inner = {0};
        in->records++;
        if (read_result(k, rows.row, &inner) != LORE_OK)
            lore_search_refuse(&k->search, &rows, "Results", &inner);
    }
    if (status == LORE_OK) {
        lore_search_header(
            &k->search, &k->place, lore_build_verbatim(in->arena, rows.head, "Results", NULL));
        lore_import_unknown_keys(in, rows.head, "Metadata Results");
        lore_import_note(in, LORE_IL_EXTRA,
            "%s: ValueType and Type, the kinds of numbers, and the Status Ok are in the file only",
            in->file);
    }
    lore_search_end(&k->search);
    return status;
}

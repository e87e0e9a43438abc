/* Reads one configuration of a tuning file: its parameters, and its times or its error. Times of
 * cache files are milliseconds. `time` is the mean that the tool minimised. A text in `time` is a
 * failure, also when the entry has a list of times: the tool did not trust that list. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "collectors/import/tuning/kernel_tuner.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define ERROR_TIME 1e19 /* old files store 1e20 as the time of a failed configuration */

/* ---- parameters ---- */

/* Set the place of the configuration FROM, whose dimensions are among its parameters. Most have the
 * place of the one before. */
static void
set_place(struct lore_kernel_tuner *kt, const struct lore_json *from)
{
    struct lore_search_place place = kt->place;
    struct lore_arena *arena = &kt->search.scratch;
    const char *text, *all = "";

    place.workload.dims = (struct lore_kvs){0};
    for (size_t i = 0; i < kt->place.workload.dims.n; i++)
        lore_kvs_set(arena, &place.workload.dims, kt->place.workload.dims.v[i].key,
            kt->place.workload.dims.v[i].value);
    for (size_t p = 0; p < kt->n_params; p++) {
        if (!kt->params[p].dimension ||
            !lore_search_scalar(&kt->search, lore_json_get(from, kt->params[p].name), &text))
            continue;
        lore_kvs_set(arena, &place.workload.dims, kt->params[p].name, text);
        all = lore_format(arena, "%s%s|", all, text);
    }
    if (strcmp(all, kt->dimensions) == 0)
        return;
    kt->at = lore_search_place(&kt->search, &place);
    (void)snprintf(kt->dimensions, sizeof kt->dimensions, "%s",
        strlen(all) < sizeof kt->dimensions ? all : "");
}

/* The parameters of the search; those that are dimensions select the place. */
static enum lore_status
read_params(struct lore_kernel_tuner *kt, const struct lore_json *from,
    struct lore_search_config *c, struct lore_err *err)
{
    for (size_t p = 0; p < kt->n_params; p++) {
        const char *name = kt->params[p].name, *text;
        const struct lore_json *node = lore_json_get(from, name);
        if (!node)
            return lore_fail(err, LORE_INVALID, "parameter \"%s\": missing", name);
        if (!lore_search_scalar(&kt->search, node, &text))
            return lore_fail(err, LORE_INVALID,
                "parameter \"%s\": expected a number, text or boolean, found %s", name,
                lore_json_type_name(node->type));
        if (!kt->params[p].dimension)
            lore_search_param(&kt->search, c, name, text);
    }
    if (kt->n_dimensions > 0)
        set_place(kt, from);
    c->place = kt->at;
    return LORE_OK;
}

/* The configuration of a result. Not every one has all parameters. */
static enum lore_status
read_configuration(struct lore_kernel_tuner *kt, const struct lore_json *from,
    struct lore_search_config *c, struct lore_err *err)
{
    if (!from || from->type != LORE_J_OBJECT || !from->child)
        return lore_fail(err, LORE_INVALID, "configuration: expected an object");
    for (const struct lore_json *m = from->child; m; m = m->next) {
        const char *text;
        if (kt->texts_are_numbers && m->type == LORE_J_STRING)
            text = lore_build_scalar(&kt->search.scratch, m->str);
        else if (!lore_search_scalar(&kt->search, m, &text))
            return lore_fail(err, LORE_INVALID,
                "parameter \"%s\": expected a number, text or boolean, found %s", m->key,
                lore_json_type_name(m->type));
        lore_search_param(&kt->search, c, m->key, text);
    }
    c->place = kt->at;
    return LORE_OK;
}

/* ---- times ---- */

static enum lore_status
read_samples(struct lore_kernel_tuner *kt, struct lore_search_config *c,
    const struct lore_json *list, struct lore_err *err)
{
    if (!list || list->type == LORE_J_NULL)
        return LORE_OK;
    if (list->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "times: expected a list of numbers");
    for (const struct lore_json *s = list->child; s; s = s->next)
        lore_search_sample(&kt->search, c, s->type == LORE_J_NUMBER ? s->f * kt->unit_ms : NAN);
    return LORE_OK;
}

static enum lore_status
read_time(struct lore_kernel_tuner *kt, struct lore_search_config *c, const struct lore_json *time,
    struct lore_err *err)
{
    if (!time || time->type == LORE_J_NULL)
        return LORE_OK;
    if (time->type == LORE_J_STRING) {
        lore_search_fail(&kt->search, c, time->str);
        return LORE_OK;
    }
    if (time->type != LORE_J_NUMBER)
        return lore_fail(err, LORE_INVALID, "time: expected a time or the name of an error");
    if (time->f < ERROR_TIME) {
        lore_search_timed(&kt->search, c, time->f * kt->unit_ms, time->str);
        return LORE_OK;
    }
    lore_search_fail(&kt->search, c, "InvalidConfig");
    c->said = time->str;
    lore_import_note(kt->search.in, LORE_IL_DOUBTS,
        "%s: a time of %s means a failure in older versions of the tool", kt->search.in->file,
        time->str);
    return LORE_OK;
}

/* The time that was spent on verification says whether there was one. */
static enum lore_status
read_check(const struct lore_json *node, const char *key, struct lore_search_config *c,
    struct lore_err *err)
{
    double verification = -1;
    enum lore_status status = lore_json_f64(node, key, &verification, err);

    if (verification >= 0)
        c->check = verification > 0 ? LORE_C_PASS : LORE_C_NOT_CHECKED;
    return status;
}

/* ---- an entry of a cache file ---- */

static bool
is_param(const struct lore_kernel_tuner *kt, const char *key)
{
    for (size_t p = 0; p < kt->n_params; p++) {
        if (strcmp(kt->params[p].name, key) == 0)
            return true;
    }
    return false;
}

static enum lore_status
read_cache_entry(struct lore_kernel_tuner *kt, const struct lore_json *node,
    struct lore_search_config *c, struct lore_err *err)
{
    enum lore_status status = read_params(kt, node, c, err);

    if (status == LORE_OK)
        status = read_time(kt, c, lore_json_get(node, "time"), err);
    if (status == LORE_OK)
        status = read_samples(kt, c, lore_json_get(node, "times"), err);
    if (status == LORE_OK)
        status = read_check(node, "verification_time", c, err);
    for (const struct lore_json *m = node->child; m; m = m->next) {
        if (strcmp(m->key, "times") != 0 && strcmp(m->key, "time") != 0 && !is_param(kt, m->key))
            lore_search_node(
                &kt->search, c, m->key, strcmp(m->key, "GFLOP/s") == 0 ? "GFLOP/s" : NULL, m);
    }
    return status;
}

/* ---- a result of a T4 file ---- */

/* The measurements: {name, value, unit}. The one named "time" is the time. */
static enum lore_status
read_measurements(struct lore_kernel_tuner *kt, const struct lore_json *list,
    struct lore_search_config *c, struct lore_err *err)
{
    for (const struct lore_json *m = list ? list->child : NULL; m; m = m->next) {
        const char *name = lore_search_text(m, "name");
        const struct lore_json *value = lore_json_get(m, "value");
        if (!name || strcmp(name, "time") != 0) {
            size_t before = c->n_values;
            if (name)
                lore_search_node(&kt->search, c, name, lore_search_text(m, "unit"), value);
            if (c->n_values > before) /* KTT's counters have a type */
                c->values[before].counter = lore_search_text(m, "type") != NULL;
        } else if (!c->error) {
            enum lore_status status = read_time(kt, c, value, err);
            if (status != LORE_OK)
                return status;
        }
    }
    return LORE_OK;
}

static void
read_times(
    struct lore_kernel_tuner *kt, const struct lore_json *times, struct lore_search_config *c)
{
    for (const struct lore_json *t = times->child; t; t = t->next) {
        if (strcmp(t->key, "runtimes") != 0)
            lore_search_node(
                &kt->search, c, lore_format(&kt->search.scratch, "times.%.100s", t->key), NULL, t);
    }
}

/* Other members as columns of values. */
static enum lore_status
read_result_values(struct lore_kernel_tuner *kt, const struct lore_json *node,
    struct lore_search_config *c, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next) {
        if (lore_choice("configuration|invalidity", m->key) ||
            (strcmp(m->key, "error") == 0 && c->said == m->str))
            continue;
        if (strcmp(m->key, "measurements") == 0 && m->type == LORE_J_ARRAY)
            status = read_measurements(kt, m, c, err);
        else if (strcmp(m->key, "times") == 0 && m->type == LORE_J_OBJECT)
            read_times(kt, m, c);
        else
            lore_search_node(&kt->search, c, m->key, NULL, m);
    }
    return status;
}

static enum lore_status
read_result(struct lore_kernel_tuner *kt, const struct lore_json *node,
    struct lore_search_config *c, struct lore_err *err)
{
    const struct lore_json *times = lore_json_get(node, "times");
    const char *invalidity = NULL;
    enum lore_status status = read_configuration(kt, lore_json_get(node, "configuration"), c, err);

    if (status == LORE_OK)
        status = lore_json_text(node, "invalidity", &invalidity, err);
    if (status == LORE_OK && invalidity && strcmp(invalidity, "correct") != 0)
        lore_search_fail(&kt->search, c, invalidity);
    if (c->error && lore_search_text(node, "error"))
        c->said = lore_search_text(node, "error");
    if (status == LORE_OK)
        status = read_samples(kt, c, lore_json_get(times, "runtimes"), err);
    if (status == LORE_OK)
        status = read_check(times, "validation", c, err);
    return status == LORE_OK ? read_result_values(kt, node, c, err) : status;
}

enum lore_status
lore_kernel_tuner_read_entry(struct lore_kernel_tuner *kt, const struct lore_json *node,
    const char *key, struct lore_err *err)
{
    struct lore_search_config c = {.key = key};

    if (!node || node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    enum lore_status status =
        kt->results ? read_result(kt, node, &c, err) : read_cache_entry(kt, node, &c, err);
    if (status != LORE_OK) {
        lore_search_drop(&kt->search);
        return status;
    }
    lore_search_time(&kt->search, &c, lore_search_text(node, "timestamp"));
    return lore_search_add(&kt->search, &c, err);
}

/* Reads one configuration of a tuning file: its parameters, and its times or its error. Times of
 * cache files are milliseconds. `time` is the mean that the tool minimised. A text in `time` is a
 * failure, also when the entry has a list of times: the tool did not trust that list. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/import/index.h"
#include "collectors/import/tuning/kernel_tuner.h"
#include "service/base/clock.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define ERROR_TIME 1e19   /* old files store 1e20 as the time of a failed configuration */
#define DISAGREES 0.01    /* relative difference; a larger one is not rounding */
#define MANY_DISAGREE 0.1 /* fraction of the configurations */
#define MAX_SAMPLES 10000 /* most samples of a run */

/* ---- unfinished files ---- */

const char *
lore_kernel_tuner_closed(
    struct lore_arena *arena, const char *text, size_t len, size_t braces, size_t *out)
{
    size_t n = len;

    while (n > 0 && strchr(" \t\r\n", text[n - 1]))
        n--;
    /* cut the incomplete entry at the end */
    if (n > 0 && text[n - 1] != '}') {
        while (n > 1 && (text[n - 1] != ',' || text[n - 2] != '}'))
            n--;
        n = n > 1 ? n - 1 : 0;
    }
    if (n == 0)
        return NULL;
    *out = n + braces;
    return lore_format(arena, "%.*s%.*s", (int)n, text, (int)braces, "}}");
}

/* ---- values ---- */

static enum lore_status
value_of(struct lore_kernel_tuner *kt, const struct lore_json *node, const char *name,
    struct lore_kernel_tuner_value *out, struct lore_err *err)
{
    struct lore_arena *arena = kt->in->arena;
    char digits[32];

    if (!node)
        return lore_fail(err, LORE_INVALID, "parameter \"%s\": missing", name);
    out->number = node->type == LORE_J_BOOL ? (double)node->i : node->f;
    out->symbolic = node->type == LORE_J_STRING;
    switch (node->type) {
    case LORE_J_NUMBER: /* same text for 16 and 16.0 */
        lore_f64_text(node->f, digits);
        out->text = lore_strdup(arena, digits);
        return LORE_OK;
    case LORE_J_BOOL:
        out->text = node->i ? "true" : "false";
        return LORE_OK;
    case LORE_J_STRING:
        out->text = lore_build_json_text(arena, node->str);
        return LORE_OK;
    default:
        return lore_fail(err, LORE_INVALID,
            "parameter \"%s\": expected a number, text or boolean, found %s", name,
            lore_json_type_name(node->type));
    }
}

/* The index of VALUE among those of parameter P. */
static size_t
index_of(struct lore_kernel_tuner *kt, size_t p, const struct lore_kernel_tuner_value *value)
{
    struct lore_kernel_tuner_param *param = &kt->params[p];
    struct lore_arena *arena = kt->in->arena;

    size_t *at = lore_index_at(arena, &kt->values, lore_format(arena, "%zu|%s", p, value->text));
    if (*at == 0) {
        *LORE_PUSH(arena, param->values, param->n, param->cap) = *value;
        *at = param->n;
    }
    return *at - 1;
}

static enum lore_status
read_params(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e,
    const struct lore_json *from, struct lore_err *err)
{
    struct lore_kernel_tuner_value values[LORE_KERNEL_TUNER_PARAMS];

    for (size_t p = 0; p < kt->n_params; p++) {
        const char *name = kt->params[p].name;
        enum lore_status status = value_of(kt, lore_json_get(from, name), name, &values[p], err);
        if (status != LORE_OK)
            return status;
    }
    e->value_index = lore_alloc_array(kt->in->arena, kt->n_params, sizeof *e->value_index);
    const char *all = "";
    for (size_t p = 0; p < kt->n_params; p++) {
        e->value_index[p] = index_of(kt, p, &values[p]);
        all = lore_format(kt->in->arena, "%s%zu,", all, e->value_index[p]);
    }
    size_t *count = lore_index_at(kt->in->arena, &kt->values, all);
    if ((*count)++ > 0)
        lore_import_note(kt->in, LORE_IL_CONFLICTS,
            "%s: a configuration is listed more than once; each measurement is kept", kt->in->file);
    return LORE_OK;
}

/* ---- times ---- */

/* A configuration that was excluded before it was compiled counts as one that does not compile. */
static const struct {
    const char *pattern, *type;
} errors[] = {
    {"compil", "compilation"},
    {"runtime", "runtime"},
    {"timeout", "timeout"},
    {"correct", "accuracy"},
    {"verif", "accuracy"},
    {"constraint", "compilation"},
    {"invalid", "compilation"},
};

static void
fail_entry(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e, const char *code)
{
    const char *lower = lore_slug(kt->in->arena, code);

    e->failed = true;
    e->code = code;
    e->error = "runtime";
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        if (strstr(lower, errors[i].pattern)) {
            e->error = errors[i].type;
            return;
        }
    }
    lore_import_note(kt->in, LORE_IL_DOUBTS,
        "%s: \"%s\" instead of a time: recorded as a runtime error", kt->in->file, code);
}

static enum lore_status
read_samples(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e,
    const struct lore_json *list, struct lore_err *err)
{
    double sum = 0;

    if (!list || list->type == LORE_J_NULL)
        return LORE_OK;
    if (list->type != LORE_J_ARRAY || list->len > MAX_SAMPLES)
        return lore_fail(
            err, LORE_INVALID, "times: expected a list of at most %d numbers", MAX_SAMPLES);
    for (const struct lore_json *s = list->child; s; s = s->next) {
        if (s->type != LORE_J_NUMBER || s->f < 0 || s->f > 1e9)
            return lore_fail(err, LORE_INVALID, "times[%u]: expected a time", s->index);
        sum += s->f * kt->unit_ms;
    }
    if (list->len == 0)
        return LORE_OK;
    double mean = sum / (double)list->len;
    e->samples = list;
    if (e->time_ms <= 0 && !e->failed)
        e->time_ms = mean;
    e->disagrees = !e->failed && fabs(mean - e->time_ms) > DISAGREES * e->time_ms;
    return LORE_OK;
}

static enum lore_status
read_time(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e,
    const struct lore_json *time, struct lore_err *err)
{
    if (!time || time->type == LORE_J_NULL)
        return LORE_OK;
    if (time->type == LORE_J_STRING) {
        fail_entry(kt, e, time->str);
        return LORE_OK;
    }
    if (time->type != LORE_J_NUMBER || time->f <= 0)
        return lore_fail(err, LORE_INVALID, "time: expected a time or the name of an error");
    e->time_ms = time->f * kt->unit_ms;
    if (time->f < ERROR_TIME)
        return LORE_OK;
    fail_entry(kt, e, "InvalidConfig");
    e->code = time->str;
    e->time_ms = 0;
    lore_import_note(kt->in, LORE_IL_DOUBTS,
        "%s: a time of %s means a failure in older versions of the tool", kt->in->file, time->str);
    return LORE_OK;
}

/* Read "2023-12-22 09:54:05.502007+00:00". A time without a zone is ambiguous and not used. */
static void
read_timestamp(
    struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e, const struct lore_json *node)
{
    int64_t us;

    if (!node || node->type != LORE_J_STRING || node->len < 20)
        return;
    char *text = lore_strdup(kt->in->arena, node->str);
    if (text[10] == ' ')
        text[10] = 'T';
    if (lore_time_parse(text, &us, NULL) != LORE_OK || us < 0)
        return;
    e->measured_at = text;
    e->ms = us / 1000;
}

/* ---- an entry ---- */

static enum lore_status
read_cache_entry(
    struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e, struct lore_err *err)
{
    enum lore_status status = read_params(kt, e, e->node, err);

    if (status == LORE_OK)
        status = read_time(kt, e, lore_json_get(e->node, "time"), err);
    if (status == LORE_OK)
        status = read_samples(kt, e, lore_json_get(e->node, "times"), err);
    if (status == LORE_OK)
        status = lore_json_f64(e->node, "verification_time", &e->verification, err);
    e->key = e->node->key;
    return status;
}

/* The value of the measurement named "time"; NULL when there is none. */
static const struct lore_json *
measurement(const struct lore_json *node)
{
    const struct lore_json *list = lore_json_get(node, "measurements"), *m;

    for (m = list ? list->child : NULL; m; m = m->next) {
        const struct lore_json *name = lore_json_get(m, "name");
        if (name && name->type == LORE_J_STRING && strcmp(name->str, "time") == 0)
            return lore_json_get(m, "value");
    }
    return NULL;
}

static enum lore_status
read_result(struct lore_kernel_tuner *kt, struct lore_kernel_tuner_entry *e, struct lore_err *err)
{
    const struct lore_json *times = lore_json_get(e->node, "times");
    const char *invalidity = NULL;
    enum lore_status status = read_params(kt, e, lore_json_get(e->node, "configuration"), err);

    if (status == LORE_OK)
        status = lore_json_text(e->node, "invalidity", &invalidity, err);
    if (status == LORE_OK && invalidity && strcmp(invalidity, "correct") != 0)
        fail_entry(kt, e, invalidity);
    else if (status == LORE_OK)
        status = read_time(kt, e, measurement(e->node), err);
    if (status == LORE_OK)
        status = read_samples(kt, e, lore_json_get(times, "runtimes"), err);
    if (status == LORE_OK)
        status = lore_json_f64(times, "validation", &e->verification, err);
    return status;
}

enum lore_status
lore_kernel_tuner_read_entry(
    struct lore_kernel_tuner *kt, const struct lore_json *node, struct lore_err *err)
{
    struct lore_kernel_tuner_entry e = {.node = node, .verification = -1};

    if (node->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected an object");
    enum lore_status status =
        kt->results ? read_result(kt, &e, err) : read_cache_entry(kt, &e, err);
    if (status == LORE_OK && !e.failed && e.time_ms <= 0)
        status = lore_fail(err, LORE_INVALID, "time: missing");
    if (status != LORE_OK)
        return status;
    read_timestamp(kt, &e, lore_json_get(node, "timestamp"));
    *LORE_PUSH(kt->in->arena, kt->entries, kt->n, kt->cap) = e;
    return LORE_OK;
}

/* ---- all entries ---- */

struct ranked {
    struct lore_kernel_tuner_value value;
    size_t old_index;
};

static int
by_value(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;

    if (x->value.symbolic != y->value.symbolic)
        return x->value.symbolic ? 1 : -1;
    if (!x->value.symbolic && x->value.number != y->value.number)
        return x->value.number < y->value.number ? -1 : 1;
    return x->old_index < y->old_index ? -1 : 1;
}

static void
sort_values(struct lore_kernel_tuner *kt, size_t p)
{
    struct lore_kernel_tuner_param *param = &kt->params[p];
    struct ranked *order = lore_alloc_array(kt->in->arena, param->n + 1, sizeof *order);
    size_t *rank = lore_alloc_array(kt->in->arena, param->n + 1, sizeof *rank);

    for (size_t i = 0; i < param->n; i++)
        order[i] = (struct ranked){param->values[i], i};
    qsort(order, param->n, sizeof *order, by_value);
    for (size_t i = 0; i < param->n; i++) {
        param->values[i] = order[i].value;
        rank[order[i].old_index] = i;
    }
    for (size_t i = 0; i < kt->n; i++)
        kt->entries[i].value_index[p] = rank[kt->entries[i].value_index[p]];
}

void
lore_kernel_tuner_sort(struct lore_kernel_tuner *kt)
{
    size_t disagree = 0, ran = 0, failed_with_times = 0;
    struct lore_import *in = kt->in;

    for (size_t p = 0; p < kt->n_params; p++)
        sort_values(kt, p);
    for (size_t i = 0; i < kt->n; i++) {
        const struct lore_kernel_tuner_entry *e = &kt->entries[i];
        disagree += e->disagrees;
        ran += !e->failed;
        failed_with_times += e->failed && e->samples;
    }
    kt->no_samples = (double)disagree > MANY_DISAGREE * (double)ran;
    if (disagree > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: for %zu of %zu configurations, the mean of the list of times differs from the "
            "stated time; %s",
            in->file, disagree, ran,
            kt->no_samples ? "the stated time is used"
                           : "the mean of the list is used, the stated time is kept beside it");
    if (failed_with_times > 0)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: %zu configurations have times and are marked as failed; recorded as failures with "
            "their times as samples",
            in->file, failed_with_times);
}

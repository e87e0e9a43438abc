/* Reads files of Kernel Tuner: cache files with one object per configuration, also unfinished ones,
 * and results files in the T4 format. A tuning file is one search over the parameters of a kernel
 * and becomes one sweep (search.h). The service knows a cache file and a results file of
 * one search as the same by their measurements. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/kernel_tuner.h"
#include "collectors/import/tuning/names.h"
#include "service/base/text.h"
#include "service/wire/build.h"

/* ---- detection ---- */

static bool
is_cache(const struct lore_import_file *f)
{
    return lore_import_has(f, "\"tune_params_keys\"") && lore_import_has(f, "\"cache\"");
}

bool
lore_kernel_tuner_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);
    bool cache = f && lore_import_has(f, "\"cache\""),
         keys = f && lore_import_has(f, "\"tune_params_keys\"");

    if (cache != keys)
        lore_import_near(t, 50, "no member \"%s\"", cache ? "tune_params_keys" : "cache");
    /* a file that the tuner still writes is not complete JSON */
    return f && f->utf8 && f->head[strspn(f->head, " \t\r\n")] == '{' &&
           (is_cache(f) ||
               (lore_import_has(f, "\"results\"") && lore_import_has(f, "\"configuration\"") &&
                   lore_import_has(f, "\"invalidity\"")));
}

/* ---- the file ---- */

static enum lore_status
add_param(struct lore_kernel_tuner *kt, const char *name, struct lore_err *err)
{
    const struct lore_search_meaning *known = lore_search_meaning(name);
    bool dimension = known && known->workload && kt->problem;

    for (size_t i = 0; i < kt->n_params; i++) {
        if (strcmp(kt->params[i].name, name) == 0)
            return lore_fail(err, LORE_INVALID, "parameter \"%s\" is listed twice", name);
    }
    if (kt->n_params == LORE_SWEEP_SERIES)
        return lore_fail(err, LORE_INVALID, "more than %d parameters", LORE_SWEEP_SERIES);
    kt->params[kt->n_params++] = (struct lore_kernel_tuner_param){name, dimension};
    kt->n_dimensions += dimension;
    return LORE_OK;
}

/* The problem size by axis; *SIZES gets one JSON scalar or a list of them. */
static void
read_problem(struct lore_kernel_tuner *kt, const struct lore_json *sizes)
{
    static const char *const axes[] = {"x", "y", "z"};
    struct lore_arena *arena = lore_import_kept(kt->search.in);
    bool list = sizes && sizes->type == LORE_J_ARRAY;
    size_t axis = 0;

    for (const struct lore_json *v = list ? sizes->child : sizes; v && axis < 3;
         v = list ? v->next : NULL, axis++) {
        const char *text;
        if ((v->type == LORE_J_NUMBER || v->type == LORE_J_STRING) &&
            lore_search_scalar(&kt->search, v, &text))
            lore_kvs_set(arena, &kt->place.workload.dims, axes[axis], lore_strdup(arena, text));
    }
    kt->place.workload.set = kt->place.workload.dims.n > 0;
    kt->problem = kt->place.workload.set ? sizes : NULL;
}

static enum lore_status
read_cache_header(struct lore_kernel_tuner *kt, const struct lore_json *root, struct lore_err *err)
{
    const struct lore_json *keys = lore_json_get(root, "tune_params_keys");
    enum lore_status status = lore_json_text(root, "device_name", &kt->place.device, err);

    if (status == LORE_OK)
        status = lore_json_text(root, "kernel_name", &kt->place.symbol, err);
    if (status != LORE_OK)
        return status;
    if (!keys || keys->type != LORE_J_ARRAY || keys->len == 0)
        return lore_fail(err, LORE_INVALID, "tune_params_keys: expected a list of names");
    read_problem(kt, lore_json_get(root, "problem_size"));
    for (const struct lore_json *k = keys->child; k && status == LORE_OK; k = k->next) {
        if (k->type != LORE_J_STRING || k->len == 0)
            return lore_fail(err, LORE_INVALID, "tune_params_keys[%u]: expected text", k->index);
        status = add_param(kt, k->str, err);
    }
    if (kt->place.device && !*kt->place.device)
        kt->place.device = NULL;
    kt->search.objective = lore_search_text(root, "objective");
    kt->unit_ms = 1;
    return status;
}

/* The workload of a file that Warplore wrote (collectors/client/commands/export_t4.c). */
static void
read_workload(struct lore_kernel_tuner *kt, const struct lore_json *load)
{
    const struct lore_json *dims = lore_json_get(load, "dims");
    struct lore_workload *w = &kt->place.workload;
    const char *text;

    w->dtype = lore_search_text(load, "dtype");
    w->layout = lore_search_text(load, "layout");
    for (const struct lore_json *v = dims && dims->type == LORE_J_OBJECT ? dims->child : NULL; v;
         v = v->next)
        if (lore_search_scalar(&kt->search, v, &text))
            lore_kvs_set(lore_import_kept(kt->search.in), &w->dims, v->key,
                lore_strdup(lore_import_kept(kt->search.in), text));
    w->set = w->dims.n > 0;
}

/* What some tuners say of themselves: KTT writes all values as texts. */
static void
read_metadata(struct lore_kernel_tuner *kt, const struct lore_json *meta)
{
    const char *tuner = lore_search_text(meta, "autotuner"), *tool = lore_search_text(meta, "tool"),
               *language = lore_search_text(meta, "language");
    const char *statistic = lore_search_text(meta, "statistic");

    kt->place.device = lore_search_text(meta, "device");
    kt->place.symbol = lore_search_text(meta, "kernel");
    kt->texts_are_numbers = tuner && lore_streqi(tuner, "KTT");
    if (kt->texts_are_numbers)
        kt->search.system = "ktt";
    if (language && lore_language_find(language) != LORE_LANG_NONE)
        kt->place.language = lore_language_find(language);
    if (!tuner || !lore_streq(tuner, "warplore"))
        return;
    kt->search.system = "warplore-t4";
    kt->search.tool = tool;
    if (statistic && lore_choice("mean|median|min", statistic))
        kt->search.statistic = statistic;
    read_workload(kt, lore_json_get(meta, "workload"));
}

static enum lore_status
read_results_header(
    struct lore_kernel_tuner *kt, const struct lore_json *root, struct lore_err *err)
{
    const char *unit = NULL;
    enum lore_status status =
        lore_json_text(lore_json_get(root, "metadata"), "timeunit", &unit, err);

    if (status != LORE_OK)
        return status;
    kt->unit_ms = lore_search_unit_ms(unit);
    if (kt->unit_ms <= 0)
        return lore_fail_at(err, LORE_INVALID, "unknown_unit", "metadata.timeunit",
            "metadata.timeunit: \"%s\" is not a known unit of time", unit ? unit : "");
    read_metadata(kt, lore_json_get(root, "metadata"));
    return LORE_OK;
}

/* Set chip, kernel and operator; "convolution_kernel" is the kernel "convolution". In the name of a
 * results file, "T4" is the format and not the chip. */
static void
name_place(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->search.in;
    const char *skip = kt->results ? "t4" : NULL, *kernel = kt->place.symbol;

    kt->place.chip = lore_tuning_chip(in, kt->place.device, skip);
    if (!kernel || !*kernel) {
        kernel = lore_tuning_file_words(in, skip);
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: the file names no kernel; kernel \"%s\" is taken from the file's name. A results "
            "file also states no problem size, so its workload is unknown",
            in->file, kernel);
    }
    kt->place.kernel = lore_tuning_kernel(in, kernel, &kt->place.op);
    if (kt->place.language == LORE_LANG_NONE)
        kt->place.language = LORE_LANG_OTHER;
}

static enum lore_status
read_entries(struct lore_kernel_tuner *kt, struct lore_rows *rows, struct lore_err *err)
{
    enum lore_status status = LORE_OK;

    while (status == LORE_OK && lore_rows_next(rows)) {
        const struct lore_json *node = rows->row;
        const char *key = NULL;
        struct lore_err inner = {0};
        kt->search.in->records++;
        if (!kt->results) {
            key = lore_search_text(node, "key");
            node = lore_json_get(node, "value");
        }
        if (lore_kernel_tuner_read_entry(kt, node, key, &inner) != LORE_OK)
            lore_search_refuse(&kt->search, rows, kt->results ? "results" : "cache", &inner);
        status = lore_import_flush(kt->search.in, err);
    }
    return status;
}

static enum lore_status
read_file(struct lore_kernel_tuner *kt, struct lore_rows *rows, struct lore_err *err)
{
    struct lore_import *in = kt->search.in;
    const char *items = kt->results ? "results" : "cache";
    enum lore_status status = kt->results ? read_results_header(kt, rows->head, err)
                                          : read_cache_header(kt, rows->head, err);

    if (status != LORE_OK)
        return status;
    if (rows->unfinished)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: unfinished, the tuner was stopped or still runs; its complete entries are "
            "imported",
            in->file);
    name_place(kt);
    if (kt->n_dimensions == 0)
        kt->at = lore_search_place(&kt->search, &kt->place);
    status = read_entries(kt, rows, err);
    if (status != LORE_OK)
        return status;
    lore_search_header(
        &kt->search, &kt->place, lore_build_verbatim(in->arena, rows->head, items, NULL));
    lore_import_unknown_keys(in, rows->head,
        kt->results ? "metadata schema_version results"
                    : "device_name kernel_name problem_size tune_params_keys tune_params objective "
                      "cache");
    return LORE_OK;
}

enum lore_status
lore_kernel_tuner_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_kernel_tuner *kt = lore_alloc(lore_import_kept(in), sizeof *kt);
    LORE_ROWS rows = {.in = NULL};

    if (!in->at)
        return lore_fail(err, LORE_INVALID, "expected a cache or results file, as JSON");
    kt->results = !is_cache(in->at);
    if (lore_rows_json(in, kt->results ? "results" : "cache", &rows, err) != LORE_OK)
        return LORE_INVALID;
    lore_search_begin(&kt->search, in, "kernel-tuner");
    enum lore_status status = read_file(kt, &rows, err);
    lore_search_end(&kt->search);
    return status;
}

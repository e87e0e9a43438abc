/* Reads files of Kernel Tuner: cache files with one object per configuration, also unfinished ones,
 * and results files in the T4 format. A tuning file is one search over the parameters of a kernel
 * and becomes one sweep (search.h). The service knows a cache file and a results file of
 * one search as the same by their measurements. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/rows.h"
#include "collectors/import/tuning/kernel_tuner.h"
#include "collectors/import/tuning/names.h"
#include "service/wire/build.h"

/* ---- detection ---- */

static bool
contains(const struct lore_import_file *f, const char *word)
{
    return memmem(f->head, f->head_len, word, strlen(word));
}

static bool
is_results(const struct lore_json *root)
{
    const struct lore_json *list = lore_json_get(root, "results");
    const struct lore_json *first = list && list->type == LORE_J_ARRAY ? list->child : NULL;

    return lore_json_get(first, "configuration") && lore_json_get(first, "invalidity");
}

bool
lore_kernel_tuner_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    if (!f)
        return false;
    const struct lore_json *cache = lore_json_get(f->root, "cache"),
                           *keys = lore_json_get(f->root, "tune_params_keys");
    if ((cache != NULL) != (keys != NULL))
        lore_import_near(t, 50, "no member \"%s\"", cache ? "tune_params_keys" : "cache");
    if (f->root)
        return is_results(f->root) || (cache && keys);
    /* a long file, or one that the tuner still writes, which is not complete JSON */
    return (f->problem || !f->whole) && f->utf8 &&
           ((contains(f, "\"tune_params_keys\"") && contains(f, "\"cache\"")) ||
               (contains(f, "\"results\"") && contains(f, "\"configuration\"") &&
                   contains(f, "\"invalidity\"")));
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

static enum lore_status
read_results_header(struct lore_kernel_tuner *kt, const struct lore_json *root,
    const struct lore_json *result, struct lore_err *err)
{
    const struct lore_json *first = lore_json_get(result, "configuration");
    const char *unit = NULL;
    enum lore_status status =
        lore_json_text(lore_json_get(root, "metadata"), "timeunit", &unit, err);

    if (status != LORE_OK)
        return status;
    kt->unit_ms = lore_search_unit_ms(unit);
    if (kt->unit_ms <= 0)
        return lore_fail_at(err, LORE_INVALID, "unknown_unit", "metadata.timeunit",
            "metadata.timeunit: \"%s\" is not a known unit of time", unit ? unit : "");
    if (!first || first->type != LORE_J_OBJECT || !first->child)
        return lore_fail(err, LORE_INVALID, "results[0].configuration: expected an object");
    for (const struct lore_json *m = first->child; m && status == LORE_OK; m = m->next)
        status = add_param(kt, lore_strdup(lore_import_kept(kt->search.in), m->key), err);
    return status;
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
    kt->place.language = LORE_LANG_OTHER;
}

/* The row is a configuration, or NAME and a configuration. */
static void
read_entry(struct lore_kernel_tuner *kt, const struct lore_rows *rows)
{
    const struct lore_json *key = kt->results ? NULL : lore_json_get(rows->row, "key"),
                           *node = key ? lore_json_get(rows->row, "value") : rows->row;
    struct lore_err inner = {0}, named = {0};

    kt->search.in->records++;
    kt->key = key ? key->str : NULL;
    if (lore_kernel_tuner_read_entry(kt, node, &inner) == LORE_OK)
        return;
    (void)(key ? lore_fail(&named, LORE_INVALID, "cache[\"%.80s\"]: %s", key->str, inner.msg)
               : lore_fail(&named, LORE_INVALID, "results[%zu]: %s", rows->n - 1, inner.msg));
    lore_search_refuse(&kt->search, NULL, rows->line, &named);
}

/* What is left of the document when its configurations are in the search. */
static void
read_rest(struct lore_kernel_tuner *kt, const struct lore_rows *rows)
{
    struct lore_import *in = kt->search.in;

    if (rows->unfinished)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: unfinished, the tuner was stopped or still runs; its complete entries are "
            "imported",
            in->file);
    lore_search_header(&kt->search, &kt->place,
        lore_build_verbatim(in->arena, rows->head, kt->results ? "results" : "cache", NULL));
    lore_import_unknown_keys(in, rows->head,
        kt->results ? "metadata schema_version results"
                    : "device_name kernel_name problem_size tune_params_keys tune_params "
                      "objective cache");
}

static enum lore_status
read_rows(struct lore_kernel_tuner *kt, struct lore_rows *rows, struct lore_err *err)
{
    /* the first result names the parameters of a results file */
    bool any = kt->results && lore_rows_next(rows);
    enum lore_status status = kt->results
                                  ? read_results_header(kt, rows->head, any ? rows->row : NULL, err)
                                  : read_cache_header(kt, rows->head, err);

    if (status != LORE_OK)
        return status;
    name_place(kt);
    if (any)
        read_entry(kt, rows);
    while (status == LORE_OK && lore_rows_next(rows)) {
        read_entry(kt, rows);
        status = lore_import_flush(kt->search.in, err);
    }
    if (status == LORE_OK)
        read_rest(kt, rows);
    return status;
}

enum lore_status
lore_kernel_tuner_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_kernel_tuner *kt = lore_alloc(lore_import_kept(in), sizeof *kt);
    const bool results = !in->at || !contains(in->at, "\"tune_params_keys\"");
    LORE_ROWS rows = {.in = NULL};

    enum lore_status status = lore_rows_json(in, results ? "results" : "cache", &rows, err);
    if (status != LORE_OK)
        return status;
    kt->results = results;
    lore_search_begin(&kt->search, in, "kernel-tuner");
    status = read_rows(kt, &rows, err);
    lore_search_end(&kt->search);
    return status;
}

/* Reads files of Kernel Tuner: cache files with one object per configuration, also unfinished ones,
 * and results files in the T4 format. A tuning file is one search over the parameters of a kernel
 * and becomes one sweep (kernel_tuner_map.c). The service knows a cache file and a results file of
 * one search as the same by their measurements. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/tuning/kernel_tuner.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

#define MAX_WORDS 16
/* refusals listed with their line; more are only counted, because finding a line scans the file */
#define MAX_REFUSALS 100

static const struct lore_kernel_tuner_meaning known[] = {
    /* name, technique, whether the parameter is a dimension of the workload */
    {"block_size", "compute.launch_config", false},
    {"block_size_x", "compute.launch_config", false},
    {"block_size_y", "compute.launch_config", false},
    {"block_size_z", "compute.launch_config", false},
    {"blocks_per_sm", "latency.increase_occupancy", false},
    {"filter_height", NULL, true},
    {"filter_width", NULL, true},
    {"loop_unroll_factor", "compute.loop_unroll", false},
    {"num_stages", "memory.multi_stage_pipeline", false},
    {"num_warps", "compute.launch_config", false},
    {"read_only", "memory.readonly_path", false},
    {"split_k", "memory.split_k", false},
    {"tile_size", "compute.thread_coarsening", false},
    {"tile_size_x", "compute.thread_coarsening", false},
    {"tile_size_y", "compute.thread_coarsening", false},
    {"tile_size_z", "compute.thread_coarsening", false},
    {"unroll", "compute.loop_unroll", false},
    {"unroll_factor", "compute.loop_unroll", false},
    {"use_cmem", "memory.constant_memory", false},
    {"use_padding", "memory.smem_padding", false},
    {"use_shmem", "memory.tiling_smem", false},
    {"use_shared_mem", "memory.tiling_smem", false},
    {"vector", "memory.vectorized_access", false},
    {"vector_size", "memory.vectorized_access", false},
    {"work_group_size_x", "compute.launch_config", false},
    {"work_group_size_y", "compute.launch_config", false},
    {"work_group_size_z", "compute.launch_config", false},
};

const struct lore_kernel_tuner_meaning *
lore_kernel_tuner_meaning(const char *param)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (lore_streqi(known[i].name, param))
            return &known[i];
    }
    return NULL;
}

/* ---- detection ---- */

static bool
contains(const struct lore_import_file *f, const char *word)
{
    return memmem(f->text, f->len, word, strlen(word));
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
    if (f->root)
        return is_results(f->root) ||
               (lore_json_get(f->root, "cache") && lore_json_get(f->root, "tune_params_keys"));
    /* a file that the tuner still writes is not complete JSON */
    return f->problem && f->utf8 && contains(f, "\"tune_params_keys\"") && contains(f, "\"cache\"");
}

/* ---- names ---- */

/* Split a name such as "cn_pnpoly" into words. */
static size_t
words_of(struct lore_arena *arena, const char *text, const char **out)
{
    static const char separators[] = " _-./";
    size_t n = 0;

    for (const char *p = text; *p && n < MAX_WORDS;) {
        size_t len = strcspn(p, separators);
        if (len > 0)
            out[n++] = lore_strndup(arena, p, len);
        p += len + (p[len] != '\0');
    }
    return n;
}

static const char *
joined(struct lore_arena *arena, const char *const *words, size_t n)
{
    const char *out = "";

    for (size_t i = 0; i < n; i++)
        out = lore_format(arena, "%s%s%s", out, i > 0 ? "_" : "", words[i]);
    return out;
}

/* Find the longest sequence of WORDS that KNOWS accepts when joined by '_'. Return its length (0:
 * none) and its start in *FROM. KNOWS also gets the word after the sequence, NULL at the end. */
static size_t
find_words(struct lore_arena *arena, const char *const *words, size_t n,
    bool (*knows)(const char *text, const char *next), size_t *from)
{
    for (size_t len = n; len > 0; len--) {
        for (*from = 0; *from + len <= n; ++*from) {
            const char *next = *from + len < n ? words[*from + len] : NULL;
            if (knows(joined(arena, words + *from, len), next))
                return len;
        }
    }
    return 0;
}

/* Reject "RTX 3060" when the next word is a variant such as "Ti": that is another chip. */
static bool
is_chip(const char *text, const char *next)
{
    return lore_chip_find(text) && (!next || !lore_chip_variant(next, strlen(next)));
}

static bool
is_operator(const char *text, const char *next)
{
    (void)next;
    return lore_operator_find(text);
}

static const char *
chip_in(struct lore_arena *arena, const char *const *words, size_t n)
{
    size_t from;
    size_t len = find_words(arena, words, n, is_chip, &from);

    return len > 0 ? lore_chip_find(joined(arena, words + from, len))->name : NULL;
}

/* The words of the file name without extensions. In the name of a results file, "T4" is the format
 * and not the chip. */
static size_t
words_of_file(const struct lore_kernel_tuner *kt, const char **words)
{
    size_t kept = 0, n = words_of(kt->in->arena, kt->in->file, words);

    for (size_t i = 0; i < n; i++) {
        if (lore_streqi(words[i], "json") || lore_streqi(words[i], "gz") ||
            (kt->results && lore_streqi(words[i], "t4")))
            continue;
        words[kept++] = words[i];
    }
    return kept;
}

static void
name_chip(struct lore_kernel_tuner *kt)
{
    struct lore_import *in = kt->in;
    const char *words[MAX_WORDS];

    if (kt->device)
        kt->chip = chip_in(in->arena, words, words_of(in->arena, kt->device, words));
    if (kt->chip) {
        lore_import_note(in, LORE_IL_NAMES, "device \"%s\": chip %s", kt->device, kt->chip);
        return;
    }
    if (kt->device)
        lore_import_note(in, LORE_IL_DOUBTS, "device \"%s\" is not in the catalogue", kt->device);
    if (in->chip) {
        kt->chip = in->chip;
        return;
    }
    if (!kt->device)
        kt->chip = chip_in(in->arena, words, words_of_file(kt, words));
    if (kt->chip)
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: no device in the file; chip %s is taken from the file's name (--chip overrides "
            "it)",
            in->file, kt->chip);
    else
        lore_import_note(in, LORE_IL_DOUBTS, "%s: chip unknown; name it with --chip", in->file);
}

/* The kernel's name for a file that does not contain it: the words of the file name without those
 * of the chip. "convolution_MI250X_T4.json" gives "convolution". */
static const char *
kernel_of_file(struct lore_kernel_tuner *kt)
{
    struct lore_arena *arena = kt->in->arena;
    const char *words[MAX_WORDS], *out = "";
    size_t from, n = words_of_file(kt, words);
    size_t len = find_words(arena, words, n, is_chip, &from);

    for (size_t i = 0; i < n; i++) {
        if (len == 0 || i < from || i >= from + len)
            out = lore_format(arena, "%s%s%s", out, *out ? "_" : "", words[i]);
    }
    lore_import_note(kt->in, LORE_IL_DOUBTS,
        "%s: the file names no kernel; kernel \"%s\" is taken from the file's name. A results "
        "file also states no problem size, so its workload is unknown",
        kt->in->file, *out ? out : LORE_UNCLASSIFIED);
    return *out ? out : LORE_UNCLASSIFIED;
}

/* Set kernel and operator; "convolution_kernel" is the kernel "convolution". */
static void
name_kernel(struct lore_kernel_tuner *kt)
{
    struct lore_arena *arena = kt->in->arena;
    const char *words[MAX_WORDS];
    size_t from;

    if (!kt->symbol || !*kt->symbol)
        kt->kernel = kernel_of_file(kt);
    else
        kt->kernel = kt->symbol;
    size_t len = strlen(kt->kernel), tail = strlen("_kernel");
    if (len > tail && strcmp(kt->kernel + len - tail, "_kernel") == 0)
        kt->kernel = lore_strndup(arena, kt->kernel, len - tail);
    size_t n = words_of(arena, kt->kernel, words);
    size_t known_words = find_words(arena, words, n, is_operator, &from);
    kt->op = lore_operator_name(
        arena, known_words > 0 ? joined(arena, words + from, known_words) : kt->kernel);
    lore_import_note(kt->in, LORE_IL_NAMES, "%s: operator %s%s", kt->kernel, kt->op,
        known_words > 0 ? "" : " (new to the catalogue)");
}

/* ---- the file ---- */

static enum lore_status
add_param(struct lore_kernel_tuner *kt, const char *name, struct lore_err *err)
{
    for (size_t i = 0; i < kt->n_params; i++) {
        if (strcmp(kt->params[i].name, name) == 0)
            return lore_fail(err, LORE_INVALID, "parameter \"%s\" is listed twice", name);
    }
    if (kt->n_params == LORE_KERNEL_TUNER_PARAMS)
        return lore_fail(err, LORE_INVALID, "more than %d parameters", LORE_KERNEL_TUNER_PARAMS);
    struct lore_kernel_tuner_param *p =
        LORE_PUSH(kt->in->arena, kt->params, kt->n_params, kt->cap_params);
    p->name = name;
    p->known = lore_kernel_tuner_meaning(name);
    return LORE_OK;
}

static enum lore_status
read_cache_header(struct lore_kernel_tuner *kt, const struct lore_json *root, struct lore_err *err)
{
    const struct lore_json *keys = lore_json_get(root, "tune_params_keys");
    enum lore_status status = lore_json_text(root, "device_name", &kt->device, err);

    if (status == LORE_OK)
        status = lore_json_text(root, "kernel_name", &kt->symbol, err);
    if (status != LORE_OK)
        return status;
    if (!keys || keys->type != LORE_J_ARRAY || keys->len == 0)
        return lore_fail(err, LORE_INVALID, "tune_params_keys: expected a list of names");
    for (const struct lore_json *k = keys->child; k && status == LORE_OK; k = k->next) {
        if (k->type != LORE_J_STRING || k->len == 0)
            return lore_fail(err, LORE_INVALID, "tune_params_keys[%u]: expected text", k->index);
        status = add_param(kt, k->str, err);
    }
    if (kt->device && !*kt->device)
        kt->device = NULL;
    kt->problem = lore_json_get(root, "problem_size");
    const struct lore_json *objective = lore_json_get(root, "objective");
    if (objective && objective->type == LORE_J_STRING)
        kt->objective = objective->str;
    kt->unit_ms = 1;
    return status;
}

static enum lore_status
read_results_header(
    struct lore_kernel_tuner *kt, const struct lore_json *root, struct lore_err *err)
{
    static const struct {
        const char *name;
        double ms;
    } units[] = {{"miliseconds", 1}, {"milliseconds", 1}, {"ms", 1}, {"microseconds", 1e-3},
        {"us", 1e-3}, {"nanoseconds", 1e-6}, {"ns", 1e-6}, {"seconds", 1e3}, {"s", 1e3}};
    const struct lore_json *list = lore_json_get(root, "results");
    const struct lore_json *first =
        list && list->type == LORE_J_ARRAY ? lore_json_get(list->child, "configuration") : NULL;
    const char *unit = NULL;
    enum lore_status status =
        lore_json_text(lore_json_get(root, "metadata"), "timeunit", &unit, err);

    if (status != LORE_OK)
        return status;
    for (size_t i = 0; unit && i < sizeof units / sizeof *units; i++) {
        if (lore_streqi(unit, units[i].name))
            kt->unit_ms = units[i].ms;
    }
    if (kt->unit_ms <= 0)
        return lore_fail_at(err, LORE_INVALID, "unknown_unit", "metadata.timeunit",
            "metadata.timeunit: \"%s\" is not a known unit of time", unit ? unit : "");
    if (!first || first->type != LORE_J_OBJECT || !first->child)
        return lore_fail(err, LORE_INVALID, "results[0].configuration: expected an object");
    for (const struct lore_json *m = first->child; m && status == LORE_OK; m = m->next)
        status = add_param(kt, m->key, err);
    return status;
}

/* The JSON of the file; for an unfinished file, its complete entries. */
static const struct lore_json *
root_of(struct lore_import *in)
{
    struct lore_json *root = NULL;

    if (in->root)
        return in->root;
    for (size_t braces = 2; braces > 0 && in->at && in->at->problem; braces--) {
        size_t len = 0;
        const char *text = lore_kernel_tuner_closed(in->arena, in->text, in->at->len, braces, &len);
        if (!text || lore_json_parse(text, len, NULL, in->arena, &root, NULL) != LORE_OK)
            continue;
        in->text = text;
        lore_import_note(in, LORE_IL_DOUBTS,
            "%s: unfinished, the tuner was stopped or still runs; its complete entries are "
            "imported",
            in->file);
        return root;
    }
    return NULL;
}

static void
read_entries(struct lore_kernel_tuner *kt, const struct lore_json *list)
{
    struct lore_import *in = kt->in;
    size_t before = in->refused;

    for (const struct lore_json *e = list->child; e; e = e->next) {
        struct lore_err inner = {0};
        in->records++;
        if (lore_kernel_tuner_read_entry(kt, e, &inner) == LORE_OK)
            continue;
        if (in->refused - before < MAX_REFUSALS) {
            lore_import_refuse(in, e, "%s", inner.msg);
            continue;
        }
        in->refused++;
        lore_import_note(in, LORE_IL_ERRORS, "%s: more configurations were refused", in->file);
    }
}

enum lore_status
lore_kernel_tuner_read(struct lore_import *in, struct lore_err *err)
{
    struct lore_kernel_tuner kt = {.in = in};
    const struct lore_json *root = root_of(in);

    if (!root || root->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected a cache or results file, as JSON");
    kt.results = lore_json_get(root, "results") != NULL;
    const struct lore_json *list = lore_json_get(root, kt.results ? "results" : "cache");
    if (!list || list->type != (kt.results ? LORE_J_ARRAY : LORE_J_OBJECT))
        return lore_fail(err, LORE_INVALID,
            "expected configurations in \"cache\" (an object) or \"results\" (a list)");
    enum lore_status status =
        kt.results ? read_results_header(&kt, root, err) : read_cache_header(&kt, root, err);
    if (status != LORE_OK)
        return status;
    name_chip(&kt);
    name_kernel(&kt);
    read_entries(&kt, list);
    lore_kernel_tuner_sort(&kt);
    lore_kernel_tuner_map(&kt);
    lore_import_unknown_keys(in, root,
        kt.results ? "metadata schema_version results"
                   : "device_name kernel_name problem_size tune_params_keys tune_params objective "
                     "cache");
    return LORE_OK;
}

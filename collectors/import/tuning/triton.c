/* Reads files of the cache of Triton's autotuner (kernel.autotune.json). A file is one sweep. Times
 * are milliseconds: the median, then the 20th and the 80th percentile. The key holds the values of
 * the arguments that the autotuner watches, without their names, and the types of the tensors. */
#include <string.h>

#include "collectors/import/importers.h"
#include "collectors/import/take.h"
#include "collectors/import/tuning/names.h"
#include "collectors/import/tuning/search.h"
#include "service/base/text.h"
#include "service/wire/build.h"

#define SYSTEM "triton-autotune"

struct triton {
    struct lore_search search;
    struct lore_search_place place;
};

static bool
is_cache(const struct lore_import_file *f)
{
    if (lore_import_json(f))
        return lore_json_get(lore_import_json(f), "configs_timings") &&
               lore_json_get(lore_import_json(f), "key");
    /* a configuration that does not run has the time Infinity, which is no JSON */
    return f->problem && f->utf8 && strstr(f->text, "\"configs_timings\"");
}

bool
lore_triton_cache_detect(const struct lore_import_tree *t, const char *unit)
{
    const struct lore_import_file *f = lore_tree_file(t, "", unit);

    return f && is_cache(f);
}

/* ---- the key ---- */

/* The types of the tensors: the one that all share, else all of them in order. */
static const char *
dtypes_of(struct lore_arena *arena, const struct lore_texts *types)
{
    const char *all = NULL;
    bool one = true;

    for (size_t i = 0; i < types->n; i++) {
        one &= strcmp(types->v[i], types->v[0]) == 0;
        all = all ? lore_format(arena, "%s,%s", all, types->v[i]) : types->v[i];
    }
    return one && types->n > 0 ? types->v[0] : all;
}

/* The workload of a key: [4096, 1024, "torch.float16", …]. */
static void
read_key(struct triton *t, const struct lore_json *key)
{
    struct lore_arena *arena = t->search.in->arena;
    struct lore_workload *w = &t->place.workload;
    struct lore_texts types = {0};
    size_t n = 0;

    for (const struct lore_json *k = key ? key->child : NULL; k && n < 32; k = k->next) {
        const char *text = k->type == LORE_J_STRING ? k->str : "", *value;
        text += lore_starts(text, "torch.") ? strlen("torch.") : 0;
        if (lore_workload_is_dtype(text))
            lore_build_text(arena, &types, lore_workload_dtype(text));
        else if (lore_search_scalar(&t->search, k, &value))
            lore_kvs_set(
                arena, &w->dims, lore_format(arena, "key%zu", n++), lore_strdup(arena, value));
    }
    w->dtype = dtypes_of(arena, &types);
    w->set = w->dims.n > 0;
    if (w->set)
        lore_import_note(t->search.in, LORE_IL_DOUBTS,
            "%s: a key has no names; its values are the dims key0 to key%zu", t->search.in->file,
            n - 1);
}

/* ---- a cache file ---- */

/* The JSON of the file, with a null for each number that JSON does not have. */
static const struct lore_json *
root_of(struct lore_import *in)
{
    static const char *const words[] = {"-Infinity", "Infinity", "NaN"};
    struct lore_json *root = NULL;
    bool quoted = false;

    if (lore_import_json(in->at))
        return lore_import_json(in->at);
    char *text = lore_strdup(in->arena, in->text);
    for (char *p = text; *p != '\0'; p++) {
        if (*p == '\\' && quoted && p[1] != '\0')
            p++;
        else if (*p == '"')
            quoted = !quoted;
        for (size_t i = 0; !quoted && i < sizeof words / sizeof *words; i++) {
            size_t len = strlen(words[i]);
            if (strncmp(p, words[i], len) != 0)
                continue;
            memset(p, ' ', len);
            memcpy(p, len > 3 ? "null" : "0e0", len > 3 ? 4 : 3);
        }
    }
    in->text = text; /* lines of refusals are looked for in it */
    return lore_json_parse(text, strlen(text), NULL, in->arena, &root, NULL) == LORE_OK ? root
                                                                                        : NULL;
}

static enum lore_status
read_timings(struct triton *t, const struct lore_json *list, struct lore_search_config *c,
    struct lore_err *err)
{
    static const char *const names[] = {NULL, "p20", "p80"};
    const struct lore_json *time = list && list->type == LORE_J_ARRAY ? list->child : list;

    if (!time)
        return lore_fail(err, LORE_INVALID, "expected the times of the configuration");
    if (time->type == LORE_J_NULL || (time->type == LORE_J_NUMBER && time->f == 0)) {
        /* the tuner writes infinity for what does not compile or needs too many resources */
        c->error = time->type == LORE_J_NULL ? "compilation" : "runtime";
        c->said = time->type == LORE_J_NULL ? "inf" : "nan";
        return LORE_OK;
    }
    if (time->type != LORE_J_NUMBER)
        return lore_fail(err, LORE_INVALID, "expected a time in milliseconds");
    lore_search_timed(&t->search, c, time->f, time->str);
    for (const struct lore_json *v = time->next; v && list->type == LORE_J_ARRAY; v = v->next)
        lore_search_node(&t->search, c,
            list->len == 3 ? names[v->index] : lore_format(&t->search.scratch, "time%u", v->index),
            "ms", v);
    return LORE_OK;
}

/* Parameters are the members of kwargs and all others that have a value: num_warps, num_stages. */
static void
read_config(struct triton *t, const struct lore_json *config, struct lore_search_config *c)
{
    for (const struct lore_json *m = config->child; m; m = m->next) {
        const char *text;
        if (m->type == LORE_J_OBJECT && strcmp(m->key, "kwargs") == 0)
            read_config(t, m, c);
        else if (lore_search_scalar(&t->search, m, &text))
            lore_search_param(&t->search, c, m->key, text);
        else
            lore_search_node(&t->search, c, m->key, NULL, m);
    }
}

static enum lore_status
read_entry(struct triton *t, const struct lore_json *pair, struct lore_err *err)
{
    struct lore_search_config c = {.measured_at = NULL};
    const struct lore_json *config = pair->type == LORE_J_ARRAY ? pair->child : NULL;

    if (!config || config->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "expected a configuration and its times");
    read_config(t, config, &c);
    if (read_timings(t, config->next, &c, err) != LORE_OK)
        return LORE_INVALID;
    c.place = lore_search_place(&t->search, &t->place);
    return lore_search_add(&t->search, &c, err);
}

static void
name_kernel(struct triton *t, const char *symbol)
{
    struct lore_import *in = t->search.in;

    t->place.symbol = symbol;
    t->place.kernel = lore_tuning_kernel(in, symbol, &t->place.op);
    t->place.language = LORE_LANG_TRITON;
}

static enum lore_status
read_cache(struct triton *t, struct lore_err *err)
{
    struct lore_import *in = t->search.in;
    const struct lore_json *root = root_of(in), *list = lore_json_get(root, "configs_timings");
    const char *end = strstr(in->file, ".autotune");

    if (!list || list->type != LORE_J_ARRAY)
        return lore_fail(err, LORE_INVALID, "configs_timings: expected a list");
    name_kernel(t, end && end > in->file
                       ? lore_strndup(in->arena, in->file, (size_t)(end - in->file))
                       : lore_tuning_file_words(in, NULL));
    t->place.chip = lore_tuning_chip(in, NULL, NULL);
    t->search.statistic = "median";
    read_key(t, lore_json_get(root, "key"));
    for (const struct lore_json *pair = list->child; pair; pair = pair->next) {
        struct lore_err inner = {0};
        in->records++;
        if (read_entry(t, pair, &inner) != LORE_OK) {
            lore_search_drop(&t->search);
            lore_import_refuse(in, pair, "%s", inner.msg);
        }
    }
    lore_search_header(
        &t->search, &t->place, lore_build_verbatim(in->arena, root, "configs_timings", NULL));
    lore_import_unknown_keys(in, root, "key configs_timings");
    return LORE_OK;
}

enum lore_status
lore_triton_cache_read(struct lore_import *in, struct lore_err *err)
{
    struct triton *t = lore_alloc(in->arena, sizeof *t);

    lore_search_begin(&t->search, in, SYSTEM);
    enum lore_status status = read_cache(t, err);
    lore_search_end(&t->search);
    return status;
}

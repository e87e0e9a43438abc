/* Reads a map from YAML: tables say which members there are, so that an error can name the nearest
 * one and the reference can list them. */
#include <string.h>

#include "collectors/import/maps/map.h"
#include "collectors/import/yamlfile.h"
#include "service/base/text.h"
#include "service/catalogue/catalogue.h"
#include "service/wire/build.h"

static const struct lore_map_field_info fields[LORE_MF_COUNT] = {
    [LORE_MF_OPERATOR] = {"operator", "what is computed; other names of the catalogue resolve"},
    [LORE_MF_KERNEL] = {"kernel", "name of the kernel; default: the operator"},
    [LORE_MF_LANGUAGE] = {"language", "cuda, hip, triton, library …; default: other"},
    [LORE_MF_CHIP] = {"chip", "the chip, by any of its names; default: --chip"},
    [LORE_MF_DTYPE] = {"dtype", "type of the elements"},
    [LORE_MF_LAYOUT] = {"layout", "layout of the operands"},
    [LORE_MF_DIMS_FROM] = {"dims_from",
        "all dimensions: text such as \"M=16,N=32\", an object, or with `names` \"16x32\""},
    [LORE_MF_VERSION] = {"version", "label of the version"},
    [LORE_MF_SUMMARY] = {"summary", "what the version is, in one sentence"},
    [LORE_MF_TAG] = {"tag", "a short name of the version"},
    [LORE_MF_COMMIT] = {"commit", "commit of the source"},
    [LORE_MF_SOURCE] = {"source", "source text of the version"},
    [LORE_MF_FILE] = {"file", "file name of the source"},
    [LORE_MF_PARAMETERS_FROM] = {"parameters_from", "all parameters: an object, or \"A=1 B=2\""},
    [LORE_MF_ROLE] = {"role", "candidate, baseline or reference (a library)"},
    [LORE_MF_TIME] = {"time", "time of one launch; `unit` and `statistic` (mean, median, min)"},
    [LORE_MF_RATE] = {"rate", "speed instead of a time; `unit` and `work`: \"2*M*N*K\""},
    [LORE_MF_SAMPLES] = {"samples", "times of all launches: a list, or numbers in a text; `unit`"},
    [LORE_MF_STD] = {"std", "standard deviation of the times; `unit`"},
    [LORE_MF_MIN] = {"min", "least time; `unit`"},
    [LORE_MF_MAX] = {"max", "longest time; `unit`"},
    [LORE_MF_COUNT_OF] = {"count", "number of launches that were timed"},
    [LORE_MF_METRICS_FROM] = {"metrics_from", "all metrics: an object of numbers"},
    [LORE_MF_METRIC] = {"metric", "of a row with one metric: its name"},
    [LORE_MF_METRIC_VALUE] = {"metric_value", "of a row with one metric: its value"},
    [LORE_MF_CORRECT] = {"correct", "pass, fail, timeout or not_checked; true and false, too"},
    [LORE_MF_MAX_ERROR] = {"max_error", "largest absolute error"},
    [LORE_MF_ATOL] = {"atol", "absolute tolerance"},
    [LORE_MF_RTOL] = {"rtol", "relative tolerance"},
    [LORE_MF_ERROR] = {"error",
        "of a failed run: compilation, runtime, accuracy, performance, timeout, profiling, "
        "environment or process; any other word: runtime, and the word is its code; no value: it "
        "ran"},
    [LORE_MF_MESSAGE] = {"message", "what the failed run or check said"},
    [LORE_MF_DATE] = {"date", "when it was measured"},
    [LORE_MF_AUTHOR] = {"author", "person or model"},
    [LORE_MF_TOOL] = {"tool", "what measured it"},
    [LORE_MF_ID] = {"id", "the record's id in its system"},
    [LORE_MF_URL] = {"url", "where the record is"},
    [LORE_MF_SESSION] = {"session", "attempts of one session are a line; default: all of a kernel"},
    [LORE_MF_PARENT] = {"parent", "label of the version that the attempt starts from"},
    [LORE_MF_KEPT] = {"kept",
        "yes or no: later attempts start from it; default: when it is faster"},
    [LORE_MF_IDEA] = {"idea", "the change and why, in full"},
    [LORE_MF_TITLE] = {"title", "the change in one line"},
    [LORE_MF_TECHNIQUE] = {"technique", "technique, or words that name one or several"},
    [LORE_MF_BOTTLENECK] = {"bottleneck", "bottleneck before the change"},
    [LORE_MF_OUTCOME] = {"outcome", "verdict as stated: win, loss, neutral …"},
    [LORE_MF_SPEEDUP] = {"speedup",
        "stated speedup; `base`: parent, first, best_so_far, previous, library; `base_name`"},
    [LORE_MF_EXPECTED] = {"expected", "what was expected of the change"},
    [LORE_MF_NOTES] = {"notes", "remarks"},
    [LORE_MF_LESSON] = {"lesson", "what was learned"},
    [LORE_MF_BEFORE_TIME] = {"before_time", "time of what the row compares with; `unit`"},
    [LORE_MF_BEFORE_VERSION] = {"before_version", "label of what the row compares with"},
    [LORE_MF_BEFORE_SOURCE] = {"before_source", "its source text"},
    [LORE_MF_BEFORE_FILE] = {"before_file", "file name of its source"},
};
static const char *const lists[LORE_ML_COUNT] = {[LORE_ML_DIMS] = "dims",
    [LORE_ML_PARAMETERS] = "parameters",
    [LORE_ML_METRICS] = "metrics",
    [LORE_ML_METHOD] = "method",
    [LORE_ML_LAUNCH] = "launch",
    [LORE_ML_ENVIRONMENT] = "environment",
    [LORE_ML_BUILD] = "build"};
static const char *const kinds[LORE_MK_COUNT] = {[LORE_MK_RUNS] = "runs",
    [LORE_MK_VERSIONS] = "versions",
    [LORE_MK_ATTEMPTS] = "attempts",
    [LORE_MK_METRICS] = "metrics",
    [LORE_MK_SWEEP] = "sweep"};

const struct lore_map_field_info *
lore_map_field_info(enum lore_map_field field)
{
    return field < LORE_MF_COUNT ? &fields[field] : NULL;
}

const char *
lore_map_list_name(enum lore_map_lists list)
{
    return lists[list];
}

const char *
lore_map_kind_name(enum lore_map_kind kind)
{
    return kinds[kind];
}

struct reading {
    struct lore_arena *arena;
    struct lore_map *map;
    const char *file;
    struct lore_err *err;
};

static enum lore_status
wrong(struct reading *r, const struct lore_json *node, const char *what)
{
    char path[160];

    lore_json_path(node, path, sizeof path);
    return lore_fail_at(
        r->err, LORE_INVALID, "invalid_map", path, "%s: %s: %s", r->file, path, what);
}

/* The text of scalar NODE; NULL: it is none. */
static const char *
scalar(struct reading *r, const struct lore_json *node)
{
    if (node->type == LORE_J_STRING || node->type == LORE_J_NUMBER)
        return lore_strdup(r->arena, node->str);
    return node->type == LORE_J_BOOL ? node->i ? "true" : "false" : NULL;
}

static enum lore_status
read_text(struct reading *r, const struct lore_json *node, const char **out)
{
    *out = scalar(r, node);
    return *out ? LORE_OK : wrong(r, node, "expected text");
}

/* A text, or a list of texts. */
static enum lore_status
read_texts(struct reading *r, const struct lore_json *node, struct lore_texts *out)
{
    const char *text = NULL;
    enum lore_status status = LORE_OK;

    if (node->type != LORE_J_ARRAY) {
        status = read_text(r, node, &text);
        if (status == LORE_OK)
            lore_build_text(r->arena, out, text);
        return status;
    }
    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next) {
        status = read_text(r, m, &text);
        if (status == LORE_OK)
            lore_build_text(r->arena, out, text);
    }
    return status;
}

static enum lore_status
read_pattern(struct reading *r, const struct lore_json *node, const char *text, regex_t **out)
{
    regex_t *re = lore_alloc(r->arena, sizeof *re);

    if (regcomp(re, text, REG_EXTENDED) != 0)
        return wrong(r, node, "no regular expression");
    *LORE_PUSH(r->arena, r->map->patterns, r->map->n_patterns, r->map->cap_patterns) = re;
    *out = re;
    return LORE_OK;
}

/* {FROM: TO, …}, or for a `search` a list of such objects in order. */
static enum lore_status
read_pairs(struct reading *r, const struct lore_json *node, bool search, struct lore_map_pair **out,
    size_t *n, size_t *cap)
{
    enum lore_status status = LORE_OK;

    if (node->type == LORE_J_ARRAY) {
        for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next)
            status = read_pairs(r, m, search, out, n, cap);
        return status;
    }
    if (node->type != LORE_J_OBJECT)
        return wrong(r, node, "expected FROM: TO");
    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next) {
        struct lore_map_pair *p = LORE_PUSH(r->arena, *out, *n, *cap);
        p->from = lore_strdup(r->arena, m->key);
        p->to = m->type == LORE_J_NULL ? NULL : scalar(r, m);
        if (!p->to && m->type != LORE_J_NULL)
            status = wrong(r, m, "expected text");
        else if (search)
            status = read_pattern(r, m, p->from, &p->re);
    }
    return status;
}

static enum lore_status
read_value(struct reading *r, const struct lore_json *node, struct lore_map_value **out);

static enum lore_status
read_columns(struct reading *r, const struct lore_json *node, struct lore_map_value *v)
{
    struct lore_texts texts = {.n = 0};
    enum lore_status status = read_texts(r, node, &texts);

    v->columns = texts.v;
    v->n_columns = texts.n;
    return status;
}

/* A technique of the catalogue; "none": the parameter stands for no technique. */
static enum lore_status
read_technique(struct reading *r, const struct lore_json *node, struct lore_map_value *v)
{
    const char *name = scalar(r, node);
    const struct lore_technique *known = name ? lore_technique_find(name) : NULL;

    if (!known && !lore_streq(name, "none"))
        return wrong(r, node, "expected none, or a technique of `warplore list techniques`");
    v->technique = known ? known->slug : name;
    return LORE_OK;
}

static enum lore_status
read_value_member(struct reading *r, const struct lore_json *m, struct lore_map_value *v)
{
    const struct {
        const char *name, **text;
    } texts[] = {{"template", &v->form}, {"value", &v->constant}, {"default", &v->fallback},
        {"otherwise", &v->otherwise}, {"unit", &v->unit}, {"unit_column", &v->unit_column},
        {"statistic", &v->statistic}, {"base", &v->base}, {"base_name", &v->base_name},
        {"work", &v->work}, {"off", &v->off}};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (strcmp(m->key, texts[i].name) == 0)
            return read_text(r, m, texts[i].text);
    if (strcmp(m->key, "column") == 0)
        return read_columns(r, m, v);
    if (strcmp(m->key, "technique") == 0)
        return read_technique(r, m, v);
    if (strcmp(m->key, "values") == 0)
        return read_pairs(r, m, false, &v->values, &v->n_values, &v->cap_values);
    if (strcmp(m->key, "search") == 0)
        return read_pairs(r, m, true, &v->search, &v->n_search, &v->cap_search);
    if (strcmp(m->key, "match") == 0) {
        const char *text = NULL;
        enum lore_status status = read_text(r, m, &text);
        return status == LORE_OK ? read_pattern(r, m, text, &v->match) : status;
    }
    if (strcmp(m->key, "names") == 0) {
        struct lore_texts names = {.n = 0};
        enum lore_status status = read_texts(r, m, &names);
        v->names = names.v;
        v->n_names = names.n;
        return status;
    }
    return wrong(r, m,
        "expected column, template, value, default, match, search, values, otherwise, unit, "
        "unit_column, statistic, base, base_name, work, technique, off or names");
}

/* A column, an object, or a list of these, of which the first one with a value counts. */
static enum lore_status
read_value(struct reading *r, const struct lore_json *node, struct lore_map_value **out)
{
    struct lore_map_value *v = lore_alloc(r->arena, sizeof *v);
    enum lore_status status = LORE_OK;

    if (node->type == LORE_J_ARRAY) {
        struct lore_map_value **at = out;
        for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next) {
            status = read_value(r, m, at);
            at = status == LORE_OK ? &(*at)->next : at;
        }
        return *out || status != LORE_OK ? status : wrong(r, node, "expected a column");
    }
    *out = v;
    if (node->type != LORE_J_OBJECT)
        return read_columns(r, node, v);
    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next)
        status = read_value_member(r, m, v);
    if (status == LORE_OK && !v->n_columns && !v->form && !v->constant && !v->fallback)
        return wrong(r, node, "expected column, template, value or default");
    if (status == LORE_OK && v->unit && strcmp(v->unit, "?") == 0)
        return wrong(r, node, "unit: fill in the unit");
    return status;
}

static struct lore_map_value *
add_named(
    struct reading *r, struct lore_map_list *list, const char *name, const struct lore_map_value *v)
{
    struct lore_map_value *to = LORE_PUSH(r->arena, list->v, list->n, list->cap);

    *to = *v;
    to->name = lore_strdup(r->arena, name);
    return to;
}

/* {NAME: value, …} or a list of columns that keep their names. */
static enum lore_status
read_list(struct reading *r, const struct lore_json *node, struct lore_map_list *list)
{
    enum lore_status status = LORE_OK;

    if (node->type != LORE_J_OBJECT && node->type != LORE_J_ARRAY)
        return wrong(r, node, "expected NAME: COLUMN, or a list of columns");
    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next) {
        struct lore_map_value *v = NULL;
        const char *name = m->key;
        if (node->type == LORE_J_ARRAY && m->type != LORE_J_STRING)
            return wrong(r, m,
                "expected the name of a column; write {NAME: {column: …}, …} instead of a list for "
                "more than names");
        status = read_value(r, m, &v);
        if (status == LORE_OK)
            add_named(r, list, name ? name : m->str, v);
    }
    return status;
}

static enum lore_status
read_rows(struct reading *r, const struct lore_json *node, struct lore_map *map)
{
    static const char *const formats[] = {"csv", "tsv", "jsonl", "json", "object", "markdown"};
    const struct lore_json *m = node->type == LORE_J_OBJECT ? node->child : NULL;
    enum lore_status status = LORE_OK;
    const char *separator = NULL, *table = NULL;

    if (node->type == LORE_J_STRING)
        map->format = lore_strdup(r->arena, node->str);
    for (; m && status == LORE_OK; m = m->next) {
        const char **to = strcmp(m->key, "format") == 0      ? &map->format
                          : strcmp(m->key, "path") == 0      ? &map->path
                          : strcmp(m->key, "each") == 0      ? &map->each
                          : strcmp(m->key, "header") == 0    ? &map->header
                          : strcmp(m->key, "separator") == 0 ? &separator
                          : strcmp(m->key, "table") == 0     ? &table
                                                             : NULL;
        status = to ? read_text(r, m, to)
                    : wrong(r, m, "expected format, path, each, header, separator or table");
    }
    map->separator = separator ? *separator : '\0';
    if (table && (strspn(table, "123456789") != 1 || table[1]))
        status = wrong(r, node, "table: expected 1 to 9");
    else if (table)
        map->table = (size_t)(*table - '1');
    for (size_t i = 0; status == LORE_OK && i < sizeof formats / sizeof *formats; i++)
        if (lore_streq(map->format, formats[i]))
            return LORE_OK;
    return status != LORE_OK ? status
                             : wrong(r, node, "expected csv, tsv, jsonl, json, object or markdown");
}

static enum lore_status
read_recognise(struct reading *r, const struct lore_json *node, struct lore_map *map)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *m = node->child; m && status == LORE_OK; m = m->next)
        status = strcmp(m->key, "columns") == 0 ? read_texts(r, m, &map->columns)
                 : strcmp(m->key, "text") == 0  ? read_texts(r, m, &map->texts)
                                                : wrong(r, m, "expected columns or text");
    return status;
}

/* {NAME: {on: COLUMN, by: MEMBER, has: [MEMBER…]}} */
static enum lore_status
read_joins(struct reading *r, const struct lore_json *node, struct lore_map *map)
{
    enum lore_status status = LORE_OK;

    for (const struct lore_json *j = node->child; j && j->key && status == LORE_OK; j = j->next) {
        struct lore_map_join *to = LORE_PUSH(r->arena, map->joins, map->n_joins, map->cap_joins);
        to->name = lore_strdup(r->arena, j->key);
        for (const struct lore_json *m = j->child; m && m->key && status == LORE_OK; m = m->next)
            status = strcmp(m->key, "on") == 0    ? read_text(r, m, &to->on)
                     : strcmp(m->key, "by") == 0  ? read_text(r, m, &to->by)
                     : strcmp(m->key, "has") == 0 ? read_texts(r, m, &to->has)
                                                  : wrong(r, m, "expected on, by or has");
        if (status == LORE_OK && (!to->on || !to->by || to->has.n == 0))
            status = wrong(r, j, "expected on, by and has");
    }
    return status;
}

static enum lore_status
read_kind(struct reading *r, const struct lore_json *m, struct lore_map *map)
{
    for (int k = 0; k < LORE_MK_COUNT; k++)
        if (m->type == LORE_J_STRING && strcmp(m->str, kinds[k]) == 0) {
            map->kind = (enum lore_map_kind)k;
            return LORE_OK;
        }
    return wrong(r, m, "expected runs, versions, attempts, metrics or sweep");
}

static enum lore_status
unknown(struct reading *r, const struct lore_json *m)
{
    const char *names[LORE_MF_COUNT + LORE_ML_COUNT];
    size_t n = 0;

    for (int i = 0; i < LORE_MF_COUNT; i++)
        names[n++] = fields[i].name;
    for (int i = 0; i < LORE_ML_COUNT; i++)
        names[n++] = lists[i];
    int near = lore_nearest(m->key, names, (int)n);
    return wrong(r, m,
        near < 0 ? "no such member of a map"
                 : lore_format(r->arena, "no such member of a map; did you mean %s?", names[near]));
}

static enum lore_status
read_member(struct reading *r, const struct lore_json *m, struct lore_map *map)
{
    if (strcmp(m->key, "map") == 0)
        return read_text(r, m, &map->name);
    if (strcmp(m->key, "about") == 0)
        return read_text(r, m, &map->about);
    if (strcmp(m->key, "rows") == 0)
        return read_rows(r, m, map);
    if (strcmp(m->key, "recognise") == 0)
        return read_recognise(r, m, map);
    if (strcmp(m->key, "kind") == 0)
        return read_kind(r, m, map);
    if (strcmp(m->key, "ignore") == 0)
        return read_texts(r, m, &map->ignore);
    if (strcmp(m->key, "join") == 0)
        return read_joins(r, m, map);
    if (strcmp(m->key, "require") == 0)
        return read_texts(r, m, &map->require);
    if (strcmp(m->key, "parameters_like") == 0)
        return read_texts(r, m, &map->parameters_like);
    if (strcmp(m->key, "metrics_like") == 0)
        return read_texts(r, m, &map->metrics_like);
    for (int i = 0; i < LORE_MF_COUNT; i++)
        if (strcmp(m->key, fields[i].name) == 0) {
            if (m->type == LORE_J_STRING && strcmp(m->str, "?") == 0)
                return wrong(r, m, "fill it in, or take the line out");
            return read_value(r, m, &map->fields[i]);
        }
    for (int i = 0; i < LORE_ML_COUNT; i++)
        if (strcmp(m->key, lists[i]) == 0)
            return read_list(r, m, &map->lists[i]);
    return unknown(r, m);
}

enum lore_status
lore_map_read(const char *yaml, size_t len, const char *name, struct lore_arena *arena,
    struct lore_map **out, struct lore_err *err)
{
    struct lore_map *map = lore_alloc(arena, sizeof *map);
    struct reading r = {arena, map, name, err};
    struct lore_json *root = NULL;
    enum lore_status status = lore_yamlfile_parse(yaml, len, name, arena, &root, err);

    if (status != LORE_OK)
        return status;
    if (root->type != LORE_J_OBJECT)
        return lore_fail(err, LORE_INVALID, "%s: expected the members of a map", name);
    for (const struct lore_json *m = root->child; m && status == LORE_OK; m = m->next)
        status = read_member(&r, m, map);
    if (status == LORE_OK)
        status = lore_map_sound(map, name, arena, err);
    if (status != LORE_OK) {
        lore_map_free(map);
        return status;
    }
    if (!map->name)
        map->name = name;
    *out = map;
    return LORE_OK;
}

void
lore_map_free(struct lore_map *map)
{
    for (size_t i = 0; i < map->n_patterns; i++)
        regfree(map->patterns[i]);
    map->n_patterns = 0;
}

/* What is wrong with a map as a whole: members that its kind does not read, and words that no row
 * could make right. So a mistake costs one message, not one for each row. */
#include <string.h>

#include "collectors/import/maps/map.h"
#include "collectors/import/maps/value.h"
#include "service/base/text.h"

enum {
    RUNS = 1 << LORE_MK_RUNS,
    ATTEMPTS = 1 << LORE_MK_ATTEMPTS,
    METRICS = 1 << LORE_MK_METRICS,
    SWEEP = 1 << LORE_MK_SWEEP,
    VERSIONS = 1 << LORE_MK_VERSIONS,
    MEASURED = RUNS | ATTEMPTS | METRICS,
    TIMED = MEASURED | SWEEP,
    NO_SWEEP = MEASURED | VERSIONS
};

/* The kinds that read a field; 0: all of them. */
static const unsigned char readers[LORE_MF_COUNT] = {
    [LORE_MF_SUMMARY] = NO_SWEEP,
    [LORE_MF_TAG] = NO_SWEEP,
    [LORE_MF_COMMIT] = NO_SWEEP,
    [LORE_MF_SOURCE] = NO_SWEEP,
    [LORE_MF_FILE] = NO_SWEEP,
    [LORE_MF_ROLE] = NO_SWEEP,
    [LORE_MF_TIME] = TIMED,
    [LORE_MF_SAMPLES] = TIMED,
    [LORE_MF_CORRECT] = TIMED,
    [LORE_MF_ERROR] = TIMED,
    [LORE_MF_DATE] = TIMED,
    [LORE_MF_RATE] = MEASURED,
    [LORE_MF_STD] = MEASURED,
    [LORE_MF_MIN] = MEASURED,
    [LORE_MF_MAX] = MEASURED,
    [LORE_MF_COUNT_OF] = MEASURED,
    [LORE_MF_METRICS_FROM] = MEASURED,
    [LORE_MF_METRIC] = METRICS,
    [LORE_MF_METRIC_VALUE] = METRICS,
    [LORE_MF_MAX_ERROR] = MEASURED,
    [LORE_MF_ATOL] = MEASURED,
    [LORE_MF_RTOL] = MEASURED,
    [LORE_MF_MESSAGE] = MEASURED,
    [LORE_MF_AUTHOR] = ATTEMPTS,
    [LORE_MF_TOOL] = MEASURED,
    [LORE_MF_ID] = NO_SWEEP,
    [LORE_MF_URL] = NO_SWEEP,
    [LORE_MF_PARENT] = ATTEMPTS,
    [LORE_MF_KEPT] = ATTEMPTS,
    [LORE_MF_IDEA] = ATTEMPTS,
    [LORE_MF_TITLE] = ATTEMPTS,
    [LORE_MF_TECHNIQUE] = ATTEMPTS,
    [LORE_MF_BOTTLENECK] = ATTEMPTS,
    [LORE_MF_OUTCOME] = ATTEMPTS,
    [LORE_MF_SPEEDUP] = ATTEMPTS,
    [LORE_MF_EXPECTED] = ATTEMPTS,
    [LORE_MF_NOTES] = ATTEMPTS,
    [LORE_MF_LESSON] = ATTEMPTS,
    [LORE_MF_BEFORE_TIME] = ATTEMPTS,
    [LORE_MF_BEFORE_VERSION] = ATTEMPTS,
    [LORE_MF_BEFORE_SOURCE] = ATTEMPTS,
    [LORE_MF_BEFORE_FILE] = ATTEMPTS,
};
static const unsigned char list_readers[LORE_ML_COUNT] = {
    [LORE_ML_METHOD] = MEASURED,
    [LORE_ML_LAUNCH] = MEASURED,
    [LORE_ML_ENVIRONMENT] = MEASURED,
    [LORE_ML_BUILD] = NO_SWEEP,
};

bool
lore_map_reads(enum lore_map_kind kind, const char *name)
{
    unsigned read = 0;

    for (int f = 0; f < LORE_MF_COUNT; f++)
        if (strcmp(lore_map_field_info((enum lore_map_field)f)->name, name) == 0)
            read = readers[f];
    for (int l = 0; l < LORE_ML_COUNT; l++)
        if (strcmp(lore_map_list_name((enum lore_map_lists)l), name) == 0)
            read = list_readers[l];
    return read == 0 || (read & 1u << kind);
}

struct checking {
    const struct lore_map *map;
    const char *file;
    struct lore_arena *arena;
    struct lore_err *err;
};

static enum lore_status
wrong(const struct checking *c, const char *member, const char *what)
{
    return lore_fail_at(
        c->err, LORE_INVALID, "invalid_map", member, "%s: %s: %s", c->file, member, what);
}

/* MEMBER is read by the kinds of READ (0: all). */
static enum lore_status
check_kind(const struct checking *c, const char *member, unsigned read)
{
    const char *kinds = "";

    if (read == 0 || (read & 1u << c->map->kind))
        return LORE_OK;
    for (int k = 0; k < LORE_MK_COUNT; k++)
        if (read & 1u << k)
            kinds = lore_format(c->arena, "%s%s%s", kinds, *kinds ? ", " : "",
                lore_map_kind_name((enum lore_map_kind)k));
    return wrong(c, member,
        lore_format(c->arena,
            "kind %s does not read it, only %s; without the line, the column is "
            "kept with the record",
            lore_map_kind_name(c->map->kind), kinds));
}

/* ---- words ---- */

static bool
is_time_unit(const char *text)
{
    return lore_map_unit_ns(text) > 0;
}
static bool
is_statistic(const char *text)
{
    return lore_choice("mean|median|min", text);
}
static bool
is_base(const char *text)
{
    return lore_choice("parent|first|best_so_far|previous|library", text);
}
static bool
is_check(const char *text)
{
    return lore_map_check(text) != LORE_C_NONE;
}
static bool
is_role(const char *text)
{
    return lore_choice("candidate|baseline|reference", text);
}

/* What the members of a field may say. */
static const struct rule {
    enum lore_map_field field;
    size_t at; /* of the text in lore_map_value; 0: every constant, `values` and `otherwise` */
    const char *member, *expected;
    bool (*is)(const char *text);
} rules[] = {
#define TIME_UNIT(field)                                                                           \
    {                                                                                              \
        field, offsetof(struct lore_map_value, unit), "unit",                                      \
            "no unit of time; expected ns, us, ms "                                                \
            "or s",                                                                                \
            is_time_unit                                                                           \
    }
    TIME_UNIT(LORE_MF_TIME),
    TIME_UNIT(LORE_MF_SAMPLES),
    TIME_UNIT(LORE_MF_STD),
    TIME_UNIT(LORE_MF_MIN),
    TIME_UNIT(LORE_MF_MAX),
    TIME_UNIT(LORE_MF_BEFORE_TIME),
#undef TIME_UNIT
    {LORE_MF_TIME, offsetof(struct lore_map_value, statistic), "statistic",
        "expected mean, median or min", is_statistic},
    {LORE_MF_SPEEDUP, offsetof(struct lore_map_value, base), "base",
        "expected parent, first, best_so_far, previous or library", is_base},
    {LORE_MF_CORRECT, 0, "value", "expected pass, fail, timeout or not_checked", is_check},
    {LORE_MF_ROLE, 0, "value", "expected candidate, baseline or reference", is_role},
};

static enum lore_status
check_word(const struct checking *c, const struct rule *r, const char *member, const char *text)
{
    if (!text || r->is(text))
        return LORE_OK;
    return wrong(c, lore_format(c->arena, "%s.%s", lore_map_field_info(r->field)->name, member),
        lore_format(c->arena, "\"%.40s\": %s", text, r->expected));
}

static enum lore_status
check_words(const struct checking *c, const struct rule *r, const struct lore_map_value *v)
{
    enum lore_status status;

    if (r->at > 0)
        return check_word(c, r, r->member, *(const char *const *)((const char *)v + r->at));
    status = check_word(c, r, "value", v->constant);
    if (status == LORE_OK)
        status = check_word(c, r, "otherwise", v->otherwise);
    for (size_t i = 0; i < v->n_values && status == LORE_OK; i++)
        status = check_word(c, r, "values", v->values[i].to);
    for (size_t i = 0; i < v->n_search && status == LORE_OK; i++)
        status = check_word(c, r, "search", v->search[i].to);
    return status == LORE_OK ? check_word(c, r, "default", v->fallback) : status;
}

/* ---- values ---- */

/* What every value must keep to, whatever its field; PARAMETER: it is a tuning parameter. */
static enum lore_status
check_value(
    const struct checking *c, const char *name, const struct lore_map_value *v, bool parameter)
{
    for (; v; v = v->next) {
        if (v->otherwise && v->n_values + v->n_search == 0)
            return wrong(c, name,
                "otherwise: it needs values or search with at least one entry; a constant is "
                "value");
        if (v->off && !parameter)
            return wrong(c, name, "off: only parameters have it");
        if (v->technique && (!parameter || c->map->kind != LORE_MK_SWEEP))
            return wrong(c, name, "technique: only parameters with kind: sweep have it");
    }
    return LORE_OK;
}

static enum lore_status
check_field(const struct checking *c, enum lore_map_field field)
{
    const char *name = lore_map_field_info(field)->name;
    enum lore_status status = check_kind(c, name, readers[field]);

    if (status == LORE_OK)
        status = check_value(c, name, c->map->fields[field], false);
    for (const struct lore_map_value *v = c->map->fields[field]; v; v = v->next)
        for (size_t i = 0; i < sizeof rules / sizeof *rules && status == LORE_OK; i++)
            if (rules[i].field == field)
                status = check_words(c, &rules[i], v);
    return status;
}

static enum lore_status
check_list(const struct checking *c, enum lore_map_lists list)
{
    const struct lore_map_list *l = &c->map->lists[list];
    const char *name = lore_map_list_name(list);
    enum lore_status status = l->n > 0 ? check_kind(c, name, list_readers[list]) : LORE_OK;

    for (size_t i = 0; i < l->n && status == LORE_OK; i++)
        status = check_value(c, lore_format(c->arena, "%s.%s", name, l->v[i].name), &l->v[i],
            list == LORE_ML_PARAMETERS);
    return status;
}

enum lore_status
lore_map_sound(
    const struct lore_map *map, const char *file, struct lore_arena *arena, struct lore_err *err)
{
    const struct checking c = {map, file, arena, err};
    enum lore_status status = LORE_OK;

    for (int f = 0; f < LORE_MF_COUNT && status == LORE_OK; f++)
        if (map->fields[f])
            status = check_field(&c, (enum lore_map_field)f);
    for (int l = 0; l < LORE_ML_COUNT && status == LORE_OK; l++)
        status = check_list(&c, (enum lore_map_lists)l);
    return status;
}

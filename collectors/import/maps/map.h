/* Maps: what the columns of a file with rows mean, written in YAML. Built-in formats are maps too
 * (the .yaml files of this folder, compiled in); a user's own are given with --map, or found beside
 * the file. docs/reference/maps.md describes the language. */
#ifndef LORE_IMPORT_MAPS_MAP_H
#define LORE_IMPORT_MAPS_MAP_H

#include <regex.h>

#include "collectors/import/import.h"
#include "service/wire/record.h"

/* ---- one value ---- */

struct lore_map_pair {
    const char *from, *to;
    regex_t *re; /* of a `search`: FROM, compiled; NULL in `values` */
};
/* Where a value comes from: the first of its columns that has one, else a template, else a
 * constant; then match, search, values; else the default. */
struct lore_map_value {
    const char *name; /* in a list of fields: of the dimension, parameter, metric */
    const char **columns;
    size_t n_columns, cap_columns;
    const char *form;                /* template: "{level_id}/{task_id}" */
    const char *constant, *fallback; /* `value`, `default` */
    regex_t *match;                  /* its last group, or the whole match, is the value */
    struct lore_map_pair *search, *values;
    size_t n_search, cap_search, n_values, cap_values;
    const char *otherwise; /* when `values` has not got it; NULL: the value as it is */
    const char *unit, *unit_column, *statistic, *base, *base_name, *work, *technique;
    const char *off;    /* of a parameter: the value that means "not in use" */
    const char **names; /* of the parts of a text like 16x32 */
    size_t n_names, cap_names;
    struct lore_map_value *next; /* tried when this one has no value */
};
struct lore_map_list {
    struct lore_map_value *v;
    size_t n, cap;
};

/* ---- the map ---- */

/* One value each; the table in map_read.c has their names and help. */
enum lore_map_field {
    LORE_MF_OPERATOR,
    LORE_MF_KERNEL,
    LORE_MF_LANGUAGE,
    LORE_MF_CHIP,
    LORE_MF_DTYPE,
    LORE_MF_LAYOUT,
    LORE_MF_DIMS_FROM,
    LORE_MF_VERSION,
    LORE_MF_SUMMARY,
    LORE_MF_TAG,
    LORE_MF_COMMIT,
    LORE_MF_SOURCE,
    LORE_MF_FILE,
    LORE_MF_PARAMETERS_FROM,
    LORE_MF_ROLE,
    LORE_MF_TIME,
    LORE_MF_RATE,
    LORE_MF_SAMPLES,
    LORE_MF_STD,
    LORE_MF_MIN,
    LORE_MF_MAX,
    LORE_MF_COUNT_OF,
    LORE_MF_METRICS_FROM,
    LORE_MF_METRIC,
    LORE_MF_METRIC_VALUE,
    LORE_MF_CORRECT,
    LORE_MF_MAX_ERROR,
    LORE_MF_ATOL,
    LORE_MF_RTOL,
    LORE_MF_ERROR,
    LORE_MF_MESSAGE,
    LORE_MF_DATE,
    LORE_MF_AUTHOR,
    LORE_MF_TOOL,
    LORE_MF_ID,
    LORE_MF_URL,
    LORE_MF_SESSION,
    LORE_MF_PARENT,
    LORE_MF_KEPT,
    LORE_MF_IDEA,
    LORE_MF_TITLE,
    LORE_MF_TECHNIQUE,
    LORE_MF_BOTTLENECK,
    LORE_MF_OUTCOME,
    LORE_MF_SPEEDUP,
    LORE_MF_EXPECTED,
    LORE_MF_NOTES,
    LORE_MF_LESSON,
    LORE_MF_BEFORE_TIME,
    LORE_MF_BEFORE_VERSION,
    LORE_MF_BEFORE_SOURCE,
    LORE_MF_BEFORE_FILE,
    LORE_MF_COUNT
};
/* Lists of values. */
enum lore_map_lists {
    LORE_ML_DIMS,
    LORE_ML_PARAMETERS,
    LORE_ML_METRICS,
    LORE_ML_METHOD,
    LORE_ML_LAUNCH,
    LORE_ML_ENVIRONMENT,
    LORE_ML_BUILD,
    LORE_ML_COUNT
};
enum lore_map_kind {
    LORE_MK_RUNS,
    LORE_MK_VERSIONS,
    LORE_MK_ATTEMPTS,
    LORE_MK_METRICS,
    LORE_MK_SWEEP,
    LORE_MK_COUNT
};

/* Another JSON document of the same folder: the one whose member BY is the text of column ON. */
struct lore_map_join {
    const char *name, *on, *by; /* columns "+NAME.member" */
    struct lore_texts has;      /* members that tell such documents from others */
};

struct lore_map {
    const char *name;  /* "kernelbench": of reports and provenance */
    const char *about; /* one sentence */
    enum lore_map_kind kind;
    /* rows */
    const char *format;      /* csv | tsv | jsonl | json | markdown; NULL: by content */
    char separator;          /* of csv; 0: any */
    const char *header;      /* a column that the header has */
    const char *path, *each; /* of json: the items; the list of an item whose items are the rows */
    size_t table;
    /* recognition */
    struct lore_texts columns, texts;
    /* records */
    struct lore_map_value *fields[LORE_MF_COUNT]; /* NULL: not mapped */
    struct lore_map_list lists[LORE_ML_COUNT];
    struct lore_texts parameters_like, metrics_like; /* "cfg_*" */
    struct lore_texts ignore;                        /* columns that are in the file only */
    struct lore_map_join *joins;
    size_t n_joins, cap_joins;
    bool strict;               /* a user's: a column that no row has is an error, not an absence */
    struct lore_texts require; /* a row without one of these columns is not read, and listed */
    size_t most;               /* rows to read, for a preview; 0: all */
    regex_t **patterns;        /* all of them, for lore_map_free */
    size_t n_patterns, cap_patterns;
};
/* Read the map in the YAML text; NAME is that of its file. LORE_INVALID names the member. */
enum lore_status lore_map_read(const char *yaml, size_t len, const char *name,
    struct lore_arena *arena, struct lore_map **out, struct lore_err *err) LORE_MUST;
/* LORE_INVALID names a member that its kind does not read, or a word that no row could make right.
 * Part of lore_map_read. */
enum lore_status lore_map_sound(const struct lore_map *map, const char *file,
    struct lore_arena *arena, struct lore_err *err) LORE_MUST;
/* Free what is not in the arena of MAP. */
void lore_map_free(struct lore_map *map);
const char *lore_map_kind_name(enum lore_map_kind kind);
/* Whether rows of KIND have the field or list of fields NAME. */
bool lore_map_reads(enum lore_map_kind kind, const char *name);
/* Name, kinds and help of a field, for docs and proposals; NULL behind the last. */
struct lore_map_field_info {
    const char *name, *help;
};
const struct lore_map_field_info *lore_map_field_info(enum lore_map_field field);
const char *lore_map_list_name(enum lore_map_lists list);

/* ---- built-in maps, and reading by a map ---- */

struct lore_map_text {
    const char *name, *text; /* "cuda_l1", YAML */
    size_t len;
};
extern const struct lore_map_text lore_maps_builtin[]; /* a NULL name ends the table */
/* The built-in map NAME; NULL: none. Parsed once. */
const struct lore_map *lore_map_builtin(const char *name);
/* The name of built-in map I, as its file states it. */
const char *lore_map_builtin_name(size_t i);
/* Add a map of the user's, which must outlive the import, to those that recognise files; it counts
 * more than the built-in ones. False: there are too many. */
bool lore_map_add(const struct lore_map *map);
/* The map that recognises the text of a file; NULL: none. */
const struct lore_map *lore_map_recognise(const char *text, size_t len);
/* Read the current file of IN by MAP. */
enum lore_status
lore_map_import(struct lore_import *in, const struct lore_map *map, struct lore_err *err) LORE_MUST;

#endif

/* A tuning file in memory. kernel_tuner.c and kernel_tuner_read.c fill it; kernel_tuner_map.c makes
 * sweeps from it. */
#ifndef LORE_IMPORT_TUNING_KERNEL_TUNER_H
#define LORE_IMPORT_TUNING_KERNEL_TUNER_H

#include "collectors/import/import.h"
#include "collectors/import/index.h"

enum { LORE_KERNEL_TUNER_PARAMS = 64 };

/* Meaning of a parameter name, the same in every kernel. */
struct lore_kernel_tuner_meaning {
    const char *name;      /* "block_size_x" */
    const char *technique; /* slug; NULL: the parameter is not an optimisation */
    bool workload;         /* the parameter is a dimension of the workload */
};
/* The meaning of PARAM; NULL when it is not in the table. */
const struct lore_kernel_tuner_meaning *lore_kernel_tuner_meaning(const char *param);

struct lore_kernel_tuner_value {
    const char *text; /* JSON scalar */
    double number;    /* value of a number or boolean */
    bool symbolic;    /* a text, so the values have no order */
};
struct lore_kernel_tuner_param {
    const char *name;
    const struct lore_kernel_tuner_meaning *known; /* NULL */
    struct lore_kernel_tuner_value
        *values; /* values in the file: numbers in ascending order, then texts */
    size_t n, cap;
};
struct lore_kernel_tuner_entry {
    const struct lore_json *node;
    const char *key;     /* key of the entry in a cache file; NULL in a results file */
    size_t *value_index; /* for each parameter, the index of the value in `values` */
    bool failed;
    const char *error, *code;        /* of a failed entry: error type of a run, word in the file */
    double time_ms;                  /* time stated by the tool; 0: none */
    const struct lore_json *samples; /* list of times in the file's unit; NULL */
    bool disagrees;                  /* the mean of the samples differs from time_ms */
    double verification;             /* time spent on verification; below 0: not stated */
    const char *measured_at;         /* RFC 3339; NULL */
    int64_t ms;                      /* measured_at in ms since 1970; 0: unknown */
};
struct lore_kernel_tuner {
    struct lore_import *in;
    bool results;                   /* a results file (T4), else a cache file */
    const char *kernel;             /* "convolution" */
    const char *symbol;             /* "convolution_kernel", as in the file; NULL */
    const char *op, *chip, *device; /* device as in the file; NULL: unknown */
    const char *kernel_id, *environment, *objective;
    const struct lore_json *problem; /* problem_size; NULL */
    double unit_ms;                  /* unit of the times in the file, in milliseconds */
    bool no_samples; /* ignore the sample lists: in too many entries their mean differs from the
                        stated time */
    struct lore_kernel_tuner_param *params;
    size_t n_params, cap_params;
    struct lore_kernel_tuner_entry *entries;
    size_t n, cap;
    struct lore_index values; /* index of parameter values and ids; private to the importer */
};
/* kernel_tuner_read.c: the text of an unfinished cache file, cut after its last complete entry and
 * closed with one or two BRACES. *OUT gets its length. NULL when no entry is complete. */
const char *lore_kernel_tuner_closed(
    struct lore_arena *arena, const char *text, size_t len, size_t braces, size_t *out);
/* kernel_tuner_read.c: read one configuration. On LORE_INVALID, ERR explains the fault. */
enum lore_status lore_kernel_tuner_read_entry(
    struct lore_kernel_tuner *kt, const struct lore_json *node, struct lore_err *err) LORE_MUST;
/* kernel_tuner_read.c: sort the values of each parameter and note doubts about the entries as a
 * whole. Call it once, after the last entry. */
void lore_kernel_tuner_sort(struct lore_kernel_tuner *kt);
/* kernel_tuner_map.c: add kernel, environment, sweeps, and versions and runs of the best
 * configurations. */
void lore_kernel_tuner_map(struct lore_kernel_tuner *kt);

#endif

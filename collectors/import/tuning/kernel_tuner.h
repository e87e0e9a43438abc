/* Tuning files as configurations: what kernel_tuner.c and kernel_tuner_read.c read, for
 * kernel_tuner_map.c and kernel_tuner_pairs.c to make records of. */
#ifndef LORE_IMPORT_TUNING_KERNEL_TUNER_H
#define LORE_IMPORT_TUNING_KERNEL_TUNER_H

#include "collectors/import/import.h"
#include "collectors/import/index.h"

enum { LORE_KT_PARAMS = 64 };

/* What a parameter of this name does, in any kernel. */
struct lore_kt_known {
    const char *name;      /* "block_size_x" */
    const char *technique; /* slug; NULL: it is not for the person who tunes to choose */
    bool workload;         /* it says what is computed: a dimension */
};
/* NULL when nobody has said anything of it. */
const struct lore_kt_known *lore_kt_known(const char *param);

struct lore_kt_value {
    const char *text; /* JSON scalar */
    double number;    /* of numbers and booleans */
    bool symbolic;    /* a text: it has no neighbours */
};
struct lore_kt_param {
    const char *name;
    const struct lore_kt_known *known; /* NULL */
    struct lore_kt_value *values;      /* seen, numbers in order and then texts */
    size_t n, cap;
};
struct lore_kt_entry {
    const struct lore_json *node;
    const char *key; /* its name in the file; NULL in a results file */
    size_t *at;      /* index of its value, for each parameter */
    bool failed;
    const char *error, *code,
        *message;   /* of failed: a run's error type, the file's word, what it means */
    double time_ms; /* the tool's number; 0: none */
    const struct lore_json *samples; /* list of times in the file's unit; NULL */
    bool disagrees;                  /* they do not average to the time */
    double verification;             /* time spent on it; below 0: not said */
    const char *measured_at;         /* RFC 3339; NULL */
    int64_t ms;                      /* the same, since 1970; 0 */
    const char *version, *run;       /* ids, once mapped */
};
struct lore_kt {
    struct lore_import *in;
    bool results;                   /* a results file (T4), else a cache file */
    const char *kernel;             /* "convolution" */
    const char *symbol;             /* "convolution_kernel", as the file says; NULL */
    const char *op, *chip, *device; /* canonical; NULL: not known. device as the file says */
    const char *kernel_id, *environment;
    const struct lore_json *problem; /* problem_size; NULL */
    double unit_ms;                  /* of times, in milliseconds */
    bool no_samples; /* the lists of times are not what the tool's number comes from */
    struct lore_kt_param *params;
    size_t n_params, cap_params;
    struct lore_kt_entry *entries;
    size_t n, cap, pairs;
    struct lore_index values; /* private to the reader */
};
/* kernel_tuner_read.c: the text of an unfinished cache file, closed with one or two BRACES, and its
 * length; NULL when it has no complete entry. What was written of the next one is cut off. */
const char *
lore_kt_closed(struct lore_arena *arena, const char *text, size_t len, size_t braces, size_t *out);
/* kernel_tuner_read.c: one configuration; LORE_INVALID says what is wrong with it. */
enum lore_status lore_kt_read_entry(
    struct lore_kt *kt, const struct lore_json *node, struct lore_err *err) LORE_MUST;
/* kernel_tuner_read.c: values in order, and doubts about the entries as a whole. */
void lore_kt_settle(struct lore_kt *kt);
/* kernel_tuner_map.c: kernel, environment, versions and runs. */
void lore_kt_map(struct lore_kt *kt);
/* kernel_tuner_pairs.c: experiments. */
void lore_kt_pair(struct lore_kt *kt);

#endif

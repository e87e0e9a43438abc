/* A tuning file of Kernel Tuner while it is read. kernel_tuner.c reads its header,
 * kernel_tuner_read.c its configurations. */
#ifndef LORE_IMPORT_TUNING_KERNEL_TUNER_H
#define LORE_IMPORT_TUNING_KERNEL_TUNER_H

#include "collectors/import/tuning/search.h"

struct lore_kernel_tuner_param {
    const char *name;
    bool dimension; /* of the workload, not of the search */
};
struct lore_kernel_tuner {
    struct lore_search search;
    bool results; /* a results file (T4), else a cache file */
    struct lore_search_place place;
    const struct lore_json *problem; /* problem_size; NULL */
    double unit_ms;                  /* unit of the times in the file, in milliseconds */
    struct lore_kernel_tuner_param params[LORE_SWEEP_SERIES];
    size_t n_params, n_dimensions;
    size_t at;              /* number of the place of the last configuration */
    char dimensions[200];   /* its values of the dimensions; "": not known */
    bool texts_are_numbers; /* "16" is the value 16 */
};
/* Read one configuration into the search; KEY: its name in a cache file. On LORE_INVALID, ERR
 * explains the fault. */
enum lore_status lore_kernel_tuner_read_entry(struct lore_kernel_tuner *kt,
    const struct lore_json *node, const char *key, struct lore_err *err) LORE_MUST;

#endif

/* Where a search took place, and one of its configurations (search.h). */
#ifndef LORE_IMPORT_TUNING_SEARCH_CONFIG_H
#define LORE_IMPORT_TUNING_SEARCH_CONFIG_H

#include "collectors/import/import.h"
#include "service/wire/sweep.h"

/* Where and on what a search took place. Texts are copied. */
struct lore_search_place {
    const char *kernel;            /* name of the kernel: "convolution" */
    const char *symbol;            /* its name in the program; NULL */
    const char *op;                /* canonical operator */
    const char *chip;              /* catalogue name; NULL: unknown */
    const char *device;            /* as in the file; NULL */
    const char *variant;           /* what else keeps two searches of a file apart; NULL */
    struct lore_workload workload; /* set: false when it is unknown */
    enum lore_language language;
};
/* Meaning of a parameter name, the same in every kernel. */
struct lore_search_meaning {
    const char *name;      /* "block_size_x" */
    const char *technique; /* slug; NULL: the parameter is not an optimisation */
    bool workload;         /* the parameter is a dimension of the workload */
};

struct lore_search_value {
    const char *name, *unit; /* unit: NULL: none */
    const char *json;        /* a JSON scalar */
    bool counter;            /* of a profiler: also a metric of the best configuration's run */
};
/* Texts of a configuration may lie in the scratch arena of the search, which lore_search_add
 * empties. */
struct lore_search_config {
    size_t place;      /* from lore_search_place */
    const char *key;   /* its name in the file; NULL */
    const char *label; /* of its version; NULL: made of its parameters */
    struct lore_search_value params[LORE_SWEEP_SERIES], *values;
    size_t n_params, n_values, cap_values;
    double time_ms; /* as the tool states it; 0: none, and then the mean of the samples */
    double *samples_ms;
    size_t n_samples, cap_samples;
    const char *error, *said; /* of a failure: type (service/wire/tables_sweep.c), words */
    bool best;                /* the tool says so; such a one may have no time */
    bool untimed;             /* what the tool states is no time */
    enum lore_check check;    /* LORE_C_NONE: the file says nothing of it */
    const char *measured_at;  /* RFC 3339; NULL */
    int64_t ms;               /* the same in ms since 1970; 0: unknown */
};

#endif

/* What search.c collects and search_map.c turns into records. Private to the two. */
#ifndef LORE_IMPORT_TUNING_SEARCH_GROUP_H
#define LORE_IMPORT_TUNING_SEARCH_GROUP_H

#include "collectors/import/tuning/search_config.h"

struct lore_search_column {
    const char *name, *unit;
    bool counter;
    struct lore_series_table *t;
};
struct lore_search_columns {
    struct lore_search_column v[LORE_SWEEP_SERIES];
    size_t n;
};
struct lore_search_row {
    double time_ms, mean_ms; /* time_ms: stated, else the mean of the samples */
    uint64_t print;          /* hash of its parameters */
    int64_t ms;
    size_t first; /* its first sample */
    const char *key, *label, *measured_at;
    uint32_t why; /* index into whys + 1; 0: it did not fail */
    enum lore_check check;
    bool best;      /* without a time; the tool says so */
    bool disagrees; /* the mean of the samples is not the stated time */
};
/* The configurations of one place. */
struct lore_search_group {
    struct lore_search_place place;
    const char *kernel_id, *environment;
    struct lore_arena arena; /* of everything below; freed when the sweep is written */
    struct lore_search_columns params, values;
    struct lore_search_row *rows;
    int64_t *samples;
    struct lore_sweep_why *whys;
    size_t n, cap, n_samples, cap_samples, n_whys, cap_whys;
    size_t stated; /* number of the column of stated times + 1; 0: none */
    size_t bytes;  /* of the texts of the sweep */
    size_t part;   /* from 1, when one record cannot hold the search */
};

struct lore_search;
/* search_map.c: append the sweep of G and its best configurations, and empty G. */
void lore_search_write(struct lore_search *s, struct lore_search_group *g);

#endif

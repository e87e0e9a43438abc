/* An answer with advice as it was served, and how such answers are selected. */
#ifndef LORE_DB_ADVISED_H
#define LORE_DB_ADVISED_H

#include <stdint.h>

#include "service/wire/record.h"

/* A version that an answer proposed: to start from, or to make by changing one parameter. */
struct lore_advised_version {
    const char *list; /* start, moves, next */
    int64_t rank;     /* 1 is the first of its list */
    const char *version;
    const char *from, *technique; /* for a change of one parameter; NULL: a version to start from */
    const char *chip, *workload;  /* the place; workload NULL: unknown */
    double value, low, high;      /* share of the optimum; of a change: P(gain > 5 %) */
    double p_fail;
};
/* One line of an answer. */
struct lore_advised_item {
    const char *list;      /* advice, avoid, untried … */
    int64_t rank;          /* 1 is the first of its list */
    const char *technique; /* slug */
    struct lore_f64 p_win, low, high, gain /* expected speedup */;
};
/* An answer as it was served, with its question. NULL strings: not given. */
struct lore_advised {
    const char *id, *caller;
    int64_t served_us, until_us;
    const char *op, *chip, *isa, *language, *workload, *version;
    const char *labels; /* "memory+sync"; "" when not given */
    struct lore_advised_item *items;
    struct lore_advised_version *versions;
    size_t n_items, n_versions;
};
/* The answers to select; NULL: all. LIMIT bounds a list of outcomes, newest answers first. Counts
 * ignore it. */
struct lore_advice_filter {
    const char *op, *technique;
    const char *const *chips;
    size_t n_chips; /* 0: any */
    size_t limit;
};

#endif

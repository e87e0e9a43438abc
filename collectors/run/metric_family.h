/* What a set is, the sets of one vendor, and the form of its counters' names. */
#ifndef LORE_RUN_METRIC_FAMILY_H
#define LORE_RUN_METRIC_FAMILY_H

#include <stdbool.h>
#include <stddef.h>

struct lore_metric_set {
    const char *name; /* "basic" */
    const char *help; /* one sentence */
    const char *const *names;
    size_t n;
};
struct lore_metric_family {
    const char *vendor;
    const struct lore_metric_set *sets; /* none, basic, full */
    size_t n_sets;
    bool (*has_form)(const char *name); /* whether a chip of the vendor may have the counter */
};
extern const struct lore_metric_family lore_metric_family_amd;

#endif

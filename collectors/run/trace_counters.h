/* The counter values of a group of launches, and what is reported of them: the median. The first
 * counted launch of a process writes some megabytes to DRAM that no later one writes, so a mean
 * would be wrong; the median of three is not. */
#ifndef LORE_RUN_TRACE_COUNTERS_H
#define LORE_RUN_TRACE_COUNTERS_H

#include "collectors/run/trace.h"

/* Add one launch's VALUE of the counter NAME, which is borrowed, to a group that has no such
 * counter. */
void lore_trace_counters_add(
    struct lore_trace_group *g, const char *name, double value, struct lore_arena *arena);
/* Add the values of FROM, another process's group of the same kernel and shape, to G, and sum G up
 * again. */
void lore_trace_counters_join(
    struct lore_trace_group *g, const struct lore_trace_group *from, struct lore_arena *arena);
/* Set G's metrics and how many launches were counted, from its counters. */
void lore_trace_counters_sum_up(struct lore_trace_group *g, struct lore_arena *arena);

#endif

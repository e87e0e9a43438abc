/* How many of the next three methods each axis gets, from the roofline gaps. It reproduces the code
 * of cuda-kernel-optimizer V2. docs/algorithms.md lists where that tool's documentation differs
 * from its code. */
#ifndef LORE_DERIVE_BUDGET_H
#define LORE_DERIVE_BUDGET_H

#include <stdbool.h>

#include "service/derive/gaps.h"

struct lore_axis_budget {
    int compute, memory, latency; /* sum 3, each at most 2 */
};

/* Gaps are 0..1. NaN counts as 0, as a negligible gap does. */
struct lore_axis_budget lore_axis_budget(double compute, double memory, double latency);
/* The same for gaps that may be unknown. If one is, returns false and leaves *out unchanged. */
bool lore_axis_budget_of(const struct lore_gaps *g, struct lore_axis_budget *out);

#endif
